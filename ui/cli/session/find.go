package session

import (
	"context"
	"fmt"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/ui/cli/exit"
)

// Finder is what finding needs of *reader.Reader.
type Finder interface {
	Rows(ctx context.Context, q reader.Query, limit int) ([]reader.Row, error)
}

// FindItem takes a short id, or words that stand in the title of exactly one item.
func FindItem(ctx context.Context, lib Finder, s string) (reader.ItemID, error) {
	if id, ok := reader.ParseItemID(s); ok {
		return id, nil
	}
	q, err := query.Parse(s, time.Now())
	if err != nil {
		return 0, err
	}
	const most = 6
	rows, err := lib.Rows(ctx, q.InTitles(), most)
	if err != nil {
		return 0, err
	}
	switch len(rows) {
	case 0:
		return 0, exit.With(exit.Error, fmt.Errorf("there is no item %q", s), "diurna items lists items with their ids")
	case 1:
		return rows[0].ID, nil
	}
	var fits []string
	for _, r := range rows {
		fits = append(fits, r.ID.String()+" "+plain.Line(r.Title, 60))
	}
	many := fmt.Sprintf("%d items", len(rows))
	if len(rows) == most {
		many = "several items"
	}
	return 0, exit.Usage(strings.Join(fits, " · "), "%q matches %s", s, many)
}

// IsNamed reports whether a name is all of a page's id, address or title.
func IsNamed(p *reader.Page, name string) bool {
	return p.Key.String() == name || p.URL == name || strings.EqualFold(p.Title, name)
}

// NothingFits says why a list is empty, and what would fit; stdout stays empty.
func (s *Session) NothingFits(ctx context.Context, lib *reader.Reader, q reader.Query) error {
	if q.Empty() {
		s.Talk("there are no items yet. diurna add ADDRESS adds a feed.")
		return nil
	}
	less, word := q.Without()
	loose, _ := q.Loose()
	counts, err := reader.CountEach(ctx, lib, []reader.Query{less, loose})
	if err != nil {
		return err
	}
	say := fmt.Sprintf("no item matches %q.", q.String())
	if !less.Empty() {
		say += fmt.Sprintf(" %[2]d match without %[1]q.", word, counts[0])
	}
	if counts[1] > 0 { // 0 too where loose is q itself
		say += fmt.Sprintf(" %d match by the beginnings of words: %s", counts[1], plain.Argument(loose.Canonical()))
	}
	s.Talk("%s", say)
	return nil
}

const QueryHelp = `QUERY: words and "phrases" of title, feed and author; title: author: text: link:
feed: address: folder: tag: before a word; linksto: before an address; unread read
saved changed today; newer:2d older:2026-11-02 longer:1200 shorter:200; query:NAME,
a saved one; and or not, brackets and /regex/. All parts must fit. diurna help query explains all of it.`
