package items

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// actWords are what mark does, and what is printed afterwards.
var actWords = map[string]struct {
	act    reader.Act
	saying string
}{
	"read":    {reader.MarkRead, "marked %s read"},
	"unread":  {reader.MarkUnread, "marked %s unread"},
	"saved":   {reader.Save, "saved %s"},
	"unsaved": {reader.Unsave, "unsaved %s"},
}

func (s *Commands) markCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "mark read|unread|saved|unsaved|+TAG|-TAG QUERY|ID…",
		Short:       "mark, save or tag items, as one step",
		Long:        "Marks exactly the items that match now; undo reverts all of it.\n" + session.QueryHelp,
		Example:     "  diurna mark read folder:comics older:1w\n  diurna mark +later b7q-41 m2x-17",
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),

		ValidArgsFunction: s.completeMark,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usage("diurna mark read folder:comics older:1w", "diurna mark needs to know what to do")
			}
			act, saying, tag, err := actOf(args[0])
			if err != nil {
				return err
			}
			if strings.TrimSpace(strings.Join(args[1:], "")) == "" { // "" in a script is a mistake, not everything
				return exit.Usage("diurna mark "+args[0]+" today", "diurna mark %s needs items: ids or a query", args[0])
			}
			lib, err := s.Library("mark")
			if err != nil {
				return err
			}
			words, missed := s.knownIDs(c.Context(), lib, args[1:])
			if len(words) == 0 {
				return missed
			}
			q, err := session.Query(c.Context(), s.Library, "mark", words)
			if err != nil {
				return err
			}
			rows, err := lib.Rows(c.Context(), q, 0)
			if err != nil {
				return err
			}
			if len(rows) == 0 {
				return s.NothingFits(c.Context(), lib, q)
			}
			ids := make([]reader.ItemID, len(rows))
			for i := range rows {
				ids[i] = rows[i].ID
			}
			done, err := lib.Mark(c.Context(), act, q.String(), ids, tag)
			if err != nil {
				return err
			}
			return errors.Join(s.tellMarked(done, saying, len(rows)), missed)
		},
	}
}

// completeMark offers what to do, then what to do it to.
func (s *Commands) completeMark(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return s.CompleteQuery(c, args[1:], word)
	}
	return slices.Sorted(maps.Keys(actWords)), cobra.ShellCompDirectiveNoFileComp
}

// anID is what looks like the id of an item, whether or not there is one.
var anID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z0-9]+-[0-9]+$`)
})

// knownIDs takes ids that no item has out of a line that names items by their
// ids; missed says so. Any other line is a query and stays as it is.
func (s *Commands) knownIDs(ctx context.Context, lib *reader.Reader, words []string) (known []string, missed error) {
	for _, w := range words {
		if !anID().MatchString(w) {
			return words, nil
		}
	}
	missed = s.Each(ctx, words, func(ctx context.Context, word string) error {
		if id, ok := reader.ParseItemID(word); ok {
			// Articles are read one by one: nobody types hundreds of ids.
			if _, err := lib.Article(ctx, id); err == nil {
				known = append(known, word)
				return nil
			} else if !errors.Is(err, reader.ErrNotFound) {
				return err
			}
		}
		return exit.With(exit.Error, fmt.Errorf("there is no item %q", word), "diurna items lists items with their ids")
	})
	return known, missed
}

func (s *Commands) tellMarked(done reader.Done, saying string, fit int) error {
	if s.JSON {
		ids := make([]string, len(done.Items))
		for i, id := range done.Items {
			ids[i] = id.String()
		}
		return s.PrintJSON(struct {
			Step    uint64   `json:"step"`
			Changed int      `json:"changed"`
			Fit     int      `json:"fit"`
			Items   []string `json:"items"`
		}{done.Step, done.Changed, fit, ids})
	}
	if done.Changed == 0 {
		s.Talk("nothing changed: %s already like that.", map[bool]string{true: "it was", false: "all " + wording.Count(fit) + " were"}[fit == 1])
		return nil
	}
	s.Talk(saying+". diurna undo reverts it.", wording.Count(done.Changed))
	return nil
}

// actOf reads the first word of mark.
func actOf(word string) (act reader.Act, saying, tag string, err error) {
	if w, ok := actWords[word]; ok {
		return w.act, w.saying, "", nil
	}
	if len(word) > 1 && word[0] == '+' {
		return reader.Tag, "tagged %s #" + escape(reader.TagName(word[1:])), word[1:], nil
	}
	if len(word) > 1 && word[0] == '-' {
		return reader.Untag, "took #" + escape(reader.TagName(word[1:])) + " off %s", word[1:], nil
	}
	known := []string{"read", "unread", "saved", "unsaved"}
	hint := "what it can do: read, unread, saved, unsaved, +TAG, -TAG"
	if near := wording.Nearest(word, known); near != "" {
		hint = "nearest: diurna mark " + near
	}
	return 0, "", "", exit.Usage(hint, "%q is not a mark", word)
}

// escape keeps a tag with a percent sign out of the format it is put in.
//
//go:noinline // 20 places
func escape(s string) string { return strings.ReplaceAll(s, "%", "%%") }

func (s *Commands) undoCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "undo [NO|ITEM]",
		Short:       "undo the last step, step NO of log, or the opening of ITEM",
		Long:        "Opening an item is not a step. Undone within a day, it is as if the item had never\nbeen opened: it is unread again, and Ranked learns nothing from it.",
		Example:     "  diurna undo\n  diurna undo 1290\n  diurna undo m2x-17",
		Annotations: arguments.Exits("0 done · 1 nothing to undo · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			var no uint64
			if len(args) == 1 {
				if id, ok := reader.ParseItemID(args[0]); ok {
					return s.undoOpening(c.Context(), id)
				}
				n, err := strconv.ParseUint(args[0], 10, 64)
				if err != nil || n == 0 {
					return exit.Usage("diurna log lists them", "%q is not the number of a step", args[0])
				}
				no = n
			}
			lib, err := s.Library("undo")
			if err != nil {
				return err
			}
			step, err := lib.Undo(c.Context(), no, 0)
			if err != nil && no > 0 && !s.isStep(c.Context(), lib, no) {
				return exit.With(exit.Error, fmt.Errorf("there is no step %d", no), "diurna log lists them")
			}
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(step)
			}
			s.Talk("undone: %s, %s", step.What, s.Clock().When(step.At))
			return nil
		},
	}
}

// undoOpening marks an item unread: soon after it was opened that takes the
// opening back.
func (s *Commands) undoOpening(ctx context.Context, id reader.ItemID) error {
	lib, err := s.Library("undo")
	if err != nil {
		return err
	}
	done, err := lib.Mark(ctx, reader.MarkUnread, "", []reader.ItemID{id}, "")
	if err != nil {
		return err
	}
	if done.Changed == 0 {
		return exit.With(exit.Error, fmt.Errorf("%s is not read", id), "diurna log lists the steps")
	}
	s.Talk("undone: opening %s; it is unread again.", id)
	return nil
}

// isStep reports whether log lists the number.
func (s *Commands) isStep(ctx context.Context, lib *reader.Reader, no uint64) bool {
	steps, err := lib.Steps(ctx, 0)
	return err != nil || slices.ContainsFunc(steps, func(st reader.Step) bool { return st.No == no })
}

func (s *Commands) logCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use:         "log",
		Short:       "list what was done, newest first",
		Long:        "Columns in a pipe: " + table.Names(stepColumns),
		Example:     "  diurna log\n  diurna log -n 5",
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 0 {
				return exit.Usage("0 lists all", "-n needs a number of steps")
			}
			lib, err := s.Library("log")
			if err != nil {
				return err
			}
			steps, err := lib.Steps(c.Context(), limit)
			if err != nil {
				return err
			}
			if len(steps) == 0 {
				s.Talk("nothing to list yet.")
			}
			return session.Print(s.Session, stepColumns, steps)
		},
	}
	c.Flags().IntVarP(&limit, "number", "n", 50, "list `N` steps at most, 0 all")
	return c
}
