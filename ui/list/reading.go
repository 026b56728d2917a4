package list

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// How an item of a list is opened, and the one after it.

func (l *View) open(h view.Host) tea.Cmd {
	if l.table.List.N == 0 {
		return nil
	}
	l.table.moved = true
	return l.openRow(h, l.table.List.Cur)
}

// NextUnread opens the next unread item of a list.
func (l *View) NextUnread(h view.Host, id reader.ItemID, d int) tea.Cmd {
	i := l.table.rows.unreadFrom(l.table.List.Cur, id, d)
	if i < 0 {
		h.Say(l.table.sayNoUnread(h.Screen(), d))
		return nil
	}
	return l.openRow(h, i)
}

// ReadNext announces the next unread item after one that was read to its end,
// or opens it if it was announced.
func (l *View) ReadNext(h view.Host, id reader.ItemID, coming *reader.ItemID) tea.Cmd {
	i := l.table.rows.unreadFrom(l.table.List.Cur, id, 1)
	switch {
	case i < 0:
		h.Say(l.table.sayNoUnread(h.Screen(), 1))
	case *coming != 0 && *coming == l.table.rows.at(i).ID:
		return l.openRow(h, i)
	default:
		r := l.table.rows.at(i)
		*coming = r.ID
		h.Say(fmt.Sprintf("Next unread: %s, %s. space opens it.", h.Screen().FeedTitle(r.ID.Feed()), view.TitleOr(r.Title, l.src.leads[r.ID])))
	}
	return nil
}

// OpenBeside opens the item after one of a list, or before it.
func (l *View) OpenBeside(h view.Host, id reader.ItemID, d int) tea.Cmd {
	i := l.table.rows.index(l.table.List.Cur, id)
	if i < 0 {
		i = l.table.List.Cur - d
	}
	if i += d; i < 0 || i >= l.table.List.N {
		h.Say("That was the last item of " + l.table.of.Name + ".")
		if d < 0 {
			h.Say("That was the first item of " + l.table.of.Name + ".")
		}
		return nil
	}
	return l.openRow(h, i)
}

func (l *View) showFiles(h view.Host) tea.Cmd {
	r := l.Row()
	if r == nil {
		return nil
	}
	gen, id, ctx := h.Wonder(), r.ID, h.Life()
	return func() tea.Msg {
		art, err := l.src.lib.Article(ctx, id)
		return filesMsg{l, gen, art, err}
	}
}

// show shows the enclosures of a row, which is not read by that.
func (msg *filesMsg) show(h view.Host) tea.Cmd {
	switch {
	case !h.Answers(msg.gen):
	case msg.err != nil:
		h.Say(view.Sentence(msg.err))
	default:
		return h.ShowFiles(&msg.art.Item)
	}
	return nil
}

// KeepRow notes the chosen row, and how high on the screen it stands.
func (l *View) KeepRow(p *view.Place) {
	if p.Item = l.table.chosenID(); p.Item != 0 {
		p.At, p.Above = l.table.rows.at(l.table.List.Cur).At, l.table.List.Line(l.table.List.Cur)-l.table.List.Top
	}
}

// filesMsg brings an item whose enclosures are to be shown.
type filesMsg struct {
	from *View
	gen  uint64
	art  reader.Article
	err  error
}

// openRow shows an item, in place of the one that is shown.
func (l *View) openRow(h view.Host, i int) tea.Cmd {
	l.table.GoRow(i)
	return l.src.desk.Open(*l.table.rows.at(i), l, l.IsSearch())
}
