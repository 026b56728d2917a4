package match

import (
	"context"
	"encoding/binary"
	"slices"
	"sort"
	"strings"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/store"
)

// Twins are items of one document that share id, link, title and date, so that
// nothing but their texts tells them apart. Across fetches each belongs to the
// stored item that its text is nearest to: an edited text is an edit and no new
// item. This file holds how that is found.

// How much of the words of two texts must be the same for the one to be an edit of
// the other: 2 * common / all (the Dice coefficient). Texts that have nothing to do
// with each other share function words, up to about a fifth.
const nearEnough = 0.3

// twinKey is the name of one of several twins: what they share and its own text.
func twinKey(content, body uint64) uint64 { return derivedKey("twin", content, body) }

// twinsKey is the name under which one of them stands for all, by which an item that
// comes alone is known to have had twins.
func twinsKey(content uint64) uint64 { return derivedKey("twins", content) }

func derivedKey(kind string, parts ...uint64) uint64 {
	b := []byte(kind)
	for _, p := range parts {
		b = binary.LittleEndian.AppendUint64(b, p)
	}
	return model.Hash(b)
}

// nameTwins gives the entries that only their texts tell apart names of their own,
// and the others the name that they would have had as a twin.
func nameTwins(all []Entry) {
	groups := map[uint64][]int{}
	for i := range all {
		k := &all[i].keys
		if k.id != 0 || k.content == 0 {
			continue
		}
		k.twins, k.among = twinsKey(k.content), twinKey(k.content, k.body)
		if k.link == 0 {
			groups[k.content] = append(groups[k.content], i)
		}
	}
	for _, these := range groups {
		bodies := map[uint64]bool{}
		for _, i := range these {
			bodies[all[i].keys.body] = true
		}
		for n, i := range these {
			if k := &all[i].keys; len(bodies) > 1 {
				k.content, k.first = k.among, n == 0
			}
		}
	}
}

// twin is a stored item as a candidate for one of several.
type twin struct {
	candidate
	words []string // sorted
}

// sortedWords are the words of a text, sorted.
func sortedWords(html string) []string {
	words := strings.Fields(strings.ToLower(plain.FromHTML(html, textMax)))
	slices.Sort(words)
	return words
}

// likeness is the Dice coefficient of two sorted lists of words, 0 to 1; two empty
// ones are alike.
func likeness(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := strings.Compare(a[i], b[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}

// twinsLeft are the entries without a match that have twins in the document or had
// some before, by their titles.
func (s *matching) twinsLeft() (left []int, titles map[string]bool) {
	titles = map[string]bool{}
	for i := range s.entries {
		k := s.entries[i].keys
		if s.match[i].N != 0 || k.twins == 0 {
			continue
		}
		if _, had := s.known.ByKey[k.twins]; had || k.content == k.among {
			left = append(left, i)
			titles[s.entries[i].item.Title] = true
		}
	}
	return left, titles
}

// nearest matches twins with the stored items that share their title, link and date,
// the likest pair first.
func (s *matching) nearest(stored func(titles map[string]bool) ([]twin, error)) error {
	left, titles := s.twinsLeft()
	if len(left) == 0 || stored == nil || s.known.Next <= 1 {
		return nil
	}
	twins, err := stored(titles)
	if err != nil {
		return err
	}
	type pair struct {
		i    int
		m    store.Match
		like float64
	}
	var pairs []pair
	for _, i := range left {
		it := s.entries[i].item
		words := sortedWords(it.ContentHTML)
		for _, t := range twins {
			if s.taken[t.N] || t.Title != it.Title || model.Host(t.Link) != model.Host(it.Link) || pathOf(t.Link) != pathOf(it.Link) ||
				dateOf(it).Unix() != t.Published.Unix() {
				continue
			}
			if like := likeness(words, t.words); like >= nearEnough {
				pairs = append(pairs, pair{i, t.Match, like})
			}
		}
	}
	sort.SliceStable(pairs, func(a, b int) bool { return pairs[a].like > pairs[b].like })
	for _, p := range pairs {
		if s.match[p.i].N == 0 && !s.taken[p.m.N] {
			s.match[p.i], s.taken[p.m.N] = p.m, true
		}
	}
	return nil
}

// twins are the newest items of a feed that bear one of the titles, with their words.
func (l library) twins(ctx context.Context, titles map[string]bool) ([]twin, error) {
	items, err := l.newest(ctx)
	if err != nil {
		return nil, err
	}
	items = slices.DeleteFunc(items, func(it store.Item) bool { return !titles[it.Title] })
	ids := make([]store.ItemID, len(items))
	for i := range items {
		ids[i] = items[i].ID
	}
	slices.Sort(ids)
	words := map[store.ItemID][]string{}
	if err := l.Bodies(ctx, ids, func(id store.ItemID, b store.Body) { words[id] = sortedWords(b.HTML) }); err != nil {
		return nil, err
	}
	all := make([]twin, len(items))
	for i := range items {
		all[i] = twin{candidate{Match: items[i].Match()}, words[items[i].ID]}
	}
	return all, nil
}
