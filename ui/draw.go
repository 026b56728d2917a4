package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/lastrow"
	"diurna/ui/panes"
	"diurna/ui/view"
)

// View draws the screen: row 1, the content, the last row. Only what is
// visible is composed.
func (m *model) View() tea.View {
	v := tea.NewView("")
	v.AltScreen, v.ReportFocus = true, true
	v.ForegroundColor, v.BackgroundColor = m.Th.Screen()
	if m.Cfg.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.KeyboardEnhancements.ReportAlternateKeys = true
	if m.keys.Foreign() && m.where() != view.CtxAdd { // what is typed comes as text
		v.KeyboardEnhancements.ReportAllKeysAsEscapeCodes, v.KeyboardEnhancements.ReportAssociatedText = true, true
	}
	if m.W < 1 || m.H < 1 {
		return v
	}
	if m.tiny() {
		say := fmt.Sprintf("%dx%d is too small to read in. 40x8 is enough. q quits.", m.W, m.H)
		v.Content = strings.Join(m.Fill(m.Wrap(say, 0, m.W), m.W, m.H), "\n")
		return v
	}
	lines := append(make([]string, 0, m.H), m.rowOne(m.W))
	// The last row tells of the content, as far as it is laid out: that goes first.
	content := m.content(m.W, m.H-2)
	place := lastrow.Over(m.Top().Context())
	for _, v := range views {
		if v.id == m.view && len(m.stack) == 0 {
			place = v.place
		}
	}
	status := m.Top().Status(&m.Scene, m.W)
	status.Keys = m.keys.Hints(m.Top().Context(), status.Keys)
	last, cursor := m.last.Draw(&m.Scene, place, status, m.prompt, m.W)
	// A second row of the last row lies over the content instead of pushing
	// it: nothing scrolls because of a sentence.
	lines = append(lines, content...)
	lines = append(lines[:m.H-len(last)], last...)
	v.Content = strings.Join(lines, "\n")
	if m.prompt != nil {
		v.Cursor = tea.NewCursor(min(cursor, m.W-1), m.H-len(last))
	} else if l, ok := m.Top().(view.Writer); ok {
		if x, y, shown := l.Cursor(&m.Scene, m.W, m.H-2); shown {
			v.Cursor = tea.NewCursor(min(x, m.W-1), y+1)
		}
	}
	if v.Cursor != nil {
		v.Cursor.Blink = false
	}
	return v
}

// content draws the topmost layer and what stands beside it.
func (m *model) content(w, h int) []string {
	// Beside something that stands still a terminal cannot scroll a part of
	// its rows: every line is written again (7,452 bytes a key at 200x60, and
	// that with every key at the edge), so the list moves by half a screen.
	if l := m.items(); l != nil {
		l.List.Jump = w >= panes.Three
	}
	m.feedz.List.Jump = w >= panes.Three
	return m.panes.Lines(&m.Scene, m.Top(), w, h)
}

// rowOne is the views with the present one in brackets, or what is shown.
func (m *model) rowOne(w int) string {
	th := &m.Th
	name, views := m.Top().Over()
	if views {
		return m.viewRow(name, w)
	}
	left, right := m.Top().Title(&m.Scene, w)
	if runs := m.running(); runs != "" {
		// What is shown stays; what is fetched is said where there is room.
		if both := runs + "  " + right; right == "" || th.Measure.Width(left+both)+2 < w {
			right = strings.TrimRight(both, " ")
		}
	}
	return th.In(th.Head, th.Ends(" "+left, right, w))
}

// running is what is being fetched: by hand before by plan.
func (m *model) running() string {
	if m.runs != "" {
		return m.runs
	}
	if m.ranks != "" {
		return m.ranks
	}
	return m.round
}

// factCells is what row 1 keeps free for the fact at its right end, viewCells
// what its views take.
const factCells = 14

var viewCells = func() int {
	n := 0
	for _, v := range views {
		n += len(v.name) + 3
	}
	return n
}()

// viewRow is row 1 of a list, which may lie over that of a view.
func (m *model) viewRow(name string, w int) string {
	th := &m.Th
	if name != "" {
		name = " " + th.Dot + " " + name
	}
	fact := m.running()
	if l := m.items(); fact == "" && l != nil {
		fact = l.Fact()
	}
	long, gap := th.Measure.Width(fact), 2
	if name == "" && m.view != viewSearch {
		gap = 0 // a blank stands behind the last view
	}
	free := max(factCells, long+gap)
	tight := viewCells > w || long > 0 && viewCells+long+gap > w
	// What lies over a view is named whole: where all views leave no room for
	// that, only the present one stands before it.
	alone := name != "" && viewCells+th.Measure.Width(name)+free > w
	var plain, styled strings.Builder
	m.tabs = m.tabs[:0]
	for _, v := range views {
		from := plain.Len()
		switch {
		case v.id == m.view:
			plain.WriteString("[" + string(v.key) + v.name + "]")
			styled.WriteString(th.In(th.Here, "["+string(v.key)+v.name+"]"))
		case !alone && tight: // the numbers stay; ? names them
			plain.WriteString(" " + string(v.key))
			styled.WriteString(" " + string(v.key))
		case !alone:
			plain.WriteString(" " + string(v.key) + v.name + " ")
			styled.WriteString(" " + string(v.key) + v.name + " ")
		}
		m.tabs = append(m.tabs, [2]int{from, plain.Len()})
	}
	name = th.Measure.Cut(name, w-plain.Len()-free)
	plain.WriteString(name)
	styled.WriteString(name)
	if fact == "" {
		_, fact = m.Top().Title(&m.Scene, w)
	}
	used := th.Measure.Width(plain.String())
	if used > w {
		return th.Fit(plain.String(), w)
	}
	rest := w - used
	if n := th.Measure.Width(fact); n == 0 || n+gap > rest {
		return styled.String() + th.Fit("", rest)
	}
	return styled.String() + th.Measure.PadLeft(fact, rest)
}
