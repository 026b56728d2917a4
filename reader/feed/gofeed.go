package feed

import (
	"bytes"
	"errors"

	"github.com/mmcdole/gofeed"
)

// errLoses is a translator's refusal: something of the document is lost in what
// gofeed read of it.
var errLoses = errors.New("gofeed loses something of this document")

// byGofeed reads a document by gofeed. Whatever becomes of it, nothing but what one
// of the two parsers read is left in p: where gofeed refuses a document, or a
// translator refuses what it read, p is as it was before.
func (p *parser) byGofeed(b []byte, by *gofeed.Parser) (ok bool) {
	if p.scanOnly {
		return false
	}
	before := *p
	defer func() {
		// A document that makes gofeed panic is one that it does not read.
		if recover() != nil || !ok {
			*p, ok = before, false
		}
	}()
	fresh := gofeed.NewParser()
	fresh.JSONTranslator, fresh.RSSTranslator, fresh.AtomTranslator = by.JSONTranslator, by.RSSTranslator, by.AtomTranslator
	if _, err := fresh.Parse(bytes.NewReader(b)); err != nil {
		return false
	}
	p.doc.Parser = Gofeed
	return true
}
