// Package words cuts texts into the words that queries compare, and says whether
// words stand in a text. What a scan finds by Phrase.In and what an index finds by
// the tokens of Cut is the same by definition: a Phrase is In a text if its tokens
// are those of neighbouring positions of the text.
//
// A word is a run of letters, digits and marks, as Unicode's word boundaries
// (UAX #29) have it; an apostrophe, point, colon or underscore ends it too, so that
// "eau" stands in "l'eau" and "example" in "example.com". Case, accents and forms
// of compatibility are folded: "Über", "uber" and "ÜBER" are one word.
//
// Scripts written without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer,
// Burmese) are cut into pairs of neighbouring characters: each character is one
// position, whose token is the character with the next one of its run, if there is
// one. A token of one such character stands for all tokens that begin with it.
// Looking for such a run therefore finds it wherever it stands.
package words

import (
	"iter"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Token is one word of a text, folded, and the bytes of the text that it is made of.
// The tokens of a run without spaces overlap: see the package comment.
type Token struct {
	Text     string
	From, To int
	Next     int  // where the next one may begin: before To within a run without spaces
	Prefix   bool // as part of a Phrase it stands for all tokens that begin with it
}

// Cut yields the tokens of a text in the order of their positions: the n-th has
// position n.
func Cut(text string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for s := cut(text, 0, false); s.from < len(text); s = cut(text, s.next, false) {
			word := text[s.from:s.to]
			if s.sort != asItIs {
				word = Fold(word)
			}
			if !yield(Token{Text: word, From: s.from, To: s.to, Next: s.next, Prefix: s.single()}) {
				return
			}
		}
	}
}

// span is where a token stands, and where the next one is looked for.
type span struct {
	from, to, next int
	sort           sort // with one field more the compiler keeps it in memory
}

type sort uint8

const (
	spaced   sort = iota
	asItIs        // a spaced one that Fold leaves as it is
	ofScript      // of a run without spaces
)

// single reports whether it is the last character of a run without spaces.
func (s span) single() bool { return s.sort == ofScript && s.to == s.next }

// cut finds the first token at or after a place; from is len(s) if there is none.
// Those of scripts without spaces are passed over where only spaced ones are wanted.
func cut(s string, at int, spaced bool) span {
	for at < len(s) {
		if c := s[at]; c < utf8.RuneSelf {
			if asciiClass[c] == word {
				return asciiWord(s, at)
			}
			at++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[at:])
		switch classOf(r) {
		case word:
			end := wordEnd(s, at+n)
			return span{from: at, to: end, next: end}
		case unspaced:
			if spaced {
				break
			}
			end := unitEnd(s, at+n)
			to := end
			if end < len(s) && s[end] >= utf8.RuneSelf {
				if r, n := utf8.DecodeRuneInString(s[end:]); classOf(r) == unspaced {
					to = unitEnd(s, end+n)
				}
			}
			return span{from: at, to: to, next: end, sort: ofScript}
		}
		at += n
	}
	return span{from: len(s), to: len(s), next: len(s)}
}

// asciiWord is the word that begins with a letter or digit of ASCII. Eight bytes are looked
// at at once: most words have no more.
func asciiWord(s string, at int) span {
	const each = 0x0101010101010101
	i, capitals := at, uint64(0)
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		c := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		low, small := c&(0x7f*each), (c|0x20*each)&(0x7f*each)
		letters := (small + (0x80-'a')*each) &^ (small + (0x7f-'z')*each)
		digits := (low + (0x80-'0')*each) &^ (low + (0x7f-'9')*each)
		n := bits.TrailingZeros64((^(letters|digits)|c)&(0x80*each)) &^ 7
		capitals |= letters >> 2 &^ c & (0x20 * each) << (64 - n) // of the first n bits, if any
		if n < 64 {
			i += n / 8
			break
		}
	}
	for ; i < len(s) && s[i] < utf8.RuneSelf && asciiClass[s[i]] == word; i++ {
		capitals |= uint64(^s[i] & 0x20)
	}
	if i < len(s) && s[i] >= utf8.RuneSelf {
		i, capitals = wordEnd(s, i), 1
	}
	if capitals != 0 {
		return span{from: at, to: i, next: i}
	}
	return span{from: at, to: i, next: i, sort: asItIs}
}

// wordEnd is where the word ends whose first character lies before i.
func wordEnd(s string, i int) int {
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			if asciiClass[c] != word {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if c := classOf(r); c != word && c != mark {
			return i
		}
		i += n
	}
	return i
}

// unitEnd is where the marks of the character before i end.
func unitEnd(s string, i int) int {
	for i < len(s) && s[i] >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(s[i:])
		if classOf(r) != mark {
			break
		}
		i += n
	}
	return i
}

// Phrase is what stands in a text word after word. Make one with PhraseOf.
type Phrase struct {
	words  []Token
	ascii  bool // all of them
	spaced bool // the first one
}

// PhraseOf is the phrase of the words of a text. The last word of an open one
// stands for all words that begin with it, as while it is being typed.
func PhraseOf(text string, open bool) Phrase {
	p := Phrase{ascii: true}
	for t := range Cut(text) {
		if len(p.words) == 0 {
			r, _ := utf8.DecodeRuneInString(t.Text)
			p.spaced = classOf(r) != unspaced
		}
		p.words = append(p.words, t)
		p.ascii = p.ascii && isASCII(t.Text)
	}
	if n := len(p.words); n > 0 && open {
		p.words[n-1].Prefix = true
	}
	return p
}

// Empty reports whether there is no word in it.
func (p Phrase) Empty() bool { return len(p.words) == 0 }

// Tokens are the words, for an index.
func (p Phrase) Tokens() []Token { return p.words }

// In reports whether the phrase stands in a text. The empty one stands nowhere.
func (p Phrase) In(text string) bool {
	if len(p.words) == 0 {
		return false
	}
	if isASCII(text) {
		// What folds into ASCII may be more, but ASCII folds into nothing else.
		return p.ascii && p.inASCII(text)
	}
	for s := cut(text, 0, p.spaced); s.from < len(text); s = cut(text, s.next, p.spaced) {
		if p.words[0].is(text, s) && p.goesOn(text, s.next) {
			return true
		}
	}
	return false
}

// goesOn reports whether the words after the first one follow at a place.
func (p Phrase) goesOn(text string, at int) bool {
	for i := 1; i < len(p.words); i++ {
		s := cut(text, at, false)
		if s.from == len(text) || !p.words[i].is(text, s) {
			return false
		}
		at = s.next
	}
	return true
}

// is reports whether the token at s is meant.
func (t *Token) is(text string, s span) bool { return foldsTo(text[s.from:s.to], t.Text, t.Prefix) }

// inASCII looks for the first word's first letter, which the processor finds many
// bytes at a time.
func (p Phrase) inASCII(text string) bool {
	first := p.words[0].Text[0]
	return p.from(text, first) || upper(first) != first && p.from(text, upper(first))
}

func (p Phrase) from(text string, first byte) bool {
	want, prefix := p.words[0].Text, p.words[0].Prefix
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], first)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(want)
		if end > len(text) {
			return false
		}
		if at > 0 && asciiClass[text[at-1]] == word || !equalFold(text[at:end], want) {
			continue
		}
		if end < len(text) && asciiClass[text[end]] == word {
			if !prefix {
				continue
			}
			end = wordEnd(text, end)
		}
		if p.goesOn(text, end) {
			return true
		}
	}
}
