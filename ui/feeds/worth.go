package feeds

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// By share opened, the feeds stand without folders, least worth keeping first. The
// facts are counted when that order is chosen and when Feeds is entered with it.

// Stats counts what feeds posted and what of it was opened.
type Stats interface {
	Attention(ctx context.Context, now time.Time) (map[reader.FeedID]*reader.Attention, error)
}

// attentionMsg brings the counts.
type attentionMsg struct {
	gen    uint64
	byFeed map[reader.FeedID]*reader.Attention
	err    error
}

// count asks for the counts where the order needs them.
func (t *View) count(h view.Host) tea.Cmd {
	if t.tree.order != byOpened {
		return nil
	}
	gen := h.Gen()
	t.attentionGen = gen
	return func() tea.Msg {
		byFeed, err := t.stats.Attention(h.Life(), time.Now())
		return attentionMsg{gen, byFeed, err}
	}
}

// of is what is known of a row's feed. Of one without facts nothing was offered, nor of the
// feed of saved pages, which says nothing about what is worth keeping.
func (t *tree) of(n *node) reader.Attention {
	if n.feed != nil && !n.feed.SavesPages() && t.attention[n.feed.Key] != nil {
		return *t.attention[n.feed.Key]
	}
	return reader.Attention{}
}

// opened says how much of a feed was opened, "" before it was counted: in 15 cells.
func (t *tree) opened(n *node) string {
	a := t.of(n)
	if t.attention == nil || n.kind != nodeFeed {
		return ""
	}
	return fmt.Sprintf("%5s of %s", wording.Share(a.Share()), wording.Count(a.Offered))
}
