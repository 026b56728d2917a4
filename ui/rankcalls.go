package ui

import (
	"context"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// What the screen asks of the reader for Ranked: orders, why a row stands where
// it does, the evidence, and what was seen. As in effects.go each stands in a
// command and brings back a message.

// Ranking takes in how far a ranking is.
func (m *model) Ranking(done, of int) { m.eff.ranks.put(rankingMsg{done, of}) }

// rankingMsg says how many items a ranking has looked at, and of how many.
type rankingMsg struct{ done, of int }

// newest holds a ranking's latest progress.
type newest chan rankingMsg

func (c newest) put(msg rankingMsg) {
	for {
		select {
		case c <- msg:
			return
		default:
		}
		select {
		case <-c: // an older one
		default:
		}
	}
}

// rankings waits for the next progress of a ranking.
func (e *effects) rankings() tea.Cmd {
	if e.calm {
		return nil
	}
	return func() tea.Msg {
		select {
		case msg := <-e.ranks:
			return msg
		case <-e.ctx.Done():
			return nil
		}
	}
}

func (m *model) gotRanking(msg rankingMsg) tea.Cmd {
	// The last progress may arrive after the order itself.
	m.ranks = ""
	if m.awaitsOrder() {
		m.ranks = "ranking " + wording.Count(msg.done) + " of " + wording.Count(msg.of)
	}
	return m.eff.rankings()
}

// awaitsOrder reports whether some list waits for its order.
func (m *model) awaitsOrder() (waits bool) {
	for _, l := range m.All() {
		if l := stack.ItemsOf(l); l != nil && l.AwaitsOrder() {
			waits = true
		}
	}
	return waits
}

func (e *effects) evidence(gen uint64) tea.Cmd {
	return func() tea.Msg {
		sum, err := e.lib.Ranker.Evidence(e.ctx)
		if err != nil {
			return evidenceMsg{gen: gen, err: err}
		}
		text, err := e.lib.Ranker.EvidenceTable(e.ctx)
		return evidenceMsg{gen, sum, string(text), err}
	}
}

// CountSights counts how long the rows have stood on the screen.
func (m *model) CountSights() { m.sights.Count(m.Now, m.lastKey) }

// follow notes which rows stand on the screen from now on, and sees to it that
// they are counted in a second.
func (m *model) follow() tea.Cmd {
	var rows []*reader.Row
	if l := m.TopItems(); l != nil && !l.IsSearch() && l != m.Numbered[stack.Saved] && !m.tiny() {
		rows = l.InSight()
	}
	m.sights.Follow(m.Now, rows)
	if m.eff.calm {
		return nil
	}
	if d := m.sights.Next(); d > 0 {
		return m.eff.sightLater(d)
	}
	return nil
}

// gotSight counts, and has noted what was seen.
func (m *model) gotSight() tea.Cmd {
	again, seen := m.sights.Look(m.Now, m.lastKey)
	noted := m.eff.saw(m.Now, seen)
	if again > 0 {
		return view.Batch(m.eff.sightLater(again), noted)
	}
	return noted
}

// sightMsg: a second has passed since a key.
type sightMsg struct{}

// sightLater is the one look at what stands on the screen after a key.
func (e *effects) sightLater(d time.Duration) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return sightMsg{} })
}

// saw notes what was seen. Losing it is not worth a sentence over what is read.
func (e *effects) saw(at time.Time, sights []reader.Sight) tea.Cmd {
	if len(sights) == 0 {
		return nil
	}
	return func() tea.Msg {
		e.noteSights(at, sights)
		return nil
	}
}

func (e *effects) noteSights(at time.Time, sights []reader.Sight) {
	e.looking.Lock()
	defer e.looking.Unlock()
	_ = e.lib.Ranker.Shown(context.WithoutCancel(e.ctx), time.Now(), at, sights)
}

// offerAgain is how many more opens it takes to ask the log again.
const offerAgain = 10

// offer asks the reader's own log whether Ranked is worth being offered; once, and
// while it is not, again after some more opens.
func (e *effects) offer() tea.Cmd {
	if e.calm {
		return nil
	}
	return func() tea.Msg {
		kept, err := e.lib.Recall(e.ctx, offeredName)
		if err != nil || string(kept) == "yes" {
			return nil
		}
		count, lack, _ := strings.Cut(string(kept), " ")
		before, _ := strconv.Atoi(count) // none: 0
		sum, err := e.lib.Ranker.Evidence(e.ctx)
		if err != nil || sum.Opened < reader.OpensNeeded || before > 0 && sum.Opened < before+offerAgain {
			return offerMsg{lack: lack}
		}
		past, err := e.lib.Ranker.Hindsight(e.ctx, time.Now(), 0, 0)
		if err != nil {
			return nil
		}
		if lack = past.Missing(); lack != "" {
			e.keep(offeredName, []byte(strconv.Itoa(sum.Opened)+" "+lack))()
		}
		return offerMsg{past, lack}
	}
}
