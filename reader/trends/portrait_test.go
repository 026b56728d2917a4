package trends

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/reader/stories"
	"diurna/store"
)

// kernelWords and others are what feeds write about, two of which are near each other.
var subjects = [][]string{
	{"kernel", "scheduler", "filesystem", "driver", "patch", "memory", "interrupt", "block"},
	{"sourdough", "oven", "flour", "crust", "butter", "yeast", "loaf", "rye"},
	{"harbour", "ferry", "lighthouse", "tide", "mooring", "sail", "anchor", "gale"},
	{"compiler", "parser", "inference", "register", "linker", "bytecode", "macro", "syntax"},
}

// wrote has feed f post an item of some words of subject n.
func (s *fakeLibrary) wrote(f, n, i int) store.ItemID {
	w := subjects[n]
	pick := func(k int) string { return w[(i*3+k)%len(w)] }
	return s.post(f, noon.Add(-time.Duration(60-i)*time.Hour), fmt.Sprintf("The %s and a %s", pick(0), pick(1)), fmt.Sprintf("<p>%s, %s, %s, item%d%d.", pick(2), pick(3), pick(4), f, i))
}

// TestPortrait: a feed is about its own words, focused or mixed, like the feed of the same
// subject, and has the items that stories say it has.
func TestPortrait(t *testing.T) {
	s := newFakeLibrary(t, 6)
	var members [][]stories.Member
	for i := range 24 {
		a := s.wrote(1, 0, i)
		b := s.wrote(2, 0, i+1)
		s.wrote(3, 1, i)
		s.wrote(4, 2, i)
		s.wrote(5, 3, i)
		s.wrote(6, i%4, i) // of everything
		if i%4 != 0 {
			members = append(members, []stories.Member{{ID: a}, {ID: b}})
		}
	}
	groups := stories.NewGroups(members, nil)
	k := s.keeper()
	of := func(f int) Portrait {
		t.Helper()
		p, err := k.Portrait(t.Context(), store.FeedID(f), groups)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for f := 1; f <= 5; f++ {
		p, n := of(f), max(f-2, 0)
		for _, term := range p.About {
			for _, word := range strings.Fields(term) {
				if !slices.Contains(subjects[n], strings.TrimSuffix(word, "s")) {
					t.Errorf("feed %d is about %q", f, p.About)
				}
			}
		}
		if len(p.About) < 3 || p.Focus() != "focused" {
			t.Errorf("feed %d: about %q, %s: %v of %v", f, p.About, p.Focus(), p.Cohesion, p.Mixed)
		}
		if near := len(p.Like) > 0 && p.Like[0].Feed == store.FeedID(3-f); near != (f <= 2) {
			t.Errorf("feed %d is like %+v", f, p.Like)
		}
	}
	if p := of(6); p.Focus() != "mixed" {
		t.Errorf("a feed of everything is %q: %v of %v", p.Focus(), p.Cohesion, p.Mixed)
	}
	one := of(1)
	if one.Checked != 24 || len(one.Overlap) != 1 || one.Overlap[0].Feed != 2 || one.Overlap[0].Share != .75 {
		t.Errorf("overlap of feed 1: %d, %+v", one.Checked, one.Overlap)
	}
	var words []string
	for _, l := range one.Lines() {
		words = append(words, l.Label+" "+l.Text)
	}
	if got := strings.Join(words, "\n"); !strings.Contains(got, "overlap 75 % also in Feed 2") || !strings.Contains(got, "focus focused (cohesion .") || !strings.Contains(got, "like it Feed 2 (") {
		t.Error(got)
	}
	b, err := json.Marshal(&one)
	if err != nil || !strings.Contains(string(b), `"overlap":[{"feed_id":"`+store.FeedID(2).String()+`","feed":"Feed 2","share":0.75}]`) {
		t.Errorf("%s, %v", b, err)
	}
	for range 3 { // sums do not hang on the order of maps
		if again, _ := s.keeper().Portrait(t.Context(), 1, groups); fmt.Sprint(again) != fmt.Sprint(one) {
			t.Errorf("%+v, then %+v", one, again)
		}
	}
	if p, err := k.Portrait(t.Context(), 77, nil); err != nil || len(p.Lines()) > 0 {
		t.Errorf("a feed that is not there: %+v, %v", p, err)
	}
}

// TestRedundant: a feed that has little of its own is named with the one that has its items;
// of two that have the same only one is named, the one that is opened less.
func TestRedundant(t *testing.T) {
	s := newFakeLibrary(t, 4)
	var members [][]stories.Member
	for i := range 20 {
		a, b, c := s.wrote(1, 0, i), s.wrote(2, 0, i), s.wrote(3, 0, i)
		s.wrote(3, 0, 20+i) // half of feed 3 is its own
		if s.wrote(4, 0, i); i < 17 {
			members = append(members, []stories.Member{{ID: a}, {ID: b}, {ID: c}})
		}
	}
	groups := stories.NewGroups(members, nil)
	named := func() (out []string) {
		list, err := s.keeper().Redundant(t.Context(), groups)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			out = append(out, fmt.Sprintf("%s in %s %.2f", r.Feed.Title, r.In.Title, r.In.Share))
		}
		return out
	}
	if got := named(); !slices.Equal(got, []string{"Feed 2 in Feed 1 0.85"}) {
		t.Errorf("%q", got)
	}
	s.trust = map[string]float64{store.FeedID(1).String(): .1, store.FeedID(2).String(): .6}
	if got := named(); !slices.Equal(got, []string{"Feed 1 in Feed 2 0.85"}) {
		t.Errorf("feed 2 is opened more: %q", got)
	}
	groups = stories.NewGroups(members[:15], nil)
	if got := named(); got != nil {
		t.Errorf("three quarters: %q", got)
	}
}

// reads counts the items that a library is asked for.
type reads struct {
	*fakeLibrary
	items int
}

func (r *reads) Items(ctx context.Context, ids []store.ItemID) ([]store.Item, error) {
	r.items += len(ids)
	return r.fakeLibrary.Items(ctx, ids)
}

// TestPortraitReadsLittle: at most so many items are read, however many feeds there are, and
// of the others none for the next feed until one posts.
func TestPortraitReadsLittle(t *testing.T) {
	s := newFakeLibrary(t, 700)
	for f := range s.feeds {
		for i := range 30 {
			s.wrote(f+1, f%4, i)
		}
	}
	r := &reads{fakeLibrary: s}
	k := New(r, s, s)
	ask := func(f store.FeedID) int {
		t.Helper()
		was := r.items
		if _, err := k.Portrait(t.Context(), f, nil); err != nil {
			t.Fatal(err)
		}
		return r.items - was
	}
	if n := ask(1); n > readItemsMost+ownItems || n < readItemsMost/2 {
		t.Errorf("%d items were read", n)
	}
	if n := ask(2); n > ownItems+fewestItems+otherItems {
		t.Errorf("%d items were read for the next feed", n)
	}
	s.feeds[9].Items++
	if n := ask(2); n == ownItems || n > ownItems+otherItems {
		t.Errorf("%d items were read after a feed posted", n)
	}
}

// TestPortraitCosts measures the first portrait of a library of so many feeds.
func TestPortraitCosts(t *testing.T) {
	if os.Getenv("DIURNA_BENCH") == "" {
		t.Skip("DIURNA_BENCH=1 measures it")
	}
	s := newFakeLibrary(t, 1000)
	for f := range s.feeds {
		for i := range 20 {
			s.wrote(f+1, f%4, i)
		}
	}
	k := s.keeper()
	for _, f := range []store.FeedID{1, 2} {
		from := time.Now()
		if _, err := k.Portrait(t.Context(), f, nil); err != nil {
			t.Fatal(err)
		}
		t.Log(time.Since(from))
	}
}
