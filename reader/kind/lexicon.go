package kind

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Lexicon is one section of kindwords.go.
type Lexicon struct {
	Words  map[string]bool // entries with spaces between their words, lower case
	stems  []string        // entries that any ending may follow
	joined []string        // entries of scripts that put no space between words
}

// Section names a section of kindwords.go.
type Section uint8

const (
	States Section = iota
	Counts
	Units
	Ago
	Relatives
	Articles // stands in the place of a number
	AsOf
	Currencies
	Versions
	Legal
	Slots
	Asides
	Cookies
	Consent
	Makers
	sections
)

var sectionNames = [sections]string{"state", "count", "unit", "ago", "relative", "article", "asof", "currency", "version", "legal", "slot", "aside", "cookie", "consent", "maker"}

// Lexicons are the sections of the table. Reading it takes a millisecond, which
// only what looks at pages spends.
var Lexicons = sync.OnceValue(func() *[sections]Lexicon { return readWords(wordTable) })

func readWords(table string) *[sections]Lexicon {
	var all [sections]Lexicon
	var cur *Lexicon
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			cur = nil
			for i, n := range sectionNames {
				if n == strings.TrimSuffix(name, "]") {
					cur = &all[i]
					cur.Words = map[string]bool{}
				}
			}
			continue
		}
		_, list, ok := strings.Cut(line, ":")
		if cur == nil || !ok || line[0] == '#' {
			continue
		}
		for entry := range strings.SplitSeq(list, ",") {
			cur.add(strings.ToLower(strings.TrimSpace(entry)))
		}
	}
	return &all
}

func (l *Lexicon) add(entry string) {
	switch stem, open := strings.CutSuffix(entry, "*"); {
	case entry == "":
	case open:
		l.stems = append(l.stems, stem)
	case strings.ContainsFunc(entry, Unspaced):
		l.joined = append(l.joined, strings.ReplaceAll(entry, " ", ""))
	default:
		l.Words[entry] = true
	}
}

// Unspaced reports whether r belongs to a script whose words are cut where a
// person would not cut them.
func Unspaced(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// phraseWords is how many words an entry may have.
const phraseWords = 4

// Has reports whether an entry of a section stands in words.
func (s Section) Has(words []string) bool {
	l := &Lexicons()[s]
	low := make([]string, len(words))
	far := false
	for i, w := range words {
		low[i] = strings.Trim(strings.ToLower(w), ".:!?()")
		far = far || strings.ContainsFunc(w, Unspaced)
	}
	all, from := strings.Join(low, " "), 0
	for i, w := range low {
		to := from
		for _, next := range low[i:min(len(low), i+phraseWords)] {
			if to += len(next); l.Words[all[from:to]] {
				return true
			}
			to++ // the space
		}
		if l.StemOf(w) {
			return true
		}
		from += len(w) + 1
	}
	if far {
		text := strings.Join(low, "")
		for _, e := range l.joined {
			if strings.Contains(text, e) {
				return true
			}
		}
	}
	return false
}

// StemOf reports whether a word begins with one of the stems.
func (l *Lexicon) StemOf(w string) bool {
	if utf8.RuneCountInString(w) < 3 {
		return false
	}
	for _, s := range l.stems {
		if strings.HasPrefix(w, s) {
			return true
		}
	}
	return false
}
