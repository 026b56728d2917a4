package filing

import (
	"fmt"
	"math"

	"diurna/store/library"
	"diurna/store/record"
	"diurna/store/webpages"
)

// page files what a fetch left of a watched page. first is the number that the
// first of the filing's new items got.
func (w *filer) page(f *Filing, first uint32) error {
	p := f.Page
	if p == nil {
		return nil
	}
	h, err := webpages.Head(w.t.Tx, f.Feed)
	if err != nil {
		return err
	}
	was := h
	for i := range p.Revisions {
		r := p.Revisions[i]
		if h.Last == math.MaxUint32 {
			return fmt.Errorf("store: a page's numbers are used up")
		}
		h.Last++
		h.Count++
		if r.Item != 0 {
			r.Item += first - 1
		}
		if r.Base > was.Last || len(r.Packed) == 0 {
			return fmt.Errorf("%w: a revision that stands on none", library.ErrInvalid)
		}
		if err := w.t.Put(record.Pages, record.PageKey(f.Feed, h.Last), r.Encode()); err != nil {
			return err
		}
	}
	for _, no := range p.Drop {
		key := record.PageKey(f.Feed, no)
		v, err := w.t.Get(record.Pages, key)
		if err != nil {
			return err
		}
		if v == nil || no == h.Last {
			continue // forgotten already; the newest is kept
		}
		if err := w.t.Delete(record.Pages, key); err != nil {
			return err
		}
		h.Count--
	}
	if h != was {
		if err := w.t.Put(record.PageHeads, record.Key4(uint32(f.Feed)), h.Encode()); err != nil {
			return err
		}
	}
	return w.pageNotes(f)
}

func (w *filer) pageNotes(f *Filing) error {
	for note, v := range f.Page.Notes {
		key := record.IDKey(f.Feed, note)
		if v != nil {
			if err := w.t.Put(record.PageNotes, key, v); err != nil {
				return err
			}
			continue
		}
		if old, err := w.t.Get(record.PageNotes, key); err != nil || old == nil {
			if err != nil {
				return err
			}
			continue
		}
		if err := w.t.Delete(record.PageNotes, key); err != nil {
			return err
		}
	}
	return nil
}

// PageFiling is what a fetch of a watched page leaves beside its items.
type PageFiling struct {
	After     uint32 // number of the newest revision when the page was compared; else ErrStale
	Revisions []record.PageRevision
	Notes     map[uint64][]byte // by the caller's keys; nil removes one
	Drop      []uint32          // revisions to forget; none that is kept may stand on one
}
