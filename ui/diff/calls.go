package diff

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/page"
	"diurna/ui/view"
)

// Library is what the view asks of the library about items.
type Library interface {
	Article(ctx context.Context, id reader.ItemID) (reader.Article, error)
	ItemChange(ctx context.Context, id reader.ItemID, back int) (reader.ItemEdit, error)
}

// Pages is what the view asks of the watched pages.
type Pages interface {
	Change(ctx context.Context, id reader.FeedID, from, to int) (reader.Change, error)
	ChangeOf(ctx context.Context, id reader.ItemID) (reader.Change, error)
	Revisions(ctx context.Context, id reader.FeedID) ([]reader.Revision, error)
	RevisionRaw(ctx context.Context, id reader.FeedID, no int) (body []byte, contentType string, err error)
	PreviewIgnore(ctx context.Context, id reader.FeedID, rule string) (now, then, of int, err error)
	IgnoreBlock(ctx context.Context, id reader.FeedID, rule string) (reader.Done, error)
}

// diffMsg brings a comparison: of a page, or of an item.
type diffMsg struct {
	gen    uint64
	change *reader.Change
	edit   *reader.ItemEdit
	err    error
}

// LoadChange asks for a comparison of two revisions of a page; 0, 0 are the last
// change that was reported.
func (d *View) LoadChange(h view.Host, from, to int) tea.Cmd {
	d.gen = h.Gen()
	gen, feed := d.gen, d.feed
	return func() tea.Msg { return d.change(h, gen, feed, from, to) }
}

func (d *View) change(h view.Host, gen uint64, feed reader.FeedID, from, to int) diffMsg {
	c, err := d.pages.Change(h.Life(), feed, from, to)
	return diffMsg{gen: gen, change: &c, err: err}
}

// LoadChangeOf asks for the change that the row tells of.
func (d *View) LoadChangeOf(h view.Host) tea.Cmd {
	d.gen = h.Gen()
	gen, id := d.gen, d.r.ID
	return func() tea.Msg {
		c, err := d.pages.ChangeOf(h.Life(), id)
		return diffMsg{gen: gen, change: &c, err: err}
	}
}

// LoadEdit asks for an edit of the item: the newest, or so many before it.
func (d *View) LoadEdit(h view.Host, back int) tea.Cmd {
	d.gen = h.Gen()
	gen, id := d.gen, d.r.ID
	return func() tea.Msg {
		c, err := d.lib.ItemChange(h.Life(), id, back)
		return diffMsg{gen: gen, edit: &c, err: err}
	}
}

// loadBeside compares the revision after the shown one (by > 0), or the older of
// the two that are shown, with the one before: of the same address, which the
// numbers of child pages lie between.
func (d *View) loadBeside(h view.Host, by int) tea.Cmd {
	d.gen = h.Gen()
	gen, feed, base, no := d.gen, d.feed, d.base, d.no
	return func() tea.Msg {
		revs, err := d.pages.Revisions(h.Life(), feed)
		if err != nil {
			return diffMsg{gen: gen, err: err}
		}
		for i := range revs {
			if by > 0 && revs[i].Base == no || by < 0 && revs[i].No == base && revs[i].Base != 0 {
				return d.change(h, gen, feed, 0, revs[i].No)
			}
		}
		if by > 0 {
			return diffMsg{gen: gen, err: errors.New("this is the newest revision")}
		}
		return diffMsg{gen: gen, err: errors.New("no older revision is kept")}
	}
}

// Revisions is what reads a revision as it was served.
type Revisions interface {
	RevisionRaw(ctx context.Context, id reader.FeedID, no int) (body []byte, contentType string, err error)
}

// Rendered reads a revision as it was served and gives it as an article.
func Rendered(ctx context.Context, pages Revisions, id reader.FeedID, no int, address string, item reader.ItemID) (reader.Article, error) {
	body, kind, err := pages.RevisionRaw(ctx, id, no)
	text, _ := page.Decode(body, kind)
	art := reader.Article{Item: reader.Item{Key: item}, HTML: string(text), Base: address}
	art.LeadTo(address)
	return art, err
}
