package filing

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"diurna/store/blocks"
	"diurna/store/library"
	"diurna/store/record"
)

// A clock that is wrong for a while files items at places in the lists that they
// would keep: on top for years, or buried. So when items stand later than the clock
// says, publishers' dates and the log decide which of the two is wrong.
// What stands in the future of a clock that is right is set back; what comes under
// one that is behind is placed by its publisher's date. Both are facts (Placed), so
// that state = fold(facts) holds.

const (
	aDay  = 24 * 60 * 60 // s
	aWeek = 7 * aDay
	// clampedWithin is how far before its arrival a date may lie that says nothing:
	// the reader moves dates of the future to the moment of the fetch.
	clampedWithin = 5 * 60
	// bornAt is a time before this program existed: a clock that reads less is wrong.
	bornAt = 1735689600 // 2025-01-01
)

// Clock is how a clock that reads a certain time compares with the library.
type Clock struct {
	Behind  bool      // it is more than a day behind what the library knows
	Ahead   int       // items that stand later in the lists than the day after it
	Facts   int       // that are dated later than the day after it
	Latest  time.Time // the latest of their dates
	Dead    int       // facts dated before this program
	Known   time.Time // of a clock that is behind: the newest date that is believed
	earlier map[record.ItemID]int64
}

// Clock judges now by publishers' dates and the log. It reads all facts.
func (b *Inbox) Clock(ctx context.Context, now time.Time) (Clock, error) {
	var c Clock
	err := b.Lib.Read(ctx, func(t *library.Txn) (err error) {
		c, err = judge(t, now.Unix(), true)
		return err
	})
	return c, err
}

// Plausible is false for a clock that reads a time before this program.
func Plausible(now time.Time) bool { return now.Unix() >= bornAt }

// judge finds out whether the clock that says now is right, if anything stands
// later than it. always reads the facts even so, for what they tell of the past.
func judge(t *library.Txn, now int64, always bool) (Clock, error) {
	c := Clock{Behind: now < bornAt, earlier: map[record.ItemID]int64{}}
	for _, b := range []*record.Bucket{record.UnreadRows, record.ReadRows} {
		err := t.Scan(b, record.RowKey(now+aDay+1, 0), nil, func(k, _ []byte) error {
			_, id := record.SplitRowKey(k)
			c.earlier[id] = 0
			return nil
		})
		if err != nil {
			return c, err
		}
	}
	err := packedAfter(t, now+aDay, func(feed record.FeedID, it *record.PackedItem) {
		c.earlier[record.MakeItemID(feed, it.N())] = 0
	})
	if err != nil {
		return c, err
	}
	if c.Ahead = len(c.earlier); c.Ahead == 0 && !always {
		return c, nil
	}
	w := witness{now: now, clock: &c, newest: map[record.FeedID]int64{}, near: map[record.FeedID]bool{}, days: [2]map[int64]bool{{}, {}}}
	if _, err := t.Log.Visit(0, w.fact); err != nil {
		return c, err
	}
	if c.Behind = c.Behind || c.Ahead > 0 && !w.confirms(); c.Behind && w.last != 0 {
		c.Known = time.Unix(w.last, 0)
	}
	return c, nil
}

// witness goes through the facts for what they say about a clock.
type witness struct {
	now    int64
	clock  *Clock
	newest map[record.FeedID]int64 // a feed's newest date by its publisher
	near   map[record.FeedID]bool  // it has one of the last week
	days   [2]map[int64]bool       // with a fact: up to the day after now, and later
	before int64                   // the last fact up to then
	last   int64                   // the last fact after it
}

func (w *witness) fact(f *record.Fact) error {
	at := f.At.Unix()
	late := at > w.now+aDay
	if w.days[record.Bit(late)][at/aDay] = true; late {
		w.last = at
		w.clock.Facts++
		if f.At.After(w.clock.Latest) {
			w.clock.Latest = f.At
		}
	} else {
		w.before = at
		w.clock.Dead += record.Bit(at < bornAt)
	}
	if f.Kind != record.Arrived {
		return nil
	}
	for i, id := range f.Items {
		if _, ahead := w.clock.earlier[id]; ahead {
			w.clock.earlier[id] = cmp.Or(w.before, w.now)
		}
		date := at + f.Nums[i]
		if f.Nums[i] == record.Dateless || f.IsPageChange() || f.Nums[i] > -clampedWithin && f.Nums[i] <= clampedWithin {
			continue
		}
		w.newest[f.Feed] = max(w.newest[f.Feed], date)
		w.near[f.Feed] = w.near[f.Feed] || date > w.now-aWeek && date <= w.now+aDay
	}
	return nil
}

// confirms tells whether the clock is right: more feeds have dates of the last week
// than dates that are later than the next day. Where that says nothing, the side on
// which the log has more days is.
func (w *witness) confirms() bool {
	near, later := 0, 0
	for f, date := range w.newest {
		switch {
		case date > w.now+aDay:
			later++
		case w.near[f]:
			near++
		}
	}
	if near != later {
		return near > later
	}
	return len(w.days[0]) > len(w.days[1])
}

// clock judges the clock before something is filed under it, and sets back what
// stands in its future if it is right.
func (w *filer) clock() error {
	now := w.now.Unix()
	if now >= bornAt {
		if late, err := standsAfter(w.t, now+aDay); err != nil || !late {
			return err
		}
	}
	c, err := judge(w.t, now, false)
	if err != nil {
		return err
	}
	if w.behind = c.Behind; w.behind {
		w.known = c.Known
		return nil
	}
	return w.setBack(&c)
}

// standsAfter tells whether any item stands later in the lists than a time.
func standsAfter(t *library.Txn, at int64) (bool, error) {
	for _, b := range []*record.Bucket{record.UnreadRows, record.ReadRows} {
		k, _ := t.Bucket(b).Cursor().Last()
		if len(k) != 16 {
			continue // an empty list; what else it may be is for who reads it
		}
		if newest, _ := record.SplitRowKey(k); newest > at {
			return true, nil
		}
	}
	late := false
	err := packedAfter(t, at, func(record.FeedID, *record.PackedItem) { late = true })
	return late, err
}

// packedAfter calls see for the items in blocks that stand later than a time.
func packedAfter(t *library.Txn, at int64, see func(record.FeedID, *record.PackedItem)) error {
	if t.Schema < uint64(record.RowsSchema) {
		return nil
	}
	from := blocks.PlacesAfter(at)
	return t.Scan(record.ReadRows, from, from[:8], func(k, v []byte) error {
		p, err := blocks.ReadPlace(k, v)
		if err != nil {
			return err
		}
		list, err := t.Packed.At(p)
		for i := range list {
			if list[i].At() > at {
				see(p.First.Feed(), &list[i])
			}
		}
		return err
	})
}

// setBack places items at the last moment before their arrival that was no later
// than now.
func (w *filer) setBack(c *Clock) error {
	byFeed := map[record.FeedID][]record.ItemID{}
	for id := range c.earlier {
		byFeed[id.Feed()] = append(byFeed[id.Feed()], id)
	}
	feeds := make([]record.FeedID, 0, len(byFeed))
	for f := range byFeed {
		feeds = append(feeds, f)
	}
	slices.Sort(feeds)
	for _, f := range feeds {
		ids := record.SortedIDs(byFeed[f])
		fact := &record.Fact{Kind: record.Placed, At: w.now, Feed: f, Items: ids}
		if err := w.t.Loosen(ids); err != nil {
			return err
		}
		for _, id := range ids {
			at := min(cmp.Or(c.earlier[id], w.now.Unix()), w.now.Unix())
			if err := w.t.Place(id, at); err != nil {
				return err
			}
			fact.Nums = append(fact.Nums, at-w.now.Unix())
		}
		if err := newestOf(w.t, f); err != nil {
			return err
		}
		if err := w.t.Log.Append(fact); err != nil {
			return err
		}
	}
	return nil
}

// newestOf recomputes when a feed posted last.
func newestOf(t *library.Txn, f record.FeedID) error {
	c, err := t.Count(f)
	if err != nil {
		return err
	}
	prefix, first := record.Key4(uint32(f)), true
	var st record.State
	t.Touch(f)
	see := func(at int64) {
		if first || at > c.LastPost {
			c.LastPost, first = at, false
		}
	}
	err = t.Scan(record.States, prefix, prefix, func(k, v []byte) error {
		if !st.Decode(v) {
			return record.States.Damage(k, "state does not decode")
		}
		see(st.At)
		return nil
	})
	if err != nil {
		return err
	}
	gone, _, err := blocks.Pairs(t.Tx, record.States, f, 0, math.MaxUint32)
	for _, p := range gone {
		st.FromBlock(p)
		see(st.At)
	}
	if err != nil {
		return err
	}
	return t.Packed.Blocks(f, func(_ record.ItemID, list []record.PackedItem) error {
		for i := range list {
			see(list[i].At())
		}
		return nil
	})
}

// stands is where a new item is placed: by its date, but never later than it was
// first seen, so that a date in the future gains nothing. A clock that is behind
// does not bury it; of a page the date is the clock's too.
func (w *filer) stands(published time.Time, page bool) int64 {
	at := sortTime(published, w.now)
	if !w.behind {
		return at
	}
	dated := !published.IsZero() && !page
	switch {
	case dated && w.known.IsZero():
		return max(at, published.Unix())
	case dated:
		return max(at, min(published.Unix(), w.known.Unix()+aWeek))
	case w.known.IsZero():
		return at
	}
	return w.known.Unix() + 1 // above what came in that second
}

// notePlaces adds the fact of items that are not placed as their arrival says.
func (w *filer) notePlaces(f *record.Fact, first record.ItemID, places []int64) error {
	fact := &record.Fact{Kind: record.Placed, At: w.now, Feed: f.Feed}
	for i, at := range places {
		if at != record.ArrivedAt(f, i) {
			fact.Items = append(fact.Items, first+record.ItemID(i))
			fact.Nums = append(fact.Nums, at-w.now.Unix())
		}
	}
	if len(fact.Items) == 0 {
		return nil
	}
	return w.t.Log.Append(fact)
}

// sortTime is where an item stands in the lists: by its date, but never later
// than it was first seen, so that a date in the future gains nothing.
func sortTime(published, seen time.Time) int64 {
	if published.IsZero() {
		return seen.Unix()
	}
	return min(published.Unix(), seen.Unix())
}
