package trends

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"sort"
	"time"

	"diurna/ranking/topics"
	"diurna/reader/model"
	"diurna/store"
	"diurna/store/codec"
)

const (
	minHistory  = 5   // items of a feed in the four weeks before, from which on its words have a usual number
	minFeeds    = 2   // that use a term: the word of one feed is no trend
	minItems    = 3   // that hold a word
	newTimes    = 3   // a new word is used so many times as often as usual
	minSpecific = .08 // below it a word is used everywhere
	shrink      = 5   // items of a term from which on its entropy counts for half
	maxNewest   = 200 // items listed of a term
	rowsAtOnce  = 4096
	minKept     = 128 // terms of a kind that wait to be put in order, or three times as many as are asked for
	spreadFrom  = 8   // Eq. 5.3 is shown where a term is used so many times more
)

// candidate is a term that may be a trend.
type candidate struct {
	hash uint64
	Trend
}

// day is a table as Top reads it.
type day struct {
	terms [2]cursor // as they were read
	no    int64
	docs  []doc
	spots []spot // of docs
	front bool   // has items of the asked time
}

// spot is what is counted of an item.
type spot struct {
	feed int32  // -1: does not count
	ago  uint16 // 24 hours before now
	late bool   // in the asked time
}

// tally is what is known of the feeds and counted of one term.
type tally struct {
	since, until int64 // unix s
	trust        []float64
	inTime       []int32 // items of each feed in the asked time
	before       []int32 // and in the four weeks before
	items        int     // of both
	itemsInTime  int     // of the asked time
	frontItems   int     // of the tables that have some of it
	entropy      float64 // of before, by feed
	days         int
	used         []int32 // of one term: items of each feed in the asked time
	usedBefore   []int32
	feeds        []int32 // that use it
	daily        []int32 // items by ago
	total, times int32   // items in both times; in the asked one
	now, was     []float64
	bad          bool       // a table does not decode
	muted        bool       // some items of the asked time are
	most         int        // items that a term may be in
	dearest      float64    // the highest of trust
	whole        bool       // the asked time is whole days
	kept         int        // terms of a kind that wait to be put in order
	bars         [3]float64 // a term of a kind with a lower score is not among the best
}

// Top is what the feeds talked about in the time since: links, then new words, then steady
// ones, limit of them together, a third of which at least are left to each kind that has
// so many. It reads the tables as they are.
func (k *Keeper) Top(ctx context.Context, since time.Duration, now time.Time, limit int) (Report, error) {
	r := Report{Since: now.Add(-since), Now: now}
	feeds, err := k.feeds.Feeds(ctx)
	if err != nil || len(feeds) == 0 {
		return r, err
	}
	live, index := liveFeeds(feeds)
	h, _, err := k.head(ctx)
	if err != nil && !errors.Is(err, errSpoilt) {
		return r, err
	}
	if h.Version != version || h.Build != "" {
		r.Missing = true
		return r, nil
	}
	t := &tally{since: r.Since.Unix(), until: now.Unix(), kept: max(minKept, 3*limit), trust: trustOf(live, k.trust.Weights(ctx))}
	days, err := k.days(ctx, t, index)
	if err != nil {
		return r, err
	}
	for _, n := range t.inTime {
		r.Items += int(n)
		if n > 0 {
			r.Feeds++
		}
	}
	if t.muted {
		r.Aside = ", muted items aside"
	}
	found, ok := t.scan(days)
	if !ok {
		r.Missing = true // Update finds the damage too, and makes them again
		return r, k.lib.Cache().Delete(ctx, Bucket)
	}
	for kind := range found {
		found[kind] = best(found[kind], 3*limit)
	}
	t.weigh(days, &found)
	for kind := range found {
		found[kind] = best(found[kind], 3*limit)
	}
	if err := k.resolve(ctx, days, &found); err != nil {
		return r, err
	}
	r.Trends = share(&found, limit)
	return r, nil
}

// liveFeeds are the feeds whose items are trends, and their places.
func liveFeeds(feeds []model.Feed) ([]*model.Feed, map[store.FeedID]int32) {
	var live []*model.Feed
	index := make(map[store.FeedID]int32, len(feeds))
	for i := range feeds {
		if f := &feeds[i]; !f.Hidden && !f.Watched {
			index[f.Key] = int32(len(live))
			live = append(live, f)
		}
	}
	return live, index
}

// trustOf is T: the weight of each feed by what was opened, 1 on average.
func trustOf(live []*model.Feed, weights map[string]float64) []float64 {
	out, sum := make([]float64, len(live)), 0.
	for i, f := range live {
		w, ok := weights[f.Key.String()]
		if out[i] = w; !ok {
			out[i] = 1
		}
		sum += out[i]
	}
	for i := range out {
		out[i] *= float64(len(out)) / sum
	}
	return out
}

// muted are the items since a time that a rule mutes, which stand among the read ones.
func (k *Keeper) muted(ctx context.Context, since int64) (map[store.ItemID]bool, error) {
	out := map[store.ItemID]bool{}
	for q := (store.RowQuery{Which: store.ReadRows, Limit: rowsAtOnce}); ; {
		rows, err := k.lib.Rows(ctx, q)
		for i := range rows {
			if rows[i].Muted != 0 {
				out[rows[i].ID] = true
			}
		}
		if err != nil || len(rows) < q.Limit || rows[len(rows)-1].At < since {
			return out, err
		}
		q.Before = store.After(rows[len(rows)-1])
	}
}

// days reads the tables, and counts the items of each feed.
func (k *Keeper) days(ctx context.Context, t *tally, index map[store.FeedID]int32) ([]*day, error) {
	begin := t.since - baseline*daySeconds
	t.days = int((t.until-begin)/daySeconds) + 1
	n := len(t.trust)
	t.inTime, t.before = make([]int32, n), make([]int32, n)
	t.used, t.usedBefore, t.daily = make([]int32, n), make([]int32, n), make([]int32, max(t.days, Days))
	muted, err := k.muted(ctx, begin)
	if err != nil {
		return nil, err
	}
	var days []*day
	err = k.lib.Cache().Scan(ctx, Bucket, dayKey(dayOf(begin)), func(key string, val []byte) bool {
		if len(key) != 5 || key[0] != kindDay || key > dayKey(dayOf(t.until)) {
			return false
		}
		d := &day{no: int64(binary.BigEndian.Uint32([]byte(key[1:])))}
		r := codec.Reader{B: slices.Clone(val)}
		d.docs = readDocs(&r, d.no)
		d.terms = readTerms(&r)
		t.bad = t.bad || r.Bad
		d.spots = make([]spot, len(d.docs))
		for i, c := range counted(d.docs) {
			at := d.docs[i].at
			f, ok := index[d.docs[i].item.Feed()]
			if d.spots[i].feed = -1; !ok || !c || at <= begin || at > t.until {
				continue
			}
			if muted[d.docs[i].item] {
				t.muted = t.muted || at > t.since
				continue
			}
			d.spots[i] = spot{f, uint16((t.until - at) / daySeconds), at > t.since}
			t.items++
			if at > t.since {
				t.inTime[f]++
				t.itemsInTime++
				d.front = true
			} else {
				t.before[f]++
			}
		}
		if d.front {
			t.frontItems += len(d.docs)
		}
		days = append(days, d)
		return true
	})
	t.entropy = entropy(t.before)
	t.most = max(t.frontItems/3, 100)
	t.dearest = slices.Max(append(t.trust, 0))
	t.whole = (t.until-t.since)%daySeconds == 0
	return days, err
}

// entropy is topics.Entropy of counts.
func entropy(counts []int32) float64 {
	w := make([]float64, 0, len(counts))
	for _, n := range counts {
		if n > 0 {
			w = append(w, float64(n))
		}
	}
	return topics.Entropy(w)
}

// scan walks through the terms of all tables at once, in order, and finds those that may be
// trends, by kind. false: a table does not decode.
func (t *tally) scan(days []*day) (found [3][]candidate, ok bool) {
	var front, back []*run
	if t.bad {
		return found, false
	}
	all := runs(days)
	for _, d := range all {
		if !d.front {
			back = append(back, d)
		} else if d.next() {
			front = append(front, d)
		}
	}
	heads := make([]uint64, len(front)) // the terms at which they stand
	for i, d := range front {
		heads[i] = d.hash
	}
	for len(front) > 0 {
		hash := heads[0]
		for _, h := range heads[1:] {
			hash = min(hash, h)
		}
		n := 0
		for i, h := range heads {
			if h == hash {
				n += front[i].n
			}
		}
		if n >= least(hash) && n <= t.most && t.hopeful(hash, n, heads, front) {
			for i, h := range heads {
				if h == hash {
					t.add(front[i])
				}
			}
			if t.wide() {
				if c, ok := t.sift(hash, back); ok {
					list := append(found[c.Kind], c)
					if len(list) >= 2*t.kept {
						list = best(list, t.kept)
						t.bars[c.Kind] = list[t.kept-1].Score
					}
					found[c.Kind] = list
				}
			}
			t.clear()
		}
		ended := false
		for i, h := range heads {
			if h != hash {
				continue
			}
			if d := front[i]; d.next() {
				heads[i] = d.hash
			} else {
				front[i], ended = nil, true
			}
		}
		if ended {
			still, left := front[:0], heads[:0]
			for i, d := range front {
				if d != nil {
					still, left = append(still, d), append(left, heads[i])
				}
			}
			front, heads = still, left
		}
	}
	return found, !slices.ContainsFunc(all, func(r *run) bool { return r.bad })
}

// run goes through terms of a day.
type run struct {
	*day
	cursor
}

// runs begin at the first terms of days.
func runs(days []*day) []*run {
	out := make([]*run, 0, 2*len(days))
	for _, d := range days {
		out = append(out, &run{d, d.terms[1]}, &run{d, d.terms[0]})
	}
	return out
}

// least is in how many items a term must be.
func least(hash uint64) int {
	if hash&linkBit != 0 {
		return minFeeds
	}
	return minItems
}

// hopeful reports whether a term may be among the best, of which only is known in how many
// items of which tables it is: were each of them in another feed, one of those trusted most,
// and those of two days within 24 hours.
func (t *tally) hopeful(hash uint64, n int, heads []uint64, front []*run) bool {
	step := n
	if t.whole {
		step = 0
		last, was := 0, int64(0) // items of a day
		for i, h := range heads {
			if h == hash {
				d := front[i]
				if was != d.no-1 {
					last = 0
				}
				step = max(step, last+d.n)
				last, was = d.n, d.no
			}
		}
	}
	most := t.dearest * math.Log(float64(t.items+1)/float64(least(hash)+1))
	return t.rises(hash, most*float64(n), most*float64(step))
}

// rises reports whether a term is better than those that are kept, were its score so high: as
// a steady one, and as a new one.
func (t *tally) rises(hash uint64, steady, fresh float64) bool {
	if hash&linkBit != 0 {
		return fresh > t.bars[Link]
	}
	return fresh > t.bars[Emerging] || steady > t.bars[Steady]
}

// sift judges a term whose items of the asked time are counted. Of one that is clearly no
// news the four weeks before are not counted feed by feed: most terms are such, and weigh
// goes over the few of them that are listed once more.
func (t *tally) sift(hash uint64, back []*run) (candidate, bool) {
	before := int(t.total - t.times)
	t.total = t.times
	now := t.now[:0]
	trust := 0.
	for _, f := range t.feeds {
		if n := t.used[f]; n > 0 {
			trust += t.trust[f] * weight(n)
			now = append(now, float64(n))
		}
	}
	most, burst := trust*t.idf(), 1. // were it never used before
	if t.whole {
		burst = min(float64(t.step())/float64(t.total), 1)
	}
	t.total += int32(before)
	if !t.rises(hash, most, most*burst) {
		return candidate{}, false
	}
	was := before
	for _, d := range back {
		if d.seek(hash) {
			before += d.n
		}
	}
	usual := float64(before) / float64(max(t.items-t.itemsInTime, 1)) * float64(t.itemsInTime)
	if float64(t.times)*2 < newTimes*usual && hash&linkBit == 0 {
		t.total += int32(before - was)
		c := candidate{hash: hash, Trend: Trend{Kind: Steady, Trust: trust}}
		if c.Score = c.Trust * t.idf(); c.Score <= t.bars[Steady] {
			return c, false
		}
		c.Score *= t.specific(float64(t.total), now)
		return c, c.Score > t.bars[Steady]
	}
	for _, d := range back {
		if !d.done && d.hash == hash {
			t.add(d)
		}
	}
	return t.judge(hash)
}

// weigh judges the candidates of all kinds by all that is known of them.
func (t *tally) weigh(days []*day, found *[3][]candidate) {
	var hashes []uint64
	for _, list := range found {
		for i := range list {
			hashes = append(hashes, list[i].hash)
		}
	}
	slices.Sort(hashes)
	*found = [3][]candidate{}
	all := runs(days)
	for _, hash := range hashes {
		for _, d := range all {
			if d.seek(hash) {
				t.add(d)
			}
		}
		if c, ok := t.judge(hash); ok {
			found[c.Kind] = append(found[c.Kind], c)
		}
		t.clear()
	}
}

// add counts the term at which a table stands.
func (t *tally) add(d *run) {
	d.each(len(d.docs), func(i int) {
		at := d.spots[i]
		f := at.feed
		if f < 0 {
			return
		}
		if t.used[f] == 0 && t.usedBefore[f] == 0 {
			t.feeds = append(t.feeds, f)
		}
		t.total++
		t.daily[at.ago]++
		if at.late {
			t.used[f]++
			t.times++
		} else {
			t.usedBefore[f]++
		}
	})
}

// wide reports whether enough feeds use the term in the asked time.
func (t *tally) wide() bool {
	n := 0
	for _, f := range t.feeds {
		if t.used[f] > 0 {
			n++
		}
	}
	return n >= minFeeds
}

// clear forgets the term.
func (t *tally) clear() {
	for _, f := range t.feeds {
		t.used[f], t.usedBefore[f] = 0, 0
	}
	t.feeds, t.total, t.times = t.feeds[:0], 0, 0
	clear(t.daily)
}

// judge says what the term is; false: no trend.
func (t *tally) judge(hash uint64) (candidate, bool) {
	c := candidate{hash: hash}
	link := hash&linkBit != 0
	if int(t.times) < least(hash) || !t.wide() {
		return c, false
	}
	slices.Sort(t.feeds) // sums do not hang on the order in which feeds came
	idf := t.idf()
	now, before := t.now[:0], t.was[:0]
	for _, f := range t.feeds {
		n, was := float64(t.used[f]), float64(t.usedBefore[f])
		now, before = append(now, n), append(before, was)
		if n > 0 {
			c.Feeds++
			c.Trust += t.trust[f] * weight(t.used[f]) * idf
		}
		if t.before[f] >= minHistory {
			c.Usual += was / float64(t.before[f]) * float64(t.inTime[f])
		} else {
			c.Usual += n // nothing is known of the feed: it may write so every day
		}
	}
	t.now, t.was = now, before
	c.Items = int(t.times)
	c.Burst = t.burst()
	excess := float64(t.times) - c.Usual
	isNew := float64(t.times) >= newTimes*c.Usual && excess >= 2*math.Sqrt(c.Usual+.5)
	was := float64(t.total - t.times)
	switch {
	case isNew:
		c.Kind = Emerging
		c.Specific = t.specific(was, before)
	case link:
		return c, false // at the foot of every item
	default:
		c.Kind = Steady
		both := make([]float64, len(now))
		for i := range both {
			both[i] = now[i] + before[i]
		}
		c.Specific = t.specific(float64(t.total), both)
	}
	if link {
		c.Kind = Link
	}
	if c.Specific < minSpecific {
		return c, false
	}
	c.Score = c.Trust * c.Specific
	if isNew {
		c.Score *= c.Burst
	}
	if excess >= spreadFrom {
		c.Spread, c.Spreads = topics.Emergence(before, now)
	}
	for i := range c.Daily {
		c.Daily[i] = int(t.daily[Days-1-i])
	}
	return c, true
}

// idf is how rare the term is among the items of both times.
func (t *tally) idf() float64 { return math.Log(float64(t.items+1) / float64(t.total+1)) }

// weight is how much the items of a feed that hold a term count together.
func weight(items int32) float64 {
	if items == 1 {
		return 1
	}
	return 1 + math.Log(float64(items))
}

// specific is 1 less the share of the entropy, shrunk for a term of few items: that three
// feeds use a word once each does not make it a word that is used everywhere.
func (t *tally) specific(items float64, counts []float64) float64 {
	return 1 - items/(items+shrink)*t.share(counts)
}

// share is the entropy of a term by that of all items, 0 to 1.
func (t *tally) share(counts []float64) float64 {
	if t.entropy == 0 {
		return 0
	}
	return min(topics.Entropy(counts)/t.entropy, 1)
}

// burst is the largest step up from one day to the next within the asked time, by all
// items (Sia 2009, section 5.4.2).
func (t *tally) burst() float64 { return float64(t.step()) / float64(t.total) }

func (t *tally) step() int32 {
	last := int((t.until - t.since + daySeconds - 1) / daySeconds)
	most := int32(0)
	for ago := range last {
		step := t.daily[ago]
		if ago+1 < len(t.daily) {
			step -= t.daily[ago+1]
		}
		most = max(most, step)
	}
	return most
}

// best are the candidates with the highest scores, in order.
func best(list []candidate, most int) []candidate {
	sort.Slice(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return a.Score > b.Score || a.Score == b.Score && a.hash < b.hash
	})
	return list[:min(most, len(list))]
}

// share gives each kind its part of limit trends: what one does not need the next ones
// get.
func share(found *[3][]candidate, limit int) []Trend {
	var out []Trend
	left := limit
	for kind, list := range found {
		others := 0 // what the kinds after it are owed
		for _, more := range found[kind+1:] {
			others += min(len(more), limit/4)
		}
		n := min(len(list), max(left-others, 0))
		for i := range list[:n] {
			out = append(out, list[i].Trend)
		}
		left -= n
	}
	return out
}
