// Package article is the view of an item with its text, and of its enclosures. Open
// shows one, Keys and LinkKeys are what its keys do.
package article

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"sort"
	"strings"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/cells"
	"diurna/ui/prose"
	"diurna/ui/view"
)

// View is an item with its text.
type View struct {
	view.Base
	r       reader.Row // as the list drew it; art says more once it is loaded
	from    view.View  // the list it was opened from; nil: none
	art     reader.Article
	ready   bool
	failed  string // why there is no text
	gen     uint64
	opening int // which opening of an article this is, for undo

	text                prose.Page
	head                []string // the heading block, without indent
	linkLine, linkLines int      // where the link of the item stands in it
	titled              int      // how many lines of it are the title, after an empty one
	width               int      // cells of the text page and head are laid out for
	clusters            bool     // measured by clusters, see cells.Measure
	top                 int      // the line at the top
	meant               spot     // what stood there on a smaller screen
	para                int      // where the last session left it, until it is laid out: see position
	into                int
	high                int

	full    full
	link    int    // the chosen link, 0: none
	number  string // digits typed so far
	digits  uint64 // the key press that the last of them was
	letters []letter
	letter  string     // the first of two that was typed
	copying bool       // the next letter copies instead of opening
	missed  uint64     // the key press that found no link to put a letter on
	early   []earlyKey // typed before the text came
	now     *earlyKey  // the one of them that is done; nil: none
	found   view.Found
	at      int           // the line of the match that find went to last
	coming  reader.ItemID // the unread item that was announced, 0: none
}

// letter is the letters that lead to a link of the screen.
type letter struct {
	keys string
	link int
}

func (a *View) Context() view.Context {
	if a.letters != nil {
		return view.CtxLetters
	}
	return view.CtxArticle
}

func (a *View) Row() *reader.Row { return &a.r }

func (a *View) Rows() []*reader.Row { return []*reader.Row{&a.r} }

func (a *View) Origin() view.View { return a.from }

func (a *View) Beside() (view.View, bool) { return a.from, false }

// Whole reports whether the text is there.
func (a *View) Whole() bool { return a.ready }

func (a *View) Opening() int { return a.opening }

// Link is the chosen link of the text, else the item's own.
func (a *View) Link() (addr, title string, ok bool) {
	if a.link > 0 && a.link <= len(a.text.Links) {
		return a.text.Links[a.link-1].URL, view.TitleOf(a.r.Title), true
	}
	return a.art.Address(), view.TitleOf(a.r.Title), a.ready && a.failed == ""
}

func (a *View) Amend(ids map[reader.ItemID]bool, do func(*reader.Row)) {
	if ids == nil || ids[a.r.ID] {
		do(&a.r)
		a.width = 0 // the heading names the tags
	}
}

func (a *View) Keep(p *view.Place) {
	p.Article = a.r.ID
	p.Para, p.Into = a.position()
}

func (a *View) Matches(_ *view.Scene, text string) (int, bool) { return len(a.search(text)), true }

func (a *View) Find(h view.Host, text string) {
	if i := a.found.Stand(h, text, a.search(text), a.top-1, "Nothing in the text"); i >= 0 {
		a.at = i
		a.goTo(i - len(a.head))
	}
}

func (a *View) Title(s *view.Scene, _ int) (string, string) {
	when := s.Local(a.r.At)
	at := ""
	if a.r.At != 0 {
		at = when.Format("Mon 2 Jan, 15:04")
		if when.Year() != s.Now.Year() {
			at = when.Format("2 Jan 2006, 15:04")
		}
	}
	if a.r.ID == 0 { // the text of a page that has no row in River
		return a.r.Title, at
	}
	return s.FeedTitle(a.r.ID.Feed()), at
}

// textCells gives the indent and the width of the text on w cells: it stands in the
// middle of what is wider.
func textCells(s *view.Scene, w int) (indent, width int) {
	indent = 4
	if w < view.Wide {
		indent = max(0, min(2, (w-prose.MinWidth)/2))
	}
	most := s.Cfg.Width
	if most <= 0 {
		most = view.DefaultWidth
	}
	width = max(prose.MinWidth, min(most, w-2*indent))
	return max(indent, (w-width)/2), width
}

// layout wraps the text for a width, once; the first visible paragraph stays
// the first when the width changes.
func (a *View) layout(s *view.Scene, width int) {
	if a.width == width && a.clusters == s.Th.Measure.Graphemes {
		return
	}
	para, into := -1, 0
	if a.width != 0 {
		para, into = a.position()
		para--
	}
	if a.ready && (a.para > 0 || a.into > 0) { // back from another session
		para, into = a.para-1, a.into
		a.top, a.para, a.into = into, 0, 0
	}
	a.width, a.clusters = width, s.Th.Measure.Graphemes
	a.text = prose.Page{}
	if a.ready && a.failed == "" {
		html, base, _ := a.full.of(&a.art)
		a.text = prose.Layout{Width: width, Signs: s.Th.Signs(), Graphemes: a.clusters, ASCII: s.Th.Measure.ASCII}.Render(html, base)
	}
	a.head = a.heading(s, width)
	if para >= 0 && para < len(a.text.Paras) {
		a.top = a.lineOf(para, into)
	}
	if a.found.Text != "" {
		a.found.Hits = a.search(a.found.Text)
	}
}

// spot is a place in the text: a paragraph, counted from 1, how many lines of it are
// scrolled out, and the line at the top that shows it and what is before it, because a
// larger screen has room for that.
type spot struct{ para, into, top int }

// lineOf is the line of the screen's text that is into lines behind the beginning of a
// paragraph, counted from 0, or that paragraph's last.
func (a *View) lineOf(para, into int) int {
	para = min(para, len(a.text.Paras)-1)
	if para < 0 {
		return 0
	}
	last := len(a.text.Lines) - 1
	if para+1 < len(a.text.Paras) {
		last = a.text.Paras[para+1] - 1
	}
	return len(a.head) + min(a.text.Paras[para]+into, max(last, a.text.Paras[para]))
}

// position is the paragraph at the top of the screen, counted from 1, and how
// many lines of it are scrolled out; 0 and the line while it is the heading.
func (a *View) position() (para, into int) {
	if line := a.top - len(a.head); line > 0 {
		if para = sort.SearchInts(a.text.Paras, line+1); para > 0 {
			return para, line - a.text.Paras[para-1]
		}
	}
	return 0, a.top
}

// heading gives title, site, length, tags and the link in full, because it is
// what gets copied.
func (a *View) heading(s *view.Scene, width int) []string {
	lines := []string{""}
	lines = append(lines, wrapped(s, view.TitleOr(a.r.Title, a.art.Lead), width)...)
	a.titled = len(lines) - 1
	if !a.ready {
		return append(lines, "")
	}
	var facts []string
	if u, err := url.Parse(a.art.Link); err == nil && u.Host != "" {
		facts = append(facts, strings.TrimPrefix(u.Host, "www."))
	}
	if a.art.Author != "" {
		facts = append(facts, a.art.Author)
	}
	if _, _, n := a.full.of(&a.art); n > 0 {
		facts = append(facts, wording.Plural(n, "word"))
	}
	if len(a.r.Tags) > 0 {
		facts = append(facts, "tags: "+strings.Join(a.r.Tags, ", "))
	}
	if n := len(a.art.Enclosures); n > 0 {
		files := wording.Plural(n, "enclosure") + " (" + cmp.Or(s.Key(view.CtxArticle, "e"), ":enclosures") + ")"
		if played := wording.Played(a.art.Enclosures[0].Seconds); played != "" {
			files += ", " + played
		}
		facts = append(facts, files)
	}
	if len(facts) > 0 {
		lines = append(lines, wrapped(s, strings.Join(facts, " "+s.Th.Dot+" "), width)...)
	}
	a.linkLine, a.linkLines = len(lines), 0
	for link := s.Th.Measure.Cut(a.art.Link, 4096); link != ""; {
		part := cutExact(link, width)
		lines = append(lines, part)
		a.linkLines++
		link = link[len(part):]
	}
	if a.art.Edits > 0 {
		lines = append(lines, sayEdited(a.art.Edits, a.art.Kept))
	}
	if say := a.full.say(s, a.art.Full); say != "" {
		lines = append(lines, wrapped(s, say, width)...)
	}
	lines = append(lines, "")
	if a.failed != "" {
		lines = append(lines, wrapped(s, a.failed, width)...)
	} else if len(a.text.Lines) == 0 {
		lines = append(lines, "(no text; o opens the link in the browser)")
	}
	return lines
}

// wrapped breaks a text as a paragraph of the article: between ideographs too,
// and inside a word that is wider than a line. Nothing is cut.
func wrapped(s *view.Scene, text string, width int) []string {
	text = s.Th.Measure.Clean(text)
	var lines []string
	for _, p := range (prose.Layout{Width: width, Graphemes: s.Th.Measure.Graphemes}).Wrap(text) {
		lines = append(lines, text[p[0]:p[1]])
	}
	return lines
}

// sayEdited says how often a publisher changed an item; kept are the changes
// since it was read, which d shows.
func sayEdited(edits, kept int) string {
	times := func(n int) string {
		if n == 1 {
			return "edited once"
		}
		return fmt.Sprintf("edited %s times", wording.Count(n))
	}
	if kept == 0 {
		return times(edits) + " before you read it"
	}
	return times(kept) + ", d shows what"
}

// cutExact gives the first w bytes of an address, which is ASCII or has no
// cell wider than its bytes; whole characters only.
func cutExact(s string, w int) string {
	if len(s) <= w {
		return s
	}
	for w > 1 && s[w]&0xc0 == 0x80 {
		w--
	}
	return s[:max(1, w)]
}

// total counts the lines of heading and text.
func (a *View) total() int { return len(a.head) + len(a.text.Lines) }

// scroll moves by d lines.
func (a *View) scroll(d int) { a.top = max(0, min(a.top+d, a.total()-a.high)) }

// end reports whether the last line is on the screen.
func (a *View) end() bool { return a.top+a.high >= a.total() }

// goTo brings a line of the text to the upper part of the screen.
func (a *View) goTo(line int) {
	a.top = max(0, min(line+len(a.head)-a.high/4, a.total()-a.high))
}

// search gives the lines of heading and text that hold all words.
func (a *View) search(text string) []int32 {
	words := strings.Fields(strings.ToLower(text))
	var hits []int32
	for i := range a.total() {
		low := strings.ToLower(a.plain(i))
		hit := len(words) > 0
		for _, w := range words {
			hit = hit && strings.Contains(low, w)
		}
		if hit {
			hits = append(hits, int32(i))
		}
	}
	return hits
}

func (a *View) plain(i int) string {
	if i < len(a.head) {
		return a.head[i]
	}
	return a.text.Lines[i-len(a.head)].Plain()
}

func (a *View) Lines(s *view.Scene, w, h int) []string {
	indent, width := textCells(s, w)
	back := a.width != 0 && (a.high != h || a.width != width) && a.meant.top == a.top && a.meant.para > 0
	a.high = h
	a.layout(s, width)
	if back {
		a.top = a.lineOf(a.meant.para-1, a.meant.into)
	}
	if most := max(0, a.total()-h); a.top > most {
		a.meant.para, a.meant.into = a.position()
		a.top, a.meant.top = most, most
	}
	a.top = max(0, a.top)
	lines := make([]string, 0, h)
	for i := a.top; i < a.total() && len(lines) < h; i++ {
		lines = append(lines, a.drawLine(s, i, indent, w))
	}
	return s.Fill(lines, w, h)
}

func (a *View) drawLine(s *view.Scene, i, indent, w int) string {
	margin := s.Th.Fit("", indent)
	if _, hit := slices.BinarySearch(a.found.Hits, int32(i)); hit {
		out := max(0, indent-4)
		margin = s.Th.Fit("", out) + s.Th.In(s.Th.Pointer, ">") + s.Th.Fit("", indent-out-1)
	}
	room := w - indent
	if i < len(a.head) {
		text := s.Th.Measure.Cut(a.head[i], room)
		before, behind := cells.Turn(margin, s.Th.Fit("", room-s.Th.Measure.Width(text)), prose.RightToLeft(text))
		if i >= 1 && i <= a.titled {
			text = s.Th.In(s.Th.Unread, text)
		}
		if a.linkLine > 0 && i >= a.linkLine && i < a.linkLine+a.linkLines {
			text = s.Th.Span(text, prose.Link, false, a.art.Link, fmt.Sprintf("%d-0", a.opening))
		}
		return before + text + behind
	}
	line := &a.text.Lines[i-len(a.head)]
	text, left := a.spans(s, line.Spans, room)
	before, behind := cells.Turn(margin, s.Th.Fit("", left), line.RightToLeft)
	return before + text + behind
}

// spans draws the pieces of a line in at most room cells and says how many are left.
func (a *View) spans(s *view.Scene, spans []prose.Span, room int) (text string, left int) {
	var b strings.Builder
	left = room
	for _, sp := range spans {
		text := sp.Text
		if a.letters != nil && sp.Link != 0 {
			text = a.lettered(text, sp.Link)
		}
		text = s.Th.Measure.Cut(text, left)
		left -= s.Th.Measure.Width(text)
		addr, id := "", ""
		if s.Th.Links && sp.Link > 0 && sp.Link <= len(a.text.Links) {
			addr, id = a.text.Links[sp.Link-1].URL, fmt.Sprintf("%d-%d", a.opening, sp.Link)
		}
		b.WriteString(s.Th.Span(text, sp.Style, sp.Link != 0 && sp.Link == a.link, addr, id))
	}
	return b.String(), left
}

// lettered puts the letters of a link where its number stands.
func (a *View) lettered(text string, link int) string {
	number := fmt.Sprintf("[%d]", link)
	for _, l := range a.letters {
		if l.link == link {
			return strings.Replace(text, number, "["+l.keys+"]", 1)
		}
	}
	return text
}

// visibleLinks gives the links whose number stands on the screen, in order.
func (a *View) visibleLinks() []int {
	var links []int
	seen := make(map[int]bool)
	for i := max(a.top, len(a.head)); i < min(a.top+a.high, a.total()); i++ {
		for _, sp := range a.text.Lines[i-len(a.head)].Spans {
			if sp.Link != 0 && !seen[sp.Link] && sp.Link <= len(a.text.Links) {
				seen[sp.Link] = true
				links = append(links, sp.Link)
			}
		}
	}
	return links
}

// linkKeys are the letters that lead to links; y is left out because it copies.
const linkKeys = "asdfghjklqwertuiopzxcvbnm"

// letterLinks gives letters to the links on the screen: one each, or two when
// there are more links than letters.
func (a *View) letterLinks() {
	links := a.visibleLinks()
	a.letters = make([]letter, 0, len(links))
	for i, link := range links {
		keys := linkKeys[i%len(linkKeys) : i%len(linkKeys)+1]
		if len(links) > len(linkKeys) {
			first := i / len(linkKeys) % len(linkKeys)
			keys = linkKeys[first:first+1] + keys
		}
		a.letters = append(a.letters, letter{keys, link})
	}
	a.letter, a.copying = "", false
}

func (a *View) Status(s *view.Scene, w int) view.Status {
	switch {
	case len(a.early) > 0:
		return view.Status{State: "waiting for the text", Keys: []string{"q back"}, About: view.AboutKeys}
	case a.letters != nil && a.copying:
		return view.Status{State: "a letter copies that link, Esc", About: view.AboutKeys}
	case a.letters != nil:
		return view.Status{State: "letter opens, y letter copies, Esc", About: view.AboutKeys}
	case a.link > 0 && a.link <= len(a.text.Links):
		return view.Status{State: fmt.Sprintf("link %d of %d: %s", a.link, len(a.text.Links), a.text.Links[a.link-1].URL),
			Keys: []string{"Enter/o open", "y copy", "Esc"}, About: view.AboutKeys}
	case a.found.Text != "":
		return view.Status{State: a.found.Say(a.at), Keys: []string{"n N next, previous", "Esc ends", "?"}, About: view.AboutKeys}
	}
	percent := 100
	if t := a.total(); t > 0 && !a.end() {
		percent = min(99, (a.top+a.high)*100/t)
	}
	at, save := fmt.Sprintf("%d %%", percent), "s save"
	if a.r.ID != 0 && a.r.Flags&reader.FlagRead == 0 {
		at += ", unread"
	}
	if a.r.Flags&reader.FlagSaved != 0 {
		at, save = at+", saved", "s unsave"
	}
	keys := []string{"space on", "n next unread", "o browser", "f links", "y copy", save, "q back"}
	return view.Status{State: s.Th.Words(append([]string{at}, keys...), w-2)}
}
