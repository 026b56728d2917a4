package marks

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/jobs"
	"diurna/ui/view"
)

// v selects rows; m, s, t, y and D then act on all of them as one step.

const sayRead = "Marked %s read in %s. u undoes."

// mark does act to rows, as one step. A selection is over with it and reported: its
// rows may be out of sight.
func (m *Marks) mark(act reader.Act, rows []*reader.Row, tag, done string) tea.Cmd {
	j := &jobs.Job{Kind: jobs.Mark, Act: act, Scope: m.scope(), Tag: tag}
	for _, r := range rows {
		j.IDs = append(j.IDs, r.ID)
	}
	if act == reader.MarkRead || act == reader.MarkUnread {
		j.IDs = m.lists.WithTwins(m.host.Screen(), j.IDs)
	}
	if l := m.on.TopItems(); l != nil {
		l.Hold()
		if l.Unselect() {
			j.Tell = done
		}
	} else if tag != "" {
		j.Tell = done // the tags of an article may be scrolled out
	}
	return m.Queue(j)
}

// allHave reports whether every row has a flag.
func allHave(rows []*reader.Row, flag reader.Flags) bool {
	for _, r := range rows {
		if r.Flags&flag == 0 {
			return false
		}
	}
	return true
}

// markChosen marks what is chosen, if anything is.
func (m *Marks) markChosen(h view.Host, act reader.Act, done string) tea.Cmd {
	if rows := h.Top().Rows(); len(rows) > 0 {
		return m.mark(act, rows, "", done)
	}
	return nil
}

// ToggleRead marks what is chosen read, or unread if all of it is read.
func (m *Marks) ToggleRead(h view.Host) tea.Cmd {
	if allHave(h.Top().Rows(), reader.FlagRead) {
		return m.markChosen(h, reader.MarkUnread, "Marked %s unread in %s. u undoes.")
	}
	return m.MarkChosen(h)
}

// MarkChosen marks what is chosen read, even if it is read already.
func (m *Marks) MarkChosen(h view.Host) tea.Cmd { return m.markChosen(h, reader.MarkRead, sayRead) }

// ToggleSaved saves what is chosen, or unsaves it if all of it is saved.
func (m *Marks) ToggleSaved(h view.Host) tea.Cmd {
	if allHave(h.Top().Rows(), reader.FlagSaved) {
		return m.markChosen(h, reader.Unsave, "Unsaved %s in %s. u undoes.")
	}
	return m.Save(h)
}

// Save saves what is chosen, even if it is saved already.
func (m *Marks) Save(h view.Host) tea.Cmd {
	return m.markChosen(h, reader.Save, "Saved %s in %s. u undoes.")
}

// Opened marks an item read that was opened; again says that it was read before.
func (m *Marks) Opened(id reader.ItemID, again bool) tea.Cmd {
	return m.Carry(&jobs.Job{Kind: jobs.Open, IDs: []reader.ItemID{id}, Again: again, Reload: true})
}

// MarkRead marks items that were counted, MarkRows rows of a list.
func (m *Marks) MarkRead(scope string, ids []reader.ItemID) tea.Cmd {
	return m.Carry(&jobs.Job{Kind: jobs.Mark, Act: reader.MarkRead, Scope: scope, IDs: ids, Reload: true, Tell: sayRead})
}

func (m *Marks) MarkRows(scope string, ids []reader.ItemID) tea.Cmd {
	return m.Queue(&jobs.Job{Kind: jobs.Mark, Act: reader.MarkRead, Scope: scope, IDs: ids, Tell: sayRead})
}

// MarkTwins marks the items of other feeds read that have the address of one that was
// opened, as one step.
func (m *Marks) MarkTwins(id reader.ItemID) tea.Cmd {
	ids := m.lists.WithTwins(m.host.Screen(), []reader.ItemID{id})
	if len(ids) == 1 {
		return nil
	}
	return m.Queue(&jobs.Job{Kind: jobs.Mark, Act: reader.MarkRead, Scope: m.scope(), IDs: ids[1:]})
}

// AskTag asks for a tag of what is chosen.
func (m *Marks) AskTag(h view.Host) tea.Cmd {
	if h.Top().Row() == nil {
		return nil
	}
	return h.Ask(&view.Prompt{Name: "tag", Label: "tag: ", Do: m.Tag, Says: func(h view.Host, text string) string {
		switch r := h.Top().Row(); {
		case r != nil && text == "" && len(r.Tags) > 0:
			return "has #" + strings.Join(r.Tags, " #") + "; -name takes one off"
		case text == "":
			return "Enter adds the tag"
		case strings.HasPrefix(text, "-"):
			return "Enter takes the tag off"
		}
		say := "Enter adds #" + reader.TagName(text)
		if strings.TrimLeft(text, "#+") != reader.TagName(text) {
			say += "; a tag is one word of at most 64 bytes"
		}
		return say
	}})
}

// Tag adds a tag to the chosen item or the selected ones, or takes it off with
// a leading "-".
func (m *Marks) Tag(h view.Host, text string) tea.Cmd {
	name := reader.TagName(text)
	rows := h.Top().Rows()
	if len(rows) == 0 || name == "" {
		return nil
	}
	percent := strings.ReplaceAll(name, "%", "%%")
	if strings.HasPrefix(text, "-") {
		return m.mark(reader.Untag, rows, name, "Removed #"+percent+" from %s in %s. u undoes.")
	}
	return m.mark(reader.Tag, rows, name, "Tagged #"+percent+" on %s in %s. u undoes.")
}
