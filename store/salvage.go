package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"diurna/store/lock"
)

// This file is the face of reading what is left of a damaged library.

// Remains is what can still be read of a library file, page by page and whatever
// state its tree is in: a record's checksum tells which bucket it is of. What a
// damaged page held is missing, and its number is known only of facts.
type Remains struct {
	Feeds, Items, Bodies int       // Bodies: records of several texts each
	Facts                uint64    // that can be read
	Missing              uint64    // facts below the newest one that cannot
	Last                 time.Time // of the newest fact; zero: none can be read
}

// Lost is what a library file holds that the library does not.
type Lost struct {
	Until   time.Time // of the library's newest fact; zero: it has none
	Acts    int       // openings, and steps done, undone or redone
	Items   int       // that arrived
	Missing uint64    // facts newer than the library's that cannot be read
	Related bool      // the two have facts in common, so that this says something
}

// Remains reads what is left of the library file at path. It may be the library
// itself, or one that was set aside; of a file that is no library nothing is
// left. Every page is read: a second for some 200 MB. Only a file that is not
// there or cannot be read at all is an error.
func (s *Store) Remains(ctx context.Context, path string) (Remains, error) {
	g, err := salvageFile(ctx, path)
	if err != nil {
		return Remains{}, err
	}
	left, _ := g.count(nil)
	return left, nil
}

// Lost compares the file at path, which a restore has replaced or which was set
// aside before, with the library as it is now, fact by fact.
func (s *Store) Lost(ctx context.Context, path string) (Lost, error) {
	g, err := salvageFile(ctx, path)
	if err != nil {
		return Lost{}, err
	}
	var have []int64
	var until time.Time
	_, err = s.Facts(ctx, 0, func(f *Fact) error {
		have, until = append(have, f.At.UnixMilli()), f.At
		return nil
	})
	if err != nil {
		return Lost{}, fmt.Errorf("read the library: %w", err)
	}
	_, lost := g.count(have)
	lost.Until = until
	return lost, nil
}

func salvageFile(ctx context.Context, path string) (*salvage, error) {
	f, err := lock.Open(path, os.O_RDONLY)
	if err != nil {
		return nil, translate(err)
	}
	defer f.Close()
	size := int64(os.Getpagesize())
	for i := range uint64(2) {
		if m, ok := readMeta(f, i, int(size)); ok && m.pageSize >= metaSize {
			size = m.pageSize
		}
	}
	g := &salvage{runs: make(map[uint64][]byte), seen: make(map[*bucket]map[uint64]bool)}
	return g, g.pages(ctx, f, size)
}

// salvage gathers the records that check.
type salvage struct {
	runs map[uint64][]byte // of facts, by the number of the first; the longest seen
	seen map[*bucket]map[uint64]bool
}

// salvageMost bounds a page: bodies of more than some MB do not exist, damaged
// lengths do.
const salvageMost = 64 << 20

func (g *salvage) pages(ctx context.Context, f *os.File, size int64) error {
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	var buf []byte
	for at := 2 * size; at+pageHead < fi.Size(); {
		if at/size%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var head [pageHead]byte
		if _, err := f.ReadAt(head[:], at); err != nil {
			at += size // a bad block of the disk
			continue
		}
		length := min((int64(native.Uint32(head[12:]))+1)*size, fi.Size()-at)
		if native.Uint16(head[8:]) != leafPage || length > salvageMost {
			at += size
			continue
		}
		if int64(cap(buf)) < length {
			buf = make([]byte, length)
		}
		n, err := f.ReadAt(buf[:length], at)
		if err != nil && !errors.Is(err, io.EOF) && n == 0 {
			at += size
			continue
		}
		if g.leaf(buf[:n]) > 0 {
			at += length
		} else {
			at += size // its length may be the damage
		}
	}
	return nil
}

// leaf takes the records of a page that check and returns how many did. A small
// bucket lies within a record, as a page of its own.
func (g *salvage) leaf(b []byte) (good int) {
	if len(b) < pageHead {
		return 0
	}
	for i := range int(native.Uint16(b[10:])) {
		at := uint64(pageHead + i*elementSize)
		if at+elementSize > uint64(len(b)) {
			break
		}
		e := b[at:]
		pos, ksize, vsize := uint64(native.Uint32(e[4:])), uint64(native.Uint32(e[8:])), uint64(native.Uint32(e[12:]))
		start := at + pos + ksize
		if start+vsize > uint64(len(b)) {
			continue
		}
		key, val := b[at+pos:start], b[start:start+vsize]
		if native.Uint32(e)&bucketLeaf == 0 {
			good += bit(g.record(key, val))
		} else if vsize >= 16+pageHead && native.Uint16(val[16+8:]) == leafPage {
			good += g.leaf(val[16:])
		}
	}
	return good
}

func (g *salvage) record(key, rec []byte) bool {
	if len(rec) < recordHead || rec[0] != recordVersion {
		return false
	}
	buckets, no := []*bucket{bFacts, bItems, bBodies}, uint64(0)
	switch len(key) {
	case 8:
		no = beUint64(key)
	case 4:
		buckets, no = []*bucket{bFeeds}, uint64(beUint32(key))
	default:
		return false
	}
	for _, b := range buckets {
		if !b.holds(key, rec) {
			continue
		}
		if g.seen[b] == nil {
			g.seen[b] = make(map[uint64]bool)
		}
		g.seen[b][no] = true
		// Older pages hold the same run with fewer facts.
		if run := rec[recordHead:]; b == bFacts && len(run) > len(g.runs[no]) {
			g.runs[no] = append([]byte(nil), run...)
		}
		return true
	}
	return false
}

// count reads the runs of facts, which may overlap: a fact counts once. have are
// the times of the facts 1, 2, 3, ... of the library to compare with.
func (g *salvage) count(have []int64) (left Remains, lost Lost) {
	seen := make(map[uint64]bool)
	var newest, later uint64
	for first, run := range g.runs {
		var d factReader
		for d.begin(first, run); d.next(); {
			f := &d.f
			if seen[f.No] {
				continue
			}
			seen[f.No] = true
			if f.No > newest {
				newest, left.Last = f.No, f.At
			}
			if f.No > uint64(len(have)) {
				later++
			} else if have[f.No-1] == f.At.UnixMilli() {
				lost.Related = true
				continue
			}
			lost.add(f)
		}
	}
	left.Feeds, left.Items, left.Bodies = len(g.seen[bFeeds]), len(g.seen[bItems]), len(g.seen[bBodies])
	left.Facts, left.Missing = uint64(len(seen)), newest-uint64(len(seen))
	if most := uint64(len(have)); newest > most {
		lost.Missing = newest - most - later
	}
	return left, lost
}

func (l *Lost) add(f *Fact) {
	switch {
	case f.Kind == Arrived:
		l.Items += len(f.Items)
	case f.Step == f.No, f.Kind == Opened, f.Kind == Undone, f.Kind == Redone:
		l.Acts++
	}
}
