package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cells"
	"diurna/ui/cli/exit"
)

// ignored lists the places of a watched page at which changes are not reported, or takes
// one back.
func (s *Commands) ignored(c *cobra.Command, lib Library, name string, list bool, no int) error {
	ctx := c.Context()
	p, err := findPage(ctx, lib, name)
	if err != nil {
		return err
	}
	places, err := lib.Pages().IgnoredBlocks(ctx, p.Key)
	switch {
	case err != nil:
		return err
	case list && c.Flags().Changed("report"):
		return exit.Usage("diurna watch PAGE --ignored lists, --report 1 reports one again", "--ignored and --report exclude each other")
	case list:
		return s.printIgnored(&p, places)
	case len(places) == 0:
		return exit.Usage("i in a diff on the screen ignores a place", "no place of %s is ignored", p.Title)
	case no < 1 || no > len(places):
		return exit.Usage("diurna watch "+p.Key.String()+" --ignored lists them", "%s has no place %d; it has %d", p.Title, no, len(places))
	}
	place := &places[no-1]
	if _, err := lib.Pages().ReportBlock(ctx, p.Key, place); err != nil {
		return err
	}
	what := fmt.Sprintf("changes at %q are reported from now on", plain.Line(place.Rule, 80))
	if place.TakenBack() {
		what = fmt.Sprintf("%q is left to what is learned again", plain.Line(place.Rule, 80))
	}
	s.Talk("%s: %s. diurna undo reverts it.", p.Title, what)
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

// printIgnored prints places: the number, how each is handled, where it stands and what
// it says, and why.
func (s *Commands) printIgnored(p *reader.Page, places []reader.Ignored) error {
	if len(places) == 0 {
		s.Talk("no place of %s is ignored, by you or by what was learned. i in its diff on the screen ignores one.", p.Title)
		return nil
	}
	for i := range places {
		r := &places[i]
		r.Rule, r.Text = plain.Line(r.Rule, 0), plain.Line(r.Text, 0)
		switch {
		case s.JSON:
			if err := s.PrintJSON(r); err != nil {
				return err
			}
		case s.Terminal():
			where := r.Text
			if r.Under != "" {
				where = r.Under + ": " + where
			}
			fmt.Fprintln(s.Out, cells.Cut(fmt.Sprintf("%2d  %-8s  %s", r.No, r.Quiet, where), s.Env.Width))
			fmt.Fprintln(s.Out, cells.Cut("              "+r.Reason(), s.Env.Width))
		default:
			fmt.Fprintf(s.Out, "%d\t%s\t%d\t%s\t%s\t%s\t%s\n", r.No, r.Rule, r.Blocks, r.Text, r.Quiet, plain.Line(r.Under, 0), plain.Line(r.Reason(), 0))
		}
	}
	if s.Terminal() && !s.JSON {
		s.Talk("diurna watch %s --report N takes a place back; of one that is reported, it ends that.", p.Key)
	}
	return nil
}
