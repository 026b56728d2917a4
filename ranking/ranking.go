// Package ranking puts unread items in order of expected interest plus the value
// of finding out.
//
// Start with [NewBeliefs]; describe items with [Beliefs.Vector], take in a whole
// log with [Beliefs.Refold] and each later event with [Beliefs.Apply], order items
// with [Beliefs.Rank] and ask [Beliefs.Explain] why a row stands where it stands.
// [Beliefs.Checkpoint] and [Resume] spare the next start the fold. Everything is arithmetic: no clock, no chance, no goroutine.
//
// The model: every feature of an item (feed, publisher category, learned topic,
// word) has a Beta pair that is updated as Sia 2009, section 3.3, updates a
// topic's. An item's chance adds the features' log odds to the reader's own, blended with
// naive Bayes as far as that predicted the log better; its score adds the value of finding out. [Paper] is the printed model itself.
// Reading order of the source: ranking.go (the whole face), score.go, state.go,
// apply.go, prior.go, settings.go, order.go, explain.go, undo.go, hindsight.go, table.go,
// codec.go.
package ranking

import "errors"

// Errors that callers tell apart.
var (
	// ErrRefold: the event reaches back behind what is kept to be taken back
	// (an undo of something old, forgetting since long ago). Nothing was changed:
	// Fold the whole log, this event included.
	ErrRefold = errors.New("the whole log has to be folded again")
	// ErrCheckpoint: not a checkpoint of this version. Fold the whole log.
	ErrCheckpoint = errors.New("not a checkpoint of this version")
	// ErrTable: an edited evidence table cannot be read; the text names the line.
	ErrTable = errors.New("not an evidence table")
)

// The constants of the shipped model. Those that a log decides are a [Setting].
const (
	PriorStrength  = 4.  // n0: what a feature without evidence is worth, in showings
	FolderStrength = 20. // added for a feed in a folder, times how much feeds of folders agree
	MinRate        = .01 // of the reader's overall rate m0
	MaxRate        = .9  //
	MaxLogit       = 6.  // of an item's chance
	TopicFloor     = .15 // a learned topic below this weight does not count
	WordsFrom      = 3   // showings before a word counts
	OpensNeeded    = 30  // opened items before an order of ours is worth offering
	SavedWeight    = 2.  // a saved item against an opened one
	StarWeight     = 2.  // an imported star
	ReadWeight     = .25 // an imported read flag: marking all read sets it as well
	TrainedWeight  = 2.  // one + or -
)

// Setting is one point of the grid from which the log chooses.
type Setting struct {
	Explore float64 // λ of the printed score: how many variances of a feed's chance are added to find out about it
	Keep    float64 // of a feature's evidence when a row with it is shown
	Idle    float64 // of a feature's evidence for every session that did not show it
}

// Weighted is a learned topic with its weight in an item, 0 to 1.
type Weighted struct {
	Name   string
	Weight float64
}

// Item is what the model may know about an item. Words are its distinct stems;
// Author counts only once a user has taught something about it, because a feed
// with one author would be counted twice.
type Item struct {
	ID         uint64
	Feed       string
	Folder     string // empty: none
	Author     string
	Categories []string
	Topics     []Weighted
	Words      []string
}

// Vector is an Item in the numbers of the Beliefs that made it. It holds no text.
// The zero Vector is no item.
type Vector struct {
	made                 bool
	feed, folder, author int32     // folder and author: -1 if there is none
	largest              int32     // of all numbers
	cats, topics         int32     // how many
	ids                  []int32   // the feed, the categories, the topics, the words
	soft                 []float64 // weights of the topics
	again                bool      // it was shown in an earlier session
}

// Kind says what an Event tells. The numbers are in checkpoints: never change one.
type Kind uint8

// The kinds of events. What is not here counts nothing: marking read, hovering,
// the wheel, search.
const (
	Looked  Kind = 1 // a session begins
	Shown   Kind = 2 // the item stood on screen; Row is its best row in this session
	Opened  Kind = 3 // its article or link was opened
	Saved   Kind = 4
	Starred Kind = 5 // an import says so; ID, Row and At do not matter
	WasRead Kind = 6 // the same
	Trained Kind = 7 // Feedback
	Undone  Kind = 8 // Ref is the No or Step of what does not count any more
	Redone  Kind = 9 // Ref counts again
)

// Event is one fact in the model's terms, in the order of the log. A fact about
// several items is several events with the same No.
type Event struct {
	No, Step, Ref uint64
	At            int64 // Unix s
	Kind          Kind
	Row           int // 1 is the top
	ID            uint64
	Item          Vector
	Feedback      *Feedback
}

// Subject is what a feature is.
type Subject uint8

// The subjects. Folder is the prior of its feeds and no term of its own.
const (
	Feed     Subject = 1
	Folder   Subject = 2
	Category Subject = 3
	Topic    Subject = 4
	Word     Subject = 5
	Author   Subject = 6
)

// Act says what feedback does. The numbers are in checkpoints.
type Act uint8

// The acts of teaching.
const (
	More     Act = 1  // + on Subject and Name, or on Item if Subject is 0
	Less     Act = 2  // -
	Pin      Act = 3  // feed Name stands above all others; what it teaches stays
	Unpin    Act = 4  //
	Exclude  Act = 5  // feed Name teaches nothing and its items take the overall rate
	Include  Act = 6  //
	ByTitle  Act = 7  // feed Name is read by its titles: not opening one is no rejection
	ByText   Act = 8  //
	Freeze   Act = 9  // learn nothing until Thaw
	Thaw     Act = 10 //
	Forget   Act = 11 // events at or after Since, up to this one, do not count
	Reset    Act = 12 // nothing before this counts; pins and exclusions stay
	SetPairs Act = 13 // the pair of Subject and Name becomes A and B: an edited table
)

// Feedback is what a user said by hand.
type Feedback struct {
	Act     Act
	Subject Subject
	Name    string
	Since   int64 // Unix s
	A, B    float64
}

// Append packs a vector behind dst; ReadVector reads it back.
func (v Vector) Append(dst []byte) []byte { return v.pack(dst) }

// Last is the number of the newest event taken in.
func (b *Beliefs) Last() uint64 { return b.last }

// Opens counts opened items, an item once a session. Below [OpensNeeded] newest
// first is the better order.
func (b *Beliefs) Opens() int { return int(b.cur.opens) }

// Shows counts rows shown, an item once a session.
func (b *Beliefs) Shows() int { return int(b.cur.shows) }

// Setting is what the log chose from the grid, by replaying itself: each setting
// predicts every row before its outcome is known, and the one that did so best
// of late (logarithmic loss, half of it forgotten in 70 rows) is used.
func (b *Beliefs) Setting() Setting { return grid[b.cur.chosen] }

// Frozen tells whether learning is switched off.
func (b *Beliefs) Frozen() bool { return b.cur.frozen }

// Reading is the chance that a row is read at all, 1 for the top: Sia 2009,
// Table 3.1, continued in its own steps, until the log has enough opens to show
// its own (then learned is true).
func (b *Beliefs) Reading(row int) (g float64, learned bool) {
	return b.cur.g[min(max(row, 1), readingRows)-1], b.cur.ownReading
}

// FeedMean is the posterior mean of opening an item of feed, 0 to 1: its own
// counts over a prior of its folder's rate; without evidence that rate, or the
// overall one for an unknown feed.
func (b *Beliefs) FeedMean(feed string) float64 { return b.FeedMeans([]string{feed})[0] }

// Order is how a list is ordered.
type Order uint8

// The orders.
const (
	Newest Order = iota
	Oldest
	Ranked
	Rare // items of the feeds that post least first
)

// Model chooses the scores of Ranked.
type Model uint8

// The models.
const (
	Shipped Model = iota
	Printed       // Sia 2009: one topic an item, its feed, with α = 1, β = 3 and nothing forgotten
)

// Candidate is an item to be placed.
type Candidate struct {
	ID   uint64
	At   int64 // Unix s
	Item Vector
	Rate float64 // posts of its feed in a week, for Rare; 0: the feed's share of the candidates decides
}

// RankOptions say how to order. The zero value is newest first.
type RankOptions struct {
	Order  Order
	Model  Model
	Lambda float64 // of Printed
	Rows   int     // of a screen: row Rows+1 is read like row 1. 0: 20
	Built  int     // rows placed one by one, each a virtual rejection for the next; the others by score. 0: 5 screens
}

// Row is a placed item.
type Row struct {
	Index  int     // in the candidates
	Score  float64 // Chance + Bonus
	Chance float64 // of being opened if read, 0 to 1
	Bonus  float64 // the value of finding out
	// Place is its row by score, Plain its row by chance alone, both before
	// virtual rejections and only for the rows built one by one; else 0.
	Place, Plain int
	Finding      bool // stands here because of the bonus: at least 3 rows higher than by chance alone
	Pinned       bool
}

// Stay is how long an item was there to be opened: unread from Candidate.At on,
// until Until (Unix s; 0: it still is).
type Stay struct {
	Candidate
	Until int64
}

// Hindsight is what two orders would have brought to the first screen.
type Hindsight struct {
	Opens          int // items opened in the sessions looked at
	Ranked, Newest int // of them on the first screen of Ranked, and of newest first
	Looks          int // sessions in which something was opened
	// NDCG is the mean nDCG@10 of both orders over those sessions, Gain that of Ranked less
	// that of newest first, between Low and High with 95 % confidence.
	NDCG, NDCGNewest float64
	Gain, Low, High  float64
	// Rows were shown in those weeks. Chances said before each week began were off by Error
	// on average (the expected calibration error over ten equal parts of the chance).
	Rows  int
	Error float64
}

// Term is one line of an explanation. The sum of Effect over the terms, in their order,
// on top of the logit of [Explanation.Start], times Slope, plus Offset and Passed, plus Naive times
// Blend, is the logit of the chance.
type Term struct {
	Subject Subject `json:"-"`
	Kind    string  `json:"kind"` // Subject as a word
	Name    string  `json:"name"`
	Weight  float64 `json:"weight"` // c; 0: a folder, or too few to count
	Alpha   float64 `json:"alpha"`
	Beta    float64 `json:"beta"`
	Opened  int     `json:"opened"` // undecayed, as the user saw it
	Shown   int     `json:"shown"`
	Effect  float64 `json:"effect"` // c·(log(α/β) − logit m0); of a folder what it moved the feed's, already in there
}

// Explanation is why an item has its score. [Explanation.Recompute] gives the
// score from the terms alone.
type Explanation struct {
	Score     float64 `json:"score"`
	Chance    float64 `json:"chance"`
	Bonus     float64 `json:"bonus"`
	Start     float64 `json:"start"` // m0, the overall rate
	Opened    int     `json:"opened"`
	Shown     int     `json:"shown"`
	Explore   float64 `json:"lambda"`
	Keep      float64 `json:"keep_on_show"`
	Idle      float64 `json:"keep_idle"`
	Agreement float64 `json:"folder_agreement"` // 0: folders say nothing about their feeds, 1: everything
	Slope     float64 `json:"slope"`            // the chance's logit is Slope times the sum, plus Offset: what came of such sums
	Offset    float64 `json:"offset"`
	Passed    float64 `json:"passed_over"` // the same for an item that was shown in an earlier session; else 0
	Naive     float64 `json:"naive_bayes"` // the logit by naive Bayes, of which Blend is added
	Blend     float64 `json:"naive_bayes_weight"`
	Pinned    bool    `json:"pinned"`
	Excluded  bool    `json:"excluded"`
	Terms     []Term  `json:"terms"`
}

// Step is a line as a user reads it: a term and where it moves the chance.
type Step struct {
	Term     Term
	From, To float64
}

// Paper is the model of Sia 2009, section 3.3, literally: K topics, each with a
// Beta pair.
type Paper struct {
	Alpha, Beta []float64
	Lambda      float64 // weight of the exploration bonus; 0 is greedy

	alpha0, beta0 float64
}

// Opened: α + 1.
func (p *Paper) Opened(topic int) { p.Alpha[topic]++ }

// Rejected is being shown at a row read with probability g and not opened: β + g.
func (p *Paper) Rejected(topic int, g float64) { p.Beta[topic] += g }

// Mean is α/(α+β).
func (p *Paper) Mean(topic int) float64 { return p.Alpha[topic] / (p.Alpha[topic] + p.Beta[topic]) }

// Score is α/(α+β)·[1 + λβ/((α+β)(α+β+1))], the printed ranking score.
func (p *Paper) Score(topic int) float64 {
	return paperScore(p.Alpha[topic], p.Beta[topic], p.Lambda)
}
