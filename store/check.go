package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"diurna/store/codec"
)

// maxFindings bounds a report; what is past it is only counted.
const maxFindings = 1000

// checker proves one library in one read transaction.
type checker struct {
	t        *txn
	ctx      context.Context
	rep      *Report
	m        *model
	progress func(string, int, int)
}

// Check proves the library: the file's pages, every record's checksum, the links between records,
// state = fold(facts); full also unpacks every body.
// progress may be nil; it gets what is being checked, how far, of how many. A
// library too damaged to be read to the end is a Finding, not an error.
func (s *Store) Check(ctx context.Context, full bool, progress func(string, int, int)) (Report, error) {
	var rep Report
	err := s.lib.do(ctx, &job{role: "doctor", fn: func(t *txn) error {
		c := &checker{t: t, ctx: ctx, rep: &rep, progress: progress}
		return c.run(full)
	}})
	var damaged *DamagedError
	if errors.As(err, &damaged) { // it could not be read to the end
		rep.find(damaged.What, damaged.Record)
		err = nil
	}
	return rep, err
}

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
	c.rep.Size = c.t.tx.Size()
	free, ok := c.t.guard.Check(c.t.file, c.rep.find)
	c.rep.Free = int64(free) * int64(c.t.tx.DB().Info().PageSize)
	if !ok {
		return nil // what hangs on damaged pages may have no end
	}
	if err := c.records(full); err != nil {
		return err
	}
	if len(c.rep.Findings) > 0 {
		return nil // comparing what does not even decode would bury it in noise
	}
	c.m = newModel()
	if _, err := c.t.visit(0, c.m.fold); err != nil {
		var d *DamagedError
		if errors.As(err, &d) {
			return err
		}
		c.rep.find(err.Error(), "facts")
		return nil
	}
	c.rep.Facts, c.rep.Feeds = c.m.facts, c.t.head.feeds
	for _, step := range []func() error{c.feeds, c.bodies, c.items, c.lists, c.keys, c.steps, c.pages, c.secrets} {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	c.totals()
	_, err := c.t.descent()
	return err
}

// records checks each record's checksum and, where it is of CBOR or packed, that
// it decodes. It goes on after a bad one.
func (c *checker) records(full bool) error {
	for i, b := range allBuckets {
		if c.progress != nil {
			c.progress(string(b.name), i, len(allBuckets))
		}
		cur := c.t.bucket(b).Cursor()
		for k, rec := cur.First(); k != nil; k, rec = cur.Next() {
			if c.rep.Records++; c.rep.Records%4096 == 0 && c.ctx.Err() != nil {
				return c.ctx.Err()
			}
			p, err := b.open(k, rec)
			if err == nil && !c.decodes(b, p, full) {
				err = b.damage(k, "does not decode")
			}
			var d *DamagedError
			if errors.As(err, &d) {
				c.rep.find(d.What, d.Record)
			}
		}
	}
	return nil
}

func (c *checker) decodes(b *bucket, p []byte, full bool) bool {
	switch b {
	case bPolls:
		var r pollRec
		if decMode.Unmarshal(p, &r) != nil {
			return false
		}
		_, ok := r.poll()
		return ok
	case bRevisions:
		if full {
			_, ok := c.t.lib.revision(p)
			return ok
		}
	case bBodies:
		if full {
			chunk, ok := c.t.lib.unpack(p)
			for i := range chunk {
				c.rep.BodyBytes += int64(chunk[i].size())
			}
			return ok
		}
	}
	return true
}

func (c *checker) feeds() error {
	seen := 0
	err := c.t.scan(bFeeds, nil, nil, func(k, v []byte) error {
		id := FeedID(beUint32(k))
		var r feedRec
		if decMode.Unmarshal(v, &r) != nil {
			c.rep.find("feed does not decode", id.String())
			return nil
		}
		f := c.m.feeds[id]
		if f == nil {
			c.rep.find("feed: no fact tells of it", id.String())
			return nil
		}
		seen++
		c.feed(id, &r, &f.rec)
		got, err := c.t.count(id)
		if err != nil {
			return err
		}
		if want := f.count(); got == nil {
			c.rep.find("counter: the feed has none", id.String())
		} else if *got != want {
			c.counters(id.String(), got, &want)
		}
		return nil
	})
	if err == nil {
		err = c.hidden()
	}
	if err == nil && seen != len(c.m.feeds) {
		c.rep.find(fmt.Sprintf("feed: %d are stored, facts tell of %d", seen, len(c.m.feeds)), "feeds")
	}
	return err
}

// hidden holds the list of hidden feeds against the feeds.
func (c *checker) hidden() error {
	want, err := c.t.findHidden()
	if err != nil {
		return err
	}
	if got, err := c.t.hiddenFeeds(); err != nil {
		return err
	} else if !slices.Equal(got, want) {
		c.rep.find(fmt.Sprintf("hidden feeds: stored are %d, others or more than the %d that there are", len(got), len(want)), "feeds")
	}
	return nil
}

func (c *checker) feed(id FeedID, r, want *feedRec) {
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
		c.differ(n, id.String(), r.get(n), want.get(n))
	}
	c.differ("title (the publisher's)", id.String(), r.Title, want.Title)
	c.differ("removed", id.String(), boolWord(r.Removed), boolWord(want.Removed))
	if r.Subscribed != want.Subscribed {
		c.rep.find("subscribed: the time is not that of the fact", id.String())
	}
}

func (c *checker) differ(what, where, stored, want string) {
	if stored != want {
		c.rep.find(fmt.Sprintf("%s: stored is %.80q, facts say %.80q", what, stored, want), where)
	}
}

func (c *checker) counters(where string, got, want *count) {
	for _, x := range []struct {
		name      string
		got, want int64
	}{
		{"items", int64(got.items), int64(want.items)}, {"unread", int64(got.unread), int64(want.unread)},
		{"saved", int64(got.saved), int64(want.saved)}, {"next number", int64(got.next), int64(want.next)},
		{"last post", got.lastPost, want.lastPost}, {"live", int64(bit(got.live)), int64(bit(want.live))},
	} {
		if x.got != x.want {
			c.rep.find(fmt.Sprintf("counter %s: stored is %d, facts say %d", x.name, x.got, x.want), where)
		}
	}
}

// bodies notes each body's size in the model, from the heads of the chunks.
func (c *checker) bodies() error {
	return c.t.scan(bBodies, nil, nil, func(k, v []byte) error {
		feed := ItemID(beUint64(k)).Feed()
		r := codec.Reader{B: v}
		n := uint32(0)
		for range r.Count(1) {
			n += uint32(r.Uvarint())
			size := int(r.Uvarint() + r.Uvarint())
			it := c.m.item(MakeItemID(feed, n))
			switch {
			case it == nil:
				c.rep.find("body: of no item", MakeItemID(feed, n).String())
			case it.body >= 0:
				c.rep.find("body: stored twice", MakeItemID(feed, n).String())
			default:
				it.body = size
			}
		}
		if r.Bad {
			return bBodies.damage(k, "bodies do not decode")
		}
		return nil
	})
}

// items holds every item's state, record and rows against the model.
func (c *checker) items() error {
	seen := make(map[FeedID]int)
	var st state
	var rec itemRec
	done, of := 0, c.t.head.items
	err := c.t.scan(bState, nil, nil, func(k, v []byte) error {
		id := ItemID(beUint64(k))
		if done++; done%4096 == 0 {
			if c.progress != nil {
				c.progress("items", min(done, of), of)
			}
			if err := c.ctx.Err(); err != nil {
				return err
			}
		}
		want := c.m.item(id)
		if want == nil {
			c.rep.find("item: no fact tells of it", id.String())
			return nil
		}
		seen[id.Feed()]++
		if !st.decode(v) {
			c.rep.find("state does not decode", id.String())
			return nil
		}
		c.state(id, &st, want)
		if err := c.t.item(id, &rec); err != nil {
			return err
		}
		if rec.Hash != st.hash || rec.Edits != want.edits {
			c.rep.find("item: the record is of another edit than the state", id.String())
		}
		if rec.BodySize != want.body {
			c.rep.find("body: missing or of another size", id.String())
		}
		return c.row(id, &st, &rec)
	})
	c.rep.Items = done
	for id, f := range c.m.feeds {
		if seen[id] != len(f.items) {
			c.rep.find(fmt.Sprintf("item: %d are stored, facts tell of %d", seen[id], len(f.items)), id.String())
		}
	}
	return err
}

func (c *checker) state(id ItemID, st *state, want *modelItem) {
	c.flags(id, "state", st.flags, want.flags)
	if !slices.Equal(st.tags, want.tags) {
		c.rep.find(fmt.Sprintf("tag: state has %.80q, facts say %.80q", st.tags, want.tags), id.String())
	}
	if st.at != want.at {
		c.rep.find(fmt.Sprintf("time: state has %d, facts say %d", st.at, want.at), id.String())
	}
}

func (c *checker) flags(id ItemID, who string, got, want Flags) {
	for _, x := range []struct {
		name string
		bit  Flags
	}{{"read", FlagRead}, {"saved", FlagSaved}, {"changed", FlagChanged}} {
		if (got^want)&x.bit != 0 {
			c.rep.find(fmt.Sprintf("%s: %s says %t, should be %t", x.name, who, got&x.bit != 0, want&x.bit != 0), id.String())
		}
	}
}

// row holds an item's rows against its record and state.
func (c *checker) row(id ItemID, st *state, rec *itemRec) error {
	if c.m.feeds[id.Feed()].rec.Removed {
		return nil
	}
	lists := []*bucket{listOf(st.flags)}
	if st.flags&FlagSaved != 0 {
		lists = append(lists, bSaved)
	}
	key, want := rowKey(st.at, id), rowOf(rec, st)
	for _, b := range lists {
		who := "the list of " + string(b.name)
		v, err := c.t.get(b, key)
		if err != nil {
			return err
		}
		var w row
		if v == nil || !w.decode(v) {
			c.rep.find(string(b.name)+": the row is missing", id.String())
			continue
		}
		c.flags(id, who, w.flags, want.flags)
		if w.title != want.title {
			c.rep.find(fmt.Sprintf("title: %s has %.80q, the item %.80q", who, w.title, want.title), id.String())
		}
		if w.was != want.was {
			c.rep.find(fmt.Sprintf("former title: %s has %.80q, the item %.80q", who, w.was, want.was), id.String())
		}
		if w.author != want.author || w.words != want.words {
			c.rep.find("author or words: "+who+" differs from the item", id.String())
		}
		if !slices.Equal(w.tags, want.tags) {
			c.rep.find(fmt.Sprintf("tag: %s has %.80q, should be %.80q", who, w.tags, want.tags), id.String())
		}
	}
	return nil
}

// lists counts the rows. As each item's rows are there (row), equal numbers
// mean that there are no others.
func (c *checker) lists() error {
	h := c.m.head()
	for _, x := range []struct {
		b    *bucket
		want int
	}{{bUnread, h.unread}, {bRead, h.items - h.unread}, {bSaved, h.saved}} {
		n := 0
		err := c.t.scan(x.b, nil, nil, func(k, _ []byte) error {
			if n++; len(k) != 16 {
				return x.b.damage(k, "no such key")
			}
			_, id := splitRowKey(k)
			if c.m.item(id) == nil || c.m.feeds[id.Feed()].rec.Removed {
				c.rep.find(string(x.b.name)+": a row of an item that should not be listed", id.String())
			}
			return nil
		})
		if err != nil {
			return err
		}
		if n != x.want {
			c.rep.find(fmt.Sprintf("%s: %d rows are there, facts say %d", x.b.name, n, x.want), "lists")
		}
	}
	return nil
}

func (c *checker) keys() error {
	return c.t.scan(bIDs, nil, nil, func(k, v []byte) error {
		r := codec.Reader{B: v}
		n := uint32(r.Uvarint())
		if len(k) != 12 || !r.Done() || c.m.item(MakeItemID(FeedID(beUint32(k)), n)) == nil {
			c.rep.find("key: of no item", bIDs.keyName(k))
		}
		return nil
	})
}

func (c *checker) steps() error {
	seen := 0
	err := c.t.scan(bSteps, nil, nil, func(k, v []byte) error {
		no := beUint64(k)
		var got stepRec
		want := c.m.steps[no]
		if want == nil || !got.decode(v) {
			c.rep.find("step: no fact tells of it", fmt.Sprint("step ", no))
			return nil
		}
		seen++
		want.rec.count = got.count // a sum for people that facts do not repeat
		if got != want.rec {
			c.rep.find("step: the summary differs from its facts", fmt.Sprint("step ", no))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if seen != len(c.m.steps) {
		c.rep.find(fmt.Sprintf("step: %d are stored, facts tell of %d", seen, len(c.m.steps)), "steps")
	}
	redo, err := c.t.redoList()
	if err == nil && !slices.Equal(redo, c.m.redo) {
		c.rep.find(fmt.Sprintf("redo: stored are %v, facts say %v", redo, c.m.redo), "steps")
	}
	for name, want := range c.m.own {
		if got, err := c.t.get(bMeta, []byte(ownPrefix+name)); err == nil && string(got) != want {
			c.rep.find(fmt.Sprintf("%s: the library says %q, facts say %q", name, got, want), "settings")
		}
	}
	return err
}

func (c *checker) totals() {
	got, want := c.t.head, c.m.head()
	want.txBase = got.txBase
	names := map[string][2]uint64{
		"feeds": {uint64(got.feeds), uint64(want.feeds)}, "items": {uint64(got.items), uint64(want.items)},
		"unread": {uint64(got.unread), uint64(want.unread)}, "saved": {uint64(got.saved), uint64(want.saved)},
		"facts": {got.facts, want.facts}, "steps": {got.steps, want.steps}, "next feed": {uint64(got.nextFeed), uint64(want.nextFeed)},
	}
	for _, n := range slices.Sorted(maps.Keys(names)) {
		if x := names[n]; x[0] != x[1] {
			c.rep.find(fmt.Sprintf("counter %s: stored is %d, facts say %d", n, x[0], x[1]), "totals")
		}
	}
}
