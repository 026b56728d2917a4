package ui

import (
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/keymap"
	"diurna/ui/view"
)

// The keyboards that write other letters, and the same keys of a US keyboard.
var keyboards = map[string][2]string{
	"Russian": {"ёйцукенгшщзхъфывапролджэячсмитьбюЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ", "`qwertyuiop[]asdfghjkl;'zxcvbnm,.~QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>"},
	"Greek":   {"ςερτυθιοπασδφγηξκλζχψωβνμΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ", "wertyuiopasdfghjklzxcvbnmERTYUIOPASDFGHJKLZXCVBNM"},
}

// written are keys that these keyboards write themselves or, as Q and q of the
// Greek one, cannot write: what they cannot can be bound in keys.toml.
const written = "!#&+,-./0123456789:<=>?[]{|}"

// TestEveryKeyElsewhere: every key of the table works at its place of a keyboard
// that is not Latin.
func TestEveryKeyElsewhere(t *testing.T) {
	tried := 0
	for name, rows := range keyboards {
		letters, us := []rune(rows[0]), []rune(rows[1])
		at := map[string]string{}
		for i, r := range us {
			at[string(r)] = string(letters[i])
		}
		if name == "Russian" {
			at["|"], at["&"] = `\`, "*" // its own signs stand at their places
		}
		m, err := keymap.New(partsOfHelp(&parts{}), "", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		for c := range view.Contexts {
			for _, p := range partsOfHelp(&parts{})(c) {
				for _, b := range p.Rows {
					for _, key := range b.Keys {
						letter := at[key]
						switch rest, ctrl := strings.CutPrefix(key, "ctrl+"); {
						case ctrl:
							r, _ := utf8.DecodeRuneInString(at[rest])
							if got := m.Latin(c, tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl}).String(); got != key {
								t.Errorf("%s in %s, %s: Ctrl and %c is %q", key, view.ContextName(c), name, r, got)
							}
						case utf8.RuneCountInString(key) > 1 || name == "Greek" && strings.Contains("qQW", key):
							continue
						case letter == `\`, letter == "*": // after a letter
							m.Latin(view.CtxItems, keyMsg("о"))
							if got := m.Latin(c, keyMsg(letter)).String(); got != key {
								t.Errorf("%s in %s, %s: %s is %q", key, view.ContextName(c), name, letter, got)
							}
						case letter == "":
							if !strings.Contains(written, key) {
								t.Errorf("%s has no place on the %s keyboard", key, name)
							}
							letter = key
							fallthrough
						default:
							got := m.Latin(c, keyMsg(letter))
							if got.String() != key || m.Bound(c, got.String()) != m.Bound(c, key) {
								t.Errorf("%s in %s, %s: %s is %q", key, view.ContextName(c), name, letter, got)
							}
						}
						tried++
					}
				}
			}
		}
	}
	if tried < 500 {
		t.Errorf("only %d keys were tried", tried)
	}
}

// TestReadingElsewhere: sequences, boxes, letters on links and macros with a
// Russian keyboard.
func TestReadingElsewhere(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24, withKeys("[list]\n\"э\" = \"s\"\n[macro]\n\"l\" = \"j\"\n\"ж\" = \"k\"\n"))
	d.press("о", "о")
	if d.m.river.List.Cur != 2 {
		t.Errorf("о went to row %d", d.m.river.List.Cur)
	}
	d.press("б", "ж", "б", "д") // the macros , ж and , l
	if d.m.river.List.Cur != 2 {
		t.Errorf("the macros went to row %d", d.m.river.List.Cur)
	}
	was := d.m.river.Row().Flags
	d.press("э")
	if now := d.m.river.Row().Flags; now != was^reader.FlagSaved {
		t.Error("a key of keys.toml did not win")
	}
	d.press("&")
	d.typeIn("порт")
	if d.m.Box == nil || d.m.Box.String() != "порт" {
		t.Error("what was typed is not in the box")
	}
	d.send(tea.KeyPressMsg{Code: 'г', Mod: tea.ModCtrl}) // ^u
	if d.m.Box == nil || d.m.Box.String() != "" {
		t.Error("Ctrl and г does not empty the box")
	}
	d.press("esc", "Ь", "т") // M n
	d.says("n does nothing after M; nothing was marked.")
	d.press("Я", "Я")
	if !d.quit {
		t.Error("ЯЯ does not quit")
	}
}

// TestAskedOfTheKeyboard: the terminal is asked to say all of a key only after a
// letter of another keyboard, and not while something is typed.
func TestAskedOfTheKeyboard(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	asks := func() (all bool) {
		e := d.m.View().KeyboardEnhancements
		if !e.ReportAlternateKeys || e.ReportEventTypes || e.ReportAllKeysAsEscapeCodes != e.ReportAssociatedText {
			t.Errorf("asked for %+v", e)
		}
		return e.ReportAllKeysAsEscapeCodes
	}
	d.press("j", "k", ";", "é", "ctrl+d")
	if asks() {
		t.Error("a Latin keyboard is asked for all")
	}
	d.press("о")
	if !asks() {
		t.Error("a Russian keyboard is not asked for all")
	}
	d.press("/")
	if asks() {
		t.Error("asked for all in a box")
	}
	d.press("esc")
	if !asks() {
		t.Error("not asked for all after the box")
	}
	d.press("a")
	if asks() {
		t.Error("asked for all in the add box")
	}
	before := d.screen()
	d.send(tea.KeyPressMsg{Code: tea.KeyLeftShift, Mod: tea.ModShift})
	if d.screen() != before {
		t.Error("Shift alone changes the screen")
	}
}
