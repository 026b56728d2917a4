package store

import "bytes"

// older hides what a library from before schema 4 holds as it was written.
type older struct {
	book  *secretBook
	pages map[FeedID]bool // watched: their site and the links of their items are their own address
}

// older is how this library's records are to be read; nil if they are hidden
// already.
func (t *txn) older() *older {
	if t.lib.secrets == nil || !t.lacks(bSecrets) {
		return nil
	}
	return &older{t.lib.secrets, map[FeedID]bool{}}
}

func (o *older) hide(field, value string) string { return o.book.hide(field, value, o.book.secret) }

// hideOld rewrites feeds, how their fetching goes, the facts and steps that tell
// of addresses, and where pages were served. Free pages hold the old bytes until
// Compact. What does not decode stays as it is.
func (t *txn) hideOld(o *older) error {
	if o == nil {
		return nil
	}
	t.eachSound(bPageHeads, nil, func(k, _ []byte) { o.pages[FeedID(beUint32(k))] = true })
	for _, b := range []*bucket{bFeeds, bPolls, bFacts, bSteps, bPages} {
		if err := t.rewrite(b, nil, o); err != nil {
			return err
		}
	}
	for f := range o.pages {
		if err := t.rewrite(bItems, key4(uint32(f)), o); err != nil {
			return err
		}
	}
	t.feeds, t.byURL = nil, nil
	return nil
}

// eachSound visits the records of b whose key has prefix, as far as they check:
// what is damaged is for Check to tell, not a reason to refuse every commit.
func (t *txn) eachSound(b *bucket, prefix []byte, visit func(key, payload []byte)) {
	if t.lacks(b) {
		return
	}
	c := t.cursor(b)
	for k, rec := c.Seek(prefix); k != nil && hasPrefix(k, prefix); k, rec = c.Next() {
		if p, err := b.open(k, rec); err == nil {
			visit(k, p)
		}
	}
}

// rewrite hides the records of b whose key has prefix.
func (t *txn) rewrite(b *bucket, prefix []byte, o *older) error {
	var keys, changed [][]byte // a bucket is not to be changed under its cursor
	t.eachSound(b, prefix, func(k, v []byte) {
		if now := o.record(b, k, v); now != nil && !bytes.Equal(now, v) {
			keys, changed = append(keys, bytes.Clone(k)), append(changed, now)
		}
	})
	for i := range keys {
		if err := t.put(b, keys[i], changed[i]); err != nil {
			return err
		}
	}
	return nil
}

// record is the hidden form of a record; nil if it does not decode.
func (o *older) record(b *bucket, k, v []byte) []byte {
	switch b {
	case bFacts:
		return o.facts(beUint64(k), v)
	case bSteps:
		var r stepRec
		if !r.decode(v) {
			return nil
		}
		o.told(r.kind, r.feed, r.field, &r.new)
		return r.encode(nil)
	case bPages:
		var r PageRevision
		if len(k) != 8 || !r.decode(beUint32(k[4:]), v) {
			return nil
		}
		if !r.Child { // what a page links to is its publisher's word
			o.address(&r.Address)
		}
		return r.encode()
	}
	return o.coded(b, k, v)
}

// coded is record for those of CBOR.
func (o *older) coded(b *bucket, k, v []byte) []byte {
	var feed feedRec
	var poll pollRec
	var item itemRec
	of := map[*bucket]any{bFeeds: &feed, bPolls: &poll, bItems: &item}[b]
	if decMode.Unmarshal(v, of) != nil {
		return nil
	}
	for _, s := range []*string{&feed.URL, &poll.MovedTo, &poll.ValidatorsFor, &item.Link} {
		o.address(s)
	}
	if o.pages[FeedID(beUint32(k))] {
		o.address(&feed.Site)
	}
	for name, value := range feed.Attrs {
		feed.Attrs[name] = o.hide(name, value)
	}
	if x := poll.Extra; x != nil {
		o.address(&x.Self)
		o.address(&x.Adopted)
	}
	out, _ := encMode.Marshal(of) // what was decoded can be encoded
	return out
}

func (o *older) address(s *string) { *s = o.hide("url", *s) }

func (o *older) facts(first uint64, run []byte) (out []byte) {
	var d factReader
	var c factCoder
	for d.begin(first, run); d.next(); {
		f := &d.f
		o.told(f.Kind, f.Feed, f.Field, &f.Old)
		o.told(f.Kind, f.Feed, f.Field, &f.New)
		out = c.append(out, f)
	}
	if !d.r.Done() {
		return nil
	}
	return out
}

// told hides a value that a fact tells, or the summary of its step.
func (o *older) told(kind Kind, feed FeedID, field string, value *string) {
	switch {
	case kind == Subscribed:
		o.address(value)
	case kind == Adjusted && feed != 0:
		*value = o.hide(field, *value)
	}
}
