package search

import (
	"context"
	"strings"

	"diurna/store"
)

// write adds a segment in one transaction, if the head still is what it was.
func (ix *Index) write(ctx context.Context, was, h *head, b *builder, known map[store.ItemID]bool) error {
	out := b.segment()
	return ix.cache.Update(ctx, Bucket, func(x *store.CacheTx) error {
		now, err := readHead(x)
		if err != nil {
			return err
		}
		if !now.same(was) {
			return errRaced
		}
		h.Segments, h.Next = now.Segments, now.Next
		if h.begin {
			h.begin = false
			for _, s := range now.Segments {
				if err := remove(x, s.No); err != nil {
					return err
				}
			}
			h.Segments = nil
		}
		if len(known) > 0 {
			ids := make(map[store.ItemID]bool, len(b.rows))
			for i := range b.rows {
				if id := b.rows[i].item; known[id] {
					ids[id] = true
				}
			}
			for _, id := range b.gone {
				ids[id] = true
			}
			if err := h.bury(x, ids); err != nil {
				return err
			}
		}
		if len(b.rows) > 0 {
			if err := h.put(x, out); err != nil {
				return err
			}
		}
		return h.write(x)
	})
}

// put writes a segment.
func (h *head) put(x *store.CacheTx, out *output) error {
	out.endBlock()
	no := h.Next
	h.Next++
	h.Segments = append(h.Segments, segment{No: no, Docs: len(out.table) / docSize, Tokens: out.tokens})
	if err := x.Put(segmentKey(kindTable, no), out.table); err != nil {
		return err
	}
	for _, r := range out.records {
		if err := x.Put(segmentKey(kindTerms, no)+r.last, r.val); err != nil {
			return err
		}
	}
	return putHeavies(x, no, out.heavies)
}

// bury notes that the texts of items are out of date.
func (h *head) bury(x *store.CacheTx, ids map[store.ItemID]bool) error {
	if len(ids) == 0 {
		return nil
	}
	for i := range h.Segments {
		s := &h.Segments[i]
		v, err := openSegment(x, s)
		if err != nil {
			return err
		}
		dead := newSet(v.table.len())
		n := 0
		for doc := range v.table.len() {
			if !v.alive.has(doc) || ids[v.table.item(doc)] {
				dead.add(doc)
				n++
			}
		}
		if n == s.Dead {
			continue
		}
		s.Dead = n
		if err := x.Put(segmentKey(kindDead, s.No), dead.encode()); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes the records of a segment.
func remove(x *store.CacheTx, no uint32) error {
	for _, kind := range []byte{kindTable, kindDead, kindTerms, kindHeavy} {
		for from := segmentKey(kind, no); ; {
			k, _, err := x.Next(from)
			if err != nil {
				return err
			}
			if !strings.HasPrefix(k, from) {
				break
			}
			if err := x.Delete(k); err != nil {
				return err
			}
		}
	}
	return nil
}
