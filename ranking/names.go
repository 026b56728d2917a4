package ranking

import "math"

// name is a feature as a person knows it.
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

// weighted is a learned topic of a vector.
type weighted struct {
	id int32
	c  float64
}

func newNames() names {
	var n names
	for i := range n.byName {
		n.byName[i] = map[string]int32{}
	}
	return n
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

func (b *Beliefs) vector(it Item) Vector {
	n := &b.names
	v := Vector{made: true, feed: n.id(Feed, it.Feed), folder: -1, author: -1}
	if it.Folder != "" {
		v.folder = n.id(Folder, it.Folder)
	}
	n.folder[v.feed] = v.folder
	if it.Author != "" {
		v.author = n.id(Author, it.Author)
	}
	v.cats = n.ids(Category, it.Categories)
	v.words = n.ids(Word, it.Words)
	for _, t := range it.Topics {
		if t.Weight > TopicFloor && !math.IsInf(t.Weight, 0) {
			v.topics = append(v.topics, weighted{n.id(Topic, t.Name), min(t.Weight, 1)})
		}
	}
	return v
}

// ids numbers a list of names, each once: a category given twice is one opinion.
func (n *names) ids(of Subject, list []string) []int32 {
	if len(list) == 0 {
		return nil
	}
	out := make([]int32, 0, len(list))
next:
	for _, text := range list {
		id := n.id(of, text)
		for _, had := range out {
			if had == id {
				continue next
			}
		}
		out = append(out, id)
	}
	return out
}

// wordWeight is c of a title's words: a long title must not outshout its feed.
func (v *Vector) wordWeight() float64 {
	if len(v.words) > 4 {
		return math.Sqrt(4 / float64(len(v.words)))
	}
	return 1
}

// categoryWeight is c of k publisher categories.
func (v *Vector) categoryWeight() float64 { return 1 / math.Sqrt(float64(max(len(v.cats), 1))) }

var subjects = [...]string{"", "feed", "folder", "category", "topic", "word", "author"}

func subjectName(s Subject) string {
	if int(s) >= len(subjects) {
		return ""
	}
	return subjects[s]
}
