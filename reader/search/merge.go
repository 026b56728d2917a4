package search

import (
	"bytes"
	"context"
	"slices"
	"sort"
	"strings"

	"diurna/store"
)

// Segments of one size are merged when there are so many of them. A size is eight
// times the one below.
const mergeAt = 8

// smallest is the segments' size that is not distinguished from smaller ones, in texts.
const smallest = 16

// group chooses segments to be merged; nil if none are to be.
func (h *head) group() []segment {
	sizes := map[int][]segment{}
	for _, s := range h.Segments {
		size := 0
		for n := smallest; n <= s.Docs-s.Dead && n < maxDocs/8; n *= 8 {
			size++
		}
		sizes[size] = append(sizes[size], s)
		if s.Dead > s.Docs/2 {
			return []segment{s}
		}
	}
	for size := range 4 {
		list := sizes[size]
		sort.SliceStable(list, func(i, j int) bool { return list[i].Docs-list[i].Dead < list[j].Docs-list[j].Dead })
		n, docs := 0, 0
		for n < len(list) && docs+list[n].Docs-list[n].Dead <= maxDocs {
			docs += list[n].Docs - list[n].Dead
			n++
		}
		// The largest ones are merged when they make a full one.
		if n >= mergeAt || n > 1 && docs > maxDocs*3/4 {
			return list[:n]
		}
	}
	return nil
}

// mergeAll merges while there is something to be merged.
func (ix *Index) mergeAll(ctx context.Context) error {
	for {
		var h head
		err := ix.cache.View(ctx, Bucket, func(x *store.CacheTx) (err error) {
			h, err = readHead(x)
			return err
		})
		if err != nil {
			return err
		}
		group := h.group()
		if group == nil {
			return nil
		}
		if err := ix.merge(ctx, group); err != nil {
			return err
		}
	}
}

// source is a segment that is being merged, in memory.
type source struct {
	table table
	layout
	alive   set
	to      []uint32 // where each text begins in the merged segment
	records []string
	at      int // the next record
	block   block
	more    bool
}

// merge makes one segment of several. The texts keep their order.
func (ix *Index) merge(ctx context.Context, group []segment) error {
	sources := make([]*source, len(group))
	for i, s := range group {
		err := ix.cache.View(ctx, Bucket, func(x *store.CacheTx) (err error) {
			sources[i], err = readSource(x, &s)
			return err
		})
		if err != nil {
			return err
		}
		if sources[i] == nil {
			return errRaced
		}
	}
	out, err := merged(sources)
	if err != nil {
		return err
	}
	return ix.cache.Update(ctx, Bucket, func(x *store.CacheTx) error {
		h, err := readHead(x)
		if err != nil {
			return err
		}
		for _, s := range group {
			i := slices.Index(h.Segments, s)
			if i < 0 {
				return errRaced
			}
			h.Segments = slices.Delete(h.Segments, i, i+1)
			if err := remove(x, s.No); err != nil {
				return err
			}
		}
		if len(out.table) > 0 {
			if err := h.put(x, out); err != nil {
				return err
			}
		}
		return h.write(x)
	})
}

// readSource copies a segment into memory.
func readSource(x *store.CacheTx, seg *segment) (*source, error) {
	v, err := openSegment(x, seg)
	if err != nil {
		return nil, err
	}
	s := &source{table: bytes.Clone(v.table), alive: v.alive, layout: *v.lay()}
	from := v.key(kindTerms)
	for key := from; ; {
		k, val, err := x.Next(key)
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(k, from) {
			return s, nil
		}
		s.records = append(s.records, string(val))
		key = k + "\x00"
	}
}

func (s *source) next() error {
	for {
		if s.block.next() {
			s.more = true
			return nil
		}
		if s.block.bad {
			return errSpoilt
		}
		if s.at == len(s.records) {
			s.more = false
			return nil
		}
		s.block = newBlock([]byte(s.records[s.at]))
		s.at++
	}
}

// merged is the segment of all texts of sources that are not out of date.
func merged(sources []*source) (*output, error) {
	out, end, docs := new(output), uint32(0), 0
	for _, s := range sources {
		s.to = make([]uint32, s.table.len())
		for doc := range s.to {
			if s.alive.has(doc) {
				row := s.table.row(doc)
				out.doc(&row)
				s.to[doc] = end
				end += s.starts[doc+1] - s.starts[doc]
				docs++
			}
		}
	}
	heavy := newHeavies(docs)
	err := eachTerm(sources, func(name string, in []*source) error {
		count := 0
		for _, s := range in {
			count += s.block.count
		}
		heavy.add(name, count)
		return nil
	})
	if err != nil || docs == 0 {
		return out, err
	}
	out.countHeavy(heavy.all())
	var places []uint32
	return out, eachTerm(sources, func(name string, in []*source) (err error) {
		places = places[:0]
		for _, s := range in {
			if places, err = s.moved(places); err != nil {
				return err
			}
		}
		if len(places) > 0 {
			out.term(name, places)
		}
		return nil
	})
}

// eachTerm calls visit for each term of sources, in order, with those that have it: it is
// the present one of their blocks.
func eachTerm(sources []*source, visit func(name string, in []*source) error) error {
	for _, s := range sources {
		s.at, s.block = 0, block{}
		if err := s.next(); err != nil {
			return err
		}
	}
	var in []*source
	for {
		in = in[:0]
		for _, s := range sources {
			if !s.more {
				continue
			}
			order := -1
			if len(in) > 0 {
				order = bytes.Compare(s.block.term, in[0].block.term)
			}
			if order < 0 {
				in = in[:0]
			}
			if order <= 0 {
				in = append(in, s)
			}
		}
		if len(in) == 0 {
			return nil
		}
		if err := visit(string(in[0].block.term), in); err != nil {
			return err
		}
		for _, s := range in {
			if err := s.next(); err != nil {
				return err
			}
		}
	}
}

// moved appends the places of the present term as they are in the merged segment.
func (s *source) moved(places []uint32) ([]uint32, error) {
	r := newPlaceReader(s.block.list)
	doc := 0
	for range s.block.count {
		p := r.place()
		for doc+1 < len(s.starts) && s.starts[doc+1] <= p {
			doc++
		}
		if r.bad || doc == len(s.to) {
			return nil, errSpoilt
		}
		if s.alive.has(doc) {
			places = append(places, s.to[doc]+p-s.starts[doc])
		}
	}
	return places, nil
}
