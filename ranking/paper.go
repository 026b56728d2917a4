package ranking

// NewPaper gives each topic the prior (alpha, beta); Table 3.1 has 1 and 3.
func NewPaper(topics int, alpha, beta, lambda float64) *Paper {
	p := &Paper{Alpha: make([]float64, topics), Beta: make([]float64, topics), Lambda: lambda, alpha0: alpha, beta0: beta}
	for i := range p.Alpha {
		p.Alpha[i], p.Beta[i] = alpha, beta
	}
	return p
}

// Forget keeps a share of a topic's evidence above its prior (our addition,
// applied to what is shown, before the update).
func (p *Paper) Forget(topic int, keep float64) {
	p.Alpha[topic] = p.alpha0 + keep*(p.Alpha[topic]-p.alpha0)
	p.Beta[topic] = p.beta0 + keep*(p.Beta[topic]-p.beta0)
}

// paperScore is the printed score of a pair. With lambda = 0 it is the mean to
// the last bit, because mean·(1+0) is: greedy is this model, not a second one.
func paperScore(alpha, beta, lambda float64) float64 {
	n := alpha + beta
	return alpha / n * (1 + lambda*beta/(n*(n+1)))
}
