package page

import (
	"bytes"
	"math"

	"golang.org/x/net/html"
)

// tokenKind is what a token of a page is.
type tokenKind uint8

// The kinds of token.
const (
	aTag     tokenKind = iota // a start, end or empty tag with its attributes
	aWord                     // a word, number, price or address
	aSpace                    // white space
	aSign                     // signs that are part of no word
	aCode                     // code, and text that is not shown: script, style, title
	aComment                  // comments and declarations
)

// Flags of a token, kept beside its kind in one byte: a page of 1 MB has
// several hundred thousand tokens, and the memory promise is 12 bytes per byte.
const (
	kindMask  = 0x07
	flagBlock = 0x08 // a tag, or a line break in pre, that ends a block of text
	flagCell  = 0x10 // a tag between the cells of a row
)

// tokens is a lexed page: token i spans src[from[i]:from[i+1]], so the tokens
// tile the bytes by construction. Parallel slices instead of a struct save the
// padding (9 bytes a token against 12).
type tokens struct {
	src  []byte
	from []int32 // one more than there are tokens
	id   []int32 // interned, shared by both sides
	kind []uint8
}

func (t *tokens) len() int             { return len(t.kind) }
func (t *tokens) at(i int32) []byte    { return t.src[t.from[i]:t.from[i+1]] }
func (t *tokens) is(i int32) tokenKind { return tokenKind(t.kind[i] & kindMask) }

// maxPage is the largest page the engine lexes; offsets are int32.
const maxPage = math.MaxInt32 / 2

// tagTraits says what the aligner must know of an element: whether its text is
// a block of its own, whether its content is no text, whether it is unseen.
type tagTraits uint8

const (
	traitBlock tagTraits = 1 << iota
	traitRaw             // content is code, not text
	traitQuiet           // content is text that is not shown in the page
	traitVoid            // has no content and no end tag
	traitCell            // a cell: a table is read by rows, so the row is the block
)

var traits = map[string]tagTraits{
	"address": traitBlock, "article": traitBlock, "aside": traitBlock, "blockquote": traitBlock,
	"body": traitBlock, "button": traitBlock, "caption": traitBlock, "center": traitBlock,
	"dd": traitBlock, "details": traitBlock, "dialog": traitBlock, "dir": traitBlock,
	"div": traitBlock, "dl": traitBlock, "dt": traitBlock, "fieldset": traitBlock,
	"figcaption": traitBlock, "figure": traitBlock, "footer": traitBlock, "form": traitBlock,
	"frameset": traitBlock, "h1": traitBlock, "h2": traitBlock, "h3": traitBlock,
	"h4": traitBlock, "h5": traitBlock, "h6": traitBlock, "head": traitBlock,
	"header": traitBlock, "hgroup": traitBlock, "html": traitBlock, "legend": traitBlock,
	"li": traitBlock, "main": traitBlock, "menu": traitBlock, "nav": traitBlock,
	"ol": traitBlock, "optgroup": traitBlock, "option": traitBlock, "p": traitBlock,
	"pre": traitBlock, "search": traitBlock, "section": traitBlock, "select": traitBlock,
	"summary": traitBlock, "table": traitBlock, "tbody": traitBlock, "td": traitCell,
	"textarea": traitBlock, "tfoot": traitBlock, "th": traitCell, "thead": traitBlock,
	"tr": traitBlock, "ul": traitBlock, "xmp": traitBlock, "plaintext": traitBlock,
	"noscript": traitBlock, "br": traitBlock | traitVoid, "hr": traitBlock | traitVoid,
	"title": traitBlock | traitQuiet, "template": traitBlock | traitQuiet,
	"script": traitRaw, "style": traitRaw, "iframe": traitRaw,
	"noembed": traitRaw, "noframes": traitRaw,
	"area": traitVoid, "base": traitVoid, "col": traitVoid, "embed": traitVoid,
	"img": traitVoid, "input": traitVoid, "link": traitVoid, "meta": traitVoid,
	"param": traitVoid, "source": traitVoid, "track": traitVoid, "wbr": traitVoid,
}

// tagName returns the lower-case name in the raw bytes of a tag, written into
// buf, and whether it is an end tag. Declarations and broken tags have no name.
func tagName(raw []byte, buf []byte) (name []byte, closing bool) {
	i := 1
	if len(raw) > 2 && raw[1] == '/' {
		closing, i = true, 2
	}
	for ; i < len(raw) && len(buf) < cap(buf); i++ {
		c := raw[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == ':', c == '_', c >= 0x80:
		default:
			return buf, closing
		}
		buf = append(buf, c)
	}
	return buf, closing
}

// lexer cuts one page; both lexers of a comparison share the interner.
type lexer struct {
	tokens
	in      *interner
	scratch []byte  // a decoded chunk
	offsets []int32 // where each decoded byte came from
	quiet   int     // depth of title and template elements
	pre     int     // depth of preformatted elements, where a line is a block
}

// lex cuts src into tokens without losing a byte. Pages past maxPage come back
// as one token, which is bounded and still exact.
func lex(src []byte, side uint8, in *interner) *tokens {
	return lexPart(src, side, in, plainText(src))
}

// plainText reports whether a page is text without any markup, such as a
// schedule in a .txt: a line of it is a block.
func plainText(src []byte) bool { return bytes.IndexByte(src, '<') < 0 }

// lexPart is lex of a part of a page; lines says that its lines are blocks.
func lexPart(src []byte, side uint8, in *interner, lines bool) *tokens {
	l := &lexer{in: in}
	if lines {
		l.pre = 1
	}
	l.src = src
	l.reserve(len(src)/6 + 16)
	in.sides[side&1] = src
	in.side = side & 1
	if len(src) > maxPage {
		l.add(aCode, 0, 0, len(src))
		l.from = append(l.from, int32(len(src)))
		return &l.tokens
	}
	z := html.NewTokenizer(bytes.NewReader(src))
	pos, raw := 0, false
	for {
		tt := z.Next()
		to := pos + len(z.Raw())
		if tt == html.ErrorToken {
			// What the tokenizer gave up on (an unfinished tag) and, should it
			// stop early, everything after it: kept as one raw token.
			l.add(aCode, 0, pos, len(src))
			break
		}
		switch tt {
		case html.TextToken:
			if raw {
				l.add(aCode, 0, pos, to)
			} else {
				l.text(pos, to)
			}
		case html.CommentToken, html.DoctypeToken:
			l.add(aComment, 0, pos, to)
		default:
			raw = l.tag(z, tt, pos, to)
		}
		pos = to
	}
	l.from = append(l.from, int32(len(src)))
	return &l.tokens
}

// tag adds a tag token and reports whether the next text is code. The content
// of noscript is lexed as markup: what we fetch is what a reader without
// scripts gets.
func (l *lexer) tag(z *html.Tokenizer, tt html.TokenType, from, to int) (raw bool) {
	var buf [24]byte
	name, closing := tagName(l.src[from:to], buf[:0])
	tr := traits[string(name)]
	var flags uint8
	if tr&traitBlock != 0 {
		flags = flagBlock
	} else if tr&traitCell != 0 && !closing {
		flags = flagCell
	}
	if tr&traitQuiet != 0 && tt != html.SelfClosingTagToken {
		if !closing {
			l.quiet++
		} else if l.quiet > 0 {
			l.quiet--
		}
	}
	if string(name) == "pre" {
		if !closing {
			l.pre++
		} else if l.pre > 0 {
			l.pre--
		}
	}
	l.add(aTag, flags, from, to)
	if tt == html.StartTagToken && string(name) == "noscript" {
		z.NextIsNotRawText()
		return false
	}
	return tt == html.StartTagToken && tr&traitRaw != 0
}

// add appends one token. Empty ranges are dropped: tokens tile.
func (l *lexer) add(k tokenKind, flags uint8, from, to int) {
	if from >= to {
		return
	}
	if k == aSign && l.priced(from, to) {
		k = aWord
		n := len(l.kind) - 2
		from = int(l.from[n])
		l.from, l.id, l.kind = l.from[:n], l.id[:n], l.kind[:n]
	}
	if k == aWord && l.quiet > 0 {
		k = aCode // nobody sees it on the page
	}
	if k == aSpace && l.pre > 0 && bytes.IndexByte(l.src[from:to], '\n') >= 0 {
		flags |= flagBlock
	}
	id := int32(0) // every space is the same token; bytes are compared when the script is written
	if k != aSpace {
		id = l.in.id(l.src, from, to)
	}
	if len(l.kind) == cap(l.kind) {
		// As dense as so far to the end of the page, and a little more: growth
		// by doubling would leave half of the memory promise in the garbage.
		l.reserve(int(float64(len(l.kind))*float64(len(l.src))/float64(to)*1.03) + 64)
	}
	l.from = append(l.from, int32(from))
	l.id = append(l.id, id)
	l.kind = append(l.kind, uint8(k)|flags)
}

// reserve makes room for n tokens.
func (l *lexer) reserve(n int) {
	l.from = append(make([]int32, 0, n+1), l.from...)
	l.id = append(make([]int32, 0, n), l.id...)
	l.kind = append(make([]uint8, 0, n), l.kind...)
}

// priced reports whether src[from:to] is a sign of currency that stands after
// a number and one space, as in "9.50 €": a price stays whole.
func (l *lexer) priced(from, to int) bool {
	n := len(l.kind)
	if n < 2 || l.is(int32(n-1)) != aSpace || l.is(int32(n-2)) != aWord {
		return false
	}
	if c, w := classAt(l.src, from); c != cCurrency || w != to-from {
		return false
	}
	space := l.src[l.from[n-1]:from]
	digit := l.src[l.from[n-1]-1]
	return digit >= '0' && digit <= '9' && (len(space) == 1 || string(space) == "\u00a0" || string(space) == "&nbsp;")
}
