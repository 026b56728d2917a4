package article

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/view"
)

// Keys about links that are typed before the text is there wait for it, in their
// order: without it 3 o would open the item instead of its third link. Reading the
// text ends in any case, with an error at the latest.

// maxEarly bounds the keys that wait.
const maxEarly = 32

// earlyKey is a key that waits for the text.
type earlyKey struct {
	key   string
	press uint64 // which key press it was
	do    func(*View, view.Host) tea.Cmd
}

// early is a binding of what a key does once the text is there.
//
//go:noinline // tables of keys call it
func early(do func(*View, view.Host) tea.Cmd) func(view.Host) tea.Cmd {
	return view.On(func(a *View, h view.Host) tea.Cmd {
		if a.ready {
			return do(a, h)
		}
		if key, press := h.Pressed(); len(a.early) < maxEarly {
			a.early = append(a.early, earlyKey{key, press, do})
		}
		return nil
	})
}

// earlyAct is early for what a key does in several views.
func earlyAct(act view.Action) func(view.Host) tea.Cmd {
	return early(func(_ *View, h view.Host) tea.Cmd { return h.Do(act) })
}

// catchUp does what was typed before the text came, unless the reader has opened
// something else meanwhile.
func (a *View) catchUp(h view.Host) tea.Cmd {
	waiting := a.early
	a.early = nil
	if len(waiting) == 0 {
		return nil
	}
	s := h.Screen()
	if a.high == 0 {
		a.high = max(1, s.H-2)
	}
	_, width := textCells(s, s.W)
	a.layout(s, width) // links have numbers once they are laid out
	var cmds []tea.Cmd
	for i := range waiting {
		if !h.IsTop(a) {
			h.Say("The text has arrived; keys typed for its links were dropped.")
			break
		}
		a.now = &waiting[i]
		cmds = append(cmds, waiting[i].do(a, h))
	}
	a.now = nil
	return view.Batch(cmds...)
}

// pressed is the key that is done: the one that waited, or the one that is pressed.
func (a *View) pressed(h view.Host) (key string, press uint64) {
	if a.now != nil {
		return a.now.key, a.now.press
	}
	return h.Pressed()
}
