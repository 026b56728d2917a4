package session

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/query"
)

// names are what a user calls feeds by, with the other name as description: in a
// shell their ids, which need no quotes; in a screen, which sets quotes, their titles,
// and ids where two share one.
func (s *Session) names(feeds []reader.Feed, quote bool) (names, about []string) {
	titles := map[string]int{}
	for i := range feeds {
		titles[feeds[i].Title]++
	}
	for i := range feeds {
		id, title := feeds[i].Key.String(), plain.Line(feeds[i].Title, 0)
		if s.Env.Inside && titles[title] == 1 && !strings.ContainsAny(title, `"\`) {
			if quote && strings.Contains(title, " ") {
				title = `"` + title + `"`
			}
			names, about = append(names, title), append(about, id)
			continue
		}
		names, about = append(names, id), append(about, plain.Line(title, 60))
	}
	return names, about
}

// CompleteFeeds offers the names of the feeds for the first most words of a command;
// 0: for all.
//
//go:noinline // every command would have a closure of its own
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
		names, about := s.names(feeds, false)
		for i := range names {
			list = append(list, cobra.CompletionWithDesc(names[i], about[i]))
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteFlags lets --folder and --tag of a command be completed by those that feeds
// have.
func (s *Session) CompleteFlags(c *cobra.Command) {
	for _, name := range []string{"folder", "tag"} {
		err := c.RegisterFlagCompletionFunc(name, func(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			found, err := s.found(c.Context(), name, false)
			if err != nil {
				return nil, cobra.ShellCompDirectiveError
			}
			return slices.Sorted(maps.Keys(found)), cobra.ShellCompDirectiveNoFileComp
		})
		if err != nil {
			panic(err) // the command has no such flag
		}
	}
}

// found are the feeds, folders or tags there are, with what is said of each.
func (s *Session) found(ctx context.Context, field string, quote bool) (map[string]string, error) {
	lib, err := s.Library("completion")
	if err != nil {
		return nil, err
	}
	feeds, err := lib.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	names, about := s.names(feeds, quote)
	for i := range feeds {
		switch f := &feeds[i]; field {
		case "feed":
			found[names[i]] = about[i]
		case "folder":
			name := f.Folder
			if quote && s.Env.Inside && strings.Contains(name, " ") {
				name = `"` + name + `"`
			}
			found[name] = ""
		case "tag":
			for _, tag := range f.Tags {
				found[tag] = ""
			}
		}
	}
	delete(found, "")
	return found, nil
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
	if field == "query" {
		var list []cobra.Completion
		for _, n := range SavedQueries(c.Context(), s.Library) {
			list = append(list, cobra.CompletionWithDesc("query:"+query.Key(n.Name), plain.Line(n.Query, 60)))
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	found, err := s.found(c.Context(), field, true)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
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
