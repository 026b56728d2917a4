// Package ignore names the places of a page that a reader ignores, and finds them on
// other versions of it. Of, Placed, Lone and Names.Rule make rules; Read takes a list
// of them.
//
// A rule that ignores a block is how the block reads, with # for numbers, on any
// part of the page ("Served in # s"); or, where words change as well, how it
// reads with * for what changed and where it stands, by its two innermost
// elements and, where those say too little, the block before it:
// "* ago @ div.post p.time", "# @ tr td after Points". What stands around these
// may be rearranged. A rule that ignores parts of a block alone is described in numbers.go.
package ignore

import (
	"strings"
	"unicode"

	"diurna/reader/align"
	"diurna/reader/kind"
)

const (
	ruleAt    = " @ "
	ruleAfter = " after "
	labelMost = 8 // words of a block that names the next one
)

// Rules are the rules of a watch. The zero value ignores nothing.
type Rules struct {
	blocks  map[string]bool
	places  []placeRule
	numbers []partsRule
}

// Read reads rules.
func Read(list []string) (r Rules) {
	r.blocks = map[string]bool{}
	for _, rule := range list {
		rule = strings.Join(strings.Fields(rule), " ")
		if n, ok := partsOf(rule); ok {
			r.numbers = append(r.numbers, n)
			continue
		}
		if rule == "" {
			continue
		}
		r.blocks[rule] = true
		if p, ok := placeOf(rule); ok {
			r.places = append(r.places, p)
		}
	}
	return r
}

// Placed reports whether some rules ask where a block stands.
func (r *Rules) Placed() bool { return len(r.places)+len(r.numbers) > 0 }

// Hides is the rule that ignores all of a block, "" without one.
func (r *Rules) Hides(d *align.Document, block int) string {
	if len(r.blocks) == 0 {
		return ""
	}
	if rule := Of(d, block); r.blocks[rule] {
		return rule
	}
	for i := range r.places {
		if r.places[i].hides(d, block) {
			return r.places[i].rule
		}
	}
	return ""
}

// Of is the rule that ignores a block whatever its numbers, "" for long ones.
func Of(d *align.Document, block int) string {
	if d.Blocks[block].Words() > align.LongBlock {
		return ""
	}
	return align.Clean(kind.MaskAll(d.BlockWords(block)))
}

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
	return fits(p.pattern, strings.Fields(align.Clean(kind.MaskAll(d.BlockWords(block)))))
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

// HasLetter reports whether a rule's pattern has a word to know a block by.
func HasLetter(pattern string) bool { return strings.ContainsFunc(pattern, unicode.IsLetter) }

// Lone is the rule that ignores a block that came or went: its place where
// that is one of its kind and has a name, how it reads elsewhere.
func Lone(d *align.Document, block int) string {
	if whole := Of(d, block); whole == "" || !d.Alone(block) || !strings.ContainsAny(d.Spot(block), ".#") {
		return whole
	}
	return Placed(d, block, "*")
}

// Placed adds to a pattern where a block stands. A pattern without a word needs
// a place of its own, and where there is none the rule is how the block reads.
func Placed(d *align.Document, block int, pattern string) string {
	spot := d.Spot(block)
	switch {
	case spot == "":
		return Of(d, block)
	case HasLetter(pattern) || d.Alone(block):
		return pattern + ruleAt + spot
	case label(d, block) != "":
		return pattern + ruleAt + spot + ruleAfter + label(d, block)
	}
	return Of(d, block)
}

// Anywhere is the rule for all that stands in elements like those of a block, whatever it
// says; how it reads where these are unknown.
func Anywhere(d *align.Document, block int) string {
	if spot := d.Spot(block); spot != "" {
		return "*" + ruleAt + spot
	}
	return Of(d, block)
}

// label is how the block before a block reads, if it may name it.
func label(d *align.Document, block int) string {
	if block == 0 || d.Blocks[block-1].Words() > labelMost {
		return ""
	}
	if l := Of(d, block-1); HasLetter(l) {
		return l
	}
	return ""
}
