package replay

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sort"
	"time"

	"golang.org/x/sync/errgroup"

	"diurna/scheduler"
)

// The running planner is replayed for samples of a few people with a few feeds,
// in four weeks after four to learn from.
const (
	asRunSamples = 5
	asRunPeople  = 8
	asRunFeeds   = 6
	asRunFrom    = 4 // weeks
	asRunTo      = 8
	// replanAfter is how long the program carries out a plan while nobody looks.
	replanAfter = 60 * 60
)

// asRunBudgets are the fetches per feed and day of the as-run table.
var asRunBudgets = []int{3, 6}

// household is one person with the feeds drawn for them.
type household struct {
	who   *person
	feeds []*series
}

// households draws a sample: feeds that all share, or feeds of their own.
func (a *axis) households(seed uint64, sample int, shared bool) []household {
	r := rand.New(rand.NewPCG(seed, uint64(sample)))
	people := r.Perm(len(a.people))
	var out []household
	var feeds []*series
	for _, n := range people[:min(asRunPeople, len(people))] {
		if feeds == nil || !shared {
			feeds = nil
			for _, i := range r.Perm(len(a.sources))[:min(asRunFeeds, len(a.sources))] {
				feeds = append(feeds, &a.sources[i])
			}
		}
		out = append(out, household{&a.people[n], feeds})
	}
	return out
}

// asRun plays every sample at every budget.
func (a *axis) asRun(ctx context.Context, o ScheduleOptions) ([]AsRunRow, error) {
	if a.weeks <= asRunFrom {
		return nil, nil // nothing to learn from and to count on
	}
	var rows []AsRunRow
	for _, shared := range []bool{true, false} {
		for _, budget := range asRunBudgets {
			for sample := range max(o.Samples, 0) {
				row, err := a.asRunSample(ctx, a.households(o.Seed, sample, shared), budget, o.PlanFor)
				if err != nil {
					return nil, err
				}
				row.Sample, row.Shared = sample+1, shared
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

func (a *axis) asRunSample(ctx context.Context, list []household, budget int, f scheduler.PlanFor) (AsRunRow, error) {
	lives := make([]lived, len(list))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range list {
		g.Go(func() error {
			lives[i] = lived{household: list[i], habits: &a.habits, budget: budget * len(list[i].feeds), planFor: f,
				from: asRunFrom * weekSeconds, to: int64(min(asRunTo, a.weeks)) * weekSeconds}
			lives[i].fromMidnight()
			lives[i].run()
			return ctx.Err()
		})
	}
	err := g.Wait()
	row := AsRunRow{PerDay: budget}
	for i := range lives {
		l := &lives[i]
		row.Missed += l.missed
		row.MissedAfter += l.after
		row.Requests += l.made
		days := int((l.to - l.from) / daySeconds)
		row.Allowed += days * l.budget
		row.MostADay = max(row.MostADay, l.most-l.budget)
		row.Uniform += l.evenly(budget)
		row.Hourly += l.evenly(24)
		row.HourlyRequests += days * 24 * len(l.feeds)
	}
	return row, err
}

// lived is four weeks of the running planner: it plans, fetches what is due, and
// refreshes at each look, as package reader does.
type lived struct {
	household
	habits   *habits
	budget   int
	planFor  scheduler.PlanFor
	from, to int64

	sources []scheduler.Source
	have    []int // posts here, by feed
	used    int
	dayEnds int64
	offset  int32
	reader  *scheduler.Profile
	memory  scheduler.Memory

	missed, after int // posts out and not here, summed over looks
	made, most    int // fetches; on one day
}

// fromMidnight lets the weeks begin where a day of the user does, so that
// every day has its whole budget and no more.
func (l *lived) fromMidnight() {
	next := sort.Search(len(l.who.looks), func(i int) bool { return l.who.looks[i].Unix >= l.from })
	l.offset = l.who.offsetAt(next)
	inFlight := (int64(l.offset)%daySeconds + daySeconds) % daySeconds
	l.from, l.to = l.from-inFlight, l.to-inFlight
}

// evenly is what perDay fetches of each feed, evenly spaced, leave missing at
// the same looks, mean over phases.
func (l *lived) evenly(perDay int) float64 {
	step, sum := float64(daySeconds)/float64(perDay), 0
	for _, s := range l.feeds {
		for phase := range phases {
			zero := float64(l.from) + step*(float64(phase)/phases-1)
			for _, look := range l.who.looks {
				if look.Unix < l.from || look.Unix >= l.to {
					continue
				}
				fetched := int64(zero + step*math.Floor((float64(look.Unix)-zero)/step))
				out, _ := slices.BinarySearch(s.posts, look.Unix+1)
				here, _ := slices.BinarySearch(s.posts, max(fetched, l.from)+1)
				sum += out - here
			}
		}
	}
	return float64(sum) / phases
}

// run plays the weeks.
func (l *lived) run() {
	l.sources, l.have = make([]scheduler.Source, len(l.feeds)), make([]int, len(l.feeds))
	for i, s := range l.feeds {
		l.sources[i] = scheduler.Source{ID: s.id}
		l.fetch(i, l.from)
	}
	l.made, l.used = 0, 0
	looks := l.who.looks
	next := sort.Search(len(looks), func(i int) bool { return looks[i].Unix >= l.from })
	var due []scheduler.Slot
	planned := int64(-1)
	for now := l.from; now < l.to; {
		if now >= l.dayEnds {
			l.newDay(looks[:next], now)
			planned = -1
		}
		if planned < 0 || now-planned >= replanAfter {
			due, planned = l.plan(now), now
		}
		until := min(planned+replanAfter, l.dayEnds, l.to)
		look := next < len(looks) && looks[next].Unix <= until
		if look {
			until = looks[next].Unix
		}
		if len(due) > 0 && due[0].At.Unix() < until {
			now = max(now, due[0].At.Unix())
			l.fetch(due[0].Source, now)
			due = due[1:]
			continue
		}
		now = until
		if look && now < l.to {
			l.offset = looks[next].Offset
			next++
			l.look(now)
			planned = -1
		}
	}
}

func (l *lived) time(now int64) time.Time {
	return time.Unix(now, 0).In(time.FixedZone("", int(l.offset)))
}

// newDay learns the habits again, and the budget begins again.
func (l *lived) newDay(looks []scheduler.Event, now int64) {
	l.used, l.dayEnds = 0, now+daySeconds
	l.reader = l.habits.of(l.who, looks, now)
	for i := range l.feeds {
		l.learn(i, now)
	}
}

// learn is done again after each fetch, as the program does.
func (l *lived) learn(i int, now int64) {
	posts := l.feeds[i].posts[:l.have[i]]
	typical := scheduler.LearnPosts(posts, 0, now)
	l.sources[i].Posts = scheduler.ForecastPosts(typical, posts, 0, l.sources[i].LastFetch.Unix(), now)
}

func (l *lived) allowance() scheduler.Budget {
	return scheduler.Budget{PerDay: l.budget, Used: l.used, DayEnds: time.Unix(l.dayEnds, 0)}
}

func (l *lived) options() scheduler.Options {
	return scheduler.Options{PlanFor: l.planFor, Memory: &l.memory}
}

func (l *lived) plan(now int64) []scheduler.Slot {
	return scheduler.Plan(l.reader, l.sources, l.allowance(), l.options(), l.time(now)).Slots
}

func (l *lived) fetch(i int, now int64) {
	if l.used >= l.budget {
		return
	}
	l.have[i], _ = slices.BinarySearch(l.feeds[i].posts, now+1)
	l.sources[i].LastFetch = time.Unix(now, 0)
	l.learn(i, now)
	l.used++
	l.made++
	l.most = max(l.most, l.used)
}

// look counts what is missing at the look, and after the refresh it starts.
func (l *lived) look(now int64) {
	l.missed += l.missing(now)
	for _, s := range scheduler.Refresh(l.reader, l.sources, l.allowance(), l.options(), l.time(now)) {
		l.fetch(s.Source, now)
	}
	l.after += l.missing(now)
}

func (l *lived) missing(now int64) int {
	n := 0
	for i, s := range l.feeds {
		out, _ := slices.BinarySearch(s.posts, now+1)
		n += out - l.have[i]
	}
	return n
}
