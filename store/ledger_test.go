//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"diurna/store/check"
	"diurna/store/db"
	"diurna/store/library"
	"diurna/store/record"
)

// ledger holds what mixers were told was kept, against a folder.
type ledger struct {
	lines []string
	gone  bool // the library may be set aside
}

// contents is what one library file holds of the mixers' words.
type contents struct {
	titles  map[string]int    // items, by title or what the title was
	steps   map[uint64]string // scope
	scopes  map[string]Kind
	turns   map[uint64]int
	trained map[string]bool
	pages   map[string]bool
}

// verify checks every library file of dir whole and finds each acknowledged line
// in one of them: a restore sets aside, it never deletes. It returns what is wrong.
func (l *ledger) verify(ctx context.Context, dir string) (bad []string) {
	var all []*contents
	names, err := filepath.Glob(filepath.Join(dir, library.FileName+"*"))
	if err != nil {
		return []string{err.Error()}
	}
	s, err := Open(Options{Dir: dir, NoSync: true})
	if err != nil {
		return []string{err.Error()}
	}
	defer s.Close()
	l.lines = slices.DeleteFunc(l.lines, func(line string) bool { return line == "" })
	if !s.Exists() && len(l.lines) > 0 && !l.gone {
		bad = append(bad, "the library is gone")
	}
	for _, path := range names {
		switch filepath.Ext(path) {
		case ".new", ".compact", ".restore":
			continue // begun and not finished: nobody was told of it
		}
		c, err := s.contents(ctx, path)
		if err != nil {
			bad = append(bad, fmt.Sprintf("%s: %v", filepath.Base(path), err))
			continue
		}
		all = append(all, c)
	}
	if _, err := s.Cache().Get(ctx, "terms", "any"); err != nil {
		bad = append(bad, "cache: "+err.Error())
	}
	for _, line := range l.lines {
		if !slices.ContainsFunc(all, func(c *contents) bool { return c.has(strings.Fields(line)) }) {
			bad = append(bad, "lost: "+line)
		}
	}
	return bad
}

// contents checks a file and reads what it holds. The library itself is read
// through its locks, so that the lock file's word counts too.
func (s *Store) contents(ctx context.Context, path string) (*contents, error) {
	if path == s.Path() {
		rep, err := s.Check(ctx, true, nil)
		if err != nil {
			return nil, err
		}
		if len(rep.Findings) > 0 {
			return nil, fmt.Errorf("check: %v", rep.Findings[0])
		}
	} else if err := check.Copy(ctx, s.lib, path); err != nil {
		return nil, err
	}
	c := &contents{map[string]int{}, map[uint64]string{}, map[string]Kind{}, map[uint64]int{}, map[string]bool{}, map[string]bool{}}
	return c, s.lib.CopyAt(path).Under(&db.Hold{}, false, c.read)
}

func (c *contents) read(t *library.Txn) error {
	var it record.ItemRecord
	err := t.Scan(record.Items, nil, nil, func(k, v []byte) error {
		if len(k) == 12 {
			items, ok := t.Lib.Packer.UnpackItems(v)
			for i := range items {
				_, title, _ := items[i].Row()
				c.titles[title]++
			}
			if !ok {
				return errors.New("a block of items does not decode")
			}
			return nil
		}
		err := t.Item(ItemID(record.Uint64(k)), &it)
		c.titles[it.Title]++
		return err
	})
	if err != nil {
		return err
	}
	err = t.Scan(record.Bodies, nil, nil, func(k, v []byte) error {
		if len(k) != 12 || record.Uint64(k[4:]) >= record.AboveTombstones {
			return nil
		}
		tombs, ok := t.Lib.Packer.UnpackTombstones(v) // of items that are gone
		for i := range tombs {
			c.titles[tombs[i].Title]++
		}
		if !ok {
			err = errors.New("what is left of items does not decode")
		}
		return err
	})
	if err != nil {
		return err
	}
	err = t.Scan(record.Revisions, nil, nil, func(_, v []byte) error {
		if r, ok := t.Lib.Packer.Revision(v); ok {
			c.titles[r.Title]++
		}
		return nil
	})
	if err != nil {
		return err
	}
	for title, n := range c.titles {
		if strings.Contains(title, ":") && n != 2 {
			return fmt.Errorf("half filed: %d items of 2 called %s", n, title)
		}
	}
	err = t.Scan(record.Pages, nil, nil, func(k, v []byte) error {
		var r PageRevision
		if !r.Decode(record.Uint32(k[4:]), v) {
			return errors.New("a page's revision does not decode")
		}
		c.pages[string(r.Packed)] = true
		if c.titles[string(r.Packed)] != 2 {
			return fmt.Errorf("half filed: a revision without its items: %s", r.Packed)
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = t.Log.Visit(0, func(f *Fact) error {
		if f.Step == f.No {
			c.steps[f.No], c.scopes[f.Scope] = f.Scope, f.Kind
		}
		switch f.Kind {
		case Undone, Redone:
			c.turns[f.Ref<<8|uint64(f.Kind)]++
		case Trained:
			c.trained[f.New] = true
		}
		return nil
	})
	return err
}

func (c *contents) undone(scope string) bool {
	for no, of := range c.steps {
		if of == scope && c.turns[no<<8|uint64(Undone)] > 0 {
			return true
		}
	}
	return false
}

// has tells whether a line's act is in the file.
func (c *contents) has(w []string) bool {
	no := func(i int) uint64 {
		n, _ := strconv.ParseUint(w[i], 10, 64)
		return n
	}
	if len(w) == 0 {
		return true
	}
	switch w[0] {
	case "filed":
		return c.titles[w[1]] >= int(no(2))
	case "paged":
		return c.pages[w[1]]
	case "step":
		return c.steps[no(2)] == w[1] && c.scopes[w[1]] == Kind(no(3))
	case "scope":
		return c.scopes[w[1]] != 0
	case "undone":
		return c.undone(w[1])
	case "turned":
		return c.steps[no(2)] == w[4] && c.turns[no(2)<<8|no(3)] > 0
	case "taught":
		return c.trained[w[1]]
	}
	return true // of a backup the file itself is checked
}
