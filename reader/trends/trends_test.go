package trends

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"diurna/reader/model"
	"diurna/store"
)

// noon is now in these tests.
var noon = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

// fakeLibrary is a library in memory, with a cache on the disk.
type fakeLibrary struct {
	t     testing.TB
	facts []store.Fact
	items map[store.ItemID]store.Item
	html  map[store.ItemID]string
	next  map[store.FeedID]uint32
	muted map[store.ItemID]bool
	feeds []model.Feed
	trust map[string]float64
	cache *store.Cache
}

func newFakeLibrary(t testing.TB, feeds int) *fakeLibrary {
	s := &fakeLibrary{t: t, items: map[store.ItemID]store.Item{}, html: map[store.ItemID]string{}, next: map[store.FeedID]uint32{}, muted: map[store.ItemID]bool{}, cache: newCache(t)}
	for i := range feeds {
		s.feeds = append(s.feeds, model.Feed{Key: store.FeedID(i + 1), Title: fmt.Sprint("Feed ", i+1)})
	}
	return s
}

func newCache(t testing.TB) *store.Cache {
	dir := t.TempDir()
	st, err := store.Open(store.Options{Dir: dir, CacheDir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return st.Cache()
}

func (s *fakeLibrary) Exists() bool        { return true }
func (s *fakeLibrary) Cache() *store.Cache { return s.cache }
func (s *fakeLibrary) keeper() *Keeper     { return New(s, s, s) }
func (s *fakeLibrary) fact(f *store.Fact) {
	f.No = uint64(len(s.facts) + 1)
	s.facts = append(s.facts, *f)
}
func (s *fakeLibrary) on(c *store.Cache) *fakeLibrary { t := *s; t.cache = c; return &t }

func (s *fakeLibrary) Feeds(context.Context) ([]model.Feed, error) { return s.feeds, nil }
func (s *fakeLibrary) Weights(context.Context) map[string]float64  { return s.trust }
func (s *fakeLibrary) Totals(context.Context) (store.Totals, error) {
	return store.Totals{Facts: uint64(len(s.facts))}, nil
}
func (s *fakeLibrary) Descent(context.Context, string) (store.Descent, error) {
	return store.Descent{Began: noon}, nil
}

func (s *fakeLibrary) Facts(_ context.Context, after uint64, visit func(*store.Fact) error) (uint64, error) {
	for i := after; i < uint64(len(s.facts)); i++ {
		if err := visit(&s.facts[i]); err != nil {
			return 0, err
		}
	}
	return uint64(len(s.facts)), nil
}

func (s *fakeLibrary) Items(_ context.Context, ids []store.ItemID) ([]store.Item, error) {
	out := make([]store.Item, len(ids))
	for i, id := range ids {
		out[i] = s.items[id]
	}
	return out, nil
}

func (s *fakeLibrary) Bodies(_ context.Context, ids []store.ItemID, visit func(store.ItemID, store.Body)) error {
	for _, id := range ids {
		visit(id, store.Body{HTML: s.html[id]})
	}
	return nil
}

func (s *fakeLibrary) Rows(_ context.Context, q store.RowQuery) (out []store.Row, _ error) {
	if q.Which == store.ReadRows {
		for i := range s.facts {
			id, at := s.facts[i].Items[0], s.facts[i].At.Unix()
			if (q.Before == store.Cursor{}) || at < q.Before.At || at == q.Before.At && id > q.Before.ID {
				out = append(out, store.Row{ID: id, At: at, Muted: map[bool]int{true: 1}[s.muted[id]]})
			}
		}
		slices.SortFunc(out, func(a, b store.Row) int { return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.ID, b.ID)) })
		return out[:min(len(out), q.Limit)], nil
	}
	for n := s.next[q.Feed]; n > 0 && len(out) < q.Limit; n-- {
		out = append(out, store.Row{ID: store.MakeItemID(q.Feed, n)})
	}
	return out, nil
}

// post has a feed post an item at a time.
func (s *fakeLibrary) post(feed int, at time.Time, title, html string) store.ItemID {
	f := store.FeedID(feed)
	s.next[f]++
	id := store.MakeItemID(f, s.next[f])
	s.items[id], s.html[id] = store.Item{ID: id, Title: title}, html
	s.fact(&store.Fact{Kind: store.Arrived, At: at, Feed: f, Items: []store.ItemID{id}, Nums: []int64{store.Dateless}})
	return id
}

func (s *fakeLibrary) top(since time.Duration, limit int) []Trend {
	s.t.Helper()
	k := s.keeper()
	if err := k.Update(s.t.Context(), noon, nil); err != nil {
		s.t.Fatal(err)
	}
	r, err := k.Top(s.t.Context(), since, noon, limit)
	if err != nil || r.Missing {
		s.t.Fatal(r, err)
	}
	return r.Trends
}

func place(list []Trend, what string) int {
	return slices.IndexFunc(list, func(t Trend) bool { return strings.EqualFold(t.What, what) })
}

const day24 = 24 * time.Hour

// fill has each feed post two items a day for five weeks, with words of its own and some
// that all use.
func (s *fakeLibrary) fill() {
	for d := 35; d > 0; d-- {
		for f := range s.feeds {
			at := noon.Add(-time.Duration(d)*day24 + time.Duration(f)*time.Minute)
			s.post(f+1, at, fmt.Sprintf("A report about thing%d and weather", f), fmt.Sprintf(`<p>Usual text%d. <a href="https://foot.example/">about</a>`, d%7))
			s.post(f+1, at.Add(time.Hour), fmt.Sprintf("More of subject%d, by committee%d", d, f%2), "")
		}
	}
}

// TestNewWords: a word that is new in five feeds stands before one that is frequent, one
// that is new in a single feed does not.
func TestNewWords(t *testing.T) {
	s := newFakeLibrary(t, 8)
	s.fill()
	for f := range 5 {
		s.post(f+1, noon.Add(-time.Duration(f+1)*time.Hour), "The quasar page checksums arrive", "")
	}
	for i := range 9 {
		s.post(7, noon.Add(-time.Duration(i+1)*time.Hour), "Only here: monocle", "")
	}
	list := s.top(day24, 20)
	fresh, common := -1, place(list, "committee0")
	for i := range list {
		if strings.Contains(list[i].What+" "+strings.Join(list[i].Also, " "), "quasar page") {
			fresh = i
		}
	}
	if fresh < 0 || list[fresh].Kind != Emerging || list[fresh].Feeds != 5 || list[fresh].Usual != 0 {
		t.Errorf("quasar: %+v", list)
	}
	if common < fresh { // -1 too
		t.Errorf("frequent at %d, new at %d", common, fresh)
	}
	if at := place(list, "monocle"); at >= 0 {
		t.Errorf("a word of one feed: %+v", list[at])
	}
	if at := place(list, "weather"); at >= 0 && list[at].Kind == Emerging {
		t.Errorf("weather is not new: %+v", list[at])
	}
	if at := place(list, "the"); at >= 0 {
		t.Error("the is a trend")
	}
}

// TestFewFeeds: a word that each of three feeds used once is a trend, in a library where
// feeds have no history and in one where they have; that all use it does not count against
// a word of few items.
func TestFewFeeds(t *testing.T) {
	for _, history := range []int{0, 2, 4, 6} {
		s := newFakeLibrary(t, 3)
		for f := range s.feeds {
			for d := range history {
				s.post(f+1, noon.Add(-time.Duration(3+d)*day24), fmt.Sprintf("Older thing%d%d", d, f), "")
			}
			s.post(f+1, noon.Add(-time.Duration(f+1)*time.Hour), "The zebra escaped", "")
			s.post(f+1, noon.Add(-time.Hour), fmt.Sprint("Other", f), "")
		}
		for _, since := range []time.Duration{day24, 7 * day24} {
			if list := s.top(since, 10); place(list, "zebra escaped") < 0 {
				t.Errorf("%d older items, since %v: %+v", history, since, list)
			}
		}
	}
}

// TestLinks: a link that several feeds point to comes first; the one at the foot of every
// item is none.
func TestLinks(t *testing.T) {
	s := newFakeLibrary(t, 6)
	s.fill()
	for f, address := range []string{"https://www.smalldb.example/checksums/?utm_source=x", "http://smalldb.example/checksums#top", "https://smalldb.example/checksums"} {
		s.post(f+1, noon.Add(-time.Hour), "Read this", `<p>See <a href="`+address+`">this</a>, and <a href="https://foot.example/">about</a>`)
	}
	list := s.top(day24, 10)
	if len(list) == 0 || list[0].Kind != Link || list[0].Feeds != 3 || !strings.Contains(list[0].What, "smalldb.example/checksums") {
		t.Fatalf("%+v", list)
	}
	for _, l := range list {
		if strings.Contains(l.What, "foot.example") {
			t.Errorf("%+v", l)
		}
	}
	if q := list[0].Query(); q != "linksto:"+list[0].What {
		t.Error(q)
	}
	for what, query := range map[string]string{"https://sea.example/a?token=…": "", "https://sea.example/a_(b)*": `linksto:"https://sea.example/a_(b)*"`} {
		if q := (&Trend{Kind: Link, What: what}).Query(); q != query {
			t.Errorf("%s: %s", what, q)
		}
	}
	long := "https://sea.example/" + strings.Repeat("long", 200) + "?token=abc"
	for f := range 3 {
		s.post(f+1, noon.Add(-time.Hour), "And this", `<a href="`+long+`">this</a>`)
	}
	if at := place(s.top(day24, 10), strings.TrimSuffix(long, "abc")+"…"); at < 0 {
		t.Errorf("no address of %d bytes, without its token", len(long))
	}
}

// TestTrust: of two words new in as many feeds the one of feeds that are opened is first.
func TestTrust(t *testing.T) {
	s := newFakeLibrary(t, 8)
	s.fill()
	for f := range 3 {
		s.post(f+1, noon.Add(-time.Hour), "zebra", "")
		s.post(f+5, noon.Add(-time.Hour), "antelope", "")
	}
	for _, favourite := range []int{0, 4} {
		s.trust = map[string]float64{}
		for i := range s.feeds {
			w := .1
			if i/4*4 == favourite {
				w = 1
			}
			s.trust[s.feeds[i].Key.String()] = w
		}
		list := s.top(day24, 20)
		if z, a := place(list, "zebra"), place(list, "antelope"); z < 0 || a < 0 || (z < a) != (favourite == 0) {
			t.Errorf("favourite %d: zebra %d, antelope %d", favourite, z, a)
		}
	}
}

// TestMutedAreNoTrend: what a rule mutes is not counted.
func TestMutedAreNoTrend(t *testing.T) {
	s := newFakeLibrary(t, 6)
	s.fill()
	for f := range 4 {
		s.muted[s.post(f+1, noon.Add(-time.Hour), "zebra", "")] = true
	}
	if at := place(s.top(day24, 20), "zebra"); at >= 0 {
		t.Error("muted items are a trend")
	}
	// Of a word with muted items and others only the others count.
	var left []store.ItemID
	for f := range 6 {
		id := s.post(f+1, noon.Add(-time.Duration(f+1)*time.Minute), "quagga", "")
		if s.muted[id] = f >= 4; f < 4 {
			left = append(left, id)
		}
	}
	list := s.top(day24, 20)
	if at := place(list, "quagga"); at < 0 || list[at].Items != 4 || list[at].Feeds != 4 || !slices.Equal(list[at].Newest, left) || list[at].First != left[3] {
		t.Errorf("of 4 that are not muted: %+v", list)
	}
}

// TestMutedCountNowhere: trends are those of a library without the muted items, in the columns
// of days, what is usual and the order too.
func TestMutedCountNowhere(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	all, without := newFakeLibrary(t, 6), newFakeLibrary(t, 6)
	all.fill()
	without.fill()
	for i := range 300 {
		feed, at := r.IntN(6)+1, noon.Add(-time.Duration(r.IntN(25*24*60))*time.Minute)
		if i%3 == 0 {
			at = noon.Add(-time.Duration(r.IntN(24*60)) * time.Minute)
		}
		word := []string{"quagga", "okapi", "zebra"}[r.IntN(3)]
		html := fmt.Sprintf(`<a href="https://%s.example/%d">x</a>`, word, r.IntN(3))
		muted := word != "zebra" && r.IntN(2) == 0
		all.muted[all.post(feed, at, word, html)] = muted
		if !muted {
			without.post(feed, at, word, html)
		}
	}
	for _, since := range []time.Duration{day24, 7 * day24} {
		got, want := all.top(since, 20), without.top(since, 20)
		if len(want) < 4 || len(got) != len(want) {
			t.Fatalf("%d trends, want %d", len(got), len(want))
		}
		for i := range got {
			g, w := &got[i], &want[i]
			if g.What != w.What || g.Items != w.Items || g.Feeds != w.Feeds || g.Usual != w.Usual || g.Score != w.Score || g.Daily != w.Daily || !g.FirstAt.Equal(w.FirstAt) || len(g.Newest) != len(w.Newest) {
				t.Errorf("%d:\n%+v, want\n%+v", i, g, w)
			}
		}
	}
}

// TestScripts: words without spaces and with accents are trends too.
func TestScripts(t *testing.T) {
	s := newFakeLibrary(t, 6)
	s.fill()
	for f, title := range []string{"三月の港湾工事について", "港湾工事、はじまる", "港湾工事とうみ"} {
		s.post(f+1, noon.Add(-time.Hour), title, "")
	}
	for f, title := range []string{"Über Brücken", "uber Brucken", "ÜBER BRÜCKEN"} {
		s.post(f+1, noon.Add(-time.Hour), title, "")
	}
	for f, title := range []string{"二十八日の港", "船が二十隻", "橋は二十年"} {
		s.post(f+1, noon.Add(-time.Hour), title, "")
	}
	for f, title := range []string{"地铁十二号线开通", "十二号线今日", "乘十二号线"} {
		s.post(f+1, noon.Add(-time.Hour), title, "")
	}
	list := s.top(day24, 20)
	if place(list, "二十") >= 0 || place(list, "十二号线") < 0 {
		t.Errorf("of numbers: %+v", list)
	}
	if at := place(list, "港湾工事"); at < 0 || list[at].Items != 3 {
		t.Errorf("%+v", list)
	}
	if at := place(list, "brücken"); at < 0 || list[at].Feeds != 3 {
		t.Errorf("%+v", list)
	}
}

func TestTermsOfAText(t *testing.T) {
	for _, c := range []struct{ title, html, want string }{
		{"Page checksums cost less than you think", "", "Page checksums cost less think Page-checksums checksums-cost"},
		{"Rails 2.0 ships", "<p>The ship.", "Rails ships ship Rails-2"},
		{"", "<p>don't <script>hidden</script>stop", "stop"},
		{"Somebody always goes to seven harbours", "Jemand geht für nichts; déjà quelque part, für zwölf Häfen.", "harbours Häfen"},
	} {
		var got []string
		(&Doc{Title: c.title, HTML: c.html}).terms(func(_ uint64, form string) { got = append(got, form) })
		for w := range strings.FieldsSeq(c.want) {
			if !slices.Contains(got, strings.ReplaceAll(w, "-", " ")) {
				t.Errorf("%q: %q lacks %q", c.title, got, w)
			}
		}
		for _, w := range []string{"than", "you", "The", "don", "hidden", "2",
			"Somebody", "always", "goes", "seven", "Jemand", "geht", "nichts", "déjà", "quelque", "für"} {
			if slices.Contains(got, w) {
				t.Errorf("%q has %q", c.title, w)
			}
		}
	}
}

// TestTermsAreBounded: no item is more than so many terms, whatever it holds.
func TestTermsAreBounded(t *testing.T) {
	var html strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&html, `<a href="https://h%d.example/">word%d ーー 港港</a> `, i, i)
	}
	n := 0
	(&Doc{Title: strings.Repeat("long ", 10000), HTML: html.String(), Categories: slices.Repeat([]string{"a category"}, 1000)}).terms(func(uint64, string) { n++ })
	if n > maxWords+maxPhrases+maxLinks {
		t.Error(n, "terms")
	}
}

// tables are all tables of a cache.
func tables(t *testing.T, c *store.Cache) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := c.Scan(t.Context(), Bucket, string(rune(kindDay)), func(key string, val []byte) bool {
		if key[0] != kindDay {
			return false
		}
		d, ok := decode(val, int64(binary.BigEndian.Uint32([]byte(key[1:]))))
		if !ok {
			t.Errorf("%x does not decode", key)
		}
		if len(d.docs) > 0 {
			out[fmt.Sprintf("%x", key)] = string(val)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestIncrementalIsBatch: tables that were kept up to date while things happened are those
// that are made of it at once.
func TestIncrementalIsBatch(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := newFakeLibrary(t, 4)
		k := s.keeper()
		now := noon.Add(-70 * day24)
		var ids []store.ItemID
		text := func() string {
			var w []string
			for range 1 + r.IntN(5) {
				w = append(w, fmt.Sprintf("word%d", r.IntN(30)))
			}
			return strings.Join(w, " ")
		}
		for range 300 {
			now = now.Add(time.Duration(r.IntN(8)) * time.Hour)
			switch n := r.IntN(20); {
			case n < 10:
				id := s.post(1+r.IntN(3), now, text(), "<p>"+text()+` <a href="https://e.example/`+fmt.Sprint(r.IntN(5))+`">`)
				if last := &s.facts[len(s.facts)-1]; r.IntN(3) == 0 {
					last.Nums = []int64{-int64(r.IntN(100 * 3600 * 24))}
				}
				ids = append(ids, id)
			case n == 10: // one feed floods
				for range maxPerFeed / 2 {
					ids = append(ids, s.post(4, now, text(), ""))
				}
			case len(ids) == 0:
			case n < 14:
				id := ids[r.IntN(len(ids))]
				it := s.items[id]
				it.Title = text()
				s.items[id] = it
				if n == 13 {
					Touched(t.Context(), s.cache, []store.ItemID{id})
				} else {
					s.fact(&store.Fact{Kind: store.Edited, At: now, Items: []store.ItemID{id}})
				}
			case n == 14:
				id := ids[r.IntN(len(ids))]
				s.html[id] = ""
				s.fact(&store.Fact{Kind: store.TextRemoved, At: now, Items: []store.ItemID{id}})
			case n == 15:
				id := ids[r.IntN(len(ids))]
				s.fact(&store.Fact{Kind: store.Placed, At: now, Items: []store.ItemID{id}, Nums: []int64{-int64(r.IntN(90 * 3600 * 24))}})
			case n < 18:
				if err := k.Update(t.Context(), now, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		s.post(1, now, "the end", "")
		batch := s.on(newCache(t))
		for _, l := range []*fakeLibrary{s, batch} {
			if err := l.keeper().Update(t.Context(), now, nil); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := tables(t, s.cache), tables(t, batch.cache); !maps.Equal(a, b) || len(a) < 10 {
			t.Errorf("seed %d: %d tables kept up to date, %d made at once, not the same", seed, len(a), len(b))
		}
	}
}

// TestDamagedTables: what does not decode is made again.
func TestDamagedTables(t *testing.T) {
	s := newFakeLibrary(t, 4)
	s.fill()
	s.top(day24, 5)
	if err := s.cache.Put(t.Context(), Bucket, map[string][]byte{dayKey(dayOf(noon.Unix()) - 1): {9, 1, 1, 255, 255}}); err != nil {
		t.Fatal(err)
	}
	r, err := s.keeper().Top(t.Context(), 7*day24, noon, 5)
	if err != nil || !r.Missing {
		t.Fatal(r.Missing, err)
	}
	s.top(7*day24, 5)
}

// TestNothingGoodIsSkipped: terms that are not looked at further, because the best are better
// already, would not be among the best.
func TestNothingGoodIsSkipped(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := newFakeLibrary(t, 9)
		zipf := rand.NewZipf(r, 1.2, 4, 2000)
		for i := range 1500 {
			title, at := "", noon.Add(-time.Duration(r.Int64N(int64(34*day24))))
			for range 6 {
				title += fmt.Sprintf("word%d.. ", zipf.Uint64())
			}
			if i%3 == 0 {
				title += fmt.Sprintf("day%dword%d", noon.Sub(at)/day24, r.IntN(3))
			}
			s.post(1+r.IntN(9), at, title, fmt.Sprintf(`<a href="https://e.example/%d">x</a>`, r.IntN(400)))
		}
		k := s.keeper()
		if err := k.Update(t.Context(), noon, nil); err != nil {
			t.Fatal(err)
		}
		for _, since := range []time.Duration{day24, 36 * time.Hour, 7 * day24} {
			var lists [2][3][]candidate
			var judged [2]int
			for i, kept := range []int{4, 1 << 20} {
				live, index := liveFeeds(s.feeds)
				c := &tally{since: noon.Add(-since).Unix(), until: noon.Unix(), kept: kept, trust: trustOf(live, map[string]float64{s.feeds[2].Key.String(): 3})}
				days, err := k.days(t.Context(), c, index)
				if err != nil {
					t.Fatal(err)
				}
				lists[i], _ = c.scan(days)
				for kind := range lists[i] {
					judged[i] += len(lists[i][kind])
					lists[i][kind] = best(lists[i][kind], 4)
				}
			}
			for kind := range lists[0] {
				same := slices.EqualFunc(lists[0][kind], lists[1][kind], func(a, b candidate) bool {
					return math.Abs(a.Score-b.Score) < 1e-9*b.Score // of equal ones any
				})
				if !same || Kind(kind) != Link && len(lists[1][kind]) < 4 {
					t.Errorf("seed %d, %v, %v: %+v\nwithout skipping %+v", seed, since, Kind(kind), lists[0][kind], lists[1][kind])
				}
			}
			if judged[0] >= judged[1] {
				t.Errorf("seed %d, %v: %d terms of %d were left", seed, since, judged[0], judged[1])
			}
		}
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// pile is a library whose texts lie in one piece of memory, so that what is measured is not
// the garbage collector's way through them.
type pile struct {
	fakeLibrary
	text []byte
	ends []uint32 // of the title and the text of the items, by number
	base []uint32 // number of the first item of each feed
}

func (p *pile) of(id store.ItemID) (title, html string) {
	n := 2 * (p.base[id.Feed()] + id.N() - 1)
	return string(p.text[p.ends[n]:p.ends[n+1]]), string(p.text[p.ends[n+1]:p.ends[n+2]])
}

func (p *pile) Items(_ context.Context, ids []store.ItemID) ([]store.Item, error) {
	out := make([]store.Item, len(ids))
	for i, id := range ids {
		out[i].ID = id
		out[i].Title, _ = p.of(id)
	}
	return out, nil
}

func (p *pile) Bodies(_ context.Context, ids []store.ItemID, visit func(store.ItemID, store.Body)) error {
	for _, id := range ids {
		_, html := p.of(id)
		visit(id, store.Body{HTML: html})
	}
	return nil
}

func (p *pile) Facts(_ context.Context, _ uint64, visit func(*store.Fact) error) (uint64, error) {
	n, of := len(p.ends)/2, len(p.base)-1
	for i := range n {
		at := noon.Add(-time.Duration(float64(n-i) / float64(n) * 56 * float64(day24)))
		id := store.MakeItemID(store.FeedID(1+i%of), uint32(1+i/of))
		if err := visit(&store.Fact{No: 1, Kind: store.Arrived, At: at, Items: []store.ItemID{id}, Nums: []int64{store.Dateless}}); err != nil {
			return 0, err
		}
	}
	return 1, nil
}

func (p *pile) Totals(context.Context) (store.Totals, error) { return store.Totals{Facts: 1}, nil }

// TestTopCosts compares what asking costs with making the tables: DIURNA_BENCH=1 has it with
// 300,000 items of 1,000 feeds.
func TestTopCosts(t *testing.T) {
	items, feeds := 3000, 100
	if os.Getenv("DIURNA_BENCH") != "" {
		items, feeds = 300000, 1000
	}
	r := rand.New(rand.NewPCG(1, 1))
	p := &pile{fakeLibrary: *newFakeLibrary(t, feeds), base: make([]uint32, feeds+1), ends: []uint32{0}}
	words := rand.NewZipf(r, 1.1, 20, 100000)
	put := func(n int, end string) {
		for range n {
			p.text = fmt.Appendf(p.text, "w%xq ", words.Uint64())
		}
		p.text = append(p.text, end...)
		p.ends = append(p.ends, uint32(len(p.text)))
	}
	for i := range feeds {
		p.base[i+1] = uint32(i * items / feeds)
	}
	for range items {
		put(8, "")
		put(80, fmt.Sprintf(`<a href="https://e.example/%d">x</a>`, r.IntN(items/3)))
	}
	k := New(p, p, p)
	ask := func() {
		if r, err := k.Top(t.Context(), 7*day24, noon, 20); err != nil || len(r.Trends) != 20 {
			t.Fatal(len(r.Trends), err)
		}
	}
	began := cpu()
	if err := k.Update(t.Context(), noon, nil); err != nil {
		t.Fatal(err)
	}
	ask()
	batch := cpu() - began
	began = cpu()
	const times = 5
	for range times {
		ask()
	}
	warm := (cpu() - began) / times
	t.Logf("%d items: all of it %v, warm %v, %.3f of it", items, batch, warm, float64(warm)/float64(batch))
	if items > 10000 && float64(warm) > .05*float64(batch) {
		t.Error("asking costs more than a twentieth of making the tables")
	}
}
