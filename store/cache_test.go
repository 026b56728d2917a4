package store

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	s, ctx := openStore(t, Options{Dir: filepath.Join(t.TempDir(), "lib"), CacheDir: dir}), t.Context()
	c := s.Cache()
	if v, err := c.Get(ctx, "terms", "a"); v != nil || err != nil {
		t.Fatal(v, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Fatal("reading made a cache")
	}
	put := func() {
		t.Helper()
		if err := c.Put(ctx, "terms", map[string][]byte{"a": []byte("1"), "b": []byte("2"), "c": []byte("3")}); err != nil {
			t.Fatal(err)
		}
	}
	put()
	if v := must(c.Get(ctx, "terms", "b"))(t); string(v) != "2" {
		t.Fatalf("got %q", v)
	}
	if v := must(c.Get(ctx, "other", "b"))(t); v != nil {
		t.Fatalf("another bucket: %q", v)
	}
	if err := c.Update(ctx, "terms", func(x *CacheTx) error { return x.Delete("b") }); err != nil {
		t.Fatal(err)
	}
	got := ""
	if err := c.Scan(ctx, "terms", "", func(k string, v []byte) bool { got += k + string(v); return true }); err != nil || got != "a1c3" {
		t.Fatal(got, err)
	}
	// A damaged cache is begun again; the library is not touched.
	if err := os.WriteFile(filepath.Join(dir, cacheName), []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if v, err := c.Get(ctx, "terms", "a"); v != nil || err != nil {
		t.Fatal(v, err)
	}
	put()
	if err := c.Delete(ctx, "terms"); err != nil {
		t.Fatal(err)
	}
	if v := must(c.Get(ctx, "terms", "a"))(t); v != nil {
		t.Fatalf("after deleting all: %q", v)
	}
	if s.Exists() {
		t.Error("the cache made a library")
	}
}

// TestCacheMadeAnew: a job that met a damaged cache looks again before it throws the
// file away, for another process may have made a new one meanwhile.
func TestCacheMadeAnew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	s, ctx := openStore(t, Options{Dir: filepath.Join(t.TempDir(), "lib"), CacheDir: dir}), t.Context()
	c := s.Cache()
	if err := c.Put(ctx, "terms", map[string][]byte{"a": []byte("1")}); err != nil {
		t.Fatal(err)
	}
	for _, write := range []bool{false, true} {
		met, run := false, c.View
		if write {
			run = c.Update
		}
		got := ""
		err := run(ctx, "terms", func(x *CacheTx) error {
			if !met { // as it was when this process read it
				met = true
				return &DamagedError{What: "a page was damaged"}
			}
			v, err := x.Get("a")
			got = string(v)
			return err
		})
		if err != nil || got != "1" {
			t.Errorf("write %v: what the other process wrote is %q: %v", write, got, err)
		}
	}
}
