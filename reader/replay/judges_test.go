package replay

import (
	"math"
	"math/rand/v2"

	"diurna/ranking"
)

type randomJudge struct{ r *rand.Rand }

func (j *randomJudge) learn([]int, []bool) {}
func (j *randomJudge) score(page []int) []float64 {
	out := make([]float64, len(page))
	for i := range out {
		out[i] = j.r.Float64()
	}
	return out
}

// topicJudge is the printed model: one topic a story, its strongest.
type topicJudge struct {
	c      *corpus
	paper  *ranking.Paper
	number map[string]int
}

func newTopicJudge(c *corpus, lambda float64) *topicJudge {
	return &topicJudge{c, ranking.NewPaper(len(corpusSubjects)+1, 1, 3, lambda), map[string]int{}}
}

// topic 0 is of stories without any.
func (j *topicJudge) topic(i int) int {
	list := j.c.stories[i].item.Topics
	if len(list) == 0 {
		return 0
	}
	n, ok := j.number[list[0].Name]
	if !ok {
		n = len(j.number) + 1
		j.number[list[0].Name] = n
	}
	return n
}

func (j *topicJudge) score(page []int) []float64 {
	out := make([]float64, len(page))
	for k, i := range page {
		out[k] = j.paper.Score(j.topic(i))
	}
	return out
}

func (j *topicJudge) learn(page []int, opened []bool) {
	for row, i := range page {
		if opened[row] {
			j.paper.Opened(j.topic(i))
		} else {
			j.paper.Rejected(j.topic(i), readingOf(row+1))
		}
	}
}

// features of a story for the judges that know no topics better than words: tf-idf
// of its title, its feed, folder, categories and topics, of unit length.
func (c *corpus) features(i int) (names []string, weights []float64) {
	s := &c.stories[i]
	add := func(name string, w float64) { names, weights = append(names, name), append(weights, w) }
	add("f:"+s.item.Feed, 3)
	add("d:"+s.item.Folder, 2)
	for _, x := range s.item.Categories {
		add("c:"+x, 3)
	}
	for _, x := range s.item.Topics {
		add("t:"+x.Name, 3*x.Weight)
	}
	for _, w := range s.stems {
		add("w:"+w, c.idf[w])
	}
	n := 0.
	for _, w := range weights {
		n += w * w
	}
	for k := range weights {
		weights[k] /= math.Sqrt(n)
	}
	return names, weights
}

// tallyJudge sums the features of what was opened and of what was passed over.
type tallyJudge struct {
	c            *corpus
	good, bad    map[string]float64
	liked, other float64
	weighted     bool // by the features' weights
}

func (j *tallyJudge) learn(page []int, opened []bool) {
	for row, i := range page {
		names, weights := j.c.features(i)
		into, w := j.bad, readingOf(row+1)
		if opened[row] {
			into, w = j.good, 1
			j.liked++
		} else {
			j.other += w
		}
		for n, name := range names {
			if !j.weighted {
				weights[n] = 1
			}
			into[name] += w * weights[n]
		}
	}
}

// each sums what of says of each feature, with its weight.
func (j *tallyJudge) each(page []int, of func(name string, weight float64) float64) []float64 {
	out := make([]float64, len(page))
	for k, i := range page {
		names, weights := j.c.features(i)
		for n, name := range names {
			out[k] += of(name, weights[n])
		}
	}
	return out
}

func newTallyJudge(c *corpus, weighted bool) tallyJudge {
	return tallyJudge{c: c, good: map[string]float64{}, bad: map[string]float64{}, weighted: weighted}
}

// rocchioJudge compares with the mean of what was opened, less a third of the
// mean of what was passed over.
type rocchioJudge struct{ tallyJudge }

func (j *rocchioJudge) score(page []int) []float64 {
	return j.each(page, func(name string, weight float64) float64 {
		return weight * (.75*j.good[name]/max(j.liked, 1) - .25*j.bad[name]/max(j.other, 1))
	})
}

// bayesJudge multiplies the features' likelihood ratios.
type bayesJudge struct{ tallyJudge }

func (j *bayesJudge) score(page []int) []float64 {
	return j.each(page, func(name string, _ float64) float64 {
		return math.Log((j.good[name]+1)/(j.liked+2)) - math.Log((j.bad[name]+1)/(j.other+2))
	})
}

// ourJudge is the shipped model with everything it ships with.
type ourJudge struct {
	b     *ranking.Beliefs
	items []ranking.Vector
	no    uint64
}

func newOurJudge(c *corpus) *ourJudge {
	j := &ourJudge{b: ranking.NewBeliefs(), items: make([]ranking.Vector, len(c.stories))}
	for i := range c.stories {
		j.items[i] = j.b.Vector(c.stories[i].item)
	}
	return j
}

// score takes the place on the page, virtual rejections and all.
func (j *ourJudge) score(page []int) []float64 {
	list := make([]ranking.Candidate, len(page))
	for k, i := range page {
		list[k] = ranking.Candidate{ID: uint64(i), Item: j.items[i]}
	}
	out := make([]float64, len(page))
	for place, row := range j.b.Rank(list, ranking.RankOptions{Order: ranking.Ranked, Rows: len(page)}) {
		out[row.Index] = -float64(place)
	}
	return out
}

func (j *ourJudge) learn(page []int, opened []bool) {
	tell := func(e ranking.Event) {
		j.no++
		e.No, e.At = j.no, int64(j.no)
		if err := j.b.Apply(e); err != nil {
			panic(err) // nothing is taken back here
		}
	}
	tell(ranking.Event{Kind: ranking.Looked})
	for row, i := range page {
		tell(ranking.Event{Kind: ranking.Shown, Row: row + 1, ID: uint64(i), Item: j.items[i]})
		if opened[row] {
			tell(ranking.Event{Kind: ranking.Opened, ID: uint64(i), Item: j.items[i]})
		}
	}
}
