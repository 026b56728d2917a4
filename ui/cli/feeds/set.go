package feeds

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// setting is one that `set` shows and changes.
type setting struct {
	name  string
	field string // what Adjust calls it
	takes string // what a value is
	yes   bool   // it is yes or no
	value func(*reader.Feed) string
}

var feedSettings = []setting{
	{"title", "title", "a title; empty: the feed's own", false, func(f *reader.Feed) string { return f.Given }},
	{"folder", "folder", "such as news/local; empty: none", false, func(f *reader.Feed) string { return f.Folder }},
	{"tags", "tags", "with commas between them; empty: none", false, func(f *reader.Feed) string { return strings.Join(f.Tags, ",") }},
	{"interval", "interval", "between fetches: 2h or 30m, at least 15m; empty: by the plan", false, func(f *reader.Feed) string { return f.Settings.Text("interval") }},
	{"full", "full", "yes: fetch the whole texts of new items from their pages", true, func(f *reader.Feed) string { return yesNo(f.Settings.Full) }},
	{"retention", "retention", "the age at which texts go: 6mo or 1y, at least 30d, or off; empty: as config.toml says", false, func(f *reader.Feed) string { return f.Settings.Text("retention") }},
	{"hidden", "hidden", "yes: not in River and the count of unread items", true, func(f *reader.Feed) string { return yesNo(f.Hidden) }},
	{"by-titles", "by_titles", "yes: ranked by titles, not by texts", true, func(f *reader.Feed) string { return yesNo(f.Settings.ByTitles) }},
	{"learning", "learning", "how it stands to Ranked: pinned, left out, or empty: learned from", false, func(f *reader.Feed) string { return f.Settings.Learning.String() }},
	{"allow-private", "allow_private", "yes: fetched though its address is private", true, func(f *reader.Feed) string { return yesNo(f.AllowPrivate) }},
}

func yesNo(on bool) string {
	if on {
		return "yes"
	}
	return "no"
}

// settingLine is a setting of a feed as it is listed.
type settingLine struct{ Name, Value string }

var settingColumns = []table.Column[settingLine]{
	{Name: "setting", Field: func(l settingLine) string { return l.Name }, Head: "SETTING", Cell: func(l settingLine, _ time.Time) string { return l.Name }},
	{Name: "value", Field: func(l settingLine) string { return l.Value }, Head: "VALUE", Cell: func(l settingLine, _ time.Time) string { return cmp.Or(l.Value, "-") }},
}

func (s *Commands) setCommand() *cobra.Command {
	about, names := "", make([]string, 0, len(feedSettings))
	for _, o := range feedSettings {
		about += fmt.Sprintf("  %-14s %s\n", o.name, o.takes)
		names = append(names, o.name)
	}
	c := &cobra.Command{
		Use:   "set FEED [NAME VALUE]",
		Short: "list the settings of a feed, or change one",
		Long:  "As i does on the screen; one undo takes a change back. diurna mv changes the address.\n\n" + about,
		Example: `  diurna set harbour
  diurna set harbour full yes
  diurna set harbour retention 1y
  diurna set harbour folder ''`,
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage, or the value is not understood · 4 busy · 5 damaged or newer"),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) >= 2 && !slices.Contains(names, args[1]) {
				near := cmp.Or(wording.Nearest(args[1], names), strings.Join(names, ", "))
				return exit.Usage(near, "a feed has no setting %q", args[1])
			}
			if len(args) == 2 {
				return exit.Usage(c.CommandPath()+" FEED "+args[1]+" '' empties it", "%s needs a value for %s", c.CommandPath(), args[1])
			}
			return cmp.Or(arguments.AtLeastOne("a feed")(c, args), arguments.AtMost(3)(c, args))
		},
		RunE: s.With("set", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			f, err := lib.FindFeed(c.Context(), args[0])
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return s.listSettings(&f)
			}
			o := &feedSettings[slices.Index(names, args[1])]
			value, err := o.read(args[2])
			if err != nil {
				return err
			}
			done, err := lib.Adjust(c.Context(), f.Key, o.field, value)
			if err != nil {
				return err
			}
			if f, err = lib.FindFeed(c.Context(), f.Key.String()); err != nil {
				return err
			}
			switch {
			case s.JSON:
				return s.listSettings(&f)
			case done.Step == 0:
				s.Talk("nothing changed: %s of %s already had that value.", o.name, f.Title)
			default:
				s.Talk("%s of %s is %s now. diurna undo reverts it.", o.name, f.Title, cmp.Or(o.value(&f), "empty"))
			}
			if o.field == "full" && done.Step != 0 && f.Settings.Full {
				return newestTexts(c.Context(), s.Session, lib, &f)
			}
			return nil
		}),
	}
	feeds := s.CompleteFeeds(1)
	c.ValidArgsFunction = func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		switch {
		case len(args) == 1:
			return names, cobra.ShellCompDirectiveNoFileComp
		case len(args) == 2 && slices.ContainsFunc(feedSettings, func(o setting) bool { return o.name == args[1] && o.yes }):
			return []cobra.Completion{"yes", "no"}, cobra.ShellCompDirectiveNoFileComp
		}
		return feeds(c, args, typed)
	}
	return c
}

// read makes of what was typed what Adjust takes.
func (o *setting) read(value string) (string, error) {
	if o.yes {
		on, err := strconv.ParseBool(map[string]string{"yes": "true", "on": "true", "no": "false", "off": "false", "": "false"}[value])
		if err != nil {
			if on, err = strconv.ParseBool(value); err != nil {
				return "", exit.Usage("yes or no", "%s takes yes or no, not %q", o.name, value)
			}
		}
		return strconv.FormatBool(on), nil
	}
	if err := reader.CheckSetting(o.field, value); err != nil {
		return "", exit.Usage(o.name+" is "+o.takes, "%s", err)
	}
	return value, nil
}

func (s *Commands) listSettings(f *reader.Feed) error {
	if s.JSON {
		all := map[string]string{}
		for _, o := range feedSettings {
			all[o.name] = o.value(f)
		}
		return s.PrintJSON(all)
	}
	lines := make([]settingLine, 0, len(feedSettings))
	for _, o := range feedSettings {
		lines = append(lines, settingLine{o.name, o.value(f)})
	}
	return session.Print(s.Session, settingColumns, lines)
}
