// Package rules holds the commands that mute words and make rules.
package rules

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/docs"
	"diurna/reader"
	"diurna/reader/query"
	"diurna/reader/rules"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// Commands are those that mute words and make rules.
type Commands struct{ *session.Session }

// New gives the commands of one run of the program.
func New(s *session.Session) *Commands { return &Commands{Session: s} }

// All are the commands.
func (s *Commands) All() []arguments.Command {
	return []arguments.Command{
		{Name: "mute", Build: s.muteCommand},
		{Name: "rules", Build: s.rulesCommand},
	}
}

const exits = "0 done · 1 not done · 2 wrong usage, or the query is not understood · 4 busy · 5 damaged or newer"

// limits are the flags that say for how long and where a rule holds.
type limits struct {
	length, feed string
	later        bool
}

func (l *limits) flags(c *cobra.Command) {
	c.Flags().StringVar(&l.length, "for", "", "end by itself after `TIME`: 12h, 30d, 2w, 6m, 1y, or a date")
	c.Flags().StringVar(&l.feed, "feed", "", "only in this `FEED`")
	c.Flags().BoolVar(&l.later, "later", false, "apply to new items only")
}

// rule is the rule for what was typed.
func (s *Commands) rule(c *cobra.Command, lib *reader.Reader, args []string, l *limits) (reader.Rule, error) {
	text := rules.TextOf(args)
	if strings.TrimSpace(text) == "" {
		return reader.Rule{}, exit.Usage(c.CommandPath()+" --help has an example", "%s needs a word, a phrase or a query", c.CommandPath())
	}
	now := time.Now()
	r := reader.Rule{Query: text}
	if l.length != "" {
		until, ok := rules.Until(l.length, now)
		if !ok {
			return r, exit.Usage("--for 30d", "--for %q is not a time such as 12h, 30d, 2w, 6m, 1y or a date to come", l.length)
		}
		r.Until = until
	}
	if l.feed != "" {
		f, err := lib.FindFeed(c.Context(), l.feed)
		if err != nil {
			return r, err
		}
		q, err := query.Parse(text, now)
		if err != nil {
			return r, err
		}
		r.Query = query.OfFeed(f.Key).And(q).Canonical()
	}
	return r, nil
}

func (s *Commands) muteCommand() *cobra.Command {
	var l limits
	c := &cobra.Command{
		Use:   "mute WORD|\"PHRASE\"|QUERY",
		Short: "hide matching items from the unread ones",
		Long: `What is muted is not deleted and not read: "diurna items muted" lists it. It is
left out of River, Ranked and all counts of unread items, now and when it comes.
diurna undo, or diurna rules rm, brings it back unread. With --for the mute ends
by itself: what came until then stays muted, what comes later is not.`,
		Example:           "  diurna mute crypto --for 30d\n  diurna mute \"out of service\" --feed gazette\n  diurna mute 'title:/^sponsored/i'",
		Annotations:       arguments.Exits(exits),
		ValidArgsFunction: s.CompleteQuery,
		RunE: s.With("mute", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			r, err := s.rule(c, lib, args, &l)
			if err != nil {
				return err
			}
			r.Mute = true
			return s.add(c, lib, r, l.later)
		}),
	}
	l.flags(c)
	return c
}

// add makes a rule and says what it did.
func (s *Commands) add(c *cobra.Command, lib *reader.Reader, r reader.Rule, later bool) error {
	r, done, err := lib.Rules().Add(c.Context(), r, later, time.Now())
	if err != nil {
		return err
	}
	if s.JSON {
		out := line{Rule: r, touched: done.Changed}
		return s.PrintJSON(out)
	}
	until := ""
	if !r.Until.IsZero() {
		until = " until " + s.Clock().Day(r.Until)
	}
	now := touched(done.Changed) + " now"
	if later {
		now = "Existing items stay as they are"
	}
	s.Talk("rule %d: %s%s: %s. %s. diurna undo reverts it.", r.No, r.Effects(), until, r.Query, now)
	return nil
}

func touched(n int) string {
	if n == 0 {
		return "No unread item matches"
	}
	return "It matches " + wording.Plural(n, "unread item")
}

func (s *Commands) rulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "rules",
		Short: "list, add and remove rules",
		// The page of the documentation, without its heading.
		Long:        strings.TrimSpace(strings.TrimPrefix(docs.Rules, "# Rules\n")) + "\n\nColumns in a pipe: " + table.Names(columns),
		Example:     "  diurna rules\n  diurna rules try title:ferry\n  diurna rules add author:quay --save --tag later\n  diurna rules rm 3",
		Annotations: arguments.Exits(exits),
		Args:        arguments.AtMost(0),
		RunE: s.With("rules", func(c *cobra.Command, lib *reader.Reader, _ []string) error {
			list, err := lib.Rules().List(c.Context())
			if err != nil {
				return err
			}
			counts, err := lib.Rules().Counts(c.Context(), list)
			if err != nil {
				return err
			}
			switch err := lib.Rules().Known(); {
			case err != nil:
				s.Talk("those of config.toml are unknown: the file cannot be read.")
			case len(list) == 0:
				s.Talk("there are no rules. diurna mute WORD makes one.")
			}
			lines := make([]line, 0, len(list))
			for i, r := range list {
				lines = append(lines, line{r, counts[i]})
			}
			return session.Print(s.Session, columns, lines)
		}),
	}
	c.AddCommand(s.addCommand(), s.tryCommand(), s.rmCommand())
	return c
}

func (s *Commands) addCommand() *cobra.Command {
	var l limits
	var r reader.Rule
	c := &cobra.Command{
		Use:               "add QUERY",
		Short:             "make a rule",
		Long:              "Applied to the unread items that match, and to new ones.",
		Example:           "  diurna rules add author:quay --save --tag later\n  diurna rules add feed:gazette shorter:50 --read --for 2w",
		Annotations:       arguments.Exits(exits),
		ValidArgsFunction: s.CompleteQuery,
		RunE: s.With("rules", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			made, err := s.rule(c, lib, args, &l)
			if err != nil {
				return err
			}
			made.Mute, made.Read, made.Save, made.Notify = r.Mute, r.Read, r.Save, r.Notify
			for _, t := range r.Tags {
				name := reader.TagName(t)
				if name == "" {
					return exit.Usage("--tag later", "%q is not a tag", t)
				}
				if !slices.Contains(made.Tags, name) {
					made.Tags = append(made.Tags, name)
				}
			}
			if made.Effects() == "" {
				return exit.Usage("--mute, --read, --save, --notify or --tag TAG", "diurna rules add needs to know what the rule does")
			}
			return s.add(c, lib, made, l.later)
		}),
	}
	f := c.Flags()
	f.BoolVar(&r.Mute, "mute", false, "keep out of River, Ranked and the counts of unread items")
	f.BoolVar(&r.Mute, "hide", false, "the same as --mute")
	f.BoolVar(&r.Read, "read", false, "mark read")
	f.BoolVar(&r.Save, "save", false, "save")
	f.BoolVar(&r.Notify, "notify", false, "notify, as for a changed page (notify in config.toml)")
	f.StringSliceVar(&r.Tags, "tag", nil, "add the tag `TAG`; may be repeated")
	l.flags(c)
	return c
}

func (s *Commands) tryCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "try QUERY",
		Short:             "list what a rule would have matched in the last 30 days",
		Example:           "  diurna rules try crypto or coin",
		Annotations:       arguments.Exits(exits),
		ValidArgsFunction: s.CompleteQuery,
		RunE: s.With("rules", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			r, err := s.rule(c, lib, args, &limits{})
			if err != nil {
				return err
			}
			p, err := lib.Rules().Try(c.Context(), r.Query, time.Now())
			if err != nil {
				return err
			}
			s.Talk("%s of the last %d days would have matched. %s now.", wording.Plural(len(p.Month), "item"), rules.MonthDays, touched(len(p.Unread)))
			items := make([]reader.Item, len(p.Month))
			for i := range p.Month {
				r := &p.Month[i]
				items[i] = reader.Item{Key: r.ID, FeedKey: r.ID.Feed(), Title: r.Title, Author: r.Author, Published: time.Unix(r.At, 0), Words: int(r.Words), Tags: r.Tags,
					Unread: r.Flags&reader.FlagRead == 0, Saved: r.Flags&reader.FlagSaved != 0, Changed: r.Flags&reader.FlagChanged != 0, Muted: r.Muted}
			}
			return session.Print(s.Session, tried, items)
		}),
	}
}

func (s *Commands) rmCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "rm NUMBER",
		Short:       "remove a rule",
		Long:        "What it muted comes back unread, but for what you opened since. What it marked\nread, saved or tagged stays so; undoing the rule reverts that too.",
		Example:     "  diurna rules rm 3",
		Annotations: arguments.Exits(exits),
		Args:        arguments.Exactly(1, "the number of a rule"),
		RunE: s.With("rules", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			no, err := strconv.Atoi(args[0])
			if err != nil || no < 1 {
				return exit.Usage("diurna rules lists them", "%q is not the number of a rule", args[0])
			}
			r, done, err := lib.Rules().Remove(c.Context(), no, time.Now())
			if errors.Is(err, rules.ErrNoRule) {
				return exit.With(exit.Error, fmt.Errorf("there is no rule %d", no), "diurna rules lists them")
			}
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(line{Rule: r, touched: done.Changed})
			}
			s.Talk("removed rule %d (%s: %s); %s. diurna undo reverts it.", r.No, r.Effects(), r.Query, unmuted(done.Changed))
			if r.Config && !r.Gone {
				s.Talk("it is in config.toml, and marks new items as long as it is there.")
			}
			return nil
		}),
	}
}

func unmuted(n int) string {
	if n == 0 {
		return "it had muted nothing"
	}
	return wording.Plural(n, "item") + " no longer muted"
}
