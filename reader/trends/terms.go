package trends

import (
	"cmp"
	"strings"
	"sync"
	"unicode"

	"diurna/ranking/topics"
	"diurna/reader/links"
	"diurna/reader/plain"
	"diurna/reader/words"
	"diurna/store"
)

// What counts of an item: at most maxWords+maxPhrases+maxLinks terms.
const (
	maxWords      = 64       // of the title, then the categories, then the beginning of the text
	maxPhrases    = 64       // pairs of words
	maxLinks      = 32       //
	maxCategories = 8        //
	maxTitle      = 400      // bytes
	maxLead       = 600      // bytes of the text
	maxHTML       = 64 << 10 // bytes of markup in which the text and links are looked for
	maxWord       = 40       // bytes of a word; a longer one is an address or noise
)

// hashBits is how long the hash is that stands for a term in the tables. Its highest
// bit tells links from words.
const hashBits = 48

const linkBit = uint64(1) << (hashBits - 1)

// Doc is an item as it is counted.
type Doc struct {
	Title, Link string
	Categories  []string
	HTML        string // or plain text
}

// DocOf is a stored item with its text.
func DocOf(it *store.Item, b store.Body) *Doc {
	return &Doc{Title: it.Title, Link: it.Link, Categories: it.Categories, HTML: cmp.Or(b.HTML, b.Summary)}
}

// terms calls visit with the words, phrases of two words and links of an item: what
// stands for each in the tables, and how it is written there. The same may come twice.
func (d *Doc) terms(visit func(hash uint64, form string)) {
	html := d.HTML
	if len(html) > maxHTML {
		html = strings.ToValidUTF8(html[:maxHTML], "")
	}
	c := counter{visit: visit}
	c.text(d.Title, maxTitle)
	for _, name := range d.Categories[:min(len(d.Categories), maxCategories)] {
		c.text(name, maxTitle)
	}
	c.text(plain.FromHTML(html, maxLead), maxLead)
	own, n := d.Link, 0
	if strings.Contains(own, store.SecretMark) {
		own = ""
	}
	links.Each(own, html, func(address, key string) bool {
		if !links.IsHome(key) {
			visit(hashOf(seed, key)&mask|linkBit, address)
			n++
		}
		return n < maxLinks
	})
}

// counter counts the terms of one item.
type counter struct {
	visit          func(uint64, string)
	words, phrases int
}

// text visits the words of a text and the phrases of two neighbours with nothing but a
// blank or a hyphen between them.
func (c *counter) text(text string, most int) {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	var last struct {
		hash     uint64 // 0: none that may begin a phrase
		from, to int
	}
	for t := range words.Cut(text) {
		if c.words >= maxWords {
			return
		}
		form := text[t.From:t.To]
		if t.Prefix || t.Next < t.To { // of a script without spaces; a single character at the end of a run is in the pair before
			last.hash = 0
			if !t.Prefix && !kana(form) {
				c.words++
				c.visit(wordKey(hashOf(seed, t.Text)), form)
			}
			continue
		}
		stem, what := stemOf(t.Text), classOf(form, t.Text)
		if last.hash != 0 && what != small && joins(text[last.to:t.From]) && c.phrases < maxPhrases {
			c.phrases++
			c.visit(wordKey(hashOf(hashOf(last.hash, " "), stem)), text[last.from:t.To])
		}
		last.hash = 0
		if what == aWord {
			last.hash, last.from, last.to = hashOf(seed, stem), t.From, t.To
			c.words++
			c.visit(wordKey(last.hash), form)
		}
	}
}

func joins(gap string) bool { return gap == " " || gap == "-" || gap == "." || gap == "\u00a0" }

// class of a word.
type class uint8

const (
	small  class = iota // says nothing: a small word, a single letter, something too long
	number              // may end a phrase: "rails 2"
	aWord
)

func classOf(form, folded string) class {
	letters, n, lower := false, 0, strings.ToLower(form)
	for _, r := range folded {
		letters = letters || unicode.IsLetter(r)
		n++
	}
	switch {
	case len(folded) > maxWord:
		return small
	case !letters && n <= 6:
		return number
	case !letters || n < 2 || topics.Small(lower) || topics.Small(folded) || restWords()[lower] || restWords()[folded]:
		return small
	}
	return aWord
}

// rest are the remains of words around an apostrophe and of addresses, and words of texts about
// anything beside the small ones: numerals, pronouns, adverbs of time, place and degree, and
// the most common verbs of the same six languages.
const rest = ` ll ve re don doesn isn didn http https www com
 two three four five six seven eight nine ten eleven twelve dozen hundred half somebody someone something anybody anyone anything
 nobody nothing none everybody everyone everything else always never often sometimes already almost around away back long longer well
 next last ago yet perhaps maybe rather quite really here inside outside today tomorrow yesterday go goes going gone went come comes
 came coming take takes took taken put puts want wants know knows see seen give gives given though since whether
 zwei drei vier fünf sechs sieben acht neun zehn jemand niemand nichts etwas alles immer nie oft wieder schon hier dort heute gestern
 jetzt dann sehr viel viele wenig gehen geht ging kommen kommt kam machen macht gibt etwa fast seit ohne gegen unter zwischen während
 sowie jedoch dabei damit dazu denn diese dieser dieses diesem diesen jede jeder soll sollen muss müssen können könnte hatte hatten waren
 deux trois quatre cinq sept huit neuf dix quelque quelques rien tout tous toute toutes toujours jamais souvent encore déjà ici aujourd
 hui hier demain très peu beaucoup aussi ainsi alors sans sous entre vers chez depuis avant après même autre autres ont avait fait peut
 doit cela ça dont si
 tres cuatro cinco seis siete ocho nueve diez alguien nadie nada todo todos toda todas siempre nunca aún aquí hoy ayer mañana muy poco
 mucho muchos así entonces hasta desde hacia antes después mismo otro otra otros había hace hacer puede porque cuando donde
 twee vijf zes zeven negen tien iemand iets niets altijd nooit vaak weer daar vandaag gisteren nu zeer weinig gaan gaat komen komt kwam
 maken maakt zonder onder tussen tegen sinds tijdens andere kunnen moet moeten zou
 due tre quattro cinque sette nove dieci qualcuno qualcosa nessuno niente tutto tutti tutta tutte sempre spesso ancora già qui oggi ieri
 domani molto molti così senza sotto verso dopo stesso altro altra altri hanno aveva fatto può quando `

var restWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(rest) {
		m[w] = true
	}
	return m
})

// stemOf removes the ending of an English plural (Harman 1991, the S stemmer).
func stemOf(w string) string {
	n := len(w)
	switch {
	case n < 4 || w[n-1] != 's':
		return w
	case strings.HasSuffix(w, "ies") && n > 4 && w[n-4] != 'e' && w[n-4] != 'a':
		return w[:n-3] + "y"
	case w[n-2] == 'u' || w[n-2] == 's' || w[n-2] == 'i':
		return w
	case strings.HasSuffix(w, "es") && (w[n-3] == 'a' || w[n-3] == 'e' || w[n-3] == 'o'):
		return w
	}
	return w[:n-1]
}

// kana reports whether a pair has hiragana in it, in which the small words and endings of
// Japanese are written.
func kana(form string) bool {
	return strings.ContainsFunc(form, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) })
}

// FNV-1a.
const (
	seed  = uint64(14695981039346656037)
	prime = 1099511628211
	mask  = uint64(1)<<hashBits - 1
)

func wordKey(h uint64) uint64 { return h & mask &^ linkBit }

func hashOf(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * prime
	}
	return h
}
