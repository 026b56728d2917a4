package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/view"
)

// Answers come late: between a question and its answer the reader may have gone
// elsewhere. There are three kinds, each made safe in one way.
//
//   - What a View waits for carries the number of its question. The View is
//     found by it wherever it lies in the stack, and nobody else takes it.
//   - What would open something over the screen (a sheet, a box, the editor)
//     knows the place it was asked at and opens nothing elsewhere.
//   - An act holds all it needs from the key on, and happens.

// deliver tells all layers of a message.
func (m *model) deliver(msg tea.Msg) tea.Cmd {
	cmds := []tea.Cmd{m.eff.out.Got(m, msg), m.line.Got(m, msg), m.pipe.Got(m, msg), m.macros.Got(m, msg), m.Panes.Got(m, msg), m.files.Got(m, msg), m.editor.Got(m, msg)}
	for _, l := range m.All() {
		cmds = append(cmds, l.Got(m, msg))
	}
	return view.Batch(cmds...)
}

// question is something asked whose answer would open something.
type question struct {
	gen  uint64
	from view.View          // where it was asked
	stop context.CancelFunc // what ^c calls; nil: it is answered at once
}

// wonder asks a question. The one before it is not answered any more.
func (m *model) Wonder() uint64 {
	m.asked = question{gen: m.Gen(), from: m.Top()}
	return m.asked.gen
}

// answers reports whether an answer is to the last question, and the reader is
// still where it was asked.
func (m *model) Answers(gen uint64) bool { return gen == m.asked.gen && m.IsTop(m.asked.from) }

// BeginLook gives the context of a look at an address, or of a command, which
// ^c stops. A fetch that runs meanwhile goes on.
func (m *model) BeginLook(gen uint64) context.Context {
	m.stopLook()
	ctx, stop := context.WithCancel(m.eff.ctx)
	m.looking = question{gen, m.Top(), stop}
	return ctx
}

// EndLook ends the look with this number; false when another one is under way,
// or none: its answer is not waited for.
func (m *model) EndLook(gen uint64) bool {
	if m.looking.stop == nil || m.looking.gen != gen {
		return false
	}
	m.stopLook()
	return true
}

// stopLook ends whatever look there is; false when there is none.
func (m *model) stopLook() bool {
	stop := m.looking.stop
	m.looking.stop = nil
	if stop == nil {
		return false
	}
	stop()
	return true
}
