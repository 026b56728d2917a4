package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/downloads"
	"diurna/ui/view"
)

// host is the screen as far as this view asks it.
type host struct {
	view.Host
	said   []string
	pushed view.View
	change view.Change
}

func (h *host) Say(s string)                 { h.said = append(h.said, s) }
func (h *host) Push(v view.View)             { h.pushed = v }
func (h *host) Life() context.Context        { return context.Background() }
func (h *host) OpenURL(a string) tea.Cmd     { h.Say("browser " + a); return nil }
func (h *host) Change(c view.Change) tea.Cmd { h.change = c; return nil }

// shop has one file of 100 bytes, which breaks off once.
type shop struct {
	broken bool
	calls  int
	marked []reader.ItemID
	failed string
}

func (l *shop) Failure(context.Context, *downloads.File) downloads.Failure {
	return downloads.Failure{Why: l.failed}
}

func (l *shop) Download(_ context.Context, folder string, file downloads.File, progress func(have, total int64)) (downloads.State, error) {
	l.calls++
	progress(40, 100)
	f := downloads.Folder{Path: folder}
	path := f.State(&file).Path
	if l.broken {
		return downloads.State{Path: path, Have: 40, Total: 100}, errors.New("the file was cut short")
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, make([]byte, 100), 0o644)); err != nil {
		return downloads.State{}, err
	}
	return f.State(&file), nil
}

func (l *shop) Mark(_ context.Context, _ reader.Act, _ string, ids []reader.ItemID, _ string) (reader.Done, error) {
	l.marked = ids
	return reader.Done{}, nil
}

// Article has an enclosure if its number is odd.
func (l *shop) Article(_ context.Context, id reader.ItemID) (reader.Article, error) {
	var art reader.Article
	if id%2 == 1 {
		art.Enclosures = []reader.Enclosure{{URL: "https://r.example/1.mp3"}}
	}
	return art, nil
}

// player notes what it is given.
type player struct {
	there bool
	files []string
}

func (p *player) Plays() bool { return p.there }

func (p *player) Play(_ view.Host, file string) tea.Cmd {
	p.files = append(p.files, file)
	return nil
}

// settle runs commands and what they lead to until nothing is left to do.
func settle(d *Downloads, v view.View, h *host, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if batch, ok := msg.(tea.BatchMsg); ok {
		// The download first: the sign of it waits for what it says.
		for _, c := range batch {
			settle(d, v, h, c)
		}
		return
	}
	if msg == nil {
		return
	}
	settle(d, v, h, d.OnMsg(h, msg))
	settle(d, v, h, v.OnMsg(h, msg))
}

// TestDownloads: d downloads a file and says how that ended, a second d goes on, and
// Enter plays what is here and what is not.
func TestDownloads(t *testing.T) {
	lib, h := &shop{broken: true}, &host{}
	played := &player{there: true}
	d := New(lib, lib, t.TempDir(), played)
	item := reader.Item{Key: 7, Title: "Tides", Feed: "Radio", Enclosures: []reader.Enclosure{{URL: "https://r.example/1.mp3", Type: "audio/mpeg", Title: "Tides"}}}
	cmd := d.Show(h, &item)
	v := h.pushed.(*View)
	settle(d, v, h, cmd)

	settle(d, v, h, v.open(h))
	settle(d, v, h, v.download(h))
	if last := h.said[len(h.said)-1]; last != "Tides: the file was cut short. d resumes at 40 bytes." {
		t.Errorf("said %q", last)
	}
	lib.broken = false
	settle(d, v, h, v.download(h))
	if last := h.said[len(h.said)-1]; last != "Downloaded: Tides (100 bytes)." || v.word(0) != "here" {
		t.Errorf("said %q, state %q", last, v.word(0))
	}
	settle(d, v, h, v.open(h))
	if len(played.files) != 2 || played.files[0] != "https://r.example/1.mp3" || played.files[1] != v.states[0].Path {
		t.Errorf("played %q", played.files)
	}
	if settle(d, v, h, v.download(h)); lib.calls != 2 {
		t.Error("what is here was downloaded again")
	}
	// What was deleted meanwhile is not here, and a failure is said until there is a file.
	lib.failed = "the server answered 404"
	if settle(d, v, h, v.look(nil)); v.word(0) != "here" {
		t.Errorf("what is here is %q", v.word(0))
	}
	if err := os.Remove(v.states[0].Path); err != nil {
		t.Fatal(err)
	}
	settle(d, v, h, v.open(h))
	if last := played.files[len(played.files)-1]; last != "https://r.example/1.mp3" || v.word(0) != "failed" {
		t.Errorf("after it was deleted: played %q, state %q", last, v.word(0))
	}
	v.queue(h)
	if _, err := h.change.Do(context.Background()); err != nil || len(lib.marked) != 1 || lib.marked[0] != 7 {
		t.Errorf("queued %v, %v", lib.marked, err)
	}
	d.Enqueue(h, 8, "")
	if _, err := h.change.Do(context.Background()); err == nil || lib.marked[0] != 7 {
		t.Errorf("queued %v, which has nothing to download", lib.marked)
	}
	if len(d.busy) != 0 {
		t.Errorf("%d downloads are under way", len(d.busy))
	}
}

// TestAtOnce: two downloads of an item are known as those of their files.
func TestAtOnce(t *testing.T) {
	lib, h := &shop{}, &host{}
	d := New(lib, lib, t.TempDir(), &player{})
	d.Show(h, &reader.Item{Title: "Tides", Enclosures: []reader.Enclosure{{URL: "https://r.example/1.mp3"}, {URL: "https://r.example/2.mp3"}}})
	v := h.pushed.(*View)
	begin := func() tea.Cmd { return v.OnMsg(h, v.download(h)()) }
	first := begin()
	v.List.Cur = 1
	second := begin()
	if first == nil || second == nil || len(d.busy) != 2 {
		t.Fatalf("%d downloads are under way, said %q", len(d.busy), h.said)
	}
	if begin() != nil || v.word(0) == "" || v.word(1) == "" {
		t.Errorf("the states are %q and %q", v.word(0), v.word(1))
	}
}

// TestNoPlayer: without a player, and for what none plays, Enter opens the browser.
func TestNoPlayer(t *testing.T) {
	h := &host{}
	d := New(&shop{}, &shop{}, t.TempDir(), &player{})
	d.Show(h, &reader.Item{Enclosures: []reader.Enclosure{{URL: "https://r.example/1.mp3", Type: "audio/mpeg"}}})
	h.pushed.(*View).open(h)
	if d.Show(h, &reader.Item{}); len(h.said) != 2 || h.said[0] != "browser https://r.example/1.mp3" || h.said[1] != "This item has no enclosures." {
		t.Errorf("said %q", h.said)
	}
}

// life is a screen that ends.
type life struct {
	host
	ctx context.Context
}

func (l *life) Life() context.Context { return l.ctx }

// leaving is a download that keeps its part once it is broken off.
type leaving struct {
	Downloader
	begun chan struct{}
	kept  atomic.Bool
}

func (l *leaving) Download(ctx context.Context, _ string, _ downloads.File, _ func(have, total int64)) (downloads.State, error) {
	close(l.begun)
	<-ctx.Done()
	for range 1000 {
		runtime.Gosched()
	}
	l.kept.Store(true)
	return downloads.State{}, ctx.Err()
}

// TestDrain: who leaves the screen waits until a download has kept its part.
func TestDrain(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	get := &leaving{begun: make(chan struct{})}
	d := New(&shop{}, get, t.TempDir(), &player{})
	batch := d.begin(&life{ctx: ctx}, downloads.File{}, downloads.State{})().(tea.BatchMsg)
	go batch[0]()
	<-get.begun
	end()
	d.Drain()
	if !get.kept.Load() {
		t.Error("the download was left behind")
	}
	New(&shop{}, get, t.TempDir(), &player{}).Drain() // and at once where there is none
}
