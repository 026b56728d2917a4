package info

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// Places are what the view asks of the watched pages.
type Places interface {
	IgnoredBlocks(ctx context.Context, id reader.FeedID) ([]reader.Ignored, error)
	ReportBlock(ctx context.Context, id reader.FeedID, p *reader.Ignored) (reader.Done, error)
}

// placesMsg brings the places of a page whose changes are not reported.
type placesMsg struct {
	gen  uint64
	list []reader.Ignored
	err  error
}

// maxPlaces are shown; `watch PAGE --ignored` lists all.
const maxPlaces = 30

func (in *View) askPlaces(h view.Host) tea.Cmd {
	if f := h.Screen().Feeds[in.feed]; f == nil || !f.Watched {
		return nil
	}
	in.placesGen = h.Gen()
	gen := in.placesGen
	return func() tea.Msg {
		list, err := in.pages.IgnoredBlocks(h.Life(), in.feed)
		return placesMsg{gen, list, err}
	}
}

func (in *View) onPlaces(h view.Host, msg *placesMsg) {
	switch {
	case msg.gen != in.placesGen || in.placesGen == 0:
	case msg.err != nil:
		h.Say(view.Sentence(msg.err))
	default:
		in.places = msg.list
		label := in.entries[in.List.Cur].label
		in.build(h.Screen())
		in.choose(label)
	}
}

// placeRows are places whose changes are not reported, each taken back with Enter.
func (in *View) placeRows() (rows []infoRow) {
	for i := range in.places[:min(len(in.places), maxPlaces)] {
		p := &in.places[i]
		r := infoRow{label: fmt.Sprintf("%s %d", p.Quiet, p.No), value: p.Reason(), place: p, does: "Enter reports it from now on"}
		if p.Text != "" {
			r.value = "\"" + p.Text + "\", " + r.value
		}
		if p.TakenBack() {
			r.does = "Enter leaves it to what is learned"
		}
		rows = append(rows, r)
	}
	return rows
}

// takeBack has the changes of a place reported, or ends that.
func (in *View) takeBack(h view.Host, p *reader.Ignored) tea.Cmd {
	say := fmt.Sprintf("Changes of place %d are reported from now on. u undoes.", p.No)
	if p.TakenBack() {
		say = fmt.Sprintf("Place %d is left to what is learned again. u undoes.", p.No)
	}
	return h.Change(view.Change{Say: say, Do: func(ctx context.Context) (reader.Done, error) { return in.pages.ReportBlock(ctx, in.feed, p) }})
}
