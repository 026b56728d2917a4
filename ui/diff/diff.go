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
	"diurna/reader/wording"
	"diurna/ui/view"
)

// View shows what changed between two revisions of a watched page, or by an
// edit of an item: a row a block, under the headings it stands below. Rows are
// laid out when they come into sight, so that a key costs the same in a diff
// of five blocks and of five thousand.
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
	edit  bool                 // an item edited by its publisher; no watched page
	gen   uint64
	ready bool
	wrong string // why there is nothing to show

	opening int // which opening it is, for undo
	d       page.Diff
	all     []diffRow
	noise   []page.Row // what does not count, see hush
	folds   []diffRow  // what was unfolded, by diffRow.fold
	changes []int      // the rows that changed
	found   view.Found // its hits are rows
	low     []string   // their text for a find, made by the first one

	side  bool // asked for side by side
	terms bool // the score's terms stand below
	wide  int  // cells the rows are laid out for
	high  int
	split bool
	flat  bool    // one line a row: the linear form
	told  bool    // its head was said there
	limit float64 // of a page: scores above it are reported
	calls int     // how often a row was laid out: a test counts it
	tall  []int32
	known map[int][]diffLine
	top   spot // the first line on the screen
	cur   spot // the chosen one
	want  spot // where the last sitting left it

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
	At    [2]int               // row and line that the last sitting left it at
}

// Open shows a diff over what is there; a Load method asks for what it holds.
func Open(h view.Host, lib Library, pages Pages, of Of) *View {
	d := New(h, lib, pages, of)
	h.Push(d)
	return d
}

// New makes a diff that is not shown yet.
func New(h view.Host, lib Library, pages Pages, of Of) *View {
	return &View{lib: lib, pages: pages, name: of.Name, feed: of.Feed, r: of.Row, from: of.From, edit: of.Edit, other: of.Other,
		want: spot{of.At[0], of.At[1]}, opening: h.Screen().NewOpening()}
}

// spot is a line of a diff: a row, and a line of it.
type spot struct{ row, line int }

// rowSort says what a row of the diff screen is.
type rowSort uint8

const (
	rowSummary rowSort = iota
	rowHead            // the headings above a part of the page
	rowFold            // unchanged blocks, told by their number
	rowQuiet           // parts of the page in which nothing changed
	rowPlain           // an unchanged block
	rowBlock           // a changed block
	rowNote            // a link, an image, what is ignored here
	rowNoise           // a changed block that does not count
	rowBlank
)

// diffRow is a row of the screen. at is its place in a hunk, of rowNoise in
// View.noise; rowFold begins there and goes on up to the row to, rowQuiet up to
// the hunk to.
type diffRow struct {
	sort     rowSort
	hunk, at int
	to       int
	text     string // rowHead, rowPlain, rowNote
	sign     string // rowNote
	fold     int    // what it came out of, counted from 1; 0: nothing
	open     bool   // long equal parts are shown whole
}

// rests reports whether the cursor may stand on a row.
func (r *diffRow) rests() bool {
	return r.sort != rowSummary && r.sort != rowHead && r.sort != rowBlank
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
func (d *View) Whole() bool { return d.ready || d.wrong != "" }

func (d *View) Opening() int { return d.opening }

func (d *View) Link() (addr, title string, ok bool) { return d.link, d.name, d.ready }

func (d *View) Keep(p *view.Place) {
	p.Article, p.Edits, p.Para, p.Into = d.r.ID, true, d.cur.row, d.cur.line
	if p.Revs = [2]int{d.base, d.no}; d.edit {
		p.Revs = [2]int{d.of - d.no}
	}
}

// Show takes in a comparison. When it is one of the same two revisions again,
// the cursor stays near where it was.
func (d *View) Show(with page.Diff, again bool) {
	was := 0
	if d.told = d.told && again; again {
		was = d.cur.row
	}
	d.d, d.ready, d.wrong = with, true, ""
	d.all, d.folds, d.changes = d.all[:0], nil, nil
	d.found = view.Found{}
	d.hush()
	d.build()
	d.index()
	d.wide, d.top, d.cur = 0, spot{}, spot{row: d.next(-1, 1, (*diffRow).rests)}
	if len(d.changes) > 0 {
		d.cur.row = d.changes[0]
	}
	if was > 0 {
		d.cur.row = max(0, d.next(min(was, len(d.all)-1)-1, 1, (*diffRow).rests))
	}
	if w := d.want; w.row > 0 && w.row < len(d.all) && d.all[w.row].rests() {
		d.cur = w
	}
	d.cur.row, d.want = max(0, d.cur.row), spot{}
}

// Changes counts the rows that changed, Laid how often a row was laid out.
func (d *View) Changes() int { return len(d.changes) }

func (d *View) Laid() int { return d.calls }

// next gives the first row after from (by > 0) or before it for which is holds,
// -1 for none.
func (d *View) next(from, by int, is func(*diffRow) bool) int {
	for i := from + by; i >= 0 && i < len(d.all); i += by {
		if is(&d.all[i]) {
			return i
		}
	}
	return -1
}

// index finds the changed rows again after rows came or went.
func (d *View) index() {
	d.changes, d.low = d.changes[:0], nil
	for i := range d.all {
		// Of a list of links the first one is where n goes.
		if s := d.all[i].sort; s == rowBlock || s == rowNoise || s == rowNote && d.all[i-1].sort == rowHead {
			d.changes = append(d.changes, i)
		}
	}
	d.forget()
}

// forget drops what is known of how rows are laid out.
func (d *View) forget() {
	d.tall = make([]int32, len(d.all))
	d.known = make(map[int][]diffLine)
}

// build makes the rows of a comparison.
func (d *View) build() {
	d.add(diffRow{sort: rowSummary})
	for i := range d.d.Hunks {
		h := &d.d.Hunks[i]
		if !changed(h) {
			d.quiet(i)
			continue
		}
		d.add(diffRow{sort: rowHead, text: d.path(h.Path)})
		for k := range h.Rows {
			last := &d.all[len(d.all)-1]
			switch {
			case h.Rows[k].Kind != page.Same:
				d.add(diffRow{sort: rowBlock, hunk: i, at: k})
			case last.sort == rowFold && last.hunk == i: // what parted them does not count
				last.to = k + 1
			default:
				d.add(diffRow{sort: rowFold, hunk: i, at: k, to: k + 1})
			}
		}
	}
	d.sideNotes()
	d.noiseRows()
	d.ignoredNotes()
}

func (d *View) add(r diffRow) { d.all = append(d.all, r) }

// quiet adds a hunk in which nothing changed to what is folded before it.
func (d *View) quiet(hunk int) {
	switch last := &d.all[len(d.all)-1]; last.sort {
	case rowFold, rowQuiet:
		last.sort, last.to = rowQuiet, hunk+1
	default:
		d.add(diffRow{sort: rowQuiet, hunk: hunk, to: hunk + 1})
	}
}

func changed(h *page.Hunk) bool {
	for i := range h.Rows {
		if h.Rows[i].Kind != page.Same {
			return true
		}
	}
	return false
}

// path is where on the page a row stands.
//
//go:noinline // 6 places
func (d *View) path(headings []string) string {
	switch {
	case len(headings) > 0:
		return strings.Join(headings, " > ")
	case d.edit:
		return "text"
	}
	return "top of the page"
}

// sideNotes lists what came and went beside the text.
func (d *View) sideNotes() {
	if t := d.d.Title; t[0] != t[1] && !d.edit {
		d.notes("title of the page", t[:1], t[1:])
	}
	if l := d.d.Language; l[0] != l[1] && l[0] != "" && l[1] != "" {
		d.notes("language of the page", l[:1], l[1:])
	}
	for _, side := range []struct {
		name string
		of   page.Existence
	}{{"links", d.lone()}, {"images", d.d.Images}, {"form parts", d.d.Forms}, {"embedded", d.d.Embeds}} {
		if len(side.of.Added)+len(side.of.Removed) == 0 {
			continue
		}
		d.notes(fmt.Sprintf("%s: %s new, %s gone", side.name, wording.Count(len(side.of.Added)), wording.Count(len(side.of.Removed))), side.of.Removed, side.of.Added)
	}
	if len(d.d.Retargets) > 0 {
		d.notes("links that lead elsewhere: "+wording.Count(len(d.d.Retargets)), nil, nil)
	}
	for _, r := range d.d.Retargets {
		d.note("~", fmt.Sprintf("%s: %s -> %s", r.Text, r.Old, r.New))
	}
}

// notes adds a heading, and below it what went and what came.
func (d *View) notes(head string, gone, come []string) {
	d.add(diffRow{sort: rowBlank})
	d.add(diffRow{sort: rowHead, text: head})
	for _, text := range gone {
		d.note("-", text)
	}
	for _, text := range come {
		d.note("+", text)
	}
}

// lone are the links that came and went, but for those whose text stayed and
// whose address changed: they are listed with both.
func (d *View) lone() page.Existence {
	moved := make(map[string]bool, 2*len(d.d.Retargets))
	for _, r := range d.d.Retargets {
		moved["-"+r.Old], moved["+"+r.New] = true, true
	}
	var e page.Existence
	for _, l := range d.d.Links.Removed {
		if !moved["-"+l] {
			e.Removed = append(e.Removed, l)
		}
	}
	for _, l := range d.d.Links.Added {
		if !moved["+"+l] {
			e.Added = append(e.Added, l)
		}
	}
	return e
}

func (d *View) note(sign, text string) {
	if text != "" {
		d.add(diffRow{sort: rowNote, sign: sign, text: text})
	}
}

// mostIgnored is how many ignored blocks are named.
const mostIgnored = 20

// ignoredNotes names the changed blocks that rules hide.
func (d *View) ignoredNotes() {
	if d.d.Blocks.Unshown > 0 {
		d.add(diffRow{sort: rowBlank})
		d.note(" ", wording.Plural(d.d.Blocks.Unshown, "more changed block")+": more than a screen can hold")
	}
	hidden := d.d.Ignored
	if len(hidden) > 0 && len(d.noise) == 0 {
		d.add(diffRow{sort: rowBlank})
	}
	for i := range hidden {
		if i == mostIgnored {
			d.note(" ", fmt.Sprintf("ignored here: %s more", wording.Count(max(d.d.Blocks.Ignored, len(hidden))-i)))
			break
		}
		d.note(" ", ignoredHere(&hidden[i], true))
	}
	if len(hidden) > 0 {
		d.note(" ", "i in Pages lists them and takes them in again")
	}
}

// classNote says of a change that is no news what it is.
func classNote(c page.Class) string {
	switch c {
	case page.Menu:
		return " (menu)"
	case page.Date:
		return " (dates)"
	case page.Volatile:
		return " (counters and the like)"
	}
	return ""
}

// summary is the row above the first heading.
func (d *View) summary(s *view.Scene) string {
	c, sep := d.d.Blocks, " "+s.Th.Dot+" "
	say := map[page.Class]string{
		page.Menu: "menus only" + sep, page.Order: "order only" + sep, page.Links: "links only" + sep,
		page.Date: "dates only" + sep, page.Volatile: "counters only" + sep, page.None: "nothing a reader sees" + sep,
	}[d.d.Class]
	quiet, w := len(d.noise), d.quietWords()
	say += wording.Plural(c.Changed-quiet, "block") + " changed"
	if c.Moved > 0 {
		say += ", " + wording.Count(c.Moved) + " moved"
	}
	say += sep + wording.Plural(d.d.Words.Added-w.Added, "word") + " added, " + wording.Count(d.d.Words.Deleted-w.Deleted) + " removed"
	say += sep + wording.Plural(c.Same, "block") + " unchanged"
	if c.Ignored > 0 {
		say += sep + wording.Count(c.Ignored) + " ignored"
	}
	if d.d.Shrunk {
		say += sep + "most of the text is gone"
	}
	if d.d.Dead {
		say += sep + "what is watched is not on the page any more"
	}
	return say
}

// block is the changed block of a row, whether it counts or not; nil for other
// rows.
func (d *View) block(i int) *page.Row {
	switch {
	case i < 0 || i >= len(d.all):
		return nil
	case d.all[i].sort == rowNoise:
		return &d.noise[d.all[i].at]
	case d.all[i].sort != rowBlock:
		return nil
	}
	return &d.d.Hunks[d.all[i].hunk].Rows[d.all[i].at]
}

// Chosen is the block that i ignores.
func (d *View) Chosen() *page.Row { return d.block(d.cur.row) }

// title is row 1 in w cells: the page, which revision of how many, when the
// two were fetched, the score. What there is no room for is left out whole.
func (d *View) Title(s *view.Scene, w int) (left, right string) {
	which := ""
	if d.of > 0 {
		which = fmt.Sprintf("%d of %d", d.no, d.of)
	}
	if d.edit {
		which = "edit " + which
	} else if d.ready {
		right = fmt.Sprintf("score %.1f", d.d.Score)
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
