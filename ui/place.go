package ui

import (
	"encoding/json"
	"sort"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// leave ends the program once all is kept.
func (m *model) leave() tea.Cmd {
	m.countSights()
	return m.eff.quit(m.present(), m.Now, m.takeSights())
}

// present is where the reader is, as it is kept between sittings.
func (m *model) present() []byte {
	if m.empty && len(m.Order) == 0 {
		return nil // there is no library, and leaving makes none
	}
	p := view.Place{View: uint8(m.view), Folded: m.feedz.Folded(), Starts: m.starts + 1}
	if l := m.items(); l != nil && len(m.stack) == 0 {
		l.keepRow(&p)
	}
	if len(m.stack) == 1 {
		if l, ok := m.stack[0].(view.Opened); ok {
			l.Keep(&p)
			if from := itemsOf(l.Origin()); from != nil {
				from.keepRow(&p)
			}
		}
	}
	if m.view == viewPages {
		p.Page, _ = m.pagez.About()
	}
	b, err := json.Marshal(p)
	if err != nil {
		return nil
	}
	return b
}

// keepRow notes the chosen row, and how high on the screen it stands.
func (l *items) keepRow(p *view.Place) {
	if p.Item = l.chosenID(); p.Item != 0 {
		p.At, p.Above = l.at(l.List.Cur).At, l.List.Line(l.List.Cur)-l.List.Top
	}
}

// gotKept takes in what was kept between sittings.
func (m *model) gotKept(msg recalledMsg) tea.Cmd {
	if name, ok := strings.CutPrefix(msg.name, historyName); ok {
		lines := strings.Split(string(msg.value), "\n")
		m.histories[name] = append(lines, m.histories[name]...)
		if m.prompt != nil && m.prompt.Name == name {
			m.prompt.History = m.histories[name]
		}
		return nil
	}
	if msg.name == orderName {
		if m.kept == reader.Newest { // else a key was quicker
			m.kept, _ = reader.ParseOrder(string(msg.value))
		}
		return nil
	}
	if msg.name != placeName || json.Unmarshal(msg.value, &m.place) != nil {
		return nil
	}
	m.starts = m.place.Starts
	if m.starts == 1 && m.message == "" && m.lastKey.IsZero() {
		m.Say(sayHelp) // once, at the second start
	}
	for _, path := range m.place.Folded {
		m.feedz.SetFolded(path, true)
	}
	if !m.lastKey.IsZero() || len(m.stack) > 0 {
		m.place = view.Place{}
		return nil // keys came first: nothing jumps under the reader's hands
	}
	m.feedz.List.Set(0, 1)
	var cmd tea.Cmd
	if v := viewID(m.place.View); v != m.view && int(v) < len(views) {
		cmd = m.enter(v)
	}
	if l := itemsOf(m.base()); l != nil && l.whole {
		cmd = tea.Batch(cmd, m.resume(l))
	}
	m.pagez.Want(m.place.Page)
	if id := m.place.Article; id != 0 && m.place.Edits {
		return tea.Batch(cmd, m.resumeDiff(id))
	} else if id != 0 {
		l := itemsOf(m.base())
		a := &article{r: reader.Row{ID: id, Flags: reader.FlagRead}, from: l, gen: m.Gen(), opening: m.NewOpening(),
			para: m.place.Para, into: m.place.Into}
		m.Push(a)
		cmd = tea.Batch(cmd, m.eff.article(a.gen, id))
	}
	return cmd
}

// resume goes back to the row of the last sitting, once it is there.
func (m *model) resume(l *items) tea.Cmd {
	if m.place.Item == 0 || l != m.base() || l.moved {
		return nil
	}
	i := l.index(m.place.Item)
	if i < 0 && l.order == reader.Newest {
		i = sort.Search(l.List.N-1, func(i int) bool { return l.at(i).At <= m.place.At }) // where it was
	}
	if i > 0 {
		l.List.Top = max(0, l.List.Line(i)-m.place.Above)
		l.List.Set(i, max(1, l.High))
		l.moved = true
	}
	m.place.Item = 0
	return nil
}
