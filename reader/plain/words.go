package plain

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words returns how many words a user would read in a piece of HTML: segments
// of Unicode Standard Annex 29 that contain a letter or a digit. Scripts that
// write no spaces are counted by length: two ideographs or kana, or four
// letters of Thai, Lao, Khmer or Myanmar, take about the time of one word.
// Markup, scripts and styles do not count.
// It walks over markup once. It knows tags, comments and references but
// builds nothing: it runs over every item that arrives.
func Words(s string) int {
	c := counter{}
	for i := 0; i < len(s); {
		switch b := s[i]; {
		case b == '<':
			n := tagLen(s[i:])
			if n > 1 && !inline(s[i:i+n]) {
				c.end()
			}
			i += n
		case b == '&':
			n, r := c.reference(s[i:])
			c.rune(r)
			i += n
		case b < utf8.RuneSelf:
			k := asciiKinds[b]
			c.add(k)
			i++
			for k == letter { // one more letter changes nothing
				if i = c.plainly(s, i); c.last != letter {
					break
				}
				for i < len(s) && asciiKinds[s[i]] == letter {
					i++
				}
				if i+1 >= len(s) || s[i] != ' ' || asciiKinds[s[i+1]] != letter {
					break
				}
				c.words++ // the next word
				i += 2
			}
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			c.rune(r)
			i += n
		}
	}
	return c.words + (c.ideographs+1)/2 + (c.unspaced+3)/4
}

// counter applies the word boundary rules of UAX 29 that bear on counting: WB5
// to WB12 (letters and digits hold together, also across one middle character
// between two of a kind), WB4 (marks and format characters do not count) and
// WB13a/b (connectors). A word counts at its first letter or digit.
type counter struct {
	words      int
	ideographs int  // Han, Hiragana, Katakana
	unspaced   int  // letters of scripts without spaces
	last       kind // what the last rune was
	before     kind // the last before a middle character
	counted    bool // the current segment has been counted
}

type kind uint8

const (
	other     kind = iota
	letter         // ALetter, Hebrew_Letter
	number9        // Numeric
	connector      // ExtendNumLet
	midAny         // MidNumLet, Single_Quote: between letters or digits
	midLetter      // between letters
	midNumber      // between digits
	ideograph      // each one a segment
	unspaced       // complex-context letters
	extend         // marks and format characters
)

// plainly counts the words of what follows a letter at i while that is letters of ASCII
// and spaces, eight at a time, and returns where it ends.
func (c *counter) plainly(s string, i int) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	before := uint64(0x80) // whether the byte before is a letter
	for ; len(s)-i >= 8; i += 8 {
		v := eight(s[i : i+8])
		// Of ASCII no byte carries into the next.
		low, apart := v|' '*each, v^' '*each
		letters := (low + (0x80-'a')*each) &^ (low + (0x7F-'z')*each) & high
		spaces := ^(apart + 0x7F*each) & high
		if v&high != 0 || letters|spaces != high {
			break
		}
		c.words += bits.OnesCount64(letters &^ (letters<<8 | before))
		before = letters >> 56
	}
	if before == 0 {
		c.end()
	}
	return i
}

func (c *counter) end() { c.last, c.counted = other, false }

func (c *counter) rune(r rune) { c.add(kindOf(r)) }

func (c *counter) add(k kind) {
	switch k {
	case extend:
		return
	case letter, number9, connector:
		if !c.holds(k) {
			c.counted = false
		}
		if k != connector && !c.counted {
			c.words++
			c.counted = true
		}
	case midAny, midLetter, midNumber:
		c.before = c.last
	case ideograph:
		c.ideographs++
		c.counted = false
	case unspaced:
		c.unspaced++
		c.counted = false
	default:
		c.counted = false
	}
	c.last = k
}

// holds reports whether no boundary lies before a rune of kind k.
func (c *counter) holds(k kind) bool {
	switch c.last {
	case letter, number9, connector:
		return true
	case midAny:
		return c.before == k && k != connector
	case midLetter:
		return c.before == letter && k == letter
	case midNumber:
		return c.before == number9 && k == number9
	}
	return false
}

func kindOf(r rune) kind {
	if r < utf8.RuneSelf {
		return asciiKinds[r]
	}
	switch {
	case r == 0x2018 || r == 0x2019 || r == 0x2024 || r == 0xFE52 || r == 0xFF07 || r == 0xFF0E:
		return midAny
	case r == 0xB7 || r == 0x387 || r == 0x2027:
		return midLetter
	case r == 0x203F || r == 0x2040:
		return connector
	case r < 0x2E80:
		if r >= 0xE00 && r <= 0xEFF || r >= 0x1000 && r <= 0x109F || r >= 0x1780 && r <= 0x17FF {
			return complexKind(r)
		}
	case r >= 0x3005 && r <= 0x3007, r >= 0x3040 && r <= 0x30FF && r != 0x30FB,
		r >= 0x31F0 && r <= 0x31FF, r >= 0x3400 && r <= 0x4DBF, r >= 0x4E00 && r <= 0x9FFF,
		r >= 0xF900 && r <= 0xFAFF, r >= 0xFF66 && r <= 0xFF9F, r >= 0x20000 && r <= 0x3FFFF:
		return ideograph
	}
	switch {
	case unicode.IsLetter(r):
		return letter
	case unicode.Is(unicode.Nd, r):
		return number9
	case unicode.Is(unicode.M, r), unicode.Is(unicode.Cf, r):
		return extend
	}
	return other
}

func complexKind(r rune) kind {
	switch {
	case unicode.IsLetter(r):
		return unspaced
	case unicode.Is(unicode.Nd, r):
		return number9
	case unicode.Is(unicode.M, r):
		return extend
	}
	return other
}

// asciiKinds has no letter from utf8.RuneSelf on.
var asciiKinds = func() (table [256]kind) {
	for b := range utf8.RuneSelf {
		table[b] = asciiKind(byte(b))
	}
	return table
}()

func asciiKind(b byte) kind {
	switch {
	case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z':
		return letter
	case b >= '0' && b <= '9':
		return number9
	}
	switch b {
	case '_':
		return connector
	case '\'', '.':
		return midAny
	case ':':
		return midLetter
	case ',', ';':
		return midNumber
	}
	return other
}

// reference reads a character reference. Named ones are letters with accents
// more often than not when they stand inside a word, so only the few that
// separate words are known by name.
func (c *counter) reference(s string) (int, rune) {
	if v, n := number(s[1:]); n > 0 {
		return n + 1, max(v, 0)
	}
	end := strings.IndexByte(s[:min(len(s), 12)], ';')
	if end < 2 {
		return 1, '&'
	}
	for i := 1; i < end; i++ {
		if !isAlnum(s[i]) {
			return 1, '&'
		}
	}
	switch name := s[1:end]; name {
	case "rsquo", "lsquo", "apos":
		return end + 1, 0x2019
	case "shy", "zwj", "zwnj":
		return end + 1, 0xAD
	default:
		for _, suffix := range []string{"uml", "acute", "grave", "circ", "tilde", "cedil", "slash", "ring", "lig", "caron"} {
			if strings.HasSuffix(name, suffix) {
				return end + 1, 'e'
			}
		}
		return end + 1, ' '
	}
}

// tagLen returns the length of the tag or comment at the start of s, with its
// content where that is not text, or 1 where "<" is just a character.
func tagLen(s string) int {
	if len(s) < 2 {
		return 1
	}
	if strings.HasPrefix(s, "<!--") {
		return 4 + after(s[4:], "-->")
	}
	b := s[1]
	if b != '/' && b != '!' && b != '?' && !isAlnum(b) {
		return 1
	}
	n := endOfTag(s)
	for _, name := range []string{"script", "style", "iframe"} {
		if len(s) > len(name)+1 && strings.EqualFold(s[1:1+len(name)], name) && !isAlnum(s[1+len(name)]) {
			for {
				i := strings.Index(s[n:], "</")
				if i < 0 {
					return len(s)
				}
				if n += i + 2; len(s) >= n+len(name) && strings.EqualFold(s[n:n+len(name)], name) {
					return n + after(s[n:], ">")
				}
			}
		}
	}
	return n
}

// endOfTag returns the length of a tag, minding quoted attribute values.
func endOfTag(s string) int {
	quote := byte(0)
	for i := 1; i < len(s); i++ {
		switch b := s[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '>':
			return i + 1
		case (b == '"' || b == '\'') && s[i-1] == '=':
			quote = b
		}
	}
	return len(s)
}

// after returns the index behind the first sep in s, or its length.
func after(s, sep string) int {
	if i := strings.Index(s, sep); i >= 0 {
		return i + len(sep)
	}
	return len(s)
}

// inline reports whether a tag may stand inside a word.
func inline(tag string) bool {
	name := strings.TrimLeft(tag, "</")
	if i := strings.IndexAny(name, " \t\r\n/>"); i >= 0 {
		name = name[:i]
	}
	var low [8]byte // the longest name below has 7
	if len(name) > len(low) {
		return strings.HasPrefix(tag, "<!--")
	}
	for i := range len(name) {
		low[i] = name[i]
		if low[i] >= 'A' && low[i] <= 'Z' {
			low[i] += 'a' - 'A'
		}
	}
	switch string(low[:len(name)]) {
	case "a", "b", "i", "em", "strong", "u", "s", "span", "font", "sub", "sup", "small", "big", "code",
		"tt", "abbr", "acronym", "mark", "wbr", "!--", "del", "ins", "cite", "q", "kbd", "samp", "var":
		return true
	}
	return strings.HasPrefix(tag, "<!--")
}
