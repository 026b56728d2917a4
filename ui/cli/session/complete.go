package session

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"diurna/reader/plain"
	"diurna/reader/query"
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

// CompleteQuery offers the fields and words of queries; after feed:, folder: and tag:
// what there is of these.
func (s *Session) CompleteQuery(c *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	field, _, named := strings.Cut(word, ":")
	if !named {
		var list []cobra.Completion
		for _, name := range query.FieldNames() {
			list = append(list, name+":")
		}
		return append(list, append(query.StateNames(), "and", "or", "not")...), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	lib, err := s.Library("completion")
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	feeds, err := lib.Feeds(c.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	found := map[string]string{}
	for i := range feeds {
		switch f := &feeds[i]; field {
		case "feed":
			found[f.Key.String()] = plain.Line(f.Title, 60)
		case "folder":
			found[f.Folder] = ""
		case "tag":
			for _, tag := range f.Tags {
				found[tag] = ""
			}
		}
	}
	delete(found, "")
	var list []cobra.Completion
	for _, name := range slices.Sorted(maps.Keys(found)) {
		list = append(list, cobra.CompletionWithDesc(field+":"+name, found[name]))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
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
