package downloads

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/web"
	"diurna/store/lock"
)

// plainStore keeps no secrets.
type plainStore struct{}

func (plainStore) Reveal(_ context.Context, address string) (string, error) { return address, nil }
func (plainStore) Secret(value string) string                               { return value }

// server serves one file, and breaks off after some bytes if it is told to.
type server struct {
	body    []byte
	etag    string
	breakAt int // of an answer's body; 0: never
	ranges  []string
	kind    string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.ranges = append(s.ranges, r.Header.Get("Range"))
	w.Header().Set("Content-Type", s.kind)
	if s.etag != "" {
		w.Header().Set("ETag", s.etag)
	}
	out := w
	if s.breakAt > 0 {
		out = &breaking{ResponseWriter: w, left: s.breakAt}
	}
	defer func() {
		if p := recover(); p != nil {
			panic(http.ErrAbortHandler)
		}
	}()
	http.ServeContent(out, r, "", time.Time{}, bytes.NewReader(s.body))
}

// breaking closes the connection inside a body.
type breaking struct {
	http.ResponseWriter
	left int
}

func (b *breaking) Write(p []byte) (int, error) {
	if len(p) > b.left {
		b.ResponseWriter.Write(p[:b.left])
		http.NewResponseController(b.ResponseWriter).Flush()
		panic("broken off")
	}
	b.left -= len(p)
	return b.ResponseWriter.Write(p)
}

func testClient(t *testing.T) *web.Client {
	o := fetch.Defaults()
	o.AllowPrivate = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	o.MinHostInterval = 0
	c := web.NewClient(fetch.New(o), plainStore{})
	t.Cleanup(c.Close)
	return c
}

func fileAt(address string) *File {
	return &File{Item: model.Item{Title: "Episode 12: tides", Feed: "Harbour radio", Published: time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)},
		Enclosure: model.Enclosure{URL: address, Type: "audio/mpeg"}, No: 1}
}

// TestGet: a file comes whole, also when the connection breaks on the way, and is
// asked for again only from where it broke off; a file that has changed meanwhile
// comes from its beginning.
func TestGet(t *testing.T) {
	body := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	for _, c := range []struct {
		name, etag string
		change     bool
		wantRange  string
	}{
		{"resumed", `"one"`, false, "bytes="},
		{"changed meanwhile", `"one"`, true, "bytes="},
		{"a weak version says nothing of bytes", `W/"one"`, false, ""},
		{"no version", "", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &server{body: body, etag: c.etag, breakAt: 100_000, kind: "audio/mpeg"}
			ts := httptest.NewServer(s)
			defer ts.Close()
			client, folder, file := testClient(t), Folder{Path: filepath.Join(t.TempDir(), "new", "folder")}, fileAt(ts.URL+"/12.mp3")
			state, err := folder.Get(context.Background(), client, file, nil)
			var fe *fetch.Error
			if !errors.As(err, &fe) || fe.Kind != fetch.KindCutShort {
				t.Fatalf("broken off: %v", err)
			}
			if state.Done || state.Have == 0 || state.Have > 100_000 {
				t.Fatalf("%d bytes are kept of 100,000 that came", state.Have)
			}
			had := state.Have
			s.breakAt = 0
			if c.change {
				s.body, s.etag = bytes.Repeat([]byte("fedcba9876543210"), 15_000), `"two"`
			}
			steps := int64(0)
			state, err = folder.Get(context.Background(), client, file, func(have, total int64) {
				if have < steps || total != int64(len(s.body)) {
					t.Errorf("%d of %d after %d", have, total, steps)
				}
				steps = have
			})
			if err != nil || !state.Done {
				t.Fatalf("%+v, %v", state, err)
			}
			got, err := os.ReadFile(state.Path)
			if err != nil || !bytes.Equal(got, s.body) {
				t.Errorf("the file differs from the one that was sent (%d bytes, %v)", len(got), err)
			}
			want := c.wantRange
			if want != "" {
				want = fmt.Sprintf("bytes=%d-", had)
			}
			if s.ranges[1] != want {
				t.Errorf("asked for %q, want %q", s.ranges[1], want)
			}
			left, _ := filepath.Glob(filepath.Join(folder.Path, "*", "*"))
			if len(left) != 1 || filepath.Base(left[0]) != filepath.Base(state.Path) {
				t.Errorf("left in the folder: %q", left)
			}
			if _, err = folder.Get(context.Background(), client, file, nil); err != nil || len(s.ranges) != 2 {
				t.Errorf("what is here was asked for again: %v", err)
			}
		})
	}
}

// TestRefused: a web page, a failed request and a file that another process
// downloads are no file; nothing of the name is left that looks like one.
func TestRefused(t *testing.T) {
	s := &server{body: []byte("<html>please log in"), kind: "text/html"}
	ts := httptest.NewServer(s)
	defer ts.Close()
	client, folder := testClient(t), Folder{Path: t.TempDir()}
	state, err := folder.Get(context.Background(), client, fileAt(ts.URL+"/1.mp3"), nil)
	if err == nil || !strings.Contains(err.Error(), "web page") || state.Done || state.Have != 0 {
		t.Errorf("a web page: %+v, %v", state, err)
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	defer gone.Close()
	if state, err = folder.Get(context.Background(), client, fileAt(gone.URL+"/1.mp3"), nil); err == nil || !strings.Contains(err.Error(), "404") || state.Done {
		t.Errorf("404: %+v, %v", state, err)
	}
	file := fileAt(ts.URL + "/1.mp3")
	held, err := os.OpenFile(filepath.Join(folder.Path, file.name()+partial), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := lock.Lock(held, lock.Exclusive); err != nil {
		t.Skip(err)
	}
	if _, err = folder.Get(context.Background(), client, file, nil); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a file that is locked: %v", err)
	}
}

// TestFinishedMeanwhile: a process that opened the part before another one finished
// the file, and got the lock after, leaves the file alone.
func TestFinishedMeanwhile(t *testing.T) {
	ts := httptest.NewServer(&server{body: []byte("sound"), kind: "audio/mpeg"})
	defer ts.Close()
	folder, file := Folder{Path: t.TempDir()}, fileAt(ts.URL+"/1.mp3")
	root, err := os.OpenRoot(folder.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	part := func() *os.File {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder.Path, file.name())), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := root.OpenFile(file.name()+partial, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	early := part()
	if state, err := folder.claim(root, early, file, file.name()); err != nil || state.Done {
		t.Fatalf("a part of its own: %+v, %v", state, err)
	}
	if _, err := folder.Get(context.Background(), testClient(t), file, nil); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]*os.File{"opened before": early, "opened after": part()} {
		if state, err := folder.claim(root, f, file, file.name()); err != nil || !state.Done || state.Have != 5 {
			t.Errorf("%s: %+v, %v", name, state, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(folder.Path, "*", "*")); len(left) != 1 {
		t.Errorf("left in the folder: %q", left)
	}
	if err := os.Remove(filepath.Join(folder.Path, file.name())); err != nil {
		t.Fatal(err)
	}
	if state, err := folder.claim(root, early, file, file.name()); err == nil {
		t.Errorf("a part that is gone: %+v", state)
	}
}

// TestNoWayOut: a link in the folder does not lead a download elsewhere.
func TestNoWayOut(t *testing.T) {
	ts := httptest.NewServer(&server{body: []byte("sound"), kind: "audio/mpeg"})
	defer ts.Close()
	folder, elsewhere := Folder{Path: t.TempDir()}, t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(folder.Path, "Harbour radio")); err != nil {
		t.Skip(err)
	}
	if state, err := folder.Get(context.Background(), testClient(t), fileAt(ts.URL+"/1.mp3"), nil); err == nil {
		t.Errorf("it went to %s", state.Path)
	}
	if list, _ := os.ReadDir(elsewhere); len(list) > 0 {
		t.Errorf("%d files elsewhere", len(list))
	}
}

// TestNames: whatever a stranger calls feed, item and file, the name is one of a
// file in a folder of the folder, and no program's.
func TestNames(t *testing.T) {
	for _, c := range []struct{ feed, title, url, kind, want string }{
		{"Harbour radio", "Episode 12: tides", "https://r.example/12.mp3?x=1", "", "Harbour radio/2026-11-02 Episode 12- tides [a-0].mp3"},
		{"../../etc", "/passwd", "https://r.example/x.sh", "audio/mpeg", "etc/2026-11-02 passwd [a-0].mp3"},
		{"CON", "-rf *", "https://r.example/x.exe", "application/octet-stream", "feed CON/2026-11-02 rf [a-0]"},
		{"", "", "https://r.example/", "", "feed/2026-11-02 [a-0]"},
	} {
		f := File{Item: model.Item{Feed: c.feed, Title: c.title, Published: time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)}, Enclosure: model.Enclosure{URL: c.url, Type: c.kind}, No: 1}
		got := strings.ReplaceAll(filepath.ToSlash(f.name()), f.Item.Key.String(), "a-0")
		if got != c.want {
			t.Errorf("%q, %q, %q: %q, want %q", c.feed, c.title, c.url, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		f := File{Item: model.Item{Feed: rapid.String().Draw(t, "feed"), Title: rapid.String().Draw(t, "title"), Lead: rapid.String().Draw(t, "lead")},
			Enclosure: model.Enclosure{URL: rapid.String().Draw(t, "url"), Type: rapid.String().Draw(t, "type")}, No: rapid.IntRange(1, 3).Draw(t, "no")}
		name := f.name()
		dir, base := filepath.Split(name)
		dir = strings.TrimSuffix(dir, string(filepath.Separator))
		if !filepath.IsLocal(name) || strings.ContainsRune(dir, filepath.Separator) || dir == "" || base == "" {
			t.Fatalf("%q is not a file in a folder", name)
		}
		for _, part := range []string{dir, base} {
			if len(part) > 240 || !utf8.ValidString(part) || strings.ContainsAny(part, "/\\:*?\"<>|\x00\n\x1b") || strings.HasPrefix(part, ".") || strings.HasPrefix(part, "-") || device(part) {
				t.Fatalf("%q is no safe name", part)
			}
		}
	})
}

// TestOtherTotal: a rest of a file of another length is of another file, which comes from
// its beginning, once.
func TestOtherTotal(t *testing.T) {
	asked := []string{}
	body, total := bytes.Repeat([]byte("0123456789"), 5000), 50_000
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("Range"))
		w.Header().Set("ETag", `"always"`)
		w.Header().Set("Content-Type", "audio/mpeg")
		var from int
		if n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); n == 1 {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, total-1, total))
			w.WriteHeader(http.StatusPartialContent)
		}
		w.Header().Set("Content-Length", fmt.Sprint(total-from))
		w.Write(body[:min(len(body), total)][from:])
	}))
	defer ts.Close()
	folder, file := Folder{Path: t.TempDir()}, fileAt(ts.URL+"/1.mp3")
	part := filepath.Join(folder.Path, file.name()+partial)
	if err := errors.Join(os.MkdirAll(filepath.Dir(part), 0o755), os.WriteFile(part, make([]byte, 100), 0o644),
		os.WriteFile(strings.TrimSuffix(part, partial)+version, []byte("\"always\"\n40000\n100"), 0o644)); err != nil {
		t.Fatal(err)
	}
	state, err := folder.Get(context.Background(), testClient(t), file, nil)
	if got, _ := os.ReadFile(state.Path); err != nil || !state.Done || !bytes.Equal(got, body) || fmt.Sprint(asked) != "[bytes=100- ]" {
		t.Errorf("%+v %v, asked %q", state, err, asked)
	}
}

// TestSynced: only what the disk was asked to keep is taken for the beginning of a file.
func TestSynced(t *testing.T) {
	s := &server{body: bytes.Repeat([]byte("0123456789"), 1000), etag: `"one"`, kind: "audio/mpeg"}
	ts := httptest.NewServer(s)
	defer ts.Close()
	folder, file := Folder{Path: t.TempDir()}, fileAt(ts.URL+"/1.mp3")
	part := filepath.Join(folder.Path, file.name()+partial)
	torn := append(bytes.Clone(s.body[:400]), make([]byte, 600)...) // zeros that a power cut left
	if err := errors.Join(os.MkdirAll(filepath.Dir(part), 0o755), os.WriteFile(part, torn, 0o644),
		os.WriteFile(strings.TrimSuffix(part, partial)+version, []byte("\"one\"\n10000\n400"), 0o644)); err != nil {
		t.Fatal(err)
	}
	state, err := folder.Get(context.Background(), testClient(t), file, nil)
	if got, _ := os.ReadFile(state.Path); err != nil || !bytes.Equal(got, s.body) || s.ranges[0] != "bytes=400-" {
		t.Errorf("%+v %v, asked %q", state, err, s.ranges)
	}
}

// TestRenamed: a file, or a part of it, is found when its feed and its item are called
// something else; another library's file of the same number is not.
func TestRenamed(t *testing.T) {
	s := &server{body: bytes.Repeat([]byte("0123456789"), 20_000), etag: `"one"`, kind: "audio/mpeg", breakAt: 50_000}
	ts := httptest.NewServer(s)
	defer ts.Close()
	client, folder, file := testClient(t), Folder{Path: t.TempDir()}, fileAt(ts.URL+"/1.mp3")
	if _, err := folder.Get(context.Background(), client, file, nil); err == nil {
		t.Fatal("it was not broken off")
	}
	had := folder.State(file)
	s.breakAt = 0
	renamed := *file
	renamed.Item.Feed, renamed.Item.Title = "Radio of the harbour", "Tides"
	if got := folder.State(&renamed); got != had {
		t.Errorf("of the part is there %+v, was %+v", got, had)
	}
	state, err := folder.Get(context.Background(), client, &renamed, nil)
	if err != nil || !state.Done || len(s.ranges) != 2 || s.ranges[1] == "" {
		t.Fatalf("%+v %v, asked %q", state, err, s.ranges)
	}
	for _, f := range []*File{file, &renamed} {
		if got := folder.State(f); got != state {
			t.Errorf("%+v, not %+v", got, state)
		}
	}
	other := renamed
	other.Item.Title, other.Enclosure.URL = "Winds", ts.URL+"/2.mp3"
	if got := folder.State(&other); got.Done {
		t.Errorf("another library's file is taken for %s", got.Path)
	}
	if err := os.Remove(state.Path); err != nil {
		t.Fatal(err)
	}
	if folder.State(file).Done {
		t.Error("what was deleted is here")
	}
}

// memory is a Cache.
type memory map[string][]byte

func (m memory) Get(_ context.Context, bucket, key string) ([]byte, error) { return m[bucket+key], nil }

func (m memory) Put(_ context.Context, bucket string, values map[string][]byte) error {
	for key, v := range values {
		m[bucket+key] = v
	}
	return nil
}

// noFeeds has none.
type noFeeds struct{}

func (noFeeds) Feeds(context.Context) ([]model.Feed, error) { return nil, nil }

// TestFailure: why a download fails is known with since when, until one succeeds; nothing
// is left where nothing came.
func TestFailure(t *testing.T) {
	status := http.StatusNotFound
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "audio/mpeg")
		w.WriteHeader(status)
		w.Write([]byte("sound"))
	}))
	defer ts.Close()
	ctx, folder, file := context.Background(), t.TempDir(), fileAt(ts.URL+"/1.mp3")
	d := New(noFeeds{}, testClient(t), memory{})
	var since time.Time
	for _, status = range []int{http.StatusNotFound, http.StatusForbidden} {
		state, err := d.Download(ctx, folder, *file, nil)
		got := d.Failure(ctx, file)
		if err == nil || got.Why != fmt.Sprintf("the server answered %d", status) || got.Since.IsZero() || !since.IsZero() && !got.Since.Equal(since) || state.Have != 0 {
			t.Errorf("%+v %v: %+v", state, err, got)
		}
		since = got.Since
		if left, _ := filepath.Glob(filepath.Join(folder, "*", "*")); len(left) != 0 {
			t.Errorf("left: %q", left)
		}
	}
	status = http.StatusOK
	if state, err := d.Download(ctx, folder, *file, nil); err != nil || !state.Done || d.Failure(ctx, file).Why != "" {
		t.Errorf("%+v %v: %+v", state, err, d.Failure(ctx, file))
	}
}
