package ui

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// What keys do in a diff, and how one is opened.

func diffKeys() []view.Binding {
	return []view.Binding{
		view.Bind("j down", "line down, up", "scroll", at(func(m *model) tea.Cmd { return m.move(1) })),
		view.Bind("k up", view.Ditto, "", at(func(m *model) tea.Cmd { return m.move(-1) })),
		view.Bind("space pgdown ctrl+f", "page on, then next unread", "scroll", on((*diff).readOn)),
		view.Bind("b pgup ctrl+b", view.Ditto, "", at(func(m *model) tea.Cmd { return m.page(-1, 1) })),
		view.Bind("ctrl+d", "half a page", "scroll", at(func(m *model) tea.Cmd { return m.page(1, 2) })),
		view.Bind("ctrl+u", view.Ditto, "", at(func(m *model) tea.Cmd { return m.page(-1, 2) })),
		view.Bind("g home", "top, end", "first last bottom", at((*model).goTop)),
		view.Bind("G end", view.Ditto, "", at((*model).goEnd)),
		view.Bind("n", "next, previous change, match", "difference hunk", by((*diff).nextHit, 1)),
		view.Bind("N", view.Ditto, "", by((*diff).nextHit, -1)),
		view.Bind("}", "next, previous heading", "section", by((*diff).nextPart, 1)),
		view.Bind("{", view.Ditto, "", by((*diff).nextPart, -1)),
		view.Bind("] ctrl+n", "newer, older revision", "version history", by((*diff).otherRevision, 1)),
		view.Bind("[ ctrl+p", view.Ditto, "", by((*diff).otherRevision, -1)),
		view.Bind("enter l right", "unfold what is unchanged, fold", "context expand", on((*diff).toggleFold)),
		view.Bind("c", "side by side, or one column", "columns split unified", on((*diff).sideBySide)),
		view.Bind("w", "the score's terms", "why points weight", on((*diff).showTerms)),
		view.Bind("i", "ignore this block", "hide rule noise", on((*diff).ignoreBlock)),
		view.Bind("x", "the whole new text", "rendered article full", on((*diff).showWhole)),
		view.Bind("J", "next, previous item", "", by((*diff).nextItem, 1)),
		view.Bind("K", view.Ditto, "", by((*diff).nextItem, -1)),
		view.Bind("m", "read or unread", "mark toggle seen", at((*model).toggleRead)),
		view.Bind("s", "save, tag", "star favourite flag bookmark keep later", at((*model).toggleSaved)),
		view.Bind("t", view.Ditto, "label category tag", at((*model).askTag)),
		view.Bind("o", "browser; and on to next", "web link url open", at((*model).browse)),
		view.Bind("O", view.Ditto, "web link url", at((*model).browse)),
		view.Bind("y", "copy link; title and link", "yank clipboard url", at((*model).copyLink)),
		view.Bind("Y", view.Ditto, "", at((*model).copyBoth)),
		view.Bind("/", "find in the changes", "search", at((*model).askFind)),
	}
}

// without leaves out the bindings of some keys.
func without(rows []view.Binding, keys ...string) []view.Binding {
	var left []view.Binding
	for _, b := range rows {
		if !slices.Contains(keys, b.Keys[0]) {
			left = append(left, b)
		}
	}
	return left
}

// openDiff shows a diff over what is there; cmd asks for what it holds.
func (m *model) openDiff(d *diff) *diff {
	m.sitting++
	d.gen, d.opening = m.Gen(), m.sitting
	m.Push(d)
	return d
}

// openChange shows the change that a row of a watched page tells of.
func (m *model) openChange(r *reader.Row, from *items) tea.Cmd {
	d := m.openDiff(&diff{name: m.FeedTitle(r.ID.Feed()), feed: r.ID.Feed(), r: *r, from: from})
	return m.eff.changeOf(d.gen, r.ID)
}

// resumeDiff goes back to the diff of the last sitting, and to the line of it.
func (m *model) resumeDiff(id reader.ItemID) tea.Cmd {
	from := itemsOf(m.base())
	d := &diff{name: m.FeedTitle(id.Feed()), r: reader.Row{ID: id, Flags: reader.FlagRead}, from: from, pages: m.view == viewPages,
		want: spot{m.place.Para, m.place.Into}}
	if f := m.Feeds[id.Feed()]; f != nil && f.Watched {
		d.feed = f.Key
		m.openDiff(d)
		if m.place.Revs[1] > 0 {
			return m.eff.change(d.gen, d.feed, m.place.Revs[0], m.place.Revs[1])
		}
		return m.eff.changeOf(d.gen, id)
	}
	d.edit = true
	m.openDiff(d)
	return m.eff.itemChange(d.gen, id, max(0, m.place.Revs[0]))
}

// showEdits shows what its publisher changed in an item.
func (m *model) showEdits() tea.Cmd {
	r := m.chosenRow()
	if r == nil {
		return nil
	}
	if f := m.Feeds[r.ID.Feed()]; f != nil && f.Watched {
		return m.openChange(r, m.items())
	}
	d := m.openDiff(&diff{name: view.TitleOf(r.Title), r: *r, from: m.items(), edit: true})
	return m.eff.itemChange(d.gen, r.ID, 0)
}

// got takes in a comparison, and asks for it again under the settings of now
// when a step changed them.
func (d *diff) Got(h view.Host, msg tea.Msg) tea.Cmd {
	m := of(h)
	switch msg := msg.(type) {
	case view.SettingMsg:
		if d.ready && !d.edit {
			d.gen = m.Gen()
			return m.eff.change(d.gen, d.feed, d.base, d.no)
		}
	case diffMsg:
		if msg.gen == d.gen && d.gen != 0 {
			d.gotDiff(m, msg)
		}
	}
	return nil
}

func (d *diff) gotDiff(m *model, msg diffMsg) {
	if msg.err != nil {
		say := view.Sentence(msg.err)
		if d.edit && errors.Is(msg.err, reader.ErrNotFound) {
			say = "Nothing is kept of what this item said before. An edit is kept once the item was read."
		}
		if d.wrong = say; !d.ready && m.IsTop(d) {
			m.Pop() // nothing was shown yet: back, with the reason
		}
		m.Say(say)
		return
	}
	if c := msg.change; c != nil {
		d.name, d.link, d.feed = c.Page.Title, cmp.Or(c.To.Address, c.Page.Site, c.Page.URL), c.Page.Key
		if c.To.Child {
			d.name = bare(plain.Redact(d.link))
		}
		again := d.ready && d.base == c.From.No && d.no == c.To.No
		d.base, d.no, d.of, d.old, d.at = c.From.No, c.To.No, c.Of, c.From.At, c.To.At
		d.limit = c.Page.Threshold
		d.show(c.Diff, again)
	}
	if e := msg.edit; e != nil {
		d.name, d.link, d.no, d.of, d.at = view.TitleOf(e.Item.Title), e.Item.Address(), e.No, e.Of, e.At
		d.show(e.Diff, false)
	}
}

func (d *diff) readOn(m *model) tea.Cmd {
	if !d.end(&m.Scene) {
		return d.Page(m, 1, 1)
	}
	return m.readNext(d.from, d.r.ID, &d.coming)
}

func (d *diff) nextItem(m *model, by int) tea.Cmd {
	if d.pages {
		return m.otherPage(d, by)
	}
	return m.openBeside(d.from, d.r.ID, by)
}

// otherRevision shows the change before or after the present one.
func (d *diff) otherRevision(m *model, by int) tea.Cmd {
	if !d.ready {
		return nil
	}
	if !d.edit {
		d.gen = m.Gen()
		return m.eff.changeBeside(d.gen, d.feed, d.base, d.no, by)
	}
	switch no := d.no + by; {
	case no > d.of:
		m.Say("This is the newest edit.")
	case no < 1:
		m.Say("There is no older edit.")
	default:
		d.gen = m.Gen()
		return m.eff.itemChange(d.gen, d.r.ID, d.of-no)
	}
	return nil
}

// bare is an address without what all of them begin with.
func bare(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	return rest
}

// nextHit goes to the next change, or the next match while a find stands.
func (d *diff) nextHit(m *model, by int) tea.Cmd {
	switch {
	case !d.ready:
	case d.found.Text != "":
		if i := d.found.Step(d.cur.row, by); i >= 0 {
			d.goRow(&m.Scene, i)
		}
	case d.nextChange(&m.Scene, by):
	case by > 0:
		m.Say("That was the last change. ] [ show other revisions.")
	case len(d.changes) > 0:
		m.Say("This is the first change.")
	}
	return nil
}

func (d *diff) toggleFold(m *model) tea.Cmd {
	d.unfold(&m.Scene)
	return nil
}

func (d *diff) nextPart(m *model, by int) tea.Cmd {
	d.nextHead(&m.Scene, by)
	return nil
}

func (d *diff) sideBySide(m *model) tea.Cmd {
	if m.W < view.Beside {
		m.Say(fmt.Sprintf("Side by side needs %d columns; here are %d.", view.Beside, m.W))
		return nil
	}
	d.side = !d.side
	return nil
}

func (d *diff) showTerms(*model) tea.Cmd {
	if d.ready {
		d.terms = !d.terms
	}
	return nil
}

// ignoreBlock ignores the place of the chosen change from now on. Once that is
// kept, it is said what it would have hidden before.
func (d *diff) ignoreBlock(m *model) tea.Cmd {
	r := d.chosen()
	switch {
	case d.edit:
		m.Say("i ignores blocks of watched pages; this is an item of a feed.")
		return nil
	case r == nil || r.Rule == "":
		m.Say("i ignores the chosen change; n goes to the next one.")
		return nil
	}
	text := r.New()
	if text == "" {
		text = r.Old()
	}
	return m.queue(&job{kind: jobIgnore, feeds: []reader.FeedID{d.feed}, value: r.Rule,
		say: "Ignored on this page from now on: \"" + m.Th.Measure.Cut(safe(text), 40) + "\". u undoes."})
}

// gotPreview adds to the sentence of an ignored block, while that stands, what it
// would have hidden.
func (m *model) gotPreview(msg previewMsg) tea.Cmd {
	if msg.err == nil && m.message == plain.Redact(msg.say) {
		m.Say(fmt.Sprintf("%s In the last %s it hides %d of %s.", msg.say, wording.Plural(msg.of, "revision"), msg.now-msg.then, wording.Plural(msg.now, "reported change")))
	}
	return nil
}

// showWhole shows the new text whole: the page as an article, or the item.
func (d *diff) showWhole(m *model) tea.Cmd {
	if !d.ready {
		return nil
	}
	m.sitting++
	a := &article{r: d.r, from: d.from, gen: m.Gen(), opening: m.sitting}
	if !d.edit || a.r.Title == "" {
		a.r.Title = d.name
	}
	m.Push(a)
	if d.edit {
		return m.eff.article(a.gen, d.r.ID)
	}
	a.r.At = d.at.Unix()
	return m.eff.rendered(a.gen, d.feed, d.no, d.link, d.r.ID)
}

// search gives the rows whose text holds all words.
func (d *diff) search(text string) []int32 {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return nil
	}
	if d.low == nil { // once, not with every letter that is typed
		d.low = make([]string, len(d.all))
		for i := range d.all {
			d.low[i] = d.lower(i)
		}
	}
	var hits []int32
	for i, low := range d.low {
		if low != "" && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(low, w) }) {
			hits = append(hits, int32(i))
		}
	}
	return hits
}

// lower is the text of a row for a find, "" where the cursor does not rest.
func (d *diff) lower(i int) string {
	r := &d.all[i]
	if !r.rests() {
		return ""
	}
	b := d.block(i)
	if b == nil {
		return strings.ToLower(r.text)
	}
	var text strings.Builder
	for _, seg := range b.Segments {
		text.WriteString(seg.Text)
	}
	if b.Kind == page.Moved {
		text.WriteString(" " + d.path(b.From))
	}
	return strings.ToLower(text.String())
}
