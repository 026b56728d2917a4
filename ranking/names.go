package ranking

import (
	"maps"
	"math"
	"slices"
	"sort"
)

// name is a feature as a user knows it.
type name struct {
	of   Subject
	text string
}

// names number the features. Numbers only grow, so that vectors and checkpoints
// stay true.
type names struct {
	list   []name
	byName [Author + 1]map[string]int32
	folder []int32 // of a feed; -1: none
}

func newNames() names {
	var n names
	for i := range n.byName {
		n.byName[i] = map[string]int32{}
	}
	return n
}

// clone is for a fold beside the real one: feedback may bring new names.
func (n *names) clone() names {
	c := names{list: slices.Clone(n.list), folder: slices.Clone(n.folder)}
	for i := range c.byName {
		c.byName[i] = maps.Clone(n.byName[i])
	}
	return c
}

func (n *names) id(of Subject, text string) int32 {
	if id, ok := n.byName[of][text]; ok {
		return id
	}
	id := int32(len(n.list))
	n.list = append(n.list, name{of, text})
	n.folder = append(n.folder, -1)
	n.byName[of][text] = id
	return id
}

// find is id without learning a new name; -1: unknown.
func (n *names) find(of Subject, text string) int32 {
	if int(of) < len(n.byName) {
		if id, ok := n.byName[of][text]; ok {
			return id
		}
	}
	return -1
}

// sorted are the numbers of a subject's names, by name.
func (n *names) sorted(of Subject) []int32 {
	ids := make([]int32, 0, len(n.byName[of]))
	for _, id := range n.byName[of] {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return n.list[ids[i]].text < n.list[ids[j]].text })
	return ids
}

// Vector turns an item into numbers, learning new names. The folder given last
// for a feed is the feed's folder.
func (b *Beliefs) Vector(it Item) Vector {
	n := &b.names
	v := Vector{made: true, feed: n.id(Feed, it.Feed), folder: -1, author: -1}
	if it.Folder != "" {
		v.folder = n.id(Folder, it.Folder)
	}
	n.folder[v.feed] = v.folder
	if it.Author != "" {
		v.author = n.id(Author, it.Author)
	}
	v.ids = append(make([]int32, 0, 1+len(it.Categories)+len(it.Topics)+len(it.Words)), v.feed)
	for _, text := range it.Categories {
		v.add(n.id(Category, text))
	}
	v.cats = int32(len(v.ids) - 1)
	for _, t := range it.Topics {
		if t.Weight > TopicFloor && !math.IsInf(t.Weight, 0) && v.add(n.id(Topic, t.Name)) {
			v.soft = append(v.soft, min(t.Weight, 1))
		}
	}
	v.topics = int32(len(v.soft))
	for _, text := range it.Words {
		v.add(n.id(Word, text))
	}
	v.bound()
	return v
}

// add takes in a feature once: a category given twice is one opinion.
func (v *Vector) add(id int32) bool {
	if slices.Contains(v.ids, id) {
		return false
	}
	v.ids = append(v.ids, id)
	return true
}

func (v *Vector) bound() { v.largest = max(v.author, slices.Max(v.ids)) }

// categories, learned and words are the parts of ids.
func (v *Vector) categories() []int32 { return v.ids[1 : 1+v.cats] }
func (v *Vector) learned() []int32    { return v.ids[1+v.cats : 1+v.cats+v.topics] }
func (v *Vector) words() []int32      { return v.ids[1+v.cats+v.topics:] }

// share is how much of the item is feature i's of ids: all, but for topics.
func (v *Vector) share(i int) float64 {
	if i -= int(1 + v.cats); i >= 0 && i < len(v.soft) {
		return v.soft[i]
	}
	return 1
}

// wordWeight is c of a title's words: a long title must not outshout its feed.
func (v *Vector) wordWeight() float64 {
	if n := len(v.words()); n > 4 {
		return math.Sqrt(4 / float64(n))
	}
	return 1
}

// categoryWeight is c of k publisher categories.
func (v *Vector) categoryWeight() float64 { return 1 / math.Sqrt(float64(max(v.cats, 1))) }

var subjects = [...]string{"", "feed", "folder", "category", "topic", "word", "author"}

// String is the word of the evidence table: "feed", "category", …
func (s Subject) String() string {
	if int(s) >= len(subjects) {
		return ""
	}
	return subjects[s]
}
