package topics

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	segment "github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
)

const (
	longestWord = 40      // runes; longer ones are addresses and noise
	longestText = 1 << 20 // bytes looked at
)

// unspaced are scripts that put no spaces between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// Words takes a text apart: words by UAX #29, compatibility forms unified
// (NFKC), lower case, without stop words and bare numbers. English is stemmed;
// other languages are recognised by their stop words and left whole. Scripts without
// spaces between words become pairs of neighbouring characters.
func Words(text string) []Word { return Parts(text)[0] }

// Parts takes texts apart that are written in one language, such as a title and
// what stands below it.
func Parts(texts ...string) [][]Word { return (&Cutter{}).Parts(texts...) }

// NewCutter returns a Cutter that knows no words yet.
func NewCutter() *Cutter { return &Cutter{map[string]string{}} }

// Cutter takes many texts apart as Parts does. It remembers the stems of words, most of which
// stood in another text before. It is not safe for use by several goroutines.
type Cutter struct{ stems map[string]string }

// maxStems bounds what a Cutter remembers, about 1 MB.
const maxStems = 1 << 14

// Parts is the function Parts.
func (c *Cutter) Parts(texts ...string) [][]Word {
	parts := make([][]string, len(texts))
	var hits [languages]int
	for i, text := range texts {
		if len(text) > longestText {
			text = strings.ToValidUTF8(text[:longestText], "")
		}
		parts[i] = split(strings.ToLower(norm.NFKC.String(text)), &hits)
	}
	stem := english.Stem
	for l, n := range hits {
		if l != 0 && n > hits[0] {
			stem = nil // another language, recognised by its own small words
		}
	}
	env := snowballstem.NewEnv("")
	out := make([][]Word, len(parts))
	for i, forms := range parts {
		out[i] = make([]Word, 0, len(forms))
		for _, form := range forms {
			s := form
			if stem != nil && plainLetters(form) {
				var known bool
				if s, known = c.stems[form]; !known {
					env.SetCurrent(form)
					stem(env)
					s = env.Current()
					c.note(form, s)
				}
			}
			if s != "" {
				out[i] = append(out[i], Word{s, form})
			}
		}
	}
	return out
}

func (c *Cutter) note(form, stem string) {
	if c.stems == nil {
		return
	}
	if len(c.stems) == maxStems {
		clear(c.stems)
	}
	form = strings.Clone(form) // without the text around it
	if strings.HasPrefix(form, stem) {
		stem = form[:len(stem)]
	}
	c.stems[form] = stem
}

// split lists the words that may count, and counts how many stop words of each language
// stood between them.
func split(text string, hits *[languages]int) (forms []string) {
	var run []rune // of an unspaced script
	end := func() {
		if len(run) == 1 {
			forms = append(forms, string(run))
		}
		for i := 0; i+1 < len(run); i++ {
			forms = append(forms, string(run[i:i+2]))
		}
		run = run[:0]
	}
	stops := stopWords().languages
	for it := segment.FromString(text); it.Next(); {
		w := it.Value()
		first, _ := utf8.DecodeRuneInString(w)
		if first >= utf8.RuneSelf && unicode.IsOneOf(unspaced, first) {
			for _, r := range w {
				if unicode.IsLetter(r) || unicode.IsMark(r) {
					run = append(run, r)
				}
			}
			continue
		}
		end()
		if l, stop := stops[w]; stop {
			for i := range hits {
				if l&(1<<i) != 0 {
					hits[i]++
				}
			}
			continue
		}
		if counts(w) {
			forms = append(forms, strings.TrimSuffix(w, "'s"))
		}
	}
	end()
	return forms
}

// counts tells words from spaces, marks, numbers and single letters.
func counts(w string) bool {
	letters, n := false, 0
	for _, r := range w {
		letters = letters || unicode.IsLetter(r)
		n++
	}
	return letters && n > 1 && n <= longestWord && w != "http" && w != "https" && !strings.HasPrefix(w, "www.")
}

func plainLetters(w string) bool {
	for i := range len(w) {
		if w[i] >= utf8.RuneSelf || w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}

// Stems are the distinct stems of a text in the order of their first occurrence,
// no more than most (0: all): what ranking.Item calls Words.
func Stems(text string, most int) []string {
	seen := map[string]bool{}
	var out []string
	for _, w := range Words(text) {
		if most > 0 && len(out) == most {
			break
		}
		if !seen[w.Stem] {
			seen[w.Stem] = true
			out = append(out, w.Stem)
		}
	}
	return out
}

// languages are those whose small words are known; the first is stemmed.
const languages = 6

var smallWords = [languages]string{
	`a about above after again against all also am an and any are aren't as at be because been before being below between both but by can
	can't could couldn't did didn't do does doesn't doing don't down during each even ever every few for from further get gets got had has
	have having he her here hers him his how i if i'm in into is isn't it it's its just let like made make many may me might more most much
	must my new no nor not now of off on once one only or other our out over own per same say says she should so some still such than that
	the their them then there these they this those through to too under until up upon us use used using very via was we were what when
	where which while who whom whose why will with within without won't would you your`,
	`aber alle als am an auch auf aus bei bin bis das dass dem den der des die doch durch ein eine einem einen einer eines er es für hat
	haben ich ihr im in ist ja kann kein keine man mehr mit nach neue neuer nicht noch nur oder sein sich sie sind so über um und uns vom
	von vor war was wenn wer werden wie wir wird wurde zu zum zur`,
	`au aux avec ce ces cette comme dans de des du elle en est et être il ils je la le les leur lui mais ne nous on ou où par pas plus pour
	qu que qui sa se ses son sont sur un une vous été`,
	`al como con de del el ella en entre era es esta este está fue ha hay la las le lo los más no nos o para pero por que se ser sin sobre
	su sus también un una uno y ya`,
	`aan als bij dan dat de der deze die dit door een en er had hebben heeft het hij hoe ik in is je kan maar meer met na naar niet nog nu of
	om ons ook op over te tot uit van veel voor was wat we wel werd wordt zich zijn`,
	`al alla anche che come con da dal dei del della di e gli ha i il in la le lo ma nel nella non o per più sono su tra un una`,
}

// Small reports whether a word, in lower case, is one of the small words of a known
// language, which say nothing about a text.
func Small(word string) bool { return stopWords().languages[word] != 0 }

// known maps a small word to the set of its languages.
type known struct{ languages map[string]uint8 }

// stopWords is made when it is first asked for.
var stopWords = sync.OnceValue(func() *known {
	m := &known{map[string]uint8{}}
	for l, list := range smallWords {
		for _, w := range strings.Fields(list) {
			m.languages[w] |= 1 << l
		}
	}
	return m
})
