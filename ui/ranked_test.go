package ui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"diurna/reader"
	"diurna/ui/impressions"
	"diurna/ui/keymap"
	"diurna/ui/lastrow"
	"diurna/ui/ranked"
	"diurna/ui/view"
)

// interest is what the fake knows of the reader's interests.
type interest struct {
	opens   int // opened items
	saw     []reader.Impression
	shownAt []time.Time
	found   []reader.ItemID // opened from a search
	trained []reader.Feedback
	past    reader.Hindsight
	asked   int // orders asked for
}

// Arrange: rows of feed 6 stand first, the others newest first; the second place
// is there to find out.
func (f *fake) Arrange(_ context.Context, _ time.Time, o reader.Order, rows []reader.Spot, _ int, progress func(done, of int)) (reader.Arrangement, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.interest.asked++
	if o != reader.Ranked && o != reader.Paper {
		return sorted(o, rows), nil
	}
	a := reader.Arrangement{Order: o, Opens: f.interest.opens, Finding: []bool{false, true}}
	for i := range rows {
		a.Index = append(a.Index, int32(i))
	}
	if !a.Early() {
		slices.SortStableFunc(a.Index, func(i, j int32) int {
			return map[bool]int{true: -1}[rows[i].ID.Feed() == 6] - map[bool]int{true: -1}[rows[j].ID.Feed() == 6]
		})
	}
	return a, nil
}

// sorted puts rows in an order that they say themselves.
func sorted(o reader.Order, rows []reader.Spot) reader.Arrangement {
	a := reader.Arrangement{Order: o}
	keys := make([]string, len(rows))
	for i := range rows {
		a.Index = append(a.Index, int32(i))
		switch o.Forward() {
		case reader.ByTitle:
			keys[i] = reader.SortKey(rows[i].Title)
		case reader.ByFeed:
			keys[i] = reader.SortKey(rows[i].Feed)
		}
	}
	slices.SortStableFunc(a.Index, func(i, j int32) int {
		if o == reader.Oldest {
			return cmp.Compare(rows[i].At, rows[j].At)
		}
		return strings.Compare(keys[i], keys[j])
	})
	if o != o.Forward() {
		slices.Reverse(a.Index)
	}
	return a
}

func (f *fake) WhyItem(_ context.Context, id reader.ItemID, _ int) (reader.ItemWhy, error) {
	w := reader.ItemWhy{ID: id.String(), Score: .121, Chance: .114, Bonus: .007, Start: .11, Opened: 412, Shown: 3744,
		FeedAge: noon.AddDate(0, 0, -6), Since: noon.AddDate(0, 0, -40), Place: 3, By: 3, Plain: 7, Finding: true}
	f.mu.Lock()
	defer f.mu.Unlock()
	if fd := f.feed(id.Feed()); fd != nil {
		w.Steps = append(w.Steps, reader.ReasonStep{Term: reader.Term{Kind: "feed", Name: fd.Title, Weight: 1, Opened: 1, Shown: 3}, From: .11, To: .149},
			reader.ReasonStep{Term: reader.Term{Kind: "folder", Name: "sea", Opened: 8, Shown: 96}, From: .149, To: .127})
	}
	w.Steps = append(w.Steps, reader.ReasonStep{Term: reader.Term{Kind: "topic", Name: "radio, antenna", Weight: .4, Opened: 2, Shown: 31}, From: .127, To: .114},
		reader.ReasonStep{Term: reader.Term{Kind: "word", Name: "small"}}, reader.ReasonStep{Term: reader.Term{Kind: "word", Name: "boats"}})
	for _, s := range w.Steps {
		w.Terms = append(w.Terms, s.Term)
	}
	return w, nil
}

func (f *fake) Train(_ context.Context, _ time.Time, feedback ...reader.Feedback) (reader.Done, string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.interest.trained = append(f.interest.trained, feedback...)
	return reader.Done{Step: f.step("more like this item", nil, nil, nil)}, "more like feed Bread and Salt, word oven", f.fail
}

func (f *fake) Freeze(context.Context, time.Time, bool) (reader.Done, error) {
	return reader.Done{}, f.fail
}

func (f *fake) Reset(context.Context, time.Time) (reader.Done, error) { return reader.Done{}, f.fail }

func (f *fake) Evidence(context.Context) (reader.Evidence, error) {
	var e reader.Evidence
	e.Opened, e.Shown, e.Since = 412, 3744, noon.AddDate(0, 0, -40)
	return e, nil
}

func (f *fake) EvidenceTable(context.Context) ([]byte, error) {
	return []byte("# kind\tname\topened\tnot opened\nfeed\t\"b2b Kernel Notes\"\t31.000\t17.250\nword\t\"oven\"\t2.000\t0.950\n"), nil
}

func (f *fake) Shown(_ context.Context, _, at time.Time, s []reader.Impression) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.interest.saw, f.interest.shownAt = append(f.interest.saw, s...), append(f.interest.shownAt, at)
	return nil
}

func (f *fake) OpenFound(ctx context.Context, id reader.ItemID) (reader.Article, error) {
	f.interest.found = append(f.interest.found, id)
	return f.Open(ctx, id)
}

func (f *fake) Hindsight(context.Context, time.Time, int, int) (reader.Hindsight, error) {
	return f.interest.past, nil
}

// wellRead is a fake whose reader has opened enough.
func wellRead() *fake {
	f := newFake()
	f.interest.opens = 40
	return f
}

// TestRankedScreens are the pictures of what Ranked shows.
func TestRankedScreens(t *testing.T) {
	shots := []struct {
		name string
		lib  *fake
		keys []string
	}{
		{"ranked", wellRead(), []string{"3"}}, {"ranked-why", wellRead(), []string{"3", "j", "w"}}, {"ranked-early", newFake(), []string{"3"}},
		{"river-by-rank", wellRead(), []string{"S"}}, {"taught", wellRead(), []string{"3", "+"}}, {"evidence", wellRead(), []string{":", "e", "v", "i", "d", "e", "n", "c", "e", "enter"}},
	}
	for _, size := range sizes {
		for _, s := range shots {
			t.Run(fmt.Sprintf("%s-%dx%d", s.name, size[0], size[1]), func(t *testing.T) {
				d := newDesk(t, s.lib, size[0], size[1])
				d.press(s.keys...)
				compare(t, d, size[0], size[1])
			})
		}
	}
	for _, theme := range []string{"16", "dark", "light", "mono"} {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("ranked-why-%s-%dx%d", theme, size[0], size[1]), func(t *testing.T) {
				d := newDesk(t, wellRead(), size[0], size[1], func(o *Options) { o.Config.Theme = theme })
				d.m.Scene.Th = d.m.look.theme()
				d.press("3", "j", "w")
				golden.RequireEqual(t, d.screen()) // escape sequences and all
			})
		}
	}
}

// order is the titles of the rows as they stand.
func (d *desk) order() []string {
	var out []string
	l := d.m.Items()
	for i := range l.List.N {
		out = append(out, l.At(i).Title)
	}
	return out
}

// TestRankedHasRiversRows: another order, the same rows; it stays until the list is
// left or g, and what comes waits.
func TestRankedHasRiversRows(t *testing.T) {
	lib := wellRead()
	d := newDesk(t, lib, 80, 24)
	river := d.order()
	d.press("3")
	ranked := d.order()
	if slices.Equal(river, ranked) {
		t.Fatal("Ranked is River: the test proves nothing")
	}
	a, b := slices.Clone(river), slices.Clone(ranked)
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) {
		t.Fatalf("Ranked has other rows:\n%q\nthan River:\n%q", b, a)
	}
	d.press("j", "m")
	asked := lib.interest.asked
	lib.rows = slices.Insert(lib.rows, 0, reader.Row{ID: item(6, 7), At: noon.Unix(), Title: "Fresh bread"})
	d.send(view.ChangedMsg{})
	if got := d.order(); !slices.Equal(got, ranked) || lib.interest.asked != asked {
		t.Errorf("the order moved under the reader's eyes:\n%q\n%q", got, ranked)
	}
	if !strings.Contains(d.screen(), "1 new") {
		t.Error("what came is not counted")
	}
	d.press("g")
	if got := d.order(); got[0] != "Fresh bread" || len(got) != len(ranked)+1 {
		t.Errorf("g gave %q", got)
	}
	d.press("S")
	if got := d.order(); got[0] != "Fresh bread" || !slices.Equal(got[1:], river) {
		t.Errorf("newest first gave %q", got)
	}
	asked = lib.interest.asked
	d.press("S", "S", "S")
	if got := d.order(); got[0] != "Fresh bread" || lib.interest.asked > asked+1 {
		t.Errorf("turned back and forth it was ordered %d times: %q", lib.interest.asked-asked, got)
	}
	d.press("S", "S", "&", "o", "v", "e", "n", "enter")
	if got := d.order(); len(got) != 1 {
		t.Errorf("narrowed: %q", got)
	}
	d.press("esc", "1")
	if got := d.order(); len(got) != len(river) { // one was read, one came
		t.Errorf("River again: %q", got)
	}
}

// TestMarkAllInRanked marks exactly the rows that stood there.
func TestMarkAllInRanked(t *testing.T) {
	lib := wellRead()
	d := newDesk(t, lib, 80, 24)
	d.press("3", "j", "M", "k")
	for i := range lib.rows {
		read := lib.rows[i].Flags&reader.FlagRead != 0
		first := lib.rows[i].ID.Feed() == 6
		if was := lib.rows[i].ID == item(2, 7); read != (first || was) {
			t.Errorf("%q read %v", lib.rows[i].Title, read)
		}
	}
}

// TestImpressions: what stands on the screen for a second while keys come is noted once
// with its best row; a screen that nobody touches teaches nothing.
func TestImpressions(t *testing.T) {
	lib := newFake()
	now := noon
	d := newDesk(t, lib, 80, 24, func(o *Options) { o.clock = func() time.Time { return now } })
	key := func(after time.Duration, k string) {
		now = now.Add(after)
		d.m.Update(keymap.Press(k))
	}
	later := func(after time.Duration) {
		now = now.Add(after)
		_, cmd := d.m.Update(impressions.LookMsg{})
		if cmd != nil {
			if msg := cmd(); msg != nil {
				t.Errorf("%T after the batch", msg)
			}
		}
	}
	key(0, "j")
	key(300*time.Millisecond, "2") // the list was there for 300 ms only
	later(time.Second)
	if len(lib.interest.saw) != 0 {
		t.Fatalf("saw %v", lib.interest.saw)
	}
	key(time.Minute, "1")
	later(1100 * time.Millisecond)
	n := 0
	for i := range lib.rows {
		if lib.rows[i].Flags&reader.FlagRead == 0 {
			n++
		}
	}
	if len(lib.interest.saw) != n || len(lib.interest.shownAt) != 1 {
		t.Fatalf("saw %d of %d rows in %d facts", len(lib.interest.saw), n, len(lib.interest.shownAt))
	}
	rows := map[int]bool{}
	for _, s := range lib.interest.saw {
		rows[s.Row] = true
	}
	if !rows[1] || rows[0] {
		t.Errorf("rows %v", rows)
	}
	later(time.Hour) // nobody is there
	key(time.Second, "j")
	later(2 * time.Second)
	if len(lib.interest.saw) != 2*n { // after an hour a new session
		t.Errorf("%d impressions after an hour, want %d", len(lib.interest.saw), 2*n)
	}
	later(time.Second)
	if d.m.session.Armed {
		t.Error("something will wake up although nobody pressed a key")
	}
}

// TestSearchTeachesNothing: what was found in the library is opened as found.
func TestSearchTeachesNothing(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("/", "o", "v", "e", "n", "tab", "enter")
	if len(lib.interest.found) != 1 {
		t.Fatalf("opened as found: %v", lib.interest.found)
	}
	d.press("q", "q", "enter")
	if len(lib.interest.found) != 1 {
		t.Errorf("opened as found from River: %v", lib.interest.found)
	}
}

// TestTeaching: + and - in every place, P and X only while w is open.
func TestTeaching(t *testing.T) {
	lib := wellRead()
	d := newDesk(t, lib, 80, 24)
	d.press("+", "-", "2", "j", "j", "-", "1", "enter", "+", "q")
	want := []reader.Feedback{{Item: item(1, 9)}, {Less: true, Item: item(1, 9)}, {Less: true, Subject: "feed", Name: reader.FeedID(1).String()}, {Item: item(1, 9)}}
	if !slices.Equal(lib.interest.trained, want) {
		t.Errorf("taught %+v, want %+v", lib.interest.trained, want)
	}
	d.press("P")
	if lib.feeds[0].Settings.Learning != reader.LearnedFrom || !strings.Contains(d.screen(), "while w is open") {
		t.Error("P acts without w")
	}
	d.press("3", "w", "P")
	if got := lib.feed(6).Settings.Learning; got != reader.Pinned {
		t.Errorf("P: %q", got)
	}
	d.press("X")
	if got := lib.feed(6).Settings.Learning; got != reader.Excluded {
		t.Errorf("X: %q", got)
	}
	d.press(":", "l", "e", "s", "s", " ", "w", "o", "r", "d", " ", "r", "y", "e", "enter")
	if got := lib.interest.trained[len(lib.interest.trained)-1]; got != (reader.Feedback{Less: true, Subject: "word", Name: "rye"}) {
		t.Errorf(":less taught %+v", got)
	}
}

// TestOffer: Ranked is offered with the reader's own numbers until that was read or
// answered, and then never again; nothing waits for the time to pass.
func TestOffer(t *testing.T) {
	const say = "3 is Ranked: its first 10 rows would hold 62 % of what you open, River's 35 %."
	lib := wellRead()
	lib.interest.past = reader.Hindsight{Opens: 40, Ranked: 25, Newest: 14, Total: 40, Rows: 20, Looks: 12, NDCG: .59, NDCGNewest: .39, Gain: .2, Low: .05, High: .35}
	now, cols := noon, 80
	open := func() *desk {
		d := newDesk(t, lib, cols, 24, func(o *Options) { o.Notice, o.clock = "Something else.", func() time.Time { return now } })
		d.run(d.m.ranked.Offer())
		d.says("Something else.")
		d.press("j")
		return d
	}
	stands := func(d *desk, want bool, when string) {
		t.Helper()
		if strings.Contains(d.screen(), say) != want || (lib.kept[ranked.OfferedName] == nil) != want {
			t.Errorf("%s: kept %q and the screen is\n%s", when, lib.kept[ranked.OfferedName], d.screen())
		}
	}
	d := open()
	stands(d, true, "under another sentence it waits for its turn")
	d.press("j", "2", "1")
	stands(d, true, "in another view, and back")
	now = now.Add(4 * time.Second)
	d.press("j")
	stands(d, true, "after four seconds")
	d = open()
	stands(d, true, "in another session, where it was not read yet")
	d.press("3")
	stands(d, false, "answered")
	d.press("1", "S")
	stands(d, false, "answered once more")
	delete(lib.kept, ranked.OfferedName)
	d = open()
	d.press("k")
	now = now.Add(lastrow.ReadIn)
	if d.press("Q"); !d.quit {
		t.Fatal("Q does not quit")
	}
	if string(lib.kept[ranked.OfferedName]) != "yes" {
		t.Error("read, and Q did not keep that")
	}
	d = open()
	if strings.Contains(d.screen(), say) {
		t.Error("Ranked was offered twice")
	}
	if _, cmd := d.m.Update(ranked.OfferMsg{Past: lib.interest.past}); cmd != nil {
		t.Error("something waits while it is offered")
	}
	lib = wellRead()
	lib.interest.past = reader.Hindsight{Opens: 40, Ranked: 40, Newest: 40, Total: 40, Looks: 12, NDCG: .59, NDCGNewest: .39, Gain: .2, Low: .05, High: .35}
	d = open()
	d.says("What you opened would have stood higher in Ranked than in River. 3 shows it.")
	lib, cols = wellRead(), 120
	lib.interest.past = reader.Hindsight{Opens: 40, Ranked: 25, Newest: 14, Total: 40, Looks: 12, Gain: .1, Low: -.05, High: .25}
	if d = open(); strings.Contains(d.screen(), say) || !strings.HasPrefix(string(lib.kept[ranked.OfferedName]), "412 ") {
		t.Error("Ranked was offered although it is not known to be better")
	}
	const lacks = "Ranked is not yet known to be better than newest first: nDCG@10 +.10 (-.05 to +.25) over 12 looks"
	d.press("3")
	d.shows(lacks)
	d.press("1", "3")
	d.lacks(lacks)
	d = open()
	d.press("3") // in another session, without a replay
	d.shows(lacks)
}

// TestRankedBegins: until its order is there Ranked shows River's, and keys work. What
// is chosen by then stays chosen, also at the top; without a key the top is shown.
func TestRankedBegins(t *testing.T) {
	for _, c := range []struct{ keys, chosen string }{
		{"", "Two comets this week 🌠 and a 👩‍🚀 to watch them"}, {"j k", "The new block layer, six months on"}, {"j", "Ferry 3 out of service until Monday"},
	} {
		lib := wellRead()
		d := newDesk(t, lib, 80, 24)
		river := d.order()
		held := d.hold("3")
		d.press(strings.Fields(c.keys)...)
		if got := d.order(); !slices.Equal(got, river) || !strings.Contains(d.screen(), "[3Ranked]") {
			t.Errorf("before its order is there it shows %q", got)
		}
		d.run(held)
		if got := d.order(); slices.Equal(got, river) || d.m.Top().Row().Title != c.chosen {
			t.Errorf("after %q the chosen item is %q, want %q; the order is %q", c.keys, d.m.Top().Row().Title, c.chosen, got)
		}
	}
	d := newDesk(t, wellRead(), 80, 24)
	held := d.hold("3")
	d.press("m")
	d.run(held)
	if got := d.m.Top().Row(); got.ID != item(1, 9) || unread(got) {
		t.Errorf("m marked another item than what is chosen: %+v", got)
	}
}

// While a long ranking is under way row 1 says how far it is, keys work, and what
// comes late is not shown.
func TestRankingShowsItsProgress(t *testing.T) {
	d := newDesk(t, wellRead(), 80, 24)
	held := d.hold("3")
	d.m.Update(ranked.RankingMsg{Done: 12000, Of: 50000})
	if !strings.Contains(d.screen(), "ranking 12,000 of 50,000") {
		t.Errorf("no progress:\n%s", d.screen())
	}
	before := d.screen()
	d.press("j")
	if d.screen() == before {
		t.Error("j does nothing meanwhile")
	}
	d.run(held)
	d.m.Update(ranked.RankingMsg{Done: 49000, Of: 50000})
	if strings.Contains(d.screen(), "ranking") {
		t.Errorf("still ranking:\n%s", d.screen())
	}
}
