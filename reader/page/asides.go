package page

import (
	"strings"

	"diurna/reader/align"
	"diurna/reader/field"
	"diurna/reader/kind"
)

// quietPart reports whether a block belongs to an aside or a notice about cookies, or
// says what somebody said.
func quietPart(d *align.Document, block int, words []string, in []align.Place) bool {
	at := in[block].Flags
	if d.InAside(block) || at&align.InHead != 0 && field.AsideHead(d, block, words) || field.CookieNotice(d, block, words, at&align.InLink != 0) {
		return true
	}
	if at&(align.InHead|align.InLink) != 0 || at&align.InItem != 0 {
		return false
	}
	quoted := func(block int) bool {
		return in[block].Flags&align.InQuote != 0 || kind.Quotation(strings.TrimSpace(d.TextOf(block)))
	}
	return quoted(block) || block > 0 && d.Blocks[block].Words() <= 2*namelessWords && quoted(block-1) || kind.Asides.Has(field.NameIn(d, block))
}

// advert reports whether a block that came or went is a link from a host to another
// site, and no heading or row.
func advert(d *align.Document, block int, words []string, at align.PlaceFlags, host string) bool {
	return host != "" && at&align.InLink != 0 && at&(align.InHead|align.InRow) == 0 && !kind.States.Has(words) && field.LeadsTo(d, block, host) != ""
}
