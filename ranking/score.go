package ranking

import "math"

// score is part 2 of the shipped model: the features' log odds added to the
// reader's own, and the value of finding out. raw is the unclamped logit. Products
// are rounded before they are added (float64(...)), so that no machine fuses the
// two and every machine gives the same order.
func (w *view) score(v *Vector) (score, chance, bonus, raw float64) {
	if w.b.cur.flag(v.feed)&excluded != 0 {
		return w.m0, w.m0, 0, w.logit
	}
	raw = w.logit + w.l[v.feed]
	if v.author >= 0 {
		raw += w.l[v.author]
	}
	if v.cats > 0 {
		c := v.categoryWeight()
		for _, id := range v.categories() {
			raw += float64(c * w.l[id])
		}
	}
	for i, id := range v.learned() {
		c := v.soft[i]
		raw += float64(c * w.l[id])
	}
	if words := v.words(); len(words) > 0 {
		c := v.wordWeight()
		for _, id := range words {
			raw += float64(c * w.l[id])
		}
	}
	score, chance, bonus = combine(&sums{raw, w.naive(v), v.again}, w.up[v.feed], &w.cal)
	return score, chance, bonus, raw
}

// naive is the logit by naive Bayes: nothing is forgotten, one is added to each count, and each
// feature counts in full. It orders better where nothing drifts and features say nothing of each
// other.
func (w *view) naive(v *Vector) float64 {
	sum := w.base
	for i, id := range v.ids {
		sum += float64(v.share(i) * w.bayes[id])
	}
	return float64(w.faith * clamp(sum))
}

// upOf is what is added to the logit of a feed with this pair to find out about it: its odds are
// multiplied by what the printed score multiplies the mean with, 1 + λβ/((α+β)(α+β+1)), which adds
// λ times the variance of the posterior to it (Sia 2009, section 3.3). Odds stay odds, where a mean
// would pass 1.
//
// Where nothing is forgotten the prior is another one for this: one opened item, and passed
// over the root of half the odds against opening. Of a feed of which little is known that
// promises more than its chance, as naive Bayes does by adding one to each count; of one that
// was passed over now and then it may promise less.
func upOf(set Setting, m0, alpha, beta float64) float64 {
	was := alpha / beta
	if set.Keep == 1 {
		passed := math.Sqrt((1 - m0) / (2 * m0))
		alpha = max(alpha-float64(PriorStrength*m0), 0) + 1
		beta = max(beta-float64(PriorStrength*(1-m0)), 0) + passed
	}
	n := alpha + beta
	return math.Log(alpha / beta / was * (1 + float64(set.Explore*beta/(n*(n+1)))))
}

// combine clamps the logit, calibrates it, and adds the value of finding out: how much larger
// the chance were with up more.
func combine(x *sums, up float64, cal *calibration) (score, chance, bonus float64) {
	chance = 1 / (1 + math.Exp(-cal.of(x)))
	more := *x
	more.raw += up
	bonus = 1/(1+math.Exp(-cal.of(&more))) - chance
	return chance + bonus, chance, bonus
}

// reject takes a row placed on the page for a rejection to come: its features'
// next rows must be better by that much.
func (w *view) reject(v *Vector, g float64) {
	for i, id := range v.ids {
		if !w.silent(id) {
			w.beta[id] += float64(v.share(i) * g)
			w.odds(id)
		}
	}
	w.up[v.feed] = upOf(w.set, w.m0, w.alpha[v.feed], w.beta[v.feed])
}
