package trends

import (
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	"diurna/reader/plain"
	"diurna/reader/stories"
	"diurna/reader/words"
	"diurna/store"
)

// resolve gives candidates their items and words, and makes one of those that are in the same
// items.
func (k *Keeper) resolve(ctx context.Context, days []*day, found *[3][]candidate) error {
	items(days, found)
	if err := k.forms(ctx, found); err != nil {
		return err
	}
	for kind := range found {
		found[kind] = slices.DeleteFunc(merge(found[kind]), func(c candidate) bool { return !c.say() })
	}
	return nil
}

// say puts a word in the place of a number in Han characters; false: there is none. Pairs
// of its characters are no numbers by themselves: 十二 may begin 十二号线.
func (c *candidate) say() bool {
	for strings.Trim(c.What, stories.HanDigits) == "" {
		if len(c.Also) == 0 {
			return false
		}
		c.What, c.Also = c.Also[0], c.Also[1:]
	}
	return true
}

// items finds the items of candidates.
func items(days []*day, found *[3][]candidate) {
	at := map[uint64]*candidate{}
	var hashes []uint64
	for kind := range found {
		for i := range found[kind] {
			c := &found[kind][i]
			at[c.hash] = c
			hashes = append(hashes, c.hash)
		}
	}
	slices.Sort(hashes)
	when := map[store.ItemID]int64{}
	for _, d := range runs(days) {
		if !d.front {
			continue
		}
		for _, hash := range hashes {
			if !d.seek(hash) {
				continue
			}
			c := at[hash]
			d.each(len(d.docs), func(i int) {
				if d.spots[i].late {
					c.Newest = append(c.Newest, d.docs[i].item)
					when[d.docs[i].item] = d.docs[i].at
				}
			})
		}
	}
	for _, hash := range hashes {
		c := at[hash]
		sort.Slice(c.Newest, func(i, j int) bool {
			a, b := c.Newest[i], c.Newest[j]
			x, y := when[a], when[b]
			return x > y || x == y && a < b
		})
		if n := len(c.Newest); n > 0 {
			c.First = c.Newest[n-1]
			c.FirstAt = time.Unix(when[c.First], 0)
		}
		c.Newest = c.Newest[:min(len(c.Newest), maxNewest)]
	}
}

// formsFrom is from how many items the way a term is written is taken.
const formsFrom = 4

// forms finds out how candidates are written.
func (k *Keeper) forms(ctx context.Context, found *[3][]candidate) error {
	want := map[store.ItemID][]*candidate{}
	var ids []store.ItemID
	for kind := range found {
		for i := range found[kind] {
			c := &found[kind][i]
			for _, id := range c.Newest[:min(len(c.Newest), formsFrom)] {
				if want[id] == nil {
					ids = append(ids, id)
				}
				want[id] = append(want[id], c)
			}
		}
	}
	slices.Sort(ids)
	written := map[uint64]map[string]int{}
	for group := range slices.Chunk(ids, readGroup) {
		docs, err := readItems(ctx, k.lib, group)
		if err != nil {
			return err
		}
		for i, id := range group {
			seen := map[uint64]bool{}
			docs[i].terms(func(hash uint64, form string) {
				if seen[hash] {
					return
				}
				for _, c := range want[id] {
					if c.hash == hash {
						seen[hash] = true
						if written[hash] == nil {
							written[hash] = map[string]int{}
						}
						written[hash][form]++
					}
				}
			})
		}
	}
	for kind := range found {
		found[kind] = slices.DeleteFunc(found[kind], func(c candidate) bool { return len(written[c.hash]) == 0 })
		for i := range found[kind] {
			c := &found[kind][i]
			c.What = maxWritten(written[c.hash])
			if c.Kind == Link {
				c.What = plain.Redact(c.What)
			} else {
				c.What = plain.Line(c.What, 300)
			}
		}
	}
	return nil
}

// maxWritten is the form that most items have; of two the one in small letters, which
// stand behind the large ones.
func maxWritten(forms map[string]int) string {
	out, n := "", 0
	for form, m := range forms {
		if m > n || m == n && form > out {
			out, n = form, m
		}
	}
	return out
}

// maxAlso is how many words are named beside a trend.
const maxAlso = 3

// merge makes one of candidates that are mostly in the same items: the phrase where one of
// them is in the other, and the pairs of a word without spaces.
func merge(list []candidate) []candidate {
	var out []candidate
next:
	for i := range list {
		c := &list[i]
		for j := range out {
			o := &out[j]
			part := o.holds(c) || c.holds(o)
			if overlap(o.Newest, c.Newest, part) < .6 {
				continue
			}
			switch {
			case o.holds(c):
			case c.holds(o): // the phrase says more
				c.Also, c.Score, o.Also = o.Also, o.Score, nil
				*o = *c
			case chained(o.What, c.What) != "":
				o.What = chained(o.What, c.What)
			case len(o.Also) < maxAlso && c.Kind != Link:
				o.Also = append(o.Also, c.What)
			}
			continue next
		}
		out = append(out, *c)
	}
	return out
}

// holds reports whether the words of o are in those of c.
func (c *candidate) holds(o *candidate) bool {
	return c.Kind != Link && words.PhraseOf(o.What, false).In(c.What)
}

// overlap is how much of two sets of items is shared (Sia 2009, Eq. 5.4), or where one term is
// part of the other, how much of the larger set.
func overlap(a, b []store.ItemID, part bool) float64 {
	in := make(map[store.ItemID]bool, len(a))
	for _, id := range a {
		in[id] = true
	}
	both := 0
	for _, id := range b {
		if in[id] {
			both++
		}
	}
	all := len(a) + len(b) - both
	if part {
		all = max(len(a), len(b))
	}
	return float64(both) / float64(max(all, 1))
}

// chained joins two pairs of characters of one word: the end of one is the beginning of
// the other; "" if they are none.
func chained(a, b string) string {
	for _, p := range [][2]string{{a, b}, {b, a}} {
		r, s := []rune(p[0]), []rune(p[1])
		if len(r) < 2 || len(s) < 2 || r[len(r)-1] != s[0] || strings.ContainsAny(a+b, " -") || r[0] < 0x2E80 || s[0] < 0x2E80 {
			continue
		}
		return p[0] + string(s[1:])
	}
	return ""
}
