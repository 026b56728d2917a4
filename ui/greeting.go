package ui

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/lastrow"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// What the last row says unasked: the fetch before this look, and hints.

// openingMsg: the plan fetched before the usual look that begins now.
type openingMsg struct{ opening reader.Opening }

// opening asks for the fetch to tell of as the screen opens.
func (e *effects) opening() tea.Cmd {
	return func() tea.Msg {
		o, err := e.lib.Opening(e.ctx)
		if err != nil || o.Fetched.IsZero() {
			return nil // not worth a sentence over what is read
		}
		return openingMsg{o}
	}
}

// say tells of it in a zone.
func (msg *openingMsg) say(zone *time.Location) string {
	return fmt.Sprintf("fetched %s, before your usual look", msg.opening.Fetched.In(zone).Format("15:04"))
}

// hintsName is under what the names of the hints are kept that were read.
const hintsName = "hints"

// hintsMsg says which hints were read. With old the library was used before there
// were hints: read are those of views that it is known to have shown.
type hintsMsg struct {
	read []string
	old  bool
}

// hints asks which hints were read.
func (e *effects) hints() tea.Cmd {
	if e.calm {
		return nil
	}
	return func() tea.Msg {
		kept, err := e.notes.Read(hintsName)
		if err != nil {
			return nil // none is shown
		}
		if kept != nil {
			return hintsMsg{read: strings.Split(string(kept), "\n")}
		}
		var p view.Place
		value, err := e.notes.Read(placeName)
		if err != nil || value != nil && json.Unmarshal(value, &p) != nil {
			return nil
		}
		if p.Starts == 0 {
			return hintsMsg{}
		}
		return hintsMsg{e.usedBefore(&p), true}
	}
}

// usedBefore are the views that somebody used in a library whose last sitting ended
// at a place: River and articles are what one sits in front of.
func (e *effects) usedBefore(p *view.Place) []string {
	used := []string{lastrow.River.Name(), lastrow.Items.Name(), lastrow.Article.Name()}
	for _, v := range stack.Views {
		if uint8(v.No) == p.View {
			used = append(used, v.Place.Name())
		}
	}
	if len(p.Folded) > 0 {
		used = append(used, lastrow.Feeds.Name())
	}
	if order, err := e.notes.Read(orderName); err == nil && order != nil {
		used = append(used, lastrow.Ranked.Name())
	}
	return used
}

// gotHints lets hints be shown. What is saved or watched in a library from before
// them was used too.
func (m *model) gotHints(msg hintsMsg) tea.Cmd {
	if !msg.old {
		m.last.Know(msg.read)
		return nil
	}
	for i := range m.Order {
		if m.Order[i].Saved > 0 {
			msg.read = append(msg.read, lastrow.Saved.Name())
		}
		if m.Order[i].Watched {
			msg.read = append(msg.read, lastrow.Pages.Name(), lastrow.Diff.Name())
		}
	}
	m.last.Know(msg.read)
	return m.notes.Keep(hintsName, []byte(strings.Join(m.last.Read(), "\n")))
}

// readRow notes what a key takes away of what stood in the last row for good.
func (m *model) readRow() tea.Cmd {
	if m.tiny() {
		return nil
	}
	switch gone, of := m.last.Key(m.Now); gone {
	case lastrow.Hint:
		m.noted = append(m.noted, m.notes.Add(hintsName, of.Name()))
	case lastrow.Offer:
		m.noted = append(m.noted, m.notes.Keep(offeredName, []byte("yes")))
	default:
		return nil
	}
	return m.noted[len(m.noted)-1]
}
