package scheduler

import "math"

const (
	minAlpha = 0.02
	// minRate is a post in four weeks, by the hour: below it an estimate
	// could neither divide nor rise again.
	minRate = 1.0 / (fullDays * 24)
)

// smoothing is α by the hours since the last fetch: .02-.05 at an hour, .05-.1
// at 4-8 hours, .2 at a day.
func smoothing(hours float64) float64 {
	return math.Min(math.Max(0.035*math.Pow(hours, 0.55), minAlpha), 0.2)
}

func (s *Single) observe(hours float64, items int) {
	if hours <= 0 {
		return
	}
	a := smoothing(hours)
	s.PerHour = math.Max(a*float64(items)/hours+(1-a)*s.PerHour, minRate)
}

// covered is how many hours of [from, to) fall into each hour of the UTC day.
func covered(from, to int64) (out [24]float64) {
	if to <= from {
		return out
	}
	whole := (to - from) / day
	for h := range out {
		out[h] = float64(whole)
	}
	for t := from + whole*day; t < to; {
		next := min(t-((t%3600)+3600)%3600+3600, to)
		out[((t%day)+day)%day/3600] += float64(next-t) / 3600
		t = next
	}
	return out
}

func (p *Periodic) expect(from, to int64) float64 {
	sum := 0.0
	for h, c := range covered(from, to) {
		sum += c * math.Max(p.PerHour[h], minRate)
	}
	return sum
}

// observe gives each hour its expected share of what came. The printed update
// divides by an expectation that may be 0, never revives an hour that reached 0,
// and moves an hour of which the interval touched a minute as much as the rest:
// rates have a floor here, and an hour moves by the part of it that was covered.
func (p *Periodic) observe(from, to int64, items int) {
	div := p.expect(from, to)
	if div <= 0 {
		return
	}
	a := smoothing(float64(to-from) / 3600)
	for h, c := range covered(from, to) {
		step := 1 - math.Pow(1-a, c)
		rate := math.Max(p.PerHour[h], minRate)
		p.PerHour[h] = math.Max(step*rate*float64(items)/div+(1-step)*rate, minRate)
	}
}

// profile spreads the hours over slots, linearly between their middles.
func profileOfHours(hours *[24]float64, days float64, events int) *Profile {
	const per = Slots / 24
	out := &Profile{Days: days, Events: events}
	for k := range out.Rate {
		x := (float64(k)+0.5)/per - 0.5
		h := int(math.Floor(x))
		f := x - float64(h)
		r := (1-f)*hours[(h+24)%24] + f*hours[(h+25)%24]
		out.Rate[k] = math.Max(r, minRate) / per
	}
	return out
}

// classify follows the thresholds of algorithms found to separate the three
// shapes of Horincar 2012, section 5; see ShapeOf.
func classify(hours *[24]float64) Shape {
	n := 0.0
	for _, x := range hours {
		n += x
	}
	if n < 120 {
		return ShapeUnknown
	}
	if chiSquare(hours, n) < flatChi {
		return ShapeUniform
	}
	mean := n / 24
	outside, above := 0, 0
	top := [3]float64{}
	for _, x := range hours {
		if x < mean/2 || x > 2*mean {
			outside++
		}
		if x > 2*mean {
			above++
		}
		for i := range top {
			if x > top[i] {
				x, top[i] = top[i], x
			}
		}
	}
	if outside >= 16 && above <= 6 && top[0]+top[1]+top[2] >= 0.4*n {
		return ShapePeaks
	}
	return ShapeWaves
}
