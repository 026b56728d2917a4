package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"diurna/store/library"
	"diurna/store/record"
)

// Later makes the library one in which all happened d later than it did, in the
// given zone: facts, and every time that follows from them. note does the same to
// what a caller keeps of an address. It is for libraries that come with the program;
// one transaction.
func (s *Store) Later(ctx context.Context, d time.Duration, zone *time.Location, note func([]byte) ([]byte, error)) error {
	return s.lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) error {
		m := mover{t: t, by: d, zone: zone}
		for _, part := range []struct {
			of   *record.Bucket
			move func(key, value []byte) (newKey, newValue []byte, err error)
		}{
			{record.Facts, m.facts}, {record.Feeds, m.feed}, {record.Polls, m.poll}, {record.Items, m.item}, {record.States, m.state},
			{record.UnreadRows, m.row}, {record.ReadRows, m.row}, {record.SavedRows, m.row}, {record.Counts, m.count}, {record.Steps, m.leading},
			{record.Revisions, m.leading}, {record.Pages, m.leading},
			{record.PageNotes, func(k, v []byte) ([]byte, []byte, error) { v, err := note(v); return k, v, err }},
		} {
			if err := m.each(part.of, part.move); err != nil {
				return err
			}
		}
		return nil
	}})
}

// mover rewrites records with later times.
type mover struct {
	t    *library.Txn
	by   time.Duration
	zone *time.Location
}

// each rewrites the records of a bucket. They are read first: bbolt's cursors do
// not bear changes under way.
func (m *mover) each(b *record.Bucket, move func(key, value []byte) ([]byte, []byte, error)) error {
	type record struct{ key, value []byte }
	var all []record
	err := m.t.Scan(b, nil, nil, func(k, v []byte) error {
		all = append(all, record{slices.Clone(k), slices.Clone(v)})
		return nil
	})
	if err != nil {
		return err
	}
	moved := make([]record, len(all))
	for i, r := range all {
		if moved[i].key, moved[i].value, err = move(r.key, r.value); err != nil {
			return fmt.Errorf("move %s %s: %w", b.Name, b.KeyName(r.key), err)
		}
		if string(moved[i].key) != string(r.key) {
			if err := m.t.Delete(b, r.key); err != nil {
				return err
			}
		}
	}
	for _, r := range moved {
		if err := m.t.Put(b, r.key, r.value); err != nil {
			return err
		}
	}
	return nil
}

func (m *mover) ms(times ...*int64)      { later(m.by.Milliseconds(), times) }
func (m *mover) seconds(times ...*int64) { later(int64(m.by/time.Second), times) }

// later adds to times; 0 is none.
func later(by int64, times []*int64) {
	for _, at := range times {
		if *at != 0 {
			*at += by
		}
	}
}

func (m *mover) facts(key, run []byte) ([]byte, []byte, error) {
	var d record.FactReader
	var c record.FactCoder
	var out []byte
	d.Begin(record.Uint64(key), run)
	for d.Next() {
		f := d.Fact
		f.At = f.At.Add(m.by).In(m.zone)
		out = c.Append(out, &f)
	}
	if d.Rest.Bad {
		return nil, nil, record.Facts.Damage(key, "facts do not decode")
	}
	return key, out, nil
}

func (m *mover) feed(key, value []byte) ([]byte, []byte, error) {
	var r record.FeedRecord
	if !r.Decode(value) {
		return nil, nil, record.Feeds.Damage(key, "feed does not decode")
	}
	m.ms(&r.Subscribed)
	return key, r.Encode(nil), nil
}

func (m *mover) item(key, value []byte) ([]byte, []byte, error) {
	var r record.ItemRecord
	if !r.Decode(value) {
		return nil, nil, record.Items.Damage(key, "item does not decode")
	}
	m.ms(&r.Published, &r.Updated, &r.FirstSeen, &r.ResurfacedAt, &r.CorrectAt)
	return key, r.Encode(nil), nil
}

func (m *mover) poll(key, value []byte) ([]byte, []byte, error) {
	var r record.PollRecord
	if !r.Decode(value) {
		return nil, nil, record.Polls.Damage(key, "poll does not decode")
	}
	m.ms(&r.LastFetch, &r.LastOK, &r.LastNew, &r.Since, &r.NotBefore, &r.MovedSince, &r.NextFetch)
	p, ok := r.Poll()
	if !ok {
		return nil, nil, record.Polls.Damage(key, "poll does not decode")
	}
	for i := range p.Checks {
		m.seconds(&p.Checks[i])
	}
	for i := range p.Lost {
		m.seconds(&p.Lost[i].Known, &p.Lost[i].At)
	}
	for i := range p.Fetches {
		m.seconds(&p.Fetches[i].At)
	}
	m.seconds(&p.ReadAt, &p.Watch.Changed, &p.Watch.LastAt)
	m.days(&p)
	r = record.NewPollRecord(&p)
	return key, r.Encode(nil), nil
}

// days moves the counts of a poll, which lie at their day's number modulo their
// count, by as many days as midnight moves.
func (m *mover) days(p *Poll) {
	was := p.Days
	p.Days = [28]DayCount{}
	for _, d := range was {
		if d == (DayCount{}) {
			continue
		}
		d.Day += int32(math.Round(m.by.Hours() / 24))
		p.Days[int(d.Day)%len(p.Days)] = d
	}
}

func (m *mover) state(key, value []byte) ([]byte, []byte, error) {
	var st record.State
	if !st.Decode(value) {
		return nil, nil, record.States.Damage(key, "state does not decode")
	}
	m.seconds(&st.At)
	return key, st.Encode(nil), nil
}

func (m *mover) row(key, value []byte) ([]byte, []byte, error) {
	at, id := record.SplitRowKey(key)
	m.seconds(&at)
	return record.RowKey(at, id), value, nil
}

func (m *mover) count(key, value []byte) ([]byte, []byte, error) {
	if record.Uint32(key) == 0 { // the totals have no time
		return key, value, nil
	}
	var c record.Count
	if !c.Decode(value) {
		return nil, nil, record.Counts.Damage(key, "counters do not decode")
	}
	if c.Next > 1 {
		m.seconds(&c.LastPost)
	}
	return key, c.Encode(nil), nil
}

// leading moves the time that a record begins with, as a varint of ms.
func (m *mover) leading(key, value []byte) ([]byte, []byte, error) {
	at, size := binary.Varint(value)
	if size <= 0 {
		return nil, nil, errors.New("the record has no time")
	}
	m.ms(&at)
	return key, append(binary.AppendVarint(nil, at), value[size:]...), nil
}
