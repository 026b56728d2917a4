package store

import (
	"diurna/store/check"
	"diurna/store/db"
	"diurna/store/record"
)

// The records that the library is made of, by the names that callers use.
type (
	FeedID       = record.FeedID
	ItemID       = record.ItemID
	Kind         = record.Kind
	Fact         = record.Fact
	Fetch        = record.Fetch
	Flags        = record.Flags
	Feed         = record.Feed
	DayCount     = record.DayCount
	Poll         = record.Poll
	Loss         = record.Loss
	FetchMark    = record.FetchMark
	WatchPoll    = record.WatchPoll
	Answer       = record.Answer
	Trouble      = record.Trouble
	Wait         = record.Wait
	WaitCause    = record.WaitCause
	Enclosure    = record.Enclosure
	Item         = record.Item
	Match        = record.Match
	Body         = record.Body
	Revision     = record.Revision
	PageRevision = record.PageRevision
	PageHead     = record.PageHead
	NewItem      = record.NewItem
	EditedItem   = record.EditedItem
	Correction   = record.Correction
	Rekey        = record.Rekey
	Outcome      = record.Outcome
	Filed        = record.Filed
	Ruling       = record.Ruling
	RuleMark     = record.RuleMark
	Rules        = record.Rules
)

// Runs and ParseRuns write and read the numbers of items.
var (
	Runs      = record.Runs
	ParseRuns = record.ParseRuns
)

// The kinds of facts.
const (
	Subscribed   = record.Subscribed
	Unsubscribed = record.Unsubscribed
	Adjusted     = record.Adjusted
	Fetched      = record.Fetched
	Arrived      = record.Arrived
	Edited       = record.Edited
	Shown        = record.Shown
	Looked       = record.Looked
	Opened       = record.Opened
	MarkedRead   = record.MarkedRead
	MarkedUnread = record.MarkedUnread
	Saved        = record.Saved
	Unsaved      = record.Unsaved
	Tagged       = record.Tagged
	Untagged     = record.Untagged
	Undone       = record.Undone
	Redone       = record.Redone
	Asked        = record.Asked
	Taught       = record.Taught
	Forgotten    = record.Forgotten
	Placed       = record.Placed
	TextRemoved  = record.TextRemoved
	Dateless     = record.Dateless
)

// The flags of items.
const (
	FlagRead    = record.FlagRead
	FlagSaved   = record.FlagSaved
	FlagChanged = record.FlagChanged
)

// The answers to a fetch.
const (
	AnswerNone   = record.AnswerNone
	AnswerNew    = record.AnswerNew
	AnswerSame   = record.AnswerSame
	AnswerFailed = record.AnswerFailed
	AnswerRead   = record.AnswerRead
)

// The kinds of trouble.
const (
	TroubleOther      = record.TroubleOther
	TroubleSecretLost = record.TroubleSecretLost
	TroublePrivate    = record.TroublePrivate
	TroubleLedPrivate = record.TroubleLedPrivate
	TroubleNotFound   = record.TroubleNotFound
	TroubleRefused    = record.TroubleRefused
	TroubleWebPage    = record.TroubleWebPage
	TroubleRedirect   = record.TroubleRedirect
	TroubleSelector   = record.TroubleSelector
	TroubleCaptcha    = record.TroubleCaptcha
	TroubleFewWords   = record.TroubleFewWords
)

// The causes of a wait.
const (
	WaitNone         = record.WaitNone
	WaitServer       = record.WaitServer
	WaitStatus       = record.WaitStatus
	WaitMinPoll      = record.WaitMinPoll
	WaitNoValidators = record.WaitNoValidators
)

// MakeItemID is item n of feed f.
func MakeItemID(f FeedID, n uint32) ItemID { return record.MakeItemID(f, n) }

// ParseFeedID reads what FeedID.String writes.
func ParseFeedID(s string) (FeedID, bool) { return record.ParseFeedID(s) }

// ParseItemID reads what ItemID.String writes.
func ParseItemID(s string) (ItemID, bool) { return record.ParseItemID(s) }

// ServerWait is a wait that a server asked for with these words; "" is none.
func ServerWait(header string) Wait { return record.ServerWait(header) }

// ParseWait reads what Wait.String writes.
func ParseWait(words string) Wait { return record.ParseWait(words) }

// What is left of a damaged library.
type (
	Remains = check.Remains
	Lost    = check.Lost
)

// The errors of the engine.
var (
	ErrNone     = db.ErrNone
	ErrBusy     = db.ErrBusy  // see BusyError
	ErrNewer    = db.ErrNewer // see NewerError; nothing was changed
	ErrOlder    = db.ErrOlder
	ErrDamaged  = db.ErrDamaged // see DamagedError
	ErrFull     = db.ErrFull    // disk, quota, size limit or MaxSize
	ErrReadOnly = db.ErrReadOnly
	ErrUnsafe   = db.ErrUnsafe // another owner, others may write, a symbolic link
	ErrClosed   = db.ErrClosed
	// ErrReplaced ends a Compact, which has changed nothing then.
	ErrReplaced = db.ErrReplaced
)

// What some of them say.
type (
	BusyError    = db.BusyError
	NewerError   = db.NewerError
	DamagedError = db.DamagedError
)
