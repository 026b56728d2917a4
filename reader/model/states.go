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

// FeedState is how a feed is doing.
type FeedState uint8

// The states. The first two need no attention.
const (
	FeedOK      FeedState = iota
	FeedNew               // not fetched yet
	FeedFailing           // the last fetch failed, or was cut short
	FeedGone              // the server said 410; it is fetched by hand only
	FeedMoved             // it moved, and the person decides whether to follow
)

var feedStates = [...]string{"ok", "new", "failing", "gone", "moved"}

// String returns the word used in JSON.
func (s FeedState) String() string { return feedStates[s] }

// Trouble reports whether a feed in this state needs attention.
func (s FeedState) Trouble() bool { return s > FeedNew }
