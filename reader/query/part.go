package query

import (
	"strings"

	"diurna/reader/model"
	"diurna/reader/words"
	"diurna/store"
)

// InTexts returns the query whose words are looked for in the texts too.
func (q Query) InTexts() Query {
	q.root = q.root.changed(false, func(t term, _ bool) term {
		if t.field == Anywhere && (t.kind == isWords || t.kind == isPattern) {
			t.field = inTexts
		}
		return t
	})
	return q
}

// Part is one term of a query, for those who answer queries by an index.
type Part struct{ t *term }

// Phrase is the phrase that the part asks for in the fields of an item that hold
// text; ok is false for all other parts. everywhere means title, author and text, and
// that OfFeed may hold instead.
func (p Part) Phrase() (phrase words.Phrase, in Field, everywhere, ok bool) {
	if p.t.kind != isWords {
		return phrase, 0, false, false
	}
	switch p.t.field {
	case Title, Author, Link, Text:
		return p.t.phrase, p.t.field, false, true
	case inTexts:
		return p.t.phrase, 0, true, true
	}
	return phrase, 0, false, false
}

// IsDeep reports whether the link or the text of an item has to be read to answer,
// though there is an index of words: a pattern asks for more than words, and no address
// is in it to which a text points.
func (p Part) IsDeep() bool {
	return p.t.field == LinksTo || p.t.kind == isPattern && p.t.field.deep()
}

// Pattern is the pattern that the part asks for in the fields of an item that hold text,
// as Phrase has them; "" for all other parts.
func (p Part) Pattern() (pattern string, in Field, everywhere bool) {
	if !p.IsDeep() || p.t.field == LinksTo {
		return "", 0, false
	}
	return p.t.re.String(), p.t.field, p.t.field == inTexts
}

// OfFeed reports whether the part holds for all items of a feed.
func (p Part) OfFeed(f *model.Feed) bool {
	if p.t.kind == isFeed {
		return f.Key.String() == p.t.text
	}
	return p.t.holdsFor(f)
}

// AsksFeed reports whether OfFeed is the whole answer.
func (p Part) AsksFeed() bool { return p.t.kind == isFeed || p.t.asksFeed() }

// Word is the words that the part asks for in no field of its own, folded; ok is false for
// all other parts.
func (p Part) Word() (folded string, ok bool) {
	return words.Fold(p.t.text), p.t.kind == isWords && p.t.field == Anywhere
}

// FitsFeed reports whether the newest of a feed's items would fit: it is unread or saved
// if any is, and as old as the last post.
func (q Query) FitsFeed(f *model.Feed) bool {
	row := store.Row{At: f.LastPost.Unix()}
	if f.Unread == 0 {
		row.Flags |= store.FlagRead
	}
	if f.Saved > 0 {
		row.Flags |= store.FlagSaved
	}
	return q.WithHidden().Match(&row, f) // a list of feeds, not of items
}

// Query is the query of this part alone.
func (p Part) Query() Query { return Query{root: &node{term: p.t}, hidden: true} }

// Reduce makes one value of a query from those of its parts. negated says that a part
// stands under an odd number of negations. An empty query is and of nothing.
func Reduce[T any](q Query, part func(p Part, negated bool) T, and, or func([]T) T, not func(T) T) T {
	if q.root == nil {
		return and(nil)
	}
	return reduce(q.root, false, part, and, or, not)
}

func reduce[T any](n *node, negated bool, part func(Part, bool) T, and, or func([]T) T, not func(T) T) T {
	switch n.op {
	case opTerm:
		return part(Part{n.term}, negated)
	case opNot:
		return not(reduce(n.kids[0], !negated, part, and, or, not))
	}
	kids := make([]T, len(n.kids))
	for i, k := range n.kids {
		kids[i] = reduce(k, negated, part, and, or, not)
	}
	if n.op == opAnd {
		return and(kids)
	}
	return or(kids)
}

// AlsoInTexts is InTexts in the words of the language: each word may stand in the text
// as well.
func (q Query) AlsoInTexts() Query {
	return Query{root: q.root.alsoInTexts(), hidden: q.hidden}
}

func (n *node) alsoInTexts() *node {
	switch {
	case n == nil:
		return nil
	case n.op != opTerm:
		out := &node{op: n.op}
		for _, k := range n.kids {
			out.kids = append(out.kids, k.alsoInTexts())
		}
		return out
	case n.term.field != Anywhere || n.term.kind != isWords && n.term.kind != isPattern:
		return n
	}
	text := *n.term
	text.field = Text
	return joined(opOr, n, &node{term: &text})
}

// OfFolder is the query for what is in a folder, OfTag for what has a tag.
func OfFolder(path string) Query {
	return Query{root: &node{term: &term{field: Folder, text: path, folded: words.Fold(path)}}}
}

// OfTag is described at OfFolder.
func OfTag(tag string) Query {
	return Query{root: &node{term: &term{field: Tag, text: tag, folded: words.Fold(tag)}}}
}

// OfFeeds is the query for the items of some feeds.
func OfFeeds(ids []store.FeedID) Query {
	var parts []*node
	for _, id := range ids {
		parts = append(parts, OfFeed(id).root)
	}
	return Query{root: joined(opOr, parts...)}
}

// Key is a word without which the part does not hold, folded as words.Cut folds
// it, or one of Deep.Links, which no word is, and whether it stands in the text rather than in
// the title, the author or the feed's title. Of a phrase it is the longest. ok is false where
// there is none.
func (p Part) Key() (word string, inText, ok bool) {
	if p.t.kind != isWords {
		return "", false, false
	}
	switch p.t.field {
	case LinksTo:
		word = string(p.t.sought)
		return word, true, !p.t.open && strings.Contains(word, "/")
	case Text, inTexts:
		inText = true
	case Title, Author, Anywhere:
	default:
		return "", false, false
	}
	for _, t := range p.t.phrase.Tokens() {
		if !t.Prefix && len(t.Text) > len(word) {
			word, ok = t.Text, true
		}
	}
	return word, inText, ok
}

// Relative reports whether the query has a part that depends on when it was read.
func (q Query) Relative() bool {
	return q.root.any(func(t *term, _ bool) bool {
		return t.kind == isToday || (t.kind == isNewer || t.kind == isOlder) && t.when.unit != 0
	})
}

// FitsAllNew returns the first part that has one answer for all items that come, which
// are new, unread and of no other state, as it is written: "" if there is none.
func (q Query) FitsAllNew() string {
	part := ""
	q.root.any(func(t *term, _ bool) bool {
		switch t.kind {
		case isUnread, isRead, isSaved, isChanged, isMuted, isToday, isNewer:
			part = t.String()
		}
		return part != ""
	})
	return part
}
