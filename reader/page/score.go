package page

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// classLone says what a block without partner counts as.
func (n *analysis) classLone(d *document, block int, words []string, at placeFlags) Class {
	if at&inMenu != 0 {
		if at&inLink != 0 && len(words) > 0 && len(words) <= menuWords && secLegal.has(words) {
			return Content // what binds people is news wherever it stands
		}
		if notice(words, at) {
			return Content
		}
		return Menu
	}
	if at&inTime != 0 {
		return Date
	}
	if words == nil {
		return Content // a long block
	}
	if d.quietPart(block, words) {
		return Volatile
	}
	dates := dateSpans(words)
	besideDates(dates, words, func(i int) bool { return d.commaAfter(d.blocks[block].w0 + int32(i)) })
	date, quiet := true, true
	for i, w := range words {
		date = date && dates[i]
		quiet = quiet && (dates[i] || hashed(w) || bare(w))
	}
	switch {
	case date:
		return Date
	case quiet:
		return Volatile
	}
	switch k := n.weigh(loneKind(words, dates)); {
	case k == KindStamp:
		return Date
	case k.quiet():
		return Volatile
	}
	return Content
}

// shortNotice is the longest block in which a year that changes by itself is a
// date ("© 2022 Harbour Office"), not a fact.
const shortNotice = 8

// manyAlike is how many places must change in the same way, but for their
// numbers, to be taken for ages or counters.
const manyAlike = 3

// classPair says what a changed block counts as, and how many of its changed
// words are quiet (dates, tokens) even if the rest is news.
// In furniture all but facts, counters and tokens counts as that.
func (n *analysis) classPair(x, y int, wa, wb []string) (Class, Words) {
	at, was := n.out[1].at[y].flags, n.out[0].at[x].flags
	if at&was&inTime != 0 && at&inMenu == 0 {
		return Date, Words{}
	}
	if n.b.quietPart(y, wb) {
		return Volatile, Words{}
	}
	c, quiet := n.classWords(x, y, wa, wb)
	if at&inMenu != 0 && c != Volatile && !(c == Content && n.factual(x, y, wa, wb, at)) {
		return Menu, Words{}
	}
	return c, quiet
}

// classWords is classPair by the words alone.
func (n *analysis) classWords(x, y int, wa, wb []string) (Class, Words) {
	if wa == nil || wb == nil {
		if n.unchanged(x, y) {
			return Volatile, Words{} // only signs
		}
		if n.returned(y, turnsOf) {
			return Volatile, Words{}
		}
		return Content, Words{}
	}
	ca := n.changedIn(n.a, x, wa, n.match)
	cb := n.changedIn(n.b, y, wb, n.back)
	total := ca.words + cb.words
	switch {
	case total == 0 && len(wa) == len(wb):
		return Volatile, Words{} // only signs
	case total == 0:
		return Order, Words{} // words that now stand in another block
	case len(wb) <= shortNotice && ca.years+cb.years == total:
		return Date, Words{}
	case misread(n.a.textOf(x), n.b.textOf(y)), total == 1 && n.renumbered(x, y):
		return Volatile, Words{}
	}
	kinds, quiet := n.kinds(x, y, wa, wb, ca.in, cb.in)
	n.kindsOf = kinds
	switch {
	case kinds == 0:
	case kinds&^(1<<KindStamp) == 0:
		return Date, quiet
	case kinds&loudKinds == 0:
		return Volatile, quiet
	}
	// A date or time by itself is the day of the page, unless it stands in a row.
	if ca.dates+cb.dates == total && kinds&^(1<<KindDate|1<<KindStamp) == 0 && !n.hasEvent(wb, cb.in, y) {
		return Date, quiet
	}
	if kinds&(1<<KindState|1<<KindAmount|1<<KindVersion|1<<KindDate) != 0 {
		if kinds&(1<<KindAmount) != 0 && n.restlessAmount(wb, y) || n.returned(y, factTurns) ||
			n.restlessPlace(n.b, y, placeLog.restlessFact) {
			return Volatile, quiet
		}
		return Content, quiet
	}
	if n.aged(wa, wb, x, y) || kinds&(1<<KindText) != 0 && n.restlessPlace(n.b, y, placeLog.volatile) {
		return Volatile, quiet
	}
	if m := maskAll(wa); m == maskAll(wb) {
		if n.restless(m, wb, ca, cb, y) {
			return Volatile, quiet
		}
		return Content, quiet
	}
	if n.returned(y, turnsOf) {
		return Volatile, quiet
	}
	return Content, quiet
}

// loudKinds are the kinds that are content.
const loudKinds = 1<<KindAge - 1

// kinds is the set of kinds of the changed stretches of a pair, and the words of
// those that are not content.
func (n *analysis) kinds(x, y int, wa, wb []string, da, db []bool) (set uint32, quiet Words) {
	for _, s := range n.spans(x, y) {
		ka, kb := KindText, KindText
		if s.b1 > s.b0 {
			kb = kindOf(wb, s.b0, s.b1, db)
			ka = kb
		}
		if s.a1 > s.a0 {
			ka = kindOf(wa, s.a0, s.a1, da)
			if s.b1 == s.b0 {
				kb = ka
			}
		}
		// The louder of the two sides decides; a number gives way to what its
		// other side says it is.
		k := min(ka, kb)
		if ka == KindState || kb == KindState {
			k = KindState
		} else if k == KindNumber || k == KindText && ka.quiet() != kb.quiet() && s.a1-s.a0 <= near && s.b1-s.b0 <= near {
			k = max(ka, kb)
		}
		k = n.weigh(k)
		switch {
		case k.quiet():
		case (k == KindDate || (k == KindNumber || k == KindText) && clockIn(wb[s.b0:s.b1]) >= 0) && n.ofFetch(wa[s.a0:s.a1], wb[s.b0:s.b1]):
			k = KindStamp
		case k == KindDate && n.restlessNumbers(n.b, y, wb, s.b0, s.b1, placeLog.restlessFact):
			k = KindStamp
		case (k == KindNumber || k == KindText) && len(wb) > 1 && n.restlessNumbers(n.b, y, wb, s.b0, s.b1, placeLog.volatile):
			k = KindToken
		}
		set |= 1 << k
		if k.quiet() {
			quiet.Added += s.b1 - s.b0
			quiet.Deleted += s.a1 - s.a0
		}
	}
	return set, quiet
}

// weigh is what a kind counts as here: whoever compares two versions of an item
// looks at its ages and counts as numbers.
func (n *analysis) weigh(k Kind) Kind {
	if n.o.item && (k == KindAge || k == KindCount) {
		return KindNumber
	}
	return k
}

// hasEvent reports whether a block says what its dates are of: words enough
// beside them, or a list or table around it.
func (n *analysis) hasEvent(words []string, dates []bool, y int) bool {
	if n.out[1].at[y].flags&inRow != 0 {
		return true
	}
	others := 0
	for i, w := range words {
		if !dates[i] && strings.ContainsFunc(w, unicode.IsLetter) && !secUnit.has(words[i:i+1]) {
			others++
		}
	}
	return others > 0
}

// restlessAmount reports whether one of several amounts that change all the
// time was there before: a box of offers by turns.
func (n *analysis) restlessAmount(words []string, y int) bool {
	m, slot := n.o.Memory, n.b.slotOf(y, words)
	return m.flickers(slot) && m.several(slot) && m.knows(n.b.hash(y))
}

// returned reports whether a block of b, which is not on a, is no news: the last
// fetch saw it already and it was not told then, or it comes and goes at most
// fetches. One more row of a table that reads like another one is news.
func (n *analysis) returned(y, turns int) bool {
	if n.o.Memory == nil {
		return false
	}
	if n.stands == nil {
		n.stands = make(map[int32]bool, len(n.a.blocks))
		for i := range n.a.blocks {
			n.stands[n.a.blocks[i].key] = true
		}
	}
	h := n.b.hash(y)
	return !n.stands[n.b.blocks[y].key] && (n.o.Memory.held(h) || n.o.Memory.flaps(h, turns))
}

// ageWords is the longest block whose age is looked for; an age is at most
// ageRun words, the first a number, at one end of the block.
const (
	ageWords = 40
	ageRun   = 2
)

// age looks for the one run of changed words of a block at one of its ends,
// short and beginning with a number, and returns a key for what stands beside.
func age(words []string, match []int32) (key string, ok bool) {
	from, to := -1, -1
	for i := range words {
		if match[i] >= 0 {
			continue
		}
		if from < 0 {
			from = i
		}
		to = i
	}
	if from < 0 || to-from >= ageRun || number(words[from]) < 0 || len(words) > ageWords {
		return "", false
	}
	switch last := len(words) - 1; {
	case to == last && from > 0:
		return "age " + words[from-1], true
	case to < last && last-to <= ageRun:
		return "age\x00" + words[last], true
	case from == 0 && to < last:
		return "\x00age" + words[to+1], true
	}
	return "", false
}

// aged reports whether a pair differs in an age ("39 minutes ago") that many
// other blocks show in the same way.
func (n *analysis) aged(wa, wb []string, x, y int) bool {
	ka, oka := age(wa, n.match[n.a.blocks[x].w0:])
	kb, okb := age(wb, n.back[n.b.blocks[y].w0:])
	return oka && okb && ka == kb && n.masks[kb] >= manyAlike
}

// renumbered reports whether a pair differs only in that one side spells out
// the number of a list item ("3. Scope") and the other leaves it to the markup.
func (n *analysis) renumbered(x, y int) bool {
	d, blk, match := n.a, n.a.blocks[x], n.match
	if n.b.blocks[y].words() > blk.words() {
		d, blk, match = n.b, n.b.blocks[y], n.back
	}
	if blk.words() < 2 || match[blk.w0] >= 0 || !bare(d.wordText(blk.w0)) {
		return false
	}
	t := d.next(d.words[blk.w0])
	return d.is(t) == aSign && (d.src[t] == '.' || d.src[t] == ')')
}

// restless reports whether the numbers of a block, which alone changed, do so
// all the time for no reader's sake. What something costs is always told, but
// for one of several amounts that change all the time and were there before: a
// box of offers by turns. A number that stands alone may be a price as well: it
// is silent as long as it goes one way, as counters do. Among words, which may
// say how many are here now, it is told when it turns for the first time.
func (n *analysis) restless(masked string, words []string, ca, cb changedWordsOf, y int) bool {
	m, slot := n.o.Memory, n.b.slotOf(y, words)
	often := m.flickers(slot)
	switch {
	case ca.money || cb.money:
		return n.restlessAmount(words, y)
	case n.counter(masked, words, ca, cb, y):
		return true
	case !often || m.several(slot):
		return often
	}
	turns := m.turns(slot, theNumber(words))
	return turns == 0 || turns > 1 && len(words) > 1
}

// counter reports whether a block whose numbers alone changed is a counter: a
// block of nothing but several numbers that is no row, a large one that went on a little, an
// identifier of letters and digits in a short block, or one of several that
// changed alike.
func (n *analysis) counter(masked string, words []string, ca, cb changedWordsOf, y int) bool {
	if ca.named && cb.named {
		return false
	}
	short := len(words) <= 6
	row := n.out[1].at[y].flags&inRow != 0
	return !row && len(words) > 1 && !strings.ContainsFunc(masked, unicode.IsLetter) ||
		len(words) <= shortNotice && ca.words == 1 && cb.words == 1 && crept(ca.last, cb.last) ||
		short && ca.glued+cb.glued == ca.words+cb.words ||
		short && cb.alike >= manyAlike
}

// numberKey says what a number counts, as far as its neighbours tell: the word
// after it, or before it at the end of a block.
func numberKey(words []string, i int) string {
	if i+1 < len(words) {
		return mask(words[i]) + " " + mask(words[i+1])
	}
	if i > 0 {
		return mask(words[i-1]) + " " + mask(words[i])
	}
	return mask(words[i])
}

// changedWordsOf sums up the changed words of one side of a block.
type changedWordsOf struct {
	words  int
	in     []bool // by word of the block: in a date or time
	dates  int    // changed words in a date or time
	years  int    // years by themselves
	tokens int    // tokens nobody reads
	glued  int    // letters and digits in one word, but what is measured
	money  bool   // an amount among them
	named  bool   // a number that names something among them, see identifies
	last   string
	alike  int // in how many places such a number changed; the least of them
}

func (n *analysis) changedIn(d *document, blk int, words []string, match []int32) (c changedWordsOf) {
	w0 := d.blocks[blk].w0
	match = match[w0:]
	dates := dateSpans(words)
	weekdays(dates, match, func(i int) bool { return d.commaAfter(w0 + int32(i)) })
	c.in = dates
	c.alike = math.MaxInt
	for i, w := range words {
		if match[i] >= 0 {
			continue
		}
		c.alike = min(c.alike, n.masks[numberKey(words, i)])
		c.words++
		c.last = w
		c.named = c.named || hasDigit(w) && identifies(words, i, i+1)
		switch {
		case dates[i]:
			c.dates++
		case year(number(w)):
			c.years++
		case hashed(w), quad(w), i+1 < len(words) && timed(w, words[i+1]):
			c.tokens++
		case priced(w):
			c.money = true
		case hasDigit(w) && strings.ContainsFunc(w, unicode.IsLetter) && !measured(w):
			c.glued++
		}
	}
	return c
}

// mentions counts the reader's keywords in the changed parts of a row.
func (n *analysis) mentions(r Row) {
	if len(n.lower) == 0 {
		return
	}
	for _, s := range r.Segments {
		if s.Kind == Equal {
			continue
		}
		text := strings.ToLower(s.Text)
		for _, k := range n.lower {
			n.mentioned[k] += occurrences(text, k)
		}
	}
}

// occurrences counts k in text where it is not part of a longer word. Scripts
// without spaces have no such borders, so they are asked of letters of
// alphabets only.
func occurrences(text, k string) int {
	c := 0
	for i := 0; ; {
		j := strings.Index(text[i:], k)
		if j < 0 {
			return c
		}
		j += i
		before, _ := utf8.DecodeLastRuneInString(text[:j])
		after, _ := utf8.DecodeRuneInString(text[j+len(k):])
		if !(joined(before) && joined(first(k))) && !(joined(after) && joined(lastRune(k))) {
			c++
		}
		i = j + len(k)
	}
}

func joined(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && r != utf8.RuneError &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

func first(s string) rune    { r, _ := utf8.DecodeRuneInString(s); return r }
func lastRune(s string) rune { r, _ := utf8.DecodeLastRuneInString(s); return r }

// score adds up the terms and names the class.
func (n *analysis) score() {
	d := &n.d
	for _, k := range n.lower {
		if c := n.mentioned[k]; c > 0 {
			d.Keywords = append(d.Keywords, Mention{k, c})
			n.hits[CatKeywords] += c
		}
	}
	n.hits[CatLinks] = replaced(d.Links)
	n.hits[CatImages] = replaced(d.Images)
	n.hits[CatTargets], n.hits[CatPictures] = n.newTargets(), n.newPictures()
	n.hits[CatForms] = replaced(d.Forms)
	n.hits[CatEmbeds] = replaced(d.Embeds)
	weights := DefaultWeights()
	for _, cat := range []string{CatKeywords, CatWords, CatTargets, CatPictures, CatLinks, CatImages, CatForms, CatEmbeds, CatTitle,
		CatAppearance, CatMenu, CatOrder, CatDates, CatVolatile} {
		count := n.hits[cat]
		if count <= 0 {
			continue
		}
		w, ok := n.o.Weights[cat]
		if !ok {
			w = weights[cat]
		}
		t := Term{cat, count, w, round(w * math.Log2(1+float64(count)))}
		d.Terms = append(d.Terms, t)
		d.Score += t.Points
	}
	d.Score = round(d.Score)
	limit := n.o.Threshold
	if limit == 0 {
		limit = DefaultThreshold
	}
	d.Significant = d.Score > limit && !d.Dead
	d.Class = n.class()
}

// replaced counts a thing exchanged for another once.
func replaced(e Existence) int { return max(len(e.Added), len(e.Removed)) }

// round keeps three decimals, so that a score reads the same everywhere.
func round(f float64) float64 { return math.Round(f*1000) / 1000 }

// class names the change by the most telling category it has.
func (n *analysis) class() Class {
	h := n.hits
	switch {
	case h[CatWords] > 0:
		return Content
	case h[CatTargets]+h[CatPictures] > 0:
		return Links
	case h[CatMenu] > 0:
		return Menu
	case h[CatOrder] > 0:
		return Order
	case h[CatDates] > 0:
		return Date
	case h[CatLinks]+h[CatImages]+h[CatForms]+h[CatEmbeds] > 0:
		return Links
	case n.reflowed:
		return Order
	case h[CatVolatile] > 0:
		return Volatile
	}
	return None
}
