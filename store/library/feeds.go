package library

import (
	"fmt"

	"diurna/store/db"
	"diurna/store/lists"
	"diurna/store/record"
)

// Feed is a feed's record; nil if there is no such feed.
func (t *Txn) Feed(f record.FeedID) (*record.FeedRecord, error) {
	if r, ok := t.Feeds[f]; ok {
		return r, nil
	}
	key := record.Key4(uint32(f))
	v, err := t.Get(record.Feeds, key)
	if err != nil || v == nil {
		return nil, err
	}
	r := new(record.FeedRecord)
	if !r.Decode(v) {
		return nil, record.Feeds.Damage(key, "feed does not decode")
	}
	if t.Feeds == nil {
		t.Feeds = make(map[record.FeedID]*record.FeedRecord)
	}
	t.Feeds[f] = r
	return r, nil
}

// PutFeed writes the record of a feed.
func (t *Txn) PutFeed(f record.FeedID, r *record.FeedRecord) error {
	if t.Feeds == nil {
		t.Feeds = make(map[record.FeedID]*record.FeedRecord)
	}
	t.Feeds[f] = r
	if err := t.noteHidden(f, r.Hidden && !r.Removed); err != nil {
		return err
	}
	return t.Put(record.Feeds, record.Key4(uint32(f)), r.Encode(nil))
}

// SetLive subscribes or unsubscribes a feed that is known. Its items, their
// state, keys and bodies stay; only its rows and its share of the totals come
// and go, so that taking it back gives the identical state.
func (t *Txn) SetLive(f record.FeedID, live bool) error {
	c, err := t.Count(f)
	if err != nil {
		return err
	}
	r, err := t.Feed(f)
	if err != nil {
		return err
	}
	if c == nil || r == nil {
		return fmt.Errorf("%w: %s", ErrUnknown, f)
	}
	if c.Live == live {
		return nil
	}
	sign := 1
	if !live {
		sign = -1
		if err := t.loosen(f, nil); err != nil {
			return err
		}
	}
	c.Live = live
	t.Touch(f)
	t.Head.Feeds += sign
	t.Head.Items += sign * c.Items
	t.Head.Unread += sign * c.Unread
	t.Head.Saved += sign * c.Saved
	changed := *r
	changed.Removed = !live
	if err := t.PutFeed(f, &changed); err != nil {
		return err
	}
	t.byURL = nil
	rows, err := t.FeedRows(f, live)
	if err != nil {
		return err
	}
	if live {
		return lists.Put(t.Tx, rows)
	}
	lists.Sort(rows)
	for _, r := range rows {
		if err := lists.Drop(t.Tx, r); err != nil {
			return err
		}
	}
	return nil
}

// NewFeed makes a feed's records and returns its number.
func (t *Txn) NewFeed(url string, ms int64) (record.FeedID, error) {
	f := t.Head.NextFeed
	if f == 0 {
		return 0, fmt.Errorf("%w: no feed number is left", ErrInvalid)
	}
	t.Dirty = true
	t.Head.NextFeed++
	t.Head.Feeds++
	if t.counts == nil {
		t.counts = make(map[record.FeedID]*record.Count)
	}
	t.counts[f] = &record.Count{Next: 1, Live: true}
	t.Touch(f)
	if t.byURL != nil {
		t.byURL[url] = f
	}
	return f, t.PutFeed(f, &record.FeedRecord{URL: url, Subscribed: ms})
}

// FeedAt finds the feed with an address, a live one before a removed one; 0 if
// there is none. An import asks for thousands: all addresses are read once.
func (t *Txn) FeedAt(url string) (record.FeedID, error) {
	if t.byURL == nil {
		t.byURL = make(map[string]record.FeedID)
		removed := make(map[string]record.FeedID)
		err := t.Scan(record.Feeds, nil, nil, func(k, v []byte) error {
			var r record.FeedRecord
			if !r.Decode(v) {
				return record.Feeds.Damage(k, "feed does not decode")
			}
			if into := t.byURL; r.Removed {
				removed[r.URL] = record.FeedID(record.Uint32(k))
			} else {
				into[r.URL] = record.FeedID(record.Uint32(k))
			}
			return nil
		})
		if err != nil {
			t.byURL = nil
			return 0, err
		}
		for u, f := range removed {
			if t.byURL[u] == 0 {
				t.byURL[u] = f
			}
		}
	}
	return t.byURL[url], nil
}

// SetField sets a field of a feed.
func (t *Txn) SetField(f record.FeedID, field, value string) error {
	r, err := t.Feed(f)
	if err != nil {
		return err
	}
	if r == nil {
		return fmt.Errorf("%w: %s", ErrUnknown, f)
	}
	changed := *r
	changed.Set(field, value)
	if field == "url" {
		t.byURL = nil
	}
	return t.PutFeed(f, &changed)
}

// ReleaseEvery is after how many feeds the pages that held them are released: 2 MB.
const ReleaseEvery = 128

// AllFeeds reads feeds, counters and polls side by side.
func (t *Txn) AllFeeds(removed bool) ([]record.Feed, error) {
	out := make([]record.Feed, 0, t.Head.Feeds)
	live, last := 0, record.FeedID(0)
	err := t.Scan(record.Feeds, nil, nil, func(k, v []byte) error {
		id := record.FeedID(record.Uint32(k))
		last = id
		if id%ReleaseEvery == 0 {
			t.Release()
		}
		c, err := t.Count(id)
		if err != nil {
			return err
		}
		if c == nil {
			return record.Counts.Damage(k, "the feed has no counters")
		}
		if c.Live {
			live++
		} else if !removed {
			return nil
		}
		var r record.FeedRecord
		if !r.Decode(v) {
			return record.Feeds.Damage(k, "feed does not decode")
		}
		f := r.Feed(id, c)
		if err := t.Poll(id, &f.Poll); err != nil {
			return err
		}
		out = append(out, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if live != t.Head.Feeds || last+1 != t.Head.NextFeed {
		return nil, &db.DamagedError{What: fmt.Sprintf("%d feeds of %d are there", live, t.Head.Feeds), Record: "feeds"}
	}
	return out, nil
}

// Poll reads a feed's poll record into p; without one p is left as it is.
func (t *Txn) Poll(f record.FeedID, p *record.Poll) error {
	key := record.Key4(uint32(f))
	v, err := t.Get(record.Polls, key)
	if err != nil || v == nil {
		return err
	}
	var r record.PollRecord
	if !r.Decode(v) {
		return record.Polls.Damage(key, "poll does not decode")
	}
	ok := false
	if *p, ok = r.Poll(); !ok {
		return record.Polls.Damage(key, "poll does not decode")
	}
	return nil
}

// OneFeed reads one feed with its counters and its poll.
func (t *Txn) OneFeed(id record.FeedID) (record.Feed, error) {
	key := record.Key4(uint32(id))
	v, err := t.Get(record.Feeds, key)
	if err != nil {
		return record.Feed{}, err
	}
	c, err := t.Count(id)
	if err != nil {
		return record.Feed{}, err
	}
	if v == nil || c == nil {
		return record.Feed{}, record.Feeds.Damage(key, "the feed is missing")
	}
	var r record.FeedRecord
	if !r.Decode(v) {
		return record.Feed{}, record.Feeds.Damage(key, "feed does not decode")
	}
	f := r.Feed(id, c)
	return f, t.Poll(id, &f.Poll)
}
