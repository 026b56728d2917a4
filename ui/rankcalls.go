package ui

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/stack"
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
func (m *model) CountSights() { m.sights.CountSights() }

// follow notes which rows stand on the screen from now on.
func (m *model) follow() tea.Cmd {
	var rows []*reader.Row
	if l := m.TopItems(); l != nil && !l.IsSearch() && l != m.Numbered[stack.Saved] && !m.tiny() {
		rows = l.InSight()
	}
	return m.sights.Follow(rows)
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
		kept, err := e.notes.Read(offeredName)
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
			e.notes.KeepNow(offeredName, []byte(strconv.Itoa(sum.Opened)+" "+lack))
		}
		return offerMsg{past, lack}
	}
}
