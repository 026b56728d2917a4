package newsboat_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"diurna/reader"
	"diurna/store"
)

// TestAfterUndo: an import after an undo brings items that came back to newsboat's state
// of now, and its rules touch them as they touch new ones.
func TestAfterUndo(t *testing.T) {
	m := makeUp(t, 6, 300, 10)
	m.write(t, "config", "ignore-mode display\nignore-article \"*\" \"title =~ \\\"harbour\\\"\"\n")
	for i := range m.articles {
		m.articles[i].unread = i%3 > 0
	}
	m.save(t, 2)
	r, s := open(t, t.TempDir(), m)
	ctx := t.Context()
	bring := func() (rep muted) {
		t.Helper()
		before, err := r.Steps(ctx, 1)
		if err != nil {
			t.Fatal(err)
		}
		dry := m.bring(t, r, reader.ImportOptions{DryRun: true})
		got := m.bring(t, r, reader.ImportOptions{NoFetch: true})
		if dry.Filed != got.Filed || dry.Marked != got.Marked {
			t.Errorf("the dry run says %d filed, %d marked; the import did %d and %d", dry.Filed, dry.Marked, got.Filed, got.Marked)
		}
		after, err := r.Steps(ctx, 1)
		if err != nil || len(before) > 0 && after[0].No == before[0].No {
			t.Fatal("there is no new step", err)
		}
		list, err := r.Rules().List(ctx)
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		rows, err := s.Rows(ctx, store.RowQuery{Which: store.All})
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			if rows[i].Muted != 0 {
				rep.muted++
			} else if rows[i].Flags&store.FlagRead == 0 {
				rep.unread++
			}
		}
		if check, err := s.Check(ctx, true, nil); err != nil || len(check.Findings) > 0 {
			t.Errorf("check: %+v %v", check, err)
		}
		return rep
	}
	first := bring()
	if first.muted == 0 || first.unread == 0 {
		t.Fatalf("%+v", first)
	}
	undo := func() {
		t.Helper()
		if _, err := r.Undo(ctx, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	undo()
	if again := bring(); again != first {
		t.Errorf("after an undo: %+v, before it: %+v", again, first)
	}
	undo()
	for i := range m.articles {
		m.articles[i].unread = m.articles[i].unread && i%2 == 0
	}
	m.save(t, 2)
	if later := bring(); later.muted == 0 || later.muted+later.unread >= first.muted+first.unread {
		t.Errorf("after half was read: %+v, before: %+v", later, first)
	}
	undo()
	totals, err := r.Totals(ctx)
	if err != nil || totals.Feeds != 0 {
		t.Errorf("%+v, %v", totals, err)
	}
}

// muted counts the items that rules mute, and the unread ones.
type muted struct{ muted, unread int }

// TestTitles: a feed has its title of newsboat's cache until a fetch tells the
// publisher's, and a title of urls for good.
func TestTitles(t *testing.T) {
	m := makeUp(t, 3, 30, 10)
	m.write(t, "urls", m.url(0)+"\n"+m.url(1)+" \"~Own\"\n"+m.url(2)+"\n")
	r, _ := open(t, t.TempDir(), m)
	names := func() (all []string) {
		feeds, err := r.Feeds(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range feeds {
			all = append(all, feeds[i].Title+" "+feeds[i].Site)
		}
		slices.Sort(all)
		return all
	}
	m.bring(t, r, reader.ImportOptions{NoFetch: true})
	if got, want := names(), []string{"Cached 0 https://feed0.example/", "Cached 2 https://feed2.example/", "Own https://feed1.example/"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	if _, err := r.Fetch(t.Context(), reader.FetchRequest{}, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := names(), []string{"Feed 0 https://feed0.example/", "Feed 2 https://feed2.example/", "Own https://feed1.example/"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// TestTwoSpellings: articles that the cache has under two spellings of an address that
// urls names once are all of that feed, each once.
func TestTwoSpellings(t *testing.T) {
	m := makeUp(t, 2, 80, 10)
	m.write(t, "urls", m.url(0)+"\n")
	m.write(t, "config", "")
	file := filepath.Join(m.dir, "cache.db")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m.write(t, "cache.db", string(bytes.ReplaceAll(b, []byte(m.url(1)), []byte("http://feed0.example//rss.xml"))))
	r, s := open(t, t.TempDir(), m)
	for want := 80; want >= 0; want -= 80 { // the second import finds them all
		if rep := m.bring(t, r, reader.ImportOptions{NoFetch: true}); rep.Filed != want || rep.Strays != 1 {
			t.Errorf("%d filed, not %d; %d of other feeds", rep.Filed, want, rep.Strays)
		}
		m.compare(t, r, s, false)
	}
	if check, err := s.Check(t.Context(), true, nil); err != nil || len(check.Findings) > 0 {
		t.Errorf("check: %+v %v", check, err)
	}
}

// An import that stops early has ended with all that it began, so that the cache can be
// closed; the next one brings the rest. The feed has more articles than are read at once.
func TestStopped(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // else what goes on for a moment is not seen
	for name, cancels := range map[string]bool{"canceled": true, "closed": false} {
		m, dir := makeUp(t, 1, 5000, 5), t.TempDir()
		r, s := open(t, dir, m)
		setup := m.load(t)
		ctx, cancel := context.WithCancel(t.Context())
		rep, err := reader.NewsboatMover(r).Import(ctx, setup, reader.ImportOptions{NoFetch: true, Name: "import"}, time.Now(), func(int, int) {
			if cancels {
				cancel()
			} else {
				s.Close()
			}
		})
		stacks := make([]byte, 1<<20)
		if stacks = stacks[:runtime.Stack(stacks, true)]; bytes.Contains(stacks, []byte("newsboat.(*filer)")) {
			t.Errorf("%s: still at work:\n%s", name, stacks)
		}
		cancel()
		if err == nil || errors.Is(err, context.Canceled) != cancels || rep.Filed == 0 || rep.Filed == 5000 {
			t.Errorf("%s: %d filed, %v", name, rep.Filed, err)
		}
		if err := setup.Close(); err != nil {
			t.Error(err)
		}
		r, s = open(t, dir, m)
		if again := m.bring(t, r, reader.ImportOptions{NoFetch: true}); again.Filed != 5000-rep.Filed {
			t.Errorf("%s: %d and %d filed", name, rep.Filed, again.Filed)
		}
		m.compare(t, r, s, false)
	}
}
