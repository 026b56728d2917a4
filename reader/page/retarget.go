package page

import (
	"strings"

	"diurna/reader/align"
	"diurna/reader/field"
	"diurna/reader/kind"
	"diurna/reader/markup"
)

// maxRetargets bounds the list of links that lead elsewhere now.
const maxRetargets = 1000

// linkCursor follows the words of a document and knows the link each stands in.
type linkCursor struct {
	d        *align.Document
	at, link int32 // the next token, and the tag of the link around it or -1
}

// of returns the tag of the link that the word at t stands in, or -1. Words are
// asked for in order.
func (c *linkCursor) of(t int32) int32 {
	for ; c.at < t; c.at = c.d.Next(c.at) {
		if c.d.Is(c.at) != align.Tag {
			continue
		}
		if e, closing := c.d.Element(c.at); e == markup.A {
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
	if len(n.d.Links.Added) == 0 { // what went may be known to come and go
		return nil
	}
	ca, cb := linkCursor{d: n.A, link: -1}, linkCursor{d: n.B, link: -1}
	last := [2]int32{-1, -1}
	for i, j := range n.Match {
		if len(out) >= maxRetargets {
			break
		}
		if j < 0 {
			continue
		}
		la, lb := ca.of(n.A.Words[i]), cb.of(n.B.Words[j])
		if la < 0 || lb < 0 || last == [2]int32{la, lb} {
			continue
		}
		last = [2]int32{la, lb}
		if n.in[1] != nil && !n.in[1].Has(n.B.Words[j]) {
			continue
		}
		old, next := markup.Attr(n.A.At(la), "href"), markup.Attr(n.B.At(lb), "href")
		if x, y := align.Canonical(old), align.Canonical(next); x != y && x != "" && y != "" {
			text := align.Clean(linkText(n.B, lb))
			out = append(out, Retarget{text, align.Clean(old), align.Clean(next)})
			was := align.Clean(linkText(n.A, la))
			// A link that reads differently is judged by its words.
			n.quietLinks = append(n.quietLinks, kind.MaskAll(strings.Fields(was)) != kind.MaskAll(strings.Fields(text)) ||
				n.quietLink(j, text, was == text && field.Site(old) != field.Site(next), was == text && (field.Binds(old) || field.Binds(next) ||
					n.o.Memory.always(align.ThingHash("link", x)) && field.InFoot(n.B, n.B.BlockOf(j), n.out[1].At))))
		}
	}
	return out
}

// linkText is the text from a link's tag to the next.
func linkText(d *align.Document, tag int32) string {
	const most = 64 // tokens; a link around a whole article is cut
	first := d.Next(tag)
	end := first
	for k := 1; end < d.End() && k < most; k++ {
		if d.Is(end) == align.Tag {
			if e, _ := d.Element(end); e == markup.A {
				break
			}
		}
		end = d.Next(end)
	}
	return d.Text(first, end)
}
