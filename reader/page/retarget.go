package page

// maxRetargets bounds the list of links that lead elsewhere now.
const maxRetargets = 1000

// linkTokens returns for every word the tag of the link it stands in, or -1.
func linkTokens(d *document) []int32 {
	out := make([]int32, len(d.words))
	link, w := int32(-1), 0
	var buf [24]byte
	for i := int32(0); i < int32(d.len()); i++ {
		switch d.is(i) {
		case aTag:
			if name, closing := tagName(d.at(i), buf[:0]); string(name) == "a" {
				link = -1
				if !closing {
					link = i
				}
			}
		case aWord:
			out[w] = link
			w++
		}
	}
	return out
}

// retargets lists links whose text is matched and whose address is another.
func (n *analysis) retargets() (out []Retarget) {
	if len(n.d.Links.Added) == 0 || len(n.d.Links.Removed) == 0 {
		return nil
	}
	la, lb := linkTokens(n.a), linkTokens(n.b)
	last := [2]int32{-1, -1}
	for i, j := range n.match {
		if j < 0 || la[i] < 0 || lb[j] < 0 || last == [2]int32{la[i], lb[j]} || len(out) >= maxRetargets {
			continue
		}
		last = [2]int32{la[i], lb[j]}
		if n.in[1] != nil && !n.in[1][n.b.words[j]] {
			continue
		}
		old, next := attr(n.a.at(la[i]), "href"), attr(n.b.at(lb[j]), "href")
		if x, y := canonical(old), canonical(next); x != y && x != "" && y != "" {
			out = append(out, Retarget{clean(n.linkText(lb[j])), clean(old), clean(next)})
		}
	}
	return out
}

// linkText is the text from a link's tag to the next.
func (n *analysis) linkText(tag int32) string {
	const most = 64 // tokens; a link around a whole article is cut
	end := tag + 1
	var buf [24]byte
	for end < int32(n.b.len()) && end < tag+most {
		if n.b.is(end) == aTag {
			if name, _ := tagName(n.b.at(end), buf[:0]); string(name) == "a" {
				break
			}
		}
		end++
	}
	return n.b.text(tag+1, end)
}
