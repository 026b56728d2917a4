package fulltext

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"sort"
	"time"

	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/web"
	"diurna/store"
)

// What one refresh fetches for feeds whose whole texts are wanted.
const (
	newestFew = 5         // of a feed, whether or not they are new
	maxOfFeed = 20        // of a feed
	maxAtOnce = 100       // of all feeds
	maxTries  = 4         // of a page that gives no text
	tryAfter  = time.Hour // the first time, then twice as long each time
)

// Fresh is a feed that has just been fetched.
type Fresh struct {
	Feed *store.Feed
	New  int // items that came
}

// again reports whether a page that gave no text is to be asked for once more.
func (t *Text) again(now time.Time) bool {
	switch t.Why {
	case Busy, Failed, Unreached:
	default:
		return false
	}
	wait := t.At.Add(tryAfter << min(t.Tries, maxTries))
	return t.Tries < maxTries && now.After(wait) && now.After(t.After)
}

// Refresh fetches the whole texts of the newest items of feeds that ask for them, one
// by one: those that came, and of a feed at its first fetch only the newest few. What
// the robots.txt of a host forbids is not asked for, nor anything more of a host that
// does not answer or asks to wait. The errors are the library's, or the context's.
//
// The day's budget is for asking whether there is anything new. These requests follow
// from what came, a bounded number for each fetch, and are counted beside it: Today.
func (x *Texts) Refresh(ctx context.Context, feeds []Fresh) error {
	asked, err := x.refreshAll(ctx, feeds)
	return errors.Join(err, x.count(context.WithoutCancel(ctx), asked))
}

// Newest fetches the whole texts of the newest few items of a feed, as Refresh does at its
// first fetch, and counts those that are there then.
func (x *Texts) Newest(ctx context.Context, feed store.FeedID) (texts, items int, err error) {
	feeds, err := x.lib.Feeds(ctx)
	at := slices.IndexFunc(feeds, func(f store.Feed) bool { return f.ID == feed && f.Attrs[model.SettingPage] == "" })
	if err != nil || at < 0 {
		return 0, 0, err
	}
	if err := x.Refresh(ctx, []Fresh{{Feed: &feeds[at]}}); err != nil {
		return 0, 0, err
	}
	rows, err := x.lib.Rows(ctx, store.RowQuery{Which: store.All, Feed: feed, Limit: newestFew})
	if err != nil {
		return 0, 0, err
	}
	ids := make([]store.ItemID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	whole, err := HTMLOf(ctx, x.lib, ids)
	return len(whole), len(ids), err
}

// today counts the requests of a day in the cache.
type today struct {
	Day string `json:"day"`
	N   int    `json:"n"`
}

const (
	todayBucket = "whole texts"
	todayKey    = "today"
)

// Today is how many pages were asked for today for the items of feeds that want them.
func (x *Texts) Today(ctx context.Context) (int, error) {
	b, err := x.lib.Cache().Get(ctx, todayBucket, todayKey)
	if err != nil {
		return 0, err
	}
	var t today
	if json.Unmarshal(b, &t) != nil || t.Day != x.now().Format(time.DateOnly) {
		return 0, nil
	}
	return t.N, nil
}

func (x *Texts) count(ctx context.Context, asked int) error {
	if asked == 0 {
		return nil
	}
	n, err := x.Today(ctx)
	if err != nil {
		return err
	}
	b, err := json.Marshal(today{x.now().Format(time.DateOnly), n + asked})
	if err != nil {
		return err
	}
	return x.lib.Cache().Put(ctx, todayBucket, map[string][]byte{todayKey: b})
}

func (x *Texts) refreshAll(ctx context.Context, feeds []Fresh) (count int, err error) {
	sort.SliceStable(feeds, func(i, j int) bool { return feeds[i].Feed.ID < feeds[j].Feed.ID })
	hosts, left := map[string]*host{}, maxAtOnce
	for i := range feeds {
		f := feeds[i].Feed
		rows, err := x.lib.Rows(ctx, store.RowQuery{Which: store.All, Feed: f.ID, Limit: min(max(feeds[i].New, newestFew), maxOfFeed)})
		if err != nil {
			return maxAtOnce - left, err
		}
		for k := range rows {
			if left == 0 || ctx.Err() != nil {
				return maxAtOnce - left, ctx.Err()
			}
			asked, err := x.refresh(ctx, f, rows[k].ID, hosts)
			if asked {
				left--
			}
			if err != nil {
				return maxAtOnce - left, err
			}
		}
	}
	return maxAtOnce - left, nil
}

// host is what was learned of a host in one refresh.
type host struct {
	status int
	robots []byte
	shut   bool // nothing more is asked of it
}

// refresh fetches the text of one item, if it is wanted and may be fetched.
func (x *Texts) refresh(ctx context.Context, f *store.Feed, id store.ItemID, hosts map[string]*host) (asked bool, err error) {
	old, ok, err := Of(ctx, x.lib, id)
	if err != nil || ok && !old.again(x.now()) {
		return false, err
	}
	items, err := x.lib.Items(ctx, []store.ItemID{id})
	if err != nil || len(items) == 0 {
		return false, err
	}
	item := model.ItemOf(&items[0])
	u, err := url.Parse(item.Address())
	if err != nil || !plain.WebAddress(item.Address()) {
		return false, nil
	}
	h := hosts[u.Host]
	if h == nil {
		h = &host{}
		h.status, h.robots, _ = x.web.Robots(ctx, u, f.AllowPrivate && fetch.SameDoor(f.URL, item.Address()))
		hosts[u.Host] = h
		asked = true
	}
	if h.shut || ctx.Err() != nil {
		return asked, ctx.Err()
	}
	may, slow := web.MayFetch(h.status, h.robots, u)
	switch {
	case h.status >= 500: // it cannot be had now
		h.shut = true
		return asked, nil
	case !may:
		return asked, x.keep(ctx, id, &Text{At: x.now().Truncate(time.Second), Why: Forbidden}, old.Tries)
	}
	t, err := x.fetch(ctx, f, &items[0])
	if err != nil {
		return true, err
	}
	h.shut = slow || t.Why == Busy || t.Why == Unreached
	return true, nil
}
