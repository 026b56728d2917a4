package record

import (
	"slices"
	"strconv"
	"strings"
)

// Answer is what came of asking for a feed.
type Answer uint8

// The answers.
const (
	AnswerNone   Answer = iota // never asked, or by a program that had other words for it
	AnswerNew                  // a document that was read, as facts say it
	AnswerSame                 // the server said so, or the bytes were the same
	AnswerFailed               // nothing that could be used
	AnswerRead                 // a document that was read, as poll records say it
)

var answers = [...]string{"", "new", "not changed", "failed", "read"}

// String returns the word that lies in the library.
func (a Answer) String() string { return answers[a] }

func parseAnswer(word string) Answer { return Answer(max(slices.Index(answers[:], word), 0)) }

// Trouble is what kind of failure keeps a feed from being read, as far as that
// decides what helps.
type Trouble uint8

// The kinds.
const (
	TroubleOther      Trouble = iota // or none, or one noted before there were kinds
	TroubleSecretLost                // a password or token of the address is lost
	TroublePrivate                   // the address leads to a private network
	TroubleLedPrivate                // a redirect does
	TroubleNotFound                  // 404
	TroubleRefused                   // 401 or 403
	TroubleWebPage                   // a web page instead of a feed
	TroubleRedirect                  // redirects lead nowhere that may be followed
	TroubleSelector                  // the selector of a watched page matches nothing
	TroubleCaptcha                   // a test for humans stands before a watched page
	TroubleFewWords                  // hardly a word is left of a watched page
)

var troubles = [...]string{"", "secret", "private", "led private", "404", "refused", "web page", "redirect", "selector", "captcha", "few words"}

// String returns the word that lies in the library.
func (t Trouble) String() string { return troubles[t] }

func parseTrouble(word string) Trouble { return Trouble(max(slices.Index(troubles[:], word), 0)) }

// PageState is what came instead of a watched page at its last fetch.
type PageState uint8

// The states.
const (
	PageFine        PageState = iota // the page, or the feed is none of a page
	PageError                        // a failure, or one that only a newer program knows
	PageCaptcha                      // a test for humans
	PageMaintenance                  // a notice
	PageEmpty                        // (nearly) no text
	PageSelector                     // the selector matches nothing
	PageLogin                        // a form that asks for a password
	PageReplaced                     // another page
	PageScripts                      // a page whose text is made by scripts
	PageShrunk                       // most of the text was gone
)

var pageStates = [...]string{"", "error", "captcha", "maintenance", "empty", "selector", "login", "replaced", "scripts", "shrunk"}

// String returns the word that lies in the library.
func (s PageState) String() string { return pageStates[s] }

// ParsePageState reads what String returns; any other word is PageError.
func ParsePageState(word string) PageState {
	if i := slices.Index(pageStates[:], word); i >= 0 {
		return PageState(i)
	}
	return PageError
}

// ChangeClass is what a change of a watched page consists of, as reader/page says it.
type ChangeClass uint8

// The classes.
const (
	ClassUnknown  ChangeClass = iota // nothing was compared
	ClassContent                     // words that people read
	ClassMenu                        // only navigation and the like
	ClassOrder                       // the same blocks in another order
	ClassLinks                       // other link targets or media
	ClassDate                        // only dates and times
	ClassVolatile                    // what comes and goes
	ClassNone                        // nothing that can be seen
)

var changeClasses = [...]string{"", "content", "menu", "order", "links", "date", "volatile", "none"}

// String returns the word that lies in the library.
func (c ChangeClass) String() string { return changeClasses[c] }

// ParseChangeClass reads what String returns; any other word is ClassUnknown.
func ParseChangeClass(word string) ChangeClass {
	return ChangeClass(max(slices.Index(changeClasses[:], word), 0))
}

// SlotReason is why a feed is fetched next at the time it is.
type SlotReason uint8

// The reasons.
const (
	SlotUnknown SlotReason = iota
	SlotEvenly             // at even distances
	SlotRetry              // after a failure
	SlotLook               // before the reader is expected to look
	SlotWindow             // before items are lost from the feed
	SlotDaily              // at least once a day
	SlotOpen               // the screen was opened
	SlotFirst              // never fetched before
	SlotAsked              // the reader asked, now or by setting an interval
)

var slotReasons = [...]string{"", "evenly", "retry", "look", "window", "daily", "open", "first", "asked"}

// String returns the word that lies in the library, which lists show as well.
func (r SlotReason) String() string { return slotReasons[r] }

// ParseSlotReason reads what String returns; any other word is SlotUnknown.
func ParseSlotReason(word string) SlotReason {
	return SlotReason(max(slices.Index(slotReasons[:], word), 0))
}

// WaitCause is who or what forbids a fetch before a time.
type WaitCause uint8

// The causes.
const (
	WaitNone         WaitCause = iota
	WaitServer                 // the server or the feed named a time
	WaitStatus                 // a status of failure, without a word about when
	WaitMinPoll                // the least time between two polls
	WaitNoValidators           // a server that gives no validators is asked once a day
)

// Wait is the cause of a wait. Status is set for WaitStatus; Header holds what the
// server said for WaitServer ("max-age 3600").
type Wait struct {
	Cause  WaitCause
	Status int
	Header string
}

// ByServer reports whether an answer of the server is the cause.
func (w Wait) ByServer() bool { return w.Cause == WaitServer || w.Cause == WaitStatus }

const (
	waitStatus       = "status "
	waitMinPoll      = "min_poll"
	waitNoValidators = "no validators"
)

// ServerWait is a wait that a server asked for with these words; "" is none.
func ServerWait(header string) Wait {
	if header == "" {
		return Wait{}
	}
	return Wait{Cause: WaitServer, Header: header}
}

// String returns the words used in JSON and in the library.
func (w Wait) String() string {
	switch w.Cause {
	case WaitServer:
		return w.Header
	case WaitStatus:
		return waitStatus + strconv.Itoa(w.Status)
	case WaitMinPoll:
		return waitMinPoll
	case WaitNoValidators:
		return waitNoValidators
	}
	return ""
}

// ParseWait reads what String returns.
func ParseWait(words string) Wait {
	switch words {
	case waitMinPoll:
		return Wait{Cause: WaitMinPoll}
	case waitNoValidators:
		return Wait{Cause: WaitNoValidators}
	}
	if code, ok := strings.CutPrefix(words, waitStatus); ok {
		if status, err := strconv.Atoi(code); err == nil {
			return Wait{Cause: WaitStatus, Status: status}
		}
	}
	return ServerWait(words)
}
