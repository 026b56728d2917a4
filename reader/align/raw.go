package align

import (
	"bytes"

	"diurna/reader/markup"
)

// tag adds a tag token and reports whether the next text is code. Elements are
// read as a browser without scripts reads them: the content of noscript is markup,
// and a slash at the end of a tag means nothing but in SVG and MathML. Other than
// a browser, an element of raw text that its noscript or the page does not end
// holds nothing: what follows is the page.
func (l *lexer) tag(z *markup.Scanner) (raw bool) {
	closing, from, to := z.Kind == markup.Close, z.From, z.To
	tag := l.Src[from:to]
	tr := traits[z.Element]
	var flags uint8
	if tr&traitBlock != 0 {
		flags = flagBlock
	} else if tr&traitCell != 0 && !closing {
		flags = flagCell
	}
	shut := !closing && (tr&traitVoid != 0 || l.foreign && bytes.HasSuffix(tag, []byte("/>")))
	if shut {
		flags |= flagShut
	}
	switch {
	case z.Element == markup.Svg, z.Element == markup.Math:
		l.foreign = !closing && !shut && !bytes.HasSuffix(tag, []byte("/>"))
	case tr&traitBlock != 0 && tr&traitQuiet == 0:
		l.foreign = false // HTML ends it, and in foreignObject it is HTML
	}
	if tr&traitQuiet != 0 && !shut {
		l.quiet = max(0, l.quiet+step(closing))
	}
	if z.Element == markup.Pre {
		l.pre = max(0, l.pre+step(closing))
	}
	l.add(Tag, flags, from, to)
	l.tags.Add(int32(from))
	l.kind[from+1] = uint8(z.Element)
	if closing {
		l.kind[from+1] |= endTag
	}
	switch {
	case closing:
		return false
	case z.Element == markup.Noscript:
		l.noscript = l.endOf(z.Element, to)
		l.ahead++
		z.Plain()
		return false
	case shut && tr&(traitRaw|traitQuiet) != 0:
		z.Plain()
		return false
	case tr&traitRaw != 0 && l.unended(z.Element, to):
		l.ahead++
		z.Plain()
		return false
	}
	return tr&traitRaw != 0
}

// step is how a start or an end tag changes a depth.
func step(closing bool) int32 {
	if closing {
		return -1
	}
	return 1
}

// unended reports whether no end tag follows a start tag of raw text that ends at
// from, in the noscript element around it or on the page.
func (l *lexer) unended(e markup.Element, from int) bool {
	end := l.endOf(e, from)
	return end == len(l.Src) || from <= l.noscript && end > l.noscript
}

// endOf is where the next end tag of an element begins, the page's length without
// one. Each is looked for once.
func (l *lexer) endOf(e markup.Element, from int) int {
	if at, ok := l.ends[e]; ok && at >= from {
		return at
	}
	if l.ends == nil {
		l.ends = map[markup.Element]int{}
	}
	at := from
	for {
		n := bytes.Index(l.Src[at:], []byte("</"))
		if n < 0 {
			at = len(l.Src)
			break
		}
		if at += n; markup.ElementOf(l.Src[at:]) == e {
			break
		}
		at += 2
	}
	l.ends[e] = at
	return at
}
