package ui

import "context"

// Answers come late: between a question and its answer the reader may have gone
// elsewhere. There are three kinds, each made safe in one way.
//
//   - What a layer waits for carries the number of its question. The layer is
//     found by it wherever it lies in the stack, and nobody else takes it.
//   - What would open something over the screen (a sheet, a box, the editor)
//     knows the place it was asked at and opens nothing elsewhere.
//   - An act holds all it needs from the key on, and happens.

// waiter is a layer that may wait for an answer.
type waiter interface {
	layer
	awaits() uint64 // the number of the question
}

func (a *article) awaits() uint64 { return a.gen }
func (d *diff) awaits() uint64    { return d.gen }
func (h *history) awaits() uint64 { return h.gen }
func (in *info) awaits() uint64   { return in.gen }
func (b *addBox) awaits() uint64  { return b.gen }

// waiting finds the layer that waits for an answer, nil if none does any more.
func (m *model) waiting(gen uint64) layer {
	for _, l := range m.stack {
		if w, ok := l.(waiter); ok && gen != 0 && w.awaits() == gen {
			return l
		}
	}
	return nil
}

// question is something asked whose answer would open something.
type question struct {
	gen  uint64
	from layer              // where it was asked
	stop context.CancelFunc // what ^c calls; nil: it is answered at once
}

// wonder asks a question. The one before it is not answered any more.
func (m *model) wonder() uint64 {
	m.asked = question{gen: m.nextGen(), from: m.top()}
	return m.asked.gen
}

// answers reports whether an answer is to the last question, and the reader is
// still where it was asked.
func (m *model) answers(gen uint64) bool { return gen == m.asked.gen && m.isAt(m.asked.from) }

// isAt reports whether a layer has the keys, and no box over it.
func (m *model) isAt(l layer) bool { return m.top() == l && m.prompt == nil && m.pending == 0 }

// beginLook gives the context of a look at an address, or of a command, which
// ^c stops. A fetch that runs meanwhile goes on.
func (m *model) beginLook(gen uint64) context.Context {
	m.stopLook()
	ctx, stop := context.WithCancel(m.eff.ctx)
	m.looking = question{gen, m.top(), stop}
	return ctx
}

// endLook ends the look with this number; false when another one is under way,
// or none: its answer is not waited for.
func (m *model) endLook(gen uint64) bool {
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

// layOver puts a layer over the one that asked for it, in sight or not; false
// when that has been left.
func (m *model) layOver(from, l layer) bool {
	at := 0
	for at < len(m.stack) && m.stack[at] != from {
		at++
	}
	switch {
	case at < len(m.stack):
		at++
	case from == m.base():
		at = 0
	default:
		return false
	}
	m.stack = append(m.stack[:at:at], append([]layer{l}, m.stack[at:]...)...)
	return true
}
