package list

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// How lists are arranged: what = and . choose holds for a kind of lists, and is kept
// with the place of the reader.

// Kind is a sort of list. What is chosen with = and . holds for a kind, and is kept.
type Kind uint8

// The kinds of lists.
const (
	River Kind = iota
	Ranked
	Saved
	OneFeed // all of a feed
	Unread  // what is unread in a feed
	Several // a folder, a tag
	OfQuery // a saved query
	Found   // by words in the whole library
	Search  // by words in the texts, the best first
)

var kinds = [...]struct {
	name  string       // under which its arrangement is kept; "": every list begins as usual
	order reader.Order // the usual one
	hides bool         // what is read is left out as a rule
	view  bool         // it is one of the views of row 1
}{
	River:   {name: "river", hides: true, view: true},
	Ranked:  {order: reader.Ranked, hides: true, view: true},
	Saved:   {name: "saved", view: true},
	OneFeed: {name: "feed"},
	Unread:  {name: "unread", hides: true}, // its order is kept: each begins with what is unread
	Several: {name: "folder"},
	OfQuery: {name: "query"},
	Found:   {name: "found"},
	Search:  {view: true},
}

// manner is how a list shows its rows.
type manner struct {
	order  reader.Order // that was asked for
	before reader.Order // that S leads back to
	hides  bool         // what is read is left out, but what was read just now
}

// words say how the rows are arranged, where that is not as usual.
func (m manner) words(k Kind) (words []string) {
	if m.order != kinds[k].order {
		words = append(words, orderWords[m.order])
	}
	switch usual := kinds[k].hides; {
	case m.hides && (!usual || k == Unread):
		words = append(words, "unread")
	case usual && !m.hides && k != Unread:
		words = append(words, "with read")
	}
	return words
}

var orderWords = map[reader.Order]string{reader.Newest: "newest first", reader.Oldest: "oldest first", reader.ByTitle: "by title",
	reader.ByFeed: "by feed", reader.TitleBack: "by title, reversed", reader.FeedBack: "by feed, reversed", reader.Ranked: "ranked", reader.Rare: "rare feeds first", reader.Paper: "by the printed model"}

// manner is how lists of a kind are arranged.
func (s *Source) manner(of Kind) manner {
	k := &kinds[of]
	m := manner{order: k.order, hides: k.hides}
	if a, ok := s.kept[k.name]; ok {
		m.order, _ = reader.ParseOrder(a.Order)
		m.hides = k.hides != a.Turned
	}
	return m
}

// note remembers how a list is arranged.
func (s *Source) note(of Kind, m manner) {
	k := &kinds[of]
	if k.name != "" {
		s.kept[k.name] = view.Arranged{Order: m.order.String(), Turned: m.hides != k.hides && of != Unread}
	}
}

// Keep notes how the kinds of lists are arranged in a place.
func (s *Source) Keep(p *view.Place) {
	for name, a := range s.kept {
		p.Arrange(name, a)
	}
}

// Restore takes that in again. What was chosen since the start holds.
func (s *Source) Restore(p *view.Place) {
	for _, k := range kinds {
		if _, chosen := s.kept[k.name]; !chosen && k.name != "" {
			if a, ok := p.Arranged[k.name]; ok {
				s.kept[k.name] = a
			}
		}
	}
}

// Rearrange arranges a list as it was kept, unless a key has moved in it.
func (l *View) Rearrange(h view.Host) tea.Cmd {
	was, m := l.table.manner, l.src.manner(l.table.of.Kind)
	if l.table.moved || m == was {
		return nil
	}
	l.table.manner = m
	order := l.ord.arrange(h)
	if m.hides == was.hides {
		return order
	}
	return view.Batch(order, l.ask(h))
}

// asks is what a list asks the library for.
func (o *Of) asks(hides bool) reader.Query {
	if hides && !o.Unread.Empty() {
		return o.Unread
	}
	return o.Query
}

// sayEmpty is the sentence for a list without rows.
func (o *Of) sayEmpty(s *view.Scene, hides bool) string {
	if hides && (!kinds[o.Kind].hides || o.Kind == Unread) {
		return "Nothing is unread in " + o.Name + ". Press . to show what is read."
	}
	return o.Empty(s)
}
