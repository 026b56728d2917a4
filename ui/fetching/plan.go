package fetching

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

// Begin starts fetching by the plan once there is something to fetch: leaving without
// a library must not create one.
func (f *Fetching) Begin(h view.Host) tea.Cmd {
	if f.begun || len(h.Screen().Order) == 0 || f.Idle {
		return nil
	}
	f.begun = true
	return func() tea.Msg {
		f.Plan.Start()
		return nil
	}
}

// Paused says that the plan was stopped; Begin goes on with it.
func (f *Fetching) Paused() { f.begun = false }

// Next waits for the next message of the fetcher.
func (f *Fetching) Next() tea.Cmd {
	if f.Calm {
		return nil
	}
	return f.Plan.Next()
}

// fewFetches is how many feeds a round may have without being counted in row 1.
const fewFetches = 3

// Round shows how far a round is, and what keeps its results from being saved.
func (f *Fetching) Round(h view.Host, msg rounds.Msg) tea.Cmd {
	f.round = ""
	if msg.Total > fewFetches && msg.Done < msg.Total {
		f.round = fmt.Sprintf("fetch %d/%d", msg.Done, msg.Total)
	}
	switch {
	case msg.Err != nil:
		f.on.Last.Put(lastrow.Notice, notFetched(msg.Err))
	case msg.Gone != "":
		f.Offline = false
		f.on.Last.Put(lastrow.Notice, msg.Gone)
	case msg.Lost == 0:
		f.Offline = false
	case msg.Total == 0 && !f.Offline && msg.Lost >= min(fewFetches, len(h.Screen().Order)):
		f.Offline = true // said once, until somebody answers
		f.on.Last.Put(lastrow.Notice, rounds.SayOffline(msg, h.Screen().Now))
	}
	return view.Batch(f.Next(), f.Ring(h, msg.Notified, "%d items that rules notify of: %s"))
}

// Ring rings for texts, as configured; many says how many there are.
func (f *Fetching) Ring(h view.Host, texts []string, many string) tea.Cmd {
	n := term.Notice{Bell: h.Screen().Cfg.Bell, Toast: h.Screen().Cfg.Toast}
	if ring := n.Ring(texts, many); ring != "" && !f.Calm {
		return tea.Raw(ring)
	}
	return nil
}

// notFetched is the sentence for a round whose results could not be saved.
func notFetched(err error) string {
	if errors.Is(err, reader.ErrFull) {
		return "The disk is full. What was fetched could not be kept. Reading goes on, fetching waits; free some space."
	}
	return view.Sentence(err)
}
