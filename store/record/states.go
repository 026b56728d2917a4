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
	TroubleWebPage                   // a web page came instead of a feed
	TroubleRedirect                  // redirects lead nowhere that may be followed
	TroubleSelector                  // the selector of a watched page matches nothing
	TroubleCaptcha                   // a test for humans stands before a watched page
	TroubleFewWords                  // hardly a word is left of a watched page
)

var troubles = [...]string{"", "secret", "private", "led private", "404", "refused", "web page", "redirect", "selector", "captcha", "few words"}

// String returns the word that lies in the library.
func (t Trouble) String() string { return troubles[t] }

func parseTrouble(word string) Trouble { return Trouble(max(slices.Index(troubles[:], word), 0)) }

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
