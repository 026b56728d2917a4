package keymap

import (
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"diurna/ui/view"
)

// text is a press of a key that writes a letter, without what the kitty keyboard
// protocol adds.
func text(s string) tea.KeyPressMsg { return tea.KeyPressMsg{Code: []rune(s)[0], Text: s} }

// kitty is a press as a terminal reports it that speaks the protocol: base is
// the key of the US keyboard at that place.
func kitty(s string, base rune, mod tea.KeyMod) tea.KeyPressMsg {
	return tea.KeyPressMsg{Code: unicode.ToLower([]rune(s)[0]), ShiftedCode: base, BaseCode: base, Mod: mod, Text: s}
}

// TestLatin: what a letter of another keyboard means in a place.
func TestLatin(t *testing.T) {
	table := func(c view.Context) []view.Part {
		if c != view.CtxItems {
			return nil
		}
		return []view.Part{{Name: "Here", Rows: []view.Binding{view.Bind("j k G q [ / . ö", "all", "", func(view.Host) tea.Cmd { return nil })}}}
	}
	for _, c := range []struct {
		name string
		keys []tea.KeyPressMsg
		want string
	}{
		{"Cyrillic by position", []tea.KeyPressMsg{text("о")}, "j"},
		{"a capital", []tea.KeyPressMsg{text("П")}, "G"},
		{"a sign", []tea.KeyPressMsg{text("х")}, "["},
		{"Ukrainian", []tea.KeyPressMsg{text("і")}, "s"},
		{"Greek by position", []tea.KeyPressMsg{text("ξ")}, "j"},
		{"a Greek capital", []tea.KeyPressMsg{text("Γ")}, "G"},
		{"; is where q stands on a Greek keyboard", []tea.KeyPressMsg{text("ξ"), text(";")}, "q"},
		{"; is itself before a Greek letter was pressed", []tea.KeyPressMsg{text(";")}, ";"},
		{"and after a Latin one", []tea.KeyPressMsg{text("ξ"), text("j"), text(";")}, ";"},
		{"and after a Cyrillic one", []tea.KeyPressMsg{text("ξ"), text("о"), text(";")}, ";"},
		{"an own key wins", []tea.KeyPressMsg{text("ф")}, "ф"},
		{"an own key wins over the base layout", []tea.KeyPressMsg{kitty("ф", 'a', 0)}, "ф"},
		{"Hebrew by the base layout", []tea.KeyPressMsg{kitty("ח", 'j', 0)}, "j"},
		{"Hebrew without", []tea.KeyPressMsg{text("ח")}, "ח"},
		{"a base layout that is not the Russian one", []tea.KeyPressMsg{kitty("п", 'k', 0)}, "k"},
		{"a capital by the base layout", []tea.KeyPressMsg{kitty("П", 'g', tea.ModShift)}, "G"},
		{"caps lock", []tea.KeyPressMsg{kitty("П", 'g', tea.ModCapsLock)}, "G"},
		{"a script without capitals", []tea.KeyPressMsg{kitty("ע", 'g', tea.ModShift)}, "G"},
		{"a shifted sign by the base layout", []tea.KeyPressMsg{kitty("ё", '[', tea.ModShift)}, "{"},
		{"a sign that the keyboard has itself", []tea.KeyPressMsg{kitty(".", '/', 0)}, "."},
		{"a Latin letter elsewhere", []tea.KeyPressMsg{kitty("z", 'y', 0)}, "z"},
		{"a Latin letter with a mark", []tea.KeyPressMsg{kitty("ä", '\'', 0)}, "ä"},
		{"Ctrl", []tea.KeyPressMsg{{Code: 'в', Mod: tea.ModCtrl}}, "ctrl+d"},
		{"Ctrl by the base layout", []tea.KeyPressMsg{{Code: 'ג', BaseCode: 'd', Mod: tea.ModCtrl}}, "ctrl+d"},
		{"Ctrl on another Latin keyboard", []tea.KeyPressMsg{{Code: 'z', BaseCode: 'y', Mod: tea.ModCtrl}}, "ctrl+z"},
		{"a word from an input method", []tea.KeyPressMsg{{Code: tea.KeyExtended, Text: "оо"}}, "оо"},
		{"Enter", []tea.KeyPressMsg{{Code: tea.KeyEnter}}, "enter"},
	} {
		m, err := New(table, "", "[list]\n\"ф\" = \"j\"\n", nil)
		if err != nil {
			t.Fatal(err)
		}
		var got tea.KeyPressMsg
		for _, k := range c.keys {
			got = m.Latin(view.CtxItems, k)
		}
		if got.String() != c.want {
			t.Errorf("%s: %q is taken for %q, want %q", c.name, c.keys[len(c.keys)-1].String(), got, c.want)
		}
		for _, k := range c.keys {
			if got := m.Latin(view.CtxAdd, k); k.Text != "" && got.Text != k.Text {
				t.Errorf("%s: in a box %q is typed as %q", c.name, k.Text, got.Text)
			}
		}
		if letter := c.keys[0].Text; m.Foreign() != (letter != "" && foreign([]rune(letter)[0]) && len([]rune(letter)) == 1) {
			t.Errorf("%s: foreign is %v", c.name, m.Foreign())
		}
	}
}

// TestPlaces: each letter of a keyboard has one key, and the rows of the tables
// fit together.
func TestPlaces(t *testing.T) {
	for _, p := range [][2]string{{cyrillic, usKeys}, {cyrillicUp, usShifted}, {greek, greekUS}, {greekUp, greekUSUp}, {more, moreUS}, {moreUp, moreUSUp}, {usPlain, usWithUps}} {
		a, b := []rune(p[0]), []rune(p[1])
		if len(a) != len(b) {
			t.Fatalf("%s has %d keys, %s %d", p[0], len(a), p[1], len(b))
		}
		for i := range a {
			if strings.ContainsRune(string(a[i+1:]), a[i]) || strings.ContainsRune(string(b[i+1:]), b[i]) {
				t.Errorf("%c or %c stands twice", a[i], b[i])
			}
		}
	}
	for r, at := range places {
		upper := unicode.IsUpper(r)
		if unicode.IsLetter(at) && unicode.IsUpper(at) != upper {
			t.Errorf("%c is the key %c", r, at)
		}
	}
}

func TestModifier(t *testing.T) {
	for _, code := range []rune{tea.KeyLeftShift, tea.KeyRightCtrl, tea.KeyIsoLevel3Shift, tea.KeyCapsLock, tea.KeyNumLock} {
		if !Modifier(tea.KeyPressMsg{Code: code}) {
			t.Errorf("%q is no modifier", tea.KeyPressMsg{Code: code})
		}
	}
	for _, key := range []string{"a", "ф", "enter", "shift+tab", "ctrl+d", "f1"} {
		if Modifier(Press(key)) {
			t.Errorf("%s is a modifier", key)
		}
	}
}

// TestKittyBytes: what terminals with the kitty keyboard protocol send.
func TestKittyBytes(t *testing.T) {
	table := func(view.Context) []view.Part { return nil }
	for bytes, want := range map[string]string{
		"\x1b[1086::106;1;1086u":     "j",      // Russian, all keys reported
		"\x1b[1087:1055:103;2;1055u": "G",      // the same with Shift
		"\x1b[1495::106;1;1495u":     "j",      // Hebrew
		"\x1b[1089::99;5u":           "ctrl+c", // Ctrl and a Russian letter
		"\x1b[122::121;5u":           "ctrl+z", // German
		"\x1b[97:65;2;65u":           "A",      // Latin, all keys reported
		"\x1b[32;1;32u":              "space",
		"\x1b[13u":                   "enter",
		"\x1b[9;2u":                  "shift+tab",
		"\x1b[0;;1080u":              "b", // composed by an input method
		"\xd0\xbe":                   "j", // a terminal without the protocol
	} {
		var d uv.EventDecoder
		n, event := d.Decode([]byte(bytes))
		press, ok := event.(uv.KeyPressEvent)
		if !ok || n != len(bytes) {
			t.Errorf("%q is %#v", bytes, event)
			continue
		}
		m, _ := New(table, "", "", nil)
		if got := m.Latin(view.CtxItems, tea.KeyPressMsg(press)); got.String() != want {
			t.Errorf("%q is %q, want %q", bytes, got, want)
		}
	}
}
