package help

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/keymap"
	"diurna/ui/view"
)

// Keys are what keys do in the help.
func Keys() []view.Binding {
	return []view.Binding{
		view.Bind("enter l right", "run the chosen key", "", view.On((*View).runChosen)),
		view.Bind("/", "search the keys of every view", "find", view.Does(view.AskFind)),
		view.Bind("?", "then a key: all about it", "explain describe", view.On((*View).askKey)),
	}
}

// runChosen leaves the help and does what the chosen row says.
func (h *View) runChosen(host view.Host) tea.Cmd {
	if h.List.Cur < 0 || h.List.Cur >= len(h.entries) {
		host.Say("No key is chosen.")
		return nil
	}
	r := h.entries[h.List.Cur]
	if r.place != "" {
		host.Say("That key works in " + r.place + ": press it there.")
		return nil
	}
	if r.run == nil {
		host.Say("Enter runs built-in keys, not those of keys.toml: press it outside the help.")
		return nil
	}
	host.Pop()
	return r.run.Do(host)
}

// askKey waits for the key that is to be explained.
func (h *View) askKey(host view.Host) tea.Cmd {
	h.asking = true
	host.Say("Which key? Press it.")
	return nil
}

// Typed shows all there is to say about a key: ? ? and the key.
func (h *View) Typed(host view.Host, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if !h.asking {
		return nil, false
	}
	h.asking = false
	host.Say("")
	key := k.String()
	host.Push(view.NewSheet("Help: "+keymap.Label(key), h.own.Explain(key, h.of)))
	return nil, true
}
