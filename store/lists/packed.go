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
	// open are the rows that are left of blocks, ascending in each, and so are the blocks by their last.
	open [][]packedRow
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
	if n := len(p.open); n > 0 {
		of := p.open[n-1]
		if top = &of[len(of)-1]; !row || record.CompareRows(at, id, top.at, top.id) < 0 {
			at, id, row = top.at, top.id, true
		} else {
			top = nil
		}
	}
	switch {
	case p.some && (!row || record.CompareRows(at, id, p.next.At, p.next.Newest) < 0):
		return true, p.openNext()
	case top == nil:
		return false, nil
	}
	g.packed(top)
	of := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	p.put(of[:len(of)-1])
	return true, nil
}

// put puts rows of a block, of which none may be left, in their place.
func (p *packedRows) put(rows []packedRow) {
	if len(rows) == 0 {
		return
	}
	last := &rows[len(rows)-1]
	i := sort.Search(len(p.open), func(i int) bool { return last.below(&p.open[i][len(p.open[i])-1]) })
	p.open = append(p.open, nil)
	copy(p.open[i+1:], p.open[i:])
	p.open[i] = rows
}

// openNext opens the next block.
func (p *packedRows) openNext() error {
	list, err := p.items.At(p.next)
	if err != nil {
		return err
	}
	rows := make([]packedRow, 0, len(list))
	for i := range list {
		r := packedRow{list[i].At(), record.MakeItemID(p.next.First.Feed(), list[i].N()), &list[i]}
		if p.q.Before == (Cursor{}) || record.CompareRows(r.at, r.id, p.q.Before.At, p.q.Before.ID) < 0 {
			rows = append(rows, r)
		}
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].below(&rows[j]) })
	p.put(rows)
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
