package page

import (
	"strings"
	"unicode"

	"diurna/reader/align"
	"diurna/reader/field"
	"diurna/reader/kind"
)

// What links lead to and what pictures show is content: the same text with
// another address behind it, and another picture in the place of one.

// newTargets counts the links of the page's text that lead elsewhere now. In
// furniture only what binds people counts, and a link that leads to another site.
// Several addresses that changed in the same way were rebuilt.
func (n *analysis) newTargets() int {
	alike := map[string]int{}
	for _, r := range n.d.Retargets {
		alike[field.Rebuilt(r.Old, r.New)]++
	}
	c := 0
	for i, r := range n.d.Retargets {
		if n.quietLinks[i] || redrawnTarget(r.Old, r.New) || alike[field.Rebuilt(r.Old, r.New)] >= manyAlike || field.SameTarget(r.Old, r.New) {
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

// redrawnTarget reports whether one address becomes another by tokens made by chance:
// as long as before, letters and digits mixed in one of them.
func redrawnTarget(a, b string) bool {
	if len(a) != len(b) || a == b {
		return false // as most, for every address that went is held against every one that came
	}
	mixed := func(s string) bool { return kind.HasDigit(s) && strings.ContainsFunc(s, unicode.IsLetter) }
	x, y := strings.FieldsFunc(a, notWord), strings.FieldsFunc(b, notWord)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && (len(x[i]) < shortToken-2 || !mixed(x[i]) && !mixed(y[i]) || 2*alikeAt(x[i], y[i]) > len(x[i])) {
			return false
		}
	}
	return true
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

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
	old := map[uint64][]string{}
	for _, p := range n.A.Pictures() {
		old[p.Place] = append(old[p.Place], p.Name)
	}
	now := map[uint64][]string{}
	for _, p := range n.B.Pictures() {
		if n.in[1] == nil || n.in[1].Has(p.Tag) {
			now[p.Place] = append(now[p.Place], p.Name)
		}
	}
	c := 0
	for place, names := range now {
		was, name := old[place], ""
		if len(was) == len(names) {
			name = onlyOther(was, names)
		}
		if name == "" || n.o.Memory.held(align.ThingHash("image", name)) {
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

// onlyOther returns the one name that differs between two lists of as many, "" if none
// or several do.
func onlyOther(was, names []string) string {
	other := ""
	for i := range names {
		if was[i] == names[i] {
			continue
		}
		if other != "" {
			return ""
		}
		other = names[i]
	}
	return other
}
