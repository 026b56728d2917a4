package match

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"diurna/reader/feed"
	"diurna/store"
)

// maxCorrections is how often what an item says beside its text is taken over
// as it comes. One that is corrected more often is so by a machine, as where two
// servers give a feed in two versions by turns; then once a day will do.
const maxCorrections = 12

// edit notes what a publisher changed in a stored item. Another text or title
// is an edit; what else changed is taken over without a word.
func (s *matching) edit(f *store.Filing, i int, now time.Time) {
	a, m := &s.entries[i], &s.match[i]
	it := newItem(a, now)
	changed := completed(&it.Item, m)
	it.Corrected, it.CorrectedAt = m.Corrected, m.CorrectedAt
	e := store.EditedItem{N: m.N, NewItem: it, KeepRevision: m.Flags&store.FlagRead != 0 && !m.Muted, Quiet: m.Muted, SameText: m.Hash == a.keys.body}
	if it.Body.HTML == "" && it.Body.Summary == "" {
		e.SameText, e.Hash = true, m.Hash // it says its text no more
	}
	retitled := it.Title != m.Title
	switch {
	case !e.SameText, retitled && !recounted(m.Title, it.Title):
		f.Edited = append(f.Edited, e)
	case retitled || changed:
		correct(f, &e, retitled, now)
	}
}

// completed gives an item what its publisher says no more, and what is written
// otherwise but means the same; it reports whether anything but its title is
// another then.
func completed(it *store.Item, m *store.Match) bool {
	it.Title, it.Author = cmp.Or(it.Title, m.Title), cmp.Or(it.Author, m.Author)
	link, files, labels := it.Link != "" && !leadsTo(m.Link, it.Link), len(it.Enclosures) > 0, len(it.Categories) > 0
	if !link {
		it.Link = m.Link
	}
	if files = files && !sameFiles(m.Enclosures, it.Enclosures); !files {
		it.Enclosures = m.Enclosures
	}
	if labels = labels && !sameLabels(m.Categories, it.Categories); !labels {
		it.Categories = m.Categories
	}
	return link || files || labels || it.Author != m.Author
}

// leadsTo reports whether the old address leads to where the new one does, and
// no less safely.
func leadsTo(old, link string) bool {
	return old == link || feed.NormalLink(old) == feed.NormalLink(link) && (strings.HasPrefix(old, "https:") || strings.HasPrefix(link, "http:"))
}

func sameFiles(old, files []store.Enclosure) bool {
	if len(old) != len(files) {
		return false
	}
	for i := range old {
		// Its length changes with every advertisement that is put into it.
		if o, n := &old[i], &files[i]; o.Type != n.Type || o.Title != n.Title || !leadsTo(o.URL, n.URL) {
			return false
		}
	}
	return true
}

func sameLabels(old, labels []string) bool {
	for _, l := range labels {
		if !slices.Contains(old, l) {
			return false
		}
	}
	return len(old) == len(labels)
}

// recounted reports whether of two titles only the number in brackets at their
// end differs, of comments or votes.
func recounted(a, b string) bool {
	i, j := strings.LastIndexAny(a, "(["), strings.LastIndexAny(b, "([")
	return i > 0 && j > 0 && a[:i] == b[:j] && bracketed(a[i:]) && bracketed(b[j:])
}

func bracketed(s string) bool {
	return strings.ContainsAny(s, "0123456789") && (s[0] == '(' && strings.HasSuffix(s, ")") || s[0] == '[' && strings.HasSuffix(s, "]"))
}

// correct makes a correction of an edit.
func correct(f *store.Filing, e *store.EditedItem, retitled bool, now time.Time) {
	if e.Corrected >= maxCorrections && now.Sub(e.CorrectedAt) < resurfaceRest {
		return
	}
	f.Corrected = append(f.Corrected, store.Correction{N: e.N, Item: e.Item, Retitled: retitled})
}

// acceptTitles takes over without a word those new titles that are no news: all of a
// feed that was last read when titles were not taken over, and where most of
// what a feed shows has another one. known is how many items of the document
// were known before.
func acceptTitles(f *store.Filing, known int, taken bool, now time.Time) {
	n := 0
	for i := range f.Edited {
		if f.Edited[i].SameText {
			n++
		}
	}
	if !taken || n >= 3 && 2*n >= known {
		collapseNoise(f, now, func(*store.EditedItem) bool { return true })
	}
}

// collapseNoise makes corrections of those edits that changed nothing but a title and are
// no news.
func collapseNoise(f *store.Filing, now time.Time, old func(*store.EditedItem) bool) {
	kept := f.Edited[:0]
	for i := range f.Edited {
		if e := &f.Edited[i]; e.SameText && old(e) {
			correct(f, e, true, now)
		} else {
			kept = append(kept, *e)
		}
	}
	f.Edited = kept
}

// replaced are the entries that stand under a stored item's link, have no id and
// share neither title nor date nor text with it: another post at the one address
// that a publisher has. Where most of a document is so he rewrote all of it, and
// renamed finds them.
func (s *matching) replaced() map[int]bool {
	found := map[int]bool{}
	for i := range s.entries {
		it, k := s.entries[i].item, s.entries[i].keys
		m, known := s.known.ByKey[k.link]
		at := dateOf(it)
		if known && k.main() == k.link && m.Hash != k.body && (gone(&m) || m.Title != it.Title &&
			!at.IsZero() && !m.Published.IsZero() && at.Unix() != m.Published.Unix()) {
			found[i] = true
		}
	}
	return found
}

// Corrected are the items whose titles or authors changed without a fact.
func Corrected(filings []store.Filing, filed []store.Filed) []store.ItemID {
	var ids []store.ItemID
	for i := range filings {
		for _, c := range filings[i].Corrected {
			if filed[i].Err == nil {
				ids = append(ids, store.MakeItemID(filings[i].Feed, c.N))
			}
		}
	}
	return ids
}
