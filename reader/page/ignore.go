package page

import (
	"strings"
	"unicode"

	"diurna/reader/markup"
)

// A rule that ignores a block is how the block reads, with # for numbers, on any
// part of the page ("Served in # s"); or, where words change as well, how it
// reads with * for what changed and where it stands, by its two innermost
// elements and, where those say too little, the block before it:
// "* ago @ div.post p.time", "# @ tr td after Points". What stands around these
// may be rearranged.
const (
	ruleAt    = " @ "
	ruleAfter = " after "
	labelMost = 8 // words of a block that names the next one
)

// placeRule is a rule with a place.
type placeRule struct {
	rule    string
	pattern []string
	spot    string
	after   string
}

// placeOf reads a rule with a place; false for one without.
func placeOf(rule string) (placeRule, bool) {
	pattern, spot, ok := strings.Cut(rule, ruleAt)
	if !ok || pattern == "" || spot == "" {
		return placeRule{}, false
	}
	p := placeRule{rule: rule, pattern: strings.Fields(pattern)}
	p.spot, p.after, _ = strings.Cut(spot, ruleAfter)
	return p, true
}

// hides reports whether the rule ignores a block.
func (p *placeRule) hides(d *document, block int) bool {
	if d.blocks[block].words() > longBlock || d.spot(block) != p.spot || p.after != "" && d.label(block) != p.after {
		return false
	}
	return fits(p.pattern, strings.Fields(clean(ruleOf(d.blockWords(block)))))
}

// fits matches words against a pattern in which * stands for any of them.
func fits(pattern, words []string) bool {
	at, star, from := 0, -1, 0
	for i := 0; i < len(words); {
		switch {
		case at < len(pattern) && pattern[at] == "*":
			star, from = at, i
			at++
		case at < len(pattern) && pattern[at] == words[i]:
			at++
			i++
		case star >= 0: // let the last star take one word more
			from++
			at, i = star+1, from
		default:
			return false
		}
	}
	for at < len(pattern) && pattern[at] == "*" {
		at++
	}
	return at == len(pattern)
}

// hasLetter reports whether a rule's pattern has a word to know a block by.
func hasLetter(pattern string) bool { return strings.ContainsFunc(pattern, unicode.IsLetter) }

// pairRule is the rule that ignores a pair of blocks and what its place will say
// later: what both sides read alike stays in it.
func (n *analysis) pairRule(x, y int, wa, wb []string) string {
	if wa == nil || wb == nil {
		return ""
	}
	whole := n.b.rule(y)
	if whole == n.a.rule(x) && hasLetter(whole) {
		return whole
	}
	if whole == n.a.rule(x) {
		return n.placed(n.b, y, whole)
	}
	back := n.back[n.b.blocks[y].w0:]
	var out []string
	last := n.a.blocks[x].w0 - 1
	star := func() {
		if len(out) == 0 || out[len(out)-1] != "*" {
			out = append(out, "*")
		}
	}
	for i, w := range wb {
		if back[i] < 0 {
			star()
			continue
		}
		if back[i] != last+1 {
			star()
		}
		last = back[i]
		out = append(out, mask(w))
	}
	if last != n.a.blocks[x].w0+int32(len(wa))-1 {
		star()
	}
	return n.placed(n.b, y, clean(strings.Join(out, " ")))
}

// loneRule is the rule that ignores a block that came or went: its place where
// that is one of its kind and has a name, how it reads elsewhere.
func (n *analysis) loneRule(d *document, block int) string {
	if whole := d.rule(block); whole == "" || !d.alone(block) || !strings.ContainsAny(d.spot(block), ".#") {
		return whole
	}
	return n.placed(d, block, "*")
}

// placed adds to a pattern where a block stands. A pattern without a word needs
// a place of its own, and where there is none the rule is how the block reads.
func (n *analysis) placed(d *document, block int, pattern string) string {
	spot := d.spot(block)
	switch {
	case spot == "":
		return d.rule(block)
	case hasLetter(pattern) || d.alone(block):
		return pattern + ruleAt + spot
	case d.label(block) != "":
		return pattern + ruleAt + spot + ruleAfter + d.label(block)
	}
	return d.rule(block)
}

// label is how the block before a block reads, if it may name it.
func (d *document) label(block int) string {
	if block == 0 || d.blocks[block-1].words() > labelMost {
		return ""
	}
	if l := d.rule(block - 1); hasLetter(l) {
		return l
	}
	return ""
}

// alone reports whether no other block of a page stands in elements like those
// of a block.
func (d *document) alone(block int) bool {
	spot := d.spot(block)
	return d.standing[spot] == 1
}

// spot names the two innermost elements around a block, with their id or first
// class, numbers masked: "div.post p.time". Wrappers without a name are left out
// where they hold one with a name.
func (d *document) spot(block int) string {
	if d.spots == nil {
		d.findSpots(true)
	}
	return d.spots[block]
}

// findSpots walks the page once. Without names it finds the asides alone.
func (d *document) findSpots(names bool) {
	w := spotter{d: d, names: names}
	d.aside, d.shown = make([]bool, len(d.blocks)), nil
	if names {
		d.spots, d.standing, d.row = make([]string, len(d.blocks)), map[string]int{}, make([]int32, len(d.blocks))
	}
	for i := int32(0); i < d.end() && w.block < len(d.blocks); i = d.next(i) {
		switch d.is(i) {
		case aWord:
			if i == d.words[d.blocks[w.block].w0] {
				w.begin()
			}
		case aTag:
			w.tag(i)
		}
	}
}

// spotter walks a page and knows the elements that are open.
type spotter struct {
	d     *document
	names bool // whether spots, rows and pictures are wanted
	stack []spotted
	block int // the next one
	next  int // the depth at which an element opens that an aside's heading heads
}

// begin takes up the next block.
func (w *spotter) begin() {
	d, n := w.d, w.block
	d.aside[n] = inAside(w.stack)
	if w.names {
		d.spots[n], d.row[n] = d.spotIn(w.stack), rowIn(w.stack)
		d.standing[d.spots[n]]++
	}
	if inHeading(w.stack) && asideHeading(d.firstWords(n, 4*asideHeadWords)) {
		w.next = headAside(w.stack, n)
	}
	w.block++
}

// tag takes up a tag.
func (w *spotter) tag(i int32) {
	d := w.d
	e, closing := d.element(i)
	if e == markup.Img && w.names && len(d.shown) < mostPictures {
		if p, ok := d.pictureAt(w.stack, i); ok {
			d.shown = append(d.shown, p)
		}
	}
	switch {
	case traits[e]&traitVoid != 0 || d.kind[i]&flagShut != 0:
	case closing:
		id := d.tagID(i)
		for at := len(w.stack) - 1; at >= 0; at-- {
			if w.stack[at].tagID == id {
				w.stack = w.stack[:at]
				break
			}
		}
	case len(w.stack) < maxOpen:
		for len(w.stack) > 0 && ended(w.stack[len(w.stack)-1].element, e) {
			w.stack = w.stack[:len(w.stack)-1] // it was left open
		}
		s := spotted{tagID: d.tagID(i), at: i, aside: d.asideElement(i), first: w.block}
		if w.next > 0 && len(w.stack) <= w.next {
			s.aside, w.next = s.aside || len(w.stack) == w.next && s.String()[0] != 'h', 0
		}
		w.stack = append(w.stack, s)
	}
}

// spotted is an open element.
type spotted struct {
	tagID
	at int32 // its tag

	aside bool // it holds what is not of the page
	first int  // its first block
}

// rowIn is the tag of the innermost row of a table or item of a list, -1 outside.
func rowIn(stack []spotted) int32 {
	for n := len(stack) - 1; n >= max(0, len(stack)-plainDepth); n-- {
		switch stack[n].element {
		case markup.Tr, markup.Li, markup.Dl:
			return stack[n].at
		}
	}
	return -1
}

// ended reports whether an element ends where the next begins although nothing
// says so: paragraphs, items, rows and cells.
func ended(open, next markup.Element) bool {
	switch next {
	case markup.P, markup.Li, markup.Option:
		return open == next
	case markup.Dt, markup.Dd:
		return open == markup.Dt || open == markup.Dd
	case markup.Td, markup.Th:
		return open == markup.Td || open == markup.Th
	case markup.Tr:
		return open == markup.Td || open == markup.Th || open == markup.Tr
	}
	return false
}

func (d *document) spotIn(stack []spotted) string {
	if len(stack) == 0 {
		return ""
	}
	inner := d.elementName(stack[len(stack)-1])
	for n := len(stack) - 2; n >= 0; n-- {
		if stack[n].element == markup.Body || stack[n].element == markup.Html {
			continue
		}
		s := d.elementName(stack[n])
		if n < len(stack)-2 && !strings.ContainsAny(s, ".#") {
			continue // the next with a name says more
		}
		if strings.ContainsAny(s, ".#") || n == len(stack)-2 && !strings.ContainsAny(inner, ".#") {
			return s + " " + inner
		}
	}
	return inner
}

// elementName is an element's name with its id or first class. Most elements of
// a page are like others, so it is made once for each tag.
func (d *document) elementName(s spotted) string {
	const most = 4096
	id := d.id(s.at)
	if name, ok := d.in.names[id]; ok {
		return name
	}
	name := nameOf(s.String(), d.at(s.at))
	if d.in.names == nil {
		d.in.names = map[int32]string{}
	}
	if len(d.in.names) < most {
		d.in.names[id] = name
	}
	return name
}

func nameOf(name string, raw []byte) string {
	if id := attr(raw, "id"); id != "" && len(id) < 60 {
		return name + "#" + strings.Join(strings.Fields(clean(mask(id))), "")
	}
	if class, _, _ := strings.Cut(strings.TrimSpace(attr(raw, "class")), " "); class != "" && len(class) < 60 {
		return name + "." + strings.Join(strings.Fields(clean(mask(class))), "")
	}
	return name
}
