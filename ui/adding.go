package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
)

// What keys and answers do in the add box.

// typed handles a key while the cursor is in the box.
func (m *model) typed(b *addBox, k tea.KeyPressMsg) tea.Cmd {
	switch key := k.String(); {
	case b.stage == addLooking || b.stage == addKeeping:
		if key == "ctrl+c" || key == "esc" {
			if b.stage == addKeeping && m.runCh != nil {
				m.halt()
			}
			m.endLook()
			b.stage, b.gen = addTyping, m.nextGen()
			m.say("Stopped. Nothing was changed.")
		}
	case key == "enter":
		return m.addEnter(b)
	case key == "esc" || key == "ctrl+c":
		return m.leaveBox(b)
	case key == "down" && len(b.choices) > 0:
		b.stage = addChoices
		b.list = vlist{n: len(b.choices)}
	case b.key(key):
		b.wrong, b.known, b.page = "", 0, false
	case k.Text != "":
		b.insert(k.Text)
		b.wrong, b.known, b.page = "", 0, false
	}
	return nil
}

// leaveBox takes the cursor out of the box: to the choices where there is
// nothing else, else back to what was there before.
func (m *model) leaveBox(b *addBox) tea.Cmd {
	if !b.first {
		m.pop()
		return nil
	}
	b.stage = addChoices
	b.list = vlist{n: len(b.choices)}
	return nil
}

// addEnter looks at the address, or takes the first thing found here when the
// box is empty.
func (m *model) addEnter(b *addBox) tea.Cmd {
	switch {
	case b.known != 0:
		return m.openFeed(b.known)
	case b.page:
		return m.watch(b)
	}
	if strings.TrimSpace(b.String()) == "" {
		if len(b.choices) > 0 && b.choices[0].Path != demoPath {
			return m.takeChoice(b, 0)
		}
		return nil
	}
	b.stage, b.wrong = addLooking, ""
	b.gen = m.nextGen()
	return tea.Batch(m.eff.look(m.beginLook(), b.gen, strings.TrimSpace(b.String())), m.keepLine("add", strings.TrimSpace(b.String())))
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
	if m.runCh == nil {
		b.stage = addKeeping
	}
	return m.importFile(path)
}

// gotAnswer takes the steps of adding onwards.
func (m *model) gotAnswer(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case foundMsg:
		return m.gotFound(msg)
	case filledMsg:
		return m.gotFilled(msg)
	case subscribedMsg:
		return m.gotSubscribed(msg)
	case watchedMsg:
		return m.gotWatched(msg)
	}
	return nil
}

// gotFound shows what an address brings.
func (m *model) gotFound(msg foundMsg) tea.Cmd {
	b, _ := m.top().(*addBox)
	if b == nil || b.gen != msg.gen {
		return nil
	}
	m.endLook()
	b.stage = addTyping
	switch {
	case msg.err != nil:
		b.wrong, b.known = m.addError(msg.err)
		if b.page = errors.Is(msg.err, reader.ErrNoFeed); b.page {
			b.wrong += " Enter watches the page itself for changes."
		}
		return nil
	case msg.found.List != "":
		return m.importInto(b, msg.found.List)
	case len(msg.found.Candidates) == 0:
		b.wrong = "No feed at " + b.address() + "."
		return nil
	}
	b.stage, b.found = addFound, msg.found
	b.opts = reader.SubscribeOptions{}
	b.list = vlist{n: len(msg.found.Candidates)}
	return m.fillChosen(b)
}

// fillChosen fetches the chosen candidate if it was only named so far.
func (m *model) fillChosen(b *addBox) tea.Cmd {
	c := b.chosen()
	if c == nil || c.Fetched || c.Err != nil || c.Known != 0 {
		return nil
	}
	return m.eff.fill(m.eff.ctx, b.gen, b.list.cur, *c)
}

func (m *model) gotFilled(msg filledMsg) tea.Cmd {
	b, _ := m.top().(*addBox)
	if b == nil || b.gen != msg.gen || msg.at >= len(b.found.Candidates) {
		return nil
	}
	m.endLook()
	c := msg.c
	if msg.err != nil {
		c = b.found.Candidates[msg.at]
		c.Err = msg.err
	}
	b.found.Candidates[msg.at] = c
	if b.stage == addKeeping && msg.at == b.list.cur { // Enter came before the answer
		b.stage = addFound
		if c.Err == nil {
			return m.subscribe(b)
		}
	}
	return nil
}

// subscribe keeps the chosen candidate.
func (m *model) subscribe(b *addBox) tea.Cmd {
	c := b.chosen()
	switch {
	case c == nil:
		return nil
	case c.Known != 0:
		return m.openFeed(c.Known)
	case c.Err != nil:
		m.say(sentence(c.Err))
		return nil
	case !c.Fetched:
		b.stage = addKeeping
		return m.fillChosenNow(b)
	}
	b.stage = addKeeping
	b.gen = m.nextGen()
	return m.eff.subscribe(b.gen, *c, b.opts)
}

// fillChosenNow fetches the chosen candidate; the answer goes on subscribing.
func (m *model) fillChosenNow(b *addBox) tea.Cmd {
	return m.eff.fill(m.beginLook(), b.gen, b.list.cur, b.found.Candidates[b.list.cur])
}

func (m *model) gotSubscribed(msg subscribedMsg) tea.Cmd {
	b, _ := m.top().(*addBox)
	if b == nil || b.gen != msg.gen {
		return nil
	}
	m.endLook()
	if msg.err != nil {
		b.stage = addFound
		m.say(sentence(msg.err))
		return nil
	}
	m.stack = m.stack[:0]
	cmd := m.enter(viewRiver)
	m.say(fmt.Sprintf("Subscribed to %s: %s, %s of them unread. u undoes. a adds another.",
		msg.got.Feed.Title, wording.Plural(msg.got.Items, "item"), wording.Count(msg.got.Unread)))
	return cmd
}

func (m *model) gotImported(msg importedMsg) tea.Cmd {
	if msg.gen != m.runGen {
		return nil
	}
	m.halt()
	b, _ := m.top().(*addBox)
	if msg.err != nil {
		if b != nil {
			b.stage, b.wrong = addTyping, sentence(msg.err)
			return nil
		}
		m.say(sentence(msg.err))
		return nil
	}
	if b != nil {
		m.stack = m.stack[:0]
	}
	r := &msg.report
	say := fmt.Sprintf("Imported %s", wording.Plural(len(r.Added), "feed"))
	if r.Known > 0 {
		say += fmt.Sprintf(", %s known already", wording.Count(r.Known))
	}
	if len(r.Refused) > 0 {
		say += fmt.Sprintf(", %s not taken", wording.Count(len(r.Refused)))
	}
	cmd := m.enter(viewRiver)
	m.say(say + ". u undoes.")
	return cmd
}
