package page

import (
	"strings"

	"diurna/reader/markup"
)

// What links lead to and what pictures show is content: the same text with
// another address behind it, and another picture in the place of one.

// newTargets counts the links of the page's text that lead elsewhere now. In
// furniture only what binds people counts. Several addresses that changed in the
// same way were rebuilt.
func (n *analysis) newTargets() int {
	alike := map[string]int{}
	for _, r := range n.d.Retargets {
		alike[rebuilt(r.Old, r.New)]++
	}
	c := 0
	for i, r := range n.d.Retargets {
		if n.quietLinks[i] || alike[rebuilt(r.Old, r.New)] >= manyAlike || bareTarget(r.Old) == bareTarget(r.New) {
			continue
		}
		h := thingHash("link", canonical(r.New))
		if n.o.Memory.held(h) || n.o.Memory.flaps(h, factTurns) {
			continue
		}
		c++
	}
	return c
}

// bareTarget is a canonical address without its query, the www of its host and
// what only says that it is a page.
func bareTarget(href string) string {
	s, _, _ := strings.Cut(canonical(href), "?")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "//"), "www.")
	for _, end := range []string{"/", ".html", ".htm", ".php", "/index"} {
		s = strings.TrimSuffix(s, end)
	}
	return strings.ToLower(s)
}

// rebuilt returns how one address became another: what differs between their common
// beginning and end.
func rebuilt(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	i = 0
	for i < min(len(a), len(b)) && a[len(a)-1-i] == b[len(b)-1-i] {
		i++
	}
	return a[:len(a)-i] + " " + b[:len(b)-i]
}

// quietLink reports whether the link around word j of the new page, which says
// text, is not of the page's text.
func (n *analysis) quietLink(j int32, text string) bool {
	y := n.b.blockOf(j)
	if n.out[1].at[y].flags&inMenu == 0 {
		return n.scope.outside(n.b, y, n.in[1])
	}
	words := strings.Fields(text)
	return len(words) > menuWords || !secLegal.has(words)
}

// picture is an image of a page in its place.
type picture struct {
	name  string // its canonical address
	place uint64
	tag   int32
}

// newPictures counts the pictures in the page's text that stand in the place of
// others. One that says it is decoration, by an empty alternative, does not count.
func (n *analysis) newPictures() int {
	if len(n.d.Images.Added) == 0 || len(n.d.Images.Removed) == 0 {
		return 0
	}
	old := map[uint64][]string{}
	for _, p := range n.a.pictures() {
		old[p.place] = append(old[p.place], p.name)
	}
	now := map[uint64][]string{}
	for _, p := range n.b.pictures() {
		if n.in[1] == nil || n.in[1].has(p.tag) {
			now[p.place] = append(now[p.place], p.name)
		}
	}
	c := 0
	for place, names := range now {
		was := old[place]
		if len(was) != 1 || len(names) != 1 || was[0] == names[0] || n.o.Memory.held(thingHash("image", names[0])) {
			continue
		}
		if n.o.Memory != nil {
			if p, ok := n.o.Memory.places[place]; ok && p.volatile() {
				continue
			}
		}
		c++
	}
	return c
}

// mostPictures bounds the images of a page that are looked at.
const mostPictures = 64

// pictures are the images of a page outside furniture that say what they show.
func (d *document) pictures() (out []picture) {
	if d.spots == nil {
		d.findSpots(true)
	}
	return d.shown
}

// pictureAt reads the picture of a tag, with the elements around it.
func (d *document) pictureAt(stack []spotted, tag int32) (picture, bool) {
	raw := d.at(tag)
	alt := attr(raw, "alt")
	name := canonical(imageSource(raw))
	if alt == "" || name == "" || attr(raw, "width") == "1" {
		return picture{}, false
	}
	for _, s := range stack {
		switch s.element {
		case markup.Nav, markup.Footer, markup.Aside:
			return picture{}, false
		}
	}
	return picture{name, placeKey("image", d.spotIn(stack), alt), tag}, true
}

// blockOf is the block that a word stands in.
func (d *document) blockOf(word int32) int {
	lo, hi := 0, len(d.blocks)-1
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if d.blocks[mid].w0 <= word {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}
