package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"diurna/reader/corpus"
	"diurna/reader/plain"
	"diurna/reader/wording"
)

// measureCorpus is `doctor --corpus DIR`: how well documents with known answers
// are read.
func (s *session) measureCorpus(ctx context.Context, dir string) error {
	p := s.progress("reading")
	rep, err := corpus.Measure(ctx, dir, p.show)
	p.end()
	if errors.Is(err, corpus.ErrNoCorpus) {
		return usage("a collection has a manifest.tsv; oracle.jsonl.gz and expected.jsonl.gz hold the answers",
			"%s: %w", plain.Line(dir, 0), err)
	}
	if err != nil {
		return fmt.Errorf("read the collection: %w", err)
	}
	if s.json {
		err = s.printJSON(rep)
	} else {
		s.printCorpus(&rep)
	}
	if err != nil {
		return err
	}
	if len(rep.Panics) > 0 || slices.ContainsFunc(rep.Rows, func(r corpus.Row) bool { return !r.Reached() }) {
		return told(ExitPartly)
	}
	return nil
}

// printCorpus prints each rate with what it is made of.
func (s *session) printCorpus(rep *corpus.Report) {
	fmt.Fprintf(s.out, "%s read, %s\n\n%-30s %7s %7s %9s %7s %9s\n", wording.Plural(rep.Files, "file"), wording.Plural(len(rep.Panics), "panic"),
		"RATE", "AGREE", "OF", "PERCENT", "ASKED", "LEFT OUT")
	for _, line := range rep.Panics {
		fmt.Fprintf(s.out, "  panic: %s\n", plain.Line(line, 0))
	}
	for i := range rep.Rows {
		r := &rep.Rows[i]
		if r.Of+r.Left() == 0 {
			continue
		}
		asked := "-"
		if r.Asked > 0 {
			asked = fmt.Sprintf("%.1f", r.Asked)
		}
		mark := ""
		if !r.Reached() {
			mark = "  not reached"
		}
		fmt.Fprintf(s.out, "%-30s %7d %7d %9.2f %7s %9d%s\n", r.Name, r.OK, r.Of, r.Percent(), asked, r.Left(), mark)
		for _, why := range slices.Sorted(maps.Keys(r.LeftOut)) {
			fmt.Fprintf(s.out, "%50d  %s\n", r.LeftOut[why], plain.Line(why, 200))
		}
	}
}
