package match

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"diurna/store"
)

// fields are what a publisher may correct of an item.
type fields struct{ guid, title, link, file, author, label, date, text string }

func (x fields) String() string {
	var b strings.Builder
	put := func(format, v string) {
		if v != "" {
			fmt.Fprintf(&b, format, v)
		}
	}
	put("<title>%s</title>", x.title)
	put(`<guid isPermaLink="false">%s</guid>`, x.guid)
	put("<link>%s</link>", x.link)
	put(`<enclosure url="%s" type="audio/mpeg" length="5"/>`, x.file)
	put("<author>%s</author>", x.author)
	put("<category>%s</category>", x.label)
	put("<pubDate>%s</pubDate>", x.date)
	put("<description>%s</description>", x.text)
	return b.String()
}

// stories are n items that differ.
func stories(n int) []fields {
	all := make([]fields, n)
	for i := range all {
		at := time.Date(2026, 2, 1+i, 10, 0, 0, 0, time.UTC).Format(time.RFC1123Z)
		all[i] = fields{fmt.Sprintf("g%d", i), fmt.Sprintf("The pier of harbour %c is closed", 'A'+i), fmt.Sprintf("https://x.example/%d", i),
			fmt.Sprintf("https://x.example/%d.mp3", i), "Ann", "sea", at, fmt.Sprintf("What happened at pier %d, at a length that tells it from all others.", i)}
	}
	return all
}

// serve files a document of items, changed by change.
func (f *filer) serve(items []fields, change func(i int, x *fields)) int {
	f.t.Helper()
	var all []string
	for i, x := range items {
		if change != nil {
			change(i, &x)
		}
		all = append(all, x.String())
	}
	return f.file(documentOf(f.t.(*testing.T), all...))
}

// readAll marks all items read.
func (f *filer) readAll() {
	f.t.Helper()
	var ids []store.ItemID
	for _, row := range f.rows() {
		ids = append(ids, row.ID)
	}
	if _, err := f.s.Act(f.t.Context(), f.now, "test", store.Change{Kind: store.MarkedRead, Items: ids}); err != nil {
		f.t.Fatal(err)
	}
}

// unread counts the items that are so, and checks the library.
func (f *filer) unread() (n int) {
	f.t.Helper()
	for _, row := range f.rows() {
		if row.Flags&store.FlagRead == 0 {
			n++
		}
	}
	if rep, err := f.s.Check(f.t.Context(), true, nil); err != nil || len(rep.Findings) > 0 {
		f.t.Fatalf("%+v, %v", rep, err)
	}
	return n
}

// edits counts the facts of edits.
func (f *filer) edits() (n int) {
	f.t.Helper()
	if _, err := f.s.Facts(f.t.Context(), 0, func(x *store.Fact) error {
		if x.Kind == store.Edited {
			n++
		}
		return nil
	}); err != nil {
		f.t.Fatal(err)
	}
	return n
}

// TestCorrections: what a publisher corrects beside the text is taken, whether
// the item was read or not; only another title is reported, and another word in it.
func TestCorrections(t *testing.T) {
	for name, c := range map[string]struct {
		change   func(x *fields)
		got      func(it *store.Item) string
		want     string
		reported bool
	}{
		"link":     {func(x *fields) { x.link = "https://x.example/right" }, func(it *store.Item) string { return it.Link }, "https://x.example/right", false},
		"https":    {func(x *fields) { x.link = "http://x.example/2" }, func(it *store.Item) string { return it.Link }, "https://x.example/2", false},
		"tracking": {func(x *fields) { x.link += "?utm_source=b" }, func(it *store.Item) string { return it.Link }, "https://x.example/2", false},
		"no link":  {func(x *fields) { x.link, x.file = "", "" }, func(it *store.Item) string { return it.Link }, "https://x.example/2", false},
		"no text":  {func(x *fields) { x.text = "" }, func(it *store.Item) string { return fmt.Sprint(it.Words > 5) }, "true", false},
		"no text, another title": {func(x *fields) { x.title, x.text = "The pier of harbour C is open", "" }, func(it *store.Item) string { return fmt.Sprint(it.Words > 5, it.Title) },
			"trueThe pier of harbour C is open", true},
		"enclosure": {func(x *fields) { x.file = "https://x.example/right.mp3" }, func(it *store.Item) string { return it.Enclosures[0].URL }, "https://x.example/right.mp3", false},
		"author":    {func(x *fields) { x.author = "Bob" }, func(it *store.Item) string { return it.Author }, "Bob", false},
		"category":  {func(x *fields) { x.label = "land" }, func(it *store.Item) string { return it.Categories[0] }, "land", false},
		"votes":     {func(x *fields) { x.title += " (5 votes)" }, func(it *store.Item) string { return it.Title }, "The pier of harbour C is closed (5 votes)", true},
		"title":     {func(x *fields) { x.title = "The pier of harbour C is open" }, func(it *store.Item) string { return it.Title }, "The pier of harbour C is open", true},
	} {
		for _, read := range []bool{true, false} {
			f := newFiler(t, t.TempDir())
			items := stories(6)
			f.serve(items, nil)
			if read {
				f.readAll()
			}
			before := f.unread()
			f.serve(items, func(i int, x *fields) {
				if i == 2 {
					c.change(x)
				}
			})
			var it store.Item
			for _, row := range f.rows() {
				got, err := f.s.Item(t.Context(), row.ID)
				if err != nil {
					t.Fatal(err)
				}
				if got.IDRaw == "g2" {
					it = got
					if reported := c.reported && read; (row.Was != "") != reported || (row.Flags&store.FlagChanged != 0) != reported {
						t.Errorf("%s, read %v: %q was %q, flags %b", name, read, row.Title, row.Was, row.Flags)
					}
				}
			}
			if c.got(&it) != c.want {
				t.Errorf("%s, read %v: %q, want %q", name, read, c.got(&it), c.want)
			}
			if n := f.unread(); n != before && !(c.reported && read) || !c.reported && (it.Edits > 0 || f.edits() > 0) {
				t.Errorf("%s, read %v: %d unread, then %d; %d edits, %d facts", name, read, before, n, it.Edits, f.edits())
			}
			f.close()
		}
	}
}

// TestTitlesOfMachines: titles that count, that change by turns or in most of the
// items, and the first document that is read since titles are followed, leave no
// mark, no former text and nothing unread; what is stored is what came.
func TestTitlesOfMachines(t *testing.T) {
	for name, change := range map[string]func(turn, i int, x *fields){
		"votes in one": func(turn, i int, x *fields) {
			if i == 1 {
				x.title += fmt.Sprintf(" [%d]", turn)
			}
		},
		"the hour in all":     func(turn, i int, x *fields) { x.title = fmt.Sprintf("%d:00 %s", turn, x.title) },
		"two forms by turns":  func(turn, _ int, x *fields) { x.title = strings.Repeat("Live: ", turn%2) + x.title },
		"links with a number": func(turn, i int, x *fields) { x.link = fmt.Sprintf("https://x.example/%d?t=%d", i, turn) },
		"new names, new titles": func(turn, i int, x *fields) {
			x.guid, x.link = fmt.Sprintf("%d-%d", turn, i), fmt.Sprintf("https://x.example/s%d/%d", turn, i)
			x.title += fmt.Sprintf(" (%d comments)", turn)
		},
		"short, no names, new titles": func(turn, i int, x *fields) {
			x.guid, x.link, x.file, x.text = "", "", "", fmt.Sprintf("pier %d, see there", i)
			x.title = fmt.Sprintf("Story %d, update %d", i, turn)
		},
	} {
		f := newFiler(t, t.TempDir())
		items := stories(8)
		f.serve(items, func(i int, x *fields) { change(0, i, x) })
		f.readAll()
		for turn := 1; turn < 40; turn++ {
			if turn == 20 {
				f.now = f.now.Add(30 * time.Hour)
			}
			if n := f.serve(items, func(i int, x *fields) { change(turn, i, x) }); n != 0 {
				t.Fatalf("%s: turn %d brings %d new items", name, turn, n)
			}
		}
		if n := f.unread(); n != 0 || len(f.rows()) != len(items) || f.edits() != 0 {
			t.Errorf("%s: %d unread, %d rows, %d facts of edits", name, n, len(f.rows()), f.edits())
		}
		corrected := 0
		for _, row := range f.rows() {
			it, err := f.s.Item(t.Context(), row.ID)
			if err != nil {
				t.Fatal(err)
			}
			corrected = max(corrected, it.Corrected)
			if former, err := f.s.Revisions(t.Context(), row.ID); len(former) > 0 || row.Was != "" {
				t.Errorf("%s: %q was %q, %d former texts, %v", name, row.Title, row.Was, len(former), err)
			}
		}
		if corrected < 1 || corrected > maxCorrections+2 {
			t.Errorf("%s: an item was rewritten %d times in 39 turns of two days", name, corrected)
		}
		f.close()
	}
}

// TestTitlesOfTheUnread: what changes alike in what is unread too, or in most of
// it, is no news of the few that were read.
func TestTitlesOfTheUnread(t *testing.T) {
	for name, change := range map[string]func(i int, x *fields){
		"all": func(i int, x *fields) {
			x.title = strings.Repeat(fmt.Sprintf("w%cx%c ", 'a'+i, 'k'+i), 3) + strings.Repeat(string(rune('p'+i)), 4) + " of many"
		},
		"a note before six": func(i int, x *fields) {
			if i < 6 {
				x.title = "Presented by our kind sponsors of today: " + x.title
			}
		},
	} {
		f := newFiler(t, t.TempDir())
		items := stories(8)
		f.serve(items, nil)
		var read []store.ItemID
		for _, row := range f.rows() {
			if it, err := f.s.Item(t.Context(), row.ID); err != nil || it.IDRaw == "g1" {
				read = append(read, row.ID)
			}
		}
		if _, err := f.s.Act(t.Context(), f.now, "test", store.Change{Kind: store.MarkedRead, Items: read}); err != nil {
			t.Fatal(err)
		}
		before := f.unread()
		f.serve(items, change)
		if n := f.unread(); n != before {
			t.Errorf("%s: %d unread, then %d", name, before, n)
		}
		for _, row := range f.rows() {
			if row.Flags&store.FlagRead == 0 && (row.Flags&store.FlagChanged != 0 || row.Was != "") {
				t.Errorf("%s: unread %q was %q", name, row.Title, row.Was)
			}
		}
		f.close()
	}
}

// TestTitlesByTurns: one title of two forms by turns is reported once.
func TestTitlesByTurns(t *testing.T) {
	f := newFiler(t, t.TempDir())
	defer f.close()
	items := stories(8)
	for turn := range 40 {
		f.serve(items, func(i int, x *fields) {
			if i == 4 && turn%2 == 1 {
				x.title = "Ferries meet at the breakwater, nobody is hurt"
			}
		})
		if n := f.unread(); turn > 2 && n > 0 {
			t.Fatalf("turn %d: %d unread", turn, n)
		}
		f.readAll()
	}
	for _, row := range f.rows() {
		if former, err := f.s.Revisions(t.Context(), row.ID); err != nil || len(former) > 2 {
			t.Errorf("%q: %d former texts, %v", row.Title, len(former), err)
		}
	}
	if n := f.edits(); n > 2 {
		t.Errorf("%d facts of edits", n)
	}
}

// TestTitlesSinceBefore: a library from before titles were followed takes what
// changed meanwhile over without a word, once.
func TestTitlesSinceBefore(t *testing.T) {
	f := newFiler(t, t.TempDir())
	defer f.close()
	items := stories(8)
	f.serve(items, nil)
	f.readAll()
	feeds, err := f.s.Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := feeds[0].Poll
	p.TitlesTaken = false
	if _, err := f.s.File(t.Context(), f.now, []store.Filing{{Feed: f.id, Poll: &p}}); err != nil {
		t.Fatal(err)
	}
	for n, title := range []string{"Ferries meet at the breakwater, nobody is hurt", "A ferry goes down at the breakwater, two are hurt"} {
		f.serve(items, func(i int, x *fields) {
			if i == 4 {
				x.title = title
			}
		})
		if got := f.unread(); got != n || f.edits() != n || !strings.Contains(fmt.Sprint(f.rows()), title) {
			t.Errorf("document %d: %d unread, %d facts of edits", n, got, f.edits())
		}
	}
}

// TestMoveOfASite: after a move the old items lead to the new place.
func TestMoveOfASite(t *testing.T) {
	f := newFiler(t, t.TempDir())
	defer f.close()
	items := stories(8)
	f.serve(items, nil)
	f.readAll()
	if n := f.serve(items, func(i int, x *fields) {
		x.guid, x.link = fmt.Sprint("https://new.example/?p=", i), fmt.Sprintf("https://new.example/posts/%d", i)
	}); n != 0 || f.unread() != 0 {
		t.Fatalf("%d new items", n)
	}
	for _, row := range f.rows() {
		if it, err := f.s.Item(t.Context(), row.ID); err != nil || !strings.HasPrefix(it.Link, "https://new.example/posts/") {
			t.Errorf("%q leads to %s, %v", it.Title, it.Link, err)
		}
	}
}

// TestOneAddressForEver: posts that follow one another under one link, without
// ids, each alone in its document: none is lost, however it is corrected while
// it stands there, and what comes back is known.
func TestOneAddressForEver(t *testing.T) {
	f := newFiler(t, t.TempDir())
	defer f.close()
	posts := stories(6)
	for i := range posts {
		x := posts[i]
		x.guid, x.link, x.file = "", "https://x.example/today", ""
		for n, change := range []func(*fields){func(*fields) {}, func(x *fields) { x.title += ", says the master" }, func(x *fields) { x.text += " More." },
			func(x *fields) { x.date = strings.Replace(x.date, "10:00:00", "11:30:00", 1) }, func(*fields) {}} {
			y := x
			change(&y)
			if got := f.serve([]fields{y}, nil); (got == 1) != (n == 0) {
				t.Fatalf("post %d, turn %d: %d new items", i, n, got)
			}
			f.readAll()
		}
		posts[i] = x
	}
	if n := f.serve(posts[:1], nil); n != 0 {
		t.Errorf("the first post is new again")
	}
	if got := len(f.rows()); got != len(posts) {
		t.Errorf("%d of %d posts", got, len(posts))
	}
	// A list under addresses that are its own, all rewritten, is still the same.
	g := newFiler(t, t.TempDir())
	defer g.close()
	all := stories(6)
	again := func(turn int) int {
		return g.serve(all, func(i int, x *fields) {
			x.guid, x.title, x.text = "", fmt.Sprintf("%s, hour %d", x.title, turn), fmt.Sprintf("%s Seen %d times.", x.text, turn)
			x.date = time.Date(2026, 2, 20, turn, i, 0, 0, time.UTC).Format(time.RFC1123Z)
		})
	}
	again(0)
	if n := again(1); n != 0 {
		t.Errorf("%d items of a list that was rewritten are new", n)
	}
}
