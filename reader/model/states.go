// Package model holds the types that the parts of the reader share: how a fetch
// ended, what state a feed is in, what a change did. The reader re-exports them;
// start there.
package model

// Outcome is how the fetch of one feed ended.
type Outcome uint8

// The outcomes.
const (
	OutcomeNotChanged Outcome = iota
	OutcomeFailed             // no answer that could be used
	OutcomeEarly              // a rule does not allow a fetch yet, so none was made
	OutcomeFirst              // the first answer ever
	OutcomeNew                // it brought new items
	OutcomeEdited             // it changed items and brought none
)

var outcomes = [...]string{"not changed", "failed", "early", "first", "new", "edited"}

// String returns the word used in JSON.
func (o Outcome) String() string { return outcomes[o] }

// RuleKind sorts what may forbid a fetch at a moment.
type RuleKind uint8

// The kinds.
const (
	RuleNone       RuleKind = iota // it may be fetched
	RuleServer                     // its server asked for patience
	RuleHost                       // another feed of its host had an answer that did
	RuleStatus                     // a status of failure, without a word about when
	RuleHours                      // the feed asks to skip this hour or day
	RuleValidators                 // a server that gives no validators is asked once a day
	RuleInterval                   // set by hand
	RulePolls                      // the least time between two polls
	RuleByHand                     // the same when asked for by hand
	RuleFailed                     // what failed is tried less often
	RuleFetching                   // it is being fetched
)

// Rule forbids a fetch; the zero value forbids nothing.
type Rule struct {
	Kind RuleKind
	Why  string // in words: "the server asks for an hour"
}

// Forbids reports whether there is such a rule.
func (r Rule) Forbids() bool { return r.Kind != RuleNone }

// FeedState is how a feed is doing.
type FeedState uint8

// The states. The first two need no attention.
const (
	FeedOK      FeedState = iota
	FeedNew               // not fetched yet
	FeedFailing           // the last fetch failed, or was cut short
	FeedGone              // the server said 410; it is fetched by hand only
	FeedMoved             // it moved, and the user decides whether to follow
)

var feedStates = [...]string{"ok", "new", "failing", "gone", "moved"}

// String returns the word used in JSON.
func (s FeedState) String() string { return feedStates[s] }

// Trouble reports whether a feed in this state needs attention.
func (s FeedState) Trouble() bool { return s > FeedNew }
