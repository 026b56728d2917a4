package page

import (
	"slices"
	"strings"

	"diurna/reader/align"
	"diurna/reader/field"
	"diurna/reader/kind"
)

// What links lead to and what pictures show is content: the same text with
// another address behind it, and another picture in the place of one.

// newTargets counts the links of the page's text that lead elsewhere now. In
// furniture only what binds people counts, and a link that leads to another site.
// Several addresses that changed in the same way were rebuilt, unless it is their site.
func (n *analysis) newTargets() int {
	alike := map[string]int{}
	for _, r := range n.d.Retargets {
		alike[field.Rebuilt(r.Old, r.New)]++
	}
	c := 0
	for i, r := range n.d.Retargets {
		if n.quietLinks[i] || field.Redrawn(r.Old, r.New) ||
			alike[field.Rebuilt(r.Old, r.New)] >= manyAlike && field.Site(r.Old) == field.Site(r.New) || field.SameTarget(r.Old, r.New) {
			continue
		}
		h := align.ThingHash("link", align.Canonical(r.New))
		if n.o.Memory.held(h) || n.o.Memory.flaps(h, factTurns) {
			continue
		}
		c++
	}
	return c
}

// quietLink reports whether the link around word j of the new page, which says
// text, is not of the page's text; elsewhere says that nothing but its site is another,
// binds that its address leads to what binds people.
func (n *analysis) quietLink(j int32, text string, elsewhere, binds bool) bool {
	y := n.B.BlockOf(j)
	if n.scope.Outside(n.B, y, n.in[1]) || n.B.InAside(y) {
		return true
	}
	if n.out[1].At[y].Flags&align.InMenu == 0 || binds || elsewhere && text != "" {
		return false
	}
	words := strings.Fields(text)
	return len(words) > align.MenuWords || !kind.Legal.Has(words)
}

// newPictures counts the pictures in the page's text that stand in the place of
// others. One that says it is decoration, by an empty alternative, does not count.
func (n *analysis) newPictures() int {
	if len(n.d.Images.Added) == 0 || len(n.d.Images.Removed) == 0 {
		return 0
	}
	shown := slices.DeleteFunc(slices.Clone(n.B.Pictures()), func(p align.Picture) bool { return n.in[1] != nil && !n.in[1].Has(p.Tag) })
	return field.Replaced(n.A.Pictures(), shown, func(name string, place uint64) bool {
		if n.o.Memory == nil {
			return false
		}
		return n.o.Memory.held(align.ThingHash("image", name)) || n.o.Memory.places[place].volatile()
	})
}
