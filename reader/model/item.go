package model

import (
	"cmp"
	"diurna/reader/plain"
	"diurna/store"
	"strings"
	"time"
)

// Enclosure is a file that belongs to an item.
type Enclosure = store.Enclosure

// Item is one entry as every command knows it. Its JSON form is {id,feed_id,
// feed,title,link,author,published,first_seen,unread,saved,changed,tags,words};
// absent things are null.
type Item struct {
	Key       store.ItemID // 0 in a preview
	FeedKey   store.FeedID
	Feed      string // the feed's title
	Title     string
	Lead      string // the first words of its text, where it has no title
	Link      string
	Author    string
	Published time.Time
	FirstSeen time.Time
	Unread    bool
	Saved     bool
	Changed   bool // edited by its publisher after it was read
	Tags      []string
	Words     int
	Also      []store.ItemID // items of other feeds that tell the same story, where that was asked for

	IDRaw       string
	Updated     time.Time
	Categories  []string
	Enclosures  []Enclosure
	Edits       int
	Muted       int       // number of the rule that mutes it; 0: none
	TextRemoved time.Time // by retention; zero: it is whole
	Gone        bool      // its row was removed by retention
	kept        string    // Link as it is kept, where that says more: see Address
}

// Article is an item with its text.
type Article struct {
	Item
	HTML string // sanitised of control characters; relative links resolved
	Base string // what is left relative is relative to this
	Kept int    // edits that ItemChange can tell of: none from before it was read

	Full *FullText // what is kept of its page; nil: the page was never fetched
}

// FullText is what is kept of the page of an item: the article, or why there is none.
type FullText struct {
	At       time.Time // when it was fetched
	Why      string    // a word such as "paywall"; "": there is an article
	Sentence string    // the same for a user, without a full stop
	HTML     string    // sanitised; "" if there is none
	Base     string    // what is left relative is relative to this
	Words    int
	Unasked  bool // robots.txt keeps programs from asking; a user may
	Passes   bool // Why may be gone when the page is asked for again
}

// Whole is the fullest text of an article that is there, and what is left relative in it
// is relative to.
func (a *Article) Whole() (html, base string) {
	if a.Full != nil && a.Full.HTML != "" {
		return a.Full.HTML, a.Full.Base
	}
	return a.HTML, a.Base
}

// The first words of a text: as many as a row shows, in no more bytes.
const (
	leadWords = 16
	leadBytes = 160
)

// LeadOf are the first words of a text of HTML, as one plain line; "" for none.
func LeadOf(html string) string {
	words := strings.Fields(plain.Line(plain.FromHTML(html, 4*leadBytes), 0))
	return plain.Line(strings.Join(words[:min(len(words), leadWords)], " "), leadBytes)
}

// LeadTo gives the item its link: a hidden address.
func (it *Item) LeadTo(address string) {
	it.Link, it.kept = ShownLink(address), address
}

// ShownLink is an item's link for people: what its publisher wrote is shown as it
// is, an address of the library's own without its secrets.
func ShownLink(address string) string {
	if strings.Contains(address, store.SecretMark) {
		return plain.Redact(address)
	}
	return address
}

// Address is the item's link as Reveal takes it: of a change of a watched page it
// may hold a secret, which Link does not show.
func (it *Item) Address() string { return cmp.Or(it.kept, it.Link) }

// ItemOf is a stored item as every command knows it, but for its feed's title.
func ItemOf(s *store.Item) Item {
	it := Item{
		Key: s.ID, FeedKey: s.ID.Feed(), Title: s.Title, Author: s.Author,
		Published: s.Published, FirstSeen: s.FirstSeen, Words: s.Words, Tags: s.Tags,
		Unread: s.Flags&store.FlagRead == 0, Saved: s.Flags&store.FlagSaved != 0, Changed: s.Flags&store.FlagChanged != 0,
		IDRaw: s.IDRaw, Updated: s.Updated, Categories: s.Categories, Enclosures: s.Enclosures, Edits: s.Edits, Muted: s.Muted, TextRemoved: s.TextRemoved, Gone: s.Flags&store.FlagGone != 0,
	}
	it.LeadTo(s.Link)
	return it
}
