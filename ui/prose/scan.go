package prose

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// token is a start tag, an end tag or a text of the input.
type token struct {
	kind  kind
	tag   atom.Atom // 0 for a text and for unknown tags
	text  string
	attrs *attrs // nil where none of the known attributes is set
}

type kind uint8

const (
	text kind = iota
	start
	end
)

// attrs holds the attributes that matter for the layout.
type attrs struct {
	href, src, alt, title, start, kind string
	width, height, colspan, rowspan    string
	align, lazy, srcset, span, dir     string
	hidden, reversed                   bool
}

// void are the elements without content.
var void = map[atom.Atom]bool{
	atom.Area: true, atom.Base: true, atom.Br: true, atom.Col: true, atom.Embed: true, atom.Hr: true,
	atom.Img: true, atom.Input: true, atom.Link: true, atom.Meta: true, atom.Param: true,
	atom.Source: true, atom.Track: true, atom.Wbr: true, atom.Image: true, atom.Basefont: true,
	atom.Frame: true, atom.Keygen: true, atom.Bgsound: true,
}

// scan splits the input into tokens. It uses the tokenizer and not html.Parse,
// which refuses more than 512 nested elements and has had inputs of more than
// linear time.
func scan(src string) []token {
	z := html.NewTokenizer(strings.NewReader(src))
	toks := make([]token, 0, len(src)/24+8)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return toks
		case html.TextToken:
			toks = append(toks, token{kind: text, text: string(z.Text())})
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			t := token{kind: start, tag: atom.Lookup(name)}
			if more {
				t.attrs = readAttrs(z)
			}
			toks = append(toks, t)
		case html.EndTagToken:
			name, _ := z.TagName()
			toks = append(toks, token{kind: end, tag: atom.Lookup(name)})
		}
	}
}

// readAttrs keeps the attributes that matter; the first of a name counts.
func readAttrs(z *html.Tokenizer) *attrs {
	var a *attrs
	for more := true; more; {
		var key, val []byte
		key, val, more = z.TagAttr()
		name := atom.Lookup(key)
		switch name {
		case atom.Href, atom.Src, atom.Data, atom.Alt, atom.Title, atom.Start, atom.Value, atom.Type,
			atom.Width, atom.Height, atom.Colspan, atom.Rowspan, atom.Hidden, atom.Reversed, atom.Style,
			atom.Align, atom.Srcset, atom.Span, atom.Dir:
		default:
			if string(key) != "data-src" {
				continue
			}
		}
		if a == nil {
			a = new(attrs)
		}
		a.set(name, string(val))
	}
	return a
}

// set files one attribute.
func (a *attrs) set(name atom.Atom, val string) {
	switch name {
	case atom.Href:
		first(&a.href, val)
	case atom.Src, atom.Data:
		first(&a.src, val)
	case atom.Alt:
		first(&a.alt, val)
	case atom.Title:
		first(&a.title, val)
	case atom.Start, atom.Value:
		first(&a.start, val)
	case atom.Type:
		first(&a.kind, val)
	case atom.Width:
		first(&a.width, val)
	case atom.Height:
		first(&a.height, val)
	case atom.Colspan:
		first(&a.colspan, val)
	case atom.Rowspan:
		first(&a.rowspan, val)
	case atom.Align:
		first(&a.align, strings.ToLower(strings.TrimSpace(val)))
	case atom.Dir:
		first(&a.dir, strings.ToLower(strings.TrimSpace(val)))
	case atom.Srcset:
		first(&a.srcset, val)
	case atom.Span:
		first(&a.span, val)
	case 0: // data-src, for pictures that a script loads late
		first(&a.lazy, val)
	case atom.Hidden:
		a.hidden = true
	case atom.Reversed:
		a.reversed = true
	case atom.Style:
		// Newsletters hide the first words of a mail this way; what a browser
		// does not show is not shown here either.
		style := strings.ToLower(strings.ReplaceAll(val, " ", ""))
		if strings.Contains(style, "display:none") {
			a.hidden = true
		}
		if _, align, ok := strings.Cut(style, "text-align:"); ok {
			align, _, _ = strings.Cut(align, ";")
			a.align = strings.TrimSuffix(align, "!important")
		}
	}
}

// first keeps the first value of an attribute that is given twice.
func first(p *string, val string) {
	if *p == "" {
		*p = val
	}
}
