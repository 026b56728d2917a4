package interest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"diurna/ranking"
	"diurna/ranking/topics"
	"diurna/reader/model"
	"diurna/store"
)

// learned is what the facts up to number last say about what this reader opens.
// It is loaded where it is needed and let go at once: 50,000 unread items with
// their words are some 20 MB, which a screen at rest must not hold.
//
// Everything in it is a function of the facts, of what the items say now and of
// the fitted topics: a checkpoint counts only as long as fold(checkpoint, tail) is
// fold(all). Feeds get their numbers in the order they were subscribed to, so that
// not even the last bit of a sum hangs on who folded when.
type learned struct {
	b      *ranking.Beliefs
	model  *topics.Model // nil: none was fitted yet
	head   checkpoint
	vec    vectors
	raw    map[store.FeedID]uint64 // hashes of the vectors as they lie in the cache
	feeds  []store.Feed            // all there ever were, by ID
	events []ranking.Event         // of the whole log, if keep is set
	keep   bool
}

// checkpoint is what a checkpoint knows besides the model's own.
type checkpoint struct {
	Version  int
	Last     uint64 // the newest fact taken in
	Fit      uint64 // how often topics were fitted; 0: never
	FitItems int    // of the library then
	Items    int    // of the library when this was written
	Opens    map[store.ItemID]openings
	TakenBy  map[uint64][]uint64     // by the step that marked unread: the openings it took back
	Seen     map[store.FeedID][]byte // a bit an item: there is evidence of it
	Shown    map[store.FeedID][]byte // the same: it stood on the screen
}

// openings are the facts that an item was opened, the last of them at At.
type openings struct {
	Nos []uint64
	At  int64 // unix s
}

// checkpointVersion changes whenever what is folded, or how, does.
const checkpointVersion = 6

// takeBackWithin is how long after an opening marking unread takes it back.
// Later it means that the item is to be read again.
const takeBackWithin = 24 * 3600

func newLearned(fitted *topics.Model, fit uint64, items int) *learned {
	return &learned{b: ranking.NewBeliefs(), model: fitted, vec: vectors{at: map[store.FeedID][]int32{}}, raw: map[store.FeedID]uint64{},
		head: checkpoint{Version: checkpointVersion, Fit: fit, FitItems: items, Opens: map[store.ItemID]openings{},
			TakenBy: map[uint64][]uint64{}, Seen: map[store.FeedID][]byte{}, Shown: map[store.FeedID][]byte{}}}
}

// unfolded is nothing folded yet, with the topics of a fit. The vectors that lie in the
// cache are of other numbers: all of them have to be written again.
func (in *learned) unfolded(fitted *topics.Model, fit uint64, items int) *learned {
	fresh := newLearned(fitted, fit, items)
	fresh.keep = in.keep
	for feed := range in.raw {
		fresh.raw[feed] = 0
	}
	return fresh
}

// errAnew: the tail changes what was folded already.
var errAnew = errors.New("the whole log has to be folded")

// fold takes in the facts since the last one. A tail that reaches back behind
// the checkpoint starts everything again.
func (r *Ranker) fold(ctx context.Context, in *learned) (*learned, error) {
	err := in.fold(ctx, r.lib)
	if errors.Is(err, errAnew) {
		in = in.unfolded(in.model, in.head.Fit, in.head.FitItems)
		err = in.fold(ctx, r.lib)
	}
	if err != nil && !errors.Is(err, store.ErrNone) {
		return nil, fmt.Errorf("fold the log: %w", err)
	}
	return in, nil
}

// signal is a fact that may say something about interest.
type signal struct {
	no, step, ref uint64
	at            int64
	kind          store.Kind
	feed          store.FeedID
	items         []store.ItemID
	nums          []int64
	field, word   string
	imported      bool
}

// fold reads the tail, describes the items it names, and tells the model.
func (in *learned) fold(ctx context.Context, s Library) error {
	feeds, err := s.FeedsAll(ctx)
	if err != nil {
		return err
	}
	in.know(feeds)
	first := in.head.Last == 0
	signals, edited, last, err := in.tail(ctx, s)
	if err != nil {
		return err
	}
	if !first {
		if err := in.unchanged(edited); err != nil {
			return err
		}
	}
	var ids []store.ItemID
	for i := range signals {
		switch signals[i].kind {
		case store.Undone, store.Redone, store.MarkedUnread, store.Adjusted:
		default:
			ids = append(ids, signals[i].items...)
		}
	}
	if err := in.vectorize(ctx, s, ids); err != nil {
		return err
	}
	t := translator{in: in, kinds: map[uint64]bool{}}
	for i := range signals {
		if err := t.tell(ctx, s, &signals[i]); err != nil {
			return err
		}
	}
	in.head.Last = last
	if in.keep {
		in.events = append(in.events, t.events...)
	}
	if first {
		in.b.Refold(t.events)
		return nil
	}
	for i := range t.events {
		if err := in.b.Apply(t.events[i]); errors.Is(err, ranking.ErrRefold) {
			return errAnew
		} else if err != nil {
			return err
		}
	}
	return nil
}

// know gives feeds their numbers and folders.
func (in *learned) know(feeds []store.Feed) {
	in.feeds = feeds
	for i := range feeds {
		in.b.Vector(ranking.Item{Feed: feeds[i].ID.String(), Folder: feeds[i].Folder})
	}
}

// tail reads the facts since the last one that may say something, and which items
// were edited.
func (in *learned) tail(ctx context.Context, s Library) (signals []signal, edited []store.ItemID, last uint64, err error) {
	var imports Imports
	last, err = s.Facts(ctx, in.head.Last, func(f *store.Fact) error {
		came, step := imports.Made(f), f.Step
		if f.ByRule() != 0 {
			return nil // nobody did this
		}
		if f.Field == store.ByImport { // with the items, in no step: gone when that of the import is undone
			step = f.Ref
		}
		switch f.Kind {
		case store.Edited:
			edited = append(edited, f.Items...)
			return nil
		case store.Adjusted:
			if f.Field != LearningField && f.Field != ByTitlesField {
				return nil
			}
		case store.Looked, store.MarkedUnread, store.Undone, store.Redone:
		default:
			if !Learns(f, came) {
				return nil
			}
		}
		signals = append(signals, signal{no: f.No, step: step, ref: f.Ref, at: f.At.Unix(), kind: f.Kind, feed: f.Feed,
			items: slices.Clone(f.Items), nums: slices.Clone(f.Nums), field: f.Field, word: f.New, imported: came})
		return nil
	})
	return signals, edited, last, err
}

// Imports tells which facts of a log an import made.
type Imports struct{ steps map[uint64]bool }

// Made reports whether an import made the next fact of the log.
func (i *Imports) Made(f *store.Fact) bool {
	if f.Step == f.No && f.Step != 0 && imported(f) {
		if i.steps == nil {
			i.steps = map[uint64]bool{}
		}
		i.steps[f.Step] = true
	}
	return i.steps[f.Step] || f.Field == store.ByImport
}

// Learns reports whether Ranked learns from what the items of a fact say, which an
// import may have made.
func Learns(f *store.Fact, imported bool) bool {
	switch f.Kind {
	case store.MarkedRead:
		return imported && f.ByRule() == 0
	case store.Opened:
		return f.Field != FromSearch
	case store.Shown, store.Saved, store.Trained:
		return f.ByRule() == 0
	}
	return false
}

// unchanged fails with errAnew if an item of which there is evidence now says
// something else than it did when that was folded.
func (in *learned) unchanged(edited []store.ItemID) error {
	for _, id := range edited {
		in.vec.drop(id)
		if in.seen(id) {
			return errAnew
		}
	}
	return nil
}

func (in *learned) seen(id store.ItemID) bool { return marked(in.head.Seen, id) }

// marked and mark ask and set the bit of an item.
func marked(of map[store.FeedID][]byte, id store.ItemID) bool {
	bits, n := of[id.Feed()], int(id.N())
	return n/8 < len(bits) && bits[n/8]&(1<<(n%8)) != 0
}

func mark(of map[store.FeedID][]byte, id store.ItemID) {
	bits, n := of[id.Feed()], int(id.N())
	for n/8 >= len(bits) {
		bits = append(bits, 0)
	}
	bits[n/8] |= 1 << (n % 8)
	of[id.Feed()] = bits
}

// translator turns signals into the model's events.
type translator struct {
	in     *learned
	events []ranking.Event
	kinds  map[uint64]bool // steps looked up: they say something about interest
}

func (t *translator) add(d *signal, kind ranking.Kind, id store.ItemID) *ranking.Event {
	e := ranking.Event{No: d.no, Step: d.step, At: d.at, Kind: kind, ID: uint64(id)}
	if id != 0 {
		e.Item = t.in.vector(id).Again(marked(t.in.head.Shown, id))
		mark(t.in.head.Seen, id)
	}
	t.events = append(t.events, e)
	return &t.events[len(t.events)-1]
}

func (t *translator) tell(ctx context.Context, s Library, d *signal) error {
	if d.step != 0 && d.kind != store.MarkedUnread {
		t.kinds[d.step] = true
	}
	switch d.kind {
	case store.Looked:
		t.add(d, ranking.Looked, 0)
	case store.Shown:
		for i, id := range d.items {
			e := t.add(d, ranking.Shown, id)
			mark(t.in.head.Shown, id)
			e.Row = 1
			if i < len(d.nums) {
				e.Row = int(max(d.nums[i], 1))
			}
		}
	case store.Opened:
		for _, id := range d.items {
			t.add(d, ranking.Opened, id)
			t.in.opened(id, d)
		}
	case store.Saved, store.MarkedRead:
		kind := ranking.Saved
		if d.imported {
			kind = map[store.Kind]ranking.Kind{store.Saved: ranking.Starred, store.MarkedRead: ranking.WasRead}[d.kind]
		}
		for _, id := range d.items {
			// A page saved by its address stood in no list, and its feed posts nothing.
			if f := t.in.feed(id.Feed()); f == nil || !model.SavesPages(f.URL) {
				t.add(d, kind, id)
			}
		}
	case store.MarkedUnread:
		t.takeBack(d)
	case store.Trained, store.Adjusted:
		t.train(d)
	case store.Undone, store.Redone:
		return t.turn(ctx, s, d)
	}
	return nil
}

func (in *learned) opened(id store.ItemID, d *signal) {
	o := in.head.Opens[id]
	if d.at-o.At > takeBackWithin {
		o.Nos = nil
	}
	in.head.Opens[id] = openings{append(slices.Clone(o.Nos), d.no), d.at}
}

// takeBack: marking unread soon after an opening takes it back.
func (t *translator) takeBack(d *signal) {
	for _, id := range d.items {
		o, ok := t.in.head.Opens[id]
		if !ok || d.at-o.At > takeBackWithin {
			continue
		}
		for _, no := range o.Nos {
			t.events = append(t.events, ranking.Event{No: d.no, Ref: no, At: d.at, Kind: ranking.Undone})
			t.in.head.TakenBy[d.step] = append(t.in.head.TakenBy[d.step], no)
		}
	}
}

// train adds the feedback in a fact.
func (t *translator) train(d *signal) {
	for _, l := range feedbackOf(d) {
		var id store.ItemID
		if len(d.items) > 0 {
			id = d.items[0]
		}
		t.add(d, ranking.Trained, id).Feedback = &l
	}
}

// turn passes on that a step was taken back or done again, if it says something
// about interest: the others are not the model's.
func (t *translator) turn(ctx context.Context, s Library, d *signal) error {
	kind, opposite := ranking.Undone, ranking.Redone
	if d.kind == store.Redone {
		kind, opposite = opposite, kind
	}
	for _, no := range t.in.head.TakenBy[d.ref] {
		t.events = append(t.events, ranking.Event{No: d.no, Ref: no, At: d.at, Kind: opposite})
	}
	if _, known := t.kinds[d.ref]; !known {
		says, err := stepSays(ctx, s, d.ref)
		if err != nil {
			return err
		}
		t.kinds[d.ref] = says
	}
	if t.kinds[d.ref] {
		t.events = append(t.events, ranking.Event{No: d.no, Ref: d.ref, At: d.at, Kind: kind})
	}
	return nil
}

// stepSays reports whether a step of before the checkpoint says something about
// interest.
func stepSays(ctx context.Context, s Library, step uint64) (bool, error) {
	says := false
	over := errors.New("over")
	_, err := s.Facts(ctx, step-1, func(f *store.Fact) error {
		if f.Step != step {
			return over
		}
		says = says || f.No == step && imported(f) // what it brought may say something
		switch f.Kind {
		case store.Saved, store.Trained:
			says = true
		case store.Adjusted:
			says = says || f.Field == LearningField || f.Field == ByTitlesField
		}
		return nil
	})
	if errors.Is(err, over) {
		err = nil
	}
	return says, err
}

// prune forgets openings that nothing can take back any more.
func (in *learned) prune(now time.Time) {
	for id, o := range in.head.Opens {
		if now.Unix()-o.At > takeBackWithin {
			delete(in.head.Opens, id)
		}
	}
}
