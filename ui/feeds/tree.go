package feeds

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// The feeds as a tree: by folder or by tag, in an order, with or without those that
// have nothing unread.

// sorting is the order of feeds in their folders, and of these.
type sorting uint8

const (
	byName   sorting = iota
	byUnread         // most first
	byPost           // the newest first
	byOpened         // least worth keeping first
)

// sortings are the words for them: as they are kept, and in row 1.
var sortings = [...][2]string{byName: {"", ""}, byUnread: {"unread", "by unread"}, byPost: {"post", "by last post"}, byOpened: {"opened", "by share opened"}}

// tree says how the feeds are arranged.
type tree struct {
	order sorting
	back  bool // from the end
	tags  bool // by tag instead of folder
	group bool // which of them was chosen, now or before; else it follows from the feeds
	hides bool // feeds without anything unread are left out, but those in trouble
	own   bool // it was chosen in this session

	attention map[reader.FeedID]*reader.Attention // nil: not counted yet

	stay map[reader.FeedID]bool // stood there since the view was entered: they do not go while it is read
}

// usual groups the feeds by tag where they have tags and none lies in a folder, as
// those of newsboat, until somebody chooses.
func (t *tree) usual(feeds []reader.Feed) {
	if t.group {
		return
	}
	t.tags = false
	for i := range feeds {
		if feeds[i].Folder != "" {
			t.tags = false
			return
		}
		t.tags = t.tags || len(feeds[i].Tags) > 0 && !feeds[i].Watched
	}
}

// words say how the feeds are arranged, where that is not as usual.
func (t *tree) words() (words []string) {
	if t.tags && t.order != byOpened {
		words = append(words, "by tag")
	}
	if t.order != byName {
		words = append(words, sortings[t.order][1])
	}
	if t.back {
		words = append(words, "reversed")
	}
	if t.hides {
		words = append(words, "unread only")
	}
	return words
}

// branch is a row with what is below it.
type branch struct {
	node
	below []*branch
}

// rows are all rows of the tree; of a narrowed one what fits. The top row counts each
// feed once, whatever number of tags it has.
func (t *tree) rows(s *view.Scene, narrow *narrowing) []node {
	top := &branch{node: node{kind: nodeAll, name: "All feeds"}}
	if narrow.stands() {
		top.name = "Matching feeds"
	}
	groups := make(map[string]*branch)
	for i := range s.Order {
		f := &s.Order[i]
		switch {
		case f.Watched && !narrow.stands():
			top.unread += f.Unread // its changes are among all items; it stands in Pages
			continue
		case f.Watched || !narrow.fits(f):
			continue
		}
		top.count(f)
		if f.Hidden && narrow.stands() {
			top.unread += f.Unread // it was asked for
		}
		leaf := node{kind: nodeFeed, name: f.Title, path: f.Folder, feed: f, tag: t.tags,
			unread: f.Unread, last: f.LastPost, next: f.NextFetch, trouble: f.InTrouble()}
		leaf.idle = t.hides && !narrow.stands() && f.Unread == 0 && !leaf.trouble && !t.stay[f.Key]
		switch {
		case t.order == byOpened:
			leaf.path, leaf.tag = "", false
			top.below = append(top.below, &branch{node: leaf})
		case t.tags:
			top.tagged(groups, leaf)
		default:
			top.filed(groups, leaf)
		}
	}
	t.sort(top)
	return top.flat(make([]node, 0, len(s.Order)+len(groups)+1))
}

// filed puts a feed into its folder.
func (b *branch) filed(groups map[string]*branch, leaf node) {
	if leaf.path != "" {
		steps := strings.Split(leaf.path, "/")
		for d, name := range steps {
			b = b.group(groups, node{kind: nodeFolder, depth: d, name: name, path: strings.Join(steps[:d+1], "/")}, &leaf)
		}
		leaf.depth = len(steps)
	}
	b.below = append(b.below, &branch{node: leaf})
}

// tagged puts a feed under each of its tags.
func (b *branch) tagged(groups map[string]*branch, leaf node) {
	leaf.depth = 1
	tags := slices.Compact(slices.Sorted(slices.Values(leaf.feed.Tags)))
	if len(tags) == 0 {
		tags = []string{""}
	}
	for _, tag := range tags {
		leaf.path = "#" + tag
		name := leaf.path
		if tag == "" {
			name = "untagged"
		}
		g := b.group(groups, node{kind: nodeFolder, name: name, path: leaf.path, tag: true}, &leaf)
		g.below = append(g.below, &branch{node: leaf})
	}
}

// group finds a folder or tag below a row, or makes it, and counts a feed in it.
func (b *branch) group(groups map[string]*branch, as node, leaf *node) *branch {
	g := groups[as.path]
	if g == nil {
		as.idle = true
		g = &branch{node: as}
		groups[as.path] = g
		b.below = append(b.below, g)
	}
	g.count(leaf.feed)
	g.idle = g.idle && leaf.idle
	return g
}

// sort puts what is below a row in order, and what is below that. Folders lie by name
// as the feeds come; tags are put by name, what has none at the end.
func (t *tree) sort(b *branch) {
	if t.tags && b.kind == nodeAll && t.order != byOpened {
		slices.SortStableFunc(b.below, func(x, y *branch) int {
			if last := x.path == "#"; last != (y.path == "#") {
				return map[bool]int{true: 1, false: -1}[last]
			}
			return cmp.Or(cmp.Compare(reader.SortKey(x.name), reader.SortKey(y.name)), cmp.Compare(x.name, y.name))
		})
	}
	switch t.order {
	case byUnread:
		slices.SortStableFunc(b.below, func(x, y *branch) int { return cmp.Compare(y.unread, x.unread) })
	case byPost:
		slices.SortStableFunc(b.below, func(x, y *branch) int { return y.last.Compare(x.last) })
	case byOpened:
		mean := reader.MeanShare(t.attention)
		slices.SortStableFunc(b.below, func(x, y *branch) int { return t.of(&x.node).WorthLess(t.of(&y.node), mean) })
	}
	if t.back {
		slices.Reverse(b.below)
	}
	for _, x := range b.below {
		t.sort(x)
	}
}

// flat adds a row and all below it.
func (b *branch) flat(rows []node) []node {
	rows = append(rows, b.node)
	for _, x := range b.below {
		rows = x.flat(rows)
	}
	return rows
}

// stand remembers that rows are shown.
func (t *tree) stand(nodes []node) {
	if !t.hides {
		return
	}
	if t.stay == nil {
		t.stay = make(map[reader.FeedID]bool)
	}
	for i := range nodes {
		if f := nodes[i].feed; f != nil {
			t.stay[f.Key] = true
		}
	}
}

// holds reports whether a row of a feed stands below one of a folder or tag.
func (n *node) holds(leaf *node) bool {
	return n.kind == nodeFolder && (n.tag && leaf.path == n.path || !n.tag && strings.HasPrefix(leaf.path+"/", n.path+"/"))
}

// title is the name of a row in full.
func (n *node) title() string {
	if n.kind == nodeFolder && !n.tag {
		return n.path
	}
	return n.name
}

// SortKeys are the letters after = in Feeds.
func SortKeys() []view.Binding {
	return append(sorts(false), view.Bind("=", "reversed", "descending", view.On(func(t *View, _ view.Host) tea.Cmd {
		t.desk.Await(view.CtxFeedBack, view.SayLetters("==", BackKeys()))
		return nil
	})))
}

// BackKeys are the letters after = =, which sort from the end.
func BackKeys() []view.Binding { return sorts(true) }

func sorts(back bool) []view.Binding {
	sort := func(key, help string, order sorting) view.Binding {
		return view.Bind(key, help, "", arranges(func(t *tree) { t.order, t.back = order, back }))
	}
	return []view.Binding{sort("n t", "name", byName), sort("u", "unread", byUnread), sort("l", "last post", byPost), sort("o", "opened", byOpened)}
}

// arrangeKeys are those that arrange the tree.
func arrangeKeys() []view.Binding {
	return []view.Binding{
		view.Bind("=", "sort; hide read; by tag", "order name unread last post opened share noise", view.On(func(t *View, _ view.Host) tea.Cmd {
			t.desk.Await(view.CtxSortFeed, view.SayLetters("=", SortKeys()))
			return nil
		})),
		view.Bind(".", view.Ditto, "filter unread only all show empty", arranges(func(t *tree) { t.hides = !t.hides })),
		view.Bind("#", view.Ditto, "tags folders group label category", arranges(func(t *tree) { t.tags, t.group = !t.tags, true })),
	}
}

// arranges makes a binding of what arranges the tree in another way.
//
//go:noinline // tables of keys call it
func arranges(do func(*tree)) func(view.Host) tea.Cmd {
	return view.On(func(t *View, h view.Host) tea.Cmd {
		do(&t.tree)
		t.tree.own, t.tree.stay = true, nil
		t.found, t.counted = view.Found{}, nil
		t.Take(h.Screen())
		return t.count(h)
	})
}

// feedsName is under what the arrangement of the tree is kept.
const feedsName = "feeds"

// Keep notes in a place how the feeds are arranged and which folders are folded.
func (t *View) Keep(p *view.Place) {
	folded := t.folded
	if t.narrow.stands() {
		folded = t.narrow.folded
	}
	for path, shut := range folded {
		if shut {
			p.Folded = append(p.Folded, path)
		}
	}
	slices.Sort(p.Folded)
	if a := (view.Arranged{Order: sortings[t.tree.order][0], Back: t.tree.back, Turned: t.tree.hides, Tags: t.tree.group && t.tree.tags, Folders: t.tree.group && !t.tree.tags}); a != (view.Arranged{}) {
		p.Arrange(feedsName, a)
	}
}

// Restore takes that in again. What was chosen since the start holds.
func (t *View) Restore(s *view.Scene, p *view.Place) {
	for _, path := range p.Folded {
		t.SetFolded(path, true)
	}
	if a, ok := p.Arranged[feedsName]; ok && !t.tree.own {
		t.tree.back, t.tree.hides, t.tree.tags, t.tree.group = a.Back, a.Turned, a.Tags, a.Tags || a.Folders
		for i, words := range sortings {
			if words[0] == a.Order {
				t.tree.order = sorting(i)
			}
		}
		t.Take(s)
	}
}
