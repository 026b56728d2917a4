package filing

import (
	"diurna/store/lists"
	"diurna/store/record"
)

// numberOf is the number of the i-th item that a filing changes.
func (f *Filing) numberOf(i int) uint32 {
	if i < len(f.Edited) {
		return f.Edited[i].N
	}
	return f.Corrected[i-len(f.Edited)].N
}

// correct takes over what publishers change about items beside their texts. It
// leaves no fact: what follows from facts (flags, counters, what was edited) is
// not touched, and a publisher who says something else with every fetch would
// make facts for ever.
func (w *filer) correct(f *Filing) error {
	var moves []lists.Moved
	var st record.State
	for i := range f.Corrected {
		c := &f.Corrected[i]
		id := record.MakeItemID(f.Feed, c.N)
		var old record.ItemRecord
		if ok, err := w.t.State(id, &st); err != nil || !ok {
			if err == nil {
				err = w.t.Missing(id)
			}
			return err
		}
		if err := w.t.Item(id, &old); err != nil {
			return err
		}
		rec := old
		said := record.NewItemRecord(&c.Item)
		rec.Title, rec.Link, rec.Author, rec.Categories, rec.Enclosures = said.Title, said.Link, said.Author, said.Categories, said.Enclosures
		rec.Corrected, rec.CorrectAt = old.Corrected+1, record.Millis(w.now)
		if rec.Was == rec.Title {
			rec.Was = ""
		}
		if err := w.t.PutItem(id, &rec); err != nil {
			return err
		}
		if rec.Title == old.Title && rec.Author == old.Author {
			continue // its row says neither more nor less
		}
		r := lists.RowOf(&rec, &st)
		if err := w.t.Put(lists.Of(st.Flags), record.RowKey(st.At, id), r.Encode(nil)); err != nil {
			return err
		}
		moves = append(moves, lists.Moved{ID: id, At: st.At, Was: st.Flags, Now: st.Flags})
	}
	return w.t.Follow(moves)
}
