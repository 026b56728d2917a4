package ranking

import "math"

// calibration maps the logit of a chance to one that is right as often as it says (Platt
// 1999): slope times it, plus offset, plus again for an item that was shown in an earlier
// session and is still there. Words and categories of one item are not independent, so
// their log odds added up say too much; by how much, the log tells. Each row that was shown
// is predicted before its outcome is known, and the map then follows it: a Kalman filter of
// four numbers that drift. Where rows are read with chance g an opening has the chance g
// times that. The fourth, bayes, is how much of the logit by naive Bayes is added (stacking,
// Wolpert 1992): 0 at first, and more on logs that it predicts better.
type calibration struct {
	slope, offset, again, bayes float64
	cov                         [4][4]float64 // how well they are known
}

// What is not known at first of each of the four, and how far it drifts with each row.
var (
	calPrior = [4]float64{1. / 40, 1. / 10, 1, 1. / 100}
	calDrift = [4]float64{2e-6, 5e-6, 5e-6, 2e-6}
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

// of is the calibrated logit, naive Bayes included.
func (c *calibration) of(x *sums) float64 {
	z := float64(c.slope*clamp(x.raw)) + float64(c.bayes*x.bayes) + c.offset
	if x.again {
		z += c.again
	}
	return z
}

// learn takes in the outcome of a row, of which these sums were said.
func (c *calibration) learn(row *sums, g float64, opened bool) {
	p := 1 / (1 + math.Exp(-c.of(row)))
	step := 1 - p // the slope of the log likelihood
	if !opened {
		step = -float64(g*p) * (1 - p) / (1 - float64(g*p))
	}
	info := float64(g*p) * (1 - p) * (1 - p) / (1 - float64(g*p))
	x := [4]float64{clamp(row.raw), 1, 0, row.bayes}
	if row.again {
		x[2] = 1
	}
	var to [4]float64 // cov times x
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
	c.bayes = min(max(c.bayes+float64(step*to[3]), 0), maxSlope)
}

// sums are what is known of an item before the map: the logit as the features add it up,
// and that of naive Bayes.
type sums struct {
	raw, bayes float64
	again      bool // it was shown in an earlier session
}

func clamp(logit float64) float64 { return min(max(logit, -MaxLogit), MaxLogit) }

// Again is the vector of an item that was shown in an earlier session, or was not.
func (v Vector) Again(shown bool) Vector {
	v.again = shown
	return v
}

// ShownBefore reports whether an item was shown before the session that is under way, given
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
	if v.author >= 0 && s.trained(v.author) {
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

// naive is the logit by naive Bayes of an item of no feature, and for how much naive Bayes
// counts: less where forgetting predicted better of late, by the root of the likelihood ratio.
func (s *state) naive() (base, faith float64) {
	t := &s.total[plainTrack]
	return math.Log((t.a + 1) / (t.b + 1)), math.Exp(min(s.loss[s.chosen]-s.loss[plainTrack], 0) / 2)
}

// naiveCounts are a feature's by naive Bayes: opened and not opened, one added to each.
func (s *state) naiveCounts(id int32) (opened, passed float64) {
	if int(id) >= len(s.f) {
		return 1, 1
	}
	e := &s.f[id]
	return 1 + float64(e.p[plainTrack].a) + float64(e.given.a), 1 + float64(e.p[plainTrack].b) + float64(e.given.b)
}

// naiveLogit is what naive of a view gives, with few logarithms.
func (s *state) naiveLogit(v *Vector) float64 {
	base, faith := s.naive()
	opened, passed, sum := 1., 1., base
	words := int(1 + v.cats + v.topics)
	for i, id := range v.ids {
		if i >= words && !s.enough(id) {
			continue
		}
		a, b := s.naiveCounts(id)
		if i > int(v.cats) && i < words {
			sum += float64(v.share(i) * (math.Log(a/b) - base))
			continue
		}
		sum -= base
		opened, passed = opened*a, passed*b
		if opened > 1e200 || passed > 1e200 {
			sum += math.Log(opened / passed)
			opened, passed = 1, 1
		}
	}
	return float64(faith * clamp(sum+math.Log(opened/passed)))
}
