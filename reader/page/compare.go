package page

import (
	"slices"
	"strings"

	"diurna/reader/align"
	"diurna/reader/ignore"
	"diurna/reader/kind"
	"diurna/reader/things"
)

// CompareServed decodes two pages and compares them. Unlike Compare, which
// speaks of the text it is given, its Ops are ranges of the served bytes:
// what is equal as text but not byte for byte is deleted and inserted.
func CompareServed(a, b Served, o Options) (Diff, error) {
	ta, ca := align.Decode(a.Body, a.ContentType)
	tb, cb := align.Decode(b.Body, b.ContentType)
	d, err := Compare(ta, tb, o)
	if err != nil || o.OnlyText || len(ta) == len(a.Body) && len(tb) == len(b.Body) && ca == "utf-8" && cb == "utf-8" {
		return d, err
	}
	d.Ops = d.Ops.Over([2][]byte{a.Body, b.Body}, [2]func(int32) int32{align.Offsets(a.Body, ta, ca), align.Offsets(b.Body, tb, cb)})
	return d, nil
}

// analysis is a comparison in the making.
type analysis struct {
	al          *align.Alignment
	A, B        *align.Document // of it
	Match, Back []int32
	kindsOf     uint32 // of the pair that was looked at last
	learned     bool   // some of them are by their history
	o           Options
	scope       Scope
	in          [2]align.Bitset
	out         [2]align.Outline
	pair        align.Pairing
	words       align.Bitset   // the paired blocks of a of which no word changed
	equal       align.Bitset   // those of them of which no sign changed either
	stands      map[int32]bool // keys of a's blocks, once asked for
	masks       map[string]int // in how many places a number of this kind changed
	hits        map[string]int // words by category
	mentioned   map[string]int
	lower       []string       // keywords in lower case
	shuffled    map[uint64]int // blocks of content rows: old ones count up, new ones down
	shown       int            // rows so far
	hides       hidden         // what rules hide in blocks that are shown
	again       *again         // what rules report though it is quiet, nil without such rules
	names       [2]*ignore.Names
	quietLinks  []bool // by Retarget: it stands in furniture
	reflowed    bool
	regrown     bool // most of the text was gone and is back: news, although each block is known
	d           Diff
}

// Compare aligns two revisions and says what changed and how much it matters.
// The only error is a selector that does not parse.
func Compare(a, b []byte, o Options) (Diff, error) {
	n, err := analyse(a, b, o)
	if err != nil {
		return Diff{}, err
	}
	return n.d, nil
}

func analyse(a, b []byte, o Options) (*analysis, error) {
	sc, err := NewScope(o)
	if err != nil {
		return nil, err
	}
	al := align.ReadIn(o.Room, a, b, o.Engine)
	n := &analysis{al: al, A: al.A, B: al.B, Match: al.Match, Back: al.Back, o: o, scope: sc, masks: map[string]int{}, hits: map[string]int{}, shuffled: map[uint64]int{}, mentioned: map[string]int{}}
	if !o.OnlyText {
		n.d.Ops = al.Script()
	}
	al.Release()
	if n.d.page = b; o.OnlyText {
		n.d.read = n.B
	}
	if o.NoRules && o.Memory == nil && !sc.rules.Placed() && !sc.reports.Placed() {
		n.A.Unnamed, n.B.Unnamed = true, true
	}
	found := true
	n.in[0], _ = sc.Of(n.A)
	n.in[1], found = sc.Of(n.B)
	n.d.Dead = !found
	n.names = [2]*ignore.Names{ignore.NamesOf(n.A), ignore.NamesOf(n.B)}
	n.out[0], n.out[1] = align.OutlineOf(n.A), align.OutlineOf(n.B)
	n.d.Title = [2]string{align.Clean(n.out[0].Title), align.Clean(n.out[1].Title)}
	n.d.Language = [2]string{align.Clean(n.out[0].Lang), align.Clean(n.out[1].Lang)}
	for _, k := range o.Keywords {
		if k = strings.ToLower(strings.TrimSpace(k)); k != "" && !slices.Contains(n.lower, k) {
			n.lower = append(n.lower, k)
		}
	}
	n.pair = n.al.PairBlocks()
	n.hideParts()
	n.again = newAgain(&n.scope, o, n.A, n.B)
	n.comparePairs()
	n.countMasks()
	n.d.Shrunk, n.regrown = lost(len(n.A.Words), len(n.B.Words)), lost(len(n.B.Words), len(n.A.Words))
	n.rows()
	n.reordered()
	n.side()
	n.score()
	if o.Threshold < 0 && (n.d.Class == Volatile || n.d.Class == None) {
		n.d.Significant = false
	}
	if n.d.Significant {
		n.d.Held = n.named()
		n.d.Significant = n.d.Held == ""
	}
	return n, nil
}

// lost reports whether most of a page's words are gone.
func lost(before, after int) bool { return before >= ShrinkFrom && after < before*2/5 }

// ShrinkFrom is the least number of words a page must have had for a loss of
// three fifths to look like a failure of the server.
const ShrinkFrom = 60

// countMasks counts the places where a number changed, by what the number
// counts: one that changes in many places at once (ages, counters) is not news.
func (n *analysis) countMasks() {
	for x, y := range n.pair.A {
		if y < 0 || n.B.Blocks[y].Words() > 40 || n.unchanged(x) {
			continue
		}
		words, match := n.B.BlockWords(int(y)), n.Back[n.B.Blocks[y].W0:]
		if k, ok := age(words, match); ok {
			n.masks[k]++
		}
		once := map[string]bool{} // the cells of one row may rise together
		for i, w := range words {
			if k := numberKey(words, i); match[i] < 0 && kind.HasDigit(w) && !once[k] {
				n.masks[k]++
				once[k] = true
			}
		}
	}
}

// comparePairs finds the pairs of blocks of which nothing changed that is shown, and
// says which blocks will be asked whether they stand in an aside: the others.
func (n *analysis) comparePairs() {
	n.words, n.equal = align.NewBitset(len(n.A.Blocks)), align.NewBitset(len(n.A.Blocks))
	asked := [2]align.Bitset{align.NewBitset(len(n.A.Blocks)), align.NewBitset(len(n.B.Blocks))}
	for x, y := range n.pair.A {
		if y >= 0 && n.sameWords(x, int(y)) {
			if n.words.Add(int32(x)); n.sameSigns(x, int(y)) {
				n.equal.Add(int32(x))
				continue
			}
		}
		if y < 0 {
			asked[0].Add(int32(x))
		} else {
			asked[1].Add(y)
		}
	}
	for y, x := range n.pair.B {
		if x < 0 {
			asked[1].Add(int32(y))
		}
	}
	if n.A.Unnamed {
		n.A.AskAsides(asked[0])
		n.B.AskAsides(asked[1])
	}
}

// unchanged reports whether the words of a pair are the same, one by one.
func (n *analysis) unchanged(x int) bool { return n.words.Has(int32(x)) }

func (n *analysis) sameWords(x, y int) bool {
	ba, bb := n.A.Blocks[x], n.B.Blocks[y]
	if ba.Words() != bb.Words() {
		return false
	}
	for w := ba.W0; w < ba.W1; w++ {
		if n.Match[w] != bb.W0+w-ba.W0 {
			return false
		}
	}
	return true
}

// side compares what is no text.
func (n *analysis) side() {
	t, restyled := things.Changed([2]*align.Document{n.A, n.B}, n.in)
	m := n.o.Memory
	n.d.Links = existence(t[0].Links, t[1].Links, "link", m)
	n.d.Retargets = n.retargets()
	n.d.Images = existence(t[0].Images, t[1].Images, "image", m)
	n.d.Forms = existence(t[0].Forms, t[1].Forms, "form", m)
	n.d.Embeds = existence(t[0].Embeds, t[1].Embeds, "embed", m)
	n.hits[CatAppearance] = restyled
	if n.d.Title[0] != n.d.Title[1] && !kind.Misread(n.out[0].Title, n.out[1].Title) &&
		kind.MaskAll(strings.Fields(n.d.Title[0])) != kind.MaskAll(strings.Fields(n.d.Title[1])) {
		n.hits[CatTitle] = 1
	} else if released(strings.Fields(n.d.Title[0]), strings.Fields(n.d.Title[1])) && n.hits[CatWords] == 0 {
		n.hits[CatWords] = 1 // nothing but the title says so
	}
}

// released reports whether two titles differ in a version alone: one with a point in
// it, which counters in titles have not.
func released(a, b []string) bool {
	versions := 0
	for i := 0; i < len(a) && len(a) == len(b); i++ {
		switch {
		case a[i] == b[i]:
		case len(kind.Parts(strings.TrimPrefix(a[i], "v"), ".")) > 1 && len(kind.Parts(strings.TrimPrefix(b[i], "v"), ".")) > 1 && !kind.IsDate(a[i]):
			versions++
		default:
			return false
		}
	}
	return versions > 0
}
