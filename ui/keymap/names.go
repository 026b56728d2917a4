package keymap

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/view"
)

// Named gives a key as the table writes it: "ctrl+x" for "^x".
func Named(s string) (string, bool) {
	if rest, ok := strings.CutPrefix(s, "^"); ok && len(rest) == 1 {
		s = "ctrl+" + strings.ToLower(rest)
	}
	if utf8.RuneCountInString(s) == 1 {
		return s, s != "~" && s[0] > ' '
	}
	if rest, ok := strings.CutPrefix(s, "ctrl+"); ok && len(rest) == 1 {
		return s, rest[0] >= 'a' && rest[0] <= 'z' && !strings.Contains("asqcz", rest)
	}
	var n int
	if _, err := fmt.Sscanf(s, "f%d", &n); err == nil && n >= 1 && n <= 12 && fmt.Sprintf("f%d", n) == s {
		return s, true
	}
	return s, keyCodes[s] != 0
}

// keyCodes are the keys that are no text.
var keyCodes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "shift+tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "insert": tea.KeyInsert, "space": tea.KeySpace,
}

// Press makes a key press of a key's name.
func Press(key string) tea.KeyPressMsg {
	switch code := keyCodes[key]; {
	case key == "space":
		return tea.KeyPressMsg{Code: code, Text: " "}
	case key == "shift+tab":
		return tea.KeyPressMsg{Code: code, Mod: tea.ModShift}
	case code != 0:
		return tea.KeyPressMsg{Code: code}
	}
	if rest, ok := strings.CutPrefix(key, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	r, _ := utf8.DecodeRuneInString(key)
	return tea.KeyPressMsg{Code: r, Text: string(r)}
}

// Label writes a key as people do.
func Label(key string) string { return (&view.Bound{Keys: []string{key}}).Label() }
