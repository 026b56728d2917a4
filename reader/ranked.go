package reader

import (
	"context"
	"time"

	"diurna/ranking"
)

// The face of ranking: orders of a list, why an item stands where it stands, and
// what a person says about it. What is learned is a fold of the facts (interest.go);
// it is loaded for each call and let go after it.

// Order is how a list of items is ordered.
type Order uint8

// The orders.
const (
	Newest Order = iota
	Oldest
	Ranked // by expected interest and the value of finding out
	Rare   // items of the feeds that post least first
	Paper  // by the score of Sia 2009, section 3.3, as printed: a feed a topic, λ = 10
)

// ParseOrder reads "newest", "oldest", "ranked", "rare" or "paper".
func ParseOrder(s string) (Order, bool) { return parseOrder(s) }

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

// OpensNeeded is how many opened items Ranked needs.
const OpensNeeded = ranking.OpensNeeded

// Early reports whether there is too little to rank by yet.
func (a *Arrangement) Early() bool {
	return (a.Order == Ranked || a.Order == Paper) && a.Opens < OpensNeeded
}

// Spot is what an order needs of a row.
type Spot struct {
	ID ItemID
	At int64 // Row.At
}

// Spots are the spots of rows.
func Spots(rows []Row) []Spot { return spots(rows) }

// Arrange orders spots; screen is how many rows are seen at once (0: 20). Nothing
// is added and nothing left out.
// progress, which may be nil, hears how many of the items that were never looked at
// are by now; it must not block.
func (r *Reader) Arrange(ctx context.Context, o Order, rows []Spot, screen int, progress func(done, of int)) (Arrangement, error) {
	return r.arrange(ctx, o, rows, screen, progress)
}

// Term is one line of a WhyItem: a feature, how often items with it were opened of
// how often shown, and what it does.
type Term struct {
	Kind   string  `json:"kind"` // feed, folder, category, topic, word, author
	Name   string  `json:"name"` // in a person's words
	Weight float64 `json:"weight"`
	Alpha  float64 `json:"alpha"`
	Beta   float64 `json:"beta"`
	Opened int     `json:"opened"`
	Shown  int     `json:"shown"`
	Effect float64 `json:"effect"`
}

// ReasonStep is a line of an explanation: a term and where it moves the chance.
type ReasonStep struct {
	Term
	From, To float64
}

// ItemWhy says why an item stands where it stands in Ranked. Its JSON form is
// everything that the score is made of: Score follows from Start, Explore and Terms
// alone. It does not hang on what else is unread.
type ItemWhy struct {
	ID        string  `json:"id"`
	FeedID    string  `json:"feed_id"`
	Title     string  `json:"title"`
	Score     float64 `json:"score"`
	Chance    float64 `json:"chance"`
	Bonus     float64 `json:"finding_out"`
	Start     float64 `json:"start"`
	Opened    int     `json:"opened"`
	Shown     int     `json:"shown"`
	Explore   float64 `json:"lambda"`
	Keep      float64 `json:"keep_on_show"`
	Idle      float64 `json:"keep_idle"`
	Agreement float64 `json:"folder_agreement"`
	Pinned    bool    `json:"pinned"`
	Excluded  bool    `json:"left_out"`
	Frozen    bool    `json:"frozen"`
	Terms     []Term  `json:"terms"`

	Steps   []ReasonStep `json:"-"` // as a person reads them
	Place   int          `json:"-"` // its row of Ranked, 1 the top; 0: it is read, or it is too early
	Rows    int          `json:"-"` // of Ranked
	By      int          `json:"-"` // its row by score, before a page is built
	Plain   int          `json:"-"` // its row by chance alone
	Finding bool         `json:"-"`
	FeedAge time.Time    `json:"-"` // subscribed
	Since   time.Time    `json:"-"` // of the oldest evidence
	FeedOf  Feed         `json:"-"`
}

// Recompute is the score from the terms alone, bit for bit.
func (w *ItemWhy) Recompute() (score, chance, bonus float64) { return w.recompute() }

// WhyItem explains an item; screen as in Arrange.
func (r *Reader) WhyItem(ctx context.Context, id ItemID, screen int) (ItemWhy, error) {
	return r.whyItem(ctx, id, screen)
}

// ParseTime reads a date such as 2026-11-02, or 3h, 2d, 1w, 6m, 1y as so long
// before now.
func ParseTime(s string, now time.Time) (time.Time, bool) { return parseAgo(s, now) }

// A Lesson is what a person says about interest: More or less like an item, or
// like all with one Subject ("feed", "category", "topic", "word", "author").
type Lesson struct {
	Less    bool
	Item    ItemID // 0: Subject and Name
	Subject string
	Name    string // of a feed its short id
}

// Teach notes lessons as one step. The answer says what was taught, in words.
func (r *Reader) Teach(ctx context.Context, lessons ...Lesson) (Done, string, error) {
	return r.teach(ctx, lessons)
}

// Freeze switches learning off, or on again, as one step.
func (r *Reader) Freeze(ctx context.Context, on bool) (Done, error) { return r.freeze(ctx, on) }

// ResetEvidence forgets all that was learned, as one step. Pins and what is left
// out stay.
func (r *Reader) ResetEvidence(ctx context.Context) (Done, error) { return r.resetEvidence(ctx) }

// ForgetEvidence takes what facts since then tell about interest out of the log:
// it rewrites it and cannot be undone. It returns the number of facts.
func (r *Reader) ForgetEvidence(ctx context.Context, since time.Time) (int, error) {
	return r.forgetEvidence(ctx, since)
}

// Evidence sums up what was learned.
type Evidence struct {
	Opened, Shown       int
	Since               time.Time // of the oldest evidence; zero: none
	Frozen              bool
	Explore, Keep, Idle float64 // chosen by the log
	OwnReading          bool    // the log has shown its own reading of rows
	Pinned, LeftOut     []Feed
	Topics              []string // names of the learned topics, strongest terms first
	Features            int      // with evidence
}

// Evidence says what was learned.
func (r *Reader) Evidence(ctx context.Context) (Evidence, error) { return r.evidence(ctx) }

// EvidenceText writes the evidence as a table, for a text editor: kind, name,
// opened and not opened in decayed counts, with tabs between them.
func (r *Reader) EvidenceText(ctx context.Context) ([]byte, error) { return r.evidenceText(ctx) }

// ApplyEvidence makes the evidence what the edited table says, as one step.
func (r *Reader) ApplyEvidence(ctx context.Context, text []byte) (Done, error) {
	return r.applyEvidence(ctx, text)
}

// Sight is a row that stood on the screen, 1 the top.
type Sight struct {
	ID  ItemID
	Row int
}

// Saw notes which items stood on the screen long enough to be read, until at, with
// the best row of each.
func (r *Reader) Saw(ctx context.Context, at time.Time, sights []Sight) error {
	return r.saw(ctx, at, sights)
}

// OpenFound is Open for an item that was searched for: it says nothing about what
// a list should show first.
func (r *Reader) OpenFound(ctx context.Context, id ItemID) (Article, error) {
	return r.openAs(ctx, id, fromSearch)
}

// Hindsight is what Ranked would have brought to the first screen.
type Hindsight struct {
	Opens          int `json:"opens"` // items opened, of those looked at
	Ranked, Newest int // of them on the first screen of Ranked, and of newest first
	Rows           int `json:"rows"` // of a screen
	Total          int `json:"opened"`
}

// RankedHindsight replays the log: what of the newest opens, of the last 28 days
// where opens is 0, would have stood on the first screen of rows rows. Total says
// how many items were opened ever; below OpensNeeded nothing is replayed.
func (r *Reader) RankedHindsight(ctx context.Context, rows, opens int) (Hindsight, error) {
	return r.rankedHindsight(ctx, rows, opens)
}
