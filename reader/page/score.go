package page

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"diurna/reader/align"
	"diurna/reader/field"
	"diurna/reader/kind"
)

// classLone says what a block without partner counts as.
func (n *analysis) classLone(d *align.Document, block int, words []string, in []align.Place) Class {
	at := in[block].Flags
	if at&align.InMenu != 0 {
		if at&align.InLink != 0 && len(words) > 0 && len(words) <= align.MenuWords && kind.Legal.Has(words) {
			return Content // what binds people is news wherever it stands
		}
		if d == n.A && at&align.InLink != 0 && len(words) > 0 && len(words) <= align.MenuWords && n.o.Memory.always(d.Hash(block)) &&
			field.InFoot(d, block, in) && field.Dropped(d, n.B, block, n.o.Host) && goneBeside(n.pair.A, block) < manyAlike {
			return Content
		}
		if at&(align.InNav|align.InLink) == 0 && field.Offered(d, block, words) {
			return Content
		}
		if notice(words, at) || at&align.InNav == 0 && d == n.B && block > 0 && n.pair.B[block-1] >= 0 && field.OneOfSeveral(d, block, in) && !kind.OfBlock(words, kind.DateSpans(words)).Quiet() {
			return Content
		}
		return Menu
	}
	if field.Above(block, in) && field.Plain(words) {
		return Menu
	}
	if at&align.InTime != 0 && !n.ahead(words) && !n.ahead([]string{field.Datetime(d, block)}) {
		return Date
	}
	if words == nil {
		return Content // a long block
	}
	if quietPart(d, block, words, in) || advert(d, block, words, at, n.o.Host) && !(d == n.A && leftAGap(n.pair.A, block) && n.o.Memory.always(d.Hash(block))) || n.o.Memory != nil && field.Idle(d, block, words, in) {
		return Volatile
	}
	dates := kind.DateSpans(words)
	kind.BesideDates(dates, words, func(i int) bool { return d.CommaAfter(d.Blocks[block].W0 + int32(i)) })
	fetched := n.o.Fetched[0]
	if d == n.B {
		fetched = n.o.Fetched[1]
	}
	if kind.ShownAt(fetched, words, dates) {
		return Date
	}
	date, quiet := true, true
	for i, w := range words {
		date = date && dates[i]
		quiet = quiet && (dates[i] || kind.Hashed(w) || kind.Bare(w) && !field.Costs(d, block, d.Blocks[block].W0+int32(i)))
	}
	switch {
	case date && !n.ahead(words):
		return Date
	case date:
		return Content
	case quiet:
		return Volatile
	}
	switch k := n.weigh(kind.OfBlock(words, dates)); {
	case k == kind.Stamp:
		return Date
	case k.Quiet():
		return Volatile
	}
	return Content
}

// goneBeside is how many blocks that stood one after the other have no partner, around one.
func goneBeside(pair []int32, block int) (n int) {
	for ; block > 0 && pair[block-1] < 0; block-- {
	}
	for ; block < len(pair) && pair[block] < 0 && n < manyAlike; block++ {
		n++
	}
	return n
}

// leftAGap reports whether nothing came in the place of a block that is gone.
func leftAGap(pair []int32, block int) bool {
	return block > 0 && block+1 < len(pair) && pair[block-1] >= 0 && pair[block+1] == pair[block-1]+1
}

// manyAlike is how many places must change in the same way, but for their
// numbers, to be taken for ages or counters.
const manyAlike = 3

// classPair says what a changed block counts as, and how many of its changed
// words are quiet (dates, tokens) even if the rest is news.
// In furniture all but facts, counters and tokens counts as that.
func (n *analysis) classPair(x, y int, wa, wb []string) (Class, Words) {
	at, was := n.out[1].At[y].Flags, n.out[0].At[x].Flags
	if at&was&align.InTime != 0 && at&align.InMenu == 0 && !n.ahead(wb) && !n.ahead([]string{field.Datetime(n.B, y)}) {
		return Date, Words{}
	}
	if quietPart(n.B, y, wb, n.out[1].At) || field.Stars(n.B.TextOf(y), wb) || at&(align.InRow|align.InText) == 0 && n.weather(y, wb) || kind.Readings(wb) && at&align.InHead == 0 {
		return Volatile, Words{}
	}
	c, quiet := n.classWords(x, y, wa, wb)
	if c == Content && field.Above(y, n.out[1].At) && field.Plain(wa) && field.Plain(wb) {
		return Menu, quiet
	}
	if at&align.InMenu != 0 && c != Volatile && !(c == Content && n.factual(x, y, wa, wb, at)) {
		return Menu, Words{}
	}
	return c, quiet
}

// classWords is classPair by the words alone.
func (n *analysis) classWords(x, y int, wa, wb []string) (Class, Words) {
	if wa == nil || wb == nil {
		if n.unchanged(x) {
			return Volatile, Words{} // only signs
		}
		if n.returned(y, turnsOf) {
			return Volatile, Words{}
		}
		return Content, Words{}
	}
	ca := n.changedIn(n.A, x, wa, n.Match)
	cb := n.changedIn(n.B, y, wb, n.Back)
	total := ca.words + cb.words
	switch {
	case total == 0 && len(wa) == len(wb):
		return Volatile, Words{} // only signs
	case total == 0:
		return Order, Words{} // words that now stand in another block
	case len(wb) <= kind.ShortNotice && ca.years+cb.years == total:
		return Date, Words{}
	case kind.Misread(n.A.TextOf(x), n.B.TextOf(y)), total == 1 && n.renumbered(x, y):
		return Volatile, Words{}
	}
	kinds, quiet := n.kinds(x, y, wa, wb, ca.in, cb.in)
	n.kindsOf = kinds
	switch {
	case kinds == 0:
	case kinds&^(1<<kind.Stamp) == 0:
		return Date, quiet
	case kinds&loudKinds == 0:
		return Volatile, quiet
	}
	if loud := kinds & loudKinds; field.AtFoot(n.B, y) && (loud == 1<<kind.Version && (kinds != loud || field.Foot(n.B, y)) ||
		loud == 1<<kind.Date && len(wb) <= kind.ShortNotice && kind.Versioned(wb)) {
		return Volatile, quiet // what made the page, beside when or how often
	}
	// A date or time by itself is the day of the page, unless it stands in a row.
	if ca.dates+cb.dates == total && kinds&^(1<<kind.Date|1<<kind.Stamp) == 0 && !n.hasEvent(wb, cb.in, y) {
		return Date, quiet
	}
	if kinds&(1<<kind.State|1<<kind.Amount|1<<kind.Version|1<<kind.Date) != 0 {
		if kinds&(1<<kind.Amount) != 0 && n.restlessAmount(wb, y) || n.returned(y, factTurns) ||
			n.restlessPlace(n.B, y, placeLog.restlessFact) {
			return Volatile, quiet
		}
		return Content, quiet
	}
	if n.out[1].At[y].Flags&align.InRow == 0 && len(wb) <= shortField && redrawn(&ca, &cb) {
		return Volatile, quiet
	}
	if n.aged(wa, wb, x, y) || kinds&(1<<kind.Text) != 0 && n.restlessPlace(n.B, y, placeLog.volatile) {
		return Volatile, quiet
	}
	if m := kind.MaskAll(wa); m == kind.MaskAll(wb) {
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
const loudKinds = 1<<kind.Age - 1

// kinds is the set of kinds of the changed stretches of a pair, and the words of
// those that are not content.
func (n *analysis) kinds(x, y int, wa, wb []string, da, db []bool) (set uint32, quiet Words) {
	grew := true // as counters do, all numbers that are no more than that
	for _, s := range n.spans(x, y) {
		ka, kb := kind.Text, kind.Text
		if s.b1 > s.b0 {
			kb = kind.Of(wb, s.b0, s.b1, db)
			ka = kb
		}
		if s.a1 > s.a0 {
			ka = kind.Of(wa, s.a0, s.a1, da)
			if s.b1 == s.b0 {
				kb = ka
			}
		}
		// The louder of the two sides decides; a number gives way to what its
		// other side says it is.
		k := min(ka, kb)
		if ka == kind.State || kb == kind.State {
			k = kind.State
		} else if k == kind.Number || k == kind.Text && ka.Quiet() != kb.Quiet() && s.a1-s.a0 <= kind.Near && s.b1-s.b0 <= kind.Near {
			k = max(ka, kb)
		}
		if k == kind.Number && s.b1 > s.b0 {
			k = n.numberIn(y, wa, wb, s)
		}
		k = n.weigh(k)
		switch {
		case k == kind.Token && s.b1-s.b0 == 1 && s.a1-s.a0 == 1 && field.Checksum(n.B, y, wa[s.a0], wb[s.b0], n.out[1].At[y].Flags&align.InRow != 0) &&
			n.restlessNumbers(n.B, y, wb, s.b0, s.b1, placeLog.rare):
			k = kind.Version
		case k.Quiet():
		case (k == kind.Date || (k == kind.Number || k == kind.Text) && kind.ClockIn(wb[s.b0:s.b1]) >= 0) && n.ofFetch(wa[s.a0:s.a1], wb[s.b0:s.b1]) &&
			(kind.ClockIn(wb[s.b0:s.b1]) < 0 || !n.restlessNumbers(n.B, y, wb, s.b0, s.b1, placeLog.still)):
			k = kind.Stamp
		case k == kind.Date && n.restlessNumbers(n.B, y, wb, s.b0, s.b1, placeLog.restlessFact):
			k, n.learned = kind.Stamp, true
		case k == kind.Amount && n.o.Memory.flickers(slotOf(n.B, y, wb)) && n.restlessNumbers(n.B, y, wb, s.b0, s.b1, placeLog.restlessFact):
			k, n.learned = kind.Count, true
		case k == kind.Number && len(wb) > 1 && n.out[1].At[y].Flags&align.InRow == 0 && !(n.out[1].At[y].Flags&align.InHead != 0 && kind.IsSet(wb, s.b0, s.b1)) && n.restlessNumbers(n.B, y, wb, s.b0, s.b1, placeLog.restlessNumber),
			(k == kind.Number || k == kind.Text) && len(wb) > 1 && n.restlessNumbers(n.B, y, wb, s.b0, s.b1, placeLog.volatile):
			k, n.learned = kind.Token, true
		}
		grew = grew && (k != kind.Number || s.a1-s.a0 == 1 && s.b1-s.b0 == 1 && kind.Grew(wa[s.a0], wb[s.b0]))
		set |= 1 << k
		if k.Quiet() {
			quiet.Added += s.b1 - s.b0
			quiet.Deleted += s.a1 - s.a0
		}
	}
	if set&(1<<kind.Count) != 0 && grew {
		set &^= 1 << kind.Number // they count beside it
	}
	return set, quiet
}

// numberIn says what a number is by what stands around it on the page, when its words
// do not tell: a price of which the sign stands in another element, or the value of
// a field that is named as a count, an age or a date of the page.
func (n *analysis) numberIn(y int, wa, wb []string, s stretch) kind.Kind {
	w, at := n.B.Blocks[y].W0+int32(s.b0), n.out[1].At[y].Flags
	switch {
	case field.Costs(n.B, y, w):
		return kind.Amount
	case len(wb) <= kind.ShortNotice && s.a1-s.a0 == 1 && s.b1-s.b0 == 1 && !kind.Identifies(wb, s.b0, s.b1, kind.DateSpans(wb)) &&
		kind.Crept(kind.Grouped(wa, s.a0), kind.Grouped(wb, s.b0), at&align.InRow != 0):
		return kind.Count
	case field.Counts(n.B, y, w, at&align.InHead != 0):
		return kind.Count
	case at&align.InRow != 0:
		if kind.Counts.Has(field.ColumnOf(n.B, y, w)) || s.a1-s.a0 == 1 && kind.Grew(wa[s.a0], wb[s.b0]) && field.BehindLink(n.B, y, w) {
			return kind.Count
		}
		if label := field.LabelOf(n.B, y, w); kind.Counts.Has(label) || kind.Ago.Has(label) || kind.AsOf.Has(label) || !kind.Facts.Has(label) && (kind.Gauges.Has(label) ||
			kind.Vacant.Has(label) && wb[s.b0] != "0" && (s.a0 == s.a1 || wa[s.a0] != "0")) {
			return kind.Count
		}
	case len(wb) == 1 && kind.Quantity(field.TileOf(n.B, y)), kind.Awaited(wb, s.b0, s.b1), kind.Vacancies(wb, s.b0, s.b1):
		return kind.Count
	case s.a1-s.a0 == 1 && s.b1-s.b0 == 1 && (kind.Counted(wa[s.a0], wb, s.b0) || len(wb) <= kind.ShortNotice+kind.Near && field.Percent(n.B, y, w) && !kind.IsSet(wb, s.b0, s.b1)):
		return kind.Count
	}
	return kind.Number
}

// weather reports whether a short block shows degrees and no state, or what several
// currencies cost. Where each sign is a word, all its numbers must be degrees.
func (n *analysis) weather(y int, words []string) bool {
	most, all := kind.ShortNotice, true
	if len(words) > most && strings.ContainsFunc(words[0], kind.Unspaced) {
		most *= 2
	}
	if len(words) > most || kind.States.Has(words) {
		return false
	}
	if kind.Rates(words) {
		return true
	}
	some := false
	for i, w := range words {
		if kind.HasDigit(w) {
			degrees := field.Degrees(n.B, y, n.B.Blocks[y].W0+int32(i))
			some, all = some || degrees, all && degrees
		}
	}
	return some && (all || len(words) <= kind.ShortNotice)
}

// shortField is how many words a block has at most that shows little but a token.
const shortField = 6

// redrawn reports whether the one changed word of a pair is a token made by chance:
// letters and digits as many as before, and hardly one the same.
func redrawn(a, b *changedWordsOf) bool {
	return a.words == 1 && b.words == 1 && a.glued == 1 && b.glued == 1 &&
		field.ByChance(a.last, b.last)
}

// weigh is what a kind counts as here: whoever compares two versions of an item
// looks at its ages and counts as numbers.
func (n *analysis) weigh(k kind.Kind) kind.Kind {
	if n.o.item && (k == kind.Age || k == kind.Count) {
		return kind.Number
	}
	return k
}

// hasEvent reports whether a block says what its dates are of: words enough
// beside them, a list or table around it, or a day that is still to come.
func (n *analysis) hasEvent(words []string, dates []bool, y int) bool {
	if n.out[1].At[y].Flags&align.InRow != 0 || n.ahead(words) {
		return true
	}
	if len(words) == 2 && kind.IsClock(words[0]) && kind.IsClock(words[1]) {
		return true // from when to when
	}
	others := 0
	for i, w := range words {
		if !dates[i] && strings.ContainsFunc(w, unicode.IsLetter) && !kind.Units.Has(words[i:i+1]) {
			others++
		}
	}
	return others > 0
}

// restlessAmount reports whether one of several amounts that change all the
// time was there before: a box of offers by turns.
func (n *analysis) restlessAmount(words []string, y int) bool {
	m, slot := n.o.Memory, slotOf(n.B, y, words)
	return m.flickers(slot) && m.several(slot) && m.Knows(n.B.Hash(y))
}

// returned reports whether a block of b, which is not on a, is no news: the last
// fetch saw it already and it was not reported then, or it comes and goes at most
// fetches. One more row of a table that reads like another one is news.
func (n *analysis) returned(y, turns int) bool {
	if n.o.Memory == nil {
		return false
	}
	if n.stands == nil {
		n.stands = make(map[int32]bool, len(n.A.Blocks))
		for i := range n.A.Blocks {
			n.stands[n.A.Blocks[i].Key] = true
		}
	}
	h := n.B.Hash(y)
	return !n.stands[n.B.Blocks[y].Key] && (n.o.Memory.held(h) || n.o.Memory.flaps(h, turns))
}

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
	if from < 0 || to-from >= kind.AgeRun || kind.ShortNumber(words[from]) < 0 || len(words) > kind.AgeWords {
		return "", false
	}
	switch last := len(words) - 1; {
	case to == last && from > 0:
		return "age " + words[from-1], true
	case to < last && last-to <= kind.AgeRun:
		return "age\x00" + words[last], true
	case from == 0 && to < last:
		return "\x00age" + words[to+1], true
	}
	return "", false
}

// aged reports whether a pair differs in an age ("39 minutes ago") that many
// other blocks show in the same way.
func (n *analysis) aged(wa, wb []string, x, y int) bool {
	ka, oka := age(wa, n.Match[n.A.Blocks[x].W0:])
	kb, okb := age(wb, n.Back[n.B.Blocks[y].W0:])
	return oka && okb && ka == kb && n.masks[kb] >= manyAlike
}

// renumbered reports whether a pair differs only in that one side spells out
// the number of a list item ("3. Scope") and the other leaves it to the markup.
func (n *analysis) renumbered(x, y int) bool {
	d, blk, match := n.A, n.A.Blocks[x], n.Match
	if n.B.Blocks[y].Words() > blk.Words() {
		d, blk, match = n.B, n.B.Blocks[y], n.Back
	}
	if blk.Words() < 2 || match[blk.W0] >= 0 || !kind.Bare(d.WordText(blk.W0)) {
		return false
	}
	t := d.Next(d.Words[blk.W0])
	return d.Is(t) == align.Sign && (d.Src[t] == '.' || d.Src[t] == ')')
}

// restless reports whether the numbers of a block, which alone changed, do so
// all the time for no reader's sake. What something costs is always reported, but
// for one of several amounts that change all the time and were there before: a
// box of offers by turns. A number that stands alone may be a price as well: it
// is silent as long as it goes one way, as counters do. Among words, which may
// say how many are here now, it is reported when it turns for the first time.
func (n *analysis) restless(masked string, words []string, ca, cb changedWordsOf, y int) bool {
	m, slot := n.o.Memory, slotOf(n.B, y, words)
	often := m.flickers(slot)
	switch {
	case ca.money || cb.money:
		return n.restlessAmount(words, y)
	case n.counter(masked, words, ca, cb, y):
		return true
	case !often || n.steady(y, words):
		return false
	case m.several(slot):
		return true
	}
	turns := m.turns(slot, kind.TheNumber(words))
	return turns == 0 || turns > 1 && (len(words) > 1 || !kind.AmountLike(words[0]))
}

// steady reports whether a number of a block changed that stood still for most of the
// fetches in which its place is known: others beside it do not.
func (n *analysis) steady(y int, words []string) bool {
	w0 := n.B.Blocks[y].W0
	for i, w := range words {
		if n.Back[w0+int32(i)] >= 0 || len(words) == 1 || !kind.HasDigit(w) {
			continue
		}
		if all, changed := n.o.Memory.places[numberPlace(n.B, y, words, i)].fetches(); all > volatileLeast && 4*changed <= all {
			return true
		}
	}
	return false
}

// counter reports whether a block whose numbers alone changed is a counter: a
// block of nothing but several numbers that is no row, an identifier of letters
// and digits in a short block, or one of several that changed alike.
func (n *analysis) counter(masked string, words []string, ca, cb changedWordsOf, y int) bool {
	if ca.named && cb.named {
		return false
	}
	short := len(words) <= shortField
	row := n.out[1].At[y].Flags&align.InRow != 0
	return !row && len(words) > 1 && !strings.ContainsFunc(masked, unicode.IsLetter) ||
		short && ca.glued+cb.glued == ca.words+cb.words && !kind.Jumped(ca.last, cb.last) && !(row && n.duration(y, cb.last)) ||
		short && cb.alike >= manyAlike
}

// duration reports whether the last word of a block is the value of a field, with a
// unit of time: no age, as its name would say so.
func (n *analysis) duration(y int, w string) bool {
	return !kind.Shortened(w) && field.LabelOf(n.B, y, n.B.Blocks[y].W1-1) != nil
}

// numberKey says what a number counts, as far as its neighbours tell: the word
// after it, or before it at the end of a block.
func numberKey(words []string, i int) string {
	if i+1 < len(words) {
		return kind.Mask(words[i]) + " " + kind.Mask(words[i+1])
	}
	if i > 0 {
		return kind.Mask(words[i-1]) + " " + kind.Mask(words[i])
	}
	return kind.Mask(words[i])
}

// changedWordsOf sums up the changed words of one side of a block.
type changedWordsOf struct {
	words int
	in    []bool // by word of the block: in a date or time
	dates int    // changed words in a date or time
	years int    // years by themselves
	glued int    // letters and digits in one word, but what is measured
	money bool   // an amount among them
	named bool   // a number that names something among them, see identifies
	last  string
	alike int // in how many places such a number changed; the least of them
}

func (n *analysis) changedIn(d *align.Document, blk int, words []string, match []int32) (c changedWordsOf) {
	w0 := d.Blocks[blk].W0
	match = match[w0:]
	dates := kind.DateSpans(words)
	kind.Weekdays(dates, match, func(i int) bool { return d.CommaAfter(w0 + int32(i)) })
	c.in = dates
	c.alike = math.MaxInt
	side := 0
	if d == n.B {
		side = 1
	}
	for i, w := range words {
		if match[i] >= 0 || n.hides.has(side, w0+int32(i)) {
			continue
		}
		c.alike = min(c.alike, n.masks[numberKey(words, i)])
		c.words++
		c.last = w
		c.named = c.named || kind.HasDigit(w) && kind.Identifies(words, i, i+1, dates)
		switch {
		case dates[i]:
			c.dates++
		case kind.IsYear(kind.ShortNumber(w)):
			c.years++
		case kind.Hashed(w), kind.Quad(w), i+1 < len(words) && kind.Timed(w, words[i+1]):
			// nobody reads tokens
		case kind.Priced(w):
			c.money = true
		case kind.HasDigit(w) && strings.ContainsFunc(w, unicode.IsLetter) && !kind.Measured(w) && !kind.IsCode(w):
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
		if s.Kind == align.Equal {
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

func first(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

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
	// Words of menus, links and images in furniture of several places add up, and none
	// of them is news: alone they are reported only where less than usual was asked for,
	// or where so much of it changed that it is a list of the page's own.
	h := n.hits
	news := h[CatMenu] > mostFurniture || h[CatWords]+h[CatTargets]+h[CatPictures]+h[CatTitle]+h[CatKeywords]+h[CatForms] > 0
	d.Significant = d.Score > limit && (news || limit < DefaultThreshold) && !d.Dead
	d.Class = n.class()
}

// mostFurniture is how many words of furniture change on a page that has other content.
const mostFurniture = 50

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
