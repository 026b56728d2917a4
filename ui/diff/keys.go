package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// What keys do in a diff, and how one is opened.

// Keys are what keys do in a diff.
func Keys() []view.Binding {
	return []view.Binding{
		view.Bind("j down", "line down, up", "scroll", view.Moves(1)),
		view.Bind("k up", view.Ditto, "", view.Moves(-1)),
		view.Bind("space pgdown ctrl+f", "page on, then next unread", "scroll", view.On((*View).readOn)),
		view.Bind("b pgup ctrl+b", view.Ditto, "", view.Pages(-1, 1)),
		view.Bind("ctrl+d", "half a page", "scroll", view.Pages(1, 2)),
		view.Bind("ctrl+u", view.Ditto, "", view.Pages(-1, 2)),
		view.Bind("g home", "top, end", "first last bottom", view.Ends(-1)),
		view.Bind("G end", view.Ditto, "", view.Ends(1)),
		view.Bind("n", "next, previous change, match", "difference hunk", view.By((*View).nextHit, 1)),
		view.Bind("N", view.Ditto, "", view.By((*View).nextHit, -1)),
		view.Bind("}", "next, previous heading", "section", view.By((*View).nextPart, 1)),
		view.Bind("{", view.Ditto, "", view.By((*View).nextPart, -1)),
		view.Bind("] ctrl+n", "newer, older revision", "version history", view.By((*View).otherRevision, 1)),
		view.Bind("[ ctrl+p", view.Ditto, "", view.By((*View).otherRevision, -1)),
		view.Bind("enter l right", "unfold what is unchanged, fold", "context expand", view.On((*View).toggleFold)),
		view.Bind("c", "side by side, or one column", "columns split unified", view.On((*View).sideBySide)),
		view.Bind("w", "the score's terms", "why points weight", view.On((*View).showTerms)),
		view.Bind("i", "ignore this block", "hide rule noise", view.On((*View).ignoreBlock)),
		view.Bind("x", "the whole new text", "rendered article full", view.On((*View).showWhole)),
		view.Bind("J", "next, previous item", "", view.By((*View).nextItem, 1)),
		view.Bind("K", view.Ditto, "", view.By((*View).nextItem, -1)),
		view.Bind("m", "read or unread", "mark toggle seen", view.Does(view.ToggleRead)),
		view.Bind("s", "save, tag", "star favourite flag bookmark keep later", view.Does(view.ToggleSaved)),
		view.Bind("t", view.Ditto, "label category tag", view.Does(view.AskTag)),
		view.Bind("o", "browser; and on to next", "web link url open", view.Does(view.Browse)),
		view.Bind("O", view.Ditto, "web link url", view.Does(view.Browse)),
		view.Bind("y", "copy link; title and link", "yank clipboard url", view.Does(view.CopyLink)),
		view.Bind("Y", view.Ditto, "", view.Does(view.CopyBoth)),
		view.Bind("/", "find in the changes", "search", view.Does(view.AskFind)),
	}
}

// OnMsg takes in a comparison, and asks for it again under the settings of now
// when a step changed them.
func (d *View) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case view.SettingMsg:
		if d.rows.ready && !d.rows.edit {
			return d.LoadChange(h, d.base, d.no)
		}
	case diffMsg:
		if msg.gen == d.gen && d.gen != 0 {
			d.onDiff(h, msg)
		}
	}
	return nil
}

func (d *View) onDiff(h view.Host, msg diffMsg) {
	if msg.err != nil {
		say := view.Sentence(msg.err)
		if d.rows.edit && errors.Is(msg.err, reader.ErrNotFound) {
			say = "No earlier version of this item is stored. Edits are stored once an item was read."
		}
		if d.wrong = say; !d.rows.ready && h.IsTop(d) {
			h.Pop() // nothing was shown yet: back, with the reason
		} else if !d.rows.ready && h.Top() != d {
			return // a preview says it where it stands
		}
		h.Say(say)
		return
	}
	if c := msg.change; c != nil {
		d.name, d.link, d.feed = c.Page.Title, cmp.Or(c.To.Address, c.Page.Site, c.Page.URL), c.Page.Key
		if c.To.Child {
			d.name = bare(plain.Redact(d.link))
		}
		again := d.rows.ready && d.base == c.From.No && d.no == c.To.No
		d.base, d.no, d.of, d.old, d.at = c.From.No, c.To.No, c.Of, c.From.At, c.To.At
		d.limit = c.Page.Threshold
		d.Show(c.Diff, again)
	}
	if e := msg.edit; e != nil {
		d.name, d.link, d.no, d.of, d.at = view.TitleOr(e.Item.Title, e.Item.Lead), e.Item.Address(), e.No, e.Of, e.At
		d.Show(e.Diff, false)
	}
}

func (d *View) readOn(h view.Host) tea.Cmd {
	if !d.place.end(h.Screen()) {
		return d.Page(h, 1, 1)
	}
	if s, ok := view.SourceOf(h, d.from); ok {
		return s.ReadNext(h, d.r.ID, &d.coming)
	}
	return nil
}

func (d *View) nextItem(h view.Host, by int) tea.Cmd {
	if d.other != nil {
		return d.other(by)
	}
	if s, ok := d.from.(view.Source); ok {
		return s.OpenBeside(h, d.r.ID, by)
	}
	return nil
}

// otherRevision shows the change before or after the present one.
func (d *View) otherRevision(h view.Host, by int) tea.Cmd {
	if !d.rows.ready {
		return nil
	}
	if !d.rows.edit {
		return d.loadBeside(h, by)
	}
	switch no := d.no + by; {
	case no > d.of:
		h.Say("This is the newest edit.")
	case no < 1:
		h.Say("There is no older edit.")
	default:
		return d.LoadEdit(h, d.of-no)
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
func (d *View) nextHit(h view.Host, by int) tea.Cmd {
	switch {
	case !d.rows.ready:
	case d.place.found.Text != "":
		if i := d.place.found.Step(d.place.cur.row, by); i >= 0 {
			d.place.goRow(h.Screen(), i)
		}
	case d.place.nextChange(h.Screen(), by):
	case by > 0:
		h.Say("That was the last change. ] [ show other revisions.")
	case len(d.rows.changes) > 0:
		h.Say("This is the first change.")
	}
	return nil
}

func (d *View) toggleFold(h view.Host) tea.Cmd {
	d.place.unfold(h.Screen())
	return nil
}

func (d *View) nextPart(h view.Host, by int) tea.Cmd {
	d.place.nextHead(h.Screen(), by)
	return nil
}

func (d *View) sideBySide(h view.Host) tea.Cmd {
	if h.Screen().W < view.Beside {
		h.Say(fmt.Sprintf("Side by side needs %d columns; this screen has %d.", view.Beside, h.Screen().W))
		return nil
	}
	d.side = !d.side
	return nil
}

func (d *View) showTerms(view.Host) tea.Cmd {
	if d.rows.ready {
		d.terms = !d.terms
	}
	return nil
}

// ignoreBlock ignores the place of the chosen change from now on. Once that is
// kept, it is said what it would have hidden before.
func (d *View) ignoreBlock(h view.Host) tea.Cmd {
	r := d.Chosen()
	switch {
	case d.rows.edit:
		h.Say("i ignores blocks of watched pages; this is an item of a feed.")
		return nil
	case r == nil || r.Rule == "":
		h.Say("i ignores the chosen change; n goes to the next one.")
		return nil
	}
	text := cmp.Or(r.Ignores(), r.New(), r.Old())
	feed, rule := d.feed, r.Rule
	say := "Ignored on this page from now on: \"" + h.Screen().Th.Measure.Cut(safe(text), 40) + "\". u undoes."
	return h.Change(view.Change{
		Say:  say,
		Do:   func(ctx context.Context) (reader.Done, error) { return d.pages.IgnoreBlock(ctx, feed, rule) },
		Then: func() tea.Cmd { return d.preview(h, say, feed, rule) },
	})
}

// preview adds to the sentence of an ignored block, while that stands, what it
// would have hidden.
func (d *View) preview(h view.Host, say string, feed reader.FeedID, rule string) tea.Cmd {
	return func() tea.Msg {
		now, then, of, err := d.pages.PreviewIgnore(h.Life(), feed, rule)
		if err != nil {
			return nil
		}
		return view.MoreMsg{To: say, Say: fmt.Sprintf("%s In the last %s it hides %d of %s.", say, wording.Plural(of, "revision"), now-then, wording.Plural(now, "reported change"))}
	}
}

// showWhole shows the new text whole: the page as an article, or the item.
func (d *View) showWhole(h view.Host) tea.Cmd {
	if !d.rows.ready {
		return nil
	}
	row := d.r
	if !d.rows.edit || row.Title == "" {
		row.Title = d.name
	}
	if d.rows.edit {
		return h.Read(row, d.from, func(ctx context.Context) (reader.Article, error) { return d.lib.Article(ctx, row.ID) })
	}
	row.At = d.at.Unix()
	feed, no, link := d.feed, d.no, d.link
	return h.Read(row, d.from, func(ctx context.Context) (reader.Article, error) {
		return Rendered(ctx, d.pages, feed, no, link, row.ID)
	})
}

func (d *View) Matches(_ *view.Scene, text string) (int, bool) { return len(d.rows.search(text)), true }

func (d *View) Find(h view.Host, text string) {
	if i := d.place.found.Stand(h, text, d.rows.search(text), d.place.cur.row-1, "No row of the diff"); i >= 0 {
		d.place.goRow(h.Screen(), i)
	}
}
