package stories

import (
	"hash/fnv"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"diurna/ranking/topics"
	"diurna/reader/links"
	"diurna/store"
)

// sketch is what is kept of an item to compare it with others. Words are known by hashes.
type sketch struct {
	id      store.ItemID
	at      int64          // unix s
	link    uint64         // of the canonical address; 0: none
	title   uint32         // of the whole title, of four words and more; 0: none
	terms   []uint32       // the words of title and text, ascending
	order   []byte         // which of terms the title has, in its order
	head    uint64         // bit i: terms[i] stands in the title
	text    uint64         // bit i: terms[i] stands in the text
	numbers []uint32       // in the title, ascending
	figures []uint32       // in the text, ascending
	names   []uint32       // in the title, ascending
	things  []uint32       // in both: what has letters and then figures, in the upper half the letters
	copies  [shingles]byte // 0: no shingle fell there
}

const (
	maxTerms   = 64 // distinct words of title and text, a bit for each
	maxTitle   = 24 // of them in the title
	maxNumbers = 16
	shingles   = 32 // bins
	titleWords = 4  // that a title needs to be compared as a whole
	titleChars = 8  // the same for scripts without spaces
)

func (s *sketch) feed() store.FeedID { return s.id.Feed() }

func hash32(kind byte, s string) uint32 {
	h := uint32(2166136261) ^ uint32(kind)*16777619
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619 // FNV-1a
	}
	return max(h, 1)
}

// linkOf is the hash of a canonical address, 0 without one.
func linkOf(link string) uint64 {
	c := links.Canonical(link)
	if c == "" {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(c))
	return max(h.Sum64(), 1)
}

// newSketch takes an item apart.
func newSketch(it *Item, cutter *topics.Cutter) *sketch {
	s := &sketch{id: it.ID, at: it.At, link: linkOf(it.Link)}
	title, text := it.Title, it.Text
	if len(text) > TextBytes {
		text = strings.ToValidUTF8(text[:TextBytes], "")
	}
	parts := cutter.Parts(title, text)
	inTitle := len(parts[0])
	order := make([]uint32, 0, inTitle+len(parts[1]))
	for _, words := range parts {
		for i := range words {
			order = append(order, hash32('w', words[i].Stem))
		}
	}
	s.terms = set(order[:min(inTitle, maxTitle)], order[inTitle:])
	s.order = make([]byte, 0, min(inTitle, maxTitle))
	for i, t := range order {
		at, found := slices.BinarySearch(s.terms, t)
		switch {
		case !found:
		case i >= inTitle:
			s.text |= 1 << at
		case s.head>>at&1 == 0:
			s.head |= 1 << at
			s.order = append(s.order, byte(at))
		}
	}
	s.shingle(order[inTitle:])
	plainTitle := norm.NFKC.String(title)
	s.numbers = s.numbersIn(plainTitle)
	s.figures = s.numbersIn(text)
	s.title = wholeTitle(plainTitle)
	s.names = namesIn(plainTitle, text, parts[0])
	return s
}

// set are the first distinct ones of hashes, ascending.
func set(lists ...[]uint32) []uint32 {
	n := 0
	for _, hashes := range lists {
		n += len(hashes)
	}
	out := make([]uint32, 0, min(n, maxTerms))
	for _, hashes := range lists {
		for _, h := range hashes {
			i, found := slices.BinarySearch(out, h)
			if len(out) == maxTerms {
				return out
			}
			if !found {
				out = slices.Insert(out, i, h)
			}
		}
	}
	return out
}

// shingle keeps of the three words in a row that a text is made of the smallest hash in
// each of some bins (Broder 1997; one permutation: Li, Owen and Zhang 2012, and of each
// hash one byte: Li and König 2010). The share of bins that agree estimates the share of
// shingles that two texts have in common.
func (s *sketch) shingle(words []uint32) {
	var least [shingles]uint32
	for i := 0; i+2 < len(words); i++ {
		h := (words[i]*31+words[i+1])*31 + words[i+2]
		h ^= h >> 15
		h *= 0x85ebca6b
		h ^= h >> 13
		h *= 0xc2b2ae35
		h ^= h >> 16
		bin := h % shingles
		if rest := h/shingles + 1; least[bin] == 0 || rest < least[bin] {
			least[bin] = rest
		}
	}
	for i, h := range least {
		if h != 0 {
			s.copies[i] = byte(h%255) + 1
		}
	}
}

// resemblance estimates the share of shingles that two texts have in common, 0 where one
// has too few of them.
func resemblance(a, b *sketch) float64 {
	same, some, of := 0, 0, 0
	for i := range a.copies {
		x, y := a.copies[i], b.copies[i]
		if x != 0 && y != 0 {
			some++
		}
		if x != 0 || y != 0 {
			of++
			if x == y {
				same++
			}
		}
	}
	if some < shingles/4 {
		return 0
	}
	return float64(same) / float64(of)
}

// wholeTitle is the hash of a title in small letters, without marks and the name of a site
// behind it, 0 if it is short.
func wholeTitle(title string) uint32 {
	if len(title) < titleWords*2 {
		return 0
	}
	for _, mark := range []string{" - ", " – ", " — ", " | ", " :: "} {
		if i := strings.LastIndex(title, mark); i > 0 && long(title[:i]) && len(strings.Fields(title[i+len(mark):])) <= 4 {
			title = title[:i]
			break
		}
	}
	if !long(title) {
		return 0
	}
	h, gap := uint32(2166136261), false
	for _, r := range title {
		if k := sortOf(r); k == otherRune || k == innerRune {
			if r < 0x2e80 || !unicode.IsLetter(r) && !unicode.IsMark(r) {
				gap = true
				continue
			}
		}
		if gap {
			h, gap = h*16777619, false // where words are apart is a difference
		}
		h = (h ^ uint32(unicode.ToLower(r))) * 16777619
	}
	return max(h^0x7469746c, 1) // no word's hash
}

// long reports whether a title has words enough to say of what it is.
func long(title string) bool {
	n, chars, inside := 0, 0, false
	for _, r := range title {
		if r >= 0x2e80 && r < 0xa000 && unicode.IsLetter(r) {
			chars++
		}
		k := sortOf(r)
		if (k == letterRune || k == digitRune) && !inside {
			n, inside = n+1, true
		} else if r == ' ' {
			inside = false
		}
	}
	return n >= titleWords || chars >= titleChars
}

// HanDigits are the characters of numbers in Chinese and Japanese.
const HanDigits = "〇零一二三四五六七八九十百千万億亿两"

// The sorts of characters that numbers are read by.
const (
	otherRune = iota
	letterRune
	digitRune
	innerRune // a mark that may stand inside a number or a word
	hanRune   // a number in Han characters
)

func sortOf(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return digitRune
	case r|' ' >= 'a' && r|' ' <= 'z':
		return letterRune
	case r == '.' || r == ',' || r == ':' || r == '/' || r == '-' || r == '_':
		return innerRune
	case r < utf8.RuneSelf:
		return otherRune
	case r >= 0x2e80 && r < 0xa000: // Han and kana; Hangul has spaces
		if strings.ContainsRune(HanDigits, r) {
			return hanRune
		}
		return otherRune
	case unicode.IsDigit(r):
		return digitRune
	case unicode.IsLetter(r):
		return letterRune
	}
	return otherRune
}

// numbersIn are the hashes of the numbers in a text: figures, versions, names with a
// figure in them, and figures in Han characters. What begins with capital letters and goes
// on with figures is kept as a thing as well.
func (s *sketch) numbersIn(text string) []uint32 {
	var out []uint32
	add := func(n string) {
		h := hash32('n', n)
		if i, found := slices.BinarySearch(out, h); !found && len(out) < maxNumbers {
			out = slices.Insert(out, i, h)
		}
	}
	for i := 0; i < len(text); {
		at := i
		for at < len(text) && text[at]|0x20 >= 'a' && text[at]|0x20 <= 'z' {
			at++
		}
		if at > i && (at == len(text) || text[at] == ' ') { // most words: no figure is near
			i = at
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		kind := sortOf(r)
		if kind == otherRune || kind == innerRune {
			i += n
			continue
		}
		j, digit := i, false
		for j < len(text) {
			r, n := utf8.DecodeRuneInString(text[j:])
			k := sortOf(r)
			if (k == hanRune) != (kind == hanRune) || k == otherRune || k == innerRune && !after(text[j+n:]) {
				break
			}
			digit = digit || k == digitRune
			j += n
		}
		switch {
		case kind == hanRune:
			add(text[i:j])
		case digit:
			add(number(strings.ToLower(text[i:j])))
			s.thing(text[i:j])
		}
		i = j
	}
	return out
}

// thing keeps a word that begins with capital letters and goes on with figures.
func (s *sketch) thing(w string) {
	letters := strings.IndexFunc(w, func(r rune) bool { return !unicode.IsUpper(r) })
	if letters <= 0 || len(s.things) == maxNumbers || strings.ContainsFunc(w[letters:], unicode.IsLetter) {
		return
	}
	h := hash32('n', w[:letters])&^0xffff | hash32('n', w)&0xffff
	if !slices.Contains(s.things, h) {
		s.things = append(s.things, h)
	}
}

// after reports whether a word goes on behind a mark in it.
func after(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	k := sortOf(r)
	return k == digitRune || k == letterRune
}

// number is a word with a figure in it as it is compared: a figure without its unit
// ("4.2bn") and without marks between thousands, a version without its v; of words with a
// hyphen ("day-3", "two-day") what has figures.
func number(w string) string {
	if len(w) > 1 && w[0] == 'v' && w[1] >= '0' && w[1] <= '9' {
		w = w[1:]
	}
	if w[0] < '0' || w[0] > '9' {
		return w
	}
	end := strings.IndexFunc(w, func(r rune) bool { return unicode.IsLetter(r) })
	if end > 0 && !strings.ContainsFunc(w[end:], unicode.IsDigit) {
		w = strings.TrimRight(w[:end], ".,:/-_")
	}
	groups := strings.FieldsFunc(w, func(r rune) bool { return r == '.' || r == ',' })
	for i, g := range groups {
		if i > 0 && len(g) != 3 || len(g) > 3 {
			return w
		}
	}
	return strings.Join(groups, "")
}

// namesIn are the hashes of the words in a title that are names by their capital letters,
// the first word only if it has one inside a sentence of the text as well. In German, and in titles where most
// words have capitals, these say nothing.
func namesIn(title, text string, words []topics.Word) []uint32 {
	if len(words) == 0 {
		return nil
	}
	fields := strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’' })
	capitals, small := 0, 0
	for _, w := range fields[min(1, len(fields)):] {
		switch r, _ := utf8.DecodeRuneInString(w); {
		case unicode.IsUpper(r):
			capitals++
		case unicode.IsLower(r) && utf8.RuneCountInString(w) > 3:
			small++
		}
	}
	if small < 1 || capitals > 2*small || capitals > 0 && german(text) {
		return nil
	}
	var out []uint32
	for i, w := range fields {
		r, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(r) || i == 0 && !inside(text, w) || dates[w] {
			continue
		}
		form := strings.TrimSuffix(strings.ToLower(w), "'s")
		for _, word := range words {
			if word.Form != form {
				continue
			}
			h := hash32('w', word.Stem)
			if at, found := slices.BinarySearch(out, h); !found && len(out) < maxNumbers {
				out = slices.Insert(out, at, h)
			}
			break
		}
	}
	return out
}

// inside reports whether a word stands in a text in the middle of a sentence.
func inside(text, w string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], w)
		if i < 0 {
			return false
		}
		before := strings.TrimRight(text[:from+i], " ")
		if r, _ := utf8.DecodeLastRuneInString(before); unicode.IsLetter(r) || unicode.IsDigit(r) || r == ',' {
			return true
		}
		from += i + len(w)
	}
}

// dates have capitals in English and name nobody.
var dates = func() map[string]bool {
	m := map[string]bool{}
	for d := time.Sunday; d <= time.Saturday; d++ {
		m[d.String()] = true
	}
	for d := time.January; d <= time.December; d++ {
		m[d.String()] = true
	}
	return m
}()

// german tells by its small words whether nouns have capitals in a text.
func german(text string) bool {
	n := 0
	for _, w := range [...]string{" der ", " die ", " das ", " und ", " ist ", " von ", " den ", " dem ", " ein ", " eine ", " auf ", " mit ", " im "} {
		if strings.Contains(text, w) {
			if n++; n >= 3 {
				return true
			}
		}
	}
	return false
}
