package query

import (
	"regexp"
	"slices"
	"time"

	"diurna/reader/links"
	"diurna/reader/words"
	"diurna/store"
)

// Field is where a part of a query looks.
type Field uint8

// The fields of words, phrases and patterns.
const (
	Anywhere Field = iota // title, author and the feed's title
	Title
	Author
	Feed
	Folder
	Tag
	Link
	Text
	Address // of the feed
	LinksTo // an address to which an item points, its own or one in its text

	inTexts // what Anywhere means in a search of the texts: these too
)

// deep reports whether the field is not in rows.
func (f Field) deep() bool { return f == Link || f == Text || f == inTexts || f == LinksTo }

// unnamed reports whether nothing stands before the words.
func (f Field) unnamed() bool { return f == Anywhere || f == inTexts }

type operator uint8

const (
	opTerm operator = iota
	opAnd
	opOr
	opNot
)

// node is a part of a query: a term, or kids joined by an operator. An opAnd holds
// no opAnd, an opOr no opOr, each of them two kids at least.
type node struct {
	op   operator
	kids []*node
	term *term
}

type termKind uint8

const (
	isWords   termKind = iota // words and phrases in a field
	isPattern                 // a regular expression in a field
	isUnread                  // the states
	isRead
	isSaved
	isChanged
	isMuted
	isToday
	isNewer // times
	isOlder
	isLonger // numbers of words
	isShorter
	isItems // any of some items, by their ids
	isFeed  // one feed, by its id
)

// term is a question to one field. What comes after the line follows from the rest
// and from the time at which the query was read.
type term struct {
	kind  termKind
	field Field
	text  string // as typed: words, a pattern, the name of a feed, folder or tag
	open  bool   // the last word stands for all that begin with it
	fold  bool   // of a pattern: letter case does not matter
	when  moment
	count int
	ids   []store.ItemID // sorted

	phrase words.Phrase
	folded string
	sought links.Sought // of LinksTo
	re     *regexp.Regexp
	reach  int // how many bytes of a text re looks at; 0: all
	at     int64
}

// moment is a date, or so many units before now.
type moment struct {
	count int
	unit  byte   // h, d, w, m (months), y; 0: a date
	date  string // 2026-11-02
}

// joined joins parts by and or by or, each once; nil for none.
func joined(op operator, parts ...*node) *node {
	if len(parts) == 1 {
		return parts[0]
	}
	out := &node{op: op}
	seen := map[string]bool{}
	for _, p := range parts {
		kids := []*node{p}
		switch {
		case p == nil:
			continue
		case p.op == op:
			kids = p.kids
		}
		for _, k := range kids {
			if text := (Query{root: k}).Canonical(); !seen[text] {
				seen[text] = true
				out.add(k)
			}
		}
	}
	switch len(out.kids) {
	case 0:
		return nil
	case 1:
		return out.kids[0]
	}
	return out
}

// add appends a kid. Ids of items that stand side by side are alternatives: no item
// has two.
func (n *node) add(k *node) {
	if last := len(n.kids) - 1; n.op == opAnd && last >= 0 && k.isItems() && n.kids[last].isItems() {
		t := *n.kids[last].term
		t.ids = slices.Concat(t.ids, k.term.ids)
		slices.Sort(t.ids)
		t.ids = slices.Compact(t.ids)
		n.kids[last] = &node{term: &t}
		return
	}
	n.kids = append(n.kids, k)
}

func (n *node) isItems() bool { return n.op == opTerm && n.term.kind == isItems }

// any reports whether a term passes a test; not says whether it stands under an odd
// number of negations.
func (n *node) any(test func(t *term, not bool) bool) bool { return n.anyUnder(false, test) }

func (n *node) anyUnder(not bool, test func(*term, bool) bool) bool {
	switch {
	case n == nil:
		return false
	case n.op == opTerm:
		return test(n.term, not)
	case n.op == opNot:
		return n.kids[0].anyUnder(!not, test)
	}
	return slices.ContainsFunc(n.kids, func(k *node) bool { return k.anyUnder(not, test) })
}

// implies reports whether all that fits passes a test, as far as single terms say
// so.
func (n *node) implies(test func(t *term, not bool) bool) bool {
	switch {
	case n == nil:
		return false
	case n.op == opAnd:
		return slices.ContainsFunc(n.kids, func(k *node) bool { return k.implies(test) })
	case n.op == opOr:
		return !slices.ContainsFunc(n.kids, func(k *node) bool { return !k.implies(test) })
	case n.op == opNot:
		k := n.kids[0]
		return k.op == opTerm && test(k.term, true)
	}
	return test(n.term, false)
}

// changed gives the part with each term as change makes it; not is as of any.
func (n *node) changed(not bool, change func(t term, not bool) term) *node {
	if n == nil {
		return nil
	}
	out := &node{op: n.op}
	if n.op == opTerm {
		t := change(*n.term, not)
		out.term = &t
	}
	for _, k := range n.kids {
		out.kids = append(out.kids, k.changed(not != (n.op == opNot), change))
	}
	return out
}

// time is the moment as seconds since 1970, seen from now.
func (m moment) time(now time.Time) time.Time {
	switch m.unit {
	case 'h':
		return now.Add(-time.Duration(m.count) * time.Hour)
	case 'd':
		return now.AddDate(0, 0, -m.count)
	case 'w':
		return now.AddDate(0, 0, -7*m.count)
	case 'm':
		return now.AddDate(0, -m.count, 0)
	case 'y':
		return now.AddDate(-m.count, 0, 0)
	}
	t, _ := time.ParseInLocation(time.DateOnly, m.date, now.Location()) // read before
	return t
}
