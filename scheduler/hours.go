package scheduler

import "math"

// minRate is a post in four weeks, by the hour: below it an estimate could neither
// divide nor rise again.
const minRate = 1.0 / (fullDays * 24)

// profileOfHours spreads the hours over slots, linearly between their middles.
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
