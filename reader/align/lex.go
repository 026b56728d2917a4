package align

import (
	"bytes"
	"math"

	"diurna/reader/markup"
	"diurna/reader/room"
)

// TokenKind is what a token of a page is.
type TokenKind uint8

// The kinds of token.
const (
	Tag          TokenKind = iota // a start, end or empty tag with its attributes
	Word                          // a word, number, price or address
	Space                         // white space
	Sign                          // signs that are part of no word
	Code                          // code, and text that is not shown: script, style, title
	CommentToken                  // comments and declarations
)

// Flags of a token, kept beside its kind in one byte.
const (
	kindMask  = 0x07
	flagBlock = 0x08 // a tag, or a line break in pre, that ends a block of text
	flagCell  = 0x10 // a tag between the cells of a row
	flagOne   = 0x20 // too short for its number: see id
	flagTwo   = 0x40
	flagShut  = 0x80 // a start tag that opens no element

	endTag = 0x80 // beside the element of a tag

	kindAndFlags = kindMask | flagBlock | flagCell
)

// Tokens is a lexed page. A token is named by the byte it begins at, and what
// is known of it lies where its bytes lie: a page may have a token in every
// byte, and then a list of tokens is a dozen times as long as the page, while
// this takes a byte and a bit for every byte whatever stands in it.
type Tokens struct {
	Src   []byte
	start Bitset  // where tokens begin, and the end of the last
	tags  Bitset  // where tags begin, and the end: most of what is asked of a page is asked of its tags
	kind  []uint8 // by byte: kind and flags, of a tag the element, the number; see id
	in    *interner
	count int // how many there are

	amounts // of words, and of tokens that end a block: no more than so many
}

// amounts is how many words a page has, and tokens that end a block.
type amounts struct{ words, breaks int32 }

// End is where the last token ends.
func (t *Tokens) End() int32 { return int32(len(t.Src)) }

// At returns the bytes of the token at i.
func (t *Tokens) At(i int32) []byte { return t.Src[i:t.Next(i)] }

// Is returns what the token at i is.
func (t *Tokens) Is(i int32) TokenKind { return TokenKind(t.kind[i] & kindMask) }

// Element returns which element the tag at i begins or ends. It stands in the
// second byte of a tag, where a kind is of no use.
func (t *Tokens) Element(i int32) (e markup.Element, closing bool) {
	k := t.kind[i+1]
	return markup.Element(k &^ endTag), k&endTag != 0
}

// IsCell reports whether the tag at i begins a cell of a row.
func (t *Tokens) IsCell(i int32) bool { return t.kind[i]&flagCell != 0 }

// Next returns where the token at i ends and the next one begins.
func (t *Tokens) Next(i int32) int32 { return t.start.next(i + 1) }

// NextTag returns the first tag from a place up to the end on, the end without one.
func (t *Tokens) NextTag(from int32) int32 { return t.tags.next(from) }

// Prev returns where the token before the one at i begins, i > 0.
func (t *Tokens) Prev(i int32) int32 { return t.start.prev(i - 1) }

// ID returns the number of the token at i, equal for equal tokens of both
// sides. It stands in three bytes behind the kind, or behind the element of a tag.
// Where there is room for two, it does if it is small; what is shorter, and what
// has a large number, is looked up by what it is.
func (t *Tokens) ID(i int32) int32 {
	k, at := t.kind[i], i+1
	switch TokenKind(k & kindMask) {
	case Space:
		return 0 // every space is the same; bytes are compared when the script is written
	case Tag:
		at++
	}
	switch k & (flagOne | flagTwo) {
	case flagOne:
		return t.in.one[at-i-1][t.Src[at-1]]
	case flagTwo:
		return t.in.two[t.Src[i]][t.Src[i+1]]
	case flagOne | flagTwo:
		e := int32(t.kind[at]) | int32(t.kind[at+1])<<8
		if e == large {
			e = t.in.large[t.short(i, at+2)]
		}
		return e
	}
	return int32(t.kind[at]) | int32(t.kind[at+1])<<8 | int32(t.kind[at+2])<<16
}

// large stands in the place of a number that two bytes do not hold.
const large = 1<<16 - 1

// short is a token of three or four bytes.
func (t *Tokens) short(from, to int32) (key uint32) {
	for _, c := range t.Src[from:to] {
		key = key<<8 | uint32(c)
	}
	return key
}

// Numbers is above every number of a token, once the page was aligned.
func (t *Tokens) Numbers() int { return t.in.numbers }

// MaxPage is the largest page the engine lexes; offsets are int32.
const MaxPage = math.MaxInt32 / 2

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

var traits = [markup.Elements]tagTraits{
	markup.Address: traitBlock, markup.Article: traitBlock, markup.Aside: traitBlock,
	markup.Blockquote: traitBlock, markup.Body: traitBlock, markup.Button: traitBlock,
	markup.Caption: traitBlock, markup.Center: traitBlock, markup.Dd: traitBlock, markup.Details: traitBlock,
	markup.Dialog: traitBlock, markup.Dir: traitBlock, markup.Div: traitBlock, markup.Dl: traitBlock,
	markup.Dt: traitBlock, markup.Fieldset: traitBlock, markup.Figcaption: traitBlock,
	markup.Figure: traitBlock, markup.Footer: traitBlock, markup.Form: traitBlock, markup.Frameset: traitBlock,
	markup.H1: traitBlock, markup.H2: traitBlock, markup.H3: traitBlock, markup.H4: traitBlock,
	markup.H5: traitBlock, markup.H6: traitBlock, markup.Head: traitBlock, markup.Header: traitBlock,
	markup.Hgroup: traitBlock, markup.Html: traitBlock, markup.Legend: traitBlock, markup.Li: traitBlock,
	markup.Main: traitBlock, markup.Menu: traitBlock, markup.Nav: traitBlock, markup.Ol: traitBlock,
	markup.Optgroup: traitBlock, markup.Option: traitBlock, markup.P: traitBlock, markup.Pre: traitBlock,
	markup.Search: traitBlock, markup.Section: traitBlock, markup.Select: traitBlock,
	markup.Summary: traitBlock, markup.Table: traitBlock, markup.Tbody: traitBlock, markup.Td: traitCell,
	markup.Textarea: traitBlock, markup.Tfoot: traitBlock, markup.Th: traitCell, markup.Thead: traitBlock,
	markup.Tr: traitBlock, markup.Ul: traitBlock, markup.Xmp: traitBlock, markup.Plaintext: traitBlock,
	markup.Noscript: traitBlock, markup.Br: traitBlock | traitVoid, markup.Hr: traitBlock | traitVoid,
	markup.Title: traitBlock | traitQuiet, markup.Template: traitBlock | traitQuiet, markup.Script: traitRaw,
	markup.Style: traitRaw, markup.Iframe: traitRaw, markup.Noembed: traitRaw, markup.Noframes: traitRaw,
	markup.Area: traitVoid, markup.Base: traitVoid, markup.Col: traitVoid, markup.Embed: traitVoid,
	markup.Img: traitVoid, markup.Input: traitVoid, markup.Link: traitVoid, markup.Meta: traitVoid,
	markup.Param: traitVoid, markup.Source: traitVoid, markup.Track: traitVoid, markup.Wbr: traitVoid,
}

// TagID is the name of a tag: two that are equal have the same.
type TagID struct {
	element markup.Element
	other   string // the name of one that HTML does not know
}

// TagID returns the name of the tag at i.
func (t *Tokens) TagID(i int32) TagID {
	e, _ := t.Element(i)
	if e != markup.Other {
		return TagID{element: e}
	}
	var buf [24]byte
	name, _ := tagName(t.At(i), buf[:0])
	return TagID{other: string(name)}
}

// String returns the name in lower case.
func (id TagID) String() string { return id.element.String() + id.other }

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
	Tokens
	last     [2]int32               // where the last token begins, and the one before; -1 for none
	scratch  []byte                 // a decoded chunk
	noscript int                    // where the last noscript element that began ends
	ends     map[markup.Element]int // see endOf
	ahead    int32                  // how many tags were read by looking far ahead
	knowledge
}

// knowledge is what a lexer knows before a tag that tells how it and what follows
// are read.
type knowledge struct {
	quiet   int32 // depth of title and template elements
	pre     int32 // depth of preformatted elements, where a line is a block
	foreign bool  // in svg or math
}

// lex cuts src into tokens without losing a byte. Pages past maxPage come back
// as one token, which is bounded and still exact.
func lex(src []byte, side uint8, in *interner) *Tokens {
	return lexPart(src, side, in, plainText(src))
}

// plainText reports whether a page is text without any markup, such as a
// schedule in a .txt: a line of it is a block.
func plainText(src []byte) bool { return bytes.IndexByte(src, '<') < 0 }

// lexPart is lex of a part of a page; lines says that its lines are blocks.
func lexPart(src []byte, side uint8, in *interner, lines bool) *Tokens {
	l := &lexer{last: [2]int32{-1, -1}}
	if lines {
		l.pre = 1
	}
	l.Tokens = Tokens{Src: src, start: room.Take[uint64](in.room, len(src)/64+1), tags: room.Take[uint64](in.room, len(src)/64+1), kind: room.Take[uint8](in.room, len(src)), in: in}
	if len(src) > MaxPage {
		l.add(Code, 0, 0, len(src))
	} else {
		l.cut(side)
	}
	l.start.Add(int32(len(src)))
	l.tags.Add(int32(len(src)))
	var copied [][2]int32
	if in.shared != nil && side == 1 {
		copied = in.shared.parts
	}
	in.number(&l.Tokens, side&1, copied)
	if in.shared != nil && side == 0 {
		in.shared.ready(in, src)
	}
	return &l.Tokens
}

// cut finds the tokens of the page.
func (l *lexer) cut(side uint8) {
	src := l.Src
	if plainText(src) {
		l.text(0, len(src)) // the tokenizer would copy all of it
		return
	}
	z, raw := markup.Scan(src), false
	for z.Next() {
		switch z.Kind {
		case markup.Text:
			if raw {
				l.add(Code, 0, z.From, z.To)
			} else {
				l.text(z.From, z.To)
			}
		case markup.Comment:
			l.add(CommentToken, 0, z.From, z.To)
		default:
			if s := l.in.shared; s != nil && side == 0 {
				s.mark(l, z.From)
			} else if s != nil {
				if to := s.skip(l, z.From); to > z.From {
					z.Skip(to)
					raw = false
					continue
				}
			}
			raw = l.tag(&z)
		}
	}
	l.add(Code, 0, z.From, len(src)) // an unfinished tag
}

// add appends one token. Empty ranges are dropped: tokens tile.
func (l *lexer) add(k TokenKind, flags uint8, from, to int) {
	if from >= to {
		return
	}
	if k == Sign && l.priced(from, to) {
		// The space is part of the word before it now, and so is the sign.
		l.start.drop(l.last[0])
		l.last = [2]int32{l.last[1], -1}
		return
	}
	if k == Word && l.quiet > 0 {
		k = Code // nobody sees it on the page
	}
	if k == Space && l.pre > 0 && bytes.IndexByte(l.Src[from:to], '\n') >= 0 {
		flags |= flagBlock
	}
	if k == Word {
		l.words++
	}
	if flags&flagBlock != 0 {
		l.breaks++
	}
	l.start.Add(int32(from))
	l.kind[from] = uint8(k) | flags
	l.last = [2]int32{int32(from), l.last[0]}
}

// priced reports whether src[from:to] is a sign of currency that stands after
// a number and one space, as in "9.50 €": a price stays whole.
func (l *lexer) priced(from, to int) bool {
	if l.last[1] < 0 || l.Is(l.last[0]) != Space || l.Is(l.last[1]) != Word {
		return false
	}
	if c, w := classAt(l.Src, from); c != cCurrency || w != to-from {
		return false
	}
	space := l.Src[l.last[0]:from]
	digit := l.Src[l.last[0]-1]
	return digit >= '0' && digit <= '9' && (len(space) == 1 || string(space) == "\u00a0" || string(space) == "&nbsp;")
}
