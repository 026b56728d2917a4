package page

import (
	"strings"
	"unicode"

	"diurna/reader/align"
	"diurna/reader/kind"
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
func (p *placeRule) hides(d *align.Document, block int) bool {
	if d.Blocks[block].Words() > align.LongBlock || d.Spot(block) != p.spot || p.after != "" && label(d, block) != p.after {
		return false
	}
	return fits(p.pattern, strings.Fields(align.Clean(ruleOf(d.BlockWords(block)))))
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
	whole := rule(n.B, y)
	if whole == rule(n.A, x) && hasLetter(whole) {
		return whole
	}
	if whole == rule(n.A, x) {
		return n.placed(n.B, y, whole)
	}
	back := n.Back[n.B.Blocks[y].W0:]
	var out []string
	last := n.A.Blocks[x].W0 - 1
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
		out = append(out, kind.Mask(w))
	}
	if last != n.A.Blocks[x].W0+int32(len(wa))-1 {
		star()
	}
	return n.placed(n.B, y, align.Clean(strings.Join(out, " ")))
}

// loneRule is the rule that ignores a block that came or went: its place where
// that is one of its kind and has a name, how it reads elsewhere.
func (n *analysis) loneRule(d *align.Document, block int) string {
	if whole := rule(d, block); whole == "" || !d.Alone(block) || !strings.ContainsAny(d.Spot(block), ".#") {
		return whole
	}
	return n.placed(d, block, "*")
}

// placed adds to a pattern where a block stands. A pattern without a word needs
// a place of its own, and where there is none the rule is how the block reads.
func (n *analysis) placed(d *align.Document, block int, pattern string) string {
	spot := d.Spot(block)
	switch {
	case spot == "":
		return rule(d, block)
	case hasLetter(pattern) || d.Alone(block):
		return pattern + ruleAt + spot
	case label(d, block) != "":
		return pattern + ruleAt + spot + ruleAfter + label(d, block)
	}
	return rule(d, block)
}

// label is how the block before a block reads, if it may name it.
func label(d *align.Document, block int) string {
	if block == 0 || d.Blocks[block-1].Words() > labelMost {
		return ""
	}
	if l := rule(d, block-1); hasLetter(l) {
		return l
	}
	return ""
}
