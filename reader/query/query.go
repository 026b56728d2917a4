// Package query is the language in which people ask for items: Parse reads it,
// String writes it, a Matcher says whether an item fits. It reads no store and knows
// no clock. docs/queries.md is its grammar.
package query

import (
	"strings"
	"time"

	"diurna/reader/words"
	"diurna/store"
)

// Query is a question to the library. The zero Query fits every item.
//
// A hidden feed (newsboat's "!") stands in no list of everything: its items fit
// only a query that says what to look in or for: a word, feed:, folder:, a tag,
// an item, or saved; see WithHidden.
type Query struct {
	root   *node
	typed  string // "": not typed by anybody
	hidden bool   // hidden feeds fit as any other
}

// Read is the query "read".
func Read() Query { return Query{root: &node{term: &term{kind: isRead}}} }

// Unread is the query "unread".
func Unread() Query { return Query{root: &node{term: &term{kind: isUnread}}} }

// Saved is the query "saved".
func Saved() Query { return Query{root: &node{term: &term{kind: isSaved}}} }

// OfFeed is the query for the items of one feed.
func OfFeed(id store.FeedID) Query {
	return Query{root: &node{term: &term{kind: isFeed, text: id.String()}}}
}

// And is the query for what fits both.
//
//go:noinline // 7 places
func (q Query) And(other Query) Query {
	return Query{root: joined(opAnd, q.root, other.root), hidden: q.hidden || other.hidden}
}

// Empty reports whether the query has no part at all.
func (q Query) Empty() bool { return q.root == nil }

// Without returns the query without its last part, and that part as it is written;
// the screen offers it when nothing fits.
func (q Query) Without() (Query, string) {
	switch {
	case q.root == nil:
		return q, ""
	case q.root.op != opAnd:
		return Query{hidden: q.hidden}, q.String()
	}
	n := len(q.root.kids) - 1
	var b strings.Builder
	q.root.kids[n].write(&b, opAnd)
	return Query{root: joined(opAnd, q.root.kids[:n:n]...), hidden: q.hidden}, b.String()
}

// OnlyWords reports whether the query says no more than what to look for: it may
// as well be a name.
func (q Query) OnlyWords() bool {
	return !q.root.any(func(t *term, not bool) bool { return not || t.kind != isWords || t.field != Anywhere })
}

// WantsUnread reports whether only unread items can fit, so that the index of
// unread items is enough to answer.
func (q Query) WantsUnread() bool {
	return q.root.implies(func(t *term, not bool) bool { return !not && t.kind == isUnread || not && t.kind == isRead })
}

// WantsSaved is the same of saved items.
func (q Query) WantsSaved() bool {
	return q.root.implies(func(t *term, not bool) bool { return !not && t.kind == isSaved })
}

// WantsRead reports whether the query asks for read or muted items somewhere, which
// a list of unread ones does not hold.
func (q Query) WantsRead() bool {
	return q.root.any(func(t *term, not bool) bool {
		return !not && (t.kind == isRead || t.kind == isMuted) || not && t.kind == isUnread
	})
}

// WholeList reports whether all rows of one list fit, of all items or of the unread
// or saved ones, but for those of hidden feeds: then no row need be matched.
func (q Query) WholeList() bool {
	return q.root == nil || q.root.op == opTerm && (q.root.term.kind == isUnread || q.root.term.kind == isSaved)
}

// OfFeedsOnly reports whether the query fits all unread items of a feed or none, so
// that the counters of feeds answer it.
func (q Query) OfFeedsOnly() bool {
	return !q.root.any(func(t *term, _ bool) bool {
		return t.kind != isUnread && t.kind != isFeed && !t.asksFeed()
	})
}

// AsksItems returns the first part that is about an item and not about its feed as a
// whole, as it is written: "" if there is none.
func (q Query) AsksItems() string {
	part := ""
	q.root.any(func(t *term, _ bool) bool {
		switch t.kind {
		case isUnread, isRead, isSaved, isFeed, isNewer, isOlder, isToday:
			return false
		case isWords, isPattern:
			if t.field == Anywhere || t.field == Tag || t.asksFeed() {
				return false
			}
		}
		part = t.String()
		return true
	})
	return part
}

// asksFeed reports whether what is asked is the same for all items of a feed.
func (t *term) asksFeed() bool {
	return (t.kind == isWords || t.kind == isPattern) && (t.field == Feed || t.field == Folder || t.field == Address)
}

// IsDeep reports whether what is Deep of items may have to be read to answer.
func (q Query) IsDeep() bool { return q.root.any(func(t *term, _ bool) bool { return t.field.deep() }) }

// Needs reports whether a field that is Deep may have to be read.
func (q Query) Needs(f Field) bool {
	return q.root.any(func(t *term, _ bool) bool { return t.field == f || f == Text && t.field == inTexts })
}

// InTitles returns the query whose words fit the titles of items only: it is how
// an item is named, and a feed's name or an author would be all of theirs.
func (q Query) InTitles() Query {
	q.typed = ""
	q.root = q.root.changed(false, func(t term, _ bool) term {
		if t.field == Anywhere && (t.kind == isWords || t.kind == isPattern) {
			t.field = Title
		}
		return t
	})
	return q
}

// Loose returns the query with each word that is asked for standing for all that
// begin with it; false where that is the query itself.
func (q Query) Loose() (Query, bool) {
	loose := false
	q.typed = ""
	q.root = q.root.changed(false, func(t term, not bool) term {
		if t.kind == isWords && !not && !t.open && !t.phrase.Empty() {
			t.open, t.phrase, loose = true, words.PhraseOf(t.text, true), true
		}
		return t
	})
	return q, loose
}

// WithHidden returns the query for a list that somebody chose, as of one feed
// or folder: in it, hidden feeds are feeds as any other.
func (q Query) WithHidden() Query {
	q.hidden = true
	return q
}

// ReachesHidden reports whether items of hidden feeds may fit.
func (q Query) ReachesHidden() bool {
	return q.hidden || q.root.any(func(t *term, not bool) bool { return !not && t.names() })
}

// names reports whether a term says what to look in or for.
func (t *term) names() bool {
	switch t.kind {
	case isWords, isPattern, isItems, isFeed, isSaved:
		return true
	}
	return false
}

// ParseTime reads a date such as 2026-11-02, or 3h, 2d, 1w, 6m (months), 1y as so
// long before now.
func ParseTime(v string, now time.Time) (time.Time, bool) {
	m, ok := parseMoment(v)
	if !ok {
		return time.Time{}, false
	}
	return m.time(now), true
}
