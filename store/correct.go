package store

import "diurna/store/record"

// numberOf is the number of the i-th item that a filing changes.
func (f *Filing) numberOf(i int) uint32 {
	if i < len(f.Edited) {
		return f.Edited[i].N
	}
	return f.Corrected[i-len(f.Edited)].N
}

// correct takes over what publishers say anew of items beside their texts. It
// leaves no fact: what follows from facts (flags, counters, what was edited) is
// not touched, and a publisher who says something else with every fetch would
// make facts for ever.
func (w *filer) correct(f *Filing) error {
	var moves []move
	var st record.State
	for i := range f.Corrected {
		c := &f.Corrected[i]
		id := MakeItemID(f.Feed, c.N)
		var old record.ItemRecord
		if ok, err := w.t.state(id, &st); err != nil || !ok {
			if err == nil {
				err = w.t.missing(id)
			}
			return err
		}
		if err := w.t.item(id, &old); err != nil {
			return err
		}
		rec := old
		said := record.NewItemRecord(&c.Item)
		rec.Title, rec.Link, rec.Author, rec.Categories, rec.Enclosures = said.Title, said.Link, said.Author, said.Categories, said.Enclosures
		rec.Corrected, rec.CorrectAt = old.Corrected+1, record.Millis(w.now)
		if rec.Was == rec.Title {
			rec.Was = ""
		}
		if err := w.t.putItem(id, &rec); err != nil {
			return err
		}
		if rec.Title == old.Title && rec.Author == old.Author {
			continue // its row says neither more nor less
		}
		r := rowOf(&rec, &st)
		if err := w.t.Put(listOf(st.Flags), record.RowKey(st.At, id), r.Encode(nil)); err != nil {
			return err
		}
		moves = append(moves, move{id: id, at: st.At, was: st.Flags, now: st.Flags})
	}
	return w.t.follow(moves)
}
