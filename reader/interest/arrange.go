package interest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"diurna/ranking"
	"diurna/store"
)

// Order is how a list of items is ordered.
type Order uint8

// The orders.
const (
	Newest Order = iota
	Oldest
	Ranked // by expected interest and the value of finding out
	Rare   // items of the feeds that post least first
	Paper  // by the score of Sia 2009, section 3.3, as printed: a feed a topic, λ = 10
	ByTitle
	ByFeed    // by the feeds' titles, the newest of each first
	TitleBack // ByTitle and ByFeed from the end
	FeedBack
)

// Forward is the order of which o is the reverse, or o.
func (o Order) Forward() Order {
	switch o {
	case TitleBack:
		return ByTitle
	case FeedBack:
		return ByFeed
	}
	return o
}

// String is the word for it: "ranked".
func (o Order) String() string { return orderNames[o] }

// Arrangement is an order of given rows.
type Arrangement struct {
	Order   Order
	Index   []int32 // of each place the row in what was given: a permutation
	Finding []bool  // of the first places: stands here to find out; may be shorter than Index
	// Opens is how many items were opened; below OpensNeeded Ranked is newest first.
	Opens int
}

// Early reports whether there is too little to rank by yet.
func (a *Arrangement) Early() bool {
	return (a.Order == Ranked || a.Order == Paper) && a.Opens < OpensNeeded
}

// Spot is what an order needs of a row.
type Spot struct {
	ID    store.ItemID
	At    int64 // Row.At
	Title string
	Feed  string // the feed's title; ByFeed alone reads it
}

var orderNames = [...]string{"newest", "oldest", "ranked", "rare", "paper", "title", "feed", "title-back", "feed-back"}

// Orders are the words that ParseOrder reads, as a sentence lists them.
func Orders() string {
	last := len(orderNames) - 1
	return strings.Join(orderNames[:last], ", ") + " or " + orderNames[last]
}

// OrderNames are the words for orders.
func OrderNames() []string { return slices.Clone(orderNames[:]) }

// ParseOrder reads the word for an order; see Orders.
func ParseOrder(s string) (Order, bool) {
	i := slices.Index(orderNames[:], strings.ToLower(s))
	return Order(max(i, 0)), i >= 0
}

// Spots are the spots of rows; feed gives the title of a feed.
func Spots(rows []store.Row, feed func(store.FeedID) string) []Spot {
	out := make([]Spot, len(rows))
	for i := range rows {
		out[i] = Spot{rows[i].ID, rows[i].At, rows[i].Title, feed(rows[i].ID.Feed())}
	}
	return out
}

// Sort orders rows by what they say themselves: Newest, Oldest, ByTitle, ByFeed, or
// Rare by rates, the items that each feed posted of late.
func Sort(o Order, rows []Spot, rates map[store.FeedID]int) Arrangement {
	a := Arrangement{Order: o}
	switch o.Forward() {
	case Rare:
		a.Index = places(rows, func(x, y *Spot) int {
			return cmp.Or(cmp.Compare(rates[x.ID.Feed()], rates[y.ID.Feed()]), newerFirst(x, y))
		})
	case ByTitle:
		a.Index = byKey(rows, func(row *Spot) string { return row.Title })
	case ByFeed:
		a.Index = byKey(rows, func(row *Spot) string { return row.Feed })
	case Oldest:
		a.Index = places(rows, func(x, y *Spot) int { return -newerFirst(x, y) })
	default:
		a.Index = places(rows, newerFirst)
	}
	if o != o.Forward() {
		slices.Reverse(a.Index)
	}
	return a
}

// byKey orders rows by the sort key of one of their texts, those with the same key
// newest first. Feeds with the same title stand side by side, not mixed.
func byKey(rows []Spot, text func(*Spot) string) []int32 {
	keys := make([]string, len(rows))
	known := make(map[string]string) // a feed's title stands on many rows
	for i := range rows {
		t := text(&rows[i])
		key, ok := known[t]
		if !ok {
			key = SortKey(t)
			known[t] = key
		}
		keys[i] = key
	}
	index := make([]int32, len(rows))
	for i := range index {
		index[i] = int32(i)
	}
	sort.Slice(index, func(a, b int) bool {
		i, j := index[a], index[b]
		if keys[i] != keys[j] {
			return keys[i] < keys[j]
		}
		x, y := &rows[i], &rows[j]
		if c := cmp.Compare(text(x), text(y)); c != 0 {
			return c < 0
		}
		return newerFirst(x, y) < 0
	})
	return index
}

// newerFirst is the order of all lists: by time, then by id.
func newerFirst(x, y *Spot) int { return cmp.Or(-cmp.Compare(x.At, y.At), -cmp.Compare(x.ID, y.ID)) }

func places(rows []Spot, by func(x, y *Spot) int) []int32 {
	index := make([]int32, len(rows))
	for i := range index {
		index[i] = int32(i)
	}
	sort.Slice(index, func(i, j int) bool { return by(&rows[index[i]], &rows[index[j]]) < 0 })
	return index
}

// Arrange orders rows as o says. screen is how many rows are seen at once (0: 20).
// Nothing is added and nothing left out. progress, which may be nil, hears how many
// of the items that were never vectorized are by now; it must not block.
func (r *Ranker) Arrange(ctx context.Context, now time.Time, o Order, rows []Spot, screen int, progress func(done, of int)) (Arrangement, error) {
	switch o {
	case Ranked, Paper:
		return r.byInterest(ctx, o, rows, screen, progress)
	case Rare:
		rates, err := r.rates(ctx, now)
		if err != nil {
			return Arrangement{Order: o}, err
		}
		return Sort(o, rows, rates), nil
	}
	return Sort(o, rows, nil), nil
}

// byInterest is Arrange for the orders Ranked and Paper.
func (r *Ranker) byInterest(ctx context.Context, o Order, rows []Spot, screen int, progress func(done, of int)) (Arrangement, error) {
	a := Arrangement{Order: o}
	var placed []ranking.Row
	err := r.withLearned(ctx, func(in *learned) (err error) {
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
func (r *Ranker) rank(ctx context.Context, in *learned, o Order, rows []Spot, screen int, progress func(done, of int)) ([]ranking.Row, error) {
	ids := make([]store.ItemID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	if err := in.vectorizeAll(ctx, r.lib, ids, progress); err != nil {
		return nil, fmt.Errorf("describe the items: %w", err)
	}
	list := make([]ranking.Candidate, len(rows))
	for i := range rows {
		list[i] = ranking.Candidate{ID: math.MaxUint64 - uint64(rows[i].ID), At: rows[i].At, Item: in.candidate(rows[i].ID)}
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
