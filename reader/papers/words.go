package papers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"diurna/ranking/topics"
	"diurna/reader/wording"
)

// WordsOptions chooses what Words prints.
type WordsOptions struct {
	Counts *Counts // nil: a made-up table, of which it is known what each word is
	Topics int     // of LDA; 0: one for every 10 documents, 2 to 50
	Runs   int     // of LDA, of which the median counts; 0: 3
	Top    int     // rows of each table; 0: all
	Least  int     // uses that a word must have, new ones to be emerging
	Seed   uint64
}

// wordStats is what is known of one word.
type wordStats struct {
	name                       string
	before, after, documents   float64
	idf, entropy, h1, h2, rate float64 // entropy is of its topics
	co, associated, js, kl     float64
	topicChange                float64
}

const (
	coWords    = 30   // Sia 2009, Figure 5.5
	associated = .1   // p(z|w) from which a word belongs to a topic (section 5.4.2)
	klEpsilon  = .01  // Eq. 5.5 is infinite where a topic has no part in a word
	maxCoWords = 2000 // of one document, the most used
)

// Words lists specific, emerging and stable words (Sia 2009, chapter 5): by the
// entropy of their topics (Eq. 5.1), the rate at which the entropy of their documents
// changes (Eq. 5.3), and how much of their company (Eq. 5.4) and topics (Eq. 5.5) stays.
// Two readings of Eq. 5.5 stand side by side: kl is the paper's, from two fits whose
// topics are matched by their order, with .01 added to each chance; js is the
// Jensen-Shannon divergence under the topics of one fit, which is finite as it is.
func Words(ctx context.Context, o WordsOptions) (*Report, error) {
	c := o.Counts
	if c == nil {
		c = madeUpCounts(o.Seed)
	}
	if o.Runs == 0 {
		o.Runs = 3
	}
	out := &Report{Seed: o.Seed}
	list := make([]wordStats, len(c.words))
	for w := range list {
		nan := math.NaN()
		list[w] = wordStats{c.words[w], 0, 0, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan}
	}
	switch {
	case c.rates:
		for w, x := range c.summary {
			s := &list[w]
			s.h1, s.h2, s.before, s.after = x[0], x[1], x[2], x[3]
		}
	case c.topics:
		c.ofTopics(list)
	default:
		k := o.Topics
		if k == 0 {
			k = min(max(len(c.columns)/10, 2), 50)
		}
		c.ofDocuments(list)
		c.company(list)
		if err := c.latent(ctx, list, k, o.Runs, o.Seed); err != nil {
			return nil, err
		}
		out.Lines = append(out.Lines, fmt.Sprintf("%s, %s, %s by LDA (runs: %d)", wording.Plural(len(c.words), "word"), wording.Plural(len(c.columns), "document"), wording.Plural(k, "topic"), o.Runs))
	}
	for w := range list {
		if r, ok := topics.EntropyRate(list[w].h1, list[w].h2, list[w].after-list[w].before); ok && !c.topics {
			list[w].rate = r
		}
	}
	out.lists(list, o)
	if c.kinds != nil {
		out.found(list, c.kinds)
	}
	return out, nil
}

// ofTopics is for tables that say how much each topic has of a word.
func (c *Counts) ofTopics(list []wordStats) {
	before, after := make([][]float64, len(list)), make([][]float64, len(list))
	for w := range list {
		before[w], after[w] = make([]float64, len(c.columns)), make([]float64, len(c.columns))
	}
	for _, u := range c.uses {
		before[u.word][u.column], after[u.word][u.column] = u.before, u.after
		list[u.word].before += u.before
		list[u.word].after += u.after
	}
	for w := range list {
		s := &list[w]
		if s.after > 0 {
			s.entropy = topics.Entropy(after[w])
		}
		if s.before > 0 && s.after > 0 {
			s.js = topics.JensenShannon(before[w], after[w])
			s.kl = topics.SymmetricKL(before[w], after[w], klEpsilon)
			s.topicChange = belongs(after[w], s.after) - belongs(before[w], s.before)
		}
	}
}

// belongs counts the topics that have more than a tenth of a word.
func belongs(p []float64, total float64) float64 {
	n := 0.
	for _, x := range p {
		if x > associated*total {
			n++
		}
	}
	return n
}

// ofDocuments has what is counted by document.
func (c *Counts) ofDocuments(list []wordStats) {
	before, after := make([][]float64, len(list)), make([][]float64, len(list))
	for _, u := range c.uses {
		if u.after > 0 {
			after[u.word] = append(after[u.word], u.after)
		}
		if u.before > 0 {
			before[u.word] = append(before[u.word], u.before)
		}
		list[u.word].before += u.before
		list[u.word].after += u.after
	}
	for w := range list {
		s := &list[w]
		s.documents = float64(len(after[w]))
		s.idf = math.Log(float64(len(c.columns)) / max(s.documents, 1))
		s.h1, s.h2 = topics.Entropy(before[w]), topics.Entropy(after[w])
	}
}

// company is Eq. 5.4. Words are used together for a document as often as the rarer
// of the two is used for it.
func (c *Counts) company(list []wordStats) {
	byDocument := make([][]use, len(c.columns))
	byWord := make([][]use, len(list))
	for _, u := range c.uses {
		byDocument[u.column] = append(byDocument[u.column], u)
		byWord[u.word] = append(byWord[u.word], u)
	}
	for d, uses := range byDocument {
		if len(uses) > maxCoWords {
			sort.SliceStable(uses, func(i, j int) bool { return uses[i].after > uses[j].after })
			byDocument[d] = uses[:maxCoWords]
		}
	}
	together := [2][]float64{make([]float64, len(list)), make([]float64, len(list))}
	for w := range list {
		clear(together[0])
		clear(together[1])
		for _, u := range byWord[w] {
			for _, v := range byDocument[u.column] {
				if v.word != w {
					together[0][v.word] += min(u.before, v.before)
					together[1][v.word] += min(u.after, v.after)
				}
			}
		}
		a, b := c.strongest(together[0], coWords), c.strongest(together[1], coWords)
		if len(a) > 0 && len(b) > 0 {
			list[w].co = topics.Jaccard(a, b)
		}
	}
}

// strongest names the words with the largest weights, at most most of them, each
// above 0.
func (c *Counts) strongest(weights []float64, most int) []string {
	var at []int
	for w, x := range weights {
		if x > 0 {
			at = append(at, w)
		}
	}
	sort.SliceStable(at, func(i, j int) bool { return weights[at[i]] > weights[at[j]] })
	var out []string
	for _, w := range at[:min(len(at), most)] {
		out = append(out, c.words[w])
	}
	return out
}

// latent has what LDA says of the words: the medians of several runs.
func (c *Counts) latent(ctx context.Context, list []wordStats, k, runs int, seed uint64) error {
	var counts [2][]topics.Count
	for _, u := range c.uses {
		for t, n := range [2]float64{u.before, u.after} {
			if n > 0 {
				counts[t] = append(counts[t], topics.Count{Word: u.word, Document: u.column, Times: int(n)})
			}
		}
	}
	per := make([][5][]float64, len(list)) // by word and measure: of each run
	for run := range runs {
		var fit [2]topics.LDA
		var top [2][][]string
		for t := range fit {
			if err := ctx.Err(); err != nil {
				return err
			}
			fit[t] = topics.Latent(counts[t], len(list), topics.LDAOptions{Topics: k, Seed: seed + uint64(2*run+t)})
			top[t] = c.topTerms(fit[t].Terms, k)
		}
		for w := range list {
			s := &list[w]
			now := fit[1].Words[w*k:][:k]
			per[w][0] = append(per[w][0], topics.Entropy(now))
			if s.before == 0 {
				continue
			}
			then := fit[0].Words[w*k:][:k]
			per[w][1] = append(per[w][1], topics.SymmetricKL(descending(then), descending(now), klEpsilon))
			per[w][3] = append(per[w][3], belongs(now, 1)-belongs(then, 1))
			if a, b := company(then, top[0]), company(now, top[1]); len(a) > 0 && len(b) > 0 {
				per[w][4] = append(per[w][4], topics.Jaccard(a, b))
			}
		}
		for w, p := range c.periods(fit[1], k) {
			if list[w].before > 0 {
				per[w][2] = append(per[w][2], topics.JensenShannon(p[0], p[1]))
			}
		}
	}
	for w := range list {
		s, p := &list[w], &per[w]
		s.entropy, s.kl, s.js, s.topicChange, s.associated = median(p[0]), median(p[1]), median(p[2]), median(p[3]), median(p[4])
	}
	return nil
}

// periods is p(z|w) before and after under the topics of one fit: each document's
// uses go to the topics by p(z|w,d) ∝ p(w|z)·p(z|d).
func (c *Counts) periods(fit topics.LDA, k int) [][2][]float64 {
	out := make([][2][]float64, len(c.words))
	for w := range out {
		out[w] = [2][]float64{make([]float64, k), make([]float64, k)}
	}
	share := make([]float64, k)
	for _, u := range c.uses {
		if u.after == 0 {
			continue
		}
		total := 0.
		for z := range share {
			share[z] = fit.Terms[u.word*k+z] * fit.Documents[u.column*k+z]
			total += share[z]
		}
		for z, x := range share {
			out[u.word][0][z] += u.before * x / total
			out[u.word][1][z] += u.after * x / total
		}
	}
	return out
}

// topTerms names the words with the highest p(w|z) of each topic.
func (c *Counts) topTerms(terms []float64, k int) [][]string {
	out, one := make([][]string, k), make([]float64, len(c.words))
	for z := range k {
		for w := range one {
			one[w] = terms[w*k+z]
		}
		out[z] = c.strongest(one, coWords)
	}
	return out
}

// company is the words of the topics that a word belongs to.
func company(p []float64, top [][]string) (out []string) {
	for z, x := range p {
		if x > associated {
			out = append(out, top[z]...)
		}
	}
	return out
}

func descending(p []float64) []float64 {
	out := append([]float64(nil), p...)
	sort.Sort(sort.Reverse(sort.Float64Slice(out)))
	return out
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	sort.Float64s(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// lists prints the words with the best values of each sort.
func (r *Report) lists(list []wordStats, o WordsOptions) {
	order := func(name, title string, columns []string, by func(*wordStats) float64, values func(*wordStats) []float64) {
		var rows []*wordStats
		few, uses := 0, "uses"
		if name == "emerging" {
			uses = "new uses"
		}
		for i := range list {
			s := &list[i]
			enough := s.after
			if name == "emerging" {
				enough -= s.before
			}
			switch {
			case math.IsNaN(by(s)):
			case enough < float64(o.Least):
				few++
			default:
				rows = append(rows, s)
			}
		}
		if few > 0 {
			r.note("%s: %d of %d words left out, with fewer than %d %s (--least)", name, few, len(list), o.Least, uses)
		}
		sort.SliceStable(rows, func(i, j int) bool {
			a, b := by(rows[i]), by(rows[j])
			return a < b || a == b && rows[i].after > rows[j].after
		})
		t := Table{Name: name, Title: title, Columns: append([]string{"word"}, columns...)}
		for i, s := range rows {
			if o.Top == 0 || i < o.Top {
				t.add(s.name, values(s)...)
			}
		}
		if len(t.Rows) > 0 {
			r.Tables = append(r.Tables, t)
		}
	}
	order("specific", "Specific words: least entropy over topics (Eq. 5.1)", []string{"topic_entropy_bits", "idf_nats", "documents", "uses"},
		func(s *wordStats) float64 { return s.entropy },
		func(s *wordStats) []float64 { return []float64{s.entropy, s.idf, s.documents, s.after} })
	order("emerging", "Emerging words: entropy over documents that grows with each use (Eq. 5.3)", []string{"rate", "h1_bits", "h2_bits", "uses_before", "uses_after"},
		func(s *wordStats) float64 { return -s.rate },
		func(s *wordStats) []float64 { return []float64{s.rate, s.h1, s.h2, s.before, s.after} })
	order("stable", "Stable words: same company (Eq. 5.4), same topics (Eq. 5.5)", []string{"jaccard", "associated_jaccard", "js_nats", "kl_nats", "topics_change", "uses"},
		func(s *wordStats) float64 {
			if math.IsNaN(s.co) {
				return s.js
			}
			return -s.co
		},
		func(s *wordStats) []float64 {
			return []float64{s.co, s.associated, s.js, s.kl, s.topicChange, s.after}
		})
	if r.Tables == nil && r.Notes == nil {
		r.note("no word has enough uses for a measure")
	}
}

// kind is what a word of the made-up table is.
type kind uint8

const (
	general  kind = 1 << iota // used for anything
	topical                   // of one topic
	growing                   // of one topic, for one new document after the other
	settling                  // of one topic, as much more used, for one document
	drifting                  // of one topic, then of another
)

// found says how well each measure tells the words of the made-up table apart.
func (r *Report) found(list []wordStats, kinds []kind) {
	t := Table{Name: "found", Title: "How often a word of the first sort stands before one of the second: 1 always, .5 by chance", Columns: []string{"measure", "share", "error"}}
	auc := func(name string, first, second kind, by func(*wordStats) float64) {
		before, all := 0., 0.
		for i := range list {
			for j := range list {
				x, y := by(&list[i]), by(&list[j])
				if first&kinds[i] == 0 || second&kinds[j] == 0 || math.IsNaN(x) || math.IsNaN(y) {
					continue
				}
				all++
				if x < y {
					before++
				} else if x == y {
					before += .5
				}
			}
		}
		t.add(name, before/all, 1-before/all)
	}
	const own = topical | growing | settling
	auc("specific by topic entropy", own, general, func(s *wordStats) float64 { return s.entropy })
	auc("specific by idf", own, general, func(s *wordStats) float64 { return -s.idf })
	auc("specific by H(D|w)", own, general, func(s *wordStats) float64 { return s.h2 })
	auc("emerging by Eq. 5.3", growing, settling, func(s *wordStats) float64 { return -s.rate })
	auc("emerging by growth", growing, settling, func(s *wordStats) float64 { return -s.after / s.before })
	auc("stable by company", topical, drifting, func(s *wordStats) float64 { return -s.co })
	auc("stable by associated", topical, drifting, func(s *wordStats) float64 { return -s.associated })
	auc("stable by js", topical, drifting, func(s *wordStats) float64 { return s.js })
	auc("stable by kl", topical, drifting, func(s *wordStats) float64 { return s.kl })
	r.Tables = append(r.Tables, t)
}

// madeUpCounts is a table in which a topic has 6 to 60 documents, half of them new
// after the first moment. Words of any topic are rarer than the words of large ones.
func madeUpCounts(seed uint64) *Counts {
	r := rand.New(rand.NewPCG(seed, 0x776f726473))
	c := &Counts{}
	sizes := []int{60, 30, 16, 10, 8, 6}
	var topicOf []int
	for z, n := range sizes {
		for range n {
			topicOf = append(topicOf, z)
			c.columns = append(c.columns, fmt.Sprintf("d%03d", len(c.columns)))
		}
	}
	word := func(name string, k kind, uses func(d int) (before, more int)) {
		w := len(c.words)
		c.words, c.kinds = append(c.words, name), append(c.kinds, k)
		for d := range topicOf {
			if before, more := uses(d); before+more > 0 {
				c.uses = append(c.uses, use{w, d, float64(before), float64(before + more)})
			}
		}
	}
	draw := func(chance float64) (n int) {
		for n < 3 && r.Float64() < chance {
			n++
		}
		return n
	}
	isNew := func(d int) bool { return d%2 == 1 }
	some := func(d int, chance float64) (before, more int) {
		if !isNew(d) {
			before = draw(chance)
		}
		return before, draw(chance)
	}
	for i := range 16 {
		word(fmt.Sprintf("any%02d", i), general, func(d int) (int, int) { return some(d, .12) })
	}
	first := 0
	for z, n := range sizes {
		for i := range 10 {
			word(fmt.Sprintf("topic%d-%02d", z, i), topical, func(d int) (int, int) {
				if topicOf[d] != z {
					return 0, 0
				}
				return some(d, .5)
			})
		}
		for i := range 3 {
			begin := first + 2*r.IntN(n/2)
			word(fmt.Sprintf("grow%d-%d", z, i), growing, func(d int) (int, int) {
				switch {
				case d == begin:
					return 3, 0
				case topicOf[d] == z && isNew(d):
					return 0, 1 + draw(.3)
				}
				return 0, 0
			})
			word(fmt.Sprintf("settle%d-%d", z, i), settling, func(d int) (int, int) {
				switch {
				case d == begin:
					return 2, n
				case topicOf[d] == z && !isNew(d):
					return draw(.5), 0
				}
				return 0, 0
			})
			to := (z + 1 + i) % len(sizes)
			word(fmt.Sprintf("drift%d-%d", z, i), drifting, func(d int) (int, int) {
				switch {
				case topicOf[d] == z && !isNew(d):
					return draw(.5), 0
				case topicOf[d] == to:
					return 0, draw(.5)
				}
				return 0, 0
			})
		}
		first += n
	}
	return c
}
