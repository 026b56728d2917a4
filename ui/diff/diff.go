// Package diff is the view of what changed: between two revisions of a watched
// page, or by an edit of an item. Open shows one, Keys is what its keys do.
package diff

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/page"
	"diurna/ui/view"
)

// View shows what changed between two revisions of a watched page, or by an
// edit of an item: a row a block, under the headings it stands below. The parts
// have one file each: rows.go makes the rows, draw.go breaks them into lines,
// move.go goes through these.
type View struct {
	lib   Library
	pages Pages
	view.Base
	name  string // of the page, or of the item
	link  string // what o opens and y copies
	feed  reader.FeedID
	r     reader.Row           // of the change in lists of items; its ID is 0 where there is none
	from  view.View            // the list it was opened from
	old   time.Time            // when the older side was fetched; zero: unknown
	at    time.Time            // the same of the newer one
	no    int                  // the number of the newer revision, or of the edit
	base  int                  // the number of the older revision
	of    int                  // of the newest
	other func(by int) tea.Cmd // opens the one beside it; nil: by the list
	gen   uint64
	wrong string // why there is nothing to show

	opening int // which opening it is, for undo
	rows    comparison
	lay     layout
	place   scroll

	side   bool    // asked for side by side
	terms  bool    // the score's terms stand below
	spoken bool    // its head was said in the linear form
	limit  float64 // of a page: scores above it are reported

	coming reader.ItemID // the unread item that was announced, 0: none
}

// Of says what a diff is of.
type Of struct {
	Name  string               // of the page, or of the item
	Feed  reader.FeedID        // of the page; 0: an item
	Row   reader.Row           // of the change in lists of items, if it has one
	From  view.View            // the list it was opened from; nil: none
	Edit  bool                 // an item edited by its publisher; no watched page
	Other func(by int) tea.Cmd // opens the diff beside it; nil: the next item of From
	At    [2]int               // row and line that the last session left it at
}

// Open shows a diff over what is there; a Load method asks for what it holds.
func Open(h view.Host, lib Library, pages Pages, of Of) *View {
	d := New(h, lib, pages, of)
	h.Push(d)
	return d
}

// New makes a diff that is not shown yet.
func New(h view.Host, lib Library, pages Pages, of Of) *View {
	d := &View{lib: lib, pages: pages, name: of.Name, feed: of.Feed, r: of.Row, from: of.From, other: of.Other, opening: h.Screen().NewOpening()}
	d.rows.edit = of.Edit
	d.lay.rows = &d.rows
	d.place = scroll{rows: &d.rows, lay: &d.lay, want: spot{of.At[0], of.At[1]}}
	return d
}

func (d *View) Context() view.Context { return view.CtxDiff }

func (d *View) Row() *reader.Row {
	if d.r.ID == 0 {
		return nil
	}
	return &d.r
}

func (d *View) Rows() []*reader.Row {
	if r := d.Row(); r != nil {
		return []*reader.Row{r}
	}
	return nil
}

func (d *View) Amend(ids map[reader.ItemID]bool, do func(*reader.Row)) {
	if ids == nil || ids[d.r.ID] {
		do(&d.r)
	}
}

func (d *View) Feeds() ([]reader.FeedID, bool) {
	if d.feed != 0 {
		return []reader.FeedID{d.feed}, false
	}
	return nil, false
}

func (d *View) Origin() view.View { return d.from }

// Beside: old and new side by side take the whole screen.
func (d *View) Beside() (view.View, bool) {
	if d.side {
		return nil, true
	}
	return d.from, true
}

// Whole reports whether there is something to show.
func (d *View) Whole() bool { return d.rows.ready || d.wrong != "" }

func (d *View) Opening() int { return d.opening }

func (d *View) Link() (addr, title string, ok bool) { return d.link, d.name, d.rows.ready }

func (d *View) Keep(p *view.Place) {
	p.Article, p.Edits, p.Para, p.Into = d.r.ID, true, d.place.cur.row, d.place.cur.line
	if p.Revs = [2]int{d.base, d.no}; d.rows.edit {
		p.Revs = [2]int{d.of - d.no}
	}
}

// Show takes in a comparison. When it is one of the same two revisions again,
// the cursor stays near where it was.
func (d *View) Show(with page.Diff, again bool) {
	was := 0
	if d.spoken = d.spoken && again; again {
		was = d.place.cur.row
	}
	d.wrong = ""
	d.rows.take(with)
	d.place.begin(was)
}

// Changes counts the rows that changed, Laid how often a row was laid out.
func (d *View) Changes() int { return len(d.rows.changes) }

func (d *View) Laid() int { return d.lay.calls }

// Chosen is the block that i ignores.
func (d *View) Chosen() *page.Row { return d.place.chosen() }

// Title is row 1 in w cells: the page, which revision of how many, when the
// two were fetched, the score. What there is no room for is left out whole.
func (d *View) Title(s *view.Scene, w int) (left, right string) {
	which := ""
	if d.of > 0 {
		which = fmt.Sprintf("%d of %d", d.no, d.of)
	}
	if d.rows.edit {
		which = "edit " + which
	} else if d.rows.ready {
		right = fmt.Sprintf("score %.1f", d.rows.diff.Score)
	}
	m := s.Th.Measure
	room := w - 1 - m.Width(right) - 2
	name := m.Fit(d.name, 17)
	if m.Width(d.name) > 17 {
		name = m.Cut(d.name, max(17, room-m.Width(which)-2-41))
	}
	sep := " " + s.Th.Dot + " "
	until := view.Moment(d.at, s.Now)
	for _, rest := range []string{which + sep + view.Moment(d.old, s.Now) + " -> " + until, which + sep + until, which} {
		if strings.HasPrefix(rest, which+sep+" -> ") || rest == which+sep || m.Width(name)+2+m.Width(rest) > room {
			continue
		}
		return name + "  " + rest, right
	}
	return m.Cut(d.name, max(1, room-m.Width(which)-2)) + "  " + which, right
}

func (d *View) Move(h view.Host, n int) tea.Cmd {
	d.place.step(h.Screen(), n)
	return nil
}

// Click chooses a line; a second click unfolds or folds it as Enter does.
func (d *View) Click(h view.Host, _, y int) int {
	s := h.Screen()
	if !d.rows.ready || y < 0 || y >= d.place.high {
		return -1
	}
	at := d.place.walk(s, d.place.top, y)
	if d.place.apart(s, d.place.top, at, d.place.high) != y || !d.rows.all[at.row].rests() {
		return -1
	}
	d.place.cur = at
	return at.row
}

func (d *View) Page(h view.Host, n, part int) tea.Cmd {
	d.coming = 0
	d.place.turn(h.Screen(), n*view.PageStep(d.place.high, part))
	return nil
}

func (d *View) Ends(h view.Host, n int) tea.Cmd {
	if d.rows.ready {
		d.coming = 0
	}
	d.place.home(h.Screen(), n < 0)
	return nil
}

func (d *View) Back(view.Host) view.Backing {
	switch {
	case d.place.found.End():
	case d.terms:
		d.terms = false
	default:
		return view.BackOut
	}
	return view.BackWithin
}
