package list

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/stories"
	"diurna/ui/view"
)

// Items of different feeds that tell one story are one row of a list, as long as they are
// not unfolded. The row that stands for them is chosen when the list is made, and stays.

// Stories says which items tell one story: *stories.Keeper.
type Stories interface {
	Groups(ctx context.Context) (*stories.Groups, error)
	Update(ctx context.Context) (changed bool, err error)
	TakeApart(ctx context.Context, id reader.ItemID) (reader.Done, error)
}

// storied are the stories as all lists of a screen know them.
type storied struct {
	lib    Stories // nil: nothing is grouped
	groups *stories.Groups
	busy   bool // what came is being grouped
}

// read reads the groups beside the event loop. Who reads can do without them.
func (t *storied) read(ctx context.Context) *stories.Groups {
	if t.lib == nil {
		return nil
	}
	g, err := t.lib.Groups(ctx)
	if err != nil {
		return nil
	}
	return g
}

// storiesMsg brings the groups after some came, or went.
type storiesMsg struct {
	groups *stories.Groups
	at     bool // they are shown at once, whatever moved
	update bool // it ends the grouping of what came
}

// follow groups what came, beside the event loop; one at a time.
func (t *storied) follow(h view.Host) tea.Cmd {
	if t.lib == nil || t.busy {
		return nil
	}
	t.busy = true
	ctx := h.Life()
	return func() tea.Msg {
		if changed, err := t.lib.Update(ctx); err != nil || !changed {
			return storiesMsg{update: true}
		}
		return storiesMsg{groups: t.read(ctx), update: true}
	}
}

// again reads the groups after a change by the reader.
func (t *storied) again(h view.Host) tea.Cmd {
	ctx := h.Life()
	return func() tea.Msg { return storiesMsg{groups: t.read(ctx), at: true} }
}

// twins adds to ids the items that have their addresses, in feeds that are there.
func (t *storied) twins(s *view.Scene, ids []reader.ItemID) []reader.ItemID {
	all := ids
	for _, id := range ids {
		for _, twin := range t.groups.Twins(id) {
			if s.Feeds[twin.Feed()] != nil && !slices.Contains(all[len(ids):], twin) && !slices.Contains(ids, twin) {
				all = append(all[:len(all):len(all)], twin)
			}
		}
	}
	return all
}

// WithTwins are ids with the items of other feeds that have the same addresses: these are
// marked with them.
func (s *Source) WithTwins(scene *view.Scene, ids []reader.ItemID) []reader.ItemID {
	return s.stories.twins(scene, ids)
}

// beside reports whether a feed is named beside an item: one that is there, and not hidden.
func beside(s *view.Scene, id reader.ItemID, f reader.FeedID) bool {
	feed := s.Feeds[f]
	return f != id.Feed() && feed != nil && !feed.Hidden
}

// sign is what stands at the right end of an item's row: " +2", "" for one that is alone.
func (t *storied) sign(s *view.Scene, id reader.ItemID) string {
	n := 0
	for _, m := range t.groups.Of(id) {
		if beside(s, id, m.ID.Feed()) {
			n++ // a story has one item of each feed
		}
	}
	if n == 0 {
		return ""
	}
	return " +" + strconv.Itoa(n)
}

// also names the feeds that tell the story of an item too, "" for one that is alone.
func (t *storied) also(s *view.Scene, id reader.ItemID) string {
	var names []string
	for _, m := range t.groups.Of(id) { // a story has one item of each feed
		if f := m.ID.Feed(); beside(s, id, f) {
			names = append(names, s.FeedTitle(f))
		}
	}
	return strings.Join(names, ", ")
}

// AlsoIn names the feeds that tell the story of an item too.
func (s *Source) AlsoIn(scene *view.Scene, id reader.ItemID) string { return s.stories.also(scene, id) }

// folding is which rows of a list stand for others.
type folding struct {
	groups *stories.Groups
	stands map[reader.ItemID]bool // the rows that stand for their stories
	open   map[reader.ItemID]bool // those that are unfolded
	under  map[int32]bool         // rows of all that stand below the one for their story
	count  []int32                // how many rows of each story fit
	folded int                    // rows that are not shown since another stands for them
}

// fold leaves out the shown rows for which another one stands. It is chosen once: the first
// unread one, in Ranked and of what was searched for the best; unfolded ones follow it.
func (s *rows) fold() {
	f := &s.folding
	f.under, f.count, f.folded = nil, nil, 0
	if f.groups.Len() == 0 {
		return
	}
	// Asked once for each row: a key may wait for it in a list of 50,000.
	n, some := s.len(), false
	index := func(i int) int32 {
		if s.fits != nil {
			return s.fits[i]
		}
		return int32(i)
	}
	of, stand, count := make([]int32, n), make([]int32, f.groups.Len()), make([]int32, f.groups.Len())
	ranked := s.by() == reader.Ranked
	for i := range n {
		at := index(i)
		r := &s.all[at]
		no := f.groups.Number(r.ID)
		if of[i] = no; no < 0 {
			continue
		}
		if count[no]++; count[no] == 1 {
			stand[no] = at
			continue
		}
		some = true
		was := &s.all[stand[no]]
		if !f.stands[was.ID] && (f.stands[r.ID] || !ranked && unread(r) && !unread(was)) {
			stand[no] = at
		}
	}
	if !some {
		return
	}
	if f.stands == nil {
		f.stands = make(map[reader.ItemID]bool)
	}
	f.count = count
	members := map[int32][]int32{} // of unfolded stories, in their order
	fits := make([]int32, 0, n)
	for i, no := range of {
		at := index(i)
		switch {
		case no < 0 || count[no] == 1:
			fits = append(fits, at)
		case at == stand[no]:
			fits = append(fits, at)
			f.stands[s.all[at].ID] = true
		case f.open[s.all[stand[no]].ID]:
			members[no] = append(members[no], at)
			delete(f.stands, s.all[at].ID)
		default:
			f.folded++
			delete(f.stands, s.all[at].ID) // it stood for others in a narrower list
		}
	}
	if len(members) > 0 {
		f.under = make(map[int32]bool)
		out := make([]int32, 0, len(fits)+len(members))
		for _, at := range fits {
			out = append(out, at)
			no := f.groups.Number(s.all[at].ID)
			for _, below := range members[no] {
				out = append(out, below)
				f.under[below] = true
			}
		}
		fits = out
	}
	s.fits = fits
}

// below reports whether the i-th shown row stands below the one for its story.
func (s *rows) below(i int) bool {
	return s.folding.under != nil && s.fits != nil && s.folding.under[s.fits[i]]
}

// stand is the shown row that stands for an item which is not shown, -1 without one.
func (s *rows) stand(id reader.ItemID) int {
	no := s.folding.groups.Number(id)
	if no < 0 {
		return -1
	}
	return s.seek(-1, 1, func(r *reader.Row) bool { return s.folding.groups.Number(r.ID) == no })
}

// unfold shows the items of a row's story below it, or folds them again; false where there
// are none to be shown.
func (s *rows) unfold(r *reader.Row) bool {
	f := &s.folding
	no := f.groups.Number(r.ID)
	if no < 0 || int(no) >= len(f.count) || f.count[no] < 2 {
		return false
	}
	for id := range f.stands {
		if f.groups.Number(id) == no {
			view.Flip(&f.open, id)
			return true
		}
	}
	return false
}

// storyKeys are what keys do with the story of a row.
func storyKeys() []view.Binding {
	return []view.Binding{
		view.Bind("z", view.Ditto, "same story group duplicate also in fold", view.On(func(l *View, h view.Host) tea.Cmd {
			r, s := l.table.chosen(), h.Screen()
			switch {
			case r == nil:
			case l.table.rows.unfold(r):
				l.table.moved = true
				l.table.reshow(s)
				l.table.settle(s, r.ID)
			case l.src.stories.sign(s, r.ID) != "":
				h.Say("The others are not in " + l.table.of.Name + ": also in " + l.src.stories.also(s, r.ID) + ".")
			default:
				h.Say("No other feed has this story.")
			}
			return nil
		})),
		view.Bind("W", view.Ditto, "ungroup split separate", view.On(func(l *View, h view.Host) tea.Cmd {
			r, story := l.table.chosen(), &l.src.stories
			if r == nil || story.lib == nil || story.sign(h.Screen(), r.ID) == "" {
				h.Say("No other feed has this story.")
				return nil
			}
			id := r.ID
			return h.Change(view.Change{Say: "Taken apart from " + story.also(h.Screen(), id) + ". u undoes.",
				Do:   func(ctx context.Context) (reader.Done, error) { return story.lib.TakeApart(ctx, id) },
				Then: func() tea.Cmd { return story.again(h) }})
		})),
	}
}

// regroup chooses again which rows stand for others.
func (s *rows) regroup() { s.folding.stands, s.folding.open = nil, nil }

// behind counts the unread items of a list that are marked with a row and have none of
// their own, for the rows of a list one after the other.
func (s *rows) behind() func(*reader.Row) int {
	f := &s.folding
	if f.folded == 0 {
		return func(*reader.Row) int { return 0 }
	}
	hidden := map[reader.ItemID]bool{}
	for i := range s.all {
		if r := &s.all[i]; unread(r) && f.groups.Number(r.ID) >= 0 {
			hidden[r.ID] = true
		}
	}
	for i := range s.len() {
		delete(hidden, s.at(i).ID)
	}
	return func(r *reader.Row) (n int) {
		for _, twin := range f.groups.Twins(r.ID) {
			if hidden[twin] {
				n++
			}
		}
		return n
	}
}
