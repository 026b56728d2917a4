package keymap

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/view"
)

// Keyboards that are not Latin. A key means what the key at its place on a US
// keyboard means: a terminal that speaks the kitty keyboard protocol says which
// that is (the base layout), else Cyrillic and Greek letters are read by where
// they stand. Signs that such a keyboard writes itself mean themselves.

// Rows of keyboards, letter by letter: what stands at the place of the US key.
const (
	usKeys     = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
	usShifted  = "~QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>"
	cyrillic   = "ёйцукенгшщзхъфывапролджэячсмитьбю"
	cyrillicUp = "ЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ"
	greekUS    = "wertyuiopasdfghjklzxcvbnm"
	greek      = "ςερτυθιοπασδφγηξκλζχψωβνμ"
	greekUSUp  = "ERTYUIOPASDFGHJKLZXCVBNM" // the key of the final sigma has no capital of its own
	greekUp    = "ΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ"
	// Ukrainian and Belarusian letters where those keyboards differ from the Russian.
	moreUS    = "s]'o"
	more      = "іїєў"
	moreUSUp  = "S}\"O"
	moreUp    = "ІЇЄЎ"
	usPlain   = "`1234567890-=[]\\;',./"
	usWithUps = "~!@#$%^&*()_+{}|:\"<>?"
)

// places says which US key stands at the place of a letter.
var places = func() map[rune]rune {
	at := make(map[rune]rune)
	for _, p := range [][2]string{{cyrillic, usKeys}, {cyrillicUp, usShifted}, {greek, greekUS}, {greekUp, greekUSUp}, {more, moreUS}, {moreUp, moreUSUp}} {
		us := []rune(p[1])
		for i, r := range []rune(p[0]) {
			at[r] = us[i]
		}
	}
	at['№'] = '#'
	return at
}()

// unwritten are signs of the Cyrillic keyboards that stand for those of the US one that
// they do not write: \ is the key of |, and * the one beside &.
var unwritten = map[rune]string{'\\': "|", '*': "&"}

// Modifier reports whether a key is one that is held while another is pressed.
// A terminal that says all of a key tells of these too.
func Modifier(k tea.KeyPressMsg) bool {
	return k.Code >= tea.KeyLeftShift && k.Code <= tea.KeyIsoLevel5Shift ||
		k.Code == tea.KeyCapsLock || k.Code == tea.KeyScrollLock || k.Code == tea.KeyNumLock
}

// Control gives a press of Ctrl and a letter as the Latin keyboard has it, in
// boxes too: it is never text. A Latin letter stays itself, wherever it stands.
func Control(k tea.KeyPressMsg) tea.KeyPressMsg {
	if !foreign(k.Code) {
		k.BaseCode = 0
		return k
	}
	if k.Text != "" || k.Mod&tea.ModCtrl == 0 {
		return k
	}
	if at := places[unicode.ToLower(k.Code)]; k.BaseCode == 0 && at != 0 {
		k.Code = at
	} else if k.BaseCode != 0 {
		k.Code, k.BaseCode = k.BaseCode, 0
	}
	return k
}

// foreign reports whether a key's letter is of no Latin keyboard.
func foreign(r rune) bool {
	return r > unicode.MaxASCII && (unicode.In(r, unicode.L, unicode.M) && !unicode.Is(unicode.Latin, r) || r == '№')
}

// Latin gives a press as a US keyboard has it where the letter that it writes
// has no meaning of its own in the place: none in the table, none in keys.toml.
// In the add box keys are text.
func (k *Map) Latin(c view.Context, p tea.KeyPressMsg) tea.KeyPressMsg {
	p = Control(p)
	r, n := utf8.DecodeRuneInString(p.Text)
	if c == view.CtxAdd || n == 0 || n != len(p.Text) {
		return p
	}
	if r == ';' && k.greek && !k.means(c, ";") { // where the Greek keyboard has it
		return Press("q")
	}
	if us := unwritten[r]; us != "" && k.cyrillic && !k.means(c, p.Text) {
		return Press(us)
	}
	if !foreign(r) {
		if unicode.IsLetter(r) {
			k.greek, k.cyrillic = false, false
		}
		return p
	}
	k.cyrillic = unicode.Is(unicode.Cyrillic, r) || r == '№'
	k.foreign, k.greek = true, unicode.Is(unicode.Greek, r)
	if k.means(c, p.Text) {
		return p
	}
	at := places[r]
	if p.BaseCode > ' ' && p.BaseCode <= unicode.MaxASCII {
		at = shifted(p.BaseCode, r, p.Mod)
	}
	if at == 0 {
		return p
	}
	return Press(string(at))
}

// shifted is what the key of a US keyboard gives that writes r here.
func shifted(base, r rune, mod tea.KeyMod) rune {
	if base >= 'a' && base <= 'z' {
		if unicode.IsUpper(r) || mod&tea.ModShift != 0 && !unicode.IsLower(r) {
			return base - 'a' + 'A'
		}
		return base
	}
	if i := strings.IndexRune(usPlain, base); i >= 0 && mod&tea.ModShift != 0 {
		return rune(usWithUps[i])
	}
	return base
}

// means reports whether a key has a meaning of its own in a place.
func (k *Map) means(c view.Context, key string) bool {
	_, own := k.user[c][key]
	return own || k.table[c][key] != nil
}

// Foreign reports whether a letter of no Latin keyboard was pressed. Only then
// is the terminal asked to say all of a key: whoever kills a program that asked
// is left with a shell that reads none.
func (k *Map) Foreign() bool { return k.foreign }
