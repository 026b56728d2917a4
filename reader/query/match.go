package query

import (
	"cmp"
	"slices"
	"strings"

	"diurna/reader/model"
	"diurna/reader/words"
	"diurna/store"
)

// Item is what a query is asked about.
type Item struct {
	Row  *store.Row
	Feed *model.Feed // nil: not known
	Deep *Deep       // nil: not read yet
}

// Deep is what a row does not hold: it is read only if the answer depends on it.
type Deep struct {
	Link  string
	Texts []string // without markup; words stand in one of them
	Links []string // links.Of the item
}

// Answer says whether an item matches.
type Answer uint8

// The answers. Open: that depends on what is Deep.
const (
	No Answer = iota
	Open
	Yes
)

// Matcher answers a query for many items; it remembers what holds of each feed, by
// its address in memory. One goroutine may use it.
type Matcher struct {
	q     Query
	feeds map[ofFeed]bool
}

type ofFeed struct {
	t *term
	f *model.Feed
}

// Matcher returns what answers the query.
func (q Query) Matcher() *Matcher {
	q.root = q.root.cheapFirst()
	return &Matcher{q: q, feeds: map[ofFeed]bool{}}
}

// cheapFirst puts what costs least first, which does not change the answer.
func (n *node) cheapFirst() *node {
	if n == nil || n.op == opTerm {
		return n
	}
	out := &node{op: n.op, kids: make([]*node, len(n.kids))}
	for i, k := range n.kids {
		out.kids[i] = k.cheapFirst()
	}
	slices.SortStableFunc(out.kids, func(a, b *node) int { return cmp.Compare(a.cost(), b.cost()) })
	return out
}

// cost is the rank of the dearest term by what it has to look at.
func (n *node) cost() int {
	cost := 0
	for _, k := range n.kids {
		cost = max(cost, k.cost())
	}
	switch {
	case n.op != opTerm || n.term.kind != isWords && n.term.kind != isPattern:
		return cost
	case n.term.asksFeed() || n.term.field == Tag:
		return 1
	case n.term.field.deep():
		return 4
	case n.term.kind == isPattern:
		return 3
	}
	return 2
}

// Match reports whether the row of a feed matches. Feed may be nil for a row whose feed
// is not known. Links and texts are taken to be empty.
func (q Query) Match(row *store.Row, feed *model.Feed) bool {
	return q.Matcher().Answer(Item{row, feed, &Deep{}}) == Yes
}

// Answer answers for an item. It is Open only where Deep is nil.
func (m *Matcher) Answer(it Item) Answer {
	a, named := Yes, false
	if m.q.root != nil {
		a, named = m.ask(m.q.root, &it)
	}
	if a == Yes && it.Feed != nil && (it.Feed.Hidden && !m.q.hidden && !named || it.Feed.LeavesOut(it.Row)) {
		return No
	}
	return a
}

// ask answers for a part. named says that what fits says what to look in or for,
// which reaches hidden feeds.
func (m *Matcher) ask(n *node, it *Item) (a Answer, named bool) {
	switch n.op {
	case opTerm:
		return m.holds(n.term, it), n.term.names()
	case opNot:
		a, _ := m.ask(n.kids[0], it)
		return Yes - a, false
	case opAnd:
		a = Yes
		for _, k := range n.kids {
			b, by := m.ask(k, it)
			if a, named = min(a, b), named || by; a == No {
				break
			}
		}
		return a, named
	}
	for _, k := range n.kids {
		b, by := m.ask(k, it)
		a, named = max(a, b), named || b == Yes && by
		if a == Yes && (named || it.Feed == nil || !it.Feed.Hidden) {
			break
		}
	}
	return a, named
}

func answer(yes bool) Answer {
	if yes {
		return Yes
	}
	return No
}

// holds answers a term.
func (m *Matcher) holds(t *term, it *Item) Answer {
	row := it.Row
	switch t.kind {
	case isUnread:
		return answer(row.Flags&store.FlagRead == 0)
	case isRead:
		return answer(row.Flags&store.FlagRead != 0 && row.Muted == 0)
	case isMuted:
		return answer(row.Muted != 0)
	case isSaved:
		return answer(row.Flags&store.FlagSaved != 0)
	case isChanged:
		return answer(row.Flags&store.FlagChanged != 0)
	case isToday, isNewer:
		return answer(row.At >= t.at)
	case isOlder:
		return answer(row.At < t.at)
	case isLonger:
		return answer(int(row.Words) > t.count)
	case isShorter:
		return answer(int(row.Words) < t.count)
	case isItems:
		_, found := slices.BinarySearch(t.ids, row.ID)
		return answer(found)
	case isFeed:
		return answer(it.Feed != nil && it.Feed.Key.String() == t.text)
	}
	switch t.field {
	case Title:
		return answer(t.in(row.Title))
	case Author:
		return answer(t.in(row.Author))
	case Anywhere, inTexts:
		if t.in(row.Title) || t.in(row.Author) || m.ofFeed(t, it.Feed) {
			return Yes
		}
		if t.field == Anywhere {
			return No
		}
	case Tag:
		return answer(slices.ContainsFunc(row.Tags, t.isTag) || m.ofFeed(t, it.Feed))
	case Feed, Folder, Address:
		return answer(m.ofFeed(t, it.Feed))
	}
	if it.Deep == nil {
		return Open
	}
	switch {
	case t.field == Link:
		return answer(t.in(it.Deep.Link))
	case t.field == LinksTo && t.re == nil:
		return answer(slices.ContainsFunc(it.Deep.Links, func(key string) bool { return t.sought.Fits(key, t.open) }))
	case t.field == LinksTo:
		return answer(slices.ContainsFunc(it.Deep.Links, t.in))
	}
	return answer(slices.ContainsFunc(it.Deep.Texts, t.in))
}

// in reports whether a text has the words or the pattern.
func (t *term) in(text string) bool {
	if t.re == nil {
		return t.phrase.In(text)
	}
	if t.reach > 0 && t.reach < len(text) {
		text = text[:t.reach]
	}
	return t.re.MatchString(text)
}

// ofFeed reports whether a term holds for a feed as a whole.
func (m *Matcher) ofFeed(t *term, f *model.Feed) bool {
	if f == nil {
		return false
	}
	key := ofFeed{t, f}
	yes, known := m.feeds[key]
	if !known {
		yes = t.holdsFor(f)
		m.feeds[key] = yes
	}
	return yes
}

func (t *term) holdsFor(f *model.Feed) bool {
	switch t.field {
	case Tag:
		return slices.ContainsFunc(f.Tags, t.isTag)
	case Folder:
		return f.Folder != "" && (t.re != nil && t.re.MatchString(f.Folder) || t.re == nil && t.inFolder(f.Folder))
	case Address:
		return t.in(f.Address())
	case Feed:
		if t.re == nil {
			return strings.Contains(words.Fold(f.Title), t.folded) || f.Key.String() == t.text
		}
	}
	return t.in(f.Title)
}

// inFolder reports whether a folder is the one that is meant, lies in it, or has it
// as its last step: "sea" finds "sea", "sea/boats" and "water/sea".
func (t *term) inFolder(folder string) bool {
	name := "/" + t.folded
	if !t.open {
		name += "/"
	}
	return strings.Contains("/"+words.Fold(folder)+"/", name)
}

func (t *term) isTag(tag string) bool {
	switch {
	case t.re != nil:
		return t.re.MatchString(tag)
	case t.open:
		return strings.HasPrefix(words.Fold(tag), t.folded)
	}
	return words.Fold(tag) == t.folded
}
