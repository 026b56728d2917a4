package library

import (
	"encoding/binary"
	"slices"

	"diurna/store/codec"
	"diurna/store/record"
)

// hiddenKey is where the numbers of the live hidden feeds are kept, from schema 5
// on: what counts or lists unread items need not read all feeds to leave those out.
const hiddenKey = "hidden feeds"

// HiddenFeeds are the numbers of the live hidden feeds, ascending.
func (t *Txn) HiddenFeeds() ([]record.FeedID, error) {
	if t.hiddenRead {
		return t.hidden, nil
	}
	if t.Schema < 5 {
		return t.FindHidden()
	}
	v, err := t.Get(record.Meta, []byte(hiddenKey))
	if err != nil {
		return nil, err
	}
	r := codec.Reader{B: v}
	list := make([]record.FeedID, r.Count(1))
	for i := range list {
		list[i] = record.FeedID(r.Uvarint())
	}
	if v != nil && !r.Done() {
		return nil, record.Meta.Damage([]byte(hiddenKey), "the hidden feeds do not decode")
	}
	t.hidden, t.hiddenRead = list, true
	return list, nil
}

// FindHidden reads all feeds, as libraries from before schema 5 need it. What
// is damaged is for Check to tell.
func (t *Txn) FindHidden() ([]record.FeedID, error) {
	var list []record.FeedID
	c := t.Bucket(record.Feeds).Cursor()
	for k, rec := c.First(); k != nil; k, rec = c.Next() {
		var r record.FeedRecord
		if v, err := record.Feeds.Open(k, rec); err == nil && r.Decode(v) && r.Hidden && !r.Removed {
			list = append(list, record.FeedID(record.Uint32(k)))
		}
	}
	return list, nil
}

// noteHidden keeps the list right when a feed's record is written.
func (t *Txn) noteHidden(f record.FeedID, hidden bool) error {
	list, err := t.HiddenFeeds()
	if err != nil {
		return err
	}
	i, there := slices.BinarySearch(list, f)
	switch {
	case there == hidden:
		return nil
	case hidden:
		list = append(append(slices.Clone(list[:i]), f), list[i:]...)
	default:
		list = slices.Delete(slices.Clone(list), i, i+1)
	}
	return t.PutHidden(list)
}

// PutHidden writes the list of hidden feeds.
func (t *Txn) PutHidden(list []record.FeedID) error {
	v := binary.AppendUvarint(nil, uint64(len(list)))
	for _, f := range list {
		v = binary.AppendUvarint(v, uint64(f))
	}
	t.hidden, t.hiddenRead = list, true
	return t.Put(record.Meta, []byte(hiddenKey), v)
}

// HiddenUnread counts the unread items of hidden feeds from their counters.
func (t *Txn) HiddenUnread() (int, error) {
	list, err := t.HiddenFeeds()
	n := 0
	for _, f := range list {
		c, err := t.Count(f)
		if err != nil {
			return 0, err
		}
		if c == nil {
			return 0, record.Counts.Damage(record.Key4(uint32(f)), "the feed has no counters")
		}
		n += c.Unread
	}
	return n, err
}
