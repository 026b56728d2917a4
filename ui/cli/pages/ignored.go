package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cells"
	"diurna/ui/cli/exit"
)

// ignored lists the rules that hide blocks of a watched page, or takes one back.
func (s *Commands) ignored(c *cobra.Command, lib Library, name string, list bool, no int) error {
	ctx := c.Context()
	p, err := findPage(ctx, lib, name)
	if err != nil {
		return err
	}
	rules, err := lib.Pages().IgnoredBlocks(ctx, p.Key)
	switch {
	case err != nil:
		return err
	case list && c.Flags().Changed("report"):
		return exit.Usage("diurna watch PAGE --ignored lists, --report 1 reports one again", "--ignored and --report exclude each other")
	case list:
		return s.printIgnored(&p, rules)
	case len(rules) == 0:
		return exit.Usage("i in a diff on the screen ignores a block", "no block of %s is ignored", p.Title)
	case no < 1 || no > len(rules):
		return exit.Usage("diurna watch "+p.Key.String()+" --ignored lists them", "%s has no rule %d; it has %d", p.Title, no, len(rules))
	}
	var rest []string
	for i := range rules {
		if i != no-1 {
			rest = append(rest, rules[i].Rule)
		}
	}
	if _, err := lib.Adjust(ctx, p.Key, "ignore_blocks", strings.Join(rest, "\n")); err != nil {
		return err
	}
	s.Talk("%s: blocks like %q are watched again. diurna undo reverts it.", p.Title, rules[no-1].Rule)
	if s.JSON {
		if p, err = lib.Pages().Find(ctx, p.Key.String()); err != nil {
			return err
		}
		return s.PrintJSON(p)
	}
	return nil
}

// changeNumber reads --ignore N: a number is no CSS.
func changeNumber(list []string) (int, bool) {
	if len(list) != 1 {
		return 0, false
	}
	n, err := strconv.Atoi(list[0])
	return n, err == nil
}

// ignoreChange ignores the place of one change of the last report, and says what
// that hides.
func (s *Commands) ignoreChange(ctx context.Context, lib Library, name string, no int) error {
	p, err := findPage(ctx, lib, name)
	if err != nil {
		return err
	}
	c, err := lib.Pages().Change(ctx, p.Key, 0, 0)
	if err != nil {
		return err
	}
	var rows []*page.Row
	for _, h := range c.Diff.Hunks {
		for i := range h.Rows {
			if h.Rows[i].Kind != page.Same && h.Rows[i].Rule != "" {
				rows = append(rows, &h.Rows[i])
			}
		}
	}
	if no < 1 || no > len(rows) {
		return exit.Usage("diurna diff "+p.Key.String()+" prints them, from 1 on", "there is no change %d; the last report has %s", no, wording.Plural(len(rows), "change"))
	}
	row := rows[no-1]
	if _, err := lib.Pages().IgnoreBlock(ctx, p.Key, row.Rule); err != nil {
		return err
	}
	now, then, of, err := lib.Pages().PreviewIgnore(ctx, p.Key, row.Rule)
	if err != nil {
		return err
	}
	s.Talk("%s: ignored from now on: %q. In the last %s it hides %d of %s. diurna undo reverts it.", p.Title,
		plain.Line(cmp.Or(row.Ignores(), row.Mono()), 80), wording.Plural(of, "revision"), now-then, wording.Plural(now, "reported change"))
	return nil
}

// findPage is Reader.FindPage with a hint of its own.
func findPage(ctx context.Context, lib Library, name string) (reader.Page, error) {
	p, err := lib.Pages().Find(ctx, name)
	if errors.Is(err, reader.ErrNotFound) {
		err = exit.With(exit.CodeOf(err), err, "diurna list --pages prints the watched pages")
	}
	return p, err
}

// printIgnored prints a line for a rule: its number, how many blocks it hides,
// how they read, and the text of the first.
func (s *Commands) printIgnored(p *reader.Page, rules []reader.Ignored) error {
	if len(rules) == 0 {
		s.Talk("no block of %s is ignored. i in its diff on the screen ignores one.", p.Title)
		return nil
	}
	if s.Terminal() && !s.JSON {
		fmt.Fprintln(s.Out, "NO  HIDES  BLOCKS LIKE")
	}
	for i := range rules {
		r := &rules[i]
		r.Rule, r.Text = plain.Line(r.Rule, 0), plain.Line(r.Text, 0)
		switch {
		case s.JSON:
			if err := s.PrintJSON(r); err != nil {
				return err
			}
		case s.Terminal():
			line := fmt.Sprintf("%2d  %5d  %s", r.No, r.Blocks, r.Rule)
			if r.Text != "" && r.Text != r.Rule {
				line += ", now: " + r.Text
			}
			fmt.Fprintln(s.Out, cells.Cut(line, s.Env.Width))
		default:
			fmt.Fprintf(s.Out, "%d\t%s\t%d\t%s\n", r.No, r.Rule, r.Blocks, r.Text)
		}
	}
	return nil
}
