// Package files is the view of the files of an item, its enclosures: it plays and
// downloads them and puts the item into the queue. Downloads.Show opens it; Keys is
// what its keys do.
package files

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/downloads"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Downloader gets files.
type Downloader interface {
	Failure(ctx context.Context, file *downloads.File) downloads.Failure
	Download(ctx context.Context, folder string, file downloads.File, progress func(have, total int64)) (downloads.State, error)
}

// Player plays the path or the address of a file; Plays reports whether there is one.
type Player interface {
	Plays() bool
	Play(h view.Host, file string) tea.Cmd
}

// Library is what the view asks of the library.
type Library interface {
	Article(ctx context.Context, id reader.ItemID) (reader.Article, error)
	Mark(ctx context.Context, act reader.Act, scope string, ids []reader.ItemID, tag string) (reader.Done, error)
}

var errNone = errors.New("this item has no enclosures")

// maxAtOnce bounds the downloads of a screen.
const maxAtOnce = 4

// Downloads are those under way in this screen. They go on when the view is left.
type Downloads struct {
	lib    Library
	get    Downloader
	folder downloads.Folder
	player Player
	busy   map[string]*progress // by id
	ending sync.RWMutex         // a download holds it until its part is kept
}

// endsWithin is how long a download that is broken off may take to keep its part.
const endsWithin = 2 * time.Second

// Drain waits, once the screen's life is over, until downloads have kept what came of
// them: they go on there.
func (d *Downloads) Drain() {
	ended := make(chan struct{})
	go func() {
		d.ending.Lock()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(endsWithin):
	}
}

// progress is written by the download and read by the screen.
type progress struct {
	have, total atomic.Int64
	moved       chan struct{} // something changed on the screen
	at          time.Time     // of the last such signal
}

// New makes Downloads into folder. Without a player the browser gets the addresses.
func New(lib Library, get Downloader, folder string, player Player) *Downloads {
	return &Downloads{lib: lib, get: get, folder: downloads.Folder{Path: folder}, player: player, busy: make(map[string]*progress)}
}

// Messages: a download made progress, the state of an item's files, a download
// ended.
type (
	movedMsg struct{ id string }
	stateMsg struct {
		of     *View
		states []downloads.State
		failed []downloads.Failure
		then   func(view.Host) tea.Cmd
	}
	endedMsg struct {
		id, name string
		state    downloads.State
		err      error
	}
)

// Show shows the files of an item.
func (d *Downloads) Show(h view.Host, item *reader.Item) tea.Cmd {
	list := downloads.Files(item, item.Enclosures)
	if len(list) == 0 {
		h.Say(view.Sentence(errNone))
		return nil
	}
	v := &View{d: d, item: *item, files: list, states: make([]downloads.State, len(list)), failed: make([]downloads.Failure, len(list)), Listing: view.Listing{List: view.List{N: len(list)}}}
	h.Push(v)
	return v.look(nil)
}

// OnMsg goes on with downloads under way.
func (d *Downloads) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case movedMsg:
		if p := d.busy[msg.id]; p != nil {
			return p.wait(msg.id)
		}
	case endedMsg:
		p := d.busy[msg.id]
		if p == nil {
			return nil
		}
		delete(d.busy, msg.id)
		close(p.moved)
		switch {
		case msg.err == nil:
			h.Say(fmt.Sprintf("Downloaded: %s (%s).", msg.name, wording.Size(msg.state.Have)))
		case h.Life().Err() == nil:
			h.Say(fmt.Sprintf("%s: %s. %s", msg.name, msg.err, keeps(msg.state)))
		}
	}
	return nil
}

func keeps(s downloads.State) string {
	if s.Have == 0 {
		return "d tries again."
	}
	return "d resumes at " + wording.Size(s.Have) + "."
}

// begin starts a download, or says why not.
func (d *Downloads) begin(h view.Host, file downloads.File, s downloads.State) tea.Cmd {
	id := file.ID()
	switch {
	case s.Done:
		h.Say("It is here: " + s.Path)
		return nil
	case d.busy[id] != nil:
		h.Say("It is being downloaded.")
		return nil
	case len(d.busy) >= maxAtOnce:
		h.Say(fmt.Sprintf("%d downloads are running; e adds this to the queue, for diurna queue run.", len(d.busy)))
		return nil
	}
	p := &progress{moved: make(chan struct{}, 1)}
	p.have.Store(s.Have)
	p.total.Store(s.Total)
	d.busy[id] = p
	ctx, name := h.Life(), nameOf(&file)
	run := func() tea.Msg {
		d.ending.RLock()
		defer d.ending.RUnlock()
		got, err := d.get.Download(ctx, d.folder.Path, file, p.step)
		return endedMsg{id, name, got, err}
	}
	return view.Batch(run, p.wait(id))
}

// step counts bytes that came; twice a second it has the screen drawn.
func (p *progress) step(have, total int64) {
	p.have.Store(have)
	p.total.Store(total)
	if time.Since(p.at) < time.Second/2 {
		return
	}
	p.at = time.Now()
	select {
	case p.moved <- struct{}{}:
	default:
	}
}

// wait brings the next progress of a download; none once it has ended.
func (p *progress) wait(id string) tea.Cmd {
	return func() tea.Msg {
		if _, on := <-p.moved; !on {
			return nil
		}
		return movedMsg{id}
	}
}

// View is the list of an item's files.
type View struct {
	view.Listing
	d      *Downloads
	item   reader.Item
	files  []downloads.File
	states []downloads.State
	failed []downloads.Failure
}

// look finds the state of the files, which may have been deleted meanwhile, and
// then runs what is asked for, if anything.
func (v *View) look(then func(view.Host) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		msg := stateMsg{of: v, then: then}
		folder := v.d.folder.Known()
		for i := range v.files {
			msg.states = append(msg.states, folder.State(&v.files[i]))
			msg.failed = append(msg.failed, v.d.get.Failure(context.Background(), &v.files[i]))
		}
		return msg
	}
}

func (v *View) Context() view.Context { return view.CtxFiles }

func (v *View) Title(*view.Scene, int) (string, string) {
	return "Enclosures: " + view.TitleOf(v.item.Title), wording.Plural(len(v.files), "file")
}

// word is the state of a file: "here", "34 %", "".
func (v *View) word(i int) string {
	s := v.states[i]
	if p := v.d.busy[v.files[i].ID()]; p != nil {
		s.Have, s.Total = p.have.Load(), p.total.Load()
		if s.Total <= 0 {
			return wording.Size(s.Have)
		}
		return fmt.Sprintf("%d %%", min(99, 100*s.Have/s.Total))
	}
	switch {
	case s.Done:
		return "here"
	case s.Have > 0 && s.Total > 0:
		return fmt.Sprintf("%d %% kept", min(99, 100*s.Have/s.Total))
	case s.Have > 0:
		return "begun"
	case v.failed[i].Why != "":
		return "failed"
	}
	return ""
}

func nameOf(f *downloads.File) string {
	if f.Enclosure.Title != "" {
		return f.Enclosure.Title
	}
	return f.Enclosure.URL
}

func (v *View) Lines(s *view.Scene, w, h int) []string {
	v.FitTo(h)
	lines := make([]string, 0, h)
	for i := v.List.Top; i < len(v.files) && len(lines) < h; i++ {
		e := &v.files[i].Enclosure
		pointer := " "
		if i == v.List.Cur {
			pointer = s.Th.In(s.Th.Pointer, ">")
		}
		kind := e.Type
		if size := view.BytesOf(e.Length); size != "" {
			kind += ", " + size
		}
		if played := wording.Played(e.Seconds); played != "" {
			kind += ", " + played
		}
		lines = append(lines, s.Th.Row(pointer+s.Th.Fit(" "+s.Th.Fit(v.word(i), 9)+" "+s.Th.Fit(kind, 30)+"  "+nameOf(&v.files[i]), w-1), i == v.List.Cur))
	}
	return s.Fill(lines, w, h)
}

func (v *View) Status(s *view.Scene, _ int) view.Status {
	keys := []string{"Enter open", "d download", "e queue", "q back"}
	if v.plays() {
		keys[0] = "Enter play"
	}
	state := v.files[v.List.Cur].Enclosure.URL
	if f := v.failed[v.List.Cur]; f.Why != "" && !v.states[v.List.Cur].Done {
		state = f.Why + ", since " + wording.When(f.Since, s.Now)
	}
	return view.Status{State: state, Keys: keys, About: view.AboutKeys}
}

// OnMsg takes in the state of the files, and looks again when a download ended.
func (v *View) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case endedMsg:
		return v.look(nil)
	case stateMsg:
		if msg.of != v {
			return nil
		}
		v.states, v.failed = msg.states, msg.failed
		if msg.then != nil {
			return msg.then(h)
		}
	}
	return nil
}

// Keys are what keys do in a list of files.
func Keys() []view.Binding {
	return []view.Binding{
		view.Bind("enter l right", "play, or open in the browser", "play listen watch mpv", view.On((*View).open)),
		view.Bind("o", "open in the browser", "", view.On((*View).browse)),
		view.Bind("d", "download; queue the item", "save fetch podcast", view.On((*View).download)),
		view.Bind("e", view.Ditto, "enqueue", view.On((*View).queue)),
		view.Bind("y", "copy link", "yank clipboard url", view.On((*View).copy)),
	}
}

// plays reports whether Enter plays the chosen file.
func (v *View) plays() bool {
	e := &v.files[v.List.Cur].Enclosure
	return v.d.player.Plays() && downloads.Plays(e.URL, e.Type)
}

func (v *View) open(h view.Host) tea.Cmd {
	if !v.plays() {
		return v.browse(h)
	}
	i := v.List.Cur
	return v.look(func(h view.Host) tea.Cmd {
		if s := v.states[i]; s.Done {
			return v.d.player.Play(h, s.Path)
		}
		return v.d.player.Play(h, v.files[i].Enclosure.URL)
	})
}

func (v *View) browse(h view.Host) tea.Cmd { return h.OpenURL(v.files[v.List.Cur].Enclosure.URL) }

func (v *View) copy(h view.Host) tea.Cmd { return h.Copy(v.files[v.List.Cur].Enclosure.URL, "") }

func (v *View) download(view.Host) tea.Cmd {
	i := v.List.Cur
	return v.look(func(h view.Host) tea.Cmd { return v.d.begin(h, v.files[i], v.states[i]) })
}

func (v *View) queue(h view.Host) tea.Cmd { return v.d.Enqueue(h, v.item.Key, v.item.Title) }

// Enqueue puts an item into the queue of downloads, or says that it has nothing to download.
func (d *Downloads) Enqueue(h view.Host, id reader.ItemID, title string) tea.Cmd {
	title = view.TitleOf(title)
	return h.Change(view.Change{
		Say: "In the queue: " + title + ". diurna queue run downloads it. u undoes.",
		Do: func(ctx context.Context) (reader.Done, error) {
			art, err := d.lib.Article(ctx, id)
			if err == nil && len(downloads.Files(&art.Item, art.Item.Enclosures)) == 0 {
				err = errNone
			}
			if err != nil {
				return reader.Done{}, err
			}
			return d.lib.Mark(ctx, reader.Tag, title, []reader.ItemID{id}, downloads.Tag)
		},
	})
}
