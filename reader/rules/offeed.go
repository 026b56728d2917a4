package rules

import (
	"context"
	"errors"
	"slices"
	"time"

	"diurna/reader/model"
	"diurna/reader/query"
	"diurna/store"
)

// OfFeed returns the library's rules whose query is about a feed: it names the feed, a
// folder or a tag of it, and fits nothing elsewhere.
func (k *Keeper) OfFeed(ctx context.Context, f *model.Feed, now time.Time) ([]Rule, error) {
	list, err := k.List(ctx)
	return slices.DeleteFunc(list, func(r Rule) bool {
		q, err := query.Parse(r.Query, now)
		return err != nil || !r.Holds(now) || !query.Reduce(q,
			func(p query.Part, negated bool) bool { return !negated && p.AsksFeed() && p.OfFeed(f) },
			func(parts []bool) bool { return slices.Contains(parts, true) },
			func(parts []bool) bool { return !slices.Contains(parts, false) },
			func(bool) bool { return false })
	}), err
}

// MuteIn mutes what fits a query in one feed alone. The error may be a *query.Error.
func (k *Keeper) MuteIn(ctx context.Context, id store.FeedID, text string, now time.Time) (Rule, model.Done, error) {
	q, err := inFeed(id, text, now)
	if err != nil {
		return Rule{}, model.Done{}, err
	}
	return k.Add(ctx, Rule{Query: q.Canonical(), Mute: true}, false, now)
}

// CheckMute says what MuteIn would find wrong with a query.
func (k *Keeper) CheckMute(id store.FeedID, text string, now time.Time) error {
	_, err := inFeed(id, text, now)
	return err
}

func inFeed(id store.FeedID, text string, now time.Time) (query.Query, error) {
	q, err := query.Parse(text, now)
	if err == nil && q.Empty() {
		err = errors.New("a mute needs a word, a phrase or a query")
	}
	if err == nil {
		err = Checked(q)
	}
	return query.OfFeed(id).And(q), err
}
