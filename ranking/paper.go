package ranking

// newPaper gives every topic the same prior.
func newPaper(topics int, alpha, beta, lambda float64) *Paper {
	p := &Paper{Alpha: make([]float64, topics), Beta: make([]float64, topics), Lambda: lambda, alpha0: alpha, beta0: beta}
	for i := range p.Alpha {
		p.Alpha[i], p.Beta[i] = alpha, beta
	}
	return p
}

// forget lets the evidence above the prior fade, never the prior itself.
func (p *Paper) forget(topic int, keep float64) {
	p.Alpha[topic] = p.alpha0 + keep*(p.Alpha[topic]-p.alpha0)
	p.Beta[topic] = p.beta0 + keep*(p.Beta[topic]-p.beta0)
}

// paperScore is the printed score of a pair. With lambda = 0 it is the mean to
// the last bit, because mean·(1+0) is: greedy is this model, not a second one.
func paperScore(alpha, beta, lambda float64) float64 {
	n := alpha + beta
	return alpha / n * (1 + lambda*beta/(n*(n+1)))
}
