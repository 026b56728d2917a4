package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/jobs"
	"diurna/ui/view"
)

// o and y: what is opened and copied of what is chosen.

// link is the address that o and y mean: the chosen link of an article, else
// the item's own. The item of a list row has to be read for it first.
func (m *model) link() (addr, title string, ok bool) {
	if l, ok := m.Top().(view.Opened); ok {
		return l.Link()
	}
	return "", "", false
}

// browse opens the link; an item's own marks it read.
func (m *model) browse() tea.Cmd {
	if addr, _, ok := m.link(); ok {
		return m.OpenURL(addr)
	}
	r := m.chosenRow()
	if r == nil {
		return nil
	}
	cmd := m.eff.out.OpenItem(r.ID)
	if r.Flags&reader.FlagRead == 0 {
		if l := m.TopItems(); l != nil {
			l.Hold()
		}
		return view.Batch(cmd, m.queue(&jobs.Job{Kind: jobs.Open, IDs: []reader.ItemID{r.ID}, Found: m.Items().IsSearch()}), m.markTwins(r.ID))
	}
	return cmd
}

// browseOnly opens the link of the chosen item, which stays as it is.
func (m *model) browseOnly() tea.Cmd {
	if r := m.chosenRow(); r != nil {
		return m.eff.out.OpenItem(r.ID)
	}
	return nil
}

// enqueue puts the chosen item into the queue of downloads.
func (m *model) enqueue() tea.Cmd {
	if r := m.chosenRow(); r != nil {
		return m.files.Enqueue(m, r.ID, r.Title)
	}
	return nil
}

// ShowFiles shows the enclosures of an item.
func (m *model) ShowFiles(item *reader.Item) tea.Cmd { return m.files.Show(m, item) }

func (m *model) OpenURL(addr string) tea.Cmd { return m.eff.out.Open(m, addr) }

func (m *model) copyLink() tea.Cmd { return m.copyOf(false) }

func (m *model) copyBoth() tea.Cmd { return m.copyOf(true) }

// copyOf copies the link, or title and link; of every selected row.
func (m *model) copyOf(both bool) tea.Cmd {
	if addr, title, ok := m.link(); ok {
		if !both {
			title = ""
		}
		return m.Copy(addr, title)
	}
	rows := m.Top().Rows()
	if len(rows) == 0 {
		return nil
	}
	ids := make([]reader.ItemID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	view.Unselect(m)
	return m.eff.out.CopyItems(m, ids, both)
}

func (m *model) Copy(addr, title string) tea.Cmd { return m.eff.out.Copy(m, addr, title) }
