package lists

import (
	"sort"

	"diurna/store/blocks"
	"diurna/store/db"
	"diurna/store/pages"
	"diurna/store/record"
)

// packedRows are the rows of items in blocks, newest first. A block is opened when the list comes
// to its newest row.
type packedRows struct {
	items *blocks.Items
	q     *RowQuery
	c     *pages.Cursor
	some  bool         // next is the place of a block
	next  blocks.Place // of which nothing was taken yet
	rows  []packedRow  // of open blocks, ascending
}

type packedRow struct {
	at int64
	id record.ItemID
	it *record.PackedItem
}

func (p *packedRows) begin(t *db.Tx) error {
	if t.Schema < uint64(record.RowsSchema) {
		return nil
	}
	p.c = t.Bucket(record.ReadRows).Cursor()
	if k, _ := p.c.Seek(blocks.AfterPlaces); k == nil {
		return p.stand(p.c.Last())
	}
	return p.stand(p.c.Prev())
}

// stand takes the place that the cursor has reached, or the next one below that holds rows of the list.
func (p *packedRows) stand(k, v []byte) error {
	for ; ; k, v = p.c.Prev() {
		if p.some = blocks.IsPlace(k); !p.some {
			return nil
		}
		payload, err := record.ReadRows.Open(k, v)
		if err != nil {
			return err
		}
		if p.next, err = blocks.ReadPlace(k, payload); err != nil {
			return err
		}
		if (p.q.Feed == 0 || p.next.First.Feed() == p.q.Feed) && (p.q.Before == (Cursor{}) || p.next.Oldest <= p.q.Before.At) {
			return nil
		}
	}
}

// take gives g the newest row, if it is newer than that of s; true if that may be asked again.
func (p *packedRows) take(g *gather, s *rowScan) (bool, error) {
	at, id, row := int64(0), record.ItemID(0), s != nil
	if row {
		at, id = record.SplitRowKey(s.k)
	}
	var top *packedRow
	if n := len(p.rows); n > 0 {
		if top = &p.rows[n-1]; !row || record.CompareRows(at, id, top.at, top.id) < 0 {
			at, id, row = top.at, top.id, true
		} else {
			top = nil
		}
	}
	switch {
	case p.some && (!row || record.CompareRows(at, id, p.next.At, p.next.Newest) < 0):
		return true, p.open()
	case top == nil:
		return false, nil
	}
	g.packed(top)
	p.rows = p.rows[:len(p.rows)-1]
	return true, nil
}

// open adds the rows of the next block.
func (p *packedRows) open() error {
	list, err := p.items.At(p.next)
	if err != nil {
		return err
	}
	var more []packedRow
	for i := range list {
		r := packedRow{list[i].At(), record.MakeItemID(p.next.First.Feed(), list[i].N()), &list[i]}
		if p.q.Before == (Cursor{}) || record.CompareRows(r.at, r.id, p.q.Before.At, p.q.Before.ID) < 0 {
			more = append(more, r)
		}
	}
	sort.Slice(more, func(i, j int) bool { return more[i].below(&more[j]) })
	i, j := len(p.rows)-1, len(more)-1
	p.rows = append(p.rows, more...)
	for at := len(p.rows) - 1; j >= 0; at-- {
		if i >= 0 && more[j].below(&p.rows[i]) {
			p.rows[at] = p.rows[i]
			i--
		} else {
			p.rows[at] = more[j]
			j--
		}
	}
	return p.stand(p.c.Prev())
}

func (r *packedRow) below(s *packedRow) bool { return record.CompareRows(r.at, r.id, s.at, s.id) < 0 }

func (g *gather) packed(r *packedRow) {
	words, title, author := r.it.Row()
	g.rows = append(g.rows, Row{ID: r.id, At: r.at, Flags: record.FlagRead, Words: words})
	g.text.WriteString(title)
	g.text.WriteString(author)
	g.cuts = append(g.cuts, uint32(len(title)), uint32(len(author)), 0)
}
