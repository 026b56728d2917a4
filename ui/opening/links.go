package opening

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/jobs"
	"diurna/ui/view"
)

// o and y: what is opened and copied of what is chosen.

// link is the address that o and y mean: the chosen link of an article, else
// the item's own. The item of a list row has to be read for it first.
func link(h view.Host) (addr, title string, ok bool) {
	if l, ok := h.Top().(view.Opened); ok {
		return l.Link()
	}
	return "", "", false
}

// Browse opens the link; an item's own marks it read.
func (i *Items) Browse(h view.Host) tea.Cmd {
	if addr, _, ok := link(h); ok {
		return i.out.Open(h, addr)
	}
	r := h.Top().Row()
	if r == nil {
		return nil
	}
	cmd := i.out.OpenItem(r.ID)
	if r.Flags&reader.FlagRead == 0 {
		if l := i.on.TopItems(); l != nil {
			l.Hold()
		}
		return view.Batch(cmd, i.marks.Queue(&jobs.Job{Kind: jobs.Open, IDs: []reader.ItemID{r.ID}, Found: i.on.Items().IsSearch()}), i.marks.MarkTwins(r.ID))
	}
	return cmd
}

// BrowseOnly opens the link of the chosen item, which stays as it is.
func (i *Items) BrowseOnly(h view.Host) tea.Cmd {
	if r := h.Top().Row(); r != nil {
		return i.out.OpenItem(r.ID)
	}
	return nil
}

// Enqueue puts the chosen item into the queue of downloads.
func (i *Items) Enqueue(h view.Host) tea.Cmd {
	if r := h.Top().Row(); r != nil {
		return i.files.Enqueue(h, r.ID, r.Title)
	}
	return nil
}

// Copy copies the link, or title and link; of every selected row.
func (i *Items) Copy(h view.Host, both bool) tea.Cmd {
	if addr, title, ok := link(h); ok {
		if !both {
			title = ""
		}
		return i.out.Copy(h, addr, title)
	}
	rows := h.Top().Rows()
	if len(rows) == 0 {
		return nil
	}
	ids := make([]reader.ItemID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	view.Unselect(h)
	return i.out.CopyItems(h, ids, both)
}
