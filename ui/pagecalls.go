package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/page"
)

// The calls to the reader about watched pages and what changed: like those in
// effects.go each stands in a command and brings back a message.

// diffMsg brings a comparison: of a page, or of an item.
type diffMsg struct {
	gen    uint64
	change *reader.Change
	edit   *reader.ItemEdit
	err    error
}

// previewMsg tells what ignoring a block would have done.
type previewMsg struct {
	gen       uint64
	now, then int
	err       error
}

func (e *effects) change(gen uint64, id reader.FeedID, from, to int) tea.Cmd {
	return func() tea.Msg {
		c, err := e.lib.Change(e.ctx, id, from, to)
		return diffMsg{gen: gen, change: &c, err: err}
	}
}

func (e *effects) changeOf(gen uint64, id reader.ItemID) tea.Cmd {
	return func() tea.Msg {
		c, err := e.lib.ChangeOf(e.ctx, id)
		return diffMsg{gen: gen, change: &c, err: err}
	}
}

func (e *effects) itemChange(gen uint64, id reader.ItemID, back int) tea.Cmd {
	return func() tea.Msg {
		c, err := e.lib.ItemChange(e.ctx, id, back)
		return diffMsg{gen: gen, edit: &c, err: err}
	}
}

func (e *effects) previewIgnore(gen uint64, id reader.FeedID, rule string) tea.Cmd {
	return func() tea.Msg {
		now, then, err := e.lib.PreviewIgnore(e.ctx, id, rule)
		return previewMsg{gen, now, then, err}
	}
}

// rendered reads a revision as it was served and gives it as an article.
func (e *effects) rendered(gen uint64, id reader.FeedID, no int, address string, item reader.ItemID) tea.Cmd {
	return func() tea.Msg {
		body, kind, err := e.lib.RevisionRaw(e.ctx, id, no)
		text, _ := page.Decode(body, kind)
		return articleMsg{gen, reader.Article{Item: reader.Item{Key: item, Link: address}, HTML: string(text), Base: address}, err}
	}
}
