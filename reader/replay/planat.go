package replay

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"diurna/scheduler"
)

// PlanAt is what the program would plan at a moment, knowing the traces up to it
// and nothing after: every source that has posted by then, last fetched when last
// says (nil, or a zero time: as if just subscribed to), the looks of all people taken as one reader's, who is where the last look
// was. perFeed is the budget, fetches per feed and day; 0: the default. It is
// scheduler.Plan, fed by scheduler.ForecastPosts and scheduler.LearnLooks, as the
// running fetcher calls them. Moving the traces and the moment moves every fetch
// by as much, but for a reader of less than a week, who is taken to keep the
// hours of others.
func PlanAt(posts []Source, people []Person, at time.Time, perFeed int, last func(source string) time.Time) TracePlan {
	reader, zone := readerAt(people, at)
	now := at.Unix()
	var sources []scheduler.Source
	for _, s := range posts {
		if len(s.Posts) > 0 && s.Posts[0] < now {
			src, seen := scheduler.Source{ID: s.ID}, now
			if last != nil {
				src.LastFetch = last(s.ID)
			}
			if !src.LastFetch.IsZero() {
				seen = min(now, src.LastFetch.Unix())
			}
			here, _ := slices.BinarySearch(s.Posts, seen+1)
			typical := scheduler.LearnPosts(s.Posts, s.Posts[0], now)
			src.Posts = scheduler.ForecastPosts(typical, s.Posts[:here], s.Posts[0], seen, now)
			sources = append(sources, src)
		}
	}
	b := scheduler.DailyBudget(len(sources), cmp.Or(perFeed, scheduler.DefaultPerSource))
	plan := scheduler.Plan(reader, sources, b, scheduler.Options{}, at.In(zone))
	out := TracePlan{PerDay: plan.PerDay, Kept: plan.Kept}
	if len(plan.Unpaid) > 0 {
		out.Needed = plan.Needed
	}
	for _, s := range plan.Slots {
		f := TraceFetch{At: s.At.In(at.Location()), Source: s.ID, Nth: s.Nth, Of: s.Of, Expected: s.Expected, Reason: string(s.Reason)}
		if !s.NotBefore.IsZero() {
			t, by := s.NotBefore.In(at.Location()), s.NotBeforeBy
			f.NotBefore, f.NotBeforeBy = &t, &by
		}
		out.Fetches = append(out.Fetches, f)
	}
	return out
}

// readerAt learns from the looks before a moment. The zone is where the reader
// was last: the hours of habits are local ones.
func readerAt(people []Person, at time.Time) (*scheduler.Profile, *time.Location) {
	now := at.Unix()
	var looks []scheduler.Event
	for _, p := range people {
		for _, l := range p.Looks {
			if l.Unix < now {
				looks = append(looks, l)
			}
		}
	}
	if len(looks) == 0 {
		return scheduler.LearnLooks(nil, now, now), at.Location()
	}
	sort.SliceStable(looks, func(i, j int) bool { return looks[i].Unix < looks[j].Unix })
	zone := time.FixedZone("", int(looks[len(looks)-1].Offset))
	looks = sessions(looks, 600)
	return scheduler.LearnLooks(looks, looks[0].Unix, now), zone
}
