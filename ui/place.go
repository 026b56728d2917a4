package ui

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/article"
	"diurna/ui/greeting"
	"diurna/ui/jobs"
	"diurna/ui/list"
	"diurna/ui/notes"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// Leave ends the program once all is kept: what is on its way, notes, and where the
// reader was.
func (m *model) Leave() tea.Cmd {
	m.sights.CountSights()
	place, at, seen := m.present(), m.Now, m.sights.Take()
	noted := m.greet.Noted // once more: what the key before this one noted may not be kept yet
	return func() tea.Msg {
		for _, keep := range noted {
			keep()
		}
		m.sights.Note(at, seen)
		if failed := m.marks.Drain(); len(failed) > 0 {
			return jobs.Msg{Jobs: failed} // stay: the rows change back and say why
		}
		m.notes.KeepNow(greeting.PlaceName, place)
		return tea.Quit()
	}
}

// present is where the reader is, as it is kept between sittings.
func (m *model) present() []byte {
	if m.empty && len(m.Order) == 0 {
		return nil // there is no library, and leaving makes none
	}
	p := view.Place{View: uint8(m.At), Starts: m.starts + 1}
	m.feedz.Keep(&p)
	m.lists.Keep(&p)
	if l := m.Items(); l != nil && len(m.Over) == 0 {
		l.KeepRow(&p)
	}
	if len(m.Over) == 1 {
		if l, ok := m.Over[0].(view.Opened); ok {
			l.Keep(&p)
			if from := stack.ItemsOf(l.Origin()); from != nil {
				from.KeepRow(&p)
			}
		}
	}
	if m.At == stack.Pages {
		p.Page, _ = m.pagez.About()
	}
	b, err := json.Marshal(p)
	if err != nil {
		return nil
	}
	return b
}

// gotKept takes in what was kept between sittings.
func (m *model) gotKept(msg notes.Msg) tea.Cmd {
	if msg.Name != greeting.PlaceName || json.Unmarshal(msg.Value, &m.place) != nil {
		return nil
	}
	m.starts = m.place.Starts
	m.feedz.Restore(&m.Scene, &m.place)
	m.lists.Restore(&m.place)
	if !m.sights.LastKey.IsZero() || len(m.Over) > 0 {
		m.place = view.Place{}
		return nil // keys came first: nothing jumps under the reader's hands
	}
	m.feedz.List.Set(0, 1)
	cmd := m.river.Rearrange(m)
	if v := stack.Number(m.place.View); v != m.At && int(v) < len(m.Numbered) {
		cmd = view.Batch(cmd, m.nav.Enter(m, v))
	}
	if l := stack.ItemsOf(m.Base()); l != nil && l.Whole() {
		m.Resume(l)
	}
	m.pagez.Want(m.place.Page)
	if id := m.place.Article; id != 0 && m.place.Edits {
		var other func(by int) tea.Cmd
		if m.At == stack.Pages {
			other = m.pagez.Beside(m, id.Feed())
		}
		return view.Batch(cmd, m.items.ResumeDiff(id, &m.place, other))
	} else if id != 0 {
		cmd = view.Batch(cmd, m.items.Article(article.Of{Row: reader.Row{ID: id, Flags: reader.FlagRead}, From: m.Base().Origin(), Para: m.place.Para, Into: m.place.Into}))
	}
	return cmd
}

// Resume goes back to the row of the last sitting, once it is there.
func (m *model) Resume(l *list.View) {
	if m.place.Item == 0 || m.Base() != view.View(l) || l.Moved() {
		return
	}
	l.Return(&m.place)
	m.place.Item = 0
}
