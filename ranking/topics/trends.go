package topics

import "math"

func sum(x []float64) float64 {
	s := 0.
	for _, a := range x {
		s += a
	}
	return s
}

// Entropy is −Σ p log2 p in bits of weights that need not add up to 1 (Sia 2009,
// Eq. 5.1): how unspecific a word is.
func Entropy(weights []float64) float64 {
	total, h := sum(weights), 0.
	for _, w := range weights {
		if w > 0 {
			h -= w / total * math.Log2(w/total)
		}
	}
	return h
}

// Emergence is ΔH(D|w)/log2 ΔC (Sia 2009, Eq. 5.3) for a word whose occurrences
// in clusters were before and are after: how it spreads for as often as it is used
// more. ok is false where ΔC is below 2.
func Emergence(before, after []float64) (r float64, ok bool) {
	return EntropyRate(Entropy(before), Entropy(after), sum(after)-sum(before))
}

// EntropyRate is Eq. 5.3 for entropies before and after, in bits, and the number of
// uses between them.
func EntropyRate(before, after, more float64) (r float64, ok bool) {
	if more < 2 {
		return 0, false // log2 of 1 is 0, of less it is negative
	}
	return (after - before) / math.Log2(more), true
}

// Jaccard is how much of two sets is shared (Sia 2009, Eq. 5.4): the stability of a
// word's company.
func Jaccard(a, b []string) float64 {
	in := make(map[string]uint8, len(a)+len(b))
	for _, w := range a {
		in[w] |= 1
	}
	for _, w := range b {
		in[w] |= 2
	}
	both := 0
	for _, side := range in {
		if side == 3 {
			both++
		}
	}
	if len(in) == 0 {
		return 0
	}
	return float64(both) / float64(len(in))
}

// share reads component i of a distribution that may be shorter and need not add
// up to 1.
func share(x []float64, i int, total float64) float64 {
	if i >= len(x) || total <= 0 {
		return 0
	}
	return x[i] / total
}

// JensenShannon is the divergence of two distributions in nats, 0 to ln 2. The
// symmetric divergence of Sia 2009, Eq. 5.5, is infinite as soon as a word is new.
func JensenShannon(p, q []float64) float64 {
	sp, sq, d := sum(p), sum(q), 0.
	for i := range max(len(p), len(q)) {
		a, b := share(p, i, sp), share(q, i, sq)
		m := (a + b) / 2
		if a > 0 {
			d += a / 2 * math.Log(a/m)
		}
		if b > 0 {
			d += b / 2 * math.Log(b/m)
		}
	}
	return max(d, 0)
}

// SymmetricKL is Eq. 5.5 itself, with epsilon added to every component first.
func SymmetricKL(p, q []float64, epsilon float64) float64 {
	n := max(len(p), len(q))
	sp, sq, d := sum(p), sum(q), 0.
	all := 1 + epsilon*float64(n)
	for i := range n {
		a, b := (share(p, i, sp)+epsilon)/all, (share(q, i, sq)+epsilon)/all
		if a != b {
			d += (a - b) * math.Log(a/b) / 2
		}
	}
	return d
}
