package feeds

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// v selects rows of feeds; t, y and D then act on all of them as one step.

func (t *View) askTags(h view.Host) tea.Cmd {
	if len(t.selected) > 1 {
		return t.askTagsOf(h, t.selectedFeeds())
	}
	n := t.chosen()
	if n == nil || n.kind != nodeFeed {
		h.Say("t tags a feed, on rows of feeds.")
		return nil
	}
	id := n.feed.Key
	p := &view.Prompt{Label: "tags of " + n.feed.Title + ": ", Do: func(h view.Host, text string) tea.Cmd {
		return h.Change(view.Change{Say: "Tags kept. u undoes.", Do: func(ctx context.Context) (reader.Done, error) { return t.lib.Adjust(ctx, id, "tags", text) }})
	}, Says: func(view.Host, string) string { return "Enter keeps them" }}
	p.Set(strings.Join(n.feed.Tags, " "))
	return h.Ask(p)
}

// askTagsOf asks for the tags to put on several feeds, or to take off.
func (t *View) askTagsOf(h view.Host, feeds []*reader.Feed) tea.Cmd {
	ids := make([]reader.FeedID, len(feeds))
	for i, f := range feeds {
		ids[i] = f.Key
	}
	of := wording.Plural(len(ids), "feed")
	return h.Ask(&view.Prompt{Label: "tags of " + of + ": ", Do: func(h view.Host, text string) tea.Cmd {
		words := strings.Fields(strings.ReplaceAll(text, ",", " "))
		if len(words) == 0 {
			return nil
		}
		t.selected = nil
		return h.Change(view.Change{Say: "Tags of " + of + " changed. u undoes.", Do: func(ctx context.Context) (reader.Done, error) { return t.lib.TagFeeds(ctx, ids, words) }})
	}, Says: func(view.Host, string) string { return "Enter puts them on all; -name takes one off" }})
}

func (t *View) selectRow(h view.Host) tea.Cmd {
	n := t.chosen()
	if n == nil || n.kind != nodeFeed {
		h.Say("v selects rows of feeds.")
		return nil
	}
	view.Flip(&t.selected, n.feed.Key)
	return t.Move(h, 1)
}

func (t *View) Unselect() bool { return view.Emptied(&t.selected) }

// selectedFeeds are the feeds that D and y act on in Feeds.
func (t *View) selectedFeeds() []*reader.Feed {
	var feeds []*reader.Feed
	for i := range t.all {
		if f := t.all[i].feed; f != nil && t.selected[f.Key] && !slices.Contains(feeds, f) {
			feeds = append(feeds, f)
		}
	}
	if len(feeds) == 0 {
		if n := t.chosen(); n != nil && n.kind == nodeFeed {
			feeds = append(feeds, n.feed)
		}
	}
	return feeds
}

func (t *View) unsubscribe(h view.Host) tea.Cmd {
	feeds := t.selectedFeeds()
	if n := t.chosen(); len(feeds) == 0 && n != nil && n.kind == nodeQuery {
		return t.saved.Remove(h, n.query)
	}
	if len(feeds) == 0 {
		h.Say("D unsubscribes, on rows of feeds.")
		return nil
	}
	var ids []reader.FeedID
	items := 0
	for _, f := range feeds {
		ids = append(ids, f.Key)
		items += f.Items
	}
	name := feeds[0].Title
	if len(feeds) > 1 {
		name = wording.Plural(len(feeds), "feed")
	}
	say := fmt.Sprintf("Unsubscribed from %s, %s. u undoes.", name, wording.Plural(items, "item"))
	t.selected = nil
	return h.Change(view.Change{Say: say, Do: func(ctx context.Context) (reader.Done, error) { return t.lib.Unsubscribe(ctx, ids) }})
}

func (t *View) copy(h view.Host) tea.Cmd {
	var lines []string
	for _, f := range t.selectedFeeds() {
		lines = append(lines, f.URL)
	}
	if len(lines) == 0 {
		h.Say("y copies the address of a feed, on rows of feeds.")
		return nil
	}
	t.selected = nil
	return h.Copy(strings.Join(lines, "\n"), "")
}

func (t *View) browse(h view.Host) tea.Cmd {
	n := t.chosen()
	if n == nil || n.feed == nil {
		h.Say("o opens the site of a feed, on rows of feeds.")
		return nil
	}
	if n.feed.Site == "" {
		h.Say(n.feed.Title + " names no site.")
		return nil
	}
	return h.OpenURL(n.feed.Site)
}
