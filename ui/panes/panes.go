// Package panes puts views side by side where the screen is wide: an article beside
// the list it was opened from, the feeds at the left of both, and a preview of what
// is chosen. Call Follow after each message and Lines to draw.
package panes

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/article"
	"diurna/ui/view"
)

// Three is from how many cells on feeds, list and text stand side by side.
const Three = 160

// The cells of the parts. A text of the usual width has its margins; where there
// is less room, the text gives way before the list does.
const (
	bar       = 2 // between two panes: a bar and a blank
	leastList = 50
	namedList = view.Wide // with the names of feeds
	unnamed   = 38        // without the names, with as much of the titles as tells them apart
	maxName   = 28
	leastText = 66
	slimText  = 50 // where that lets the names of feeds be whole
	maxFeeds  = 40 // as many as a name of 28 with its count takes
	margins   = 8
	treeCells = 93 // Feeds and other views with columns, beside what is in the chosen row
)

// Library is what a preview is read from.
type Library interface {
	Article(ctx context.Context, id reader.ItemID) (reader.Article, error)
}

// Feeds is the tree that stands at the left.
type Feeds interface {
	// Beside draws it in as many cells as it needs, at most so many, and gives how
	// many these are; one is the feed that is shown, 0 for several.
	Beside(s *view.Scene, one reader.FeedID, most, h int) (lines []string, w int)
}

// Panes is what stands beside the view that has the keys.
type Panes struct {
	lib   Library
	feeds Feeds
	wait  time.Duration // how long a row is chosen before it is previewed

	shown  view.View // the preview on the screen; an article that was opened stays as one
	of     row       // whose it is
	want   row       // what is chosen
	next   view.View // the preview that is being read, of row nextOf
	nextOf row

	drawn []part // from the left
}

// part is a view on the screen and the column it begins in; nil: no click means it.
type part struct {
	v view.View
	x int
}

// row is what a preview is of: an item of a list, or a row with something in it.
type row struct {
	from view.View
	item reader.ItemID
	name string
}

// restMsg says that a row was chosen a while ago.
type restMsg struct{ of row }

// New gives the panes of a screen; wait is how long a row has to be chosen until it
// is previewed in place of another one, so that nothing is drawn twice while a key
// is held.
func New(lib Library, feeds Feeds, wait time.Duration) *Panes {
	return &Panes{lib: lib, feeds: feeds, wait: wait}
}

// With adds the preview to the views that get ChangedMsg.
func (p *Panes) With(layers []view.View) []view.View {
	for _, v := range []view.View{p.shown, p.next} {
		if v != nil && !slices.Contains(layers, v) {
			layers = append(layers, v)
		}
	}
	return layers
}

// Article is the text of an item as far as it is on the screen, nil for another one:
// what is opened needs not be drawn again.
func (p *Panes) Article(id reader.ItemID) *article.View {
	a, _ := p.shown.(*article.View)
	if a == nil || p.of.item != id {
		return nil
	}
	return a
}

// Follow sees what is chosen now and asks for its preview. Nothing is marked read.
func (p *Panes) Follow(h view.Host) tea.Cmd {
	if h.Screen().W < Three {
		return nil
	}
	top := h.Top()
	if a, ok := top.(*article.View); ok && a.Row().ID != 0 {
		p.shown, p.of, p.next = a, row{from: a.Origin(), item: a.Row().ID}, nil
		p.want = p.of
		return nil
	}
	now := row{from: top}
	if peeker, ok := top.(view.Peeker); ok {
		now.name, _ = peeker.Peek()
	} else if top.Origin() != top {
		return nil // no list of items
	} else if r := top.Row(); r != nil {
		now.item = r.ID
	}
	if p.next != nil && p.nextOf == now && whole(p.next) {
		p.shown, p.of, p.next = p.next, p.nextOf, nil
	}
	if p.want == now {
		return nil
	}
	p.want = now
	if p.of == now {
		return nil
	}
	if p.shown == nil || p.of.from != now.from {
		return p.load(h)
	}
	return tea.Tick(p.wait, func(time.Time) tea.Msg { return restMsg{now} })
}

// whole reports whether a view has what it asked for.
func whole(v view.View) bool {
	w, ok := v.(interface{ Whole() bool })
	return !ok || w.Whole()
}

// OnMsg begins to read what was chosen long enough.
func (p *Panes) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	if rest, ok := msg.(restMsg); ok && rest.of == p.want && rest.of != p.of && rest.of != p.nextOf {
		return p.load(h)
	}
	return nil
}

// load reads the preview of what is chosen.
func (p *Panes) load(h view.Host) (cmd tea.Cmd) {
	p.next, p.nextOf = nil, p.want
	from := p.want.from
	r := from.Row()
	switch peeker, ok := from.(view.Peeker); {
	case ok:
		if name, show := peeker.Peek(); name != "" {
			p.next, cmd = show(h)
		}
	case r != nil:
		id := r.ID
		p.next, cmd = article.New(h, article.Of{Row: *r, From: from,
			Load: func(ctx context.Context) (reader.Article, error) { return p.lib.Article(ctx, id) }})
	}
	if p.next == nil {
		p.shown, p.of = nil, row{}
	}
	return cmd
}

// split says how many cells a list and a text get of those beside the feeds.
func split(s *view.Scene, rest int) (list, text int) {
	measure := view.DefaultWidth
	if s.Cfg.Width > 0 {
		measure = s.Cfg.Width
	}
	named := min(max(namedList, unnamed+min(s.Longest, maxName)), rest-bar-slimText)
	list = max(leastList, named, rest-bar-measure-margins)
	return list, rest - bar - list
}

// Lines draws the topmost view, and beside it what there is room for.
func (p *Panes) Lines(s *view.Scene, top view.View, w, h int) []string {
	p.drawn = append(p.drawn[:0], part{top, 0})
	if _, ok := top.(view.Peeker); ok && w >= Three {
		p.drawn = append(p.drawn, part{nil, treeCells + bar})
		return join(s, top.Lines(s, treeCells, h), p.preview(s, top, w-treeCells-bar, h))
	}
	aside, ok := top.(view.Aside)
	if !ok || w < view.Beside {
		return top.Lines(s, w, h)
	}
	from, wide := aside.Beside()
	list := top.Origin() == top
	switch {
	case from != nil && top.Origin() == nil && w >= Three:
		p.drawn = append(p.drawn[:0], part{from, 0}, part{top, treeCells + bar})
		return join(s, from.Lines(s, treeCells, h), top.Lines(s, w-treeCells-bar, h))
	case !list && from == nil, w < Three && (list || wide):
		return top.Lines(s, w, h)
	case w < Three:
		p.drawn = append(p.drawn[:0], part{from, 0}, part{top, leastList + bar})
		return join(s, from.Lines(s, leastList, h), top.Lines(s, w-leastList-bar, h))
	}
	one := reader.FeedID(0)
	if l, ok := top.Origin().(interface{ Feed() reader.FeedID }); ok {
		one = l.Feed()
	}
	left, n := p.feeds.Beside(s, one, min(maxFeeds, w-2*bar-leastList-leastText), h)
	w -= n + bar
	middle, text := split(s, w)
	tree, _ := p.feeds.(view.View) // what a click there chooses in
	p.drawn = append(p.drawn[:0], part{tree, 0}, part{top, n + bar})
	switch {
	case !list:
		p.drawn[1].v = from
		p.drawn = append(p.drawn, part{top, n + bar + middle + bar})
		return join(s, left, from.Lines(s, middle, h), top.Lines(s, text, h))
	case wide:
		return join(s, left, top.Lines(s, w, h))
	}
	p.drawn = append(p.drawn, part{nil, n + bar + middle + bar})
	return join(s, left, top.Lines(s, middle, h), p.preview(s, top, text, h))
}

// At is the view at a column of what was drawn last, and the column of it; nil
// where no click means anything.
func (p *Panes) At(x int) (view.View, int) {
	for _, d := range slices.Backward(p.drawn) {
		if x >= d.x {
			return d.v, x - d.x
		}
	}
	return nil, 0
}

// preview draws what is known of the chosen row of a view. No row of it is
// chosen: the keys are elsewhere.
func (p *Panes) preview(s *view.Scene, of view.View, w, h int) []string {
	if p.shown != nil && p.of.from == of {
		still := *s
		still.Still = true
		return p.shown.Lines(&still, w, h)
	}
	var say []string
	if of.Origin() == of && of.Row() == nil {
		for _, l := range append([]string{""}, s.Wrap("The chosen item is shown here. It counts as read only once Enter opens it.", 4, w)...) {
			say = append(say, s.Th.In(s.Th.Quiet, s.Th.Fit(l, w)))
		}
	}
	return s.Fill(say, w, h)
}

// join puts parts of a screen side by side.
func join(s *view.Scene, parts ...[]string) []string {
	between := s.Th.In(s.Th.Dim, s.Th.Bar) + " "
	lines := make([]string, len(parts[0]))
	var b strings.Builder
	for i := range lines {
		b.Reset()
		for k, part := range parts {
			if k > 0 {
				b.WriteString(between)
			}
			b.WriteString(part[i])
		}
		lines[i] = b.String()
	}
	return lines
}
