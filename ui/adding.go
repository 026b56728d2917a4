package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// What keys and answers do in the add box.

// typed handles a key while the cursor is in the box.
func (b *addBox) Typed(h view.Host, k tea.KeyPressMsg) (tea.Cmd, bool) {
	m := of(h)
	if b.Context() != view.CtxAdd {
		return nil, false
	}
	m.Clear()
	return b.edit(m, k), true
}

func (b *addBox) edit(m *model, k tea.KeyPressMsg) tea.Cmd {
	switch key := k.String(); {
	case b.stage == addLooking || b.stage == addKeeping:
		if key == "ctrl+c" || key == "esc" {
			m.stopAdding(b)
		}
	case key == "enter":
		return m.addEnter(b)
	case key == "esc" || key == "ctrl+c":
		return m.leaveBox(b)
	case key == "down" && len(b.choices) > 0:
		b.stage = addChoices
		b.List = view.List{N: len(b.choices)}
	case b.Key(key):
		b.wrong, b.known, b.watches = "", 0, false
	case k.Text != "":
		b.Insert(k.Text)
		b.wrong, b.known, b.watches = "", 0, false
	}
	return nil
}

// addBox is the add box if it is on top, else nil.
func (m *model) addBox() *addBox {
	b, _ := m.Top().(*addBox)
	return b
}

// stopAdding ends a look at once. What is being kept ends with its answer, which
// tells how far it came.
func (m *model) stopAdding(b *addBox) {
	switch {
	case b.stage == addKeeping && b.gen == m.runGen && m.cancel != nil:
		m.cancel()
		m.Say("Stopping.")
		return
	case b.stage == addKeeping && m.stopLook():
		m.Say("Stopping.")
		return
	}
	m.stopLook()
	if len(b.found.Candidates) > 0 {
		b.stage = addFound // the chosen one is fetched on, to be shown
	} else {
		b.stage, b.gen = addTyping, m.Gen()
	}
	m.Say(sayStopped)
}

// leaveBox takes the cursor out of the box: to the choices where there is
// nothing else, else back to what was there before.
func (m *model) leaveBox(b *addBox) tea.Cmd {
	if !b.first {
		m.Pop()
		return nil
	}
	b.stage = addChoices
	b.List = view.List{N: len(b.choices)}
	return nil
}

// addEnter looks at the address, or takes the first thing found here when the
// box is empty.
func (m *model) addEnter(b *addBox) tea.Cmd {
	switch {
	case b.known != 0:
		return m.openFeed(b.known)
	case b.watches:
		return m.watch(b)
	}
	if strings.TrimSpace(b.String()) == "" {
		if len(b.choices) > 0 && b.choices[0].Path != demoPath {
			return m.takeChoice(b, 0)
		}
		return nil
	}
	b.stage, b.wrong, b.found = addLooking, "", reader.Found{}
	b.gen = m.Gen()
	return tea.Batch(m.eff.look(m.beginLook(b.gen), b.gen, strings.TrimSpace(b.String())), m.keepLine("add", strings.TrimSpace(b.String())))
}

// takeChoice imports a list found on this machine, or starts the demo.
func (m *model) takeChoice(b *addBox, i int) tea.Cmd {
	if i >= len(b.choices) {
		return nil
	}
	if b.choices[i].Path == demoPath {
		m.demo = true
		return m.leave()
	}
	return m.importInto(b, b.choices[i].Path)
}

// importInto takes over a list while the box says so.
func (m *model) importInto(b *addBox, path string) tea.Cmd {
	b.stage = addTyping
	cmd := m.importFile(path)
	if cmd != nil {
		b.stage, b.gen = addKeeping, m.runGen
	}
	return cmd
}

// got takes the steps of adding onwards.
func (b *addBox) Got(h view.Host, msg tea.Msg) tea.Cmd {
	m := of(h)
	if b.gen == 0 {
		return nil
	}
	switch msg := msg.(type) {
	case foundMsg:
		if msg.gen == b.gen {
			return b.gotFound(m, msg)
		}
	case filledMsg:
		if msg.gen == b.gen {
			return b.gotFilled(m, msg)
		}
	case subscribedMsg:
		if msg.gen == b.gen {
			return b.gotSubscribed(m, msg)
		}
	case watchedMsg:
		if msg.gen == b.gen {
			return b.gotWatched(m, msg)
		}
	case progressMsg:
		if msg.gen == b.gen && m.Top() == b {
			return m.goView(viewRiver) // the feeds are on the shelf: show River filling
		}
	}
	return nil
}

// gotFound shows what an address brings.
func (b *addBox) gotFound(m *model, msg foundMsg) tea.Cmd {
	m.endLook(msg.gen)
	b.stage = addTyping
	switch {
	case msg.err != nil:
		b.wrong, b.known = m.addError(msg.err)
		if b.watches = errors.Is(msg.err, reader.ErrNoFeed); b.watches {
			b.wrong += " Enter watches the page itself for changes."
		}
		return nil
	case msg.found.List != "":
		return m.importInto(b, msg.found.List)
	case len(msg.found.Candidates) == 0:
		b.wrong = "No feed at " + b.Link() + "."
		return nil
	}
	b.stage, b.found = addFound, msg.found
	b.opts = reader.SubscribeOptions{}
	b.List = view.List{N: len(msg.found.Candidates)}
	b.filling = make(map[int]uint64)
	return m.fillChosen(b)
}

// fillChosen fetches the chosen candidate if it was only named so far, and is not
// being fetched already.
func (m *model) fillChosen(b *addBox) tea.Cmd {
	c := b.chosen()
	if c == nil || c.Fetched || c.Err != nil || c.Known != 0 || b.filling[b.List.Cur] == b.gen {
		return nil
	}
	b.filling[b.List.Cur] = b.gen
	return m.eff.fill(b.gen, b.List.Cur, *c)
}

func (b *addBox) gotFilled(m *model, msg filledMsg) tea.Cmd {
	if msg.at >= len(b.found.Candidates) {
		return nil
	}
	c := msg.c
	if msg.err != nil {
		c = b.found.Candidates[msg.at]
		c.Err = msg.err
	}
	b.found.Candidates[msg.at] = c
	if b.stage == addLooking && msg.at == b.List.Cur { // Enter came before the answer
		b.stage = addFound
		if c.Err == nil {
			return b.subscribe(m)
		}
	}
	return nil
}

// subscribe keeps the chosen candidate.
func (b *addBox) subscribe(m *model) tea.Cmd {
	c := b.chosen()
	switch {
	case c == nil:
		return nil
	case c.Known != 0:
		return m.openFeed(c.Known)
	case c.Err != nil:
		m.Say(view.Sentence(c.Err))
		return nil
	case !c.Fetched:
		b.stage = addLooking // the answer goes on subscribing
		return m.fillChosen(b)
	}
	b.stage = addKeeping
	b.gen = m.Gen()
	return m.eff.subscribe(m.beginLook(b.gen), b.gen, *c, b.opts)
}

func (b *addBox) gotSubscribed(m *model, msg subscribedMsg) tea.Cmd {
	m.endLook(msg.gen)
	if msg.err != nil && msg.got.Step == 0 {
		b.stage = addFound
		m.Say(view.Sentence(msg.err))
		if errors.Is(msg.err, context.Canceled) {
			m.Say(sayStopped)
		}
		return nil
	}
	m.stack = m.stack[:0]
	cmd := m.enter(viewRiver)
	if msg.err != nil {
		m.Say(view.Sentence(msg.err))
		return cmd
	}
	m.Say(fmt.Sprintf("Subscribed to %s: %s, %s of them unread. u undoes. a adds another.",
		msg.got.Feed.Title, wording.Plural(msg.got.Items, "item"), wording.Count(msg.got.Unread)))
	return cmd
}

// importing is the add box that waits for an import, nil for none.
func (m *model) importing(gen uint64) *addBox {
	for _, l := range m.stack {
		if b, ok := l.(*addBox); ok && gen != 0 && b.gen == gen {
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
			b.stage = addTyping
		}
		m.Say(sayStopped)
		return nil
	case msg.err != nil && boxed && r.Step == 0:
		b.stage, b.wrong = addTyping, view.Sentence(msg.err)
		return nil
	}
	cmd := m.showImported(boxed)
	if msg.err != nil && !stopped {
		m.Say(view.Sentence(msg.err))
		return cmd
	}
	say := fmt.Sprintf("Imported %s", wording.Plural(len(r.Added), "feed"))
	if r.Known > 0 {
		say += fmt.Sprintf(", %s known already", wording.Count(r.Known))
	}
	if len(r.Refused) > 0 {
		say += fmt.Sprintf(", %s not taken", wording.Count(len(r.Refused)))
	}
	if stopped {
		say += ", not all of them fetched"
	}
	m.Say(say + ". u undoes.")
	return cmd
}

// showImported shows River where the add box waited for it; who is elsewhere by
// then stays there.
func (m *model) showImported(boxed bool) tea.Cmd {
	if boxed {
		m.stack = m.stack[:0]
	}
	if boxed || m.view == viewRiver && len(m.stack) == 0 && !m.river.moved {
		return m.enter(viewRiver)
	}
	return m.loadShown()
}
