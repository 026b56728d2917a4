package rules

import (
	"cmp"
	"slices"

	"diurna/reader/model"
	"diurna/reader/query"
	"diurna/reader/words"
	"diurna/store"
)

// key are words of which an item has one, wherever a query fits.
type key struct {
	words  []string
	inText bool // they may stand in the text
	ok     bool
}

// keyOf finds what to file a query under.
func keyOf(q query.Query) key {
	return query.Reduce(q, partKey, bestKey, anyKey, func(key) key { return key{} })
}

func partKey(p query.Part, _ bool) key {
	word, inText, ok := p.Key()
	return key{[]string{word}, inText, ok}
}

// bestKey is the key of one of the parts that must all hold: the one that is looked
// up least, which are fewer and longer words outside of texts.
func bestKey(parts []key) key {
	parts = slices.DeleteFunc(parts, func(k key) bool { return !k.ok })
	if len(parts) == 0 {
		return key{}
	}
	return slices.MinFunc(parts, func(a, b key) int {
		return cmp.Or(model.CompareBool(a.inText, b.inText), cmp.Compare(len(a.words), len(b.words)), cmp.Compare(len(b.words[0]), len(a.words[0])))
	})
}

// anyKey is the key of parts of which one must hold.
func anyKey(parts []key) key {
	out := key{ok: true}
	for _, k := range parts {
		if !k.ok {
			return key{}
		}
		out.words, out.inText = append(out.words, k.words...), out.inText || k.inText
	}
	return out
}

// feedWords is what is the same for all items of a feed.
type feedWords struct {
	feed  *model.Feed
	words []string // of its title
	rules []int    // of those without a word, those that may fit an item of it
}

// Item is an item that comes. Text is called where a rule asks for the text or the
// link.
type Item struct {
	Row  *store.Row
	Feed *model.Feed
	Deep func() *query.Deep
}

// Fitting returns the places of the rules that fit, ascending. Items of one feed are
// best asked about one after the other.
func (s *Set) Fitting(it Item) []int {
	if s.Empty() {
		return nil
	}
	if s.feed == nil || s.feed.feed != it.Feed {
		s.feed = s.wordsOf(it.Feed)
	}
	s.item++
	var fits []int
	var deep *query.Deep
	read := func() *query.Deep {
		if deep == nil {
			deep = it.Deep()
		}
		return deep
	}
	ask := func(rule int) {
		if s.marked[rule] == s.item {
			return
		}
		s.marked[rule] = s.item
		a := s.all[rule].fits.Answer(query.Item{Row: it.Row, Feed: it.Feed})
		if a == query.Open {
			a = s.all[rule].fits.Answer(query.Item{Row: it.Row, Feed: it.Feed, Deep: read()})
		}
		if a == query.Yes {
			fits = append(fits, rule)
		}
	}
	inText := func(word string) {
		for _, rule := range s.byText[word] {
			ask(rule)
		}
	}
	look := func(word string) {
		for _, rule := range s.byWord[word] {
			ask(rule)
		}
		inText(word)
	}
	for t := range words.Cut(it.Row.Title) {
		look(t.Text)
	}
	for t := range words.Cut(it.Row.Author) {
		look(t.Text)
	}
	for _, w := range s.feed.words {
		look(w)
	}
	if len(s.byText) > 0 {
		for _, text := range read().Texts {
			for t := range words.Cut(text) {
				inText(t.Text)
			}
		}
		for _, key := range read().Links {
			inText(key)
		}
	}
	for _, rule := range s.feed.rules {
		ask(rule)
	}
	slices.Sort(fits)
	return fits
}

// wordsOf says what is the same for all items of a feed.
func (s *Set) wordsOf(f *model.Feed) *feedWords {
	w := &feedWords{feed: f}
	if f == nil {
		w.rules = s.always
		return w
	}
	for t := range words.Cut(f.Title) {
		w.words = append(w.words, t.Text)
	}
	for _, rule := range s.always {
		if mayFit(s.all[rule].query, f) {
			w.rules = append(w.rules, rule)
		}
	}
	return w
}

// mayFit reports whether a query may fit some item of a feed.
func mayFit(q query.Query, f *model.Feed) bool {
	return query.Reduce(q, func(p query.Part, _ bool) query.Answer {
		switch {
		case !p.AsksFeed():
			return query.Open
		case p.OfFeed(f):
			return query.Yes
		}
		return query.No
	}, func(kids []query.Answer) query.Answer {
		return slices.Min(append(kids, query.Yes))
	}, slices.Max[[]query.Answer], func(a query.Answer) query.Answer { return query.Yes - a }) != query.No
}
