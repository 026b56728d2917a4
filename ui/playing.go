package ui

import (
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/keymap"
	"diurna/ui/lastrow"
)

// The screen as macros drive it.

// Press presses a key of the table.
func (m *model) Press(key string) tea.Cmd {
	m.View() // a link has its number once it is laid out
	return m.press(keymap.Press(key))
}

// Take handles a message as if it came from the event loop.
func (m *model) Take(msg tea.Msg) tea.Cmd {
	_, cmd := m.Update(msg)
	return cmd
}

// commandNames are what a line of the command line may begin with.
func commandNames(shell []string) []string {
	return append(slices.Sorted(maps.Keys(ownWords(&parts{}))), shell...)
}

// askMacro waits for the name of a macro.
func (m *model) askMacro() tea.Cmd {
	names := m.keys.Macros()
	if len(names) == 0 {
		m.Say("There are no macros: keys.toml holds them, under [macro].")
		return nil
	}
	m.macros.Ask()
	m.last.Put(lastrow.Question, "Macro: "+strings.Join(names, " "))
	return nil
}

// runMacro plays the macro of a key; given is the key as the keyboard sent it.
func (m *model) runMacro(key, given string) tea.Cmd {
	m.last.Put(lastrow.Question, "")
	steps, ok := m.keys.Macro(given)
	if !ok {
		steps, ok = m.keys.Macro(key)
	}
	if !ok {
		m.Say("There is no macro " + keymap.Label(key) + ".")
		return nil
	}
	return m.macros.Play(m, steps.Steps)
}
