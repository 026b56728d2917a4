package stories

import (
	"cmp"
	"slices"
	"sort"

	"diurna/ranking/topics"
	"diurna/store"
)

// Grouper takes items in the order in which they came, and says after each which stories
// there are. An item joins the story that it is most like, or stays alone until a later one
// joins it: what is known of an item never hangs on how many were given at once.
//
// What it knows lies in shards, which are read when they are needed: the sketches of each
// day, and the canonical addresses in 256 parts.
type Grouper struct {
	read    func(key string) ([]byte, error) // nil for a shard that is not there
	cutter  *topics.Cutter
	counts  counts
	days    map[int64]*day
	links   map[byte]*linkPart
	stories map[uint32][]member
	of      map[store.ItemID]uint32
	next    uint32
	changed bool
	err     error

	rare   []weighed // of nearest, to be used again
	sums   []float64
	shared []int32
	found  []near
}

// member is an item of a story.
type member struct {
	id   store.ItemID
	at   int64
	link uint64 // of the canonical address, 0 where it alone has it
}

const daySeconds = 24 * 60 * 60

// dayOf is the day since 1970 that a time lies in.
func dayOf(at int64) int64 {
	d := at / daySeconds
	if at%daySeconds < 0 {
		d--
	}
	return d
}

// day are the items of a day and an index of their words.
type day struct {
	items   []*sketch
	first   newest
	post    []posting
	changed bool
}

// posting says that a word stands in an item, and the number of the posting of the word before.
type posting struct{ item, before int32 }

func (d *day) index(i int) {
	s := d.items[i]
	for _, t := range s.terms {
		d.enter(t, i)
	}
	if s.title != 0 {
		d.enter(s.title, i)
	}
}

func (d *day) enter(term uint32, item int) {
	at := d.first.of(term)
	d.post = append(d.post, posting{int32(item), at.post})
	at.post = int32(len(d.post))
}

// newest has the newest posting of each word: a table of hashes, twice as large as needed.
type newest struct {
	slots []slot
	words int
}

// slot has a word and the number of its posting, from 1 on; 0: there is none.
type slot struct {
	term uint32
	post int32
}

// of is the slot of a word.
func (n *newest) of(term uint32) *slot {
	if 2*n.words >= len(n.slots) {
		was := n.slots
		n.slots = make([]slot, max(2*len(was), 1<<10))
		for _, s := range was {
			if s.post != 0 {
				*n.find(s.term) = s
			}
		}
	}
	s := n.find(term)
	if s.post == 0 {
		s.term = term
		n.words++
	}
	return s
}

// find is the slot where a word is, or where it would go.
func (n *newest) find(term uint32) *slot {
	for i := int(term); ; i++ {
		if s := &n.slots[i&(len(n.slots)-1)]; s.post == 0 || s.term == term {
			return s
		}
	}
}

// get is the newest posting of a word, 0 without one.
func (n *newest) get(term uint32) int32 {
	if n.words == 0 {
		return 0
	}
	return n.find(term).post
}

// linkPart has the canonical addresses of items in one of 256 parts.
type linkPart struct {
	of      map[uint64][]member
	changed bool
}

// NewGrouper goes on from the shards that read reads.
func NewGrouper(read func(key string) ([]byte, error)) (*Grouper, error) {
	g := &Grouper{read: read, cutter: topics.NewCutter(), counts: newCounts(), days: map[int64]*day{}, links: map[byte]*linkPart{}, stories: map[uint32][]member{}, of: map[store.ItemID]uint32{}, next: 1}
	b, err := read(countsKey)
	if err == nil && b != nil {
		err = g.counts.decode(b)
	}
	if err == nil {
		b, err = read(storiesKey)
	}
	if err == nil && b != nil {
		g.stories, g.next, err = decodeStories(b)
	}
	for no, list := range g.stories {
		for _, m := range list {
			g.of[m.id] = no
		}
	}
	return g, err
}

// Add takes in an item that came. Known tells that it may be here already and was edited.
func (g *Grouper) Add(it *Item, known bool) error {
	if it.Old {
		if !known {
			g.changed = true
			g.byLink(&sketch{id: it.ID, at: it.At, link: linkOf(it.Link)})
		}
		return g.err
	}
	s := newSketch(it, g.cutter)
	d := g.day(dayOf(it.At))
	if known {
		i := slices.IndexFunc(d.items, func(s *sketch) bool { return s.id == it.ID })
		if i < 0 {
			return g.err // its date was another: it stays as it was
		}
		g.leave(it.ID)
		g.unlink(d.items[i])
		d.items[i] = s
		d.first, d.post = newest{}, nil
		for i := range d.items {
			d.index(i)
		}
	} else {
		g.counts.add(s)
		d.items = append(d.items, s)
		d.index(len(d.items) - 1)
	}
	d.changed, g.changed = true, true
	if !g.byLink(s) {
		g.byText(s)
	}
	return g.err
}

func (g *Grouper) day(no int64) *day {
	d := g.days[no]
	if d != nil {
		return d
	}
	d = &day{}
	g.days[no] = d
	b, err := g.read(dayKey(no))
	if err == nil && b != nil {
		d.items, err = decodeDay(b)
	}
	if err != nil {
		g.err = cmp.Or(g.err, err)
		return d
	}
	for i := range d.items {
		d.index(i)
	}
	return d
}

func (g *Grouper) linksOf(link uint64) *linkPart {
	part := byte(link)
	l := g.links[part]
	if l != nil {
		return l
	}
	l = &linkPart{of: map[uint64][]member{}}
	g.links[part] = l
	b, err := g.read(linkKey(part))
	if err == nil && b != nil {
		l.of, err = decodeLinks(b)
	}
	if err != nil {
		g.err = cmp.Or(g.err, err)
	}
	return l
}

// sketch finds the sketch of an item, nil where it is not there.
func (g *Grouper) sketch(m member) *sketch {
	d := g.day(dayOf(m.at))
	for _, s := range d.items {
		if s.id == m.id {
			return s
		}
	}
	return nil
}

// unlink forgets the canonical address of an item.
func (g *Grouper) unlink(s *sketch) {
	if s.link == 0 {
		return
	}
	l := g.linksOf(s.link)
	l.changed = true
	l.of[s.link] = slices.DeleteFunc(l.of[s.link], func(m member) bool { return m.id == s.id })
	if len(l.of[s.link]) == 0 {
		delete(l.of, s.link)
	}
}

// leave takes an item out of its story.
func (g *Grouper) leave(id store.ItemID) {
	no, ok := g.of[id]
	if !ok {
		return
	}
	delete(g.of, id)
	rest := slices.DeleteFunc(g.stories[no], func(m member) bool { return m.id == id })
	g.stories[no] = rest
	if len(rest) == 1 {
		delete(g.of, rest[0].id)
		delete(g.stories, no)
	}
}

// join puts an item into a story.
func (g *Grouper) join(no uint32, m member) {
	g.stories[no] = append(g.stories[no], m)
	g.of[m.id] = no
}

// begin begins a story with an item.
func (g *Grouper) begin(m member) uint32 {
	no := g.next
	g.next++
	g.join(no, m)
	return no
}

// maxAtLink bounds the items that are compared at one address: one of more is no story's.
const maxAtLink = 64

// byLink puts an item to those that have its canonical address; false where it has none of
// its own, or is alone there. An address that a feed has for two of its items is not that
// of one story.
func (g *Grouper) byLink(s *sketch) bool {
	if s.link == 0 {
		return false
	}
	l := g.linksOf(s.link)
	all := l.of[s.link]
	if len(all) > maxAtLink {
		return false
	}
	l.changed = true
	me := member{s.id, s.at, s.link}
	twice := slices.ContainsFunc(all, func(m member) bool { return m.id.Feed() == s.feed() })
	before := repeats(all)
	l.of[s.link] = append(all, me)
	switch {
	case before:
		return false
	case twice:
		for _, m := range all {
			if _, ok := g.of[m.id]; !ok {
				continue
			}
			g.leave(m.id)
			if was := g.sketch(m); was != nil {
				g.byText(was)
			}
		}
		return false
	}
	for _, m := range all {
		if !g.clashes(s, m) && g.beside(s, m) {
			return true
		}
	}
	return false
}

// repeats reports whether a feed has two of some items.
func repeats(all []member) bool {
	seen := make(map[store.FeedID]bool, len(all))
	for _, m := range all {
		if seen[m.id.Feed()] {
			return true
		}
		seen[m.id.Feed()] = true
	}
	return false
}

// clashes reports whether an item at the same address is another story: a page that is
// written again for each version.
func (g *Grouper) clashes(s *sketch, m member) bool {
	if s.at-m.at <= window && m.at-s.at <= window {
		return false
	}
	was := g.sketch(m)
	return was != nil && lacks(s.numbers, was.numbers) > 0 && lacks(was.numbers, s.numbers) > 0
}

// beside puts an item into the story of another one at its address; false where an item at
// the address there is another story.
func (g *Grouper) beside(s *sketch, m member) bool {
	me := member{s.id, s.at, s.link}
	no, ok := g.of[m.id]
	if !ok {
		g.join(g.begin(m), me)
		return true
	}
	var twins []member
	other := false
	for _, was := range g.stories[no] {
		if was.link == me.link {
			if g.clashes(s, was) {
				return false
			}
			twins = append(twins, was)
		} else if was.id.Feed() == me.id.Feed() {
			other = true
		}
	}
	if other { // the feed of the item has another one there, by its words: the address is surer
		for _, t := range twins {
			g.leave(t.id)
		}
		no = g.begin(twins[0])
		for _, t := range twins[1:] {
			g.join(no, t)
		}
	}
	g.join(no, me)
	return true
}

// candidates are how many items are compared in full: those with most rare words in common.
const candidates = 8

// near is an item that may tell the story of another.
type near struct {
	s      *sketch
	weight float64
}

// maxRare are the words of an item by which others are looked for.
const maxRare = 16

// weighed is a word with what it counts.
type weighed struct {
	term   uint32
	weight float64
}

// rarest puts a word to the maxRare with the highest weights, in order.
func rarest(list []weighed, w weighed) []weighed {
	at := len(list)
	for at > 0 && w.before(list[at-1]) {
		at--
	}
	if at == maxRare {
		return list
	}
	if len(list) < maxRare {
		list = append(list, w)
	}
	copy(list[at+1:], list[at:])
	list[at] = w
	return list
}

func (w weighed) before(v weighed) bool {
	return w.weight > v.weight || w.weight == v.weight && w.term < v.term
}

// worthwhile is the share of an item's own weight that others need in common with it.
const worthwhile = .2

// titleWeight puts the items with the title of one before all others.
const titleWeight = 1e6

// nearest are the items within the window that have three of the rarest words of one, or its
// title.
func (g *Grouper) nearest(s *sketch) []near {
	rare, found, self := g.rare[:0], g.found[:0], 0.
	for i, t := range s.terms {
		if w := g.counts.weight(t); !g.counts.frequent(t) {
			rare = rarest(rare, weighed{t, w * w * s.gain(i)})
		}
	}
	for _, t := range rare {
		self += t.weight
	}
	if s.title != 0 {
		rare = append(rare, weighed{s.title, titleWeight})
	}
	for no := dayOf(s.at - window); no <= dayOf(s.at+window); no++ {
		d := g.day(no)
		if len(g.sums) < len(d.items) {
			g.sums, g.shared = make([]float64, 2*len(d.items)), make([]int32, 2*len(d.items))
		}
		sums, shared := g.sums[:len(d.items)], g.shared[:len(d.items)]
		clear(sums)
		clear(shared)
		for _, t := range rare {
			for at := d.first.get(t.term); at > 0; at = d.post[at-1].before {
				p := d.post[at-1].item
				sums[p] += t.weight
				shared[p]++
			}
		}
		for i, w := range sums {
			if o := d.items[i]; (shared[i] > 2 && w >= self*worthwhile || w >= titleWeight) && o.feed() != s.feed() {
				found = append(found, near{o, w})
			}
		}
	}
	g.rare, g.found = rare, found
	sort.Slice(found, func(i, j int) bool {
		a, b := &found[i], &found[j]
		return a.weight > b.weight || a.weight == b.weight && a.s.id < b.s.id
	})
	return found[:min(len(found), candidates)]
}

// byText puts an item to the story that it is most like, if there is one.
func (g *Grouper) byText(s *sketch) {
	best, to := 0., near{}
	for _, n := range g.nearest(s) {
		v := g.counts.alike(s, n.s)
		if v < linkAt || v <= best {
			continue
		}
		if no, ok := g.of[n.s.id]; !ok || g.fits(no, s) {
			best, to = v, n
		}
	}
	if to.s == nil {
		return
	}
	no, ok := g.of[to.s.id]
	if !ok {
		no = g.begin(member{to.s.id, to.s.at, to.s.link})
	}
	g.join(no, member{s.id, s.at, s.link})
}

// fits reports whether an item may join a story: it is like its items on the average, and
// tells of no other number or name than one of them. Of items at one address the one that
// it is most like stands for all.
func (g *Grouper) fits(no uint32, s *sketch) bool {
	sum, n := 0., 0
	for i, m := range g.stories[no] {
		if m.id.Feed() == s.feed() {
			return false
		}
		at := func(o member) bool { return o.link != 0 && o.link == m.link }
		if slices.ContainsFunc(g.stories[no][:i], at) {
			continue
		}
		best, some := 0., false
		for _, o := range g.stories[no][i:] {
			if o.id != m.id && !at(o) {
				continue
			}
			if was := g.sketch(o); was != nil {
				best, some = max(best, g.counts.alike(s, was)), true
			}
		}
		switch {
		case some && best == 0:
			return false
		case some:
			sum += best
			n++
		}
	}
	return n > 0 && sum/float64(n) >= meanAt
}
