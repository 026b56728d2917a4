package items

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
)

func (s *Commands) evidenceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "evidence",
		Short: "what Ranked learned from your reading",
		Long: `Opened, saved and shown rows are what Ranked learns from, on this machine only.
Marking read, search and undone changes do not count. Each change is one
step that diurna undo reverts, except forget.`,
		Example:     "  diurna evidence\n  diurna evidence export > evidence.txt",
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(0),
		RunE: s.With("evidence", func(c *cobra.Command, lib *reader.Reader, _ []string) error {
			e, err := lib.Ranker().Evidence(c.Context())
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(evidenceJSON(&e))
			}
			s.printEvidence(&e)
			return nil
		}),
	}
	c.AddCommand(s.evidenceExport(), s.evidenceEdit(), s.evidenceForget(), s.evidenceReset(), s.evidenceFreeze(),
		s.evidenceTeach("more", false), s.evidenceTeach("less", true))
	return c
}

type evidenceObject struct {
	Opened     int            `json:"opened"`
	Shown      int            `json:"shown"`
	Since      wording.Moment `json:"since"`
	Frozen     bool           `json:"frozen"`
	Explore    float64        `json:"lambda"`
	Keep       float64        `json:"keep_on_show"`
	Idle       float64        `json:"keep_idle"`
	OwnReading bool           `json:"own_reading_of_rows"`
	Pinned     []string       `json:"pinned"`
	LeftOut    []string       `json:"left_out"`
	Topics     []string       `json:"topics"`
	Features   int            `json:"features"`
}

func evidenceJSON(e *reader.Evidence) evidenceObject {
	o := evidenceObject{e.Opened, e.Shown, wording.Moment{Time: e.Since}, e.Frozen, e.Explore, e.Keep, e.Idle, e.OwnReading, feedIDs(e.Pinned), feedIDs(e.LeftOut), []string{}, e.Features}
	for _, t := range e.Topics {
		o.Topics = append(o.Topics, plain.Line(t, 0))
	}
	return o
}

func feedIDs(feeds []reader.Feed) []string {
	ids := []string{}
	for _, f := range feeds {
		ids = append(ids, f.Key.String())
	}
	return ids
}

func (s *Commands) printEvidence(e *reader.Evidence) {
	put := func(label, format string, args ...any) {
		fmt.Fprintf(s.Out, "%-10s %s\n", label, plain.Line(fmt.Sprintf(format, args...), 0))
	}
	learned := fmt.Sprintf("%s of %s shown", wording.Plural(e.Opened, "opened item"), wording.Count(e.Shown))
	if !e.Since.IsZero() {
		learned += ", since " + s.Clock().Day(e.Since)
	}
	if e.Frozen {
		learned += "; learning is off (diurna evidence freeze --off)"
	}
	put("learned", "%s", learned)
	put("table", "%s with evidence (diurna evidence export)", wording.Plural(e.Features, "row"))
	how := "learning bonus %.4g, kept when shown %.4g, kept when not %.4g"
	if e.Opened < reader.OpensNeeded {
		how += fmt.Sprintf("; Ranked needs %d opened items", reader.OpensNeeded)
	}
	put("constants", how+", chosen by your log", e.Explore, e.Keep, e.Idle)
	rows := "how far down you read is assumed until there is enough data"
	if e.OwnReading {
		rows = "how far down you read is learned from your log"
	}
	put("rows", "%s", rows)
	names := func(feeds []reader.Feed) string {
		var out []string
		for _, f := range feeds {
			out = append(out, f.Title)
		}
		return strings.Join(out, " · ")
	}
	if len(e.Pinned) > 0 {
		put("pinned", "%s", names(e.Pinned))
	}
	if len(e.LeftOut) > 0 {
		put("left out", "%s", names(e.LeftOut))
	}
	for i, t := range e.Topics {
		put(map[bool]string{true: "topics"}[i == 0], "%s", t)
	}
}

func (s *Commands) evidenceExport() *cobra.Command {
	return &cobra.Command{
		Use:         "export",
		Short:       "print the table of evidence",
		Long:        "Columns, with tabs between them: kind, name, opened, not opened. Older\nevidence counts less, so the counts are not whole numbers.",
		Example:     "  diurna evidence export > evidence.txt",
		Annotations: arguments.Exits("0 done · 1 not done · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(0),
		RunE: s.With("evidence", func(c *cobra.Command, lib *reader.Reader, _ []string) error {
			text, err := lib.Ranker().EvidenceTable(c.Context())
			if err != nil {
				return err
			}
			_, err = s.Out.Write(text)
			return err
		}),
	}
}

func (s *Commands) evidenceEdit() *cobra.Command {
	return &cobra.Command{
		Use:   "edit [FILE]",
		Short: "edit the table of evidence in your editor",
		Long: `A changed line sets what is known of a feed, category, topic, word or author, a
removed line clears it. FILE, or - for stdin, is read without an editor.`,
		Example:     "  diurna evidence edit\n  diurna evidence export | sed '/^word/d' | diurna evidence edit -",
		Annotations: arguments.Exits("0 done · 1 not done; the text is kept · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(1),
		RunE: s.With("evidence", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			if len(args) == 1 {
				text, err := s.ReadFile(args[0], session.MaxList, nil)
				if err != nil {
					return err
				}
				return s.applyEvidence(c.Context(), lib, text)
			}
			return s.editEvidence(c.Context(), lib)
		}),
	}
}

// editEvidence opens the table in the editor. The file is removed only when all of
// it is in the library.
func (s *Commands) editEvidence(ctx context.Context, lib *reader.Reader) error {
	editor, err := s.EditorArgv()
	if err != nil {
		return err
	}
	text, err := lib.Ranker().EvidenceTable(ctx)
	if err != nil {
		return err
	}
	path, err := s.Scratch("evidence", "txt", text)
	if err != nil {
		return err
	}
	err = s.OpenEditor(append(editor, path))
	var edited []byte
	if err == nil {
		edited, err = s.ReadFile(path, session.MaxList, nil)
	}
	if err == nil && bytes.Equal(edited, text) {
		s.Talk("nothing changed.")
		return os.Remove(path)
	}
	if err == nil {
		err = s.applyEvidence(ctx, lib, edited)
	}
	if err != nil {
		return exit.With(exit.CodeOf(err), err, "the text is kept: diurna evidence edit "+plain.Argument(path))
	}
	return os.Remove(path)
}

func (s *Commands) applyEvidence(ctx context.Context, lib *reader.Reader, text []byte) error {
	done, err := lib.Ranker().ApplyEvidence(ctx, time.Now(), text)
	if err != nil {
		return err
	}
	if done.Step == 0 {
		s.Talk("nothing changed.")
		return nil
	}
	s.Talk("%s of the evidence changed. diurna undo reverts it.", wording.Plural(done.Changed, "row"))
	return nil
}

func (s *Commands) evidenceForget() *cobra.Command {
	return &cobra.Command{
		Use:   "forget SINCE",
		Short: "remove your reading since then from the log, permanently",
		Long: `SINCE is a date such as 2026-11-02 or a time back such as 2d or 1w. The log is
rewritten: which rows were shown, which were opened and what was taught since
then is gone from it. Items stay read. This cannot be undone, and backups made
before still have it.`,
		Example:     "  diurna evidence forget 2d",
		Annotations: arguments.Exits("0 done · 1 not done · 2 not a time · 4 busy · 5 damaged or newer"),
		Args:        arguments.Exactly(1, "a time"),
		RunE: func(c *cobra.Command, args []string) error {
			since, ok := query.ParseTime(args[0], time.Now())
			if !ok {
				return exit.Usage("diurna evidence forget 2026-11-02", "%q is not a time such as 2d, 1w or 2026-11-02", args[0])
			}
			lib, err := s.Library("evidence")
			if err != nil {
				return err
			}
			n, err := lib.Ranker().Forget(c.Context(), since)
			if err != nil {
				return err
			}
			s.Talk("cleared the interest data of %s since %s. This cannot be undone.", wording.Plural(n, "fact"), s.Clock().When(since))
			return nil
		},
	}
}

func (s *Commands) evidenceReset() *cobra.Command {
	return &cobra.Command{
		Use:         "reset",
		Short:       "forget everything learned so far",
		Long:        "Pinned feeds and feeds left out stay so. diurna undo brings it back.",
		Example:     "  diurna evidence reset",
		Annotations: arguments.Exits("0 done · 1 not done · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(0),
		RunE: s.With("evidence", func(c *cobra.Command, lib *reader.Reader, _ []string) error {
			if _, err := lib.Ranker().Reset(c.Context(), time.Now()); err != nil {
				return err
			}
			s.Talk("what was learned is reset. diurna undo reverts it.")
			return nil
		}),
	}
}

func (s *Commands) evidenceFreeze() *cobra.Command {
	var off bool
	c := &cobra.Command{
		Use:         "freeze",
		Short:       "stop learning until freeze --off",
		Example:     "  diurna evidence freeze\n  diurna evidence freeze --off",
		Annotations: arguments.Exits("0 done · 1 not done · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(0),
		RunE: s.With("evidence", func(c *cobra.Command, lib *reader.Reader, _ []string) error {
			done, err := lib.Ranker().Freeze(c.Context(), time.Now(), !off)
			switch {
			case err != nil:
				return err
			case done.Step == 0:
				s.Talk("nothing changed.")
			case off:
				s.Talk("learning is on again.")
			default:
				s.Talk("nothing is learned until diurna evidence freeze --off.")
			}
			return nil
		}),
	}
	c.Flags().BoolVar(&off, "off", false, "learn again")
	return c
}

func (s *Commands) evidenceTeach(name string, less bool) *cobra.Command {
	return &cobra.Command{
		Use:         name + " ITEM|KIND NAME",
		Short:       name + " like this item, or like a feed, category, topic, word or author",
		Example:     "  diurna evidence " + name + " m2x-17\n  diurna evidence " + name + " word ferry",
		Annotations: arguments.Exits("0 done · 1 no such name · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtLeastOne("an item, or a kind and a name"),
		RunE: s.With("evidence", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			l := reader.Feedback{Less: less}
			var err error
			if len(args) == 1 {
				if l.Item, err = session.FindItem(c.Context(), lib, args[0]); err != nil {
					return err
				}
			} else {
				l.Subject, l.Name = args[0], strings.Join(args[1:], " ")
			}
			if l.Subject == "feed" {
				f, err := lib.FindFeed(c.Context(), l.Name)
				if err != nil {
					return err
				}
				l.Name = f.Key.String()
			}
			_, what, err := lib.Ranker().Train(c.Context(), time.Now(), l)
			if err != nil {
				return err
			}
			s.Talk("taught: %s. diurna undo reverts it.", what)
			return nil
		}),
	}
}
