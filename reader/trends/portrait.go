package trends

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"diurna/ranking/topics"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/stories"
	"diurna/store"
)

// What a portrait costs: of all feeds together the newest readItemsMost items are read, an
// even share of each, and of them what counts of an item. Once read they are known until
// the feed posts; of another feed only its own items are read then.
const (
	ownItems      = 40 // newest of the feed that are read
	otherItems    = 20 // of each other one: Roitman's window
	fewestItems   = 4  // of each other one where there are many
	readItemsMost = 4000
	feedsMost     = readItemsMost / fewestItems
	overlapItems  = 200 // newest of a feed that are looked for in others
	aboutMost     = 6   // terms named
	likeFrom      = .25 // cosine from which on feeds are like each other
	nearMost      = 3   // feeds named
	overlapFrom   = .1  // of its items, below which it is not said
	focusItems    = 8   // below them nothing is said of its focus
)

// Portrait is what a feed is about.
type Portrait struct {
	Items int      // read of it
	About []string // its strongest terms
	// Cohesion is the mean similarity of the feed's profile before and after each item
	// (Roitman et al. 2008, Eq. 3). Mixed is that of as many items from all feeds in turn,
	// the least focused feed that there could be; both 0 where too little is known.
	Cohesion, Mixed float64
	Like            []Near // other feeds by the cosine of their terms
	Checked         int    // newest items that were looked for in other feeds
	Overlap         []Near // other feeds by the share of those items that they have too
}

// Near is another feed, and how near it is: 0 to 1.
type Near struct {
	Feed  store.FeedID
	Title string
	Share float64
}

// Focus is "focused" or "mixed", "" where too little is known. What the feed has more than
// the mix of all feeds is counted by what it could have at most.
func (p *Portrait) Focus() string {
	switch {
	case p.Cohesion == 0 || p.Mixed == 0 || p.Mixed >= 1:
		return ""
	case (p.Cohesion-p.Mixed)/(1-p.Mixed) >= focusedFrom:
		return "focused"
	}
	return "mixed"
}

const focusedFrom = .15

// Line is a line of a portrait.
type Line struct{ Label, Text string }

// Lines are the portrait in words.
func (p *Portrait) Lines() []Line {
	var out []Line
	if len(p.About) > 0 {
		out = append(out, Line{"about", strings.Join(p.About, ", ")})
	}
	if f := p.Focus(); f != "" {
		out = append(out, Line{"focus", fmt.Sprintf("%s (cohesion %s, all feeds %s)", f, hundredths(p.Cohesion), hundredths(p.Mixed))})
	}
	near := func(label, format string, list []Near) {
		words := make([]string, len(list))
		for i, n := range list {
			words[i] = fmt.Sprintf(format, int(100*n.Share+.5), plain.Line(n.Title, 0))
		}
		if len(words) > 0 {
			out = append(out, Line{label, strings.Join(words, ", ")})
		}
	}
	near("like it", "%[2]s (%[1]d %%)", p.Like)
	near("overlap", "%d %% also in %s", p.Overlap)
	return out
}

func hundredths(x float64) string {
	return strings.TrimPrefix(strconv.FormatFloat(x, 'f', 2, 64), "0")
}

// sketch is what the newest items of a feed hold.
type sketch struct {
	items int // of the feed when it was read, and when it had posted last
	last  time.Time
	docs  [][]uint64 // words of each item, ascending, the newest first
	count []termCount
}

type termCount struct {
	hash uint64
	n    int32
}

// Portrait says what a feed is about. Nothing is kept but in memory; groups say which of
// its items other feeds have, and may be nil.
func (k *Keeper) Portrait(ctx context.Context, id store.FeedID, groups *stories.Groups) (Portrait, error) {
	var p Portrait
	all, err := k.feeds.Feeds(ctx)
	if err != nil {
		return p, err
	}
	feeds := comparedFeeds(all, id)
	if len(feeds) == 0 {
		return p, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	own, cands, err := k.read(ctx, feeds[0], ownItems, true)
	if err != nil {
		return p, err
	}
	p.Items = len(own.docs)
	each := max(fewestItems, min(otherItems, readItemsMost/len(feeds)))
	list := []*sketch{own}
	for _, f := range feeds[1:] {
		s, _, err := k.read(ctx, f, each, false)
		if err != nil {
			return p, err
		}
		list = append(list, s)
	}
	p.About = about(cands, list)
	rare := rarity(list)
	if len(own.docs) >= focusItems {
		p.Cohesion = cohesion(own.docs, rare)
		if mix := mixed(list[1:], len(own.docs)); len(mix) == len(own.docs) {
			p.Mixed = cohesion(mix, rare)
		}
	}
	p.Like = like(list, feeds, rare)
	rows, err := k.lib.Rows(ctx, store.RowQuery{Which: store.All, Feed: id, Limit: overlapItems})
	if err != nil {
		return p, fmt.Errorf("read the items: %w", err)
	}
	p.Checked, p.Overlap = len(rows), overlaps(rows, feeds, groups)
	return p, nil
}

// comparedFeeds are the feed id, and then those that it is compared with; none where it is
// a page, or unknown. Of id 0 they are all that are compared.
func comparedFeeds(all []model.Feed, id store.FeedID) []*model.Feed {
	var out []*model.Feed
	for i := range all {
		switch f := &all[i]; {
		case f.Watched || f.SavesPages():
		case f.Key == id:
			out = append([]*model.Feed{f}, out...)
		case !f.Hidden && len(out) < feedsMost:
			out = append(out, f)
		}
	}
	if id != 0 && len(out) > 0 && out[0].Key != id {
		return nil
	}
	return out
}

// candidateTerm is a term that the feed may be said to be about.
type candidateTerm struct {
	hash  uint64
	forms map[string]int
	form  string
	in    uint64 // items, a bit for each
	score float64
}

// read reads the newest items of a feed, unless they are known. forms: also which terms of
// their titles and categories there are, and how they are written.
func (k *Keeper) read(ctx context.Context, f *model.Feed, most int, forms bool) (*sketch, map[uint64]*candidateTerm, error) {
	if s := k.known[f.Key]; s != nil && !forms && s.items == f.Items && s.last.Equal(f.LastPost) {
		return s, nil, nil
	}
	rows, err := k.lib.Rows(ctx, store.RowQuery{Which: store.All, Feed: f.Key, Limit: most})
	if err != nil {
		return nil, nil, fmt.Errorf("read the items: %w", err)
	}
	ids := make([]store.ItemID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	docs, err := readItems(ctx, k.lib, ids)
	if err != nil {
		return nil, nil, err
	}
	s := &sketch{items: f.Items, last: f.LastPost}
	cands, count := map[uint64]*candidateTerm{}, map[uint64]int32{}
	for i, d := range docs {
		var words []uint64
		d.terms(func(hash uint64, _ string) {
			if hash&linkBit == 0 {
				words = append(words, hash)
			}
		})
		slices.Sort(words)
		words = slices.Compact(words)
		s.docs = append(s.docs, words)
		if i < otherItems {
			for _, w := range words {
				count[w]++
			}
		}
		if !forms {
			continue
		}
		title := Doc{Title: d.Title, Categories: d.Categories}
		title.terms(func(hash uint64, form string) {
			if cands[hash] == nil {
				cands[hash] = &candidateTerm{hash: hash, forms: map[string]int{}}
			}
			cands[hash].forms[form]++
		})
		for _, w := range words {
			if c := cands[w]; c != nil {
				c.in |= 1 << i
			}
		}
	}
	for hash, n := range count {
		s.count = append(s.count, termCount{hash, n})
	}
	sort.Slice(s.count, func(i, j int) bool { return s.count[i].hash < s.count[j].hash })
	if k.known == nil {
		k.known = map[store.FeedID]*sketch{}
	}
	if !forms {
		k.known[f.Key] = s
	}
	return s, cands, nil
}

// of counts the items that hold a term.
func (s *sketch) of(hash uint64) float64 {
	i, ok := slices.BinarySearchFunc(s.count, hash, func(c termCount, h uint64) int { return cmp.Compare(c.hash, h) })
	if !ok {
		return 0
	}
	return float64(s.count[i].n)
}

// about are the strongest terms of the first of some feeds: those that stand in two of its
// items and in a title or category, by E·(1 - H/Hmax), as trends are (Sia 2009).
func about(cands map[uint64]*candidateTerm, list []*sketch) []string {
	items, sizes := 0., make([]float64, len(list))
	for i, s := range list {
		sizes[i] = float64(min(len(s.docs), otherItems))
		items += sizes[i]
	}
	most := topics.Entropy(sizes)
	var strong []*candidateTerm
	counts := make([]float64, len(list))
	for _, c := range cands {
		n := bits.OnesCount64(c.in)
		if n < 2 {
			continue
		}
		df := 0.
		for i, s := range list {
			counts[i] = s.of(c.hash)
			df += counts[i]
		}
		specific := 1.
		if most > 0 {
			specific -= min(topics.Entropy(counts)/most, 1)
		}
		if c.score = weight(int32(n)) * math.Log((items+1)/(df+1)) * specific; len(list) == 1 {
			c.score = float64(n)
		}
		c.form = maxWritten(c.forms)
		strong = append(strong, c)
	}
	sort.Slice(strong, func(i, j int) bool {
		a, b := strong[i], strong[j]
		return a.score > b.score || a.score == b.score && a.form < b.form
	})
	var out []*candidateTerm
	for _, c := range strong {
		at := len(out)
		for i := 0; i < len(out); i++ {
			if form := c.merged(out[i]); form != "" {
				c, at = out[i], min(at, i)
				c.form, out = form, slices.Delete(out, i, i+1)
				i = -1 // it may be one with others now
			}
		}
		if at == aboutMost {
			break
		}
		out = append(out, c)
		copy(out[at+1:], out[at:])
		out[at] = c
	}
	names := make([]string, len(out))
	for i, c := range out {
		names[i] = plain.Line(c.form, 60)
	}
	return names
}

// merged is one form of two terms that are mostly in the same items: the phrase where one
// is part of the other, a word without spaces put together; "" for two of their own.
func (c *candidateTerm) merged(o *candidateTerm) string {
	if 5*bits.OnesCount64(o.in&c.in) < 3*max(bits.OnesCount64(o.in), bits.OnesCount64(c.in)) {
		return ""
	}
	switch {
	case strings.Contains(o.form, c.form):
		return o.form
	case strings.Contains(c.form, o.form):
		return c.form
	}
	return chained(o.form, c.form)
}

// MarshalJSON writes the portrait for scripts; null is what is not known.
func (p *Portrait) MarshalJSON() ([]byte, error) {
	near := func(list []Near) []any {
		out := make([]any, len(list))
		for i, n := range list {
			out[i] = struct {
				ID    string  `json:"feed_id"`
				Feed  string  `json:"feed"`
				Share float64 `json:"share"`
			}{n.Feed.String(), plain.Line(n.Title, 0), n.Share}
		}
		return out
	}
	known := func(x float64) *float64 {
		if x == 0 {
			return nil
		}
		return &x
	}
	return json.Marshal(struct {
		Items    int      `json:"items"`
		About    []string `json:"about"`
		Focus    string   `json:"focus"`
		Cohesion *float64 `json:"cohesion"`
		Mixed    *float64 `json:"cohesion_of_all"`
		Like     []any    `json:"like"`
		Checked  int      `json:"checked"`
		Overlap  []any    `json:"overlap"`
	}{p.Items, plain.Lines(p.About), p.Focus(), known(p.Cohesion), known(p.Mixed), near(p.Like), p.Checked, near(p.Overlap)})
}

// cohesion is the mean similarity of a profile before and after each of docs, the newest
// first (Roitman et al. 2008, Eq. 3). A term's weight is its items in the window times its
// idf, in whole numbers, so that sums do not hang on their order.
func cohesion(docs [][]uint64, idf func(uint64) int64) float64 {
	count, mean := map[uint64]int64{}, 0.
	weigh := func(then map[uint64]int64) (both, one, other float64) {
		var ab, aa, bb int64
		for w, n := range count {
			x := idf(w)
			a, b := n*x, then[w]*x
			ab, aa, bb = ab+a*b, aa+a*a, bb+b*b
		}
		return float64(ab), float64(aa), float64(bb)
	}
	for i, d := range slices.Backward(docs) {
		before := maps.Clone(count)
		for _, w := range d {
			count[w]++
		}
		if old := i + otherItems; old < len(docs) {
			for _, w := range docs[old] {
				count[w]--
			}
		}
		if both, one, other := weigh(before); one*other > 0 {
			mean += both / math.Sqrt(one*other) / float64(len(docs))
		}
	}
	return mean
}

// mixed takes n items from feeds in turn.
func mixed(list []*sketch, n int) (docs [][]uint64) {
	for at := 0; len(docs) < n && at < otherItems; at++ {
		for _, s := range list {
			if at < len(s.docs) && len(docs) < n {
				docs = append(docs, s.docs[at])
			}
		}
	}
	return docs
}

// rarity gives the idf of terms among the items of some feeds, in 64ths.
func rarity(list []*sketch) func(uint64) int64 {
	df, items := map[uint64]int32{}, 0
	for _, s := range list {
		items += min(len(s.docs), otherItems)
		for _, c := range s.count {
			df[c.hash] += c.n
		}
	}
	of := map[int32]int64{}
	return func(hash uint64) int64 {
		n := df[hash]
		x, ok := of[n]
		if !ok {
			x = int64(64 * (math.Log(float64(1+items)/float64(1+n)) + 1))
			of[n] = x
		}
		return x
	}
}

// like are the feeds whose terms are most like those of the first one, by the cosine of
// tf-idf.
func like(list []*sketch, feeds []*model.Feed, idf func(uint64) int64) []Near {
	weight := func(c termCount) float64 { return float64(int64(c.n) * idf(c.hash)) }
	norm := func(s *sketch) (sum float64) {
		for _, c := range s.count {
			sum += weight(c) * weight(c)
		}
		return math.Sqrt(sum)
	}
	own := make(map[uint64]float64, len(list[0].count))
	for _, c := range list[0].count {
		own[c.hash] = weight(c)
	}
	length := norm(list[0])
	var out []Near
	for i, s := range list[1:] {
		both := 0.
		for _, c := range s.count {
			if w, ok := own[c.hash]; ok {
				both += w * weight(c)
			}
		}
		if share := both / max(length*norm(s), 1e-9); share >= likeFrom {
			out = append(out, Near{feeds[i+1].Key, feeds[i+1].Title, share})
		}
	}
	return nearest(out)
}

// nearest are the nearest feeds.
func nearest(list []Near) []Near {
	sort.Slice(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return a.Share > b.Share || a.Share == b.Share && a.Title < b.Title
	})
	return list[:min(len(list), nearMost)]
}

// overlaps are the feeds that have items of one feed too, of which rows are the newest.
func overlaps(rows []store.Row, feeds []*model.Feed, groups *stories.Groups) []Near {
	in := map[store.FeedID]int{}
	for i := range rows {
		for _, m := range groups.Of(rows[i].ID) {
			if m.ID.Feed() != rows[i].ID.Feed() {
				in[m.ID.Feed()]++ // a story has one item of each feed
			}
		}
	}
	var out []Near
	for _, f := range feeds {
		if share := float64(in[f.Key]) / float64(max(len(rows), 1)); share >= overlapFrom {
			out = append(out, Near{f.Key, f.Title, share})
		}
	}
	return nearest(out)
}

// Redundant is a feed whose items are nearly all in another one too.
type Redundant struct {
	Feed model.Feed
	In   Near
}

const (
	redundantFrom  = .8 // of the newest items, so many of them at least
	redundantItems = 10
)

// Redundant finds the feeds that bring next to nothing that no other one has. Of two that
// have the same it is the one that is worth less by what was opened, of equal ones that
// which came later.
func (k *Keeper) Redundant(ctx context.Context, groups *stories.Groups) ([]Redundant, error) {
	all, err := k.feeds.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	feeds := comparedFeeds(all, 0)
	worth := k.trust.Weights(ctx)
	in := map[store.FeedID]Near{}
	for _, f := range feeds {
		rows, err := k.lib.Rows(ctx, store.RowQuery{Which: store.All, Feed: f.Key, Limit: overlapItems})
		if err != nil {
			return nil, fmt.Errorf("read the items: %w", err)
		}
		if near := overlaps(rows, feeds, groups); len(rows) >= redundantItems && len(near) > 0 && near[0].Share >= redundantFrom {
			in[f.Key] = near[0]
		}
	}
	var out []Redundant
	for _, f := range feeds {
		near, ok := in[f.Key]
		if other, both := in[near.Feed]; both && other.Feed == f.Key {
			a, b := worth[f.Key.String()], worth[near.Feed.String()]
			ok = a < b || a == b && f.Key > near.Feed
		}
		if ok {
			out = append(out, Redundant{*f, near})
		}
	}
	return out, nil
}
