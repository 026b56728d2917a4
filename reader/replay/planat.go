package replay

import (
	"cmp"
	"slices"
	"time"

	"diurna/scheduler"
)

func planAt(posts []Source, people []Person, at time.Time, b scheduler.Budget, o scheduler.Options) scheduler.Schedule {
	now := at.Unix()
	var looks []scheduler.Event
	for _, p := range people {
		looks = append(looks, p.Looks...)
	}
	slices.SortStableFunc(looks, func(a, b scheduler.Event) int { return cmp.Compare(a.Unix, b.Unix) })
	looks = sessions(looks, 600)
	since := now
	if len(looks) > 0 {
		since = min(since, looks[0].Unix)
	}
	reader := scheduler.LearnLooks(looks, since, now)
	sources := make([]scheduler.Source, len(posts))
	for i, s := range posts {
		sources[i] = scheduler.Source{ID: s.ID}
		if len(s.Posts) > 0 && s.Posts[0] < now {
			sources[i].Posts = scheduler.LearnPosts(s.Posts, s.Posts[0], now)
		}
	}
	return scheduler.Plan(reader, sources, b, o, at)
}
