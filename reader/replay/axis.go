package replay

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sort"
	"time"

	"diurna/scheduler"
)

const (
	slotSeconds  = int64(scheduler.SlotLength / time.Second)
	slotsPerWeek = 7 * scheduler.Slots
	maxWeeks     = 1040 // twenty years: a wrong time must not cost gigabytes
)

// series is a source on the axis: seconds from its Monday 00:00 UTC.
type series struct {
	id    string
	posts []int64
	// before[k] counts the posts up to the beginning of slot k.
	before []int32
}

type person struct {
	id    string
	looks []scheduler.Event
	// week[w] is the index of the first look of week w.
	week []int
}

// axis is a trace made ready: all sources and people begin in week 0.
type axis struct {
	sources []series
	people  []person
	weeks   int
	aligned bool
	// weight[s][p] is how many pairs the pair stands for; 0: not played.
	weight [][]float64
	pairs  int // played
	known  weeklyKnowledge
	habits habits
}

func newAxis(o ScheduleOptions) (*axis, error) {
	posts, people := o.Posts, o.People
	if len(posts) == 0 && len(people) == 0 {
		posts, people = Synthetic(o.Seed)
	}
	if len(posts) == 0 || len(people) == 0 {
		return nil, errors.New("a trace needs posts and people")
	}
	a := &axis{aligned: !overlap(posts, people)}
	origin := monday(posts[0].Posts[0])
	end := int64(0)
	for _, s := range posts {
		origin = min(origin, monday(s.Posts[0]))
	}
	for _, p := range people {
		zero := origin
		if a.aligned {
			zero = monday(p.Looks[0].Unix)
		}
		q := person{id: p.ID}
		for _, l := range sessions(p.Looks, int64(o.LookGap/time.Second)) {
			if l.Unix >= zero {
				q.looks = append(q.looks, scheduler.Event{Unix: l.Unix - zero, Offset: l.Offset})
				end = max(end, l.Unix-zero)
			}
		}
		a.people = append(a.people, q)
	}
	last := int64(0)
	for _, s := range posts {
		zero := origin
		if a.aligned {
			zero = monday(s.Posts[0])
		}
		q := series{id: s.ID}
		for _, t := range s.Posts {
			q.posts = append(q.posts, t-zero)
			last = max(last, t-zero)
		}
		a.sources = append(a.sources, q)
	}
	a.weeks = int((min(end, last) + weekSeconds) / weekSeconds)
	if !o.Until.IsZero() {
		a.weeks = min(a.weeks, int((o.Until.Unix()-origin)/weekSeconds))
	}
	if a.weeks < 2 && !o.Until.IsZero() {
		return nil, fmt.Errorf("--until %s: less than two weeks of the trace end by then; it begins on %s",
			o.Until.Format(time.DateOnly), time.Unix(origin, 0).UTC().Format(time.DateOnly))
	}
	if a.weeks < 2 {
		return nil, errors.New("the trace is shorter than two weeks")
	}
	if a.weeks > maxWeeks {
		return nil, fmt.Errorf("the trace spans %d weeks, more than %d", a.weeks, maxWeeks)
	}
	a.index()
	a.sample(o)
	return a, nil
}

// overlap says that every source and person shares a moment: then the times are
// taken as they are. Traces put together from different years are not.
func overlap(posts []Source, people []Person) bool {
	first, last := int64(0), int64(1<<62)
	for _, s := range posts {
		first, last = max(first, s.Posts[0]), min(last, s.Posts[len(s.Posts)-1])
	}
	for _, p := range people {
		first, last = max(first, p.Looks[0].Unix), min(last, p.Looks[len(p.Looks)-1].Unix)
	}
	return first < last
}

// heavyShare of all posts come from sources that are played with everybody; the
// sample is drawn from the many that post little. A sum over feeds would otherwise
// hang on whether the few busy ones were drawn.
const heavyShare = 0.9

// sample weighs the pairs: all, or about o.Pairs of them, each of those that were
// drawn standing for those of its source that were not.
func (a *axis) sample(o ScheduleOptions) {
	people := len(a.people)
	order := make([]int, len(a.sources))
	total := 0
	for i := range order {
		order[i] = i
		total += len(a.sources[i].posts)
	}
	sort.SliceStable(order, func(i, j int) bool {
		return len(a.sources[order[i]].posts) > len(a.sources[order[j]].posts)
	})
	a.weight = make([][]float64, len(a.sources))
	sum, full := 0, 0
	for n, i := range order {
		a.weight[i] = make([]float64, people)
		heavy := float64(sum) < heavyShare*float64(total) && (full+1)*people <= o.Pairs*2/3
		sum += len(a.sources[i].posts)
		draw := people
		if !o.Full && !heavy && o.Pairs < len(order)*people {
			draw = min(max((o.Pairs-full*people)/(len(order)-full), 1), people)
		} else if heavy {
			full = n + 1
		}
		r := rand.New(rand.NewPCG(o.Seed, uint64(i)))
		for _, p := range r.Perm(people)[:draw] {
			a.weight[i][p] = float64(people) / float64(draw)
		}
		a.pairs += draw
	}
}

func (a *axis) index() {
	for i := range a.sources {
		s := &a.sources[i]
		s.before = make([]int32, a.weeks*slotsPerWeek+1)
		j := 0
		for k := range s.before {
			for j < len(s.posts) && s.posts[j] < int64(k)*slotSeconds {
				j++
			}
			s.before[k] = int32(j)
		}
	}
	for i := range a.people {
		p := &a.people[i]
		p.week = make([]int, a.weeks+1)
		j := 0
		for w := range p.week {
			for j < len(p.looks) && p.looks[j].Unix < int64(w)*weekSeconds {
				j++
			}
			p.week[w] = j
		}
	}
}

// here counts the posts that were out at each look.
func (s *series) here(looks []scheduler.Event) []int32 {
	out := make([]int32, len(looks))
	j := 0
	for i, l := range looks {
		for j < len(s.posts) && s.posts[j] <= l.Unix {
			j++
		}
		out[i] = int32(j)
	}
	return out
}

// postsIn counts the posts of the weeks from on.
func (s *series) postsIn(from, to int) int {
	return int(s.before[to*slotsPerWeek] - s.before[from*slotsPerWeek])
}

// offsetAt is the person's last known zone before the look i.
func (p *person) offsetAt(i int) int32 {
	if len(p.looks) == 0 {
		return 0
	}
	return p.looks[max(i-1, 0)].Offset
}

// toUTC turns a profile by local time of day into one by UTC.
func toUTC(rate *[scheduler.Slots]float64, offset int32) []float64 {
	turn := int(offset) / int(slotSeconds)
	out := make([]float64, scheduler.Slots)
	for k := range out {
		out[k] = rate[((k+turn)%scheduler.Slots+scheduler.Slots)%scheduler.Slots]
	}
	return out
}
