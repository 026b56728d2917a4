// Package filing takes what fetches brought into a library: new and edited items,
// their keys, texts and places in the lists, what rules make of them, and what is
// remembered of the fetch. It judges the clock before it trusts it.
//
// Start with Inbox.File.
package filing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"

	"diurna/store/bodies"
	"diurna/store/library"
	"diurna/store/lists"
	"diurna/store/record"
	"diurna/store/webpages"
)

// Inbox takes what fetches brought into a library.
type Inbox struct{ Lib *library.Library }

// File takes in the results of fetches in one transaction. A feed is never
// split; a feed's own trouble is in its Filed and does not hold up the others.
func (b *Inbox) File(ctx context.Context, now time.Time, filings []Filing) ([]record.Filed, error) {
	packed, all := make([][]bodies.Chunk, len(filings)), 0
	for i := range filings {
		all += len(filings[i].New)
		if err := filings[i].check(); err != nil {
			return nil, err
		}
		var err error
		if packed[i], err = filings[i].pack(&b.Lib.Packer); err != nil {
			return nil, err
		}
	}
	var out []record.Filed
	err := b.Lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) error {
		out = make([]record.Filed, len(filings))
		w := &filer{t: t, now: now, rows: make([]lists.Placed, 0, all)}
		if err := w.clock(); err != nil {
			return err
		}
		for i := range filings {
			out[i].Feed, w.packed = filings[i].Feed, packed[i]
			if err := w.feed(&filings[i], &out[i]); err != nil {
				return err
			}
		}
		return lists.Put(t.Tx, w.rows)
	}})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (f *Filing) check() error {
	if len(f.New)+len(f.Edited)+len(f.Rekey)+len(f.Corrected) > 0 && f.Next == 0 {
		return fmt.Errorf("%w: items without Next", library.ErrInvalid)
	}
	if f.packed != nil && f.Next != 1 {
		return fmt.Errorf("%w: packed under another Next", library.ErrInvalid)
	}
	if f.Page != nil {
		for i := range f.Page.Revisions {
			r := &f.Page.Revisions[i]
			if int(r.Item) > len(f.New) || len(r.Packed) > record.MaxPage || len(r.Address)+len(r.ContentType)+len(r.Charset) > record.MaxBody {
				return fmt.Errorf("%w: a revision that cannot be", library.ErrInvalid)
			}
		}
	}
	for i := range f.New {
		if n := f.New[i].Body.Size(); n > record.MaxBody {
			return fmt.Errorf("%w: a body of %d bytes", library.ErrInvalid, n)
		}
	}
	for i := range f.Edited {
		if n := f.Edited[i].Body.Size(); n > record.MaxBody {
			return fmt.Errorf("%w: a body of %d bytes", library.ErrInvalid, n)
		}
	}
	return nil
}

// filer takes in the results of a group of fetches.
type filer struct {
	t      *library.Txn
	now    time.Time
	rows   []lists.Placed // of new items; put in one go, in their order
	behind bool           // the clock is
	known  time.Time      // then the newest date that is believed, if there is one

	packed []bodies.Chunk // bodies of the filing, where its feed never had an item
}

// feed files one feed. What is wrong with this feed alone goes into out.Err,
// before anything of it has been written.
func (w *filer) feed(f *Filing, out *record.Filed) error {
	c, err := w.t.Count(f.Feed)
	if err != nil {
		return err
	}
	switch {
	case c == nil || !c.Live:
		out.Err = fmt.Errorf("%w: %s", library.ErrUnknown, f.Feed)
		return nil
	case f.Next != 0 && f.Next != c.Next:
		out.Err = fmt.Errorf("%w: %s", library.ErrStale, f.Feed)
		return nil
	}
	if stale, err := w.stale(f); err != nil || stale {
		out.Err = fmt.Errorf("%w: %s", library.ErrStale, f.Feed)
		return err
	}
	if f.Page != nil {
		h, err := webpages.Head(w.t.Tx, f.Feed)
		if err != nil {
			return err
		}
		if h.Last != f.Page.After {
			out.Err = fmt.Errorf("%w: %s", library.ErrStale, f.Feed)
			return nil
		}
	}
	var changed []record.ItemID
	for i := range len(f.Edited) + len(f.Corrected) {
		n := f.numberOf(i)
		if n == 0 || n >= c.Next {
			out.Err = fmt.Errorf("%w: %s", library.ErrUnknown, record.MakeItemID(f.Feed, n))
			return nil
		}
		var st record.State
		if _, err := w.t.State(record.MakeItemID(f.Feed, n), &st); err != nil {
			return err
		} else if st.Flags&record.FlagGone != 0 { // since it was matched
			out.Err = fmt.Errorf("%w: %s", library.ErrStale, f.Feed)
			return nil
		}
		changed = append(changed, record.MakeItemID(f.Feed, n))
	}
	if err := w.t.Loosen(record.SortedIDs(changed)); err != nil {
		return err
	}
	title, err := w.feedRecord(f)
	if err != nil {
		return err
	}
	if err := w.rekey(f); err != nil {
		return err
	}
	first := c.Next
	if err := w.newItems(f, c, out); err != nil {
		return err
	}
	if err := w.page(f, first); err != nil {
		return err
	}
	if err := w.editedItems(f, out); err != nil {
		return err
	}
	if err := w.correct(f); err != nil {
		return err
	}
	return w.fetched(f, out, title)
}

// feedRecord takes over what the publisher says of the feed and returns its
// title if that changed.
func (w *filer) feedRecord(f *Filing) (title string, err error) {
	r, err := w.t.Feed(f.Feed)
	if err != nil {
		return "", err
	}
	if r == nil {
		return "", record.Feeds.Damage(record.Key4(uint32(f.Feed)), "the feed is missing")
	}
	changed := *r
	take := func(dst *string, s string) bool {
		if s == "" || s == *dst {
			return false
		}
		*dst = s
		return true
	}
	// Without an Outcome there is no fact to tell of a title, and the title must
	// follow from the facts.
	if f.Outcome != nil && take(&changed.Title, f.FeedTitle) {
		title = f.FeedTitle
	}
	site, format := take(&changed.Site, f.Site), take(&changed.Format, f.Format)
	if title == "" && !site && !format {
		return "", nil
	}
	return title, w.t.PutFeed(f.Feed, &changed)
}

func (w *filer) newItems(f *Filing, c *record.Count, out *record.Filed) error {
	if len(f.New) == 0 {
		return nil
	}
	if uint64(c.Next)+uint64(len(f.New)) > 1<<32-1 {
		return errors.New("store: a feed's numbers are used up")
	}
	fact := &record.Fact{Kind: record.Arrived, At: w.now, Feed: f.Feed}
	if f.Page != nil {
		fact.Field = record.ArrivedChanged
	}
	for _, b := range []*record.Bucket{record.Items, record.States, record.IDs} {
		w.t.Bucket(b).FillPercent = 0.9 // mostly appended, feed by feed: bbolt's half leaves half a page empty
	}
	if c.Next > 1 {
		w.t.Bucket(record.IDs).FillPercent = 0.5 // they fall among others: pages of nine tenths would split again at once
	}
	first, places := c.Next, make([]int64, 0, len(f.New))
	fact.Items, fact.Nums, fact.Unread = make([]record.ItemID, 0, len(f.New)), make([]int64, 0, len(f.New)), make([]bool, 0, len(f.New))
	out.Items = make([]record.ItemID, 0, len(f.New))
	if err := w.takeKeys(f, first); err != nil {
		return err
	}
	for i := range f.New {
		n := &f.New[i]
		id := record.MakeItemID(f.Feed, c.Next)
		c.Next++
		it := n.Item
		it.FirstSeen, it.Edits = w.now, 0
		if f.packed == nil {
			it.BodySize = n.Body.Size()
		}
		rec := record.NewItemRecord(&it)
		st := record.State{At: w.stands(n.Published, f.Page != nil), Hash: n.Hash}
		places = append(places, st.At)
		st.Flags = record.ArrivalFlags(fact.Field, n.Unread)
		f.ruled(i, &st)
		if err := w.t.PutItem(id, &rec); err != nil {
			return err
		}
		if err := w.t.PutState(id, &st); err != nil {
			return err
		}
		w.rows = append(w.rows, lists.Placed{ID: id, At: st.At, Row: lists.RowOf(&rec, &st)})
		if id.N() == 1 || st.At > c.LastPost {
			c.LastPost = st.At
		}
		c.Items++
		w.t.Head.Items++
		w.arrived(c, st.Flags)
		out.Items = append(out.Items, id)
		noteArrival(fact, id, n, w.now)
	}
	w.t.Touch(f.Feed)
	out.New = len(f.New)
	if err := w.bodies(f, first); err != nil {
		return err
	}
	if err := w.t.Log.Append(fact); err != nil {
		return err
	}
	if err := w.ruleFacts(f, first); err != nil {
		return err
	}
	return w.notePlaces(fact, record.MakeItemID(f.Feed, first), places)
}

// arrived counts an item that came and what rules made of it.
func (w *filer) arrived(c *record.Count, flags record.Flags) {
	unread, saved := record.Bit(flags&record.FlagRead == 0), record.Bit(flags&record.FlagSaved != 0)
	c.Unread += unread
	c.Saved += saved
	w.t.Head.Unread += unread
	w.t.Head.Saved += saved
}

// bodies files the bodies of new items.
func (w *filer) bodies(f *Filing, first uint32) error {
	if first != 1 {
		return w.t.Texts.Add(f.Feed, bodiesOf(f, first))
	}
	for _, c := range w.packed {
		if err := w.t.Texts.Put(f.Feed, c); err != nil {
			return err
		}
	}
	return nil
}

// noteArrival notes a new item in an Arrived fact.
func noteArrival(f *record.Fact, id record.ItemID, n *record.NewItem, now time.Time) {
	rel := record.Dateless
	if !n.Published.IsZero() {
		rel = n.Published.Unix() - now.Unix()
	}
	f.Items = append(f.Items, id)
	f.Nums = append(f.Nums, rel)
	f.Unread = append(f.Unread, n.Unread)
}

func (w *filer) editedItems(f *Filing, out *record.Filed) error {
	if len(f.Edited) == 0 {
		return nil
	}
	// New items filed with these have no rows yet; edits follow their rows.
	edits := slices.Clone(f.Edited)
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].N < edits[j].N })
	fact, quiet := &record.Fact{Kind: record.Edited, At: w.now, Feed: f.Feed}, &record.Fact{Kind: record.Edited, At: w.now, Feed: f.Feed, Field: record.EditedQuietly}
	var moves []lists.Moved
	for i := range edits {
		if i > 0 && edits[i].N == edits[i-1].N {
			continue // the first of several wins
		}
		m, err := w.edit(record.MakeItemID(f.Feed, edits[i].N), &edits[i])
		if err != nil {
			return err
		}
		unread := m.Was&record.FlagRead != 0 && m.Now&record.FlagRead == 0
		of := fact
		if edits[i].Quiet {
			of = quiet
		}
		of.Items = append(of.Items, m.ID)
		of.Unread = append(of.Unread, unread)
		moves = append(moves, m)
	}
	out.Changed = len(moves)
	if err := w.t.Follow(moves); err != nil {
		return err
	}
	for _, of := range []*record.Fact{fact, quiet} {
		if len(of.Items) == 0 {
			continue
		}
		if err := w.t.Log.Append(of); err != nil {
			return err
		}
	}
	return nil
}

// edit rewrites one item; its row goes to its place in the old list, for follow
// to move it.
func (w *filer) edit(id record.ItemID, e *record.EditedItem) (lists.Moved, error) {
	var st record.State
	var old record.ItemRecord
	ok, err := w.t.State(id, &st)
	if err != nil {
		return lists.Moved{}, err
	}
	if !ok {
		return lists.Moved{}, w.t.Missing(id)
	}
	if err := w.t.Item(id, &old); err != nil {
		return lists.Moved{}, err
	}
	if e.KeepRevision {
		body, err := w.t.Texts.Of(id)
		if err != nil {
			return lists.Moved{}, err
		}
		if err := w.t.Texts.PutRevision(id, old.Edits+1, record.Millis(w.now), old.Title, body); err != nil {
			return lists.Moved{}, err
		}
	}
	it := e.Item
	it.FirstSeen, it.Edits, it.BodySize = record.Time(old.FirstSeen), old.Edits+1, e.Body.Size()
	it.Resurfaced, it.ResurfacedAt = old.Resurfaced, record.Time(old.ResurfacedAt)
	it.Corrected, it.CorrectedAt = old.Corrected, record.Time(old.CorrectAt)
	if e.MakeUnread && st.Flags&record.FlagRead != 0 {
		it.Resurfaced, it.ResurfacedAt = it.Resurfaced+1, w.now
	}
	if e.SameText {
		it.TextRemoved = record.Time(old.TextRemoved)
		it.BodySize, it.Words = old.BodySize, int(old.Words)
	}
	rec := record.NewItemRecord(&it)
	rec.Was = knownTitle(&old, it.Title, st.Flags, e.Quiet)
	if err := w.t.PutItem(id, &rec); err != nil {
		return lists.Moved{}, err
	}
	if !e.SameText {
		if err := w.t.Texts.Replace(id, e.Body); err != nil {
			return lists.Moved{}, err
		}
	}
	if err := w.addKeys(id.Feed(), id.N(), e.Keys); err != nil {
		return lists.Moved{}, err
	}
	was := st.Flags
	st.Flags = record.EditFlags(was, e.MakeUnread, e.Quiet)
	st.Hash = e.Hash
	if err := w.t.PutState(id, &st); err != nil {
		return lists.Moved{}, err
	}
	r := lists.RowOf(&rec, &st)
	r.Flags = was
	if err := w.t.Put(lists.Of(was), record.RowKey(st.At, id), r.Encode(nil)); err != nil {
		return lists.Moved{}, err
	}
	return lists.Moved{ID: id, At: st.At, Was: was, Now: st.Flags}, nil
}

// knownTitle is the title of an item as its reader knows it, "" where that is
// the new one or nobody has read the item. Of several edits since it was opened
// it is the one before the first.
func knownTitle(old *record.ItemRecord, title string, flags record.Flags, quiet bool) string {
	known := old.Title
	switch {
	case quiet:
		return old.Was
	case flags&record.FlagChanged != 0:
		known = cmp.Or(old.Was, old.Title)
	case flags&record.FlagRead == 0:
		return ""
	}
	if known == title {
		return ""
	}
	return known
}

// fetched writes the poll record and, unless the feed had not changed, the
// Fetched fact, which takes over the times of the checks that brought nothing.
func (w *filer) fetched(f *Filing, out *record.Filed, title string) error {
	var p record.Poll
	if f.Poll != nil {
		p = *f.Poll
	} else if f.Outcome == nil {
		return nil
	} else if err := w.t.Poll(f.Feed, &p); err != nil {
		return err
	}
	if o := f.Outcome; o != nil {
		fact := &record.Fact{Kind: record.Fetched, At: w.now, Feed: f.Feed, Ref: o.Look, Field: o.Kind.String(), New: title,
			Nums: []int64{int64(o.Status), o.Bytes, o.Took.Milliseconds(), int64(out.New), int64(out.Changed)}}
		for _, c := range p.Checks {
			fact.Nums = append(fact.Nums, c-w.now.Unix())
		}
		p.Checks = nil
		if err := w.t.Log.Append(fact); err != nil {
			return err
		}
	}
	r := record.NewPollRecord(&p)
	return w.t.Put(record.Polls, record.Key4(uint32(f.Feed)), r.Encode(nil))
}
