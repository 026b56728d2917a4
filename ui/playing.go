package ui

import (
	"reflect"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/keymap"
	"diurna/ui/lastrow"
)

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
		press(keymap.Press("enter"))
	} else {
		press(keymap.Press(key))
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
	if len(m.keys.Macros()) == 0 {
		m.Say("There are no macros: keys.toml holds them, under [macro].")
		return nil
	}
	m.naming = true
	m.last.Put(lastrow.Question, "Macro: "+strings.Join(m.keys.Macros(), " "))
	return nil
}

// runMacro plays the macro that a key names; given is the key as the keyboard
// has it.
func (m *model) runMacro(key, given string) tea.Cmd {
	m.naming = false
	m.last.Put(lastrow.Question, "")
	keys, ok := m.keys.Macro(given)
	if !ok {
		keys, ok = m.keys.Macro(key)
	}
	if !ok {
		m.Say("There is no macro " + keymap.Label(key) + ".")
		return nil
	}
	return m.play(keys)
}
