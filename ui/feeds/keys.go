package feeds

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader/wording"
	"diurna/ui/view"
)

// Keys are what keys do in Feeds.
func Keys() []view.Binding {
	return slices.Concat([]view.Binding{
		view.Bind("enter l right", "items, unfold", "show open", view.On((*View).open)),
		view.Bind("n ] ctrl+n", "next, previous unread feed", "", view.By((*View).nextFeed, 1)),
		view.Bind("N [ ctrl+p p", view.Ditto, "", view.By((*View).nextFeed, -1)),
		view.Bind("J", "next, previous row", "", view.Moves(1)),
		view.Bind("K", view.Ditto, "", view.Moves(-1)),
		view.Bind("}", "next, previous folder, tag", "", toFolder(1)),
		view.Bind("{", view.Ditto, "", toFolder(-1)),
		view.Bind("!", "next feed in trouble", "error broken failing dead", view.On((*View).nextTrouble)),
	}, arrangeKeys(), queryKeys(), []view.Binding{
		view.Bind("M", "mark read: d day w week m a", "catch up week month older", view.On((*View).markWhat)),
		view.Bind("A", "mark all in it read", "catch up", view.On((*View).markAll)),
		view.Bind("t", "tag the feed", "label category", view.On((*View).askTags)),
		view.Bind("+", "more, less of this feed", "like train score", view.Does(view.TrainMore)),
		view.Bind("-", view.Ditto, "dislike train", view.Does(view.TrainLess)),
		view.Bind("v", "select feeds", "visual mark several bulk", view.On((*View).selectRow)),
		view.Bind("y", "copy the feed's address", "yank clipboard url", view.On((*View).copy)),
		view.Bind("o", "its site in the browser", "web", view.On((*View).browse)),
		view.Bind("/", "find a feed, narrow the tree", "search", view.Does(view.AskFind)),
		view.Bind("&", view.Ditto, "narrow filter limit tag state trouble", view.On((*View).askNarrow)),
		view.Bind("D", "unsubscribe", "delete remove", view.On((*View).unsubscribe)),
	})
}

// MarkKeys are the letters after M.
func MarkKeys() []view.Binding {
	mark := func(what byte) func(view.Host) tea.Cmd {
		return view.On(func(t *View, h view.Host) tea.Cmd { return t.markOperand(h, what) })
	}
	return []view.Binding{
		view.Bind("d", "today", "", mark('d')),
		view.Bind("w", "older than a week", "", mark('w')),
		view.Bind("m", "older than a month", "", mark('m')),
		view.Bind("a f", "all in it", "", mark('a')),
	}
}

// open unfolds a folder that is folded and shows what is in any other row.
func (t *View) open(h view.Host) tea.Cmd {
	n := t.chosen()
	switch {
	case n == nil:
		return nil
	case n.kind == nodeFolder && t.folded[n.path]:
		t.SetFolded(n.path, false)
		return nil
	case n.kind == nodeQuery:
		return t.saved.Open(h, n.query)
	case n.kind != nodeFeed:
		only := t.within(n)
		return t.desk.OpenFeeds(n.title(), only, n.asks(only))
	}
	if n.trouble && n.feed.Items == 0 {
		return t.desk.OpenTrouble(n.feed.Key)
	}
	return t.desk.OpenFeed(n.feed.Key)
}

// Peek names the chosen row, "" for none, and lists what is in it without opening it.
func (t *View) Peek() (of string, show func(view.Host) (view.View, tea.Cmd)) {
	n := t.chosen()
	if n == nil || n.kind == nodeQuery {
		return "", nil
	}
	name, one := n.title(), n.kind == nodeFeed
	return n.key(), func(view.Host) (view.View, tea.Cmd) { return t.desk.Newest(name, t.within(n), one) }
}

// nextFeed goes to the next feed with something unread.
func (t *View) nextFeed(h view.Host, d int) tea.Cmd {
	if t.found.Text != "" {
		if i := t.found.Step(t.List.Cur, d); i >= 0 {
			t.GoRow(i)
		}
		return nil
	}
	return t.goNode(h, d, false, "No feed with unread items in that direction.", func(n *node) bool { return n.kind == nodeFeed && n.unread > 0 })
}

// toFolder goes to the next folder, or back to the one before.
func toFolder(d int) func(view.Host) tea.Cmd {
	return view.On(func(t *View, h view.Host) tea.Cmd {
		return t.goNode(h, d, false, "No folder in that direction.", func(n *node) bool { return n.kind == nodeFolder })
	})
}

// nextTrouble goes round the feeds in trouble; folders that hide one unfold.
func (t *View) nextTrouble(h view.Host) tea.Cmd {
	for i := range t.all {
		if n := &t.all[i]; n.kind == nodeFolder && n.trouble && t.folded[n.path] {
			delete(t.folded, n.path)
		}
	}
	t.unfold(t.chosen().key())
	return t.goNode(h, 1, true, "No feed is in trouble.", func(n *node) bool { return n.kind == nodeFeed && n.trouble })
}

func (t *View) goNode(h view.Host, d int, wrap bool, none string, is func(*node) bool) tea.Cmd {
	i := seek(t.nodes, t.List.Cur, d, wrap, is)
	if i < 0 {
		h.Say(none)
		return nil
	}
	t.GoRow(i)
	return nil
}

// Why says when the chosen feed is fetched, or what is wrong with it.
func (t *View) Why(h view.Host) (tea.Cmd, bool) {
	n := t.chosen()
	if n == nil {
		return nil, true
	}
	if n.kind == nodeFeed {
		if n.feed.InTrouble() {
			return t.desk.OpenTrouble(n.feed.Key), true
		}
		return t.plans.AskPlan(h, n.feed.Key, false), true
	}
	if n.kind == nodeQuery {
		h.Say(fmt.Sprintf("%s: %s", n.name, n.query.Query))
		return nil, true
	}
	trouble := 0
	for id := range h.Screen().Feeds {
		if in := t.within(n); h.Screen().Feeds[id].InTrouble() && (in == nil || in[id]) {
			trouble++
		}
	}
	h.Say(fmt.Sprintf("%s: %s, %s in trouble.", n.name, wording.Plural(n.feeds, "feed"), wording.Count(trouble)))
	return nil, true
}

func (t *View) Matches(_ *view.Scene, text string) (int, bool) {
	return len(search(t.nodes, text)), true
}

func (t *View) Find(h view.Host, text string) {
	if i := t.found.Stand(h, text, search(t.nodes, text), t.List.Cur, "No feed"); i >= 0 {
		t.GoRow(i)
	}
}

// search gives the rows whose names hold all words.
func search(nodes []node, text string) []int32 {
	words := strings.Fields(strings.ToLower(text))
	var hits []int32
	for i := range nodes {
		low := strings.ToLower(nodes[i].name)
		hit := len(words) > 0
		for _, w := range words {
			hit = hit && strings.Contains(low, w)
		}
		if hit {
			hits = append(hits, int32(i))
		}
	}
	return hits
}
