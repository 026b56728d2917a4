package replay

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"diurna/ranking"
	"diurna/ranking/topics"
	"diurna/store/storetest"
)

const (
	corpusFeeds    = 60
	corpusItems    = 3000
	corpusSessions = 120 // of which the last third is judged
	corpusRows     = 30
)

// story is an item of the made-up corpus.
type story struct {
	feed, subject int
	title         []string // words as written
	stems         []string
	item          ranking.Item
}

// corpus is a made-up library: feeds of one to three subjects in folders by field,
// titles that mix a subject's words with plain ones.
type corpus struct {
	stories []story
	idf     map[string]float64
}

func newCorpus(seed uint64) *corpus {
	r := rand.New(rand.NewPCG(seed, 0x636f72707573))
	subjects := make([][]string, len(corpusSubjects))
	for i, text := range corpusSubjects {
		subjects[i] = strings.Fields(text)
	}
	plain := strings.Fields(corpusPlain)
	about := make([][]int, corpusFeeds)
	for f := range about {
		home := f % (len(subjects) / 4)
		for range 1 + r.IntN(3) {
			s := home*4 + r.IntN(4)
			if r.IntN(4) == 0 {
				s = r.IntN(len(subjects))
			}
			about[f] = append(about[f], s)
		}
	}
	c := &corpus{idf: map[string]float64{}}
	docs := make([]topics.Document, 0, corpusItems)
	for i := range corpusItems {
		f := r.IntN(corpusFeeds)
		s := story{feed: f, subject: about[f][r.IntN(len(about[f]))]}
		text := func(n int, share float64) (out []string) {
			for range n {
				from := plain
				if r.Float64() < share {
					from = subjects[s.subject]
				}
				out = append(out, from[r.IntN(len(from))])
			}
			return out
		}
		s.title = text(5+r.IntN(5), .4)
		body := text(30, .3)
		s.stems = topics.Stems(strings.Join(s.title, " "), 0)
		s.item = ranking.Item{ID: uint64(i), Feed: fmt.Sprint("feed ", f), Folder: fmt.Sprint("folder ", f%(len(subjects)/4)), Words: s.stems}
		if r.Float64() < .6 {
			s.item.Categories = []string{subjects[s.subject][0]}
		}
		c.stories = append(c.stories, s)
		title := strings.Join(s.title, " ")
		docs = append(docs, topics.Document{Words: topics.Words(title + ". " + title + ". " + strings.Join(body, " "))})
	}
	c.learn(docs, seed)
	return c
}

// learn gives every story its topics and counts how rare words are.
func (c *corpus) learn(docs []topics.Document, seed uint64) {
	m := topics.Fit(docs, topics.FitOptions{Topics: len(corpusSubjects), Seed: seed})
	for i := range c.stories {
		for _, share := range m.Assign(docs[i].Words, ranking.TopicFloor) {
			t := m.Topics[share.Topic]
			c.stories[i].item.Topics = append(c.stories[i].item.Topics, ranking.Weighted{Name: fmt.Sprint(t.ID), Weight: share.Weight})
		}
		for _, w := range c.stories[i].stems {
			c.idf[w]++
		}
	}
	for w, n := range c.idf {
		c.idf[w] = math.Log(float64(len(c.stories)) / n)
	}
}

// leaning says how much each kind of liking adds to the logit of opening.
type leaning struct {
	name                       string
	start, subject, feed, word float64
	feeds, words               int // how many are liked
}

// Readers of feeds lean on feeds: a handful is mostly read, the others for a word
// or a subject now and then. The second kind leans on subjects, which is the world
// the printed model is made for.
var leanings = []leaning{
	{name: "feeds", start: -3.5, subject: .8, feed: 3, word: 1.5, feeds: 8, words: 8},
	{name: "subjects", start: -3.2, subject: 2.6, feed: 1.4, word: 1.2, feeds: 4, words: 6},
}

// taste is what one person likes.
type taste struct {
	leaning
	subjects, fond map[int]bool
	stems          map[string]bool
}

func newTaste(l leaning, r *rand.Rand) taste {
	t := taste{l, map[int]bool{}, map[int]bool{}, map[string]bool{}}
	for range 3 + r.IntN(3) {
		t.subjects[r.IntN(len(corpusSubjects))] = true
	}
	for range l.feeds {
		t.fond[r.IntN(corpusFeeds)] = true
	}
	for range l.words {
		list := strings.Fields(corpusSubjects[r.IntN(len(corpusSubjects))])
		t.stems[topics.Stems(list[r.IntN(len(list))], 1)[0]] = true
	}
	return t
}

// chance is how likely a person opens a story if it is read.
func (t taste) chance(s *story) float64 {
	z := t.start
	if t.subjects[s.subject] {
		z += t.subject
	}
	if t.fond[s.feed] {
		z += t.feed
	}
	for _, w := range s.stems {
		if t.stems[w] {
			z += t.word
		}
	}
	return 1 / (1 + math.Exp(-z))
}

// judge is a strategy that orders stories.
type judge interface {
	score(page []int) []float64
	learn(page []int, opened []bool)
}

// corpusRow is how well a strategy orders the stories of a made-up library.
type corpusRow struct {
	taste    string // what people lean on: feeds, or subjects
	strategy string
	people   int
	ndcg     float64 // 0 to 1, mean over people
	ci95     float64
}

var corpusStrategies = []string{"random", "paper-0", "paper-10", "rocchio", "naive-bayes", "ours"}

// rankCorpus tries the strategies on items with words: 3,000 titles of 60 feeds,
// generated, and people who like some subjects, feeds and words. All read the same
// rows, newest first, for 120 sessions; in the last 40 every strategy orders them
// first. paper-0 and paper-10 know one learned topic an item.
func rankCorpus(ctx context.Context, seed uint64, people int) ([]corpusRow, error) {
	if people < 1 || people > 100000 {
		return nil, fmt.Errorf("1 to 100000 people, not %d", people)
	}
	c := newCorpus(seed)
	var out []corpusRow
	for _, l := range leanings {
		rows, square := make([]corpusRow, len(corpusStrategies)), make([]float64, len(corpusStrategies))
		for i, name := range corpusStrategies {
			rows[i] = corpusRow{taste: l.name, strategy: name, people: people}
		}
		for person := range people {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for i, x := range c.live(l, seed, uint64(person)) {
				rows[i].ndcg += x / float64(people)
				square[i] += x * x
			}
		}
		n := float64(people)
		for i := range rows {
			rows[i].ci95 = 1.96 * math.Sqrt(max(square[i]/n-rows[i].ndcg*rows[i].ndcg, 0)/n)
		}
		out = append(out, rows...)
	}
	return out, nil
}

// live lets one person read what comes, newest first, while every judge watches;
// in the last third each judge's order is held against what the person likes.
func (c *corpus) live(l leaning, seed, person uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, person+1))
	likes := newTaste(l, r)
	judges := []judge{&randomJudge{r: rand.New(rand.NewPCG(seed, ^person))}, newTopicJudge(c, 0), newTopicJudge(c, 10), &rocchioJudge{newTallyJudge(c, true)}, &bayesJudge{newTallyJudge(c, false)}, newOurJudge(c)}
	sums, judged := make([]float64, len(judges)), 0.
	for session := range corpusSessions {
		page := r.Perm(len(c.stories))[:corpusRows]
		liked, opened := make([]bool, corpusRows), make([]bool, corpusRows)
		any := false
		for row, i := range page {
			liked[row] = r.Float64() < likes.chance(&c.stories[i])
			opened[row] = liked[row] && r.Float64() < readingOf(row+1)
			any = any || liked[row]
		}
		if session >= corpusSessions*2/3 && any {
			judged++
			for k, j := range judges {
				sums[k] += ndcg(j.score(page), liked, 10)
			}
		}
		for _, j := range judges {
			j.learn(page, opened)
		}
	}
	for k := range sums {
		sums[k] /= max(judged, 1)
	}
	return sums
}

// ndcg is the discounted gain of the first n rows by score over the best possible
// (Järvelin and Kekäläinen 2002), with a gain of 1 for what is liked.
func ndcg(scores []float64, liked []bool, n int) float64 {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return scores[order[i]] > scores[order[j]] })
	got, best, good := 0., 0., 0
	for row, i := range order {
		if liked[i] {
			if row < n {
				got += 1 / math.Log2(float64(row+2))
			}
			if good < n {
				best += 1 / math.Log2(float64(good+2))
			}
			good++
		}
	}
	return got / best
}

// TestCorpus: at least .10 above the printed model, which knows one topic an item,
// and not more than .01 below Rocchio, which cannot explain itself. Where people
// lean on subjects alone, one topic is all there is to know: nothing is lost then.
func TestCorpus(t *testing.T) {
	numbers(t)
	rows, err := rankCorpus(context.Background(), 1, storetest.Size(6, 60))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, r := range rows {
		got[r.taste+" "+r.strategy] = r.ndcg
		t.Logf("%-8s %-12s %.3f ± %.3f", r.taste, r.strategy, r.ndcg, r.ci95)
	}
	for _, paper := range []string{"paper-0", "paper-10"} {
		if got["feeds ours"] < got["feeds "+paper]+.10 {
			t.Errorf("ours has %.3f, %s %.3f", got["feeds ours"], paper, got["feeds "+paper])
		}
		if got["subjects ours"] < got["subjects "+paper]-.02 {
			t.Errorf("leaning on subjects ours has %.3f, %s %.3f", got["subjects ours"], paper, got["subjects "+paper])
		}
	}
	for _, taste := range []string{"feeds ", "subjects "} {
		if got[taste+"ours"] < got[taste+"rocchio"]-.01 {
			t.Errorf("leaning on %s ours has %.3f, rocchio %.3f", taste, got[taste+"ours"], got[taste+"rocchio"])
		}
		if got[taste+"random"] > got[taste+"paper-0"]-.05 {
			t.Errorf("random has %.3f, the printed model %.3f: the corpus teaches nothing", got[taste+"random"], got[taste+"paper-0"])
		}
	}
}
