package page

import "diurna/reader/markup"

// maxRetargets bounds the list of links that lead elsewhere now.
const maxRetargets = 1000

// linkCursor follows the words of a document and knows the link each stands in.
type linkCursor struct {
	d        *document
	at, link int32 // the next token, and the tag of the link around it or -1
}

// of returns the tag of the link that the word at t stands in, or -1. Words are
// asked for in order.
func (c *linkCursor) of(t int32) int32 {
	for ; c.at < t; c.at = c.d.next(c.at) {
		if c.d.is(c.at) != aTag {
			continue
		}
		if e, closing := c.d.element(c.at); e == markup.A {
			c.link = -1
			if !closing {
				c.link = c.at
			}
		}
	}
	return c.link
}

// retargets lists links whose text is matched and whose address is another.
func (n *analysis) retargets() (out []Retarget) {
	if len(n.d.Links.Added) == 0 || len(n.d.Links.Removed) == 0 {
		return nil
	}
	ca, cb := linkCursor{d: n.a, link: -1}, linkCursor{d: n.b, link: -1}
	last := [2]int32{-1, -1}
	for i, j := range n.match {
		if len(out) >= maxRetargets {
			break
		}
		if j < 0 {
			continue
		}
		la, lb := ca.of(n.a.words[i]), cb.of(n.b.words[j])
		if la < 0 || lb < 0 || last == [2]int32{la, lb} {
			continue
		}
		last = [2]int32{la, lb}
		if n.in[1] != nil && !n.in[1].has(n.b.words[j]) {
			continue
		}
		old, next := attr(n.a.at(la), "href"), attr(n.b.at(lb), "href")
		if x, y := canonical(old), canonical(next); x != y && x != "" && y != "" {
			text := clean(n.linkText(lb))
			out = append(out, Retarget{text, clean(old), clean(next)})
			n.quietLinks = append(n.quietLinks, n.quietLink(j, text))
		}
	}
	return out
}

// linkText is the text from a link's tag to the next.
func (n *analysis) linkText(tag int32) string {
	const most = 64 // tokens; a link around a whole article is cut
	first := n.b.next(tag)
	end := first
	for k := 1; end < n.b.end() && k < most; k++ {
		if n.b.is(end) == aTag {
			if e, _ := n.b.element(end); e == markup.A {
				break
			}
		}
		end = n.b.next(end)
	}
	return n.b.text(first, end)
}
