// Package trends says what the feeds talk about: links that several of them point to,
// words and names that are new, and words that are steady.
//
// For each day the cache has a table of the words, phrases of two words and links of its
// items (Keeper.Update). Keeper.Top reads the tables of the asked days and of the four
// weeks before and puts terms in order: R = T·E (Sia 2009, chapter 4), the trust in each
// feed by the weight of the term in it, times burst and specificity (chapter 5).
// Keeper.Portrait says what one feed is about, Keeper.Redundant which feeds bring nothing new.
package trends

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"diurna/reader/model"
	"diurna/reader/wording"
	"diurna/store"
)

// Library is what trends need of the store.
type Library interface {
	Exists() bool
	Totals(ctx context.Context) (store.Totals, error)
	Descent(ctx context.Context, path string) (store.Descent, error)
	Facts(ctx context.Context, after uint64, visit func(*store.Fact) error) (uint64, error)
	Items(ctx context.Context, ids []store.ItemID) ([]store.Item, error)
	Bodies(ctx context.Context, ids []store.ItemID, visit func(store.ItemID, store.Body)) error
	Rows(ctx context.Context, q store.RowQuery) ([]store.Row, error)
	Cache() *store.Cache
}

// Feeds reads the feeds with their titles as people know them.
type Feeds interface {
	Feeds(ctx context.Context) ([]model.Feed, error)
}

// Trust returns what an item of each feed is worth, by the feed's short id; nil: all
// the same.
type Trust interface {
	Weights(ctx context.Context) map[string]float64
}

// Keeper keeps the tables of a library and reads trends from them. Its methods are safe
// for use by several goroutines and processes.
type Keeper struct {
	lib   Library
	feeds Feeds
	trust Trust

	mu    sync.Mutex // of known
	known map[store.FeedID]*sketch
}

// New returns a Keeper. It reads nothing.
func New(lib Library, feeds Feeds, trust Trust) *Keeper {
	return &Keeper{lib: lib, feeds: feeds, trust: trust}
}

// Kind is a sort of trend, in the order in which they are listed.
type Kind uint8

// The kinds.
const (
	Link     Kind = iota // several feeds point to it
	Emerging             // a word or phrase that is used much more than it was: "new"
	Steady               // a word or phrase that several feeds use as ever
)

// String is the kind in a word: "link", "new", "steady".
func (k Kind) String() string { return [...]string{"link", "new", "steady"}[k] }

// MarshalText writes the word.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Days is how many days a Trend counts.
const Days = 14

// MaxSince is the longest time that trends can be asked of: before it four weeks are
// needed to compare with.
const MaxSince = 30 * 24 * time.Hour

// baseline is what the asked time is compared with: so many days before it.
const baseline = 28

// Trend is a word, a phrase or a link.
type Trend struct {
	Kind  Kind
	What  string   // as most items write it, or the address
	Also  []string // words that stand in the same items
	Items int      // in the asked time, as all but Daily and Usual
	Feeds int
	Usual float64 // items in a time as long, by the four weeks before
	// Burst is the largest step from one day to the next by all items of the term in both
	// times (Sia 2009, section 5.4.2), 0 to 1.
	Burst float64
	// Specific is 1 - H/Hmax, H the entropy of the feeds that use the term (Eq. 5.1 with a
	// feed as a topic), Hmax that of all items, shrunk for few items: 0 is used everywhere, 1
	// by one feed.
	Specific float64
	// Spread is how the term spread over feeds for as often as it is used more (Eq. 5.3);
	// Spreads is false where it is not used 8 times more, which is too little to say.
	Spread  float64
	Spreads bool
	Trust   float64        // R: sum over feeds of trust x weight
	Score   float64        // by which terms of a kind are in order
	Daily   [Days]int      // items in each of the last 14 times 24 hours, the oldest first
	First   store.ItemID   // the oldest of Newest
	FirstAt time.Time      //
	Newest  []store.ItemID // its items, the newest first, at most 200
}

// Times is how many times as often as usual the term is used; 0: it was never used before.
func (t *Trend) Times() float64 {
	if t.Usual < .05 {
		return 0
	}
	return float64(t.Items) / t.Usual
}

// SayTimes is Times in words: "23x", "new" where it was never used before.
func SayTimes(t *Trend) string {
	switch n := t.Times(); {
	case n == 0:
		return "new"
	case n < 10:
		return wording.Tenth(n) + "x"
	default:
		return wording.Count(int(n+.5)) + "x"
	}
}

// Say is the trend in one line: a word with those that stand in the same items.
func Say(t *Trend) string {
	if len(t.Also) == 0 {
		return t.What
	}
	return t.What + " (" + strings.Join(t.Also, ", ") + ")"
}

// Spark draws Daily, a character for each day: none . few : more + most #.
func (t *Trend) Spark() string {
	most := slices.Max(t.Daily[:])
	b := make([]byte, Days)
	for i, n := range t.Daily {
		b[i] = ".:+#"[(3*n+max(most, 1)-1)/max(most, 1)]
	}
	return string(b)
}

// Query asks for the items of a word or phrase in titles and texts, or for those that point
// to an address, to save or to mute them; "" for an address of which a password or token is
// not shown.
func (t *Trend) Query() string {
	switch {
	case t.Kind != Link:
		return "text:" + quoted(t.What) + " or title:" + quoted(t.What)
	case strings.Contains(t.What, "…"):
		return ""
	case strings.ContainsAny(t.What, "()*"):
		return "linksto:" + quoted(t.What)
	}
	return "linksto:" + t.What
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, " ") + `"` }

// Report is what Top found.
type Report struct {
	Since, Now time.Time
	Items      int    // counted in the asked time
	Feeds      int    // that posted in it
	Aside      string // says of what was posted that muted items do not count; "" if none were
	Trends     []Trend
	Missing    bool // there are no tables: Update makes them
}
