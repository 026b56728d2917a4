package page

import (
	"slices"
	"strings"

	"diurna/reader/plain"
)

// analysis is a comparison in the making.
type analysis struct {
	*alignment
	kindsOf    uint32 // of the pair that was looked at last
	o          Options
	scope      scope
	in         [2]bitset
	out        [2]outline
	pair       pairing
	stands     map[int32]bool // keys of a's blocks, once asked for
	masks      map[string]int // in how many places a number of this kind changed
	hits       map[string]int // words by category
	mentioned  map[string]int
	lower      []string      // keywords in lower case
	shuffled   map[int32]int // blocks of content rows: old ones count up, new ones down
	shown      int           // rows so far
	quietLinks []bool        // by Retarget: it stands in furniture
	reflowed   bool
	regrown    bool // most of the text was gone and is back: news, although each block is known
	d          Diff
}

func compare(a, b []byte, o Options) (Diff, error) {
	n, err := analyse(a, b, o)
	if err != nil {
		return Diff{}, err
	}
	return n.d, nil
}

func analyse(a, b []byte, o Options) (*analysis, error) {
	sc, err := newScope(o)
	if err != nil {
		return nil, err
	}
	n := &analysis{alignment: read(a, b, o.Engine), o: o, scope: sc, masks: map[string]int{}, hits: map[string]int{}, shuffled: map[int32]int{}, mentioned: map[string]int{}}
	n.d.Ops = n.script()
	n.release()
	n.d.page = b
	n.a.unnamed = o.NoRules && o.Memory == nil && len(sc.places) == 0
	n.b.unnamed = n.a.unnamed
	found := true
	n.in[0], _ = sc.of(n.a)
	n.in[1], found = sc.of(n.b)
	n.d.Dead = !found
	n.out[0], n.out[1] = outlineOf(n.a), outlineOf(n.b)
	n.d.Title = [2]string{clean(n.out[0].title), clean(n.out[1].title)}
	n.d.Language = [2]string{clean(n.out[0].lang), clean(n.out[1].lang)}
	for _, k := range o.Keywords {
		if k = strings.ToLower(strings.TrimSpace(k)); k != "" && !slices.Contains(n.lower, k) {
			n.lower = append(n.lower, k)
		}
	}
	n.pair = n.pairBlocks()
	n.countMasks()
	n.d.Shrunk, n.regrown = lost(len(n.a.words), len(n.b.words)), lost(len(n.b.words), len(n.a.words))
	n.rows()
	n.reordered()
	n.side()
	n.score()
	if o.Threshold < 0 && (n.d.Class == Volatile || n.d.Class == None) {
		n.d.Significant = false
	}
	if n.d.Significant && !n.named() {
		n.d.Significant, n.d.Held = false, true
	}
	return n, nil
}

// lost reports whether most of a page's words are gone.
func lost(before, after int) bool { return before >= shrinkFrom && after < before*2/5 }

// shrinkFrom is the least number of words a page must have had for a loss of
// three fifths to look like a failure of the server.
const shrinkFrom = 60

// countMasks counts the places where a number changed, by what the number
// counts: one that changes in many places at once (ages, counters) is not news.
func (n *analysis) countMasks() {
	for x, y := range n.pair.a {
		if y < 0 || n.b.blocks[y].words() > 40 || n.unchanged(x, int(y)) {
			continue
		}
		words, match := n.b.blockWords(int(y)), n.back[n.b.blocks[y].w0:]
		if k, ok := age(words, match); ok {
			n.masks[k]++
		}
		once := map[string]bool{} // the cells of one row may rise together
		for i, w := range words {
			if k := numberKey(words, i); match[i] < 0 && hasDigit(w) && !once[k] {
				n.masks[k]++
				once[k] = true
			}
		}
	}
}

// unchanged reports whether the words of a pair are the same, one by one.
func (n *analysis) unchanged(x, y int) bool {
	ba, bb := n.a.blocks[x], n.b.blocks[y]
	if ba.words() != bb.words() {
		return false
	}
	for w := ba.w0; w < ba.w1; w++ {
		if n.match[w] != bb.w0+w-ba.w0 {
			return false
		}
	}
	return true
}

// side compares what is no text.
func (n *analysis) side() {
	a, b := thingsOf(n.a, n.in[0]), thingsOf(n.b, n.in[1])
	m := n.o.Memory
	n.d.Links = existence(a.links, b.links, "link", m)
	n.d.Retargets = n.retargets()
	n.d.Images = existence(a.images, b.images, "image", m)
	n.d.Forms = existence(a.forms, b.forms, "form", m)
	n.d.Embeds = existence(a.embeds, b.embeds, "embed", m)
	n.hits[CatAppearance] = restyled(a.styles, b.styles)
	if n.d.Title[0] != n.d.Title[1] && !misread(n.out[0].title, n.out[1].title) &&
		maskAll(strings.Fields(n.d.Title[0])) != maskAll(strings.Fields(n.d.Title[1])) {
		n.hits[CatTitle] = 1
	}
}

// clean makes text from a page safe to draw; spaces at its ends stay, since a
// segment is part of a line.
func clean(s string) string {
	s = plain.Text(s, 0)
	if strings.ContainsAny(s, "\n\r\t") {
		s = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(s)
	}
	return s
}
