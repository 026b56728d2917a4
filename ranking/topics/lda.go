package topics

import "math/rand/v2"

// Count says how often a word stands in a document. Word and Document are
// indices from 0, Times is above 0.
type Count struct{ Word, Document, Times int }

// LDAOptions say how Latent finds topics.
type LDAOptions struct {
	Topics int     // T, 2 or more
	Alpha  float64 // prior of a document's topics; 0: 50/T
	Beta   float64 // prior of a topic's words; 0: .1
	Rounds int     // of Gibbs sampling; 0: 100
	Seed   uint64
}

// LDA is a mixture of T topics: Words has p(z|w), T chances for each word, Terms has
// p(w|z), T for each word too, and Documents has p(z|d), T for each document. A word
// that stands nowhere has its share of the prior.
type LDA struct{ Words, Terms, Documents []float64 }

// Latent finds topics by latent Dirichlet allocation (Blei, Ng and Jordan 2003) with
// collapsed Gibbs sampling (Griffiths and Steyvers 2004, Eq. 5); p(z|w) ∝ p(w|z)·p(z)
// (Sia 2009, section 5.2). The work is Rounds × uses × T.
func Latent(counts []Count, words int, o LDAOptions) LDA {
	k := max(o.Topics, 2)
	alpha, beta, rounds := o.Alpha, o.Beta, o.Rounds
	if alpha <= 0 {
		alpha = 50 / float64(k)
	}
	if beta <= 0 {
		beta = .1
	}
	if rounds <= 0 {
		rounds = 100
	}
	documents := 0
	for _, c := range counts {
		documents = max(documents, c.Document+1)
	}
	r := rand.New(rand.NewPCG(o.Seed, 0x6c6461))
	byWord, byDocument := make([]float64, words*k), make([]float64, documents*k)
	all := make([]float64, k)
	type token struct{ word, document, topic int32 }
	var tokens []token
	for _, c := range counts {
		for range c.Times {
			z := r.IntN(k)
			tokens = append(tokens, token{int32(c.Word), int32(c.Document), int32(z)})
			byWord[c.Word*k+z]++
			byDocument[c.Document*k+z]++
			all[z]++
		}
	}
	chance, spread := make([]float64, k), beta*float64(words)
	for range rounds {
		for i := range tokens {
			t := &tokens[i]
			w, d := byWord[int(t.word)*k:][:k], byDocument[int(t.document)*k:][:k]
			w[t.topic]--
			d[t.topic]--
			all[t.topic]--
			total := 0.
			for z := range chance {
				total += (w[z] + beta) / (all[z] + spread) * (d[z] + alpha)
				chance[z] = total
			}
			x, z := r.Float64()*total, 0
			for z < k-1 && chance[z] <= x {
				z++
			}
			t.topic = int32(z)
			w[z]++
			d[z]++
			all[z]++
		}
	}
	out := LDA{Words: make([]float64, words*k), Terms: byWord, Documents: byDocument}
	for w := range words {
		term, total := byWord[w*k:][:k], 0.
		for z := range term {
			term[z] = (term[z] + beta) / (all[z] + spread)
			total += term[z] * all[z]
		}
		for z := range term {
			if total > 0 {
				out.Words[w*k+z] = term[z] * all[z] / total
			}
		}
	}
	for d := range documents {
		row := byDocument[d*k:][:k]
		whole := sum(row) + alpha*float64(k)
		for z := range row {
			row[z] = (row[z] + alpha) / whole
		}
	}
	return out
}
