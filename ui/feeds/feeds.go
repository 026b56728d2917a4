// Package feeds is the view of the feeds there are, in their folders, and what keys do
// to one, to a folder or to those selected. New makes it, Take gives it the feeds, Keys
// is what its keys do.
package feeds

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/cells"
	"diurna/ui/prose"
	"diurna/ui/queries"
	"diurna/ui/view"
)

// nodeKind is what a row of Feeds stands for.
type nodeKind uint8

const (
	nodeAll nodeKind = iota
	nodeFolder
	nodeFeed
	nodeQuery
)

// node is a row of Feeds.
type node struct {
	kind    nodeKind
	depth   int
	name    string
	path    string // of a folder: sea/boats; of a tag: #sea; of a feed: the one it stands in
	tag     bool   // it is a tag, or stands below one
	idle    bool   // it is left out, as nothing in it is unread
	feed    *reader.Feed
	query   *reader.SavedQuery
	feeds   int
	unread  int
	last    time.Time
	next    time.Time
	trouble bool
}

// View is Feeds: folders that fold, and what is in them.
type View struct {
	lib   Library
	desk  Desk
	plans Planner
	stats Stats
	saved *queries.Saved
	view.Listing
	all    []node // every row, folded away or not
	nodes  []node // the rows that are shown
	folded map[string]bool
	found  view.Found
	narrow narrowing
	tree   tree
	needs  int // cells of all at the left of a list; 0: not counted

	selected map[reader.FeedID]bool

	counted   *unreadMsg // what M counted
	unreadGen uint64     // of the count that is awaited

	attentionGen uint64 // the same, of what was opened
}

// New makes the view, without feeds.
func New(lib Library, desk Desk, plans Planner, stats Stats, saved *queries.Saved) *View {
	return &View{lib: lib, desk: desk, plans: plans, stats: stats, saved: saved}
}

func (t *View) Context() view.Context { return view.CtxFeeds }

func (t *View) Title(*view.Scene, int) (string, string) { return "Feeds", "" }

func (t *View) Over() (string, bool) { return strings.Join(t.tree.words(), ", "), true }

// Shown builds the rows again, or asks for fresh numbers.
func (t *View) Shown(h view.Host, entered bool) tea.Cmd {
	if !entered {
		t.saved.Seen()
		return view.Batch(h.Reload(), t.count(h))
	}
	t.found, t.tree.stay = view.Found{}, nil
	if !t.widen(h.Screen()) {
		t.Take(h.Screen())
	}
	return view.Batch(t.count(h), t.saved.Count(h, true))
}

func (t *View) Back(h view.Host) view.Backing {
	if t.Unselect() || t.found.End() || t.widen(h.Screen()) {
		return view.BackWithin
	}
	return view.BackOut
}

// Fold folds the folder around the chosen row.
func (t *View) Fold() {
	if n := t.chosen(); n != nil && n.kind != nodeAll && n.path != "" {
		t.SetFolded(n.path, true)
	}
}

// Feeds are those of the chosen row.
func (t *View) Feeds() (ids []reader.FeedID, all bool) {
	n := t.chosen()
	if n == nil || n.kind == nodeAll && !t.narrow.stands() {
		return nil, n != nil
	}
	return slices.Sorted(maps.Keys(t.within(n))), false
}

func (t *View) About() (reader.FeedID, string) {
	if n := t.chosen(); n != nil && n.kind == nodeFeed {
		return n.feed.Key, ""
	}
	return 0, "i shows a feed and its settings, on rows of feeds."
}

// Feedback is feedback about the chosen feed.
func (t *View) Feedback(less bool) (l reader.Feedback, none string) {
	n := t.chosen()
	if n == nil || n.kind != nodeFeed {
		return l, "+ and - teach about a feed or an item."
	}
	return reader.Feedback{Less: less, Subject: "feed", Name: n.feed.Key.String()}, ""
}

// Take builds the rows from the subscriptions and keeps the chosen row chosen.
func (t *View) Take(s *view.Scene) {
	keep := t.chosen().key()
	t.tree.usual(s.Order)
	t.all, t.needs = withQueries(t.tree.rows(s, &t.narrow), s, t.saved, t.narrow.stands()), 0
	t.unfold(keep)
}

// count adds a feed to its folder's numbers.
func (n *node) count(f *reader.Feed) {
	n.feeds++
	if !f.Hidden || n.kind != nodeAll {
		n.unread += f.Unread // of everything, a hidden feed's are left out
	}
	if f.LastPost.After(n.last) {
		n.last = f.LastPost
	}
	if !f.NextFetch.IsZero() && (n.next.IsZero() || f.NextFetch.Before(n.next)) {
		n.next = f.NextFetch
	}
	n.trouble = n.trouble || f.InTrouble()
}

// key names a row across reloads, "" for none.
func (n *node) key() string {
	switch {
	case n == nil:
		return ""
	case n.kind == nodeFeed && n.tag: // it may stand in several places
		return n.feed.Key.String() + " " + n.path
	case n.kind == nodeFeed:
		return n.feed.Key.String()
	case n.kind == nodeFolder:
		return n.path + "/"
	case n.kind == nodeQuery:
		return "/" + n.name
	}
	return "/"
}

// unfold works out which rows are shown.
func (t *View) unfold(keep string) {
	t.nodes = t.nodes[:0]
	for _, n := range t.all {
		if !n.idle && !n.hidden(t.folded) {
			t.nodes = append(t.nodes, n)
		}
	}
	t.tree.stand(t.nodes)
	t.List.N = len(t.nodes)
	for i := range t.nodes {
		if t.nodes[i].key() == keep {
			t.List.Cur = i
		}
	}
	t.List.Set(t.List.Cur, max(1, t.High))
}

// hidden reports whether a folder above the row is folded.
func (n *node) hidden(folded map[string]bool) bool {
	path := n.path
	if n.tag {
		return n.kind == nodeFeed && folded[path]
	}
	if n.kind == nodeFolder {
		cut := strings.LastIndexByte(path, '/')
		path = path[:max(0, cut)]
	}
	for path != "" {
		if folded[path] {
			return true
		}
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	return false
}

// SetFolded folds or unfolds a folder.
func (t *View) SetFolded(path string, shut bool) {
	if t.folded == nil {
		t.folded = make(map[string]bool)
	}
	t.folded[path] = shut
	t.unfold(path + "/")
}

func (t *View) chosen() *node {
	if t.List.N == 0 {
		return nil
	}
	return &t.nodes[t.List.Cur]
}

// within gives the feeds of a row, nil for all of them. Of a narrowed tree those
// that fit.
func (t *View) within(n *node) map[reader.FeedID]bool {
	if n.kind == nodeAll && !t.narrow.stands() {
		return nil
	}
	ids := make(map[reader.FeedID]bool)
	for i := range t.all {
		f := t.all[i].feed
		if f != nil && (n.kind == nodeAll || n.feed == f || n.holds(&t.all[i])) {
			ids[f.Key] = true
		}
	}
	return ids
}

// seek gives the next row for which is holds, around the end when it wraps.
func seek(nodes []node, cur, d int, wrap bool, is func(*node) bool) int {
	for i := 1; i <= len(nodes); i++ {
		at := cur + i*d
		if !wrap && (at < 0 || at >= len(nodes)) {
			return -1
		}
		at = (at%len(nodes) + len(nodes)) % len(nodes)
		if is(&nodes[at]) {
			return at
		}
	}
	return -1
}

// treeCells are the columns of Feeds at 80 cells: name 31, unread 6, last
// post 16, next fetch the rest. A wider screen gives the name what it needs.
func treeCells(w int) (name, last int) {
	if w < slim {
		return w - 4 - 6, 0
	}
	if w < view.Wide {
		return w - 4 - 8, 0
	}
	if w < 80 {
		return min(31, w-40), 13 // what is left holds "tomorrow 07:40"
	}
	return 31 + max(0, min(w-80, 40)), 16
}

// slim is where Feeds stands at the left of a list: a name gets every cell.
const slim = 41

// unreadCells is the column of the counts.
func unreadCells(w int) int {
	if w < slim {
		return 5
	}
	return 6
}

func (t *View) Lines(s *view.Scene, w, h int) []string { return t.draw(s, t.List.Cur, w, h) }

// draw draws the rows with the pointer at one of them, -1 for none.
func (t *View) draw(s *view.Scene, at, w, h int) []string {
	name, last := treeCells(w)
	head := s.Th.Fit("    "+s.Th.Fit("feed", name)+" unread", w)
	if w < slim {
		head = s.Th.Fit("    "+s.Th.Fit("feed", name-1)+"unread", w)
	}
	if last > 0 {
		head = s.Th.Fit("    "+s.Th.Fit("feed", name)+" unread  "+s.Th.Fit("last post", last)+"next fetch", w)
	}
	if last > 0 && t.tree.order == byOpened {
		head = s.Th.Fit("    "+s.Th.Fit("feed", name)+" unread  "+s.Th.Fit("opened", last)+"next fetch", w)
	}
	lines := []string{s.Th.In(s.Th.Head, head)}
	t.Above = len(lines)
	t.FitTo(h - 1)
	if len(s.Order) == 0 {
		lines = append(lines, s.Th.Fit("", w))
		return s.Fill(append(lines, s.Wrap(view.SayNothingSubscribed, 1, w)...), w, h)
	}
	for i := t.List.Top; i < t.List.N && len(lines) < h; i++ {
		lines = append(lines, t.drawNode(s, &t.nodes[i], i == at, w))
	}
	return s.Fill(lines, w, h)
}

// Beside draws the feeds at the left of a list, in as many cells as it takes to cut no
// name, folded away or not, and at most so many. Keys act on the list: the pointer
// only shows which feed it holds, 0 for several.
func (t *View) Beside(s *view.Scene, one reader.FeedID, most, h int) (lines []string, w int) {
	if t.needs == 0 {
		for i := range t.all {
			t.needs = max(t.needs, s.Th.Measure.Width(t.all[i].label(t.folded, 0)))
		}
		t.needs += 4 + 1 + unreadCells(0)
	}
	at := -1
	if one != 0 {
		for i := range t.nodes {
			if n := &t.nodes[i]; n.kind == nodeFeed && n.feed.Key == one {
				at = i
			}
		}
	}
	w = min(max(t.needs, 24), most)
	return t.draw(s, at, w, h), w
}

// label is the name of a row behind its indent.
func (n *node) label(folded map[string]bool, w int) string {
	in := "  "
	if w < slim {
		in = " "
	}
	label := strings.Repeat(in, n.depth)
	switch n.kind {
	case nodeFolder:
		sign := "- "
		if folded[n.path] {
			sign = "+ "
		}
		label += sign + fmt.Sprintf("%s (%d)", n.name, n.feeds)
	case nodeFeed:
		if n.depth > 0 {
			label += in
		}
		label += n.name
	default:
		label += n.name
	}
	return label
}

func (t *View) drawNode(s *view.Scene, n *node, chosen bool, w int) string {
	th := &s.Th
	pointer, bullet, bang := " ", " ", " "
	if n.kind == nodeQuery {
		t.saved.Seen()
	}
	if chosen {
		pointer = th.In(th.Pointer, ">")
	}
	if n.unread > 0 {
		bullet = th.In(th.Unread, th.Bullet)
	}
	if n.trouble {
		bang = th.In(th.Alarm, "!")
	}
	nameCells, lastCells := treeCells(w)
	label := n.label(t.folded, w)
	unread, counts := "", unreadCells(w)
	if n.unread > 0 && !s.Cfg.NoCounts {
		unread = wording.Count(n.unread)
	} else if w < slim {
		nameCells, counts = nameCells+counts, 0 // a name may use the room of a count
	}
	if more := min(th.Measure.Width(label)-nameCells, counts-len(unread)); more > 0 { // and what a short one leaves
		nameCells, counts = nameCells+more, counts-more
	}
	// The name is cut on its own and made bold without its padding.
	text := th.Measure.Cut(label, nameCells)
	pad := th.Fit("", nameCells-th.Measure.Width(text))
	before, behind := " ", pad+" "
	if n.feed != nil && t.selected[n.feed.Key] {
		before = "+"
	}
	if prose.RightToLeft(label) { // else the number would change places with the name
		name := strings.TrimLeft(text, " ")
		before, behind = cells.Turn(before+text[:len(text)-len(name)], behind, true)
		text = name
	}
	if n.unread > 0 {
		text = th.In(th.Unread, text)
	}
	left := pointer + bullet + bang + before + text + behind + th.Measure.PadLeft(unread, counts)
	room := w - 4 - nameCells - 1 - counts
	if room < 3 {
		return th.Row(left+th.Fit("", room), chosen)
	}
	fact := wording.When(n.last, s.Now)
	if t.tree.order == byOpened {
		fact = t.tree.opened(n)
	}
	right := th.Fit(fact, lastCells) + wording.Due(n.next, s.Now)
	switch {
	case n.kind == nodeFeed && n.trouble:
		more := " " + th.Dot + " w"
		right = view.TroubleOf(n.feed, s.Now)
		if room >= 32 { // what is cut off is one key away, so the key stays
			right = th.Measure.Cut(right, room-2-th.Measure.Width(more))
		}
		right += more
	case n.kind == nodeFeed && n.feed.State == reader.FeedNew && !n.feed.SavesPages():
		right = "not fetched yet"
	case lastCells == 0:
		right = ""
	case n.kind == nodeQuery:
		right = n.query.Query
	}
	right = th.Fit(right, room-2)
	if !chosen && !n.trouble {
		right = th.In(th.Quiet, right)
	}
	return th.Row(left+"  "+right, chosen)
}

func (t *View) Status(s *view.Scene, _ int) view.Status {
	n := t.chosen()
	if n == nil || len(s.Order) == 0 {
		return view.Status{Keys: []string{"a add", "?"}} // a sentence stands in place of the rows
	}
	if len(t.selected) > 0 {
		return view.Status{State: wording.Count(len(t.selected)) + " selected", Keys: []string{"D unsubscribe", "t tag", "y copy", "v select", "Esc ends", "?"}, About: view.AboutKeys}
	}
	hints, about := []string{"Enter items"}, view.AboutRow
	say := n.name + " " + s.Th.Dot + " " + fmt.Sprintf("%s unread", wording.Count(n.unread))
	switch n.kind {
	case nodeFolder:
		say = n.title() + " " + s.Th.Dot + " " + wording.Plural(n.feeds, "feed") + ", " + wording.Count(n.unread) + " unread"
		hints = append(hints, "h fold")
		if t.folded[n.path] {
			hints = []string{"Enter unfold"}
		}
		hints = append(hints, "M mark")
	case nodeQuery:
		say += " " + s.Th.Dot + " " + n.query.Query
		hints = append(hints, "e edit", "D remove")
	case nodeFeed:
		say = n.feed.Title + " " + s.Th.Dot + " " + fmt.Sprintf("%s unread of %s", wording.Count(n.unread), wording.Plural(n.feed.Items, "item"))
		if a := t.tree.of(n); t.tree.order == byOpened && t.tree.attention != nil {
			say = n.feed.Title + " " + s.Th.Dot + fmt.Sprintf(" opened %s of %s", wording.Count(a.Opened), wording.Plural(a.Offered, "item"))
		}
		if n.trouble {
			say, about = n.feed.Title+": "+view.Reason(n.feed, s.Now), view.AboutTrouble
			if hints = append(hints, "w why"); n.feed.Items == 0 {
				hints = []string{"Enter why"}
			}
		}
		if n.feed.Hidden {
			say += " " + s.Th.Dot + " hidden"
		}
		if t.tree.order == byOpened {
			hints = append(hints, "v select", "D unsubscribe")
		} else {
			hints = append(hints, "r fetch", "D unsubscribe")
		}
	}
	if t.narrow.stands() || t.found.Text != "" {
		about = view.AboutKeys
	}
	if t.narrow.stands() {
		fit, all := t.narrow.fitting(s)
		say = fmt.Sprintf("& %s: %s of %s", t.narrow.text, wording.Count(fit), wording.Plural(all, "feed")) + " " + s.Th.Dot + " " + say
	}
	if t.found.Text != "" {
		say = t.found.Say(t.List.Cur) + " " + s.Th.Dot + " " + say
	}
	if t.all[0].trouble {
		hints = append(hints, "! trouble")
	}
	return view.Status{State: say, Keys: append(hints, "?"), About: about}
}

// Speak says what the chosen row of Feeds is.
func (t *View) Speak(s *view.Scene) string {
	state := t.Status(s, view.LinearWidth).State
	return fmt.Sprintf("Feeds, row %d of %d. %s.", t.List.Cur+1, t.List.N, strings.ReplaceAll(state, " "+s.Th.Dot+" ", ", "))
}
