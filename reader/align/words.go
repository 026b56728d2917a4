package align

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"diurna/reader/markup"
)

// class is what the word cutter knows of a character.
type class uint8

const (
	cOther    class = iota // punctuation and symbols
	cLetter                // continues a word
	cDigit                 // continues a word, starts a number
	cSpace                 // separates
	cCurrency              // belongs to the number beside it
	cSingle                // a word by itself: Han, Hiragana, Katakana
	cComplex               // left to the full rules of UAX #29
)

var asciiClass = func() (t [128]class) {
	for c := range t {
		switch {
		case c >= '0' && c <= '9':
			t[c] = cDigit
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
			t[c] = cLetter
		case c == ' ', c >= '\t' && c <= '\r':
			t[c] = cSpace
		case c == '$':
			t[c] = cCurrency
		}
	}
	return t
}()

// classAt returns the class and length of the character at s[i].
func classAt(s []byte, i int) (class, int) {
	if s[i] < 0x80 {
		return asciiClass[s[i]], 1
	}
	r, n := utf8.DecodeRune(s[i:])
	switch {
	case r == utf8.RuneError && n <= 1:
		return cOther, 1
	case r == 0xAD:
		return cLetter, n // a soft hyphen is part of its word
	case r >= 0xC0 && r < 0x250, r >= 0x370 && r < 0x530, r >= 0x1E00 && r < 0x2000, r >= 0xAC00 && r < 0xD7A4:
		// Latin, Greek, Cyrillic, Hangul syllables: plain letters but for a few signs.
		if unicode.IsLetter(r) {
			return cLetter, n
		}
		return cOther, n
	case unicode.Is(unicode.Han, r), unicode.Is(unicode.Hiragana, r), unicode.Is(unicode.Katakana, r):
		return cSingle, n
	case unicode.IsSpace(r), r == 0x200B, r == 0xFEFF:
		return cSpace, n
	case unicode.Is(unicode.Sc, r):
		return cCurrency, n
	case unicode.IsPunct(r), r < 0x300 && !unicode.IsLetter(r), unicode.IsSymbol(r):
		return cOther, n
	}
	return cComplex, n
}

// text cuts src[from:to] at spaces into chunks and each chunk into words.
func (l *lexer) text(from, to int) {
	src := l.Src
	for i := from; i < to; {
		j := i
		for j < to && src[j] < 0x80 && asciiClass[src[j]] == cSpace {
			j++
		}
		l.add(Space, 0, i, j)
		i = j
		var holds uint8
		for j < to && chunkBytes[src[j]]&ends == 0 {
			holds |= chunkBytes[src[j]]
			j++
		}
		switch {
		case holds == 0: // letters and digits, as most are
			l.add(Word, 0, i, j)
		case holds&reference != 0:
			l.refChunk(i, j)
		case holds&address != 0:
			l.chunk(src[i:j], func(k TokenKind, from, to int) { l.add(k, 0, i+from, i+to) })
		default:
			cut(src[i:j], 0, func(k TokenKind, from, to int) { l.add(k, 0, i+from, i+to) })
		}
		i = j
	}
}

// What a byte of a chunk says of it: that it ends before it, or that it has a
// reference, may have an address, or is more than letters and digits.
const (
	ends uint8 = 1 << iota
	reference
	address
	signs
)

var chunkBytes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 0x80:
			t[c] = signs
		case asciiClass[c] == cSpace:
			t[c] = ends
		case c == '&':
			t[c] = reference | signs
		case c == '@', c == ':': // addressIn looks for them
			t[c] = address | signs
		case asciiClass[c] != cLetter && asciiClass[c] != cDigit:
			t[c] = signs
		}
	}
	return t
}()

// refChunk cuts a chunk that holds character references: it is decoded, cut,
// and the cuts are carried back to the bytes as they stand.
func (l *lexer) refChunk(from, to int) {
	l.scratch = markup.AppendDecoded(l.scratch[:0], l.Src[from:to])
	raw, read := from, 0 // where the bytes decoded so far end
	var buf [2 * utf8.UTFMax]byte
	// A place inside what one reference stands for is that reference's start.
	at := func(i int) int {
		for read < i {
			n, size := 1, 1
			if l.Src[raw] == '&' {
				var ref []byte
				ref, size = markup.AppendReference(buf[:0], l.Src[raw:to])
				n = len(ref)
			}
			if read+n > i {
				break
			}
			raw, read = raw+size, read+n
		}
		return raw
	}
	l.chunk(l.scratch, func(k TokenKind, i, j int) {
		i = at(i)
		l.add(k, 0, i, at(j))
	})
}

// chunk cuts text without ASCII space.
func (l *lexer) chunk(s []byte, emit func(k TokenKind, i, j int)) {
	if i, j := addressIn(s); j > 0 {
		cut(s[:i], 0, emit)
		emit(Word, i, j)
		cut(s[j:], j, emit)
		return
	}
	cut(s, 0, emit)
}

// cut finds the words of a chunk, base being where it stands. The common
// scripts are cut here; where a character needs the full rules of UAX #29
// (Indic marks, emoji sequences, Hebrew, ...) the whole chunk goes there.
func cut(s []byte, base int, emit func(k TokenKind, i, j int)) {
	for i := 0; i < len(s); {
		c, n := classAt(s, i)
		j := i + n
		switch c {
		case cComplex:
			cutUAX(s[i:], base+i, emit)
			return
		case cLetter, cDigit:
			j = wordEnd(s, i)
			if j < 0 {
				cutUAX(s[i:], base+i, emit)
				return
			}
			emit(Word, base+i, base+j)
		case cSingle:
			emit(Word, base+i, base+j)
		case cSpace:
			emit(Space, base+i, base+j)
		case cCurrency:
			if j < len(s) {
				if d, _ := classAt(s, j); d == cDigit {
					if j = wordEnd(s, j); j < 0 {
						cutUAX(s[i:], base+i, emit)
						return
					}
					emit(Word, base+i, base+j)
					break
				}
			}
			emit(Sign, base+i, base+j)
		default:
			// A run of one sign (a ruler of dashes, an ellipsis) is one token.
			for j+n <= len(s) && bytes.Equal(s[i:i+n], s[j:j+n]) {
				j += n
			}
			emit(Sign, base+i, base+j)
		}
		i = j
	}
}

// wordEnd returns where the word at s[i] ends, or -1 if it runs into a
// character that needs the full rules. Letters join over the full stop and the
// colon, digits over . , : ' / - (dates, times, amounts, ranges); a sign of
// currency or percent right after a number belongs to it. Unlike UAX #29 the
// apostrophe does not join letters: where "it's" becomes "it is", "it" stays.
func wordEnd(s []byte, i int) int {
	last, n := classAt(s, i)
	for i += n; i < len(s); {
		c, n := classAt(s, i)
		switch {
		case c == cLetter || c == cDigit:
			last = c
			i += n
			continue
		case c == cComplex:
			return -1
		case last == cDigit && (c == cCurrency || s[i] == '%'):
			return i + n
		case c == cOther && i+n < len(s) && joins(last, s[i:i+n]):
			if d, dn := classAt(s, i+n); d == last {
				i += n + dn
				continue
			}
		}
		return i
	}
	return i
}

func joins(c class, mid []byte) bool {
	if len(mid) > 1 {
		return string(mid) == "\u00b7" && c == cLetter || string(mid) == "\u2019" && c == cDigit
	}
	switch mid[0] {
	case '.', ':':
		return true
	case ',', '/', '-', '\'':
		return c == cDigit
	}
	return false
}

// cutUAX cuts by the word boundaries of Unicode Standard Annex #29; runs of
// Han and Kana are split further, a word per character.
func cutUAX(s []byte, base int, emit func(k TokenKind, i, j int)) {
	it := words.FromBytes(s)
	for it.Next() {
		i, seg := it.Start(), it.Value()
		kind := Sign
		for _, r := range string(seg) {
			if unicode.IsLetter(r) || unicode.IsNumber(r) {
				kind = Word
				break
			}
			if unicode.IsSpace(r) {
				kind = Space
			}
		}
		if c, n := classAt(seg, 0); c == cSingle && n < len(seg) {
			cut(seg[:n], base+i, emit)
			cutUAX(seg[n:], base+i+n, emit)
			continue
		}
		emit(kind, base+i, base+i+len(seg))
	}
}

// addressIn finds a web or mail address in a chunk and returns its bounds
// without the brackets, quotes and stops around it; j is 0 if there is none.
func addressIn(s []byte) (i, j int) {
	at := bytes.IndexByte(s, '@')
	web := bytes.Index(s, []byte("://"))
	if web <= 0 && (at <= 0 || at == len(s)-1) {
		return 0, 0
	}
	j = len(s)
	for j > 0 && bytes.IndexByte([]byte(".,;:!?)]}>\"'"), s[j-1]) >= 0 {
		j--
	}
	mid := at
	if web > 0 {
		mid = web
	}
	for i = mid; i > 0 && addressByte(s[i-1]); i-- {
	}
	if i == mid || mid+1 >= j || web > 0 && web+3 >= j || web < 0 && !addressByte(s[at+1]) {
		return 0, 0
	}
	return i, j
}

func addressByte(c byte) bool {
	return c < 0x80 && (asciiClass[c] == cLetter || asciiClass[c] == cDigit || c == '.' || c == '-' || c == '+')
}
