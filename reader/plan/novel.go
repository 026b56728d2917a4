package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"diurna/ranking/topics"
	"diurna/scheduler"
	"diurna/store"
)

// What a feed's profile of titles holds, and how far beyond its usual an item must be to
// be novel: as in `simulate monitor`.
const (
	novelWindow = 20
	novelBeta   = .1
)

// novelty picks out the items that say something new for their feed, by the words of their
// titles (Roitman, Carmel and Yom-Tov 2008, Eq. 7).
type novelty struct {
	seen  *topics.Seen
	feeds map[store.FeedID]*topics.Profile
	lack  []arrival
}

// arrival is an item that was not looked at yet.
type arrival struct {
	item store.ItemID
	feed store.FeedID
	at   int64 // unix s
}

func newNovelty() *novelty {
	return &novelty{seen: topics.NewSeen(nil), feeds: map[store.FeedID]*topics.Profile{}}
}

// judge reads the titles of what arrived and notes the posts that are novel. An item that
// is not there any more is not.
func (b *habits) judge(ctx context.Context, s Library, list []arrival, now time.Time) error {
	ids := make([]store.ItemID, len(list))
	for i := range list {
		ids[i] = list[i].item
	}
	items, err := s.Items(ctx, ids)
	if errors.Is(err, store.ErrUnknown) {
		if n := len(list) / 2; n > 0 {
			return cmp.Or(b.judge(ctx, s, list[:n], now), b.judge(ctx, s, list[n:], now))
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the items: %w", err)
	}
	for i, x := range list {
		p := b.novel.feeds[x.feed]
		if p == nil {
			p = &topics.Profile{Window: novelWindow, Beta: novelBeta, Seen: b.novel.seen}
			b.novel.feeds[x.feed] = p
		}
		var stems []string
		for _, w := range topics.Words(items[i].Title) {
			stems = append(stems, w.Stem)
		}
		if _, is := p.Add(stems); is {
			log := b.posts[x.feed]
			log.novel = recent(append(log.novel, x.at), scheduler.WindowDays, now.Unix())
		}
	}
	return nil
}
