package ui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/page"
	"diurna/reader/pagestate"
)

// The watched pages of the fake: their revisions are compared by the real
// engine, so that what a screen shows is what it would show.

// pier is the page of the pictures, as it was and as it is.
const (
	pierHead = `<html lang="en"><head><title>Pier timetable</title></head><body><nav><a href="/">Home</a> <a href="/map">Map</a></nav>
<h1>Timetable</h1><h2>Weekdays</h2><table>`
	pierOld = pierHead + `%s<tr><td>07:10<td>Old Pier<td>to<td>Lighthouse<td>daily</tr>
<tr><td>08:40</td><td>Old Pier</td><td>to</td><td>Lighthouse</td><td>8 €</td></tr>
%s<tr><td>11:20<td>Old Pier to Island and back by the northern channel</table>
<h2>Weekend</h2><p>Nothing runs at the weekend, except for the boats of the sailing club and its guests.%s
<h2>港</h2><p>三月の潮と港の工事について、冬の時刻表は十一月十五日までです。</p>
<h2>Notices</h2><p>Summer timetable until 15 November.</p><p><a href="/summer.pdf">to print</a></p><p>page served in 0.31 s</p>`
	pierNew = pierHead + `%s<tr><td>07:10<td>Old Pier<td>to<td>Lighthouse<td>Mon to Fri</tr>
<tr><td>08:40</td><td>Old Pier</td><td>to</td><td>Lighthouse</td><td>Mon to Fri, 9.50 €</td></tr>
%s</table>
<h2>Weekend</h2><p>Nothing runs at the weekend, except for the boats of the sailing club and its guests.
<table><tr><td>11:20<td>Old Pier to Island and back by the northern channel</table>%s
<h2>港</h2><p>三月の潮と港の工事について、冬の時刻表は十二月二十日までです。</p>
<h2>Notices</h2><p>Winter timetable from 16 November. The 06:30 does not run, and neither does the 07:00 on days on which the
swell stands above two metres at the breakwater.</p><p><a href="/winter.pdf">to print</a></p><p>page served in 0.35 s</p>`
)

// pierPages gives the revisions of the page.
func pierPages() []string {
	lines := func(n int, of string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<tr><td>%s boat %s goes as before</td></tr>\n", of, strings.Repeat("i", i+1))
		}
		return b.String()
	}
	old := fmt.Sprintf(pierOld, lines(38, "early"), lines(6, "noon"), "<table>"+lines(9, "late")+"</table>")
	now := fmt.Sprintf(pierNew, lines(38, "early"), lines(6, "noon"), "<table>"+lines(9, "late")+"</table>")
	return []string{strings.Replace(old, "8 €", "7.50 €", 1), old, now}
}

// fakePages are the watched pages of a fake.
type fakePages struct {
	revs  map[reader.FeedID][]string
	list  []reader.Page
	item  map[reader.ItemID]int // the revision that a row tells of
	edits map[reader.ItemID][]page.Item
	tips  []reader.Suggestion

	learned []reader.Ignored
	watch   func(address string) (reader.Watched, error)

	second reader.Second
}

// withPages gives a fake three watched pages and an item that was edited.
func withPages(f *fake) *fake {
	at := func(day, hour, minute int) time.Time {
		return time.Date(2026, 11, day, hour, minute, 0, 0, noon.Location())
	}
	p := &f.pages
	p.revs = map[reader.FeedID][]string{31: pierPages()}
	p.item = map[reader.ItemID]int{item(31, 2): 3}
	add := func(id int, title, url string, change func(*reader.Page)) {
		pg := reader.Page{Feed: reader.Feed{Key: reader.FeedID(id), Title: title, URL: url, Site: url, State: reader.FeedOK, Watched: true,
			LastFetch: at(20, 9, 40), NextFetch: at(20, 15, 20), NextReason: 5 /* daily */, Subscribed: at(1, 8, 0)},
			State: pagestate.Good, Threshold: page.DefaultThreshold}
		change(&pg)
		switch {
		case pg.State == pagestate.NotFetched:
			pg.Feed.State = reader.FeedNew
		case pg.State.Trouble():
			pg.Feed.State = reader.FeedFailing
		}
		p.list = append(p.list, pg)
		f.feeds = append(f.feeds, pg.Feed)
	}
	add(31, "Pier timetable", "https://pier.example/timetable", func(pg *reader.Page) {
		pg.Revisions, pg.Score, pg.Changed, pg.Class, pg.Why, pg.LastItem = 3, 6.2, at(20, 9, 40), "content", `2 links, "price" x2, 20 words in 3 sections`, item(31, 2)
		pg.Keywords = []string{"price"}
	})
	add(32, "Water levels", "https://levels.example/", func(pg *reader.Page) {
		pg.Revisions, pg.State, pg.Error, pg.Since = 9, pagestate.Captcha, "the server asks whether you are a robot", at(18, 7, 0)
	})
	add(33, "Council minutes", "https://council.example/minutes", func(pg *reader.Page) { pg.State = pagestate.NotFetched; pg.Revisions = 0 })
	f.rows = append(f.rows, reader.Row{ID: item(31, 2), At: at(20, 9, 40).Unix(), Title: `changed: "price" x2, 20 words in 3 sections`, Flags: reader.FlagChanged})
	f.row(item(6, 2)).Was = "One comet this week"
	slices.SortFunc(f.rows, func(a, b reader.Row) int { return int(b.At - a.At) })
	p.edits = map[reader.ItemID][]page.Item{item(6, 2): {
		{Title: "One comet this week", HTML: "<p>One comet can be seen this week, low in the west.</p>"},
		{Title: "Two comets this week", HTML: "<p>Two comets can be seen this week, low in the west.</p>"},
		{Title: "Two comets this week", HTML: "<p>Two comets can be seen this week, low in the west after dusk.</p><p>The second is faint.</p>"},
	}}
	f.count()
	return f
}

func (f *fake) pageOf(id reader.FeedID) *reader.Page {
	for i := range f.pages.list {
		if f.pages.list[i].Key == id {
			return &f.pages.list[i]
		}
	}
	return nil
}

func (f *fake) options(pg *reader.Page) page.Options {
	return page.Options{IgnoreBlocks: pg.IgnoreBlocks, Keywords: pg.Keywords, Threshold: pg.Threshold}
}

func (f *fake) List(context.Context) ([]reader.Page, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count()
	for i := range f.pages.list {
		if fd := f.feed(f.pages.list[i].Key); fd != nil && fd.Items > 0 {
			f.pages.list[i].Unread = fd.Unread
		}
	}
	return slices.Clone(f.pages.list), nil
}

func (f *fake) revision(id reader.FeedID, no int) reader.Revision {
	days := []int{16, 17, 20}
	if no < 1 {
		return reader.Revision{}
	}
	return reader.Revision{No: no, Base: no - 1, At: time.Date(2026, 11, days[(no-1)%3], 8, 10+30*(no/3), 0, 0, noon.Location()),
		Address: f.pageOf(id).URL}
}

func (f *fake) Change(_ context.Context, id reader.FeedID, from, to int) (reader.Change, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	pg, revs := f.pageOf(id), f.pages.revs[id]
	if pg == nil || len(revs) < 2 || to > len(revs) {
		return reader.Change{}, reader.ErrNotFound
	}
	if to == 0 {
		to = len(revs)
	}
	if from == 0 {
		from = to - 1
	}
	d, err := page.Compare([]byte(revs[from-1]), []byte(revs[to-1]), f.options(pg))
	return reader.Change{Page: *pg, From: f.revision(id, from), To: f.revision(id, to), Of: len(revs), Diff: d}, err
}

func (f *fake) ChangeOf(ctx context.Context, id reader.ItemID) (reader.Change, error) {
	return f.Change(ctx, id.Feed(), 0, f.pages.item[id])
}

func (f *fake) ItemChange(_ context.Context, id reader.ItemID, back int) (reader.ItemEdit, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept := f.pages.edits[id]
	no := len(kept) - 1 - back
	if no < 1 {
		return reader.ItemEdit{}, reader.ErrNotFound
	}
	return reader.ItemEdit{Item: f.item(f.row(id)), Old: kept[no-1].Title, At: noon, No: no, Of: len(kept) - 1,
		ItemChange: page.CompareItem(kept[no-1], kept[no], 0)}, nil
}

func (f *fake) Revisions(_ context.Context, id reader.FeedID) ([]reader.Revision, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []reader.Revision
	for i := range f.pages.revs[id] {
		out = append(out, f.revision(id, i+1))
	}
	return out, nil
}

func (f *fake) RevisionRaw(_ context.Context, id reader.FeedID, no int) ([]byte, string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if no < 1 || no > len(f.pages.revs[id]) {
		return nil, "", reader.ErrNotFound
	}
	return []byte(f.pages.revs[id][no-1]), "text/html; charset=utf-8", nil
}

func (f *fake) PreviewIgnore(_ context.Context, id reader.FeedID, rule string) (now, then, of int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var revs [][]byte
	for _, r := range f.pages.revs[id] {
		revs = append(revs, []byte(r))
	}
	now, then, err = page.PreviewIgnore(revs, f.options(f.pageOf(id)), rule)
	return now, then, len(revs), err
}

func (f *fake) IgnoreBlock(_ context.Context, id reader.FeedID, rule string) (reader.Done, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail != nil {
		return reader.Done{}, f.fail
	}
	pg := f.pageOf(id)
	pg.IgnoreBlocks = append(pg.IgnoreBlocks, rule)
	no := f.step("ignored a block of "+pg.Title, nil, []reader.FeedID{id}, nil)
	f.takeBack(no, func() { pg.IgnoreBlocks = pg.IgnoreBlocks[:len(pg.IgnoreBlocks)-1] })
	return reader.Done{Step: no, Changed: 1}, nil
}

func (f *fake) IgnoredBlocks(_ context.Context, id reader.FeedID) ([]reader.Ignored, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []reader.Ignored
	pg := f.pageOf(id)
	for _, r := range pg.IgnoreBlocks {
		out = append(out, reader.Ignored{No: len(out) + 1, Rule: r, Blocks: 1, Text: "Page served in 0.35 s", Quiet: "ignored", Why: "a rule of yours"})
	}
	out = append(out, f.pages.learned...)
	for _, r := range pg.ReportBlocks {
		out = append(out, reader.Ignored{No: len(out) + 1, Rule: r, Blocks: 1, Quiet: "reported", Why: "you took it back"})
	}
	return out, nil
}

func (f *fake) ReportBlock(_ context.Context, id reader.FeedID, p *reader.Ignored) (reader.Done, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	pg := f.pageOf(id)
	blocks, reports := pg.IgnoreBlocks, pg.ReportBlocks
	is := func(r string) bool { return r == p.Rule }
	pg.IgnoreBlocks = slices.DeleteFunc(slices.Clone(blocks), is)
	pg.ReportBlocks = slices.DeleteFunc(slices.Clone(reports), is)
	if !p.TakenBack() {
		pg.ReportBlocks = append(pg.ReportBlocks, p.Rule)
	}
	no := f.step("reports a place of "+pg.Title, nil, []reader.FeedID{id}, nil)
	f.takeBack(no, func() { pg.IgnoreBlocks, pg.ReportBlocks = blocks, reports })
	return reader.Done{Step: no, Changed: 1}, nil
}

// takeBack says how a step is taken back.
func (f *fake) takeBack(no uint64, do func()) {
	if f.backs == nil {
		f.backs = make(map[uint64]func())
	}
	f.backs[no] = do
}

func (f *fake) Watch(_ context.Context, address string, _ reader.WatchOptions) (reader.Watched, error) {
	if f.pages.watch == nil {
		return reader.Watched{}, fmt.Errorf("no network")
	}
	got, err := f.pages.watch(address)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil {
		got.Page.Watched = true
		f.pages.list = append(f.pages.list, got.Page)
		f.feeds = append(f.feeds, got.Page.Feed)
		got.Step = f.step("watching "+got.Page.Title, nil, []reader.FeedID{got.Page.Key}, nil)
	}
	return got, err
}

func (f *fake) SecondFetch(context.Context, reader.Watched) (reader.Second, error) {
	return f.pages.second, nil
}

func (f *fake) Suggestions(context.Context) ([]reader.Suggestion, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.pages.tips), nil
}

func (f *fake) AnswerSuggestion(_ context.Context, s reader.Suggestion, accept bool) (reader.Done, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := slices.Clone(f.pages.tips)
	f.pages.tips = slices.DeleteFunc(f.pages.tips, func(t reader.Suggestion) bool { return t.Page == s.Page })
	what := "declined advice about "
	if accept {
		what = "accepted advice about "
	}
	no := f.step(what+s.Title, nil, []reader.FeedID{s.Page}, nil)
	f.takeBack(no, func() { f.pages.tips = was })
	return reader.Done{Step: no, Changed: 1}, nil
}

// silent is an error of a kind that says nothing.
type silent struct{ error }

func (silent) Error() string   { return "" }
func (s silent) Unwrap() error { return s.error }

// unwatch takes a page off the list; its step brings it back.
func (f *fake) unwatch(id reader.FeedID) {
	was := slices.Clone(f.pages.list)
	f.pages.list = slices.DeleteFunc(f.pages.list, func(pg reader.Page) bool { return pg.Key == id })
	f.takeBack(uint64(len(f.steps)+1), func() { f.pages.list = was })
}

// adjustPage changes a setting of a page.
func (f *fake) adjustPage(no uint64, id reader.FeedID, field, value string) {
	pg := f.pageOf(id)
	if pg == nil || field != "threshold" {
		return
	}
	was := pg.Threshold
	pg.Threshold, _ = strconv.ParseFloat(value, 64)
	f.takeBack(no, func() { pg.Threshold = was })
}
