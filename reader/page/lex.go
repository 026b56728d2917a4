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

// Flags of a token, kept beside its kind in one byte.
const (
	kindMask  = 0x07
	flagBlock = 0x08 // a tag, or a line break in pre, that ends a block of text
	flagCell  = 0x10 // a tag between the cells of a row
	flagOne   = 0x20 // one byte long
	flagTwo   = 0x40 // two bytes long
	flagShut  = 0x80 // a start tag that opens no element

	kindAndFlags = kindMask | flagBlock | flagCell
)

// tokens is a lexed page. A token is named by the byte it begins at, and what
// is known of it lies where its bytes lie: a page may have a token in every
// byte, and then a list of tokens is a dozen times as long as the page, while
// this takes two bytes and a bit for every byte whatever stands in it.
type tokens struct {
	src   []byte
	start bitset  // where tokens begin, and the end of the last
	kind  []uint8 // by first byte: kind and flags
	num   []uint8 // by first byte: the number, see id
	in    *interner
	count int // how many there are
}

// end is where the last token ends.
func (t *tokens) end() int32           { return int32(len(t.src)) }
func (t *tokens) at(i int32) []byte    { return t.src[i:t.next(i)] }
func (t *tokens) is(i int32) tokenKind { return tokenKind(t.kind[i] & kindMask) }

// next returns where the token at i ends and the next one begins.
func (t *tokens) next(i int32) int32 { return t.start.next(i + 1) }

// prev returns where the token before the one at i begins, i > 0.
func (t *tokens) prev(i int32) int32 { return t.start.prev(i - 1) }

// id returns the number of the token at i, equal for equal tokens of both
// sides. It stands in the first three bytes of a token; shorter ones are looked
// up by what they are.
func (t *tokens) id(i int32) int32 {
	switch k := t.kind[i]; {
	case tokenKind(k&kindMask) == aSpace:
		return 0 // every space is the same; bytes are compared when the script is written
	case k&flagOne != 0:
		return t.in.one[t.src[i]]
	case k&flagTwo != 0:
		return t.in.two[t.src[i]][t.src[i+1]]
	}
	return int32(t.num[i]) | int32(t.num[i+1])<<8 | int32(t.num[i+2])<<16
}

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
	last     [2]int32       // where the last token begins, and the one before; -1 for none
	scratch  []byte         // a decoded chunk
	quiet    int            // depth of title and template elements
	foreign  bool           // in svg or math
	noscript int            // where the last noscript element that began ends
	ends     map[string]int // see endOf
	pre      int            // depth of preformatted elements, where a line is a block
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
	l := &lexer{last: [2]int32{-1, -1}}
	if lines {
		l.pre = 1
	}
	l.tokens = tokens{src: src, start: newBitset(len(src)), kind: make([]uint8, len(src)), num: make([]uint8, len(src)), in: in}
	if len(src) > maxPage {
		l.add(aCode, 0, 0, len(src))
	} else {
		l.cut()
	}
	l.start.add(int32(len(src)))
	in.number(&l.tokens, side&1)
	return &l.tokens
}

// cut finds the tokens of the page.
func (l *lexer) cut() {
	src := l.src
	if plainText(src) {
		l.text(0, len(src)) // the tokenizer would copy all of it
		return
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
			raw = l.tag(z, tt == html.EndTagToken, pos, to)
		}
		pos = to
	}
}

// add appends one token. Empty ranges are dropped: tokens tile.
func (l *lexer) add(k tokenKind, flags uint8, from, to int) {
	if from >= to {
		return
	}
	if k == aSign && l.priced(from, to) {
		// The space is part of the word before it now, and so is the sign.
		l.start.drop(l.last[0])
		l.last = [2]int32{l.last[1], -1}
		return
	}
	if k == aWord && l.quiet > 0 {
		k = aCode // nobody sees it on the page
	}
	if k == aSpace && l.pre > 0 && bytes.IndexByte(l.src[from:to], '\n') >= 0 {
		flags |= flagBlock
	}
	l.start.add(int32(from))
	l.kind[from] = uint8(k) | flags
	l.last = [2]int32{int32(from), l.last[0]}
}

// priced reports whether src[from:to] is a sign of currency that stands after
// a number and one space, as in "9.50 €": a price stays whole.
func (l *lexer) priced(from, to int) bool {
	if l.last[1] < 0 || l.is(l.last[0]) != aSpace || l.is(l.last[1]) != aWord {
		return false
	}
	if c, w := classAt(l.src, from); c != cCurrency || w != to-from {
		return false
	}
	space := l.src[l.last[0]:from]
	digit := l.src[l.last[0]-1]
	return digit >= '0' && digit <= '9' && (len(space) == 1 || string(space) == "\u00a0" || string(space) == "&nbsp;")
}
