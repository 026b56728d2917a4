package ranking

import "math"

// view is the model at one moment: what scoring reads, computed once for a whole
// list. Virtual rejections change a view, never the beliefs.
type view struct {
	b           *Beliefs
	k           int // track
	set         Setting
	cal         calibration
	m0, logit   float64
	agreement   float64
	folders     []folderSum // by feature
	alpha, beta []float64   // by feature
	l           []float64   // log(α/β) − logit m0; 0 where too little is known to count
	bayes       []float64   // the same by naive Bayes
	base, faith float64     // its logit of no feature, and for how much it counts
	up          []float64   // of a feed: what is added to the logit to find out
}

// folderSum adds up a folder's feeds: their worth, and their rates times worth.
type folderSum struct{ w, x float64 }

// feedRate is one feed's rate and how much it is worth, 0 to 1.
func (w *view) feedRate(id int32) (rate, worth float64) {
	p := w.b.cur.at(id, w.k)
	n := p.a + p.b
	if n <= 0 {
		return 0, 0
	}
	return p.a / n, n / (n + PriorStrength)
}

func (b *Beliefs) view() *view {
	s := &b.cur
	n := len(b.names.list)
	w := &view{b: b, k: s.chosen, set: grid[s.chosen], cal: s.cal, m0: s.rate(s.chosen)}
	w.logit = math.Log(w.m0 / (1 - w.m0))
	buf := make([]float64, 5*n)
	w.alpha, w.beta, w.l, w.bayes, w.up = buf[:n:n], buf[n:2*n:2*n], buf[2*n:3*n:3*n], buf[3*n:4*n:4*n], buf[4*n:]
	w.base, w.faith = s.naive()
	w.agree()
	for id := range b.names.list {
		w.prepare(int32(id))
	}
	return w
}

// agree measures how much feeds of one folder are alike: the covariance of their
// rates over their variance (the intraclass correlation). Chance in single feeds
// cancels in the products of two feeds, so few showings do not look like
// agreement.
func (w *view) agree() {
	names := &w.b.names
	w.folders = make([]folderSum, len(names.list))
	var sum, weight float64
	for id := range w.b.cur.f {
		if names.list[id].of == Feed {
			r, v := w.feedRate(int32(id))
			sum += v * r
			weight += v
		}
	}
	if weight == 0 {
		return
	}
	mean := sum / weight
	var within, pairs, variance, worth float64
	for id := range w.b.cur.f {
		f := names.folder[id]
		if names.list[id].of != Feed || f < 0 {
			continue
		}
		r, v := w.feedRate(int32(id))
		w.folders[f].w += v
		w.folders[f].x += v * r
		d := r - mean
		within -= v * v * d * d
		pairs -= v * v
		variance += v * d * d
		worth += v
	}
	// In the order of their names: which folder was met first must not show in the
	// last bit of a sum.
	for _, id := range w.b.names.sorted(Folder) {
		f := w.folders[id]
		d := f.x - f.w*mean
		within += d * d
		pairs += f.w * f.w
	}
	// One pair's worth of "no agreement" is added: two feeds prove nothing.
	if pairs > 0 && variance > 0 {
		w.agreement = min(max(within/(pairs+1)/(variance/worth), 0), 1)
	}
}

// priorOf is the mean of a feed's prior: the overall rate, moved towards what the
// other feeds of its folder say as far as folders agree at all. The feed itself is
// left out, or it would be its own witness.
func (w *view) priorOf(feed int32) float64 {
	f := w.b.names.folder[feed]
	if f < 0 || w.agreement == 0 {
		return w.m0
	}
	r, v := w.feedRate(feed)
	worth, sum := w.folders[f].w-v, w.folders[f].x-v*r
	return min(max(w.m0+w.agreement*(sum-worth*w.m0)/(1+w.agreement*worth), MinRate/2), 1-MinRate/2)
}

// strength is what a feed's prior is worth in showings.
func (w *view) strength(feed int32) float64 {
	if w.b.names.folder[feed] < 0 {
		return PriorStrength
	}
	return PriorStrength + float64(FolderStrength*w.agreement)
}

// prepare fills in one feature.
func (w *view) prepare(id int32) {
	of, m := w.b.names.list[id].of, w.m0
	if of == Folder {
		return
	}
	if of == Feed {
		m = w.priorOf(id)
	}
	p := w.b.cur.at(id, w.k)
	n := PriorStrength
	if of == Feed {
		n = w.strength(id)
	}
	w.alpha[id], w.beta[id] = float64(n*m)+p.a, float64(n*(1-m))+p.b
	w.odds(id)
	if of == Feed {
		w.up[id] = upOf(w.set, w.m0, w.alpha[id], w.beta[id])
	}
	if of != Author && !w.silent(id) {
		opened, passed := w.b.cur.naiveCounts(id)
		w.bayes[id] = math.Log(opened/passed) - w.base
	}
}

// odds turns a pair into what scoring adds up. A word that was hardly shown, and
// an author nothing was taught about, say nothing.
func (w *view) odds(id int32) {
	if w.silent(id) {
		w.l[id] = 0
		return
	}
	w.l[id] = math.Log(w.alpha[id]/w.beta[id]) - w.logit
}

func (w *view) silent(id int32) bool {
	of := w.b.names.list[id].of
	return of == Word && !w.b.cur.enough(id) || of == Author && !w.b.cur.trained(id)
}

// enough tells whether a word was shown often enough to count, or taught.
func (s *state) enough(id int32) bool {
	return int(id) < len(s.f) && (s.f[id].shown >= WordsFrom || s.trained(id))
}

// trained reports whether a user, or an import, said something about a feature.
func (s *state) trained(id int32) bool {
	return int(id) < len(s.f) && (s.f[id].given != small{} || s.f[id].shown == 0 && s.f[id].p[0] != small{})
}

// FeedMeans is FeedMean of several feeds at the price of one.
func (b *Beliefs) FeedMeans(feeds []string) []float64 {
	out := make([]float64, len(feeds))
	w := b.view()
	for i, feed := range feeds {
		out[i] = w.m0
		if id := b.names.find(Feed, feed); id >= 0 {
			out[i] = w.alpha[id] / (w.alpha[id] + w.beta[id])
		}
	}
	return out
}

// Weights are the scheduler's: FeedMean of each feed, or 1 for all of them until
// [OpensNeeded] items were opened, so that 1 never stands beside learned weights.
func (b *Beliefs) Weights(feeds []string) []float64 {
	if b.Opens() >= OpensNeeded {
		return b.FeedMeans(feeds)
	}
	out := make([]float64, len(feeds))
	for i := range out {
		out[i] = 1
	}
	return out
}
