package ui

import (
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/lastrow"
	"diurna/ui/rounds"
	"diurna/ui/term"
	"diurna/ui/view"
)

// begin starts fetching once there is something to fetch: leaving an empty
// library must not have made one.
func (m *model) begin() tea.Cmd {
	if m.working || len(m.Order) == 0 || m.opts.Idle {
		return nil
	}
	m.working = true
	return func() tea.Msg {
		m.eff.duty.Start()
		return nil
	}
}

// fewFetches is how many feeds a round may have without being counted in row 1.
const fewFetches = 3

// gotRound shows how far a round is and what keeps it from being kept.
func (m *model) gotRound(msg rounds.Msg) tea.Cmd {
	m.round = ""
	if msg.Total > fewFetches && msg.Done < msg.Total {
		m.round = fmt.Sprintf("fetch %d/%d", msg.Done, msg.Total)
	}
	switch {
	case msg.Err != nil:
		m.last.Put(lastrow.Notice, notFetched(msg.Err))
	case msg.Gone != "":
		m.offline = false
		m.last.Put(lastrow.Notice, msg.Gone)
	case msg.Lost == 0:
		m.offline = false
	case msg.Total == 0 && !m.offline && msg.Lost >= min(fewFetches, len(m.Order)):
		m.offline = true // said once, until somebody answers
		m.last.Put(lastrow.Notice, rounds.SayOffline(msg, m.Now))
	}
	return view.Batch(m.eff.rounds(), m.ring(msg.Rung, "%d items that rules notify of: %s"))
}

// ring rings for texts, as configured; many says how many there are.
func (m *model) ring(texts []string, many string) tea.Cmd {
	n := term.Notice{Bell: m.Cfg.Bell, Toast: m.Cfg.Toast}
	if ring := n.Ring(texts, many); ring != "" && !m.eff.calm {
		return tea.Raw(ring)
	}
	return nil
}

// notFetched is the sentence for a round that could not be kept.
func notFetched(err error) string {
	if errors.Is(err, reader.ErrFull) {
		return "The disk is full. What was fetched could not be kept. Reading goes on, fetching waits; free some space."
	}
	return view.Sentence(err)
}
