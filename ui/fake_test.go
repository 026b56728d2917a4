package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"diurna/reader"
	"diurna/reader/downloads"
	"diurna/reader/query"
	"diurna/ui/files"
	"diurna/ui/marks"
)

// fake is a library in memory behind the one seam of the package. It keeps
// state, so that journeys can ask what really happened.
type fake struct {
	keeper   Rules               // nil: none
	imported *reader.FetchResult // how the first fetch of an import ended

	leads      map[reader.ItemID]string // of items without a title
	items      int                      // how many were read
	unreadable error                    // of every text
	revealed   string                   // the address that was asked for last
	interest   interest
	mu         sync.Mutex
	feeds      []reader.Feed
	rows       []reader.Row // all items, newest first
	bodies     map[reader.ItemID]reader.Article
	links      map[reader.ItemID]string // where a test has one of its own
	steps      []reader.Step            // oldest first
	before     []map[reader.ItemID]reader.Row
	gone       map[int][]reader.Feed
	looks      int
	search     fakeSearch
	stories    *fakeStories
	saved      fakeQueries
	texts      fakeTexts
	opening    reader.Opening
	runs       int // how often fetching was started
	rests      int // and ended
	says       []reader.Event
	kept       map[string][]byte
	changes    chan struct{}
	perDay     int   // budget set by hand
	fail       error // what acts answer
	found      map[string]reader.Found
	fetched    []reader.FetchRequest
	report     reader.FetchReport
	pages      fakePages
	noFeed     bool              // what Look does not know has no feed
	backs      map[uint64]func() // how steps are taken back that are no marks
	block      chan struct{}     // Look and Fetch wait for it, or for their context
	heeds      bool              // Subscribe hears that it is stopped
}

// noon is the moment of the fake: a Friday, 10:49 where the reader lives.
var noon = time.Date(2026, time.November, 20, 10, 49, 0, 0, time.FixedZone("", 3600))

func item(feed, n int) reader.ItemID { return reader.ItemID(feed)<<32 | reader.ItemID(n) }

// newFake has six feeds in three folders and a few days of items.
func newFake() *fake {
	f := &fake{bodies: make(map[reader.ItemID]reader.Article), kept: make(map[string][]byte),
		found: make(map[string]reader.Found), gone: make(map[int][]reader.Feed)}
	at := func(s string) time.Time {
		t, err := time.ParseInLocation("2 Jan 15:04", s, noon.Location())
		if err != nil {
			panic(err)
		}
		return t.AddDate(2026, 0, 0)
	}
	add := func(id int, title, folder, next string) {
		fd := reader.Feed{Key: reader.FeedID(id), Title: title, Folder: folder, URL: fmt.Sprintf("https://example%d.org/feed", id),
			Site: fmt.Sprintf("https://example%d.org", id), State: reader.FeedOK, LastFetch: at("20 Nov 10:31"), Subscribed: at("1 Mar 08:00")}
		if next != "" {
			fd.NextFetch = at(next)
		}
		f.feeds = append(f.feeds, fd)
	}
	add(1, "Kernel Notes", "kernel", "20 Nov 15:50")
	add(2, "Small Databases", "kernel", "20 Nov 17:40")
	add(3, "Harbour Gazette", "sea", "20 Nov 11:35")
	add(4, "港の便り", "sea", "21 Nov 07:40")
	add(5, "Tide Tables", "sea", "")
	add(6, "Bread and Salt", "", "20 Nov 19:00")
	f.feeds[4].State, f.feeds[4].Error, f.feeds[4].Since, f.feeds[4].Tries = reader.FeedFailing, "404 not found", at("12 Nov 08:10"), 8
	f.feeds[4].Status = 404
	put := func(id reader.ItemID, when, title string, words int, flags reader.Flags, tags ...string) {
		f.rows = append(f.rows, reader.Row{ID: id, At: at(when).Unix(), Title: title, Words: uint32(words), Flags: flags, Tags: tags})
		f.bodies[id] = reader.Article{HTML: "<p>" + title + ".</p>", Base: "https://example.org/"}
	}
	put(item(1, 9), "20 Nov 10:31", "The new block layer, six months on", 1240, 0)
	put(item(3, 8), "20 Nov 10:12", "Ferry 3 out of service until Monday", 310, 0)
	put(item(2, 7), "20 Nov 09:55", "Why our compiler got slower, and what we did", 2100, reader.FlagRead)
	put(item(3, 7), "20 Nov 09:02", "Small boats, big radios: a field report from three harbours and one lighthouse", 905, reader.FlagSaved, "radio")
	put(item(4, 3), "20 Nov 08:47", "三月の潮と港の工事について", 420, 0)
	put(item(6, 2), "20 Nov 08:15", "Two comets this week 🌠 and a 👩‍🚀 to watch them", 150, reader.FlagChanged)
	put(item(1, 8), "19 Nov 23:10", "Patches worth reading, 13–19 November", 3300, 0)
	put(item(2, 6), "19 Nov 21:44", "Issue 212: cursors, columns and a bug in wcwidth", 800, 0)
	put(item(5, 1), "12 Nov 07:02", "", 40, 0)
	put(item(6, 1), "2 Jan 12:00", "Notes on a very old oven", 600, 0)
	f.bodies[item(1, 9)] = reader.Article{Base: "https://kernelnotes.example/2026/", HTML: longHTML}
	f.count()
	return f
}

const longHTML = `<p>When the <a href="mq">multi-queue rewrite</a> was merged in May, the promise was that a single slow
device would no longer hold up the rest. Half a year later there are numbers.</p><h2>What was measured</h2>
<p>Three machines, each with one fast and one slow disk:</p><ul><li>a laptop from 2019, one NVMe and one SD card</li>
<li>a small server with two spinning disks</li></ul><blockquote><p>We stopped looking at averages after the
<a href="https://other.example/week">first week</a>.</p></blockquote><pre>fio --name=mix --rw=randrw --size=4g</pre>
<p><img src="a.png" alt="latency of both disks, before and after"></p><h2>What was found</h2><p>The tail is shorter by a factor of
nine on the server and unchanged on the laptop, whose card is slower than any queue in front of it.</p>
<p>The <a href="data.csv">raw numbers</a> and the scripts are there for everybody who wants to repeat the measurement.</p>`

// count recounts the numbers of the feeds.
func (f *fake) count() {
	for i := range f.feeds {
		fd := &f.feeds[i]
		fd.Unread, fd.Saved, fd.Items, fd.LastPost = 0, 0, 0, time.Time{}
		for _, r := range f.rows {
			if r.ID.Feed() != fd.Key {
				continue
			}
			fd.Items++
			if r.Flags&reader.FlagRead == 0 {
				fd.Unread++
			}
			if t := time.Unix(r.At, 0); t.After(fd.LastPost) {
				fd.LastPost = t
			}
		}
	}
}

func (f *fake) row(id reader.ItemID) *reader.Row {
	for i := range f.rows {
		if f.rows[i].ID == id {
			return &f.rows[i]
		}
	}
	return nil
}

func (f *fake) feed(id reader.FeedID) *reader.Feed {
	for i := range f.feeds {
		if f.feeds[i].Key == id {
			return &f.feeds[i]
		}
	}
	return nil
}

func (f *fake) Snapshot(ctx context.Context, n int) (reader.Snapshot, error) {
	q, _ := query.Parse("unread", noon)
	rows, _ := f.Rows(ctx, q, n)
	return reader.Snapshot{Rows: rows, Feeds: slices.Clone(f.feeds), Empty: len(f.feeds) == 0 && len(f.steps) == 0}, nil
}

func (f *fake) Rows(_ context.Context, q reader.Query, limit int) ([]reader.Row, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []reader.Row
	for i := range f.rows {
		fd := f.feed(f.rows[i].ID.Feed())
		if fd != nil && q.Match(&f.rows[i], fd) && (limit == 0 || len(out) < limit) {
			out = append(out, f.rows[i])
		}
	}
	return out, nil
}

func (f *fake) Feeds(context.Context) ([]reader.Feed, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count()
	return slices.Clone(f.feeds), nil
}

func (f *fake) Items(_ context.Context, ids []reader.ItemID) ([]reader.Item, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []reader.Item
	for _, id := range ids {
		if r := f.row(id); r != nil {
			f.items++
			out = append(out, f.item(r))
		}
	}
	return out, nil
}

func (f *fake) item(r *reader.Row) reader.Item {
	fd := f.feed(r.ID.Feed())
	it := reader.Item{Key: r.ID, FeedKey: r.ID.Feed(), Title: r.Title, Lead: f.leads[r.ID], Words: int(r.Words), Tags: r.Tags,
		Published: time.Unix(r.At, 0), Unread: r.Flags&reader.FlagRead == 0, Saved: r.Flags&reader.FlagSaved != 0,
		Link: fmt.Sprintf("https://example%d.org/%d", r.ID.Feed(), uint32(r.ID))}
	if fd != nil {
		it.Feed = fd.Title
	}
	it.Edits = max(0, len(f.pages.edits[r.ID])-1)
	if r.ID == item(1, 9) {
		it.Link = "https://kernelnotes.example/2026/block-layer"
		it.Enclosures = []reader.Enclosure{{URL: "https://kernelnotes.example/talk.mp3", Type: "audio/mpeg", Length: 31 << 20}}
	}
	if link, ok := f.links[r.ID]; ok {
		it.Link = link
	}
	return it
}

func (f *fake) Article(_ context.Context, id reader.ItemID) (reader.Article, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.row(id)
	switch {
	case f.unreadable != nil:
		return reader.Article{}, f.unreadable
	case r == nil:
		return reader.Article{}, reader.ErrNotFound
	}
	a := f.bodies[id]
	a.Item = f.item(r)
	a.Kept = max(0, len(f.pages.edits[id])-1)
	return a, nil
}

func (f *fake) Open(ctx context.Context, id reader.ItemID) (reader.Article, error) {
	a, err := f.Article(ctx, id)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail != nil {
		return a, f.fail
	}
	if r := f.row(id); r != nil {
		r.Flags |= reader.FlagRead
	}
	return a, err
}

// step notes a step with what its items said before.
func (f *fake) step(what string, ids []reader.ItemID, feeds []reader.FeedID, before map[reader.ItemID]reader.Row) uint64 {
	no := uint64(len(f.steps) + 1)
	f.steps = append(f.steps, reader.Step{No: no, At: noon, What: what, Items: ids, Feeds: feeds})
	f.before = append(f.before, before)
	return no
}

func (f *fake) Mark(_ context.Context, act reader.Act, scope string, ids []reader.ItemID, tag string) (reader.Done, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail != nil {
		return reader.Done{}, f.fail
	}
	before := make(map[reader.ItemID]reader.Row)
	for _, id := range ids {
		if r := f.row(id); r != nil {
			before[id] = *r
			marks.Apply(r, act, tag)
		}
	}
	if len(before) == 0 {
		return reader.Done{}, nil
	}
	verb := map[reader.Act]string{reader.MarkRead: "marked read", reader.MarkUnread: "marked unread", reader.Save: "saved",
		reader.Unsave: "unsaved", reader.Tag: "tagged #" + tag, reader.Untag: "untagged #" + tag}[act]
	no := f.step(fmt.Sprintf("%d %s in %s", len(before), verb, scope), ids, nil, before)
	return reader.Done{Step: no, Changed: len(before), Items: ids}, nil
}

func (f *fake) Undo(_ context.Context, no, after uint64) (reader.Step, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := len(f.steps) - 1; i >= 0; i-- {
		st := &f.steps[i]
		if st.Undone || no != 0 && st.No != no || st.No <= after {
			continue
		}
		st.Undone = true
		if back := f.backs[st.No]; back != nil {
			back()
		}
		for id, was := range f.before[i] {
			*f.row(id) = was
		}
		if fd, ok := f.gone[i]; ok {
			f.feeds = append(f.feeds, fd...)
			slices.SortFunc(f.feeds, func(a, b reader.Feed) int { return cmp.Compare(a.Key, b.Key) })
		}
		return *st, nil
	}
	return reader.Step{}, fmt.Errorf("there is nothing to undo: %w", reader.ErrNothing)
}

func (f *fake) Redo(context.Context) (reader.Step, error) {
	return reader.Step{}, reader.ErrNothing
}

func (f *fake) Steps(_ context.Context, limit int) ([]reader.Step, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := slices.Clone(f.steps)
	slices.Reverse(out)
	return out[:min(limit, len(out))], nil
}

func (f *fake) wait(ctx context.Context) error {
	if f.block == nil {
		return ctx.Err()
	}
	select {
	case <-f.block:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (f *fake) Look(ctx context.Context, address string, _ bool) (reader.Found, error) {
	if err := f.wait(ctx); err != nil {
		return reader.Found{}, err
	}
	if got, ok := f.found[address]; ok {
		return got, nil
	}
	if f.noFeed {
		return reader.Found{}, fmt.Errorf("no feed at %s: the page names none, and the 4 usual places are empty%w", address, silent{reader.ErrNoFeed})
	}
	return reader.Found{}, errors.New("no feed at " + address + ": the page names none, and the 4 usual places are empty")
}

func (f *fake) Fill(_ context.Context, c reader.Candidate) (reader.Candidate, error) {
	c.Fetched = true
	c.Items = []reader.Item{{Title: "Filled", Published: noon}}
	return c, nil
}

func (f *fake) Subscribe(ctx context.Context, c reader.Candidate, o reader.SubscribeOptions) (reader.Subscribed, error) {
	if f.heeds && ctx.Err() != nil {
		return reader.Subscribed{}, ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	id := reader.FeedID(len(f.feeds) + 20)
	fd := reader.Feed{Key: id, Title: cmp.Or(o.Title, c.Title), URL: c.URL, State: reader.FeedOK, Tags: o.Tags, Items: len(c.Items)}
	f.feeds = append(f.feeds, fd)
	for i, it := range c.Items {
		var flags reader.Flags
		if i >= c.Fresh && !o.AllUnread {
			flags = reader.FlagRead
		}
		rowID := item(int(id), 1000-i)
		f.rows = append(f.rows, reader.Row{ID: rowID, At: it.Published.Unix(), Title: it.Title, Flags: flags})
		f.bodies[rowID] = reader.Article{HTML: "<p>" + it.Title + "</p>"}
	}
	slices.SortFunc(f.rows, func(a, b reader.Row) int { return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(b.ID, a.ID)) })
	f.step("subscribed to "+fd.Title, nil, []reader.FeedID{id}, nil)
	return reader.Subscribed{Step: uint64(len(f.steps)), Feed: fd, Items: len(c.Items), Unread: c.Fresh}, nil
}

func (f *fake) Unsubscribe(_ context.Context, ids []reader.FeedID) (reader.Done, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	title, n := "", 0
	f.feeds = slices.DeleteFunc(f.feeds, func(fd reader.Feed) bool {
		if !slices.Contains(ids, fd.Key) {
			return false
		}
		f.gone[len(f.steps)] = append(f.gone[len(f.steps)], fd)
		f.unwatch(fd.Key)
		title, n = fd.Title, n+1
		return true
	})
	if n == 0 {
		return reader.Done{}, reader.ErrNotFound
	}
	return reader.Done{Step: f.step("unsubscribed from "+title, nil, ids, nil), Changed: n}, nil
}

func (f *fake) Adjust(_ context.Context, id reader.FeedID, field, value string) (reader.Done, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	no := f.step(field+" changed to "+value, nil, []reader.FeedID{id}, nil)
	if fd := f.feed(id); fd != nil && field == "url" {
		was := *fd
		fd.URL, fd.State, fd.Error, fd.MovedTo, fd.Tries = value, reader.FeedNew, "", "", 0
		f.takeBack(no, func() { *f.feed(id) = was })
	}
	f.adjustPage(no, id, field, value)
	f.adjustFeed(no, id, field, value)
	return reader.Done{Step: no, Changed: 1}, nil
}

func (f *fake) TagFeeds(_ context.Context, ids []reader.FeedID, words []string) (reader.Done, error) {
	return reader.Done{Step: f.step(fmt.Sprintf("tags of %d feeds changed by %v", len(ids), words), nil, ids, nil), Changed: len(ids)}, nil
}

func (f *fake) Fetch(ctx context.Context, q reader.FetchRequest, progress func(reader.Progress)) (reader.FetchReport, error) {
	progress(reader.Progress{Done: 0, Total: 6})
	if err := f.wait(ctx); err != nil {
		return reader.FetchReport{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fetched = append(f.fetched, q)
	progress(reader.Progress{Done: 6, Total: 6})
	return f.report, nil
}

func (f *fake) Import(_ context.Context, _ []byte, o reader.ImportOptions, progress func(reader.Progress)) (reader.ImportReport, error) {
	progress(reader.Progress{Done: 1, Total: 1, Result: f.imported})
	return reader.ImportReport{Step: 1, Feeds: 1, Added: []reader.FeedID{1}}, nil
}

func (f *fake) Looked(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looks++
	return nil
}

func (f *fake) Opening(context.Context) (reader.Opening, error) { return f.opening, nil }

func (f *fake) Run(ctx context.Context, tell func(reader.Event)) error {
	f.mu.Lock()
	says := f.says
	f.mu.Unlock()
	for _, ev := range says {
		tell(ev)
	}
	f.mu.Lock()
	f.runs++
	f.mu.Unlock()
	<-ctx.Done()
	f.mu.Lock()
	f.rests++
	f.mu.Unlock()
	return nil
}

func (f *fake) Stats(context.Context, time.Time) (reader.Stats, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var st reader.Stats
	for i := range f.feeds {
		st.PerFeed = append(st.PerFeed, reader.FeedStats{Feed: f.feeds[i], PostsPerWeek: 9, Opened: 31, Shown: 52, LastOpened: noon, Requests: 168, NotChanged: 140})
	}
	return st, nil
}

// Attention: of each feed more was opened than of the one before, and of the last nothing.
func (f *fake) Attention(context.Context, time.Time) (map[reader.FeedID]*reader.Attention, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := map[reader.FeedID]*reader.Attention{}
	for i := range f.feeds {
		all[f.feeds[i].Key] = &reader.Attention{Posts: 1200, Offered: 1000, Opened: i * 10}
	}
	if n := len(f.feeds); n > 0 {
		all[f.feeds[n-1].Key].Opened = 0
	}
	return all, nil
}

func (f *fake) EditText(context.Context) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var text string
	for i := range f.feeds {
		text += f.feeds[i].URL + "\n"
	}
	return []byte(text), nil
}

func (f *fake) ApplyEdit(_ context.Context, text []byte, _ time.Time) (reader.EditReport, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var rep reader.EditReport
	lines := strings.Fields(string(text))
	for _, l := range lines {
		if !strings.HasPrefix(l, "https://") {
			return rep, fmt.Errorf("the text was not applied: line 1: %s", l)
		}
	}
	f.feeds = slices.DeleteFunc(f.feeds, func(fd reader.Feed) bool { return !slices.Contains(lines, fd.URL) })
	rep.Removed = 6 - len(f.feeds)
	if rep.Removed > 0 {
		rep.Step = f.step("edited", nil, nil, nil)
	}
	return rep, nil
}

func (f *fake) Changes() <-chan struct{} { return f.changes }

func (f *fake) Keep(_ context.Context, name string, value []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kept[name] = value
	return nil
}

func (f *fake) Reveal(_ context.Context, address string) (string, error) {
	f.revealed = address
	return address, nil
}

func (f *fake) Recall(_ context.Context, name string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kept[name], nil
}

func unread(r *reader.Row) bool { return r.Flags&reader.FlagRead == 0 }

// noFiles has no download that failed.
type noFiles struct{ files.Downloader }

func (noFiles) Failure(context.Context, *downloads.File) downloads.Failure {
	return downloads.Failure{}
}
