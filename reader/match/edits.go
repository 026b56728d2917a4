package match

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"diurna/reader/page"
	"diurna/store"
)

// maxEdits is how many former texts of one item are kept: a publisher who puts
// a counter into the text edits it with every fetch.
const maxEdits = 50

// An edit makes its item unread so often at most, and after such a one no other
// for so long.
const (
	maxResurfaced = 3
	resurfaceRest = 23 * time.Hour // a day, for who asks daily and is a minute early
)

// maxCompared bounds how many edits are compared of items that nobody has read,
// which is only to see what many edits have in common.
const maxCompared = 50

// comparedEdit is an edit and what it changed.
type comparedEdit struct {
	edit *store.EditedItem
	old  store.Item
	c    page.ItemChange
	seen bool
}

// compareEdits compares what publishers edited with what the reader saw. An edit
// of which nothing can be seen is taken over quietly; one below the threshold
// (page.CompareItem) leaves a mark and its former text; a larger one makes the
// item unread again, unless the edits of a fetch look like the work of a machine
// (see awake). known is how many items of the document were known before.
func (l library) compareEdits(ctx context.Context, f *store.Filing, known int, now time.Time) error {
	var all []comparedEdit
	unread := false
	for i := range f.Edited {
		e := &f.Edited[i]
		if !e.KeepRevision {
			continue // nobody has read it yet
		}
		w, body, err := l.compareEdit(ctx, e)
		if err != nil {
			return err
		}
		if !w.old.TextRemoved.IsZero() {
			// There is no text to compare with: what came back is not news.
			e.Quiet, e.KeepRevision, e.MakeUnread = true, false, false
			continue
		}
		e.Quiet, e.KeepRevision, e.MakeUnread = !w.seen, w.seen && w.old.Edits < maxEdits, w.seen && !w.c.Minor
		if w.seen && w.old.Edits > 0 {
			if err := l.saidBefore(ctx, w.old.ID, e, w.old.Title, body.HTML); err != nil {
				return err
			}
		}
		e.MakeUnread = e.MakeUnread && w.old.Resurfaced < maxResurfaced && (w.old.Resurfaced == 0 || now.Sub(w.old.ResurfacedAt) >= resurfaceRest)
		unread = unread || e.MakeUnread
		all = append(all, w)
	}
	if !unread {
		return nil
	}
	more := 0
	for i := range f.Edited {
		if e := &f.Edited[i]; !slices.ContainsFunc(all, func(w comparedEdit) bool { return w.edit == e }) && more < maxCompared {
			w, _, err := l.compareEdit(ctx, e)
			if err != nil {
				return err
			}
			more++
			all = append(all, w)
		}
	}
	awake(all, known)
	return nil
}

// compareEdit compares an edit with what is stored.
func (l library) compareEdit(ctx context.Context, e *store.EditedItem) (comparedEdit, store.Body, error) {
	id := store.MakeItemID(l.feed, e.N)
	old, err := l.Item(ctx, id)
	if err != nil {
		return comparedEdit{}, store.Body{}, fmt.Errorf("read %s before its edit: %w", id, err)
	}
	body, err := l.Body(ctx, id)
	if err != nil {
		return comparedEdit{}, body, fmt.Errorf("read the text of %s before its edit: %w", id, err)
	}
	if e.SameText {
		e.Body = body
	}
	c := page.CompareItem(page.Item{Title: old.Title, HTML: cmp.Or(body.HTML, body.Summary)},
		page.Item{Title: e.Title, HTML: cmp.Or(e.Body.HTML, e.Body.Summary)}, 0)
	return comparedEdit{e, old, c, c.Title || c.Words.Added+c.Words.Deleted > 0 || c.Counted > 0}, body, nil
}

// awake leaves unread only what somebody wrote: where most of what a feed shows
// is edited at once its publisher has changed how it is served, and what changed
// alike in several items (a counter, what is most read, an advertisement) is
// said of none of them.
func awake(all []comparedEdit, known int) {
	edited, in := 0, map[string]int{}
	for i := range all {
		if !all[i].seen {
			continue
		}
		edited++
		once := map[string]bool{}
		for _, m := range all[i].c.Marks {
			if !once[m] {
				once[m] = true
				in[m]++
			}
		}
	}
	bulkRename := edited >= 3 && 2*edited >= known
	for i := range all {
		c := &all[i].c
		own, number := max(0, c.Counted-c.Idle-len(c.Marks)), false
		for _, m := range c.Marks {
			if n := in[m]; n < 2 || n < 3 && 2*n < edited {
				own++
				number = number || strings.Contains(m, "#")
			}
		}
		if bulkRename || own <= page.DefaultMinor && !number {
			all[i].edit.MakeUnread = false
		}
	}
}

// saidBefore looks whether an item only says again what it said before its last
// edits, as it does where two servers give a feed in two versions by turns: that
// is no news, and what is kept already is not kept twice.
func (l library) saidBefore(ctx context.Context, id store.ItemID, e *store.EditedItem, title, html string) error {
	former, err := l.Revisions(ctx, id)
	if err != nil {
		return fmt.Errorf("read what %s said before: %w", id, err)
	}
	for i := range former {
		v := &former[i]
		e.MakeUnread = e.MakeUnread && (v.Title != e.Title || v.Body.HTML != e.Body.HTML)
		e.KeepRevision = e.KeepRevision && (v.Title != title || v.Body.HTML != html)
	}
	return nil
}
