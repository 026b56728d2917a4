package replay

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"diurna/scheduler"
)

const (
	coldDays   = 14
	coldPerDay = 3
	// coldAhead is how many weeks after the sources a new reader's first day
	// is, so that each feed has items by then.
	coldAhead = 2
	// coldItems is what a feed's document holds at its first fetch.
	coldItems = 20
)

// cold plays the first days of readers the program does not know yet, learning
// every night. At the first fetch the dates of the 20 latest posts are known.
func (a *axis) cold(ctx context.Context) ([]ColdRow, error) {
	if a.weeks < coldAhead+2 {
		return nil, nil
	}
	missed := make([][coldDays]float64, len(a.people))
	even := make([][coldDays]float64, len(a.people))
	lambda := a.coldLambda()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range a.people {
		g.Go(func() error {
			a.coldPerson(i, lambda, &missed[i], &even[i])
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var out []ColdRow
	for d := range coldDays {
		m, e := 0.0, 0.0
		for i := range a.people {
			m, e = m+missed[i][d], e+even[i][d]
		}
		out = append(out, ColdRow{Day: d, Fewer: fewer(m, e)})
	}
	return out, nil
}

// coldLambda is what is known of each source on each day.
func (a *axis) coldLambda() [][coldDays][]float64 {
	out := make([][coldDays][]float64, len(a.sources))
	const first = coldAhead * weekSeconds
	for i := range a.sources {
		s := &a.sources[i]
		begin := s.before[coldAhead*slotsPerWeek]
		known := s.posts[max(0, int(begin)-coldItems):]
		since := int64(first)
		if len(known) > 0 {
			since = min(since, known[0])
		}
		for d := range coldDays {
			now := int64(first + d*daySeconds)
			out[i][d] = scheduler.LearnPosts(known, since, now).Rate[:]
		}
	}
	return out
}

func (a *axis) coldPerson(n int, lambda [][coldDays][]float64, missed, even *[coldDays]float64) {
	// The person's own week 0 is played against the sources' later weeks.
	const inFlight = coldAhead * weekSeconds
	p := &a.people[n]
	moved := &person{id: p.id}
	for _, l := range p.looks {
		moved.looks = append(moved.looks, scheduler.Event{Unix: l.Unix + inFlight, Offset: l.Offset})
	}
	j := 0
	var bounds [coldDays + 1]int
	for d := range bounds {
		for j < len(moved.looks) && moved.looks[j].Unix < int64(inFlight+d*daySeconds) {
			j++
		}
		bounds[d] = j
	}
	for d := range coldDays {
		if bounds[d] == bounds[d+1] {
			continue
		}
		// The machine knows the zone before the first look.
		offset := moved.looks[max(bounds[d]-1, 0)].Offset
		now := int64(inFlight + d*daySeconds)
		u := toUTC(&scheduler.LearnLooks(moved.looks[:bounds[d]], inFlight, now).Rate, offset)
		var cost scheduler.Cost
		for i := range a.sources {
			s, weight := &a.sources[i], a.weight[i][n]
			if weight == 0 {
				continue
			}
			pr := &pair{src: s, who: moved, here: s.here(moved.looks[:bounds[d+1]])}
			plan := place(cost.Reset(lambda[i][d], u), coldPerDay)
			for k := bounds[d]; k < bounds[d+1]; k++ {
				slot := int(moved.looks[k].Unix / slotSeconds)
				missed[d] += weight * pr.missing(k, lastPlanned(plan, slot))
				even[d] += weight * pr.evenAt(k, scheduler.Slots/coldPerDay)
			}
		}
	}
}

// evenAt is what look i misses with a fetch every step slots, over all phases.
func (p *pair) evenAt(i, step int) float64 {
	sum := 0.0
	k := int(p.who.looks[i].Unix / slotSeconds)
	for phase := range phases {
		f := (k-phase*step/phases)/step*step + phase*step/phases
		sum += p.missing(i, f)
	}
	return sum / phases
}

// fewer is how many percent a lies below b.
func fewer(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return 100 * (1 - a/b)
}
