// Package opening opens what is chosen: an item as an article or as what changed, its
// link, its files, the facts about it; and lists of the items of feeds.
//
// Items and Lists have a method for each key.
package opening

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/article"
	"diurna/ui/diff"
	"diurna/ui/files"
	"diurna/ui/info"
	"diurna/ui/jobs"
	"diurna/ui/list"
	"diurna/ui/marks"
	"diurna/ui/outside"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// Library is what opening asks of *reader.Reader.
type Library interface {
	diff.Library
	info.Mender
	Article(ctx context.Context, id reader.ItemID) (reader.Article, error)
}

// Texts is what the screen uses of *fulltext.Texts.
type Texts interface {
	article.Texts
	info.Texts
}

// Facts are where the facts about feeds and items come from.
type Facts struct {
	Stats     info.Stats
	Portraits info.Portraits
	Rules     info.Rules
	Places    info.Places
}

// Items opens items on one screen.
type Items struct {
	host  view.Host
	lib   Library
	pages diff.Pages
	texts Texts
	facts Facts
	on    *stack.Stack
	marks *marks.Marks
	out   *outside.Programs
	files *files.Downloads
	lists *list.Source
}

// NewItems opens the items of a library.
func NewItems(h view.Host, lib Library, p diff.Pages, t Texts, f Facts, on *stack.Stack, m *marks.Marks, out *outside.Programs, d *files.Downloads) *Items {
	return &Items{host: h, lib: lib, pages: p, texts: t, facts: f, on: on, marks: m, out: out, files: d}
}

// Attach says which lists there are.
func (i *Items) Attach(lists *list.Source) { i.lists = lists }

// Open shows an item of a list, in place of the one that is shown. It is read
// from now on; that is no step that undo would take back.
func (i *Items) Open(row reader.Row, from view.View, found bool) tea.Cmd {
	if _, ok := i.on.Top().(view.Opened); ok {
		i.on.Pop()
	}
	j := &jobs.Job{Kind: jobs.Open, IDs: []reader.ItemID{row.ID}, Again: row.Flags&reader.FlagRead != 0, Found: found}
	row.Flags |= reader.FlagRead
	kept := i.marks.Carry(j)
	if i.watched(row.ID) {
		return view.Batch(i.change(&row, from), kept)
	}
	return view.Batch(i.Article(article.Of{Row: row, From: from}), kept, i.marks.MarkTwins(row.ID))
}

// Article shows an item that the library has.
func (i *Items) Article(of article.Of) tea.Cmd {
	id := of.Row.ID
	of.Load = func(ctx context.Context) (reader.Article, error) { return i.lib.Article(ctx, id) }
	of.Known, of.Full = i.on.Panes.Article(id), func(ctx context.Context) (*reader.FullText, error) { return i.texts.FetchText(ctx, id) }
	return article.Open(i.host, of)
}

// watched reports whether an item is the change of a watched page.
func (i *Items) watched(id reader.ItemID) bool {
	f := i.host.Screen().Feeds[id.Feed()]
	return f != nil && f.Watched
}

// change shows the change that a row of a watched page tells of.
func (i *Items) change(r *reader.Row, from view.View) tea.Cmd {
	return i.diff(diff.Of{Name: i.host.Screen().FeedTitle(r.ID.Feed()), Feed: r.ID.Feed(), Row: *r, From: from}).LoadChangeOf(i.host)
}

func (i *Items) diff(of diff.Of) *diff.View { return diff.Open(i.host, i.lib, i.pages, of) }

// ResumeDiff goes back to the diff of the last session, and to the line of it; other
// opens the diff beside that of a page, nil: the next item.
func (i *Items) ResumeDiff(id reader.ItemID, at *view.Place, other func(by int) tea.Cmd) tea.Cmd {
	of := diff.Of{Name: i.host.Screen().FeedTitle(id.Feed()), Row: reader.Row{ID: id, Flags: reader.FlagRead}, From: i.on.Base().Origin(),
		At: [2]int{at.Para, at.Into}}
	if i.watched(id) {
		of.Feed, of.Other = id.Feed(), other
		d := i.diff(of)
		if at.Revs[1] > 0 {
			return d.LoadChange(i.host, at.Revs[0], at.Revs[1])
		}
		return d.LoadChangeOf(i.host)
	}
	of.Edit = true
	return i.diff(of).LoadEdit(i.host, max(0, at.Revs[0]))
}

// ShowEdits shows what its publisher changed in an item.
func (i *Items) ShowEdits(h view.Host) tea.Cmd {
	r := h.Top().Row()
	switch {
	case r == nil:
		return nil
	case i.watched(r.ID):
		return i.change(r, i.on.Origin())
	}
	return i.diff(diff.Of{Name: view.TitleOf(r.Title), Row: *r, From: i.on.Origin(), Edit: true}).LoadEdit(h, 0)
}

// ShowInfo opens the facts about the chosen feed, or the chosen item and its.
func (i *Items) ShowInfo(h view.Host) tea.Cmd {
	feed, none := h.Top().About()
	r := h.Top().Row()
	item, also := reader.ItemID(0), ""
	switch {
	case none != "":
		h.Say(none)
		return nil
	case feed != 0:
	case r != nil:
		feed, item, also = r.ID.Feed(), r.ID, i.lists.AlsoIn(h.Screen(), r.ID)
	default:
		return nil
	}
	return info.Open(h, i.lib, i.texts, i.facts.Stats, i.facts.Portraits, i.facts.Rules, i.facts.Places, feed, item, also)
}
