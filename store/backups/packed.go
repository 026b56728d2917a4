package backups

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"diurna/store/archive"
	"diurna/store/db"
	"diurna/store/library"
	"diurna/store/lock"
	"diurna/store/record"
)

// BackupPacked writes a checked copy of the library to path as Backup does, but
// packed: about half of its size. Thin makes the one before it smaller still.
//
// The copy is checked before it is packed, and the packed file is unpacked again
// and compared by its checksum before it gets its name. Meanwhile an unpacked copy is
// beside it.
func (k *Keeper) BackupPacked(ctx context.Context, path string) error {
	if fi, err := os.Lstat(path); err == nil && lock.CheckPlain(path, fi) != nil {
		return lock.CheckPlain(path, fi)
	}
	if !k.Lib.Exists() {
		return db.ErrNone
	}
	plain, err := k.checkedDraft(ctx, filepath.Dir(path), false)
	if err != nil {
		return err
	}
	defer os.Remove(plain.Name())
	defer plain.Close()
	return packFile(k.Lib, ctx, plain.Name(), path)
}

// Thin replaces the backup at path, which is of this library, by its differences from
// the one at base, which is packed and newer. It does nothing if path has such
// differences already. path cannot be restored without base from then on.
func (k *Keeper) Thin(ctx context.Context, path, base string) error {
	was, err := os.Lstat(path)
	if err != nil {
		return err
	}
	whole := path
	switch r, err := archive.Open(path); {
	case errors.Is(err, archive.ErrForeign): // made by an older program
		whole = path + ".packing"
		defer os.Remove(whole)
		if err := packFile(k.Lib, ctx, path, whole); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		r.Close()
		if r.Info.Base != nil {
			return nil
		}
	}
	f, err := NewDraft(filepath.Dir(path))
	if err != nil {
		return db.Translate(err)
	}
	defer os.Remove(f.Name()) // after the rename there is none
	defer f.Close()
	if err := archive.Rebase(whole, base, f); err != nil {
		return db.Translate(fmt.Errorf("pack %s: %w", path, err))
	}
	closeToRename(f)
	// Lists of backups show when they were made.
	if err := os.Chtimes(f.Name(), was.ModTime(), was.ModTime()); err != nil {
		return err
	}
	return db.Translate(k.Lib.Place(f.Name(), path))
}

// packFile packs the library file at from, which is at rest, into a new file at to.
func packFile(l *library.Library, ctx context.Context, from, to string) error {
	f, err := NewDraft(filepath.Dir(to))
	if err != nil {
		return db.Translate(err)
	}
	defer os.Remove(f.Name()) // after the rename there is none
	defer f.Close()
	err = l.CopyAt(from).Under(&db.Hold{}, false, func(t *library.Txn) error { return pack(t, ctx, f) })
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = readArchive(f.Name(), func(*archive.Record) error { return ctx.Err() })
	}
	if err != nil {
		return db.Translate(fmt.Errorf("backup: %w", err))
	}
	closeToRename(f)
	return db.Translate(l.Place(f.Name(), to))
}

// pack writes all records to w, even those of kinds that are unknown here.
func pack(t *library.Txn, ctx context.Context, w io.Writer) error {
	d, err := t.Descent()
	if err != nil {
		return err
	}
	a, err := archive.Create(w, archive.Info{Began: d.Began, Line: d.Line, Parent: d.Parent, Restores: d.Restores, Commit: d.Commit})
	if err != nil {
		return err
	}
	for c, name := t.Bolt.Cursor(), []byte(nil); ; {
		if name == nil {
			name, _ = c.First()
		} else {
			name, _ = c.Next()
		}
		if name == nil {
			return a.Finish(nil)
		}
		if bytes.Equal(name, record.Changes.Name) {
			continue // of a compacting that is of no concern to a copy
		}
		r := archive.Record{Bucket: string(name)}
		n := 0
		for in, k, v := t.Bolt.Bucket(name).Cursor(), []byte(nil), []byte(nil); ; n++ {
			if n == 0 {
				k, v = in.First()
			} else {
				k, v = in.Next()
			}
			if k == nil {
				break
			}
			if n%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			r.Key, r.Val = k, v
			if err := a.Put(&r); err != nil {
				return err
			}
		}
	}
}

// readArchive visits all records of the archive at path.
func readArchive(path string, visit func(*archive.Record) error) error {
	r, err := archive.Whole(path)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(rec); err != nil {
			return err
		}
	}
}

// CheckPacked reads a packed backup from end to end, and those that it depends on.
// Descent checks one that is not packed.
func CheckPacked(ctx context.Context, path string) error {
	if !archive.IsFile(path) {
		return nil
	}
	return packedDamage(readArchive(path, func(*archive.Record) error { return ctx.Err() }))
}

// packedDescent is what the archive at path says of itself.
func packedDescent(path string) (library.Descent, error) {
	r, err := archive.Whole(path)
	if err != nil {
		return library.Descent{}, packedDamage(err)
	}
	defer r.Close()
	i := r.Info
	return library.Descent{Began: i.Began, Line: i.Line, Parent: i.Parent, Restores: i.Restores, Commit: i.Commit}, nil
}

// packedDamage turns the error of an archive into that of a damaged library.
func packedDamage(err error) error {
	if errors.Is(err, archive.ErrDamaged) || errors.Is(err, archive.ErrNoBase) {
		return &db.DamagedError{What: err.Error()}
	}
	return err
}

// unpackBackup writes the library that the archive at path holds to a new file. Its
// newest commit has the number that it had.
func unpackBackup(l *library.Library, path, to string) error {
	d, err := l.NewDraft(to)
	if err != nil {
		return err
	}
	defer d.Close()
	var b *record.Bucket
	err = readArchive(path, func(r *archive.Record) error {
		if b == nil || string(b.Name) != r.Bucket {
			b = &record.Bucket{Name: []byte(r.Bucket)}
			if _, err := d.Tx.CreateBucketIfNotExists(b.Name); err != nil {
				return err
			}
		}
		return d.Put(b, bytes.Clone(r.Key), bytes.Clone(r.Val))
	})
	if err == nil {
		err = d.Finish()
	}
	if err != nil {
		return packedDamage(err)
	}
	of, err := packedDescent(path)
	if err != nil {
		return err
	}
	moved := l.CopyAt(to)
	moved.Secrets = l.Secrets
	return moved.Under(&db.Hold{}, true, func(t *library.Txn) error {
		t.Dirty = true
		t.SetBase(of.Commit - uint64(t.Bolt.ID()))
		return nil
	})
}
