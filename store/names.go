package store

import (
	"context"
	"time"

	"diurna/store/acts"
	"diurna/store/backups"
	"diurna/store/check"
	"diurna/store/db"
	"diurna/store/filing"
	"diurna/store/library"
	"diurna/store/lists"
	"diurna/store/record"
	"diurna/store/salvage"
	"diurna/store/secrets"
	"diurna/store/webpages"
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
	PageState    = record.PageState
	ChangeClass  = record.ChangeClass
	SlotReason   = record.SlotReason
	Enclosure    = record.Enclosure
	Item         = record.Item
	Match        = record.Match
	Body         = record.Body
	Revision     = record.Revision
	PageRevision = record.PageRevision
	Packer       = record.Packer
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

// What is done to a library, and what is read of it.
type (
	Change       = acts.Change
	Subscription = acts.Subscription
	Done         = acts.Done
	Step         = acts.Step
	RuleAct      = acts.RuleAct
	RuleBook     = acts.RuleBook
	Filing       = filing.Filing
	PageFiling   = filing.PageFiling
	Matched      = filing.Matched
	Clock        = filing.Clock
	Row          = lists.Row
	RowQuery     = lists.RowQuery
	Which        = lists.Which
	Cursor       = lists.Cursor
	Totals       = library.Totals
	Descent      = library.Descent
	NotePlace    = webpages.NotePlace
	Report       = check.Report
	Finding      = check.Finding
)

// The lists, each newest first.
const (
	Unread    = lists.Unread
	All       = lists.All
	SavedRows = lists.SavedRows
	ReadRows  = lists.ReadRows
)

// RetentionKey is what Meta reads the retention by that a library was made with; see
// library.RetentionKey.
const RetentionKey = library.RetentionKey

// SecretMark begins every reference to a secret.
const SecretMark = secrets.Mark

// ByImport is the Field of facts about what another program knew of items that an import
// brought in.
const ByImport = record.ByImport

// After is the place just below row r.
func After(r Row) Cursor { return lists.After(r) }

// SecretRef is the reference of a secret.
func SecretRef(value string) string { return secrets.Ref(value) }

// IsSecretRef reports whether s is a reference and nothing else.
func IsSecretRef(s string) bool { return secrets.IsRef(s) }

// Plausible is false for a clock that reads a time before this program.
func Plausible(now time.Time) bool { return filing.Plausible(now) }

// CheckPacked reads a packed backup from end to end, and those that it rests on.
func CheckPacked(ctx context.Context, path string) error { return backups.CheckPacked(ctx, path) }

// RuleOf is the number of the rule that a field keeps; 0: none.
func RuleOf(field string) int { return record.RuleOf(field) }

// RuleField is the name of the library's value that keeps a rule.
func RuleField(rule int) string { return record.RuleField(rule) }

// MutedTag is the tag of items that a rule mutes.
func MutedTag(rule int) string { return record.MutedTag(rule) }

// MutedBy is the number of the rule whose MutedTag a tag is; 0: none.
func MutedBy(tag string) int { return record.MutedBy(tag) }

// ParsePageState reads what PageState.String writes; any other word is PageError.
func ParsePageState(word string) PageState { return record.ParsePageState(word) }

// ParseChangeClass reads what ChangeClass.String writes; any other word is ClassUnknown.
func ParseChangeClass(word string) ChangeClass { return record.ParseChangeClass(word) }

// ParseSlotReason reads what SlotReason.String writes; any other word is SlotUnknown.
func ParseSlotReason(word string) SlotReason { return record.ParseSlotReason(word) }

// What a poll says of a watched page and of the next fetch.
const (
	PageFine   = record.PageFine
	SlotEvenly = record.SlotEvenly
	SlotRetry  = record.SlotRetry
	SlotAsked  = record.SlotAsked
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
	Trained      = record.Trained
	Forgotten    = record.Forgotten
	Placed       = record.Placed
	TextRemoved  = record.TextRemoved
	RowRemoved   = record.RowRemoved
	Dateless     = record.Dateless
)

// The flags of items.
const (
	FlagRead    = record.FlagRead
	FlagSaved   = record.FlagSaved
	FlagChanged = record.FlagChanged
	FlagGone    = record.FlagGone
)

// The answers to a fetch.
const (
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
	WaitNoValidators = record.WaitNoValidators
)

// What is left of a damaged library.
type (
	Salvaged = salvage.Salvaged
	Lost     = salvage.Lost
)

// The errors of the engine.
var (
	ErrNone     = db.ErrNone
	ErrBusy     = db.ErrBusy  // see BusyError
	ErrNewer    = db.ErrNewer // see db.NewerError; nothing was changed
	ErrOlder    = db.ErrOlder
	ErrDamaged  = db.ErrDamaged // see DamagedError
	ErrFull     = db.ErrFull    // disk, quota, size limit or MaxSize
	ErrReadOnly = db.ErrReadOnly
	ErrUnsafe   = db.ErrUnsafe // another owner, others may write, a symbolic link
	ErrClosed   = db.ErrClosed
	// ErrReplaced ends a Compact, which has changed nothing then.
	ErrReplaced = db.ErrReplaced
	ErrUnknown  = library.ErrUnknown
	ErrTaken    = library.ErrTaken
	ErrStale    = library.ErrStale // match again, file again
	ErrDepends  = library.ErrDepends
	ErrNothing  = library.ErrNothing
	ErrInvalid  = library.ErrInvalid
	// ErrSecretLost: the library does not have the value of a reference.
	ErrSecretLost = secrets.ErrLost
	// Why a file cannot be restored; see backups.BackupError.
	ErrNotBackup     = backups.ErrNotBackup
	ErrBackupDamaged = backups.ErrBackupDamaged
	ErrIsLibrary     = backups.ErrIsLibrary
)

// What some of them say.
type (
	BusyError    = db.BusyError
	DamagedError = db.DamagedError
)
