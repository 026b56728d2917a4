package page

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what sort of thing a changed stretch of text is. It decides what a
// change counts as until the place it stands in has a history.
type Kind uint8

// The kinds. Those up to KindNumber are content, the others are not.
const (
	KindText    Kind = iota // words, names
	KindState               // in stock, cancelled, open
	KindAmount              // a number with a currency
	KindVersion             // 2.4.0
	KindDate                // a date or time that belongs to something
	KindNumber              // a number with a label of its own
	KindAge                 // how long ago, or how long still
	KindCount               // of views, comments, stars and the like; reading time
	KindStamp               // when the page itself was made or looked at
	KindToken               // build ids, hashes, addresses of machines
)

var kindNames = [...]string{"text", "state", "amount", "version", "date", "number", "age", "count", "timestamp", "token"}

// String names the kind as why shows it.
func (k Kind) String() string { return kindNames[k] }

func (k Kind) quiet() bool { return k >= KindAge }

// stretch is a changed stretch of a pair of blocks: words [a0, a1) of the old one
// became [b0, b1) of the new one, positions in the block.
type stretch struct{ a0, a1, b0, b1 int }

// spans lists the changed stretches of a pair of blocks, in order.
func (n *analysis) spans(x, y int) (out []stretch) {
	ba, bb := n.a.blocks[x], n.b.blocks[y]
	i, j := 0, 0
	end := func(i1, j1 int) {
		if i1 > i || j1 > j {
			out = append(out, stretch{i, i1, j, j1})
		}
	}
	for w := ba.w0; w < ba.w1; w++ {
		if o := n.match[w]; o >= bb.w0 && o < bb.w1 {
			end(int(w-ba.w0), int(o-bb.w0))
			i, j = int(w-ba.w0)+1, int(o-bb.w0)+1
		}
	}
	end(ba.words(), bb.words())
	return out
}

// near is how many words beside a number may say what it counts.
const near = 3

// around returns words [i, j) with up to n words on either side.
func around(words []string, i, j, n int) []string {
	return words[max(0, i-n):min(len(words), j+n)]
}

// kindOf says what the words [i, j) of a block are; dates marks the words that
// belong to dates and times.
func kindOf(words []string, i, j int, dates []bool) Kind {
	changed := words[i:j]
	digits, dated, tokens := 0, 0, 0
	for k := i; k < j; k++ {
		w := words[k]
		switch {
		case dates[k]:
			dated++
		case hashed(w) && !names(w), quad(w), k+1 < len(words) && timed(w, words[k+1]):
			tokens++
		case hasDigit(w):
			digits++
		}
	}
	switch wide := around(words, i, j, 2); {
	case tokens == len(changed):
		return KindToken
	case secState.has(changed) || digits+dated == 0 && secState.has(wide) && !secAgo.has(wide):
		return KindState
	case dated == len(changed):
		return kindOfDate(words, i, j)
	case aged(words, i, j):
		return KindAge
	case digits == 0:
		return KindText
	case costs(words, i, j):
		return KindAmount
	case secMaker.has(words[max(0, i-makerWords):i]):
		return KindToken
	case versioned(words, i, j):
		return KindVersion
	case identifies(words, i, j):
		return KindNumber
	case len(changed) <= near && countsVisits(words, i, j):
		return KindCount
	case times(changed):
		return kindOfDate(words, i, j)
	}
	if digits == len(changed) {
		return KindNumber
	}
	return KindText
}

// stampWords is how far from a date the words stand that say the page was made
// then: a date takes up to ten words itself where each sign is one.
const stampWords = 12

// makerWords is how far before a version the words stand that say it is of what
// made the page.
const makerWords = 4

// times reports whether all words are times of day.
func times(words []string) bool {
	for _, w := range words {
		if !clock(w) || bare(w) {
			return false
		}
	}
	return len(words) > 0
}

// kindOfDate tells the time a page was made from a time that belongs to what it
// says: by the words before, by seconds, and where nothing else stands in a block.
func kindOfDate(words []string, i, j int) Kind {
	if len(words) <= ageWords && secAsOf.has(around(words, i, j, stampWords)) {
		return KindStamp
	}
	for _, w := range words[i:j] {
		if len(parts(w, ":")) == 3 {
			return KindStamp
		}
	}
	return KindDate
}

// aged reports whether words [i, j) are an age or a countdown: numbers, units of
// time and words for days that are near, beside a word that says so.
func aged(words []string, i, j int) bool {
	relative := false
	for k := i; k < j; k++ {
		one := words[k : k+1]
		switch {
		case bare(words[k]):
		case len(parts(words[k], ":")) > 1:
		case secUnit.has(one) || glued(words[k]) || secArticle.has(one):
		case secRelative.has(one), secAgo.has(one):
			relative = true
		default:
			return false
		}
	}
	wide := around(words, i, j, near)
	return secAgo.has(wide) && (relative || secUnit.has(wide) || hasGlued(wide) || hasParts(words[i:j])) ||
		relative && len(words) <= shortNotice && j-i <= near && !secState.has(words)
}

func hasParts(words []string) bool {
	for _, w := range words {
		if len(parts(w, ":")) > 1 {
			return true
		}
	}
	return false
}

// glued reports whether w is a number with a unit of time: 5m, 3h, 12min.
func glued(w string) bool {
	at := strings.IndexFunc(w, func(r rune) bool { return !unicode.IsDigit(r) })
	return at > 0 && secUnit.has([]string{w[at:]})
}

func hasGlued(words []string) bool {
	for _, w := range words {
		if glued(w) {
			return true
		}
	}
	return false
}

// costs reports whether a currency stands in or right beside words [i, j).
func costs(words []string, i, j int) bool {
	for _, w := range around(words, i, j, 1) {
		if priced(w) || strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Sc, r) }) {
			return true
		}
	}
	return secCurrency.has(around(words, i, j, 1))
}

// versioned reports whether words [i, j) are the number of a version.
func versioned(words []string, i, j int) bool {
	if i > 0 && secVersion.has(words[i-1:i]) {
		return true
	}
	for _, w := range words[i:j] {
		if v := strings.TrimLeft(strings.ToLower(w), "v"); len(v) < len(w) && v != "" && v[0] >= '0' && v[0] <= '9' {
			return true
		} else if p := parts(v, "."); len(p) >= 3 && !dated(v) {
			return true
		}
	}
	return false
}

// countsVisits reports whether a word for what people do with a page stands beside
// the number in words [i, j).
func countsVisits(words []string, i, j int) bool {
	if len(words) > ageWords {
		return false
	}
	from, to := max(0, i-2), min(len(words), j+near)
	// Another number nearer to the word owns it.
	for k := j; k < to; k++ {
		if hasDigit(words[k]) {
			to = k
			break
		}
	}
	for k := i - 1; k >= from; k-- {
		if hasDigit(words[k]) {
			from = k + 1
			break
		}
	}
	return secCount.has(words[from:to])
}

// loneKind says what a short block is that came or went as a whole; KindText
// for what is more than an age, a count or a time.
func loneKind(words []string, dates []bool) Kind {
	if len(words) > shortNotice+near {
		return KindText
	}
	others, digits, number := 0, 0, 0
	for i, w := range words {
		one := words[i : i+1]
		switch {
		case hasDigit(w):
			digits, number = digits+1, i
		case dates[i], secUnit.has(one), secAgo.has(one), secRelative.has(one), secArticle.has(one), secAsOf.has(one):
		default:
			others++
		}
	}
	short := utf8.RuneCountInString(strings.Join(words, "")) <= 60
	switch {
	case !short || secState.has(words):
		return KindText
	case others <= 1 && secAgo.has(words) && (secUnit.has(words) || hasGlued(words)):
		return KindAge
	case others == 0 && digits == 0 && secRelative.has(words):
		return KindAge
	case others <= 2 && digits > 0 && secAsOf.has(words):
		return KindStamp
	case digits == 1 && !costs(words, 0, len(words)) && countsVisits(words, number, number+1):
		return KindCount
	}
	return KindText
}
