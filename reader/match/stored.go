package match

import (
	"context"
	"fmt"
	"strings"

	"diurna/reader/feed"
	"diurna/store"
)

// Stored says which stored item each entry is, by the names that it is known by alone:
// its id, else its link, where the title is the same too or the id was made of the link,
// else, for one without either, title and date. N is 0 for one that is new. next is for
// Filing.Next. The entries come from another program's library, not from the publisher,
// so nothing is said of those that differ.
func Stored(ctx context.Context, s Store, id store.FeedID, entries []Entry) (found []store.Match, next uint32, err error) {
	known, err := s.Match(ctx, id, allKeys(entries))
	if err != nil {
		return nil, 0, fmt.Errorf("look up the items: %w", err)
	}
	m := matching{entries: entries, known: &known, match: make([]store.Match, len(entries)), taken: map[uint32]bool{}}
	for i := range entries {
		m.matchByKey(i, entries[i].keys.id)
	}
	for i := range entries {
		k, it := &entries[i].keys, entries[i].item
		if k.main() == k.content {
			m.matchByKey(i, k.said)
			m.matchByKey(i, k.content)
		} else if there := known.ByKey[k.link]; k.link != 0 && (strings.EqualFold(there.Title, it.Title) || strings.HasPrefix(it.IDRaw, it.Link)) {
			m.matchByKey(i, k.link)
		}
	}
	return m.match, known.Next, nil
}

// Of is the entry as its document has it.
func (a *Entry) Of() *feed.Entry { return a.item }

// New is the entry as it is filed; it comes unread.
func (a *Entry) New() store.NewItem { return newItem(a, a.item.Published) }
