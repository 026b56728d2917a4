// Package salvage finds out what is left of a library whose file is damaged, without
// bbolt: it looks for records on every page and believes those whose checksum is
// right.
package salvage

import (
	"context"
	"encoding/binary"
	"os"
	"time"

	"diurna/store/lock"
	"diurna/store/pages"
	"diurna/store/record"
)

// Salvaged is what can still be read of a library file, page by page and whatever
// state its tree is in: a record's checksum tells which bucket it is of. What a
// damaged page held is missing, and its number is known only of facts.
type Salvaged struct {
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

// Read reads every page of the file at path, a second for some 200 MB. Only
// a file that is not there or cannot be read at all is an error.
func Read(ctx context.Context, path string) (*Salvage, error) {
	f, err := lock.Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g := &Salvage{runs: make(map[uint64][]byte), seen: make(map[*record.Bucket]map[uint64]bool)}
	return g, pages.Leaves(ctx, f, func(page []byte) int { return pages.Records(page, g.record) })
}

// Salvage gathers the records that check.
type Salvage struct {
	runs map[uint64][]byte // of facts, by the number of the first; those seen with the most
	seen map[*record.Bucket]map[uint64]bool

	packer record.Packer
}

// block notes the items of a block, of which there may be records beside it, or others on older pages.
func (g *Salvage) block(key, rec []byte) bool {
	feed := record.FeedID(binary.BigEndian.Uint32(key))
	if feed&record.InBlocks == 0 || !record.Items.Holds(key, rec) {
		return false
	}
	items, ok := g.packer.UnpackItems(rec[record.HeadSize:])
	for i := range items {
		g.see(record.Items, uint64(record.MakeItemID(feed&^record.InBlocks, items[i].N())))
	}
	return ok
}

func (g *Salvage) see(b *record.Bucket, no uint64) {
	if g.seen[b] == nil {
		g.seen[b] = make(map[uint64]bool)
	}
	g.seen[b][no] = true
}

func (g *Salvage) record(key, rec []byte) bool {
	if len(rec) < record.HeadSize || rec[0] != record.Version {
		return false
	}
	buckets, no := []*record.Bucket{record.Facts, record.Items, record.Bodies}, uint64(0)
	switch len(key) {
	case 8:
		no = binary.BigEndian.Uint64(key)
	case 4:
		buckets, no = []*record.Bucket{record.Feeds}, uint64(binary.BigEndian.Uint32(key))
	case 12:
		return g.block(key, rec)
	default:
		return false
	}
	for _, b := range buckets {
		if !b.Holds(key, rec) {
			continue
		}
		g.see(b, no)
		// Older pages hold the same run with fewer facts, or before others were packed with it.
		if run := rec[record.HeadSize:]; b == record.Facts {
			old := g.runs[no]
			if packed := record.IsPacked(run); packed != record.IsPacked(old) && packed || packed == record.IsPacked(old) && len(run) > len(old) {
				g.runs[no] = append([]byte(nil), run...)
			}
		}
		return true
	}
	return false
}

// Count reads the runs of facts, which may overlap: a fact counts once. have are
// the times of the facts 1, 2, 3, ... of the library to compare with.
func (g *Salvage) Count(have []int64) (left Salvaged, lost Lost) {
	seen := make(map[uint64]bool)
	var newest, later uint64
	for first, run := range g.runs {
		var d record.FactReader
		for d.Begin(first, run); d.Next(); {
			f := &d.Fact
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
	left.Feeds, left.Items, left.Bodies = len(g.seen[record.Feeds]), len(g.seen[record.Items]), len(g.seen[record.Bodies])
	left.Facts, left.Missing = uint64(len(seen)), newest-uint64(len(seen))
	if most := uint64(len(have)); newest > most {
		lost.Missing = newest - most - later
	}
	return left, lost
}

func (l *Lost) add(f *record.Fact) {
	switch {
	case f.Kind == record.Arrived:
		l.Items += len(f.Items)
	case f.Step == f.No, f.Kind == record.Opened, f.Kind == record.Undone, f.Kind == record.Redone:
		l.Acts++
	}
}
