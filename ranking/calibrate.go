package ranking

import "math"

// calibration maps the logit of a chance to one that is right as often as it says (Platt
// 1999): slope times it, plus offset, plus again for an item that was shown in an earlier
// sitting and is still there. Words and categories of one item are not independent, so
// their log odds added up say too much; by how much, the log tells. Each row that was shown
// is foretold before its outcome is known, and the map then follows it: a Kalman filter of
// three numbers that drift. Where rows are read with chance g an opening has the chance g
// times that.
type calibration struct {
	slope, offset, again float64
	cov                  [3][3]float64 // how well they are known
}

// What is not known at first of each of the three, and how far it drifts with each row.
var (
	calPrior = [3]float64{1. / 40, 1. / 10, 1}
	calDrift = [3]float64{2e-6, 5e-6, 5e-6}
)

const (
	minSlope  = .1
	maxSlope  = 2.
	maxOffset = 4.
)

// newCalibration is what is said before anything came of it: that items have several words,
// and that what was passed over is opened a third as often.
func newCalibration() calibration {
	c := calibration{slope: .7, again: -1}
	for i, x := range calPrior {
		c.cov[i][i] = x
	}
	return c
}

// of is the calibrated logit.
func (c *calibration) of(raw float64, again bool) float64 {
	z := float64(c.slope*min(max(raw, -MaxLogit), MaxLogit)) + c.offset
	if again {
		z += c.again
	}
	return z
}

// learn takes in the outcome of a row that was said to have the logit raw, if read.
func (c *calibration) learn(raw float64, again bool, g float64, opened bool) {
	p := 1 / (1 + math.Exp(-c.of(raw, again)))
	step := 1 - p // the slope of the log likelihood
	if !opened {
		step = -float64(g*p) * (1 - p) / (1 - float64(g*p))
	}
	info := float64(g*p) * (1 - p) * (1 - p) / (1 - float64(g*p))
	x := [3]float64{min(max(raw, -MaxLogit), MaxLogit), 1, 0}
	if again {
		x[2] = 1
	}
	var to [3]float64 // cov times x
	spread := 0.
	for i := range to {
		c.cov[i][i] = min(c.cov[i][i]+calDrift[i], calPrior[i])
		for j, v := range x {
			to[i] += float64(c.cov[i][j] * v)
		}
		spread += float64(to[i] * x[i])
	}
	k := info / (1 + float64(info*spread))
	for i := range to {
		for j := range to {
			c.cov[i][j] -= float64(k * to[i] * to[j])
		}
	}
	step /= 1 + float64(info*spread)
	c.slope = min(max(c.slope+float64(step*to[0]), minSlope), maxSlope)
	c.offset = min(max(c.offset+float64(step*to[1]), -maxOffset), maxOffset)
	c.again = min(max(c.again+float64(step*to[2]), -maxOffset), 0)
}

// Again is the vector of an item that was shown in an earlier sitting, or was not.
func (v Vector) Again(shown bool) Vector {
	v.again = shown
	return v
}

// ShownBefore reports whether an item was shown before the sitting that is under way, given
// whether it ever was.
func (b *Beliefs) ShownBefore(id uint64, ever bool) bool {
	if at, ok := b.cur.seenAt[id]; ok {
		return b.cur.seen[at].again
	}
	return ever
}

// logit is the logit of an item's chance as score adds it up, but with the overall rate
// as the prior of its feed: what folders agree on is known to a view alone.
func (s *state) logit(v *Vector) float64 {
	k := s.chosen
	m := s.rate(k)
	base := math.Log(m / (1 - m))
	ratio := func(id int32) float64 {
		p := s.at(id, k)
		return (float64(PriorStrength*m) + p.a) / (float64(PriorStrength*(1-m)) + p.b)
	}
	raw := math.Log(ratio(v.feed))
	if v.author >= 0 && s.taught(v.author) {
		raw += math.Log(ratio(v.author)) - base
	}
	if v.cats > 0 {
		product := 1.
		for _, id := range v.categories() {
			product *= ratio(id)
		}
		raw += float64(v.categoryWeight() * (math.Log(product) - float64(float64(v.cats)*base)))
	}
	for i, id := range v.learned() {
		raw += float64(v.soft[i] * (math.Log(ratio(id)) - base))
	}
	product, n, sum := 1., 0, 0.
	for _, id := range v.words() {
		if !s.enough(id) {
			continue
		}
		n++
		if product *= ratio(id); product < 1e-200 || product > 1e200 {
			sum += math.Log(product)
			product = 1
		}
	}
	if n > 0 {
		raw += float64(v.wordWeight() * (sum + math.Log(product) - float64(float64(n)*base)))
	}
	return raw
}
