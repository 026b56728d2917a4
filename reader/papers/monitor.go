package papers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"time"

	"diurna/ranking/topics"
	"diurna/reader/wording"
	"diurna/scheduler"
	"diurna/scheduler/online"
)

// MonitorOptions chooses what Monitor plays.
type MonitorOptions struct {
	Streams []Stream  // nil: a made-up trace
	Weeks   int       // of the streams; 0: 4
	Window  int       // W, items of a profile; 0: 20
	Shown   int       // items that a feed's document holds; 0: 20
	Beta    float64   // of the novelty filter (Eq. 7)
	Budgets []float64 // probes per channel and day; none: 1, 2, 4
	Seed    uint64
}

const (
	tick = hour // between the decisions of a policy with a budget

	firstRate = .25     // λ₀ of Eq. 5, probes an hour; the paper chooses it arbitrarily
	leastRate = 1. / 96 // floor of λ: one probe in four days
)

// watched is one channel as a policy knows it.
type watched struct {
	profile topics.Profile
	have    int     // items taken in or lost
	last    int64   // last probe, seconds
	novel   int     // novel items taken in
	posts   []int64 // what was taken in, by time: all items, and the novel ones
	news    []int64
	learner online.Learner
	like    float64 // of its profile and the best one, since then
	since   int64
	sum     float64 // of like over time
}

// monitor is one policy over all channels.
type monitor struct {
	o        *MonitorOptions
	streams  []Stream
	optimal  *optimum
	seen     *topics.Seen
	channels []watched
	content  bool // rates are learned from novel items

	probes, lost int
	delay        float64 // summed over items taken in, hours
	taken        int
}

// optimum is the profiles of a policy that probes after each item.
type optimum struct {
	seen     *topics.Seen
	profiles []topics.Profile
	have     []int
}

func (o *MonitorOptions) profile(seen *topics.Seen) topics.Profile {
	return topics.Profile{Window: o.Window, Beta: o.Beta, Seen: seen}
}

func newMonitor(o *MonitorOptions, streams []Stream, content, printed bool) *monitor {
	best := &optimum{seen: topics.NewSeen(nil), profiles: make([]topics.Profile, len(streams)), have: make([]int, len(streams))}
	m := &monitor{o: o, streams: streams, optimal: best, content: content, channels: make([]watched, len(streams))}
	m.seen = topics.NewSeen(best.seen)
	for i := range streams {
		best.profiles[i] = o.profile(best.seen)
		m.channels[i].like = 1
		m.channels[i].profile = o.profile(m.seen)
		m.channels[i].learner = online.Learner{Rate: firstRate, Floor: leastRate, Printed: printed}
		if printed {
			m.channels[i].learner.Floor = 0
		}
	}
	return m
}

// publish takes in the items of a channel up to now for the best profile.
func (m *monitor) publish(i int, now int64) {
	b, items := m.optimal, m.streams[i].Items
	for b.have[i] < len(items) && items[b.have[i]].At <= now {
		m.settle(i, items[b.have[i]].At)
		b.profiles[i].Add(items[b.have[i]].Words)
		b.have[i]++
		m.compare(i)
	}
}

// settle adds up Eq. 4 until now; compare measures again.
func (m *monitor) settle(i int, now int64) {
	c := &m.channels[i]
	c.sum += c.like * float64(now-c.since)
	c.since = now
}

func (m *monitor) compare(i int) {
	m.channels[i].like = 1 // where there was no item yet there is nothing to miss
	if m.optimal.have[i] > 0 {
		m.channels[i].like = m.optimal.profiles[i].Like(&m.channels[i].profile)
	}
}

// probe takes in what the document of a channel holds.
func (m *monitor) probe(i int, now int64) {
	m.publish(i, now)
	m.settle(i, now)
	c, out := &m.channels[i], m.optimal.have[i]
	if lost := out - c.have - m.o.Shown; lost > 0 {
		m.lost += lost
		c.have += lost
	}
	fresh, novel := 0, 0
	for ; c.have < out; c.have++ {
		item := &m.streams[i].Items[c.have]
		c.posts = append(c.posts, item.At)
		if _, is := c.profile.Add(item.Words); is {
			c.news = append(c.news, item.At)
			novel++
		}
		m.delay += float64(now-item.At) / float64(hour)
		m.taken++
		fresh++
	}
	c.novel += novel
	if m.content {
		fresh = novel
	}
	if hours := float64(now-c.last) / float64(hour); hours > 0 {
		c.learner.Observe(float64(now)/float64(hour), hours, fresh)
	}
	c.last = now
	m.probes++
	m.compare(i)
}

// end has Eq. 4, the mean over channels of the mean over time, and each channel's.
func (m *monitor) end(until int64) (quality float64, each []float64) {
	for i := range m.channels {
		m.publish(i, until)
		m.settle(i, until)
		each = append(each, m.channels[i].sum/float64(until))
		quality += each[i] / float64(len(m.channels))
	}
	return quality, each
}

// byRates plays channels each of which is probed at the moments that its own rate
// gives (Roitman 2008, section 5): a fixed one, or the learned one where rates is nil.
func (m *monitor) byRates(rates []float64, until int64) (quality float64, each, probes []float64) {
	next := make([]float64, len(m.channels))
	probes = make([]float64, len(m.channels))
	rate := func(i int) float64 {
		if rates != nil {
			return rates[i]
		}
		return m.channels[i].learner.Rate
	}
	for i := range next {
		next[i] = float64(hour) / rate(i)
	}
	for now := int64(0); now <= until; now += 600 {
		for i := range m.channels {
			for next[i] <= float64(now) {
				m.probe(i, int64(next[i]))
				probes[i]++
				if rate(i) == 0 {
					next[i] = math.Inf(1)
					break
				}
				next[i] += float64(hour) / rate(i)
			}
			m.publish(i, now)
		}
	}
	quality, each = m.end(until)
	return quality, each, probes
}

// choice says which channels are probed at a tick, n of them.
type choice func(m *monitor, now int64, n int) []int

// byBudget plays perDay probes of each channel and day, as many at each tick as the
// budget then has (Roitman 2008, section 6).
func (m *monitor) byBudget(ctx context.Context, perDay float64, until int64, choose choice) (float64, error) {
	left := 0.
	for now := int64(0); now < until; now += tick {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		left += perDay * float64(len(m.channels)) * float64(tick) / float64(day)
		n := int(left + 1e-9)
		left -= float64(n)
		for i := range m.channels {
			m.publish(i, now)
		}
		for _, i := range choose(m, now, n) {
			m.probe(i, now)
		}
	}
	quality, _ := m.end(until)
	return quality, nil
}

func inTurn() choice {
	next := 0
	return func(m *monitor, _ int64, n int) (out []int) {
		for range min(n, len(m.channels)) {
			out = append(out, next)
			next = (next + 1) % len(m.channels)
		}
		return out
	}
}

func (m *monitor) rates() (rates []float64, last []int64) {
	for i := range m.channels {
		rates = append(rates, m.channels[i].learner.Rate)
		last = append(last, m.channels[i].last)
	}
	return rates, last
}

func greedy(m *monitor, _ int64, n int) []int {
	rates, last := m.rates()
	return online.Greedy(rates, last, n)
}

// fair draws by rates, which with refined are those of Eq. 10: similar is the mean over
// days of the profiles' similarities (Eq. 9).
func fair(seed uint64, refined bool) choice {
	r := rand.New(rand.NewPCG(seed, 0x66616972))
	var similar []float64
	days := 0.
	return func(m *monitor, now int64, n int) []int {
		rates, _ := m.rates()
		if refined {
			k := len(rates)
			if similar == nil {
				similar = make([]float64, k*k)
			}
			if now%day == 0 {
				days++
				for i := range k {
					for j := range i + 1 {
						s := m.channels[i].profile.Like(&m.channels[j].profile)
						if i == j {
							s = 1
						}
						similar[i*k+j] += (s - similar[i*k+j]) / days
						similar[j*k+i] = similar[i*k+j]
					}
				}
			}
			rates = online.Refine(rates, similar)
		}
		return online.Fair(rates, n, r)
	}
}

// planEvery is how long a plan is carried out before the next is made.
const planEvery = 6 * hour

// planned is the planner of the program, for a reader who may look at any time. With
// novel its λ is learned from novel items only.
func planned(perDay float64, novel bool, seed uint64) choice {
	var (
		due     []scheduler.Slot
		memory  scheduler.Memory
		used    int
		sources []scheduler.Source
	)
	return func(m *monitor, now int64, n int) (out []int) {
		at := time.Unix(now, 0).UTC()
		if sources == nil {
			for i := range m.channels {
				sources = append(sources, scheduler.Source{ID: m.streams[i].ID, Window: m.o.Shown})
			}
		}
		if now%day == 0 {
			used = 0
		}
		if now%planEvery == 0 {
			for i := range m.channels {
				c := &m.channels[i]
				posts := c.posts
				if novel {
					posts = c.news
				}
				if c.taken() {
					typical := scheduler.LearnPosts(posts, 0, now)
					sources[i].LastFetch = time.Unix(c.last, 0).UTC()
					sources[i].Posts = scheduler.ForecastPosts(typical, posts, 0, c.last, now)
				}
			}
			b := scheduler.Budget{PerDay: int(perDay*float64(len(sources)) + .5), Used: used, DayEnds: at.Add(time.Duration(day-now%day) * time.Second)}
			due = scheduler.Plan(nil, sources, b, scheduler.Options{PlanFor: scheduler.PlanForLooks, Seed: seed, Memory: &memory}, at).Slots
		}
		for len(due) > 0 && due[0].At.Unix() < now+tick {
			out = append(out, due[0].Source)
			due = due[1:]
		}
		used += len(out)
		return out
	}
}

// taken says that the channel was probed before.
func (c *watched) taken() bool { return c.last > 0 || c.have > 0 }

// Monitor plays how channel profiles are kept up to date (Roitman, Carmel and Yom-Tov
// 2008): off-line and on-line rates of single channels with and without the filter of
// novel items, then policies that share a budget, beside the planner of the program.
func Monitor(ctx context.Context, o MonitorOptions) (*Report, error) {
	if o.Weeks == 0 {
		o.Weeks = 4
	}
	if o.Window == 0 {
		o.Window = 20
	}
	if o.Shown == 0 {
		o.Shown = 20
	}
	if len(o.Budgets) == 0 {
		o.Budgets = []float64{1, 2, 4}
	}
	list, made := streams(o.Streams, o.Weeks, o.Seed)
	until := int64(o.Weeks) * week
	out := &Report{Seed: o.Seed}
	items := 0
	for i := range list {
		items += len(list[i].Items)
	}
	out.Lines = append(out.Lines, fmt.Sprintf("%s, %s in %s, profiles of %s, documents of %d", wording.Plural(len(list), "channel"), wording.Plural(items, "item"), wording.Plural(o.Weeks, "week"), wording.Plural(o.Window, "item"), o.Shown))
	if made {
		out.Lines = append(out.Lines, "the texts are made up")
	}
	if err := o.single(ctx, out, list, until); err != nil {
		return nil, err
	}
	less := Table{Name: "novel_only", Title: "The planner with λ of novel items only (plan_novel), less the planner", Columns: []string{"budget", "probes_more", "quality_gain", "delay_hours_more", "lost_items_more"}}
	for _, perDay := range o.Budgets {
		t := Table{Name: fmt.Sprintf("budget_%g", perDay), Title: fmt.Sprintf("%g probes per channel and day", perDay), Columns: []string{"policy", "probes", "quality", "delay_hours", "lost_items"}}
		for _, p := range []struct {
			name    string
			content bool
			choose  choice
		}{
			{"in turn", false, inTurn()},
			{"content-free greedy", false, greedy},
			{"content-free fair", false, fair(o.Seed, false)},
			{"content-based greedy", true, greedy},
			{"content-based fair", true, fair(o.Seed, false)},
			{"content-based fair, Eq. 10", true, fair(o.Seed, true)},
			{"planner", false, planned(perDay, false, o.Seed)},
			{"planner, novel items only", false, planned(perDay, true, o.Seed)},
		} {
			m := newMonitor(&o, list, p.content, false)
			quality, err := m.byBudget(ctx, perDay, until, p.choose)
			if err != nil {
				return nil, err
			}
			t.add(p.name, float64(m.probes), quality, m.delay/float64(max(m.taken, 1)), float64(m.lost))
		}
		out.Tables = append(out.Tables, t)
		all, novel := t.Rows[len(t.Rows)-2].Values, t.Rows[len(t.Rows)-1].Values
		diff := make([]float64, len(all))
		for i := range all {
			diff[i] = novel[i] - all[i]
		}
		less.add(fmt.Sprint(perDay), diff...)
	}
	out.Tables = append(out.Tables, less)
	return out, nil
}

// single is section 5: each channel by itself.
func (o *MonitorOptions) single(ctx context.Context, out *Report, list []Stream, until int64) error {
	hours := float64(until) / float64(hour)
	// A probe after each item counts the novel ones.
	novelOf := func(beta float64, channels *Table) []float64 {
		p := *o
		p.Beta = beta
		m := newMonitor(&p, list, true, false)
		for now := int64(0); now <= until; now += hour {
			for i := range m.channels {
				if c := &m.channels[i]; c.have < len(list[i].Items) && list[i].Items[c.have].At <= now {
					m.probe(i, now)
				}
			}
		}
		rates := make([]float64, len(list))
		for i := range rates {
			c := &m.channels[i]
			rates[i] = max(float64(c.novel)/hours, leastRate)
			if channels != nil {
				mean, deviation := c.profile.Cohesion()
				channels.add(list[i].ID, float64(len(list[i].Items)), mean, deviation, float64(c.novel)/float64(max(len(c.posts), 1)))
			}
		}
		return rates
	}
	channels := Table{Name: "channels", Title: "Channels: cohesion (Eq. 3) and novel items (Eq. 7)", Columns: []string{"channel", "items", "cohesion", "deviation", "novel_share"}}
	novelOf(o.Beta, &channels)
	sort.SliceStable(channels.Rows, func(i, j int) bool { return channels.Rows[i].Values[1] < channels.Rows[j].Values[1] })
	channels.Most = 12
	free := make([]float64, len(list))
	for i := range free {
		free[i] = max(float64(len(list[i].Items))/hours, leastRate)
	}
	m := newMonitor(o, list, false, false)
	quality, eachFree, probesFree := m.byRates(free, until)
	t := Table{Name: "offline", Title: "Off-line: the rate of all items, and of the novel ones with each β", Columns: []string{"rate", "probes", "saved", "quality", "quality_loss", "gain", "channels_at_95"}}
	row := func(t *Table, name string, quality float64, each, probes, eachFree, probesFree []float64) {
		var total, totalFree, loss, gain, good float64
		n := float64(len(each))
		for i := range each {
			total += probes[i]
			totalFree += probesFree[i]
			if eachFree[i] > 0 {
				loss += (1 - each[i]/eachFree[i]) / n
			}
			if probes[i] > 0 {
				gain += (probesFree[i]/probes[i] - 1) / n
			}
			if each[i] >= .95 {
				good += 1 / n
			}
		}
		t.add(name, total, 1-total/totalFree, quality, loss, gain, good)
	}
	row(&t, "all items", quality, eachFree, probesFree, eachFree, probesFree)
	for _, beta := range []float64{-.5, -.25, 0, .1, .25, .5, 1} {
		if err := ctx.Err(); err != nil {
			return err
		}
		m := newMonitor(o, list, true, false)
		quality, each, probes := m.byRates(novelOf(beta, nil), until)
		row(&t, fmt.Sprintf("novel, β %g", beta), quality, each, probes, eachFree, probesFree)
	}
	on := t
	on.Name, on.Title, on.Rows = "online", "On-line: the learned rate (Eq. 5) of all items, and of the novel ones", nil
	m = newMonitor(o, list, false, false)
	quality, eachFree, probesFree = m.byRates(nil, until)
	row(&on, "all items", quality, eachFree, probesFree, eachFree, probesFree)
	for _, printed := range []bool{false, true} {
		m = newMonitor(o, list, true, printed)
		name := fmt.Sprintf("novel, β %g", o.Beta)
		if printed {
			m = newMonitor(o, list, false, true)
			name = "all items, Eq. 5 as printed"
		}
		quality, each, probes := m.byRates(nil, until)
		row(&on, name, quality, each, probes, eachFree, probesFree)
	}
	out.Tables = append(out.Tables, channels, t, on)
	return nil
}
