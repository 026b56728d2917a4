package model

import (
	"fmt"
	"strings"
	"time"

	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/store"
)

// Feed is one subscription as every command and the screen know it. Its JSON
// form is {id,url,title,folder,tags,unread,saved,last_post,last_fetch,
// next_fetch,state,since,error}; absent things are null.
type Feed struct {
	Key       store.FeedID
	URL       string // hidden, as all addresses of feeds: see Reveal
	Title     string
	Given     string // the title its reader gave it, "" for the publisher's own
	Folder    string // "sea/boats", "" for none
	Tags      []string
	Unread    int
	Saved     int
	Items     int
	LastPost  time.Time // zero: none
	LastFetch time.Time
	NextFetch time.Time
	// Error is the user's sentence for a state of trouble ("404 not found"),
	// Since when that began.
	State FeedState
	Since time.Time
	// Trouble is what Error is about, for whoever says what helps.
	Error   string
	Trouble store.Trouble
	Tries   int // failed fetches since Since
	Status  int // HTTP, of the last answer; 0: none came

	Site         string
	Format       string
	MovedTo      string
	MovedSince   time.Time // when its server first said so
	MovedSeen    int       // how often in a row since
	Hidden       bool
	AllowPrivate bool
	Subscribed   time.Time
	NotBefore    time.Time
	NotBeforeBy  store.Wait
	NextReason   store.SlotReason
	Losses       []Loss // fetches of the last 28 days that showed nothing known before, oldest first
	LeftOut      string // its document has more items than are read: the sentence; "": it has not
	Settings     Settings
	Watched      bool // a watched page: it stands in Pages, not in a list of feeds

	Untitled bool // Title is made of the address, until a fetch or a user gives one
}

// Address is the feed's address for people: without passwords and what looks
// like a secret.
func (f *Feed) Address() string { return plain.Redact(f.URL) }

// HostPort is the host of the address, with its port where that is named.
func (f *Feed) HostPort() string { return HostKey(f.URL) }

// InTrouble reports whether the feed needs attention.
func (f *Feed) InTrouble() bool { return f.State.Trouble() }

// Refused reports whether diurna itself does not fetch the feed, as its address is
// private and was not allowed.
func (f *Feed) Refused() bool { return f.InTrouble() && f.Trouble == store.TroublePrivate }

// Piped reports whether the feed's documents are piped in: it has no address.
func (f *Feed) Piped() bool { return IsPiped(f.URL) }

// Loss is a fetch that showed none of the items known before: some came and
// went in between.
type Loss struct{ Known, At time.Time }

// LossSentence says which items of the feed were lost last, "" for none in the
// last 28 days.
func (f *Feed) LossSentence(c wording.Clock) string {
	if len(f.Losses) == 0 {
		return ""
	}
	l := f.Losses[len(f.Losses)-1]
	more := "It is fetched more often now."
	if f.Settings.Text(SettingInterval) != "" {
		more = "Its interval is set by hand."
	}
	return fmt.Sprintf("%s: none of the items known at %s was left at %s; some were lost in between. %s",
		f.Title, lossTime(l.Known, c), lossTime(l.At, c), more)
}

// lossTime is the clock for today, else with the day; for programs the stamp.
func lossTime(t time.Time, c wording.Clock) string {
	if c.Exact {
		return wording.Stamp(t)
	}
	t, now := t.Local(), c.Now.Local()
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04")
	}
	return t.Format("2 Jan 15:04")
}

// SilentAfter is how long a feed may be quiet before doctor mentions it.
const SilentAfter = 60 * 24 * time.Hour

// MaxServerWait is the longest wait of a server that is heeded: none may ask for
// more than seven days; more is a clock gone wrong.
const MaxServerWait = 8 * 24 * time.Hour

// PipedScheme begins the address of a feed that no server has: its documents
// are piped in.
const PipedScheme = "take:"

// SavedPages is the title of the feed of pages that were saved by their address.
// It is one whose items are piped in: nothing fetches it.
const SavedPages = "Saved pages"

// SavesPages reports whether the feed is SavedPages.
func (f *Feed) SavesPages() bool { return SavesPages(f.URL) }

// SavesPages reports whether a feed's address is that of SavedPages.
func SavesPages(address string) bool { return address == PipedScheme+SavedPages }

// LeavesOut reports whether no list shows an item of the feed, because retention removed
// its row since it was found, or because of what it is: a page that was saved
// by its address and is read, and no longer saved or tagged, is out until its address
// is saved again, or the step is undone that took it off.
func (f *Feed) LeavesOut(r *store.Row) bool {
	return r.Flags&store.FlagGone != 0 || f.SavesPages() && r.Flags&(store.FlagRead|store.FlagSaved) == store.FlagRead && len(r.Tags) == 0
}

// IsPiped reports whether a feed's documents are piped in rather than fetched.
//
//go:noinline // 23 places
func IsPiped(address string) bool { return strings.HasPrefix(address, PipedScheme) }

// IntervalOf is the interval set by hand for one feed, 0 for none.
//
//go:noinline // 8 places
func IntervalOf(f *store.Feed) time.Duration {
	return interval(f.Attrs[SettingInterval])
}

// KnownAs names a feed that is subscribed to: "sea/Harbour Gazette since 3 Mar".
func (f *Feed) KnownAs() string {
	name := f.Title
	if f.Folder != "" {
		name = f.Folder + "/" + name
	}
	return name + " since " + f.Subscribed.Format("2 Jan")
}
