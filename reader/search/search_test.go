package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/reader/fulltext"
	"diurna/reader/model"
	"diurna/reader/revision"
	"diurna/reader/texts"
	"diurna/reader/words"
	"diurna/store"
)

// fakeLibrary is a library in memory: the texts as a scan sees them.
type fakeLibrary struct {
	facts []store.Fact
	docs  map[store.ItemID]Doc
	began int64
	pages []store.PageRevision // of the feed page
	last  uint32               // revision
	notes map[store.NotePlace][]byte
}

// page is the watched page among the feeds.
const page store.FeedID = 9

func (s *fakeLibrary) Totals(context.Context) (store.Totals, error) {
	return store.Totals{Facts: uint64(len(s.facts))}, nil
}

func (s *fakeLibrary) Descent(context.Context, string) (store.Descent, error) {
	return store.Descent{Began: time.Unix(s.began, 0)}, nil
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
		d := s.docs[id]
		out[i] = store.Item{ID: id, Title: d.Title, Author: d.Author, Link: d.Link, FirstSeen: time.Unix(d.At, 0)}
	}
	return out, nil
}

func (s *fakeLibrary) Bodies(_ context.Context, ids []store.ItemID, visit func(store.ItemID, store.Body)) error {
	for _, id := range ids {
		visit(id, store.Body{HTML: strings.Join(s.docs[id].Texts, " ")})
	}
	return nil
}

func (s *fakeLibrary) NotesAt(_ context.Context, places []store.NotePlace, visit func(int, []byte)) error {
	for i, p := range places {
		if b := s.notes[p]; len(b) > 0 {
			visit(i, b)
		}
	}
	return nil
}

func (s *fakeLibrary) File(_ context.Context, _ time.Time, list []store.Filing) ([]store.Filed, error) {
	for i := range list {
		for key, b := range list[i].Page.Notes {
			if s.notes == nil {
				s.notes = map[store.NotePlace][]byte{}
			}
			s.notes[store.NotePlace{Feed: list[i].Feed, Key: key}] = b
		}
	}
	return make([]store.Filed, len(list)), nil
}

// fetch keeps the whole text of an item, or that it has none, or forgets what was kept.
func (s *fakeLibrary) fetch(t *testing.T, r *rand.Rand, id store.ItemID) {
	t.Helper()
	var kept *fulltext.Text
	switch r.IntN(3) {
	case 0:
		kept = &fulltext.Text{HTML: "<p>" + randomText(r, 20) + "<p>." + randomText(r, 20)}
	case 1:
		kept = &fulltext.Text{Why: fulltext.Paywall}
	}
	if err := fulltext.Put(t.Context(), s, time.Unix(0, 0), id, kept); err != nil {
		t.Fatal(err)
	}
}

func (s *fakeLibrary) PageHeads(context.Context) (map[store.FeedID]store.PageHead, error) {
	if len(s.pages) == 0 {
		return nil, nil
	}
	return map[store.FeedID]store.PageHead{page: {Count: len(s.pages), Last: s.last}}, nil
}

func (s *fakeLibrary) PageRevisions(context.Context, store.FeedID) ([]store.PageRevision, error) {
	return s.pages, nil
}

func (s *fakeLibrary) PageChain(_ context.Context, _ store.FeedID, no uint32) ([]store.PageRevision, error) {
	for _, r := range s.pages {
		if r.No == no {
			return []store.PageRevision{r}, nil
		}
	}
	return nil, store.ErrUnknown
}

// visit has the page fetched: it has another revision, which an item tells of or none,
// and an old one may be dropped.
func (s *fakeLibrary) visit(r *rand.Rand) error {
	packed, err := revision.Pack(nil, []byte("<h1>"+randomText(r, 4)+"</h1><p>"+randomText(r, 9)+"<p>"+randomText(r, 9)))
	if err != nil {
		return err
	}
	s.last++
	rev := store.PageRevision{No: s.last, ContentType: "text/html", Packed: packed}
	if r.IntN(2) == 0 {
		id := store.MakeItemID(page, uint32(len(s.docs)+1))
		s.docs[id] = randomDoc(r, id)
		s.note(store.Arrived, id)
		rev.Item = id.N()
	}
	if s.pages = append(s.pages, rev); len(s.pages) > 3 && r.IntN(3) == 0 {
		at := r.IntN(len(s.pages) - 1)
		s.pages = slices.Delete(slices.Clone(s.pages), at, at+1)
	}
	return nil
}

func (s *fakeLibrary) note(kind store.Kind, ids ...store.ItemID) {
	s.facts = append(s.facts, store.Fact{No: uint64(len(s.facts) + 1), Kind: kind, Items: ids})
}

func newCache(t testing.TB) *store.Cache {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(store.Options{Dir: dir, CacheDir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.Cache()
}

func newIndex(s *fakeLibrary, c Cache) *Index {
	return New(s, c)
}

// vocabulary has words that are each other's beginnings, accents, scripts without
// spaces, and a word longer than a term.
var vocabulary = strings.Fields("a an and anders Über uber über Straße strasse café l'eau x1 x12 x123 東京都 京都 都 日本語 한국어 ไทย İstanbul ıstanbul istanbul cafe\u0301 well-known 3.14 1,000 e.g. foo_bar std::vector " +
	strings.Repeat("z", 300) + " " + strings.Repeat("z", 301))

func randomText(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(vocabulary[r.IntN(1+r.IntN(len(vocabulary)))])
		b.WriteString([]string{" ", " ", ", ", "\n", ""}[r.IntN(5)])
	}
	return b.String()
}

func randomDoc(r *rand.Rand, id store.ItemID) Doc {
	return Doc{Item: id, At: r.Int64N(1e9), Title: randomText(r, 4), Author: randomText(r, 2), Link: "https://x.example/" + strings.ReplaceAll(randomText(r, 2), " ", "-"), Texts: []string{randomText(r, 30)}}
}

// question is a random Expr with what it means to a scan.
func question(r *rand.Rand, depth int) (e Expr, fits func(*Doc) bool, text string) {
	switch n := r.IntN(8); {
	case n < 4 || depth == 0:
		p := words.PhraseOf(randomText(r, 3), r.IntN(3) == 0)
		in := []Fields{Anywhere, Anywhere, Title, Author, Text, Title | Text, Link}[r.IntN(7)]
		return &Phrase{p, in}, func(d *Doc) bool {
			return in&Title != 0 && p.In(d.Title) || in&Author != 0 && p.In(d.Author) || in&Link != 0 && p.In(model.ShownLink(d.Link)) || in&Text != 0 && slices.ContainsFunc(d.Texts, p.In)
		}, fmt.Sprint(in, p.Tokens())
	case n == 4:
		x, fits, text := question(r, depth-1)
		return Not{x}, func(d *Doc) bool { return !fits(d) }, "not " + text
	case n == 5:
		m := store.ItemID(2 + r.IntN(3))
		return Test(func(id store.ItemID) bool { return id%m == 0 }), func(d *Doc) bool { return d.Item%m == 0 }, fmt.Sprint("every ", m)
	}
	x, fitsX, textX := question(r, depth-1)
	y, fitsY, textY := question(r, depth-1)
	if r.IntN(2) == 0 {
		return All{x, y}, func(d *Doc) bool { return fitsX(d) && fitsY(d) }, "(" + textX + " and " + textY + ")"
	}
	return Any{x, y}, func(d *Doc) bool { return fitsX(d) || fitsY(d) }, "(" + textX + " or " + textY + ")"
}

func ask(t *testing.T, ix *Index, e Expr, limit int) (hits []Hit, count int) {
	t.Helper()
	hits, count, err := ix.Find(t.Context(), e, time.Unix(1e9, 0), limit)
	if errors.Is(err, errMissing) { // it was damaged
		if err = ix.Update(t.Context(), nil); err == nil {
			hits, count, err = ix.Find(t.Context(), e, time.Unix(1e9, 0), limit)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return hits, count
}

// scan is all docs with their texts as a scan reads them.
func (s *fakeLibrary) scan(t *testing.T) map[store.ItemID]Doc {
	t.Helper()
	out := maps.Clone(s.docs)
	err := texts.Of(t.Context(), s, slices.Collect(maps.Keys(out)), func(id store.ItemID, list []string) {
		d := out[id]
		d.Texts = list
		out[id] = d
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFindsWhatAScanFinds: over texts that come, are edited, fetched whole, removed and
// filed again, Find gives exactly what a scan of all texts finds, however the segments lie.
func TestFindsWhatAScanFinds(t *testing.T) {
	perDoc, term, atAll, docs := heavyPerDoc, heavyTerm, heavyAtAll, heavyDocs
	defer func() { heavyPerDoc, heavyTerm, heavyAtAll, heavyDocs = perDoc, term, atAll, docs }()
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 8))
		heavyPerDoc, heavyTerm, heavyAtAll, heavyDocs = int(seed), int(seed), 3, int(seed)*8 // most words, some, none
		s, c := &fakeLibrary{docs: map[store.ItemID]Doc{}, began: 1}, newCache(t)
		asked, found := 0, 0
		for round := range 40 {
			var fresh []store.ItemID
			for range r.IntN(12) {
				id := store.MakeItemID(store.FeedID(1+r.IntN(3)), uint32(len(s.docs)+1))
				s.docs[id] = randomDoc(r, id)
				fresh = append(fresh, id)
			}
			s.note(store.Arrived, fresh...)
			if r.IntN(2) == 0 {
				if err := s.visit(r); err != nil {
					t.Fatal(err)
				}
			}
			ix := newIndex(s, c)
			for _, id := range fresh {
				if r.IntN(2) == 0 { // its text is at hand, and soon may be another
					came := store.Body{HTML: strings.Join(s.docs[id].Texts, " ")}
					ix.recent.Plain(came.HTML, 4096)
					d := s.docs[id]
					ix.recent.Filed(id, &store.NewItem{Item: store.Item{Title: d.Title, Author: d.Author, Link: d.Link}, Body: came}, time.Unix(d.At, 0))
				}
			}
			for id := range s.docs {
				if r.IntN(20) != 0 {
					continue
				}
				switch r.IntN(4) {
				case 0:
					s.docs[id] = randomDoc(r, id)
					s.note(store.Edited, id)
					continue
				case 1:
					d := s.docs[id]
					d.Texts = []string{words.Fold(d.Texts[0][:strings.IndexByte(d.Texts[0]+" ", ' ')])}
					s.docs[id] = d
					s.note(store.TextRemoved, id)
					continue
				case 2:
					s.docs[id] = randomDoc(r, id)
				case 3:
					s.fetch(t, r, id)
				}
				if err := ix.Touch(t.Context(), []store.ItemID{id}); err != nil {
					t.Fatal(err)
				}
			}
			if err := ix.Update(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if facts, _, err := ix.Pending(t.Context()); err != nil || facts != 0 {
				t.Fatalf("%d facts are left: %v", facts, err)
			}
			scanned := s.scan(t)
			for range 7 {
				e, fits, text := question(r, 3)
				var want []store.ItemID
				for id, d := range scanned {
					if fits(&d) {
						want = append(want, id)
					}
				}
				hits, count := ask(t, newIndex(s, c), e, 0)
				got := make([]store.ItemID, len(hits))
				for i, h := range hits {
					got[i] = h.Item
				}
				slices.Sort(want)
				slices.Sort(got)
				if !slices.Equal(got, want) || count != len(want) {
					t.Fatalf("seed %d, round %d, %s:\nfound %v\nwant  %v", seed, round, text, got, want)
				}
				asked++
				found += len(got)
			}
		}
		if found < asked {
			t.Errorf("%d questions found %d texts: they ask for too little", asked, found)
		}
	}
}

// TestScore: the score is BM25's, times that of recency, computed here from its
// definition over all texts.
func TestScore(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	s, c := &fakeLibrary{docs: map[store.ItemID]Doc{}}, newCache(t)
	for i := range uint32(300) {
		id := store.MakeItemID(1, i+1)
		s.docs[id] = randomDoc(r, id)
		s.note(store.Arrived, id)
		if i%50 == 0 {
			if err := newIndex(s, c).Update(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := newIndex(s, c).Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	freq := func(p words.Phrase, text string) (n float64) {
		var list []words.Token
		for w := range words.Cut(text) {
			list = append(list, w)
		}
		for i := range list {
			if list[i].Text == p.Tokens()[0].Text {
				n++
			}
		}
		return n
	}
	length := func(d Doc) (n float64) {
		for range words.Cut(d.Title + "\n" + d.Author + "\n" + d.Texts[0]) {
			n++
		}
		return n
	}
	for _, word := range []string{"and", "uber", "x12"} {
		p := words.PhraseOf(word, false)
		texts, sum := 0.0, 0.0
		for _, d := range s.docs {
			sum += length(d)
			if freq(p, d.Title+"\n"+d.Author+"\n"+d.Texts[0]) > 0 {
				texts++
			}
		}
		n := float64(len(s.docs))
		hits, _ := ask(t, newIndex(s, c), &Phrase{p, Anywhere}, 0)
		if len(hits) != int(texts) {
			t.Fatalf("%s: %d hits, want %v", word, len(hits), texts)
		}
		for _, h := range hits {
			d := s.docs[h.Item]
			tf := 4*freq(p, d.Title) + freq(p, d.Author) + freq(p, d.Texts[0])
			want := math.Log(1+(n-texts+.5)/(texts+.5)) * tf * 2.2 / (tf + 1.2*(.25+.75*length(d)/(sum/n)))
			days := float64(int64(1e9)/3600-d.At/3600) / 24
			want *= 1 + .5*math.Pow(2, -days/60)
			if math.Abs(h.Score-want) > 1e-5*want {
				t.Errorf("%s in %v: score %v, want %v", word, h.Item, h.Score, want)
			}
		}
		if !slices.IsSortedFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) }) {
			t.Errorf("%s: not the best first", word)
		}
	}
}

// TestBrokenOff: a build that is ended goes on where it was, and one that another
// process overtakes loses nothing and doubles nothing.
func TestBrokenOff(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	s, c := &fakeLibrary{docs: map[store.ItemID]Doc{}}, newCache(t)
	const n = maxDocs + 900
	for i := range uint32(n) {
		id := store.MakeItemID(1, i+1)
		s.docs[id] = Doc{Item: id, Texts: []string{vocabulary[r.IntN(8)] + " all"}}
		s.note(store.Arrived, id)
	}
	ctx, cancel := context.WithCancel(t.Context())
	first := 0
	err := newIndex(s, c).Update(ctx, func(done, all int) {
		if first == 0 {
			first = done
			if err := newIndex(s, c).Update(t.Context(), func(int, int) {}); err != nil {
				t.Error(err)
			}
		}
		cancel()
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if first == 0 || first == n {
		t.Fatalf("%d of %d at once: nothing was broken off", first, n)
	}
	if err := newIndex(s, c).Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, count := ask(t, newIndex(s, c), &Phrase{words.PhraseOf("all", false), Anywhere}, 10); count != n {
		t.Errorf("%d texts, want %d", count, n)
	}
}

// TestTouchedMeanwhile: a text that changes while an update reads it is read again, also
// if it was touched before.
func TestTouchedMeanwhile(t *testing.T) {
	s, c := &fakeLibrary{docs: map[store.ItemID]Doc{}}, newCache(t)
	id := store.MakeItemID(1, 1)
	s.docs[id] = Doc{Item: id, Texts: []string{"one"}}
	s.note(store.Arrived, id)
	ix := newIndex(s, c)
	set := func(text string) {
		s.docs[id] = Doc{Item: id, Texts: []string{text}}
		if err := ix.Touch(t.Context(), []store.ItemID{id}); err != nil {
			t.Fatal(err)
		}
	}
	if err := ix.Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	set("two")
	again := true
	err := ix.Update(t.Context(), func(int, int) {
		if again {
			again = false
			set("three")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]int{"one": 0, "two": 0, "three": 1} {
		if _, count := ask(t, ix, &Phrase{words.PhraseOf(word, false), Anywhere}, 0); count != want {
			t.Errorf("%s: %d hits, want %d", word, count, want)
		}
	}
}

// TestBrokenOffHalfway: what was done before the end counts, and the rest is done next.
func TestBrokenOffHalfway(t *testing.T) {
	s, c := &fakeLibrary{docs: map[store.ItemID]Doc{}}, newCache(t)
	const n = maxDocs + 900
	for i := range uint32(n) {
		id := store.MakeItemID(1, i+1)
		s.docs[id] = Doc{Item: id, Texts: []string{"all"}}
		s.note(store.Arrived, id)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := newIndex(s, c).Update(ctx, func(done, all int) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	ix := newIndex(s, c)
	if err := ix.Touch(t.Context(), []store.ItemID{store.MakeItemID(1, 5)}); err != nil {
		t.Fatal(err)
	}
	d := s.docs[store.MakeItemID(1, 5)]
	d.Texts = []string{"all changed"}
	s.docs[d.Item] = d
	todo := 0
	if err := ix.Update(t.Context(), func(_, all int) { todo = max(todo, all) }); err != nil {
		t.Fatal(err)
	}
	if todo >= n {
		t.Errorf("%d of %d were indexed again", todo, n)
	}
	if _, count := ask(t, newIndex(s, c), &Phrase{words.PhraseOf("all", false), Anywhere}, 10); count != n {
		t.Errorf("%d texts, want %d", count, n)
	}
	if _, count := ask(t, newIndex(s, c), &Phrase{words.PhraseOf("changed", false), Anywhere}, 10); count != 1 {
		t.Errorf("the text that was touched: %d hits", count)
	}
}

// TestAnotherLibrary: the index of a library that is no longer there, or that a restore
// took back, is made again; so is one that does not decode.
func TestAnotherLibrary(t *testing.T) {
	s, c := &fakeLibrary{docs: map[store.ItemID]Doc{}, began: 1}, newCache(t)
	fill := func(texts ...string) {
		s.docs, s.facts = map[store.ItemID]Doc{}, nil
		for i, text := range texts {
			id := store.MakeItemID(1, uint32(i+1))
			s.docs[id] = Doc{Item: id, Texts: []string{text}}
			s.note(store.Arrived, id)
		}
		if err := newIndex(s, c).Update(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	count := func(word string) int {
		_, n := ask(t, newIndex(s, c), &Phrase{words.PhraseOf(word, false), Anywhere}, 0)
		return n
	}
	fill("one", "two", "three")
	fill("one", "two")
	if count("three") != 0 || count("one") != 1 {
		t.Error("after a restore the lost text is found, or the others are not")
	}
	s.began = 2
	fill("four", "five")
	if count("one") != 0 || count("four") != 1 {
		t.Error("another library's texts are found")
	}
	for _, spoil := range []string{headKey, segmentKey(kindTable, 0)} {
		err := c.Update(t.Context(), Bucket, func(x *store.CacheTx) error { return x.Put(spoil, []byte("{not")) })
		if err != nil {
			t.Fatal(err)
		}
		fill("four", "five", "six")
		if count("six") != 1 {
			t.Errorf("%q was spoilt and the index not made again", spoil)
		}
	}
}

// TestDamagedMeanwhile: a search that meets a damaged index, or none, says so instead of
// finding nothing, and after an Update all is found.
func TestDamagedMeanwhile(t *testing.T) {
	s, c := &fakeLibrary{docs: map[store.ItemID]Doc{}}, newCache(t)
	id := store.MakeItemID(1, 1)
	s.docs[id] = Doc{Item: id, Texts: []string{"one"}}
	s.note(store.Arrived, id)
	ix := newIndex(s, c)
	e := &Phrase{words.PhraseOf("one", false), Anywhere}
	spoil := func(x *store.CacheTx) error { return x.Put(segmentKey(kindTable, 0), []byte("short")) }
	for _, how := range []func() error{
		func() error { return nil },
		func() error { return c.Update(t.Context(), Bucket, spoil) },
		func() error { return c.Delete(t.Context(), Bucket) },
	} {
		if err := how(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ix.Find(t.Context(), e, time.Unix(1e9, 0), 0); err != errMissing {
			t.Errorf("without an index: %v", err)
		}
		if err := ix.Update(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if _, count, err := ix.Find(t.Context(), e, time.Unix(1e9, 0), 0); count != 1 || err != nil {
			t.Errorf("%d hits, %v", count, err)
		}
	}
}

// TestPlaces: what is written is read, also distances that are far above the mean.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		var want []uint32
		next := uint32(0)
		for range 1 + r.IntN(40) {
			next += 1 + r.Uint32N(1<<r.IntN(27))
			want = append(want, next)
		}
		rd := newPlaceReader(appendPlaces(nil, want))
		for i, w := range want {
			if got := rd.place(); got != w || rd.bad {
				t.Fatalf("place %d of %v is %d", i, want, got)
			}
		}
	}
}

// FuzzBlock: a block of any bytes ends, and reads nothing outside of it.
// TestNumbers: each word has a number of its own, and is counted, whatever its length and
// however many there are.
func TestNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	b, counts, numbers := newBuilder(10), map[string]uint32{}, map[string]uint32{}
	for range 60_000 {
		word := make([]byte, 1+r.IntN(12))
		for i := range word {
			word[i] = "abé"[r.IntN(4)]
		}
		w := string(word)
		n := b.number(w)
		if was, ok := numbers[w]; ok && n != was || b.words[n] != w {
			t.Fatalf("%q has the number %d of %q, and had %d", w, n, b.words[n], was)
		}
		numbers[w] = n
		counts[w]++
	}
	if len(b.words) != len(counts) || len(counts) < len(newBuilder(0).slots) {
		t.Fatalf("%d words, want %d", len(b.words), len(counts))
	}
	for _, s := range b.slots {
		if s.count > 0 && s.count != counts[b.words[s.number]] {
			t.Errorf("%q is there %d times, want %d", b.words[s.number], s.count, counts[b.words[s.number]])
		}
	}
}

func FuzzBlock(f *testing.F) {
	o := new(output)
	o.term("and", []uint32{1, 5, 900})
	o.term("ant", []uint32{7})
	o.endBlock()
	f.Add(o.records[0].val)
	f.Fuzz(func(t *testing.T, val []byte) {
		b := newBlock(val)
		for b.next() {
			r := newPlaceReader(b.list)
			for range min(b.count, 8*len(b.list)) {
				r.place()
			}
		}
	})
}

// BenchmarkFind asks an index of 50,000 texts of 2 KB for words as they occur, and for
// two of them side by side.
func BenchmarkFind(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 3, 60000)
	word := func() string { return "w" + strings.Repeat("x", int(zipf.Uint64()%5)) + fmt.Sprint(zipf.Uint64()) }
	s := &fakeLibrary{docs: map[store.ItemID]Doc{}}
	for i := range uint32(50_000) {
		var text strings.Builder
		for text.Len() < 2048 {
			text.WriteString(word() + " ")
		}
		id := store.MakeItemID(1, i+1)
		s.docs[id] = Doc{Item: id, Texts: []string{text.String()}}
		s.note(store.Arrived, id)
	}
	ix := newIndex(s, newCache(b))
	if err := ix.Update(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	for _, words := range []int{1, 2} {
		b.Run(fmt.Sprint("words=", words), func(b *testing.B) { benchmarkFind(b, ix, word, words) })
	}
}

func benchmarkFind(b *testing.B, ix *Index, word func() string, n int) {
	for b.Loop() {
		var list []string
		for range n {
			list = append(list, word())
		}
		if _, _, err := ix.Find(b.Context(), &Phrase{words.PhraseOf(strings.Join(list, " "), false), Anywhere}, time.Now(), 20); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSnippet: the part with most of the words, its marks on them, cut at words.
func TestSnippet(t *testing.T) {
	long := strings.Repeat("word ", 200)
	for _, c := range []struct{ text, query, want string }{
		{"All is as it was.", "was", "All is as it *was*."},
		{"nothing here", "was", ""},
		{"x\ny <b>", "y", "x *y* <b>"},
		{long + "the ferry leaves at nine, the last ferry " + long, "last ferry", "… " + strings.Repeat("word ", 7) + "the *ferry* leaves at nine, the *last* *ferry* " + strings.TrimSuffix(strings.Repeat("word ", 25), " ") + " …"},
		{"東京都は晴れ", "京都は", "東*京都は*晴れ"},
		{"東京都は晴れ", "都", "東京*都*は晴れ"},
		{"東京都は晴れ", "東 れ", "*東*京都は晴*れ*"},
		{"Über den Fluß", "uber fluss", "*Über* den *Fluß*"},
	} {
		var phrases []words.Phrase
		for _, w := range strings.Fields(c.query) {
			phrases = append(phrases, words.PhraseOf(w, false))
		}
		snippet, marks := Snippet([]string{c.text}, phrases)
		var got strings.Builder
		at := 0
		for _, m := range marks {
			got.WriteString(snippet[at:m[0]] + "*" + snippet[m[0]:m[1]] + "*")
			at = m[1]
		}
		got.WriteString(snippet[at:])
		if got.String() != c.want {
			t.Errorf("%q in %.30q:\ngot  %s\nwant %s", c.query, c.text, got.String(), c.want)
		}
	}
}

// A snippet from the middle of a text begins with a whole word, wherever it is cut.
func TestSnippetBeginsWithAWord(t *testing.T) {
	ferry := []words.Phrase{words.PhraseOf("ferry", false)}
	for pad := range 12 {
		text := strings.Repeat("lengthy ", 40) + strings.Repeat("x", pad) + " ferry " + strings.Repeat("lengthy ", 40)
		if got, _ := Snippet([]string{text}, ferry); !strings.HasPrefix(got, "… lengthy ") {
			t.Errorf("%d letters before: %q", pad, got)
		}
	}
}

// unread is a library whose items must not be read.
type unread struct {
	*fakeLibrary
	t *testing.T
}

func (u unread) Items(context.Context, []store.ItemID) ([]store.Item, error) {
	u.t.Error("items are read that have just come")
	return nil, nil
}

// TestCameAsRead: items that just came are indexed as those that are read, without reading
// them; and some of both are one segment.
func TestCameAsRead(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 17))
	s, kept := &fakeLibrary{docs: map[store.ItemID]Doc{}, began: 1}, 0
	fill := func(ix *Index, which func(int) bool) map[string]string {
		facts := s.facts
		s.facts = facts[:1] // another library's index is begun without what is kept
		if err := ix.Update(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		s.facts = facts
		for i := 1; i <= len(s.docs); i++ {
			id := store.MakeItemID(1, uint32(i))
			d := s.docs[id]
			n := &store.NewItem{Item: store.Item{Title: d.Title, Author: d.Author, Link: d.Link}, Body: store.Body{HTML: d.Texts[0]}}
			if which(i) {
				ix.recent.Plain(d.Texts[0], 1<<20)
				ix.recent.Filed(id, n, time.Unix(d.At, 0))
				kept++
			}
		}
		if err := ix.Update(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		err := ix.cache.View(t.Context(), Bucket, func(x *store.CacheTx) error {
			for at := ""; ; at += "\x00" {
				k, v, err := x.Next(at)
				if err != nil || k == "" {
					return err
				}
				at, all[k] = k, string(v)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	var ids []store.ItemID
	for i := range uint32(300) {
		id := store.MakeItemID(1, i+1)
		s.docs[id] = randomDoc(r, id)
		s.docs[id].Texts[0] = "<p>" + s.docs[id].Texts[0] + fmt.Sprint(i) // no two are alike
		ids = append(ids, id)
	}
	s.note(store.Arrived)
	s.note(store.Arrived, ids...)
	read := fill(newIndex(s, newCache(t)), func(int) bool { return false })
	if len(read) < 3 || kept != 0 {
		t.Fatalf("%d records, %d kept", len(read), kept)
	}
	if came := fill(New(unread{s, t}, newCache(t)), func(int) bool { return true }); !maps.Equal(came, read) {
		t.Error("what came is indexed in another way than what is read")
	}
	if some := fill(newIndex(s, newCache(t)), func(i int) bool { return i%3 == 0 }); !maps.Equal(some, read) {
		t.Error("what came in part is indexed in another way")
	}
}
