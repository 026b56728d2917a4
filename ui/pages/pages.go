// Package pages is the view of watched pages and the advice about them. New makes
// it, Take gives it the pages, Keys is what its keys do.
package pages

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/advice"
	"diurna/reader/pagestate"
	"diurna/reader/wording"
	"diurna/ui/article"
	"diurna/ui/cells"
	"diurna/ui/diff"
	"diurna/ui/view"
)

// View is the view of watched pages: a row each, and below it the advice
// about it, if there is any.
type View struct {
	lib   Library
	pages Watched
	desk  Desk
	view.Listing
	all     []reader.Page
	tips    []reader.Suggestion
	entries []pageRow
	ready   bool // the pages were read at least once
	found   view.Found
	names   int           // cells of the longest name
	whys    int           // and of the longest reason
	cols    [5]int        // as they are drawn, see cells
	gen     uint64        // of the advice that is awaited
	want    reader.FeedID // chosen as soon as it is there

	selected map[reader.FeedID]bool
}

// pageRow is a page, or with a tip the advice about it.
type pageRow struct {
	page *reader.Page
	tip  *reader.Suggestion
}

func (p *View) Context() view.Context { return view.CtxPages }

func (p *View) Title(*view.Scene, int) (string, string) { return "Pages", "" }

func (p *View) Over() (string, bool) { return "", true }

// New makes the view, without pages.
func New(lib Library, pages Watched, desk Desk) *View {
	return &View{lib: lib, pages: pages, desk: desk}
}

// Take takes in the pages there are now.
func (p *View) Take(all []reader.Page) { p.take(all, p.tips) }

// Want lets a page be chosen as soon as it is there; 0: none.
func (p *View) Want(id reader.FeedID) { p.want = id }

// Shown asks for the advice, or for fresh numbers.
func (p *View) Shown(h view.Host, entered bool) tea.Cmd {
	if !entered {
		return h.Reload()
	}
	p.found = view.Found{}
	return p.askTips(h)
}

func (p *View) Back(view.Host) view.Backing {
	if p.Unselect() || p.found.End() {
		return view.BackWithin
	}
	return view.BackOut
}

func (p *View) Feeds() (ids []reader.FeedID, all bool) {
	for _, pg := range p.selectedPages() {
		ids = append(ids, pg.Key)
	}
	return ids, false
}

func (p *View) About() (reader.FeedID, string) {
	if r := p.chosen(); r != nil {
		return r.page.Key, ""
	}
	return 0, ""
}

// take makes the rows and keeps the chosen one chosen.
func (p *View) take(all []reader.Page, tips []reader.Suggestion) {
	keep, advice := reader.FeedID(0), false
	if c := p.chosen(); c != nil {
		keep, advice = c.page.Key, c.tip != nil
	}
	p.all, p.tips, p.ready = all, tips, true
	p.entries, p.names, p.whys = p.entries[:0], 0, 0
	for i := range all {
		p.entries = append(p.entries, pageRow{page: &all[i]})
		if pg := &all[i]; !view.Broken(pg) { // those in trouble have no columns
			p.names, p.whys = max(p.names, cells.Width(pg.Title)), max(p.whys, cells.Width(pg.Why))
		}
		for k := range tips {
			if tips[k].Page == all[i].Key {
				p.entries = append(p.entries, pageRow{&all[i], &tips[k]})
			}
		}
	}
	p.List.N = len(p.entries)
	p.found = view.Found{}
	if p.want != 0 && p.choosePage(p.want) {
		p.want = 0
		return
	}
	if p.choosePage(keep) && advice && p.List.Cur+1 < len(p.entries) && p.entries[p.List.Cur+1].tip != nil {
		p.List.Set(p.List.Cur+1, max(1, p.High))
	}
}

// choosePage puts the cursor on a page; false where it is not there.
func (p *View) choosePage(id reader.FeedID) bool {
	at, found := p.List.Cur, false
	for i := range p.entries {
		if p.entries[i].page.Key == id && p.entries[i].tip == nil {
			at, found = i, true
		}
	}
	p.List.Set(at, max(1, p.High))
	return found
}

func (p *View) chosen() *pageRow {
	if p.List.N == 0 || p.List.Cur >= len(p.entries) {
		return nil
	}
	return &p.entries[p.List.Cur]
}

// selectedPages are the pages that D and y act on.
func (p *View) selectedPages() []*reader.Page {
	var out []*reader.Page
	for i := range p.all {
		if p.selected[p.all[i].Key] {
			out = append(out, &p.all[i])
		}
	}
	if c := p.chosen(); len(out) == 0 && c != nil {
		out = append(out, c.page)
	}
	return out
}

// cells are the columns of Pages: title, last change, why, score, next fetch, as wide
// as what stands in them. Where there is little room the last ones go first; what the
// others leave is for reasons and names.
func (p *View) cells(s *view.Scene, w int) (title, last, why, score, due int) {
	last, due = len("last change"), len("next fetch")
	for i := range p.all {
		pg := &p.all[i]
		last, due = max(last, len(changed(s, pg))), max(due, len(wording.Due(pg.NextFetch, s.Now)))
	}
	switch {
	case w < view.Wide:
		return w - 4 - 1 - last - 1 - 5, last + 1, 0, 5, 0
	case w < 80:
		return w - 4 - 1 - last - 1 - 5 - 2 - due, last + 1, 0, 5, due
	}
	last += 2
	room := w - 4 - 2 - last - 2 - 6 - 2 - due
	title = min(max(p.names, 4), max(24+min(w-80, 16), room-p.whys))
	return title, last, room - title, 6, due
}

// changed says when a page changed last.
func changed(s *view.Scene, pg *reader.Page) string {
	if pg.Changed.IsZero() {
		return "none yet"
	}
	return wording.When(pg.Changed, s.Now)
}

const sayNoPages = "No page is watched. a adds one: w there watches the page itself for changes."

func (p *View) Lines(s *view.Scene, w, h int) []string {
	title, last, why, score, due := p.cells(s, w)
	p.cols = [5]int{title, last, why, score, due}
	head := "    " + s.Th.Fit("page", title) + " " + s.Th.Fit("last change", last)
	if why > 0 {
		head = "    " + s.Th.Fit("page", title) + "  " + s.Th.Fit("last change", last) + s.Th.Fit("what", why+2)
	}
	head += s.Th.Measure.PadLeft("score", score)
	if due > 0 {
		head += "  next fetch"
	}
	lines := []string{s.Th.In(s.Th.Head, s.Th.Fit(head, w))}
	p.Above = len(lines)
	p.FitTo(h - 1)
	if p.ready && len(p.entries) == 0 {
		lines = append(lines, s.Th.Fit("", w))
		return s.Fill(append(lines, s.Wrap(sayNoPages, 1, w)...), w, h)
	}
	for i := p.List.Top; i < p.List.N && len(lines) < h; i++ {
		lines = append(lines, p.draw(s, i, w))
	}
	return s.Fill(lines, w, h)
}

// draw draws one row in w cells.
func (p *View) draw(s *view.Scene, i, w int) string {
	th := &s.Th
	r := &p.entries[i]
	pointer, bullet, sign, mark := " ", " ", " ", " "
	if i == p.List.Cur {
		pointer = th.In(th.Pointer, ">")
	}
	if r.tip != nil {
		return th.Row(pointer+th.Fit("      "+sayTip(r.tip), w-1), i == p.List.Cur)
	}
	if r.page.Unread > 0 {
		bullet, sign = th.In(th.Unread, th.Bullet), th.In(th.Changed, "~")
	}
	if view.Broken(r.page) {
		sign = th.In(th.Alarm, "!")
	}
	if p.selected[r.page.Key] {
		mark = "+"
	}
	title := p.cols[0]
	said := p.facts(s, r.page, w)
	if view.Broken(r.page) || r.page.State == pagestate.NotFetched { // no columns: the name gets what the sentence leaves
		title = max(title, min(th.Measure.Width(r.page.Title), w-4-th.Measure.Width(said)))
	}
	name := th.Measure.Cut(r.page.Title, title)
	pad := th.Fit("", title-th.Measure.Width(name))
	if r.page.Unread > 0 {
		name = th.In(th.Unread, name)
	}
	facts := th.Fit(said, w-4-title)
	if i != p.List.Cur && !view.Broken(r.page) {
		facts = th.In(th.Quiet, facts)
	}
	return th.Row(pointer+bullet+sign+mark+name+pad+facts, i == p.List.Cur)
}

// facts is what stands behind the title: when, what, how much and when next, or
// what is wrong and since when.
func (p *View) facts(s *view.Scene, pg *reader.Page, w int) string {
	title, last, why, score, due := p.cols[0], p.cols[1], p.cols[2], p.cols[3], p.cols[4]
	gap := " "
	if why > 0 {
		gap = "  "
	}
	switch {
	case view.Broken(pg):
		// Since when stays in sight, however long the reason.
		since := " " + s.Th.Dot + " w"
		if !pg.Since.IsZero() {
			since = " since " + view.SinceDay(pg.Since, s.Now) + since
		}
		room := w - 4 - title - len(gap) - s.Th.Measure.Width(since)
		if room < 16 {
			return gap + view.PageTrouble(pg, s.Now)
		}
		return gap + s.Th.Measure.Cut(cmp.Or(pg.Error, pg.State.String()), room) + since
	case pg.State == pagestate.NotFetched:
		return gap + "not fetched yet"
	}
	points := ""
	if !pg.Changed.IsZero() {
		points = fmt.Sprintf("%.1f", pg.Score)
	}
	line := gap + s.Th.Fit(changed(s, pg), last)
	if why > 0 {
		line += s.Th.Fit(pg.Why, why) + "  "
	}
	line += s.Th.Measure.PadLeft(points, score)
	if due > 0 {
		line += "  " + wording.Due(pg.NextFetch, s.Now)
	}
	return line
}

// sayTip is advice in one line, with its reason.
func sayTip(t *reader.Suggestion) string {
	reason := strings.TrimSuffix(t.Reason, ".")
	switch t.Kind {
	case advice.RaiseInterval:
		return "fetch it every " + t.To + ": " + reason
	case advice.RaiseThreshold:
		return "report only changes above " + t.To + ": " + reason
	case advice.IgnoreBlock:
		return "ignore a block: " + reason
	}
	return reason // that it always changes: there is nothing to set
}

func (p *View) Status(s *view.Scene, _ int) view.Status {
	r := p.chosen()
	switch {
	case r == nil:
		return view.Status{Keys: []string{"a add", "?"}}
	case len(p.selected) > 0:
		return view.Status{State: wording.Count(len(p.selected)) + " selected", Keys: []string{"D unwatch", "y copy", "v select", "Esc ends", "?"}, About: view.AboutKeys}
	case r.tip != nil:
		return view.Status{State: "advice about " + r.page.Title, Keys: []string{"+ accept", "- decline", "i settings", "?"}}
	}
	sep := " " + s.Th.Dot + " "
	say, about := r.page.Title+sep, view.AboutRow
	switch {
	case view.Broken(r.page):
		say = view.PageTrouble(r.page, s.Now) + sep + r.page.Title
		about = view.AboutTrouble
	case r.page.Changed.IsZero():
		say += "no change so far"
	case r.page.Unread > 0:
		say += "changed, " + wording.Count(r.page.Unread) + " unread"
	default:
		say += "changed, read"
	}
	if r.page.Why != "" && about == view.AboutRow && s.Th.Measure.Width(r.page.Why) > p.cols[2] {
		say = r.page.Why + sep + say
	}
	if n := len(r.page.IgnoreBlocks); n > 0 {
		say += sep + wording.Plural(n, "block") + " ignored"
	}
	if p.found.Text != "" {
		about = view.AboutKeys
		say = p.found.Say(p.List.Cur) + sep + say
	}
	return view.Status{State: say, Keys: []string{"Enter what changed", "i settings", "r fetch", "D unwatch", "?"}, About: about}
}

// Peek names the state of the chosen page and shows its last change, else its text.
func (p *View) Peek() (of string, show func(view.Host) (view.View, tea.Cmd)) {
	r := p.chosen()
	if r == nil || r.page.Revisions == 0 {
		return "", nil
	}
	pg := *r.page
	return fmt.Sprintf("%s %d %d", pg.Key, pg.Revisions, pg.LastItem), func(h view.Host) (view.View, tea.Cmd) {
		if pg.Changed.IsZero() && pg.Revisions < 2 {
			return article.New(h, p.textOf(&pg))
		}
		d := diff.New(h, p.lib, p.pages, diff.Of{Name: pg.Title, Feed: pg.Key})
		return d, d.LoadChange(h, 0, 0)
	}
}

// search gives the rows whose title or address holds all words.
func (p *View) search(text string) []int32 {
	words := strings.Fields(strings.ToLower(text))
	var hits []int32
	for i := range p.entries {
		low := strings.ToLower(p.entries[i].page.Title + " " + p.entries[i].page.URL)
		hit := len(words) > 0 && p.entries[i].tip == nil
		for _, w := range words {
			hit = hit && strings.Contains(low, w)
		}
		if hit {
			hits = append(hits, int32(i))
		}
	}
	return hits
}

// Speak says what the chosen row of Pages is.
func (p *View) Speak(s *view.Scene) string {
	r := p.chosen()
	if r == nil {
		return sayNoPages
	}
	text := fmt.Sprintf("Pages, row %d of %d. ", p.List.Cur+1, p.List.N)
	if r.tip != nil {
		return text + "Advice: " + sayTip(r.tip) + ". + accepts, - declines."
	}
	text += r.page.Title + ". "
	switch {
	case view.Broken(r.page):
		text += "In trouble: " + view.PageTrouble(r.page, s.Now) + "."
	case r.page.State == pagestate.NotFetched:
		text += "Not fetched yet."
	case r.page.Changed.IsZero():
		text += "No change so far."
	default:
		state := "Read"
		if r.page.Unread > 0 {
			state = "Unread"
		}
		text += fmt.Sprintf("%s. Changed %s, score %.1f: %s.", state, wording.When(r.page.Changed, s.Now), r.page.Score, s.Th.Measure.Cut(r.page.Why, 400))
	}
	return text
}
