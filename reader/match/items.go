package match

import (
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	"diurna/reader/feed"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/store"
)

// storedTexts reads what a feed's stored items say, where their names do not tell
// which is which; nil reads nothing.
type storedTexts struct {
	plain func(html string, most int) string
	said  func() ([]candidate, error)
	near  func(titles map[string]bool) ([]twin, error)
}

// matching is a document's items while they are told apart: which stored item
// each is, and which stored items are taken. Each is matched by one at most.
type matching struct {
	entries []Entry
	known   *store.Matched
	match   []store.Match
	taken   map[uint32]bool
}

// matchItems sorts a document's items into new ones, edited ones and those known
// under other names.
//
// An item is known by its id. One whose id is new is known by its link or by
// title and date only if the whole fetch looks like that: a publisher who
// moves house renames all items at once (60 % of the fetch), while one that
// links every post to its front page never makes two posts the same. Where
// names and dates all changed, texts are asked for what the stored items say.
func matchItems(f *store.Filing, entries []Entry, known *store.Matched, now time.Time, texts *storedTexts) error {
	s := matching{entries: entries, known: known, match: make([]store.Match, len(entries)), taken: map[uint32]bool{}}
	// What an item without a name says, tells more than its date, which may be that
	// of another one by now.
	for i := range entries {
		s.matchByKey(i, entries[i].keys.among)
	}
	for i := range entries {
		s.matchByKey(i, entries[i].keys.said)
	}
	if texts != nil {
		if err := s.nearest(texts.near); err != nil {
			return err
		}
	}
	replaced := s.replaced()
	for i := range entries {
		if !replaced[i] {
			s.matchByKey(i, entries[i].keys.main())
		}
	}
	renamed := s.renamed()
	moved := s.bulkRename(len(renamed))
	if moved {
		for i, m := range renamed {
			s.match[i], s.taken[m.N] = m, true
		}
	} else {
		// Alone, a new id with an old link and the same title and date, or the
		// same title and text, is still the same item; one with an old link
		// alone is not.
		for i := range entries {
			k := entries[i].keys
			s.matchByKey(i, k.content)
			if m := s.known.ByKey[k.link]; k.link != 0 && m.Hash == k.body && m.Title == entries[i].item.Title {
				s.matchByKey(i, k.link)
			}
		}
	}
	unmatched, since := s.unmatched(), uint32(0)
	if len(unmatched) > 0 {
		since = s.otherVersion()
	}
	moved = moved || s.bulkRename(len(unmatched))
	if texts != nil && known.Next > 1 && len(unmatched) > 0 && (moved || since > 0 || slices.ContainsFunc(unmatched, s.nameless)) {
		stored, err := texts.said()
		if err != nil {
			return err
		}
		s.recognise(unmatched, stored, s.bulkRename(len(renamed)), since, texts.plain)
	}
	s.sort(f, now)
	return nil
}

// gone reports whether retention removed the row of a stored item, of which only its
// names and the hash of its text are known. It comes neither as new nor as edited.
func gone(m *store.Match) bool { return m.Flags&store.FlagGone != 0 }

// bulkRename reports whether n of the items are so many that the publisher changed
// them all.
func (s *matching) bulkRename(n int) bool { return n > 0 && 100*n >= bulkShare*len(s.entries) }

// nameless reports whether an Entry has neither an id nor a link that is its
// own, so that with another date it is known by nothing but what it says.
func (s *matching) nameless(i int) bool {
	k := s.entries[i].keys
	return k.main() == k.content
}

// matchByKey matches an entry with the stored item of a name.
func (s *matching) matchByKey(i int, key uint64) {
	if key == 0 || s.match[i].N != 0 {
		return
	}
	if m, ok := s.known.ByKey[key]; ok && !s.taken[m.N] {
		s.match[i], s.taken[m.N] = m, true
	}
}

// renamed finds, for entries without a match, the stored item with the same
// link or the same title and date. A link alone is believed only where three
// items or more agree: a page that is posted again every day under one address is
// not one item.
func (s *matching) renamed() map[int]store.Match {
	found := map[int]store.Match{}
	used := map[uint32]bool{}
	sure := 0
	for i := range s.entries {
		a := &s.entries[i]
		if s.match[i].N != 0 {
			continue
		}
		for _, key := range []uint64{a.keys.link, a.keys.content} {
			m, ok := s.known.ByKey[key]
			if key == 0 || !ok || s.taken[m.N] || used[m.N] {
				continue
			}
			found[i], used[m.N] = m, true
			if key == a.keys.content || m.Title == a.item.Title {
				sure++
			}
			break
		}
	}
	if len(found) < 3 && sure < len(found) {
		return nil
	}
	return found
}

// unmatched are the entries without a match.
func (s *matching) unmatched() []int {
	var all []int
	for i := range s.entries {
		if s.match[i].N == 0 {
			all = append(all, i)
		}
	}
	return all
}

// otherVersion gives the oldest of the stored items that are in the document if
// most of it is known by ids and yet has other links or dates than were stored:
// another version of the feed, with ids that were borne before. 0 if it is none.
func (s *matching) otherVersion() uint32 {
	oldest, n := uint32(0), 0
	for i := range s.entries {
		m, it := s.match[i], s.entries[i].item
		if m.N == 0 || gone(&m) {
			continue
		}
		if oldest == 0 || m.N < oldest {
			oldest = m.N
		}
		if model.Host(m.Link) != model.Host(it.Link) || pathOf(m.Link) != pathOf(it.Link) || m.Published.Unix() != dateOf(it).Unix() {
			n++
		}
	}
	if n < 3 || !s.bulkRename(n) {
		return 0
	}
	return oldest
}

// candidate is a stored item with what it says.
type candidate struct {
	store.Match
	said uint64
}

// Of what an item says so much is compared, and at least so much must be there
// for it to be told apart from others by it.
const (
	textMax = 4096
	textMin = 48
)

// textKey is a hash of what a user reads of an item, without its addresses,
// which change when a publisher moves; 0 if that is too little.
func textKey(title, html string) uint64 {
	return keyOfText(title, plain.FromHTML(html, textMax))
}

func keyOfText(title, text string) uint64 {
	text = strings.Join(strings.Fields(text), " ")
	if len(title)+len(text) < textMin {
		return 0
	}
	return model.Hash([]byte(strings.ToLower(title) + "\x00" + text))
}

// maxCandidates bounds how many stored items are looked at.
const maxCandidates = 1000

// candidates are the newest items of a feed, with what they say.
func (l library) candidates(ctx context.Context) ([]candidate, error) {
	items, err := l.newest(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]store.ItemID, len(items))
	for i := range items {
		ids[i] = items[i].ID
	}
	said := map[store.ItemID]uint64{}
	titles := map[store.ItemID]string{}
	for i := range items {
		titles[items[i].ID] = items[i].Title
	}
	slices.Sort(ids)
	if err := l.Bodies(ctx, ids, func(id store.ItemID, b store.Body) { said[id] = textKey(titles[id], b.HTML) }); err != nil {
		return nil, err
	}
	all := make([]candidate, 0, len(items))
	for i := range items {
		it := &items[i]
		all = append(all, candidate{
			Match: it.Match(),
			said:  said[it.ID],
		})
	}
	return all, nil
}

// newest are the newest items of a feed.
func (l library) newest(ctx context.Context) ([]store.Item, error) {
	rows, err := l.Rows(ctx, store.RowQuery{Which: store.All, Feed: l.feed, Limit: maxCandidates})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	ids := make([]store.ItemID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	return l.Items(ctx, ids)
}

// recognise matches unmatched entries by what they say, title and text, where as many
// stored items say so as came. Of those with a name it is believed only where so
// many are found, so or by their links before, that the publisher must have
// changed all names at once, or where the stored one is gone from the middle of
// another version of the feed, which is recognised from since on (0: it is none): a
// thread that is opened again every week in the same words is neither.
func (s *matching) recognise(unmatched []int, stored []candidate, moved bool, since uint32, toPlain func(html string, most int) string) {
	by := map[uint64][]store.Match{}
	for _, c := range stored {
		if c.said != 0 && !s.taken[c.N] {
			by[c.said] = append(by[c.said], c.Match)
		}
	}
	// Where several say the same there must be as many stored at least: then
	// which is which makes no difference, and the newest will do.
	came := map[uint64][]int{}
	for _, i := range unmatched {
		it := s.entries[i].item
		says := keyOfText(it.Title, toPlain(it.ContentHTML, textMax))
		came[says] = append(came[says], i)
	}
	found, kept := map[int]store.Match{}, map[int]bool{}
	all := recognition{dates: map[int64]bool{}}
	for says, these := range came {
		if len(these) > len(by[says]) {
			continue
		}
		all.texts++
		for j, i := range these {
			found[i], kept[i] = by[says][j], !s.allNew(i, by[says])
			all.add(s.entries[i].item, s.nameless(i) || kept[i])
		}
	}
	// By words alone a named item is believed where most are found so: one that
	// kept its date or its link's path, or all if the publisher renamed them.
	bulkRename, renaming := s.bulkRename(len(found)), all.renaming(len(s.entries))
	for i, m := range found {
		if s.nameless(i) || moved || bulkRename && (renaming || kept[i]) || since > 0 && m.N > since {
			s.match[i], s.taken[m.N] = m, true
		}
	}
	s.retitled(unmatched, stored)
	s.redated(unmatched, stored)
}

// recognition sums up what was recognised by title and text alone.
type recognition struct {
	items, old, texts int            // old: of those, how many kept their link's path or date
	dates             map[int64]bool // now
}

func (r *recognition) add(it *feed.Entry, old bool) {
	r.items++
	if old {
		r.old++
	}
	r.dates[dateOf(it).Unix()] = true
}

// renaming reports whether items of which id, link and date are all new are the
// old ones: several at once, most of which kept their dates, or have one date
// now, or differ in what they say. What else says the same under new names is
// posted in the same words again, as a call to a meeting is.
func (r *recognition) renaming(entries int) bool {
	several := r.items >= 3 || r.items == 2 && entries == 2
	return several && (2*r.old > r.items || len(r.dates) == 1 || r.texts >= 3)
}

//go:noinline // 11 places
func dateOf(it *feed.Entry) time.Time {
	if it.Published.IsZero() {
		return it.Updated // an Atom entry need not say more
	}
	return it.Published
}

// allNew reports whether an Entry shares neither the date nor the path of its
// link with any of the stored items that say the same. One without a date of its
// own is not said to be new.
func (s *matching) allNew(i int, same []store.Match) bool {
	it := s.entries[i].item
	at, path := dateOf(it), pathOf(it.Link)
	if at.IsZero() {
		return false
	}
	for _, m := range same {
		if m.Published.Unix() == at.Unix() || path != "" && path == pathOf(m.Link) {
			return false
		}
	}
	return true
}

// pathOf is an address without what changes when a publisher moves, signs or
// counts: scheme, host and query; "" for a front page, which tells nothing.
func pathOf(link string) string {
	if _, after, ok := strings.Cut(link, "://"); ok {
		link = after
	}
	if i := strings.IndexAny(link, "?#"); i >= 0 {
		link = link[:i]
	}
	_, path, _ := strings.Cut(link, "/")
	return strings.TrimRight(path, "/")
}

// redated matches unmatched entries that have no name and say too little to be known by
// it, by their titles, where most of the document's items come so: a publisher
// who gives such a list new dates with every fetch. One title, or several times the
// same, may be a new post in old words.
func (s *matching) redated(unmatched []int, stored []candidate) {
	type brief struct {
		title string
		body  uint64
	}
	by, came := map[brief][]store.Match{}, map[brief][]int{}
	for _, c := range stored {
		if c.said == 0 && !s.taken[c.N] {
			b := brief{strings.ToLower(c.Title), c.Hash}
			by[b] = append(by[b], c.Match)
		}
	}
	for _, i := range unmatched {
		it := s.entries[i].item
		if s.match[i].N == 0 && s.nameless(i) && textKey(it.Title, it.ContentHTML) == 0 {
			b := brief{strings.ToLower(it.Title), s.entries[i].keys.body}
			came[b] = append(came[b], i)
		}
	}
	n, titles := 0, 0
	for b, these := range came {
		if len(these) > len(by[b]) {
			delete(came, b)
			continue
		}
		n += len(these)
		titles++
	}
	if titles < 2 || !s.bulkRename(n) {
		return
	}
	for b, these := range came {
		for j, i := range these {
			s.match[i], s.taken[by[b][j].N] = by[b][j], true
		}
	}
}

// sort files each Entry as new, edited or renamed.
func (s *matching) sort(f *store.Filing, now time.Time) {
	for i := range s.entries {
		a := &s.entries[i]
		m := s.match[i]
		if m.N != 0 {
			f.Present = append(f.Present, m.N)
		}
		if m.N == 0 {
			n := newItem(a, now)
			if a.keys.main() == a.keys.link { // of several posts under one link it is the last one's
				n.Takes = a.keys.link
			}
			f.New = append(f.New, n)
			continue
		}
		if fresh := a.keys.missing(s.known.ByKey); len(fresh) > 0 {
			f.Rekey = append(f.Rekey, store.Rekey{N: m.N, Keys: fresh, PreviouslyUsed: a.keys.appendTo(nil)})
		}
		if !gone(&m) {
			s.edit(f, i, now)
		}
	}
	// Older items get the smaller numbers, so that ids read in order of Entry.
	sort.SliceStable(f.New, func(i, j int) bool { return f.New[i].Published.Before(f.New[j].Published) })
}
