package match

import (
	"strconv"
	"strings"

	"diurna/reader/feed"
	"diurna/store"
)

// identity holds the names an item may be known by, as 64-bit hashes within
// its feed; 0 means that it has no such name.
type identity struct {
	id      uint64 // the publisher's id, byte for byte
	link    uint64 // the link
	content uint64 // title, date and enclosures
	said    uint64 // title and text, for an item that has neither id nor link of its own
	body    uint64 // what it says; no name, but tells an edit
	twins   uint64 // of all items of this title and date without other names
	among   uint64 // its own among them; of one that has twins now it is also content
	first   bool   // of its twins it is the one under whose names twins stands
}

// main is the best name of an item: its id, else its link, else its content.
func (k identity) main() uint64 {
	switch {
	case k.id != 0:
		return k.id
	case k.link != 0:
		return k.link
	}
	return k.content
}

func (k identity) appendTo(keys []uint64) []uint64 {
	for _, key := range []uint64{k.id, k.link, k.content, k.said} {
		if key != 0 {
			keys = append(keys, key)
		}
	}
	if k.first {
		keys = append(keys, k.twins)
	}
	return keys
}

// lookups appends the names that tell which stored item this one may be.
func (k identity) lookups(keys []uint64) []uint64 {
	keys = k.appendTo(keys)
	if k.twins != 0 {
		keys = append(keys, k.twins, k.among)
	}
	return keys
}

// missing returns the names under which the library does not know the item yet.
// Title and date are no name worth keeping for one that has a better: a feed
// that gives its items new dates with every fetch would never stop giving them names. An
// item that has no other needs the newest, or an edit would make it another one;
// the store bounds how many there are.
func (k identity) missing(known map[uint64]store.Match) []uint64 {
	if k.main() != k.content {
		k.content = 0
	}
	var fresh []uint64
	for _, key := range k.appendTo(nil) {
		if _, ok := known[key]; !ok {
			fresh = append(fresh, key)
		}
	}
	return fresh
}

// Entries lists a document's items with their names, last first, which is the
// order in which publishers write them. Within one document an id that stands
// on several different items names none of them, and a link that several
// items share names none either: they are told apart by what is left. shared
// are the ids of this feed that were seen to repeat before: they never count
// again, or an item that comes alone would be taken for the last that bore its
// id.
func Entries(doc *feed.Document, shared SharedIDs) []Entry {
	items := make([]*feed.Entry, len(doc.Items))
	for i := range items {
		items[i] = &doc.Items[len(doc.Items)-1-i]
	}
	return Of(items, shared)
}

// Of is Entries of items that are in the order in which they are listed.
func Of(items []*feed.Entry, shared SharedIDs) []Entry {
	all := make([]Entry, len(items))
	ids, links := make(map[uint64]int, len(items)), make(map[uint64]int, len(items))
	for i, it := range items {
		known := it.Identity()
		levels := known.Keys()
		k := identity{id: levels[0], link: levels[1], content: levels[2], body: known.Body}
		ids[k.id]++
		links[k.link]++
		all[i] = Entry{item: it, keys: k}
	}
	named := all[:0]
	seen, says := make(map[uint64]bool, len(items)), map[uint64]int{}
	for i := range all {
		if k := &all[i].keys; (k.id == 0 || ids[k.id] > 1 || shared.has(k.id)) && (k.link == 0 || links[k.link] > 1) {
			k.said = textKey(all[i].item.Title, all[i].item.ContentHTML)
			says[k.said]++
		}
	}
	for _, a := range all {
		if says[a.keys.said] > 1 { // which is which, their dates must tell
			a.keys.said = 0
		}
		if ids[a.keys.id] > 1 || shared.has(a.keys.id) {
			a.keys.id = 0
		}
		if links[a.keys.link] > 1 {
			a.keys.link = 0
		}
		named = append(named, a)
	}
	nameTwins(named)
	unique := named[:0]
	for _, a := range named {
		if m := a.keys.main(); m == 0 || !seen[m] {
			seen[m] = true
			unique = append(unique, a)
		}
	}
	return unique
}

// SharedIDs are ids that different items of a feed bear, as hexadecimal hashes
// between commas, or "all" where they are too many to list.
type SharedIDs string

// maxShared is how many ids are listed: a feed with more gives all its items
// one of a few.
const maxShared = 64

func (s SharedIDs) has(key uint64) bool {
	return s != "" && (s == "all" || strings.Contains(string(s), ","+strconv.FormatUint(key, 16)+","))
}

// With adds the ids that repeat in a document.
func (s SharedIDs) With(doc *feed.Document) SharedIDs {
	for i := range doc.Items {
		it := &doc.Items[i]
		if it.IDRaw == "" || it.IdentityLevel == 0 {
			continue
		}
		key := it.Identity().Keys()[0]
		switch {
		case s.has(key):
		case strings.Count(string(s), ",") > maxShared:
			return "all"
		case s == "":
			s = SharedIDs("," + strconv.FormatUint(key, 16) + ",")
		default:
			s += SharedIDs(strconv.FormatUint(key, 16) + ",")
		}
	}
	return s
}
