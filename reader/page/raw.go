package page

import (
	"bytes"

	"golang.org/x/net/html"
)

// tag adds a tag token and reports whether the next text is code. Elements are
// read as a browser without scripts reads them: the content of noscript is markup,
// and a slash at the end of a tag means nothing but in SVG and MathML. Other than
// a browser, an element of raw text that its noscript or the page does not end
// holds nothing: what follows is the page.
func (l *lexer) tag(z *html.Tokenizer, closing bool, from, to int) (raw bool) {
	var buf [24]byte
	tag := l.src[from:to]
	name, _ := tagName(tag, buf[:0])
	tr := traits[string(name)]
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
	case string(name) == "svg", string(name) == "math":
		l.foreign = !closing && !shut && !bytes.HasSuffix(tag, []byte("/>"))
	case tr&traitBlock != 0 && tr&traitQuiet == 0:
		l.foreign = false // HTML ends it, and in foreignObject it is HTML
	}
	if tr&traitQuiet != 0 && !shut {
		l.quiet = max(0, l.quiet+step(closing))
	}
	if string(name) == "pre" {
		l.pre = max(0, l.pre+step(closing))
	}
	l.add(aTag, flags, from, to)
	switch {
	case closing:
		return false
	case string(name) == "noscript":
		l.noscript = l.endOf("noscript", to)
		z.NextIsNotRawText()
		return false
	case tr&traitRaw != 0 && (shut || l.unended(string(name), to)), tr&traitQuiet != 0 && shut:
		z.NextIsNotRawText()
		return false
	}
	return tr&traitRaw != 0
}

// step is how a start or an end tag changes a depth.
func step(closing bool) int {
	if closing {
		return -1
	}
	return 1
}

// unended reports whether no end tag follows a start tag of raw text that ends at
// from, in the noscript element around it or on the page.
func (l *lexer) unended(name string, from int) bool {
	end := l.endOf(name, from)
	return end == len(l.src) || from <= l.noscript && end > l.noscript
}

// endOf is where the next end tag of a name begins, the page's length without one.
// Each is looked for once.
func (l *lexer) endOf(name string, from int) int {
	if at, ok := l.ends[name]; ok && at >= from {
		return at
	}
	if l.ends == nil {
		l.ends = map[string]int{}
	}
	at := from
	for {
		n := bytes.Index(l.src[at:], []byte("</"))
		if n < 0 {
			at = len(l.src)
			break
		}
		at += n
		var buf [24]byte
		if got, _ := tagName(l.src[at:min(len(l.src), at+26)], buf[:0]); string(got) == name {
			break
		}
		at += 2
	}
	l.ends[name] = at
	return at
}
