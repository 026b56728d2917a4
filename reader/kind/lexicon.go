package kind

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// lexicons are the sections of kindwords.go. What they hold is found by hash in one
// table that points into the text: a map for each section takes four times as long
// to fill, and every comparison of two files waits for that.
type lexicons struct {
	text    string
	entries []entry
	slots   []uint16 // by hash: an entry and one, 0 for none; open addressing
	of      [sections]struct {
		stems  []string // entries that any ending may follow
		joined []string // entries of scripts that put no space between words
	}
}

// entry is one with spaces between its words, where it stands, and the sections it is in.
type entry struct {
	from uint32
	n    uint16
	in   uint32
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
	Gauges  // what stands beside a reading: a quantity that is measured, its unit, "at present"
	Facts   // what stands beside a number that is set: a limit, a rate, a rebate
	Vacant  // what is free: a number of it is a reading
	Minutes // units of time in which one waits
	Wholes  // stands between a part and its whole
	Answers // yes and no
	sections
)

var sectionNames = [sections]string{"state", "count", "unit", "ago", "relative", "article", "asof", "currency", "version", "legal", "slot", "aside", "cookie", "consent", "maker", "gauge", "fact", "vacant", "minute", "of", "answer"}

// words is the table as it is read when it is first asked for.
var words = sync.OnceValue(func() *lexicons { return readWords(wordTable) })

// mostEntries is how many entries the table has room for.
const mostEntries = 1 << 12

func readWords(table string) *lexicons {
	l := &lexicons{text: table, entries: make([]entry, 0, mostEntries), slots: make([]uint16, 2*mostEntries)}
	cur := sections
	for at, end := 0, 0; at < len(table); at = end + 1 {
		if end = strings.IndexByte(table[at:], '\n') + at; end < at {
			end = len(table)
		}
		line := table[at:end]
		if name, ok := strings.CutPrefix(line, "["); ok {
			cur = Section(max(0, slices.Index(sectionNames[:], strings.TrimSuffix(name, "]"))))
			continue
		}
		n := strings.IndexByte(line, ':')
		if cur == sections || n < 0 || line[0] == '#' {
			continue
		}
		for from := at + n + 1; from < end; {
			to := strings.IndexByte(table[from:end], ',') + from
			if to < from {
				to = end
			}
			text := strings.TrimLeft(table[from:to], " ")
			l.add(cur, to-len(text), strings.TrimRight(text, " "))
			from = to + 1
		}
	}
	return l
}

// add takes up an entry of a section, which stands at a place of the table.
func (l *lexicons) add(s Section, from int, text string) {
	switch stem, open := strings.CutSuffix(text, "*"); {
	case text == "":
	case open:
		l.of[s].stems = append(l.of[s].stems, stem)
	case mayBeUnspaced(text) && strings.ContainsFunc(text, Unspaced):
		l.of[s].joined = append(l.of[s].joined, strings.ReplaceAll(text, " ", ""))
	default:
		slot := l.slot(text)
		if *slot == 0 {
			l.entries = append(l.entries, entry{uint32(from), uint16(len(text)), 0})
			*slot = uint16(len(l.entries))
		}
		l.entries[*slot-1].in |= 1 << s
	}
}

// mayBeUnspaced spares most entries a look at each letter: U+1100 and what is above
// begins with this byte or a higher one.
func mayBeUnspaced(text string) bool {
	for i := range len(text) {
		if text[i] >= 0xE1 {
			return true
		}
	}
	return false
}

// slot is where an entry stands in the hash table, or where it would. The table is
// never full, and its text is ours: nobody can prepare collisions that matter.
func (l *lexicons) slot(text string) *uint16 {
	h := uint32(2166136261) // FNV-1a
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	for mask := uint32(len(l.slots) - 1); ; h++ {
		slot := &l.slots[(h^h>>15)&mask]
		if *slot == 0 {
			return slot
		}
		if e := &l.entries[*slot-1]; l.text[e.from:e.from+uint32(e.n)] == text {
			return slot
		}
	}
}

// HasEntry reports whether text, in lower case, is an entry of a section.
func (s Section) HasEntry(text string) bool { return words().has(s, text) }

func (l *lexicons) has(s Section, text string) bool {
	slot := *l.slot(text)
	return slot != 0 && l.entries[slot-1].in>>s&1 != 0
}

// Unspaced reports whether r belongs to a script whose words are cut where a
// person would not cut them.
func Unspaced(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// phraseWords is how many words an entry may have.
const phraseWords = 4

// Has reports whether an entry of a section stands in words of a page.
func (s Section) Has(of []string) bool {
	l := words()
	low := make([]string, len(of))
	far := false
	for i, w := range of {
		low[i] = strings.Trim(strings.ToLower(w), ".:!?()")
		far = far || strings.ContainsFunc(w, Unspaced)
	}
	all, from := strings.Join(low, " "), 0
	for i, w := range low {
		to := from
		for _, next := range low[i:min(len(low), i+phraseWords)] {
			if to += len(next); l.has(s, all[from:to]) {
				return true
			}
			to++ // the space
		}
		if l.stemOf(s, w) {
			return true
		}
		from += len(w) + 1
	}
	if far {
		text := strings.Join(low, "")
		for _, e := range l.of[s].joined {
			if strings.Contains(text, e) {
				return true
			}
		}
	}
	return false
}

// HasStem reports whether a word begins with one of the stems of a section.
func (s Section) HasStem(w string) bool { return words().stemOf(s, w) }

func (l *lexicons) stemOf(s Section, w string) bool {
	if utf8.RuneCountInString(w) < 3 {
		return false
	}
	for _, stem := range l.of[s].stems {
		if strings.HasPrefix(w, stem) {
			return true
		}
	}
	return false
}
