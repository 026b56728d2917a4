package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/lastrow"
	"diurna/ui/panes"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// View draws the screen: row 1, the content, the last row. Only what is
// visible is composed.
func (m *model) View() tea.View {
	v := tea.NewView("")
	v.AltScreen, v.ReportFocus = true, true
	v.ForegroundColor, v.BackgroundColor = m.Scene.Th.Screen()
	if m.Scene.Cfg.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.KeyboardEnhancements.ReportAlternateKeys = true
	if m.keys.Foreign() && m.Where() != view.CtxAdd { // what is typed comes as text
		v.KeyboardEnhancements.ReportAllKeysAsEscapeCodes, v.KeyboardEnhancements.ReportAssociatedText = true, true
	}
	if m.Scene.W < 1 || m.Scene.H < 1 {
		return v
	}
	if m.Scene.Tiny() {
		say := fmt.Sprintf("%dx%d is too small to read in. 40x8 is enough. q quits.", m.Scene.W, m.Scene.H)
		v.Content = strings.Join(m.Scene.Fill(m.Scene.Wrap(say, 0, m.Scene.W), m.Scene.W, m.Scene.H), "\n")
		return v
	}
	lines := append(make([]string, 0, m.Scene.H), m.head.Draw(&m.Scene, m.Stack, m.fetch.Running(m.ranked.Running()), m.Scene.W))
	// The last row describes the content as it is laid out, so the content goes first.
	content := m.content(m.Scene.W, m.Scene.H-2)
	place := lastrow.Over(m.Top().Context())
	for _, v := range stack.Views {
		if v.No == m.At && len(m.Over) == 0 {
			place = v.Place
		}
	}
	status := m.Top().Status(&m.Scene, m.Scene.W)
	status.Keys = m.keys.Hints(m.Top().Context(), status.Keys)
	last, cursor := m.last.Draw(&m.Scene, place, status, m.Box, m.Scene.W)
	// A second row of the last row lies over the content instead of pushing
	// it: nothing scrolls because of a sentence.
	lines = append(lines, content...)
	lines = append(lines[:m.Scene.H-len(last)], last...)
	v.Content = strings.Join(lines, "\n")
	if m.Box != nil {
		v.Cursor = tea.NewCursor(min(cursor, m.Scene.W-1), m.Scene.H-len(last))
	} else if l, ok := m.Top().(view.Writer); ok {
		if x, y, shown := l.Cursor(&m.Scene, m.Scene.W, m.Scene.H-2); shown {
			v.Cursor = tea.NewCursor(min(x, m.Scene.W-1), y+1)
		}
	}
	if v.Cursor != nil {
		v.Cursor.Blink = false
	}
	return v
}

// content draws the topmost layer and what stands beside it.
func (m *model) content(w, h int) []string {
	// Beside something that does not move a terminal cannot scroll a part of its rows:
	// every line is written again (7,452 bytes a key at 200x60, and that with every key at
	// the edge), so the list moves by half a screen.
	if l := m.Items(); l != nil {
		l.List.Jump = w >= panes.Three
	}
	m.feedz.List.Jump = w >= panes.Three
	return m.Panes.Lines(&m.Scene, m.Top(), w, h)
}
