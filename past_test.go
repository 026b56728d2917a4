package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/andybalholm/brotli"
	bolt "go.etcd.io/bbolt"

	"diurna/reader"
	"diurna/reader/demo"
	"diurna/store"
	"diurna/store/storetest"
	"diurna/ui/cli/past"
)

var update = flag.Bool("update", false, "make the library of the demo's past again")

// paced is the publisher with hosts that take different times to answer, always the
// same ones: the order in which answers come is no accident then.
type paced struct {
	*demo.Web
	mu    sync.Mutex
	hosts map[string]int // in the order in which they were asked first
}

func (p *paced) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	if p.hosts[r.URL.Host] == 0 {
		p.hosts[r.URL.Host] = len(p.hosts) + 1
	}
	n := time.Duration(p.hosts[r.URL.Host])
	wait := n*time.Millisecond + n*n*37*time.Microsecond // no two of them make a third
	p.mu.Unlock()
	time.Sleep(wait)
	return p.Web.RoundTrip(r)
}

// openPast is a library in dir and what plays into it.
func openPast(t *testing.T, dir string, now time.Time) (*past.Player, *store.Store, func()) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir, Role: "demo", Version: "demo", NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	web := demo.NewWeb(now)
	r := reader.New(s, reader.Options{Role: "demo", Transport: &paced{Web: web, hosts: map[string]int{}},
		Net: reader.Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1, SecondFetch: -1}})
	return &past.Player{Lib: r, Web: web}, s, func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// played is the library into which all was played that was before now's day.
func played(t *testing.T, now time.Time) string {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) { // how long an answer took is a fact too
		p, _, done := openPast(t, dir, now)
		defer done()
		before, _ := demo.Past(now)
		if err := p.Play(t.Context(), before); err != nil {
			t.Fatal(err)
		}
	})
	return filepath.Join(dir, "diurna.db")
}

// TestPastIsWhatIsPlayed: the library that comes with the program holds, record for
// record, what playing the past makes.
func TestPastIsWhatIsPlayed(t *testing.T) {
	if testing.Short() {
		t.Skip("plays four weeks")
	}
	path := played(t, demo.Origin())
	if *update {
		writePast(t, path)
		return // the program of this test has the one before
	}
	dir := t.TempDir()
	if err := past.Unpack(dir); err != nil {
		t.Fatal(err)
	}
	if diff := unlike(records(t, filepath.Join(dir, "diurna.db")), records(t, path)); diff != "" {
		t.Errorf("what the program has is not what it would play: go test . -run TestPastIsWhatIsPlayed -update\n%s", diff)
	}
}

// TestPastMoves: moved to another day, it is what would have been played on that day,
// but for hashes of documents, which have dates in them, and of titles with dates, which
// tell items without an id apart. And it is sound.
func TestPastMoves(t *testing.T) {
	if testing.Short() {
		t.Skip("plays four weeks")
	}
	now := time.Date(2027, 3, 2, 0, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	if err := past.Unpack(dir); err != nil {
		t.Fatal(err)
	}
	p, s, done := openPast(t, dir, now)
	if err := reader.Later(t.Context(), p.Lib, demo.Shift(now), now.Location()); err != nil {
		t.Fatal(err)
	}
	if report, err := s.Check(t.Context(), true, nil); err != nil || len(report.Findings) > 0 {
		t.Errorf("the library is not sound: %v %v", report.Findings, err)
	}
	done()
	if storetest.Size(0, 1) == 0 {
		return // the other day is played with -tags soak
	}
	got, want := records(t, filepath.Join(dir, "diurna.db")), records(t, played(t, now))
	for _, list := range []map[string][]byte{got, want} {
		for k, v := range list {
			if strings.HasPrefix(k, "ids ") {
				delete(list, k)
			} else if strings.HasPrefix(k, "polls ") {
				list[k] = withoutHash(v)
			}
		}
	}
	if diff := unlike(got, want); diff != "" {
		t.Error(diff)
	}
}

// checksum is how many bytes precede what a record says.
const checksum = 5

// withoutHash is a poll without the hash of its document, which is field 4 of the
// CBOR: a head for eight bytes, and these.
func withoutHash(poll []byte) []byte {
	at := bytes.Index(poll, []byte{4, 0x1b})
	if at < 0 || at+10 > len(poll) {
		return poll
	}
	return slices.Concat(poll[checksum:at], poll[at+10:])
}

// writePast packs a library, without the pages that bbolt no longer uses.
func writePast(t *testing.T, path string) {
	t.Helper()
	from, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	small := filepath.Join(t.TempDir(), "small.db")
	to, err := bolt.Open(small, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := bolt.Compact(to, from, 0); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	lib, err := os.ReadFile(small)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := brotli.NewWriterLevel(&packed, brotli.BestCompression)
	if _, err := w.Write(lib); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("ui", "cli", "past", "past.br"), packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, of %d", packed.Len(), len(lib))
}

// records are all records of a library by bucket and key.
func records(t *testing.T, path string) map[string][]byte {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := map[string][]byte{}
	err = db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				all[fmt.Sprintf("%s %x", name, k)] = bytes.Clone(v)
				return nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// unlike names some records in which two libraries differ.
func unlike(a, b map[string][]byte) string {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if !bytes.Equal(a[k], b[k]) {
			list = append(list, k+": "+apart(a[k], b[k]))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(b)) {
		if a[k] == nil {
			list = append(list, k+": none")
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d records differ, such as\n%s", len(list), len(a), strings.Join(list[:min(len(list), 8)], "\n"))
}

// apart is where two records begin to differ, behind their checksums.
func apart(a, b []byte) string {
	if len(a) < checksum || len(b) < checksum {
		return fmt.Sprintf("%q, want %q", a, b)
	}
	at := checksum
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	from := max(0, at-12)
	return fmt.Sprintf("at %d of %d %q, want %q", at, len(a), a[from:min(len(a), at+24)], b[from:min(len(b), at+24)])
}
