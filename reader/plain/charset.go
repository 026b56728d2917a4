package plain

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A longer document than maxDecoded is not decoded time and again to see what it
// is in, and no more than maxLooked of one is judged.
const (
	maxDecoded = 2 << 20
	maxLooked  = 64 << 10
)

// Guess reads bytes of which nobody says what they are in, and which are no UTF-8,
// by their looks: the charsets of East Asia, and those of one byte a letter for
// Cyrillic, Greek, Hebrew, Arabic, Thai, Turkish and the Latin of Central Europe
// and the Baltic. name is the charset's on the web, "" where nothing speaks
// against windows-1252, too little for another, or b is longer than 2 MB. Of a text of 400 characters
// 95 of 100 are recognised, of a Western one all; of ten words, fewer.
func Guess(b []byte) (text []byte, name string) {
	if len(b) > maxDecoded {
		return nil, ""
	}
	if name = byEscapes(b); name != "" {
		return decodeAs(b, name), name
	}
	head := b
	if len(b) > maxLooked { // not in the middle of a character: these bytes are never part of one
		head = b[:max(bytes.LastIndexAny(b[:maxLooked], "<> \n"), 0)]
	}
	if name = byPairs(head); name != "" {
		if text = decodeAs(b, name); text != nil && !bytes.Contains(text, []byte("\ufffd")) {
			return text, name
		}
	}
	if name = byLetters(head); name == "" {
		return nil, ""
	}
	return decodeAs(b, name), name
}

// decodeAs reads b in a charset; where a byte is out of place stands U+FFFD.
func decodeAs(b []byte, name string) []byte {
	enc := codec(name)
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return nil
	}
	return out
}

// byEscapes knows ISO-2022-JP, which is ASCII on the wire, by what it announces
// each change of alphabet with.
func byEscapes(b []byte) string {
	if bytes.Contains(b, []byte("\x1b$B")) || bytes.Contains(b, []byte("\x1b$@")) {
		return "iso-2022-jp"
	}
	return ""
}

// byPairs tells the charsets of East Asia, which write a character in two bytes:
// no byte may be out of place, and most characters must be of those that a
// charset has first because they are common: a fifth syllables for the
// Japanese ones, nine of ten Hangul, seven of ten hanzi of the first level.
func byPairs(b []byte) string {
	for _, name := range []string{"shift_jis", "euc-jp", "euc-kr", "gb18030", "big5"} {
		out := decodeAs(b, name)
		if out == nil || bytes.Contains(out, []byte("\ufffd")) {
			continue
		}
		if commonPairs(name, b, out) {
			return name
		}
	}
	return ""
}

func commonPairs(name string, b, out []byte) bool {
	kana, hangul, all := 0, 0, 0
	for _, r := range string(out) {
		switch {
		case r < utf8.RuneSelf:
			continue
		case r >= 0x3041 && r <= 0x30F6:
			kana++
		case r >= 0xAC00 && r <= 0xD7A3:
			hangul++
		}
		all++
	}
	first, low, pairs := 0, 0, 0
	for i := 0; i+1 < len(b); i++ {
		lead, trail := b[i], b[i+1]
		if lead < 0x80 {
			continue
		}
		i++
		if trail < 0x80 {
			low++
		}
		if lead < 0xA4 || lead > 0xF9 { // signs
			continue
		}
		pairs++
		if name == "big5" && lead <= 0xC6 || name != "big5" && lead >= 0xB0 && lead <= 0xD7 && trail >= 0xA1 {
			first++
		}
	}
	switch name {
	case "shift_jis", "euc-jp":
		return kana > 0 && 5*kana >= all
	case "euc-kr":
		return hangul > 1 && 10*hangul >= 9*all && 10*low <= all
	case "big5":
		return pairs > 2 && 20*first >= 17*pairs && low > 0 && 4*low < 3*pairs
	}
	return pairs > 2 && 10*first >= 7*pairs
}

// scripts are those with charsets of one byte a letter: the letters that are
// half of any text in it, and the charsets.
var scripts = []struct{ common, charsets string }{
	{"", western + " windows-1250 iso-8859-2 windows-1254 windows-1257"},
	{"оаеинтрс", "windows-1251 koi8-u iso-8859-5 ibm866"},
	{"αοιετνσς", "windows-1253"},
	{"יוהלארמת", "windows-1255"},
	{"اليمنوتر", "windows-1256"},
	{"านรกอเง่", "windows-874"},
}

// latins are the letters beyond ASCII of languages that are written together:
// no text has those of two lines.
var latins = []string{"àâçéèêëîïôùûüœæ", "áéíóúñüçàèïò", "áéíóúçãõâêôàü", "äöüßéåøæ", "àèéìòùíóú", "áéíóúýþæöð",
	"áčďéěíňóřšťúůýžäôľĺŕ", "ąćęłńóśźż", "áéíóöőúüű", "čćšžđ", "ăâîşţ", "çğıöşüâî", "āčēģīķļņšūž", "ąčęėįšųūž"}

// western is what the Encoding Standard takes for granted where nothing is said,
// so that it needs no proof.
const western = "windows-1252"

// fewest is how many letters beyond ASCII a text must have to be judged by them.
const fewest = 6

// byLetters tells charsets of one byte a letter by the words that they make of
// the text: how many letters are common ones, less twice how many stand where
// none can. "" stands for the western one.
func byLetters(b []byte) string {
	best, top := western, 0.0
	for i, s := range scripts {
		for j, name := range strings.Fields(s.charsets) {
			margin := .006
			if best == western {
				margin = .02
			}
			if score := newReading(name, s.common).score(b); i+j == 0 || score > top+margin {
				best, top = name, score
			}
		}
	}
	if best == western || top < .2 {
		return ""
	}
	return best
}

// reading judges a text by its words in one charset.
type reading struct {
	high   [128]rune
	seen   [128]int // letters of a Latin charset
	common string

	words, bytes, letters, usual int
	bad                          int // in quarters
}

func newReading(name, common string) *reading {
	w := reading{common: common}
	enc := codec(name)
	for i := range w.high {
		one, _ := enc.NewDecoder().Bytes([]byte{byte(128 + i)})
		w.high[i], _ = utf8.DecodeRune(one)
	}
	return &w
}

func (w *reading) score(b []byte) float64 {
	for len(b) > 0 {
		n := 0
		high := false
		for n < len(b) && (latin(b[n]) || b[n] >= 0x80) {
			high = high || b[n] >= 0x80
			n++
		}
		if high {
			w.word(b[:n])
		}
		b = b[max(n, 1):]
	}
	if w.common == "" {
		w.bad += 4 * w.strange()
	} else if w.letters < fewest || w.letters < 3*w.words {
		return 0
	}
	return (float64(w.usual) - float64(w.bad)/2) / float64(max(w.bytes, 1))
}

// strange counts the letters that are not of the language that has most of
// them.
func (w *reading) strange() int {
	fewest := -1
	for _, language := range latins {
		n := 0
		for i, k := range w.seen {
			if k > 0 && !strings.ContainsRune(language, unicode.ToLower(w.high[i])) {
				n += k
			}
		}
		if fewest < 0 || n < fewest {
			fewest = n
		}
	}
	return fewest
}

// ends are letters that only end a word, and joins the signs that may stand
// between letters.
const (
	ends  = "ςםןךףץةى"
	joins = "\u00a0\u00ad’‘–—…·"
)

func (w *reading) word(b []byte) {
	w.words++
	w.bytes += len(b)
	before := rune(0)
	for i, c := range b {
		r := rune(c)
		if c >= 0x80 {
			r = w.high[c-0x80]
		}
		switch {
		case r == utf8.RuneError || r >= 0x80 && r < 0xA0:
			w.bad += 16
			before = 0
			continue
		case !unicode.IsLetter(r) && !unicode.IsMark(r):
			if before != 0 && i+1 < len(b) && !strings.ContainsRune(joins, r) {
				w.bad += 4
			}
			before = 0
			continue
		}
		w.letter(before, r)
		if w.common == "" && c >= 0x80 {
			w.seen[c-0x80]++
		}
		before = r
	}
}

// letter takes over a letter and that before it, 0 if there is none.
func (w *reading) letter(before, r rune) {
	w.letters++
	west := w.common == ""
	if west && r < utf8.RuneSelf || !west && strings.ContainsRune(w.common, unicode.ToLower(r)) {
		w.usual++
	}
	if before == 0 {
		return
	}
	switch {
	case unicode.IsUpper(r) && unicode.IsUpper(before):
		w.bad++ // a headline, or a charset with the cases the other way round
	case unicode.IsUpper(r), strings.ContainsRune(ends, before), !west && (before < utf8.RuneSelf) != (r < utf8.RuneSelf):
		w.bad += 4
	}
}
