package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"diurna/ranking"
	"diurna/ranking/topics"
	"diurna/store"
)

var orderNames = [...]string{"newest", "oldest", "ranked", "rare", "paper"}

func parseOrder(s string) (Order, bool) {
	i := slices.Index(orderNames[:], strings.ToLower(s))
	return Order(max(i, 0)), i >= 0
}

func spots(rows []Row) []Spot {
	out := make([]Spot, len(rows))
	for i := range rows {
		out[i] = Spot{rows[i].ID, rows[i].At}
	}
	return out
}

func (r *Reader) arrange(ctx context.Context, o Order, rows []Spot, screen int, progress func(done, of int)) (Arrangement, error) {
	a := Arrangement{Order: o}
	switch o {
	case Ranked, Paper:
		return r.arrangeRanked(ctx, o, rows, screen, progress)
	case Rare:
		rates, err := r.rates(ctx)
		if err != nil {
			return a, err
		}
		a.Index = places(rows, func(x, y *Spot) int {
			return cmp.Or(cmp.Compare(rates[x.ID.Feed()], rates[y.ID.Feed()]), newerFirst(x, y))
		})
	case Oldest:
		a.Index = places(rows, func(x, y *Spot) int { return -newerFirst(x, y) })
	default:
		a.Index = places(rows, newerFirst)
	}
	return a, nil
}

// newerFirst is the order of all lists: by time, then by id.
func newerFirst(x, y *Spot) int { return cmp.Or(-cmp.Compare(x.At, y.At), -cmp.Compare(x.ID, y.ID)) }

func places(rows []Spot, by func(x, y *Spot) int) []int32 {
	index := make([]int32, len(rows))
	for i := range index {
		index[i] = int32(i)
	}
	slices.SortFunc(index, func(i, j int32) int { return by(&rows[i], &rows[j]) })
	return index
}

// rates are how often feeds post, in items of the last 28 days.
func (r *Reader) rates(ctx context.Context) (map[FeedID]int, error) {
	b := r.mind
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fold(ctx, r.store, r.now()); err != nil {
		return nil, err
	}
	out := make(map[FeedID]int, len(b.posts))
	for id, log := range b.posts {
		out[id] = len(recent(slices.Clone(log.times), r.now().Unix()))
	}
	return out, nil
}

func (r *Reader) arrangeRanked(ctx context.Context, o Order, rows []Spot, screen int, progress func(done, of int)) (Arrangement, error) {
	a := Arrangement{Order: o}
	var placed []ranking.Row
	err := r.withInterest(ctx, func(in *interest) (err error) {
		if a.Opens = in.b.Opens(); a.Early() {
			return nil
		}
		placed, err = r.rank(ctx, in, o, rows, screen, progress)
		return err
	})
	if err != nil {
		return a, err
	}
	if a.Early() {
		a.Index = places(rows, newerFirst)
		return a, nil
	}
	a.Index = make([]int32, len(placed))
	for i := range placed {
		a.Index[i] = int32(placed[i].Index)
		if placed[i].Place != 0 {
			a.Finding = append(a.Finding, placed[i].Finding)
		}
	}
	return a, nil
}

// paperLambda is the exploration that did best in the paper's own simulation (Sia
// 2009, section 3.4).
const paperLambda = 10

// usualScreen is how many rows a screen has where nobody says.
const usualScreen = 20

// rank places rows by interest. Two screens of them are built row by row.
func (r *Reader) rank(ctx context.Context, in *interest, o Order, rows []Spot, screen int, progress func(done, of int)) ([]ranking.Row, error) {
	ids := make([]ItemID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	if err := in.describeAll(ctx, r.store, ids, progress); err != nil {
		return nil, fmt.Errorf("describe the items: %w", err)
	}
	list := make([]ranking.Candidate, len(rows))
	for i := range rows {
		list[i] = ranking.Candidate{ID: math.MaxUint64 - uint64(rows[i].ID), At: rows[i].At, Item: in.vector(rows[i].ID)}
	}
	if screen <= 0 {
		screen = usualScreen
	}
	how := ranking.RankOptions{Order: ranking.Ranked, Rows: screen, Built: 2 * screen}
	if o == Paper {
		how.Model, how.Lambda = ranking.Printed, paperLambda
	}
	return in.b.Rank(list, how), nil
}

func (r *Reader) whyItem(ctx context.Context, id ItemID, screen int) (ItemWhy, error) {
	items, err := r.items(ctx, []ItemID{id})
	if errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrNone) || err == nil && len(items) == 0 {
		return ItemWhy{}, &said{fmt.Sprintf("there is no item %s", id), ErrNotFound}
	}
	if err != nil {
		return ItemWhy{}, err
	}
	var w ItemWhy
	err = r.withInterest(ctx, func(in *interest) error {
		w, err = r.whyIn(ctx, in, id, items[0], screen)
		return err
	})
	return w, err
}

// whyIn is whyItem by what the facts say.
func (r *Reader) whyIn(ctx context.Context, in *interest, id ItemID, item Item, screen int) (ItemWhy, error) {
	if err := in.describe(ctx, r.store, []ItemID{id}); err != nil {
		return ItemWhy{}, err
	}
	feeds, err := r.feedsByKey(ctx)
	if err != nil {
		return ItemWhy{}, err
	}
	w := in.why(id, feeds)
	w.Title = item.Title
	w.inWords(item.Title)
	if f := feeds[id.Feed()]; f != nil {
		w.FeedAge, w.FeedOf = f.Subscribed, *f
	}
	if w.Since, err = r.evidenceSince(ctx); err != nil {
		return w, err
	}
	if !item.Unread || in.b.Opens() < OpensNeeded {
		return w, nil
	}
	rows, err := r.rows(ctx, Query{parts: []part{{kind: partUnread}}}, 0) // those of River: Ranked has no others
	if err != nil {
		return w, err
	}
	placed, err := r.rank(ctx, in, Ranked, spots(rows), screen, nil)
	if err != nil {
		return w, err
	}
	w.Rows = len(placed)
	for i := range placed {
		if p := &placed[i]; rows[p.Index].ID == id {
			w.Place, w.By, w.Plain, w.Finding = i+1, p.Place, p.Plain, p.Finding
		}
	}
	return w, nil
}

// vector is an item's; of one that is gone that of its feed.
func (in *interest) vector(id ItemID) ranking.Vector {
	if v := in.vec.get(id); v != nil {
		return *v
	}
	return in.b.Vector(ranking.Item{Feed: id.Feed().String(), Folder: in.folder(id.Feed())})
}

// why is the explanation of one item in a person's words.
func (in *interest) why(id ItemID, feeds map[FeedID]*Feed) ItemWhy {
	e := in.b.Explain(in.vector(id))
	w := ItemWhy{ID: id.String(), FeedID: id.Feed().String(), Score: e.Score, Chance: e.Chance, Bonus: e.Bonus,
		Start: e.Start, Opened: e.Opened, Shown: e.Shown, Explore: e.Explore, Keep: e.Keep, Idle: e.Idle,
		Agreement: e.Agreement, Pinned: e.Pinned, Excluded: e.Excluded, Frozen: in.b.Frozen(), Terms: []Term{}}
	for i := range e.Terms {
		w.Terms = append(w.Terms, in.term(&e.Terms[i], feeds))
	}
	for _, s := range e.Steps() {
		w.Steps = append(w.Steps, ReasonStep{in.term(&s.Term, feeds), s.From, s.To})
	}
	return w
}

// inWords gives words in the form that stands in the title, where they are known
// by their stems.
func (w *ItemWhy) inWords(title string) {
	forms := map[string]string{}
	for _, word := range topics.Words(title) {
		if forms[word.Stem] == "" {
			forms[word.Stem] = word.Form
		}
	}
	write := func(t *Term) {
		if t.Kind == ranking.Word.String() && forms[t.Name] != "" {
			t.Name = forms[t.Name]
		}
	}
	for i := range w.Terms {
		write(&w.Terms[i])
	}
	for i := range w.Steps {
		write(&w.Steps[i].Term)
	}
}

func (in *interest) term(t *ranking.Term, feeds map[FeedID]*Feed) Term {
	return Term{Kind: t.Kind, Name: in.nameOf(t.Subject, t.Name, feeds), Weight: t.Weight, Alpha: t.Alpha, Beta: t.Beta,
		Opened: t.Opened, Shown: t.Shown, Effect: t.Effect}
}

// nameOf is what people call a feature: of a feed its title, of a topic its terms.
func (in *interest) nameOf(of ranking.Subject, name string, feeds map[FeedID]*Feed) string {
	switch of {
	case ranking.Feed:
		if id, ok := ParseFeedID(name); ok && feeds[id] != nil {
			return feeds[id].Title
		}
	case ranking.Topic:
		if in.model == nil {
			break
		}
		for _, t := range in.model.Topics {
			if topicKey(t.ID) == name {
				return t.Name
			}
		}
	}
	return name
}

func (w *ItemWhy) recompute() (score, chance, bonus float64) {
	e := ranking.Explanation{Start: w.Start, Explore: w.Explore, Excluded: w.Excluded}
	for _, t := range w.Terms {
		e.Terms = append(e.Terms, ranking.Term{Kind: t.Kind, Weight: t.Weight, Alpha: t.Alpha, Beta: t.Beta})
	}
	return e.Recompute()
}

// evidenceSince is when the oldest thing that was learned from happened.
func (r *Reader) evidenceSince(ctx context.Context) (time.Time, error) {
	var at time.Time
	found := errors.New("found")
	_, err := r.store.Facts(ctx, 0, func(f *store.Fact) error {
		if (f.Kind == store.Shown && len(f.Items) > 0 || f.Kind == store.Opened || f.Kind == store.Saved) && f.Field != fromSearch {
			at = f.At
			return found
		}
		return nil
	})
	if err != nil && !errors.Is(err, found) && !errors.Is(err, store.ErrNone) {
		return at, fmt.Errorf("read the log: %w", err)
	}
	return at, nil
}
