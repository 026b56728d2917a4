package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
)

// layer is one level of what is on the screen: a list, an article, the help.
// q and Esc take the topmost away. What the router asks of all of them stands
// here; what a key means in one of them alone is a method of that one, bound
// with on. baseLayer answers for those that have nothing to say.
type layer interface {
	context() contextID
	// title is row 1 in w cells, left and right end. A layer that is named by
	// over keeps the names of the views in row 1 instead.
	title(s *scene, w int) (left, right string)
	over() (name string, views bool)
	// lines gives exactly h lines of w cells.
	lines(s *scene, w, h int) []string
	// foot is the last row: the state in words, and keys that matter here,
	// most useful first.
	foot(s *scene, w int) (state string, hints []string)

	// move goes d rows on, page d times a part of a screen, ends to the first
	// row (d < 0) or the last.
	move(m *model, d int) tea.Cmd
	page(m *model, d, part int) tea.Cmd
	ends(m *model, d int) tea.Cmd
	// matches counts what a find would go through; ok is false where nothing
	// is counted before it. find goes to the first match.
	matches(s *scene, text string) (n int, ok bool)
	find(m *model, text string)
	// back ends what was found, selected or opened within.
	back(m *model) backing
	// shown is called when the layer comes to light: anew, by the key of its
	// view, or because what lay over it was left.
	shown(m *model, anew bool) tea.Cmd
	// got takes in what a command brought. Every layer is told; one that did
	// not ask does nothing.
	got(m *model, msg tea.Msg) tea.Cmd

	// row is the item that keys act on, nil for none; rows are the selected
	// ones, else that.
	row() *reader.Row
	rows() []*reader.Row
	// amend calls do with the rows of some items wherever the layer keeps them;
	// nil stands for all items.
	amend(ids map[reader.ItemID]bool, do func(*reader.Row))
	// feeds are those that are fetched by r; all stands for every one.
	feeds() (ids []reader.FeedID, all bool)
	// about is the feed that i tells of where no item is chosen; none is what
	// is said where there is no feed either.
	about() (id reader.FeedID, none string)
	// why answers w; ok is false where what is chosen is an item.
	why(m *model) (cmd tea.Cmd, ok bool)
	// origin is the list of items that it is, or was opened from.
	origin() *items
}

// backing is what becomes of a key that goes back.
type backing uint8

const (
	backOut    backing = iota // nothing is open within: the layer is left
	backWithin                // something within was ended
	backNever                 // there is nothing to go back to
)

// These are asked of the few layers that have them.
type (
	// opened is what a row of a list was opened as.
	opened interface {
		layer
		sitting() int // which opening it is, for undo
		// address is what o and y mean, and what it is called; ok is false while
		// that is not known.
		address() (addr, title string, ok bool)
		keep(p *place)
	}
	// typist takes keys as text; taken is false where it has no use for one.
	typist interface {
		typed(m *model, k tea.KeyPressMsg) (cmd tea.Cmd, taken bool)
	}
	// writer is a typist with a cursor, which a paste goes to.
	writer interface {
		paste(m *model, text string)
		cursor(s *scene, w, h int) (x, y int, shown bool)
	}
	// selector has rows to be selected.
	selector interface{ unselect() bool }
	// folder closes the folder around the chosen row.
	folder interface{ fold() }
	// teacher says what + and - teach where no item is chosen.
	teacher interface {
		lesson(less bool) (l reader.Lesson, none string)
	}
	// aside stands beside the feeds on a wide screen, and beside a list, if any.
	aside interface{ beside() *items }
	// speaker says in the linear form where the reader is.
	speaker interface{ speak(s *scene) string }
)

// on makes a binding of what a key does in one kind of layer.
func on[V layer](do func(V, *model) tea.Cmd) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		if v, ok := m.top().(V); ok {
			return do(v, m)
		}
		return nil
	}
}

// by is on for what is done in one direction or the other.
func by[V layer](do func(V, *model, int) tea.Cmd, d int) func(*model) tea.Cmd {
	return on(func(v V, m *model) tea.Cmd { return do(v, m, d) })
}

// baseLayer is a layer that does nothing, to be embedded.
type baseLayer struct{}

func (baseLayer) over() (string, bool)                            { return "", false }
func (baseLayer) page(*model, int, int) tea.Cmd                   { return nil }
func (baseLayer) ends(*model, int) tea.Cmd                        { return nil }
func (baseLayer) matches(*scene, string) (int, bool)              { return 0, false }
func (baseLayer) find(*model, string)                             {}
func (baseLayer) back(*model) backing                             { return backOut }
func (baseLayer) shown(*model, bool) tea.Cmd                      { return nil }
func (baseLayer) got(*model, tea.Msg) tea.Cmd                     { return nil }
func (baseLayer) row() *reader.Row                                { return nil }
func (baseLayer) rows() []*reader.Row                             { return nil }
func (baseLayer) amend(map[reader.ItemID]bool, func(*reader.Row)) {}
func (baseLayer) feeds() ([]reader.FeedID, bool)                  { return nil, false }
func (baseLayer) about() (reader.FeedID, string)                  { return 0, "" }
func (baseLayer) why(*model) (tea.Cmd, bool)                      { return nil, false }
func (baseLayer) origin() *items                                  { return nil }

// listing is a layer of rows, one of them chosen.
type listing struct {
	baseLayer
	list vlist
	high int // lines of the last drawing, for keys that move by pages
}

// goRow puts the cursor on a row and brings it into sight.
func (l *listing) goRow(row int) { l.list.set(row, max(1, l.high)) }

// fitTo takes in the lines there are to draw in.
func (l *listing) fitTo(h int) {
	if l.high != h {
		l.high = h
		l.list.show(h)
	}
}

func (l *listing) move(_ *model, d int) tea.Cmd {
	l.goRow(l.list.cur + d)
	return nil
}

func (l *listing) page(_ *model, d, part int) tea.Cmd {
	l.list.scroll(d*pageStep(l.high, part), max(1, l.high))
	return nil
}

func (l *listing) ends(_ *model, d int) tea.Cmd {
	if d > 0 {
		l.goRow(l.list.n - 1)
		return nil
	}
	l.list.top = 0
	l.goRow(0)
	return nil
}

// pageStep is 1/part of a screen in lines; a whole page keeps one in sight.
func pageStep(h, part int) int {
	if part == 1 {
		return max(1, h-1)
	}
	return max(1, h/part)
}

// scrolling is a layer of text without a cursor.
type scrolling struct {
	baseLayer
	text []string
	top  int
	high int
}

// window gives the lines in sight.
func (t *scrolling) window(s *scene, w, h int) []string {
	t.high = h
	t.top = max(0, min(t.top, len(t.text)-h))
	return s.fill(append([]string(nil), t.text[t.top:]...), w, h)
}

func (t *scrolling) move(_ *model, d int) tea.Cmd {
	t.top = max(0, min(t.top+d, len(t.text)-t.high))
	return nil
}

func (t *scrolling) page(m *model, d, part int) tea.Cmd { return t.move(m, d*pageStep(t.high, part)) }

func (t *scrolling) ends(m *model, d int) tea.Cmd {
	if d > 0 {
		return t.move(m, 1<<20)
	}
	t.top = 0
	return nil
}
