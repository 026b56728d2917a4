// Package greeting is what the last row says unasked: the fetch before the look that
// begins, hints of what can be done in a view, and which of them were read.
package greeting

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/lastrow"
	"diurna/ui/notes"
	"diurna/ui/ranked"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// Library is what is asked of *reader.Reader.
type Library interface {
	Opening(ctx context.Context) (reader.Opening, error)
}

// PlaceName is under what the place of the last session is kept, HintsName the names
// of the hints that were read.
const (
	PlaceName = "place"
	HintsName = "hints"
)

// Greeting greets one reader.
type Greeting struct {
	Calm  bool      // the linear form: it has no hints
	Noted []tea.Cmd // what was read in the row, to be kept

	ctx   context.Context
	lib   Library
	notes *notes.Notes
	row   *lastrow.Row
}

// New greets in the last row.
func New(ctx context.Context, lib Library, n *notes.Notes, row *lastrow.Row) *Greeting {
	return &Greeting{ctx: ctx, lib: lib, notes: n, row: row}
}

// OpeningMsg: the plan fetched before the usual look that begins now.
type OpeningMsg struct{ Opening reader.Opening }

// Opening asks for the fetch to tell of as the screen opens.
func (g *Greeting) Opening() tea.Cmd {
	return func() tea.Msg {
		o, err := g.lib.Opening(g.ctx)
		if err != nil || o.Fetched.IsZero() {
			return nil // not worth a sentence over what is read
		}
		return OpeningMsg{o}
	}
}

// Greet says it in the zone of the screen.
func (g *Greeting) Greet(s *view.Scene, msg OpeningMsg) {
	g.row.Put(lastrow.Freshness, fmt.Sprintf("fetched %s, before your usual look", msg.Opening.Fetched.In(s.Zone).Format("15:04")))
}

// hintsMsg says which hints were read. With old the library was used before there
// were hints: read are those of views that it is known to have shown.
type hintsMsg struct {
	read []string
	old  bool
}

// Hints asks which hints were read.
func (g *Greeting) Hints() tea.Cmd {
	if g.Calm {
		return nil
	}
	return func() tea.Msg {
		kept, err := g.notes.Read(HintsName)
		if err != nil {
			return nil // none is shown
		}
		if kept != nil {
			return hintsMsg{read: strings.Split(string(kept), "\n")}
		}
		var p view.Place
		value, err := g.notes.Read(PlaceName)
		if err != nil || value != nil && json.Unmarshal(value, &p) != nil {
			return nil
		}
		if p.Starts == 0 {
			return hintsMsg{}
		}
		return hintsMsg{g.usedBefore(&p), true}
	}
}

// usedBefore are the views that somebody used in a library whose last session ended
// at a place: River and articles are what one sits in front of.
func (g *Greeting) usedBefore(p *view.Place) []string {
	used := []string{lastrow.River.Name(), lastrow.Items.Name(), lastrow.Article.Name()}
	for _, v := range stack.Views {
		if uint8(v.No) == p.View {
			used = append(used, v.Place.Name())
		}
	}
	if len(p.Folded) > 0 {
		used = append(used, lastrow.Feeds.Name())
	}
	if order, err := g.notes.Read(ranked.OrderName); err == nil && order != nil {
		used = append(used, lastrow.Ranked.Name())
	}
	return used
}

// OnMsg lets hints be shown. What is saved or watched in a library from before
// them was used too.
func (g *Greeting) OnMsg(h view.Host, m tea.Msg) tea.Cmd {
	msg, ok := m.(hintsMsg)
	if !ok {
		return nil
	}
	if !msg.old {
		g.row.Know(msg.read)
		return nil
	}
	for _, f := range h.Screen().Order {
		if f.Saved > 0 {
			msg.read = append(msg.read, lastrow.Saved.Name())
		}
		if f.Watched {
			msg.read = append(msg.read, lastrow.Pages.Name(), lastrow.Diff.Name())
		}
	}
	g.row.Know(msg.read)
	return g.notes.Keep(HintsName, []byte(strings.Join(g.row.Read(), "\n")))
}

// Key notes what a key takes away of what stood in the last row for good.
func (g *Greeting) Key(s *view.Scene) tea.Cmd {
	if s.Tiny() {
		return nil
	}
	switch gone, of := g.row.Key(s.Now); gone {
	case lastrow.Hint:
		g.Noted = append(g.Noted, g.notes.Add(HintsName, of.Name()))
	case lastrow.Offer:
		g.Noted = append(g.Noted, g.notes.Keep(ranked.OfferedName, []byte("yes")))
	default:
		return nil
	}
	return g.Noted[len(g.Noted)-1]
}
