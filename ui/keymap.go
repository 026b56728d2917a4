package ui

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/pelletier/go-toml/v2"

	"diurna/ui/view"
)

// keys.toml: a key of the person's own stands for one or more keys of the
// table, so that whatever can be done has a name already. A table for each
// place, and one for macros, which a comma leads to:
//
//	[list]
//	"x" = "m j"
//	[macro]
//	"l" = "s t l a t e r enter"
//
// A value is a string of keys with blanks between, or a list of keys; ":words"
// and "|words" are typed whole, with Enter at the end.

// sections are the places that keys.toml names.
var sections = map[string][]view.Context{
	"list": {view.CtxItems}, "feeds": {view.CtxFeeds}, "article": {view.CtxArticle}, "pages": {view.CtxPages}, "diff": {view.CtxDiff},
	"everywhere": {view.CtxItems, view.CtxFeeds, view.CtxArticle, view.CtxSteps, view.CtxFiles, view.CtxInfo, view.CtxSheet, view.CtxDiff, view.CtxPages, view.CtxRhythm},
}

// presets are sets of keys to choose from, in the form of keys.toml.
var presets = map[string]string{"newsboat": newsboatKeys}

// newsboatKeys gives the keys of newsboat that mean something else here. What
// means the same in both (Enter n p A o O r R E / | , ? q Q) is not named.
// u shows the links in an article, as there; :undo takes back.
const newsboatKeys = `
[list]
"N" = "m"
"F" = "&"
"ctrl+f" = "& ctrl+u enter"
"ctrl+e" = "t"
"ctrl+b" = "s"
"J" = "]"
"K" = "["
"$" = "M k"
[feeds]
"C" = "g A"
"F" = "/"
[article]
"N" = "m"
"u" = "f"
"ctrl+e" = "t"
"ctrl+b" = "s"
`

// own takes in a table of the person's keys; the error is the sentence to show.
func (k *keymap) own(file, text string) error {
	var doc map[string]map[string]any
	if err := toml.Unmarshal([]byte(text), &doc); err != nil {
		line := 1
		if wrong, ok := err.(*toml.DecodeError); ok {
			line, _ = wrong.Position()
		}
		return fmt.Errorf("%s line %d: %s. Nothing of the file was used", file, line, strings.TrimPrefix(err.Error(), "toml: "))
	}
	type entry struct {
		line         int
		section, key string
	}
	var entries []entry
	for section, table := range doc {
		for key := range table {
			entries = append(entries, entry{lineOf(text, section, key), section, key})
		}
	}
	// Places before everywhere, which must not cover them; else by line.
	sort.Slice(entries, func(i, j int) bool {
		a, b := entries[i], entries[j]
		return cmp.Or(cmp.Compare(rank(a.section), rank(b.section)), cmp.Compare(a.line, b.line)) < 0
	})
	taken := make(map[string]bool)
	for _, e := range entries {
		if why := k.take(taken, e.section, e.key, doc[e.section][e.key]); why != "" {
			return fmt.Errorf("%s line %d: %s. Nothing of the file was used", file, e.line, why)
		}
	}
	return nil
}

func rank(section string) int {
	if section == "everywhere" {
		return 1
	}
	return 0
}

// take adds one line of a table; why is what is wrong with it. taken are the
// keys that the same text gave a meaning in a place of their own.
func (k *keymap) take(taken map[string]bool, section, key string, value any) (why string) {
	keys, ok := keysOf(value)
	if !ok {
		return fmt.Sprintf("%q needs keys such as \"m j\"", key)
	}
	name, ok := keyNamed(key)
	if !ok {
		return fmt.Sprintf("%q is no key", key)
	}
	for i, to := range keys {
		if to, ok := keyNamed(to); ok {
			keys[i] = to
			continue
		}
		if to[0] != ':' && to[0] != '|' {
			return fmt.Sprintf("%q is no key", to)
		}
	}
	if section == "macro" {
		if len(keys) == 0 {
			return fmt.Sprintf("the macro %q does nothing", key)
		}
		k.macro[name] = keys
		return ""
	}
	places, ok := sections[section]
	if !ok {
		return fmt.Sprintf("[%s] is not known: there are [list] [feeds] [article] [pages] [diff] [everywhere] [macro]", section)
	}
	if len(keys) > 0 && !k.meant(places, keys[0]) {
		return fmt.Sprintf("%q means nothing in %s", keys[0], section)
	}
	for _, c := range places {
		at := fmt.Sprint(c, name)
		if section == "everywhere" && taken[at] {
			continue // a place's own table goes before
		}
		taken[at] = true
		k.user[c][name] = keys
	}
	return ""
}

// meant reports whether a key has a meaning in one of the places.
func (k *keymap) meant(places []view.Context, key string) bool {
	return key[0] == ':' || key[0] == '|' || slices.ContainsFunc(places, func(c view.Context) bool { return k.table[c][key] != nil })
}

// keysOf reads the keys of a value.
func keysOf(value any) ([]string, bool) {
	switch v := value.(type) {
	case string:
		return strings.Fields(v), true
	case []any:
		var keys []string
		for _, e := range v {
			s, ok := e.(string)
			if !ok || s == "" {
				return nil, false
			}
			keys = append(keys, s)
		}
		return keys, true
	}
	return nil, false
}

// keyNamed gives a key as the table writes it: "ctrl+x" for "^x".
func keyNamed(s string) (string, bool) {
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

// lineOf finds the line of a key, for the sentence about it.
func lineOf(text, section, key string) int {
	in := ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			in = strings.Trim(line, "[] ")
			continue
		}
		name, _, _ := strings.Cut(line, "=")
		if in == section && strings.Trim(strings.TrimSpace(name), `"'`) == key {
			return i + 1
		}
	}
	return 1
}

// keyCodes are the keys that are no text.
var keyCodes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "shift+tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "insert": tea.KeyInsert, "space": tea.KeySpace,
}

// pressOf makes a key press of a key's name.
func pressOf(key string) tea.KeyPressMsg {
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

// playMsg goes on with keys once what the one before asked for is there.
type playMsg struct {
	gen uint64
	got []tea.Msg
}

// maxPlayed bounds the keys that one key stands for: a macro may name itself.
const maxPlayed = 1000

// play presses the keys that a key of the person's own, or a macro, stands
// for: each once the answers to the one before have come, as a person would.
func (m *model) play(keys []string) tea.Cmd {
	if !m.playing {
		m.played = 0
	}
	m.due = append(keys[:len(keys):len(keys)], m.due...)
	if m.playing {
		return nil // a macro in a macro: who presses its key goes on with these
	}
	return m.playNext()
}

// playNext presses the next key.
func (m *model) playNext() tea.Cmd {
	if len(m.due) == 0 {
		return nil
	}
	cmd := m.playOne()
	if len(m.due) == 0 {
		return cmd
	}
	m.dueGen = m.Gen()
	gen := m.dueGen
	return func() tea.Msg { return playMsg{gen, gather(cmd)} }
}

func (m *model) playOne() tea.Cmd {
	key := m.due[0]
	m.due = m.due[1:]
	if m.played++; m.played > maxPlayed {
		m.due = nil
		m.Say("A macro that never ends was ended.")
		return nil
	}
	m.View() // a link has its number once it is laid out
	var cmds []tea.Cmd
	press := func(k tea.KeyPressMsg) {
		m.playing = true
		cmds = append(cmds, m.press(k))
		m.playing = false
	}
	if n := utf8.RuneCountInString(key); n > 1 && (key[0] == ':' || key[0] == '|') {
		for _, r := range key {
			press(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		press(pressOf("enter"))
	} else {
		press(pressOf(key))
	}
	return tea.Batch(cmds...)
}

// catchUp presses the keys that still wait when the person presses another one,
// or pastes: they were meant for the place where the person is now, and for no
// later one. ^c ends them.
func (m *model) catchUp(before string) tea.Cmd {
	if before == "ctrl+c" {
		m.due = nil
	}
	var cmds []tea.Cmd
	for len(m.due) > 0 {
		cmds = append(cmds, m.playOne())
	}
	return tea.Batch(cmds...)
}

// gather runs a command and the commands in it, and gives their messages.
func gather(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var got []tea.Msg
		for _, c := range msg {
			got = append(got, gather(c)...)
		}
		return got
	default:
		return []tea.Msg{msg}
	}
}

// gotPlay takes in what came of a key and presses the next.
func (m *model) gotPlay(msg playMsg) tea.Cmd {
	var cmds []tea.Cmd
	for _, got := range msg.got {
		if strings.HasSuffix(reflect.TypeOf(got).PkgPath(), "bubbletea/v2") {
			cmds = append(cmds, func() tea.Msg { return got }) // for the terminal: a copy, the editor, leaving
			continue
		}
		_, cmd := m.Update(got)
		cmds = append(cmds, cmd)
	}
	if msg.gen == m.dueGen {
		cmds = append(cmds, m.playNext())
	}
	return tea.Batch(cmds...)
}

// askMacro waits for the name of a macro.
func (m *model) askMacro() tea.Cmd {
	if len(m.keys.macro) == 0 {
		m.Say("There are no macros: keys.toml holds them, under [macro].")
		return nil
	}
	m.naming = true
	names := make([]string, 0, len(m.keys.macro))
	for name := range m.keys.macro {
		names = append(names, keyLabel(name))
	}
	slices.Sort(names)
	m.Say("Macro: " + strings.Join(names, " "))
	return nil
}

func (m *model) runMacro(key string) tea.Cmd {
	m.naming = false
	m.Clear()
	keys, ok := m.keys.macro[key]
	if !ok {
		m.Say("There is no macro " + keyLabel(key) + ".")
		return nil
	}
	return m.play(keys)
}

// names are the keys of a binding as the help shows them in a place: without
// those that a key of the person's own has taken, and with theirs, marked.
func (k *keymap) names(c view.Context, b *view.Binding) string {
	var names []string
	if _, taken := k.user[c][b.Keys[0]]; !taken || len(b.Keys) == 10 {
		names = append(names, b.Label())
	}
	var own []string
	for key, keys := range k.user[c] {
		if len(keys) == 1 && slices.Contains(b.Keys, keys[0]) {
			own = append(own, keyLabel(key)+"*")
		}
	}
	slices.Sort(own)
	return strings.Join(append(names, own...), " ")
}

// longer are the person's keys that stand for more than one key, as rows of
// the help.
func (k *keymap) longer(c view.Context) []helpRow {
	var rows []helpRow
	for key, keys := range k.user[c] {
		if len(keys) != 1 {
			rows = append(rows, helpRow{keys: keyLabel(key) + "*", text: "stands for " + strings.Join(keys, " ")})
		}
	}
	for key, keys := range k.macro {
		rows = append(rows, helpRow{keys: ", " + keyLabel(key) + "*", text: "macro: " + strings.Join(keys, " ")})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].keys < rows[j].keys })
	return rows
}
