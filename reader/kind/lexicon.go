package kind

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// lexicon is a section of kindwords.go. What it holds is found by hash in a table that
// points into the text: a map takes four times as long to fill, and every comparison
// of two files waits for that. For the same reason a section is read when it is first
// asked for: most comparisons need few of them.
type lexicon struct {
	text    string
	entries []entry
	slots   []uint16 // by hash: an entry and one, 0 for none; open addressing
	stems   []string // entries that any ending may follow
	joined  []string // entries of scripts that put no space between words
}

// entry is one with spaces between its words: where it stands.
type entry struct {
	from uint32
	n    uint16
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
	Gauges   // what stands beside a reading: a quantity that is measured, its unit, "at present"
	Facts    // what stands beside a number that is set: a limit, a rate, a rebate
	Vacant   // what is free: a number of it is a reading
	Minutes  // units of time in which one waits
	Wholes   // stands between a part and its whole
	Answers  // yes and no
	Before   // behind a time: it is counted back from what follows, which is no age
	Within   // before a time in minutes: what comes then is awaited
	Missing  // ends the head of a page that says it was not found
	Failures // stands beside the number of a status of failure
	Pauses   // ends the head of a page that is to be back
	Walls    // the head of a question that stands before a page
	sections
)

var sectionNames = [sections]string{"state", "count", "unit", "ago", "relative", "article", "asof", "currency", "version", "legal", "slot", "aside", "cookie", "consent", "maker", "gauge", "fact", "vacant", "minute", "of", "answer", "before", "within", "missing", "failure", "pause", "wall"}

var (
	texts = sync.OnceValue(func() [sections]string { return cutSections(wordTable) })
	lists [sections]section
)

// section is one that is read at the first question.
type section struct {
	ready atomic.Bool
	mu    sync.Mutex
	lexicon
}

func (s Section) words() *lexicon {
	l := &lists[s]
	if !l.ready.Load() {
		l.mu.Lock()
		if !l.ready.Load() {
			l.lexicon = readLexicon(texts()[s])
			l.ready.Store(true)
		}
		l.mu.Unlock()
	}
	return &l.lexicon
}

// cutSections cuts a table at its headings.
func cutSections(table string) (of [sections]string) {
	for from := strings.Index(table, "\n["); from >= 0; {
		from += len("\n[")
		end := len(table)
		next := strings.Index(table[from:], "\n[")
		if next >= 0 {
			next += from
			end = next
		}
		name, text, _ := strings.Cut(table[from:end], "]\n")
		if s := slices.Index(sectionNames[:], name); s >= 0 {
			of[s] = text
		}
		from = next
	}
	return of
}

func readLexicon(text string) lexicon {
	most := strings.Count(text, ",") + strings.Count(text, "\n") + 1
	room := 16
	for room < 2*most {
		room *= 2
	}
	l := lexicon{text: text, entries: make([]entry, 0, most), slots: make([]uint16, room)}
	for at, end := 0, 0; at < len(text); at = end + 1 {
		if end = strings.IndexByte(text[at:], '\n') + at; end < at {
			end = len(text)
		}
		n := strings.IndexByte(text[at:end], ':')
		if n < 0 || text[at] == '#' {
			continue
		}
		for from := at + n + 1; from < end; {
			to := strings.IndexByte(text[from:end], ',') + from
			if to < from {
				to = end
			}
			entry := strings.TrimLeft(text[from:to], " ")
			l.add(to-len(entry), strings.TrimRight(entry, " "))
			from = to + 1
		}
	}
	return l
}

// add takes up an entry, which stands at a place of the text.
func (l *lexicon) add(from int, text string) {
	switch stem, open := strings.CutSuffix(text, "*"); {
	case text == "":
	case open:
		l.stems = append(l.stems, stem)
	case mayBeUnspaced(text) && strings.ContainsFunc(text, Unspaced):
		l.joined = append(l.joined, strings.ReplaceAll(text, " ", ""))
	default:
		if slot := l.slot(text); *slot == 0 {
			l.entries = append(l.entries, entry{uint32(from), uint16(len(text))})
			*slot = uint16(len(l.entries))
		}
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
func (l *lexicon) slot(text string) *uint16 {
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
func (s Section) HasEntry(text string) bool { return s.words().has(text) }

func (l *lexicon) has(text string) bool { return *l.slot(text) != 0 }

// Unspaced reports whether r belongs to a script that writes no spaces
// between words.
func Unspaced(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// phraseWords is how many words an entry may have.
const phraseWords = 4

// Has reports whether an entry of a section stands in words of a page.
func (s Section) Has(of []string) bool {
	l := s.words()
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
			if to += len(next); l.has(all[from:to]) {
				return true
			}
			to++ // the space
		}
		if l.stemOf(w) {
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

// HasStem reports whether a word begins with one of the stems of a section.
func (s Section) HasStem(w string) bool { return s.words().stemOf(w) }

func (l *lexicon) stemOf(w string) bool {
	if utf8.RuneCountInString(w) < 3 {
		return false
	}
	for _, stem := range l.stems {
		if strings.HasPrefix(w, stem) {
			return true
		}
	}
	return false
}
