// Package check proves that a library is whole: its pages, the checksum of every
// record, the links between them, and that the state is what the facts add up to.
package check

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"diurna/store/blocks"
	"diurna/store/codec"
	"diurna/store/db"
	"diurna/store/fold"
	"diurna/store/library"
	"diurna/store/lists"
	"diurna/store/record"
	"diurna/store/secrets"
	"diurna/store/webpages"
)

// Checks proves a library.
type Checks struct{ Lib *library.Library }

// maxFindings bounds a report; what is past it is only counted.
const maxFindings = 1000

// checker proves one library in one read transaction.
type checker struct {
	t        *library.Txn
	ctx      context.Context
	rep      *Report
	m        *fold.Model
	progress func(string, int, int)
	inBlocks int // items
}

// Check proves the library: the file's pages, every record's checksum, the links between records,
// state = fold(facts); full also unpacks every body.
// progress may be nil; it gets what is being checked, how far, of how many. A
// library too damaged to be read to the end is a Finding, not an error.
func (c *Checks) Check(ctx context.Context, full bool, progress func(string, int, int)) (Report, error) {
	var rep Report
	err := c.Lib.Do(ctx, &library.Job{Role: "doctor", Fn: func(t *library.Txn) error {
		c := &checker{t: t, ctx: ctx, rep: &rep, progress: progress}
		return c.run(full)
	}})
	var damaged *db.DamagedError
	if errors.As(err, &damaged) { // it could not be read to the end
		rep.find(damaged.What, damaged.Record)
		err = nil
	}
	return rep, err
}

//go:noinline
func (r *Report) find(what, where string) {
	if len(r.Findings) >= maxFindings {
		r.Dropped++
		return
	}
	r.Findings = append(r.Findings, Finding{what, where})
}

// run checks in this order: the pages, every record by itself, what the facts add up to,
// then each kind of state against that.
func (c *checker) run(full bool) error {
	c.rep.Size = c.t.Bolt.Size()
	free, ok := c.t.Guard.Check(c.t.File, c.rep.find)
	c.rep.Free = int64(free) * int64(c.t.Bolt.DB().Info().PageSize)
	if !ok {
		return nil // what hangs on damaged pages may have no end
	}
	if err := c.records(full); err != nil {
		return err
	}
	if len(c.rep.Findings) > 0 {
		return nil // comparing what does not even decode would bury it in noise
	}
	c.m = fold.New()
	if _, err := c.t.Log.Visit(0, c.m.Fold); err != nil {
		var d *db.DamagedError
		if errors.As(err, &d) {
			return err
		}
		c.rep.find(err.Error(), "facts")
		return nil
	}
	c.rep.Facts, c.rep.Feeds = c.m.Facts, c.t.Head.Feeds
	for _, step := range []func() error{c.feeds, c.bodies, c.items, c.lists, c.keys, c.steps, c.pages, c.secrets} {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	c.totals()
	_, err := c.t.Descent()
	return err
}

// records checks each record's checksum and, where it is of CBOR or packed, that
// it decodes. It goes on after a bad one.
func (c *checker) records(full bool) error {
	for i, b := range record.Buckets {
		if c.progress != nil {
			c.progress(string(b.Name), i, len(record.Buckets))
		}
		cur := c.t.Bucket(b).Cursor()
		for k, rec := cur.First(); k != nil; k, rec = cur.Next() {
			if c.rep.Records++; c.rep.Records%4096 == 0 && c.ctx.Err() != nil {
				return c.ctx.Err()
			}
			p, err := b.Open(k, rec)
			if err == nil && !c.decodes(b, p, full) {
				err = b.Damage(k, "does not decode")
			}
			var d *db.DamagedError
			if errors.As(err, &d) {
				c.rep.find(d.What, d.Record)
			}
		}
	}
	return nil
}

func (c *checker) decodes(b *record.Bucket, p []byte, full bool) bool {
	switch b {
	case record.Polls:
		var r record.PollRecord
		if !r.Decode(p) {
			return false
		}
		_, ok := r.Poll()
		return ok
	case record.Revisions:
		if full {
			_, ok := c.t.Lib.Packer.Revision(p)
			return ok
		}
	case record.Bodies:
		if full {
			chunk, ok := c.t.Lib.Packer.Unpack(p)
			for i := range chunk {
				c.rep.BodyBytes += int64(chunk[i].Size())
			}
			return ok
		}
	}
	return true
}

func (c *checker) feeds() error {
	seen := 0
	err := c.t.Scan(record.Feeds, nil, nil, func(k, v []byte) error {
		id := record.FeedID(record.Uint32(k))
		var r record.FeedRecord
		if !r.Decode(v) {
			c.rep.find("feed does not decode", id.String())
			return nil
		}
		f := c.m.Feeds[id]
		if f == nil {
			c.rep.find("feed: no fact tells of it", id.String())
			return nil
		}
		seen++
		c.feed(id, &r, &f.Record)
		got, err := c.t.Count(id)
		if err != nil {
			return err
		}
		if want := f.Count(); got == nil {
			c.rep.find("counter: the feed has none", id.String())
		} else if *got != want {
			c.counters(id.String(), got, &want)
		}
		return nil
	})
	if err == nil {
		err = c.hidden()
	}
	if err == nil && seen != len(c.m.Feeds) {
		c.rep.find(fmt.Sprintf("feed: %d are stored, facts tell of %d", seen, len(c.m.Feeds)), "feeds")
	}
	return err
}

// hidden holds the list of hidden feeds against the feeds.
func (c *checker) hidden() error {
	want, err := c.t.FindHidden()
	if err != nil {
		return err
	}
	if got, err := c.t.HiddenFeeds(); err != nil {
		return err
	} else if !slices.Equal(got, want) {
		c.rep.find(fmt.Sprintf("hidden feeds: stored are %d, others or more than the %d that there are", len(got), len(want)), "feeds")
	}
	return nil
}

func (c *checker) feed(id record.FeedID, r, want *record.FeedRecord) {
	names := []string{"url", "title", "folder", "tags", "hidden", "allow_private"}
	for n := range r.Attrs {
		names = append(names, n)
	}
	for n := range want.Attrs {
		if _, both := r.Attrs[n]; !both {
			names = append(names, n)
		}
	}
	for _, n := range names {
		c.differ(n, id.String(), r.Get(n), want.Get(n))
	}
	c.differ("title (the publisher's)", id.String(), r.Title, want.Title)
	c.differ("removed", id.String(), record.BoolWord(r.Removed), record.BoolWord(want.Removed))
	if r.Subscribed != want.Subscribed {
		c.rep.find("subscribed: the time is not that of the fact", id.String())
	}
}

func (c *checker) differ(what, where, stored, want string) {
	if stored != want {
		c.rep.find(fmt.Sprintf("%s: stored is %.80q, facts say %.80q", what, stored, want), where)
	}
}

func (c *checker) counters(where string, got, want *record.Count) {
	for _, x := range []struct {
		name      string
		got, want int64
	}{
		{"items", int64(got.Items), int64(want.Items)}, {"unread", int64(got.Unread), int64(want.Unread)},
		{"saved", int64(got.Saved), int64(want.Saved)}, {"next number", int64(got.Next), int64(want.Next)},
		{"last post", got.LastPost, want.LastPost}, {"live", int64(record.Bit(got.Live)), int64(record.Bit(want.Live))},
	} {
		if x.got != x.want {
			c.rep.find(fmt.Sprintf("counter %s: stored is %d, facts say %d", x.name, x.got, x.want), where)
		}
	}
}

// bodies notes each body's size in the model, from the heads of the chunks and the tombstones
// of items without rows.
func (c *checker) bodies() error {
	for feed := range c.m.Feeds {
		tombs, _, err := c.t.Tombs.In(feed, 0, math.MaxUint64)
		if err != nil {
			return err
		}
		for i := range tombs {
			id := record.MakeItemID(feed, tombs[i].N)
			switch it := c.m.Item(id); {
			case it == nil || !it.Gone || i > 0 && tombs[i].N <= tombs[i-1].N:
				c.rep.find("item: it has a tombstone, and its row was not removed", id.String())
			case tombs[i].Edits != it.Edits:
				c.rep.find("item: the tombstone is of another edit than the state", id.String())
			default:
				it.Body, it.Tombstone = len(tombs[i].Text), true
			}
		}
	}
	return c.t.Scan(record.Bodies, nil, nil, func(k, v []byte) error {
		feed := record.ItemID(record.Uint64(k)).Feed()
		if feed&record.InBlocks != 0 && c.m.Feeds[feed&^record.InBlocks] != nil {
			if feed &^= record.InBlocks; len(k) != 12 || record.Uint64(k[4:]) < record.AboveTombstones {
				return nil // a block of tombstones
			}
			leads, ok := c.t.Lib.Packer.UnpackLeads(v)
			for i := range leads {
				c.body(record.MakeItemID(feed, leads[i].N), len(leads[i].Text))
			}
			if !ok {
				return record.Bodies.Damage(k, "block does not decode")
			}
			return nil
		}
		r := codec.Reader{B: v}
		n := uint32(0)
		for range r.Count(1) {
			n += uint32(r.Uvarint())
			c.body(record.MakeItemID(feed, n), int(r.Uvarint()+r.Uvarint()))
		}
		if r.Bad {
			return record.Bodies.Damage(k, "bodies do not decode")
		}
		return nil
	})
}

func (c *checker) body(id record.ItemID, size int) {
	switch it := c.m.Item(id); {
	case it == nil:
		c.rep.find("body: of no item", id.String())
	case it.Body >= 0:
		c.rep.find("body: stored twice", id.String())
	default:
		it.Body = size
	}
}

// items holds every item's state, record and rows against the model.
func (c *checker) items() error {
	seen := make(map[record.FeedID]int)
	var st record.State
	var rec record.ItemRecord
	done, of := 0, c.t.Head.Items
	packed := true // those in blocks come first
	item := func(id record.ItemID) error {
		if done++; done%4096 == 0 {
			if c.progress != nil {
				c.progress("items", min(done, of), of)
			}
			if err := c.ctx.Err(); err != nil {
				return err
			}
		}
		want := c.m.Item(id)
		if want == nil {
			c.rep.find("item: no fact tells of it", id.String())
			return nil
		}
		seen[id.Feed()]++
		c.state(id, &st, want)
		if want.Gone && (want.Body < 0 || want.Tombstone) { // nothing but its keys is left beside a tombstone
			v, err := c.t.Get(record.Items, record.Key8(uint64(id)))
			if v != nil {
				c.rep.find("item: its row was removed, and the record has no text", id.String())
			}
			return err
		}
		if err := c.t.Item(id, &rec); err != nil {
			return err
		}
		if rec.TextRemoved != 0 && !want.TextGone {
			c.rep.find("text: it is gone and no fact tells that it was removed", id.String())
		}
		if rec.Hash != st.Hash && !want.Gone || rec.Edits != want.Edits {
			c.rep.find("item: the record is of another edit than the state", id.String())
		}
		if rec.BodySize != want.Body {
			c.rep.find("body: missing or of another size", id.String())
		}
		if packed {
			return nil // a block has no rows
		}
		return c.row(id, &st, &rec)
	}
	err := c.packed(func(id record.ItemID, s record.State) error {
		st = s
		return item(id)
	})
	if err != nil {
		return err
	}
	packed = false
	err = c.t.Scan(record.States, nil, nil, func(k, v []byte) error {
		id := record.ItemID(record.Uint64(k))
		switch {
		case len(k) != 8:
			return nil // a block
		case st.Decode(v):
			return item(id)
		}
		c.rep.find("state does not decode", id.String())
		return nil
	})
	for feed := range c.m.Feeds {
		if err == nil {
			err = c.blocks(record.States, feed, func(p record.Pair) error {
				st.FromBlock(p)
				return item(record.MakeItemID(feed, uint32(p.Key)))
			})
		}
	}
	c.rep.Items = done
	for id, f := range c.m.Feeds {
		if seen[id] != len(f.Items) {
			c.rep.find(fmt.Sprintf("item: %d are stored, facts tell of %d", seen[id], len(f.Items)), id.String())
		}
	}
	return err
}

// packed visits the items that lie in blocks, and holds against these their places among the rows.
func (c *checker) packed(visit func(record.ItemID, record.State) error) error {
	places := map[record.ItemID]blocks.Place{}
	err := c.t.Scan(record.ReadRows, nil, record.Key8(0), func(k, v []byte) error {
		p, err := blocks.ReadPlace(k, v)
		places[p.First] = p
		return err
	})
	for feed, f := range c.m.Feeds {
		if err != nil {
			return err
		}
		before := record.ItemID(0)
		err = c.t.Packed.Blocks(feed, func(first record.ItemID, list []record.PackedItem) error {
			if p, ok := places[first]; !ok || f.Record.Removed {
				c.rep.find("read: the place of a block is missing, or its feed was removed", first.String())
			} else if _, err := c.t.Packed.At(p); err != nil {
				return err
			}
			delete(places, first)
			for i := range list {
				id := record.MakeItemID(feed, list[i].N())
				v, err := c.t.Get(record.Items, record.Key8(uint64(id)))
				if err != nil {
					return err
				}
				if v != nil || id <= before {
					c.rep.find("item: it lies in two places", id.String())
				}
				before = id
				c.inBlocks++
				if err := visit(id, list[i].State()); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for first := range places {
		c.rep.find("read: the place of a block that is not there", first.String())
	}
	return err
}

// blocks visits what is in the blocks of a feed, which must ascend from each to the next.
func (c *checker) blocks(b *record.Bucket, feed record.FeedID, visit func(record.Pair) error) error {
	pairs, _, err := blocks.Pairs(c.t.Tx, b, feed, 0, math.MaxUint64)
	for i, p := range pairs {
		if i > 0 && p.Key <= pairs[i-1].Key {
			c.rep.find(string(b.Name)+": blocks overlap", feed.String())
		}
		if err == nil {
			err = visit(p)
		}
	}
	return err
}

func (c *checker) state(id record.ItemID, st *record.State, want *fold.Item) {
	c.flags(id, "state", st.Flags, want.Flags.With(record.FlagGone, want.Gone))
	if !slices.Equal(st.Tags, want.Tags) {
		c.rep.find(fmt.Sprintf("tag: state has %.80q, facts say %.80q", st.Tags, want.Tags), id.String())
	}
	if st.At != want.At {
		c.rep.find(fmt.Sprintf("time: state has %d, facts say %d", st.At, want.At), id.String())
	}
}

func (c *checker) flags(id record.ItemID, who string, got, want record.Flags) {
	for _, x := range []struct {
		name string
		bit  record.Flags
	}{{"read", record.FlagRead}, {"saved", record.FlagSaved}, {"changed", record.FlagChanged}, {"gone", record.FlagGone}} {
		if (got^want)&x.bit != 0 {
			c.rep.find(fmt.Sprintf("%s: %s says %t, should be %t", x.name, who, got&x.bit != 0, want&x.bit != 0), id.String())
		}
	}
}

// row holds an item's rows against its record and state.
func (c *checker) row(id record.ItemID, st *record.State, rec *record.ItemRecord) error {
	if c.m.Feeds[id.Feed()].Record.Removed || st.Flags&record.FlagGone != 0 {
		return nil
	}
	where := []*record.Bucket{lists.Of(st.Flags)}
	if st.Flags&record.FlagSaved != 0 {
		where = append(where, record.SavedRows)
	}
	key, want := record.RowKey(st.At, id), lists.RowOf(rec, st)
	for _, b := range where {
		who := "the list of " + string(b.Name)
		v, err := c.t.Get(b, key)
		if err != nil {
			return err
		}
		var w record.Row
		if v == nil || !w.Decode(v) {
			c.rep.find(string(b.Name)+": the row is missing", id.String())
			continue
		}
		c.flags(id, who, w.Flags, want.Flags)
		if w.Title != want.Title {
			c.rep.find(fmt.Sprintf("title: %s has %.80q, the item %.80q", who, w.Title, want.Title), id.String())
		}
		if w.Was != want.Was {
			c.rep.find(fmt.Sprintf("former title: %s has %.80q, the item %.80q", who, w.Was, want.Was), id.String())
		}
		if w.Author != want.Author || w.Words != want.Words {
			c.rep.find("author or words: "+who+" differs from the item", id.String())
		}
		if !slices.Equal(w.Tags, want.Tags) {
			c.rep.find(fmt.Sprintf("tag: %s has %.80q, should be %.80q", who, w.Tags, want.Tags), id.String())
		}
	}
	return nil
}

// lists counts the rows. As each item's rows are there (row), equal numbers
// mean that there are no others.
func (c *checker) lists() error {
	h := c.m.Head()
	for _, x := range []struct {
		b    *record.Bucket
		want int
	}{{record.UnreadRows, h.Unread}, {record.ReadRows, h.Items - h.Unread}, {record.SavedRows, h.Saved}} {
		n := 0
		if x.b == record.ReadRows {
			n = c.inBlocks
		}
		err := c.t.Scan(x.b, nil, nil, func(k, _ []byte) error {
			if x.b == record.ReadRows && blocks.IsPlace(k) {
				return nil
			}
			if n++; len(k) != 16 {
				return x.b.Damage(k, "no such key")
			}
			_, id := record.SplitRowKey(k)
			if it := c.m.Item(id); it == nil || it.Gone || c.m.Feeds[id.Feed()].Record.Removed {
				c.rep.find(string(x.b.Name)+": a row of an item that should not be listed", id.String())
			}
			return nil
		})
		if err != nil {
			return err
		}
		if n != x.want {
			c.rep.find(fmt.Sprintf("%s: %d rows are there, facts say %d", x.b.Name, n, x.want), "lists")
		}
	}
	return nil
}

func (c *checker) keys() error {
	for feed := range c.m.Feeds {
		err := c.blocks(record.IDs, feed, func(p record.Pair) error {
			if c.m.Item(record.MakeItemID(feed, uint32(p.Value))) == nil {
				c.rep.find("key: in a block, and of no item", record.IDs.KeyName(record.IDKey(feed, p.Key)))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return c.t.Scan(record.IDs, nil, nil, func(k, v []byte) error {
		r := codec.Reader{B: v}
		n := uint32(r.Uvarint())
		feed := record.FeedID(record.Uint32(k))
		if feed&record.InBlocks != 0 && c.m.Feeds[feed&^record.InBlocks] != nil {
			return nil // a block
		}
		if len(k) != 12 || !r.Done() || c.m.Item(record.MakeItemID(feed, n)) == nil {
			c.rep.find("key: of no item", record.IDs.KeyName(k))
		}
		return nil
	})
}

func (c *checker) steps() error {
	seen := 0
	err := c.t.Scan(record.Steps, nil, nil, func(k, v []byte) error {
		no := record.Uint64(k)
		var got record.Step
		want := c.m.Steps[no]
		if want == nil || !got.Decode(v) {
			c.rep.find("step: no fact tells of it", fmt.Sprint("step ", no))
			return nil
		}
		seen++
		want.Record.Count = got.Count // a sum for people that facts do not repeat
		if got != want.Record {
			c.rep.find("step: the summary differs from its facts", fmt.Sprint("step ", no))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if seen != len(c.m.Steps) {
		c.rep.find(fmt.Sprintf("step: %d are stored, facts tell of %d", seen, len(c.m.Steps)), "steps")
	}
	redo, err := c.t.RedoList()
	if err == nil && !slices.Equal(redo, c.m.Redo) {
		c.rep.find(fmt.Sprintf("redo: stored are %v, facts say %v", redo, c.m.Redo), "steps")
	}
	for name, want := range c.m.Own {
		if got, err := c.t.Get(record.Meta, []byte(library.OwnPrefix+name)); err == nil && string(got) != want {
			c.rep.find(fmt.Sprintf("%s: the library says %q, facts say %q", name, got, want), "settings")
		}
	}
	return err
}

func (c *checker) totals() {
	got, want := c.t.Head, c.m.Head()
	want.TxBase = got.TxBase
	names := map[string][2]uint64{
		"feeds": {uint64(got.Feeds), uint64(want.Feeds)}, "items": {uint64(got.Items), uint64(want.Items)},
		"unread": {uint64(got.Unread), uint64(want.Unread)}, "saved": {uint64(got.Saved), uint64(want.Saved)},
		"facts": {got.Facts, want.Facts}, "steps": {got.Steps, want.Steps}, "next feed": {uint64(got.NextFeed), uint64(want.NextFeed)},
	}
	for _, n := range slices.Sorted(maps.Keys(names)) {
		if x := names[n]; x[0] != x[1] {
			c.rep.find(fmt.Sprintf("counter %s: stored is %d, facts say %d", n, x[0], x[1]), "totals")
		}
	}
}

// pages holds every revision against its feed, the item that tells of it and
// the one it stands on.
func (c *checker) pages() error {
	var heads []record.FeedID
	err := c.t.Scan(record.PageHeads, nil, nil, func(k, v []byte) error {
		if _, ok := record.DecodePageHead(v); !ok || len(k) != 4 {
			return record.PageHeads.Damage(k, "does not decode")
		}
		heads = append(heads, record.FeedID(record.Uint32(k)))
		return nil
	})
	if err != nil {
		return err
	}
	sum := 0
	for _, f := range heads {
		list, err := webpages.Revisions(c.t.Tx, f)
		if err != nil {
			return err
		}
		sum += len(list)
		kept := map[uint32]bool{}
		for _, r := range list {
			where := fmt.Sprintf("%s revision %d", f, r.No)
			kept[r.No] = true
			switch {
			case c.m.Feeds[f] == nil:
				c.rep.find("revision: of no feed", where)
			case r.Item != 0 && c.m.Item(record.MakeItemID(f, r.Item)) == nil:
				c.rep.find("revision: the item that tells of it is not there", where)
			case r.Base != 0 && !kept[r.Base]:
				c.rep.find(fmt.Sprintf("revision: revision %d, on which it stands, is not there", r.Base), where)
			}
		}
	}
	c.rep.Revisions = sum
	n := 0
	err = c.t.Scan(record.Pages, nil, nil, func(_, _ []byte) error { n++; return nil })
	if err == nil && n != sum {
		c.rep.find(fmt.Sprintf("revision: %d are stored, %d are counted", n, sum), "pages")
	}
	if err != nil {
		return err
	}
	return c.t.Scan(record.PageNotes, nil, nil, func(k, _ []byte) error {
		if len(k) != 12 || c.m.Feeds[record.FeedID(record.Uint32(k))] == nil {
			c.rep.find("note: of no feed", record.PageNotes.KeyName(k))
		}
		return nil
	})
}

// secrets makes sure that no feed's address has lost a secret.
func (c *checker) secrets() error {
	return c.t.Scan(record.Feeds, nil, nil, func(k, v []byte) error {
		var r record.FeedRecord
		if !r.Decode(v) {
			return nil // reported already
		}
		for _, ref, rest := secrets.Next(r.URL); ref != ""; _, ref, rest = secrets.Next(rest) {
			value, err := c.t.Get(record.Secrets, []byte(ref))
			if err != nil {
				return err
			}
			if secrets.Ref(string(value)) != ref {
				c.rep.find("secret: the password or token of the address is lost", record.FeedID(record.Uint32(k)).String())
			}
		}
		return nil
	})
}

// Finding is one thing that is wrong: "read: state says unread, facts say read"
// at "b7q-41".
type Finding struct{ What, Where string }

// Report is the result of Check. Good means Findings is empty; no more than
// 1,000 are kept, Dropped counts the others.
type Report struct {
	Findings     []Finding
	Dropped      int
	Feeds, Items int
	Facts        uint64
	Records      int
	Revisions    int   // of watched pages
	Size, Free   int64 // bytes of the file, and of its free pages
	BodyBytes    int64 // of unpacked bodies
}

// Copy checks a library that lies outside its folder, without locks: it is
// a private file.
func Copy(ctx context.Context, l *library.Library, path string) error {
	var rep Report
	err := l.CopyAt(path).Under(&db.Hold{}, false, func(t *library.Txn) error {
		c := &checker{t: t, ctx: ctx, rep: &rep}
		return c.run(false)
	})
	if err != nil {
		return err
	}
	if len(rep.Findings) > 0 {
		return &db.DamagedError{What: rep.Findings[0].What, Record: rep.Findings[0].Where}
	}
	return nil
}
