package ui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/add"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// What the router does for the add box, and the end of an import.

// addBox is the add box if it is on top, else nil.
func (m *model) addBox() *add.Box {
	b, _ := m.Top().(*add.Box)
	return b
}

// Stop stops the import with this number, else the look that is under way; false
// where there is neither.
func (m *model) Stop(gen uint64) bool {
	if gen == m.runGen && m.cancel != nil {
		m.cancel()
		return true
	}
	return m.StopLook()
}

// KeepLine keeps a line in the history of a box.
func (m *model) KeepLine(name, text string) tea.Cmd { return m.boxes.KeepLine(name, text) }

// ShowRiver leaves everything for River.
func (m *model) ShowRiver() tea.Cmd { return m.nav.Go(m, stack.River) }

// ShowPage leaves everything for a page that is watched from now on.
func (m *model) ShowPage(w reader.Watched) tea.Cmd {
	return view.Batch(m.nav.Go(m, stack.Pages), m.pagez.Added(m, w))
}

// Demo leaves for the demo.
func (m *model) Demo() tea.Cmd {
	m.demo = true
	return m.Leave()
}

// importing is the add box that waits for an import, nil for none.
func (m *model) importing(gen uint64) *add.Box {
	for _, l := range m.Over {
		if b, ok := l.(*add.Box); ok && b.Imports(gen) {
			return b
		}
	}
	return nil
}

func (m *model) gotImported(msg importedMsg) tea.Cmd {
	if msg.gen != m.runGen {
		return nil
	}
	m.halt()
	b := m.importing(msg.gen)
	boxed := b != nil
	r, stopped := &msg.report, errors.Is(msg.err, context.Canceled)
	switch {
	case stopped && r.Step == 0:
		if boxed {
			b.Imported("")
		}
		m.Say(view.SayStopped)
		return nil
	case msg.err != nil && boxed && r.Step == 0:
		b.Imported(view.Sentence(msg.err))
		return nil
	}
	cmd := m.showImported(boxed)
	if msg.err != nil && !stopped {
		m.Say(view.Sentence(msg.err))
		return cmd
	}
	say := fmt.Sprintf("Imported %s", wording.Plural(len(r.Added), "feed"))
	if r.Known > 0 {
		say += fmt.Sprintf(", %s already known", wording.Count(r.Known))
	}
	if len(r.Refused) > 0 {
		say += fmt.Sprintf(", %s not taken", wording.Count(len(r.Refused)))
	}
	if stopped {
		say += ", not all of them fetched"
	}
	if n := len(msg.failed); n > 0 {
		say += fmt.Sprintf(". %s failed: %s (w in Feeds says why)", wording.Count(n), wording.Some(msg.failed))
	}
	if say += "."; r.Step != 0 { // else u would take back something else
		say += " u undoes."
	}
	m.Say(say)
	return cmd
}

// showImported shows River where the add box waited for it; who is elsewhere by
// then stays there.
func (m *model) showImported(boxed bool) tea.Cmd {
	if boxed {
		m.Over = m.Over[:0]
	}
	if boxed || m.At == stack.River && len(m.Over) == 0 && !m.river.Moved() {
		return m.nav.Enter(m, stack.River)
	}
	return m.LoadShown(m, false)
}
