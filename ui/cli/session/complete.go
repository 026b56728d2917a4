package session

import (
	"github.com/spf13/cobra"

	"diurna/reader/plain"
)

// CompleteFeeds offers the ids of the feeds, with their names beside them, for
// the first most words of a command; 0: for all.
func (s *Session) CompleteFeeds(most int) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		lib, err := s.Library("completion")
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		feeds, err := lib.Feeds(c.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var list []cobra.Completion
		for i := range feeds {
			list = append(list, cobra.CompletionWithDesc(feeds[i].Key.String(), plain.Line(feeds[i].Title, 60)))
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// CompletePages offers the ids of the watched pages.
func (s *Session) CompletePages(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	lib, err := s.Library("completion")
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	pages, err := lib.Pages().List(c.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var list []cobra.Completion
	for i := range pages {
		list = append(list, cobra.CompletionWithDesc(pages[i].Key.String(), plain.Line(pages[i].Title, 60)))
	}
	return list, cobra.ShellCompDirectiveDefault
}
