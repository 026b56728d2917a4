package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"diurna/store/db"
	"diurna/store/lock"
	"diurna/store/record"
)

// Cache is the store of what can be rebuilt.
type Cache struct{ db *db.DB }

// Refused is why the cache is not used at all: something that is none of ours
// stands in its place. Nil where there is none yet.
func (c *Cache) Refused() error {
	fi, err := os.Lstat(c.db.Path())
	if err != nil {
		return nil
	}
	return lock.CheckFile(c.db.Path(), fi)
}

// do runs a job on the cache. Damage is no loss: the file is thrown away and the
// job runs again on an empty one. So is a cache of a newer program. Where there is
// no cache there is nothing to be done.
func (c *Cache) do(ctx context.Context, j *db.Job) error {
	err := c.db.Do(ctx, j)
	if unusable(err) {
		err = c.db.Alone(ctx, "", func(h *db.Hold) error {
			// Another process may have made a new file while this one waited.
			err := c.db.Under(h, j)
			if unusable(err) {
				if err = os.Remove(c.db.Path()); err == nil || errors.Is(err, fs.ErrNotExist) {
					err = c.db.Under(h, j)
				}
			}
			return err
		})
	}
	if errors.Is(err, ErrNone) {
		return nil
	}
	return err
}

func unusable(err error) bool { return errors.Is(err, ErrDamaged) || errors.Is(err, ErrNewer) }

// CacheTx is one transaction on one bucket of the cache. What Get and Next return
// lives as long as the transaction.
type CacheTx struct {
	t *db.Tx
	b *record.Bucket
}

// View runs fn in a read transaction on the bucket of a name. Where there is no such
// bucket yet fn is not called. fn must not block, nor call the Store.
func (c *Cache) View(ctx context.Context, name string, fn func(*CacheTx) error) error {
	b := record.NewBucket("cache " + name)
	return c.do(ctx, &db.Job{Fn: func(t *db.Tx) error {
		if t.Bolt.Bucket(b.Name) == nil {
			return nil
		}
		return fn(&CacheTx{t, b})
	}})
}

// Update runs fn in a transaction that may change the bucket of a name. An error of
// fn undoes what it did. fn must not block, nor call the Store; it may run again.
func (c *Cache) Update(ctx context.Context, name string, fn func(*CacheTx) error) error {
	b := record.NewBucket("cache " + name)
	return c.do(ctx, &db.Job{Write: true, Create: true, Fn: func(t *db.Tx) error {
		if _, err := t.Bolt.CreateBucketIfNotExists(b.Name); err != nil {
			return err
		}
		return fn(&CacheTx{t, b})
	}})
}

// Get is the value of key; nil if there is none.
func (x *CacheTx) Get(key string) ([]byte, error) { return x.t.Get(x.b, []byte(key)) }

// Next is the first key at or after from with its value; "" if there is none.
func (x *CacheTx) Next(from string) (key string, val []byte, err error) {
	k, rec := x.t.Bucket(x.b).Cursor().Seek([]byte(from))
	if k == nil {
		return "", nil, nil
	}
	val, err = x.b.Open(k, rec)
	return string(k), val, err
}

// Put sets the value of key.
func (x *CacheTx) Put(key string, val []byte) error {
	x.t.Bucket(x.b).FillPercent = 0.9 // most values are written once, in order
	return x.t.Put(x.b, []byte(key), val)
}

// Delete removes a key, if it is there.
func (x *CacheTx) Delete(key string) error { return x.t.Delete(x.b, []byte(key)) }

// Get reads the value of key in the bucket of a name; nil if there is none.
func (c *Cache) Get(ctx context.Context, name, key string) (out []byte, err error) {
	err = c.View(ctx, name, func(x *CacheTx) error {
		v, err := x.Get(key)
		out = bytes.Clone(v)
		return err
	})
	return out, err
}

// Put keeps values under their keys in a bucket, in one transaction.
func (c *Cache) Put(ctx context.Context, name string, vals map[string][]byte) error {
	return c.Update(ctx, name, func(x *CacheTx) error {
		for _, k := range slices.Sorted(maps.Keys(vals)) {
			if err := x.Put(k, vals[k]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Delete removes a bucket.
func (c *Cache) Delete(ctx context.Context, name string) error {
	b := record.NewBucket("cache " + name)
	return c.do(ctx, &db.Job{Write: true, Fn: func(t *db.Tx) error {
		if t.Bolt.Bucket(b.Name) == nil {
			return nil
		}
		t.Dirty = true
		t.Bucket(b).Walk() // bbolt does
		return t.Bolt.DeleteBucket(b.Name)
	}})
}

// Scan calls visit for each key of a bucket from from on, in order, until it
// returns false. visit must not keep val, block or call the Store.
func (c *Cache) Scan(ctx context.Context, name, from string, visit func(string, []byte) bool) error {
	enough := errors.New("enough")
	err := c.View(ctx, name, func(x *CacheTx) error {
		return x.t.Scan(x.b, []byte(from), nil, func(k, v []byte) error {
			if !visit(string(k), v) {
				return enough
			}
			return nil
		})
	})
	if err == enough {
		return nil
	}
	return err
}
