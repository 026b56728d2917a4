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
	spread := w.s[v.feed]
	if v.author >= 0 {
		raw += w.l[v.author]
		spread += w.s[v.author]
	}
	if v.cats > 0 {
		c := v.categoryWeight()
		for _, id := range v.categories() {
			raw += float64(c * w.l[id])
			spread += float64(c * c * w.s[id])
		}
	}
	for i, id := range v.learned() {
		c := v.soft[i]
		raw += float64(c * w.l[id])
		spread += float64(c * c * w.s[id])
	}
	if words := v.words(); len(words) > 0 {
		c := v.wordWeight()
		for _, id := range words {
			raw += float64(c * w.l[id])
		}
	}
	score, chance, bonus = combine(raw, spread, w.set.Explore, &w.cal, v.again)
	return score, chance, bonus, raw
}

// combine clamps the logit, calibrates it, and adds the bonus λ(p(1−p))²·spread: for one
// feature λ·Var·(n+1)/n, the paper's. The calibrated logit varies by the slope.
func combine(raw, spread, lambda float64, cal *calibration, again bool) (score, chance, bonus float64) {
	chance = 1 / (1 + math.Exp(-cal.of(raw, again)))
	q := float64(chance * (1 - chance) * cal.slope)
	bonus = float64(lambda * q * q * spread)
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
}
