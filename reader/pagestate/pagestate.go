// Package pagestate says what came back for a watched page: the page itself, or an
// error, a test for humans, a login or a notice in its place. Start with Classify.
package pagestate

import (
	"slices"
)

// Response is what came back for a watched page, its body decoded.
type Response struct {
	Status int
	Body   []byte
}

// State says what a response is, or how the watch of a page is doing. Only Good
// responses are revisions.
type State uint8

// The states of a response.
const (
	Good         State = iota
	ErrorPage          // a failure, by status or by its own heading
	Captcha            // a test for humans
	Maintenance        // a notice instead of the page
	Empty              // (nearly) no text
	DeadSelector       // Select matches nothing any more
	Login              // a form that asks for a password
	Replaced           // a short page with nothing of this one
	Scripted           // its text is made by scripts
)

// The states that a watch has besides; Classify never returns them.
const (
	NotFetched  State = Scripted + 1 + iota // yet
	Shrunk                                  // most of the text is gone: it is fetched once more to confirm that
	GoneForGood                             // the server said 410
	MovedAway                               // it moved, and the user decides whether to follow
)

var stateWords = [...]string{"ok", "error", "captcha", "maintenance", "empty", "selector", "login", "replaced", "scripts", "new", "shrunk", "gone", "moved"}

// String returns the word used in JSON and in the library.
func (s State) String() string { return stateWords[s] }

// ParseState reads such a word; ok is false for any other.
func ParseState(word string) (s State, ok bool) {
	i := slices.Index(stateWords[:], word)
	return State(max(i, 0)), i >= 0
}

// Trouble reports whether a page in this state needs attention.
func (s State) Trouble() bool { return s != Good && s != NotFetched }
