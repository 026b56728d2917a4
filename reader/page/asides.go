package page

import (
	"diurna/reader/align"
	"diurna/reader/kind"
)

// cookieNotice reports whether a block asks for consent to cookies.
func cookieNotice(words []string) bool {
	return len(words) > 2 && len(words) <= align.LongLone && kind.Cookies.Has(words) && kind.Consent.Has(words)
}

// quietPart reports whether a block belongs to an aside or a notice about cookies.
func quietPart(d *align.Document, block int, words []string) bool {
	return d.InAside(block) || cookieNotice(words)
}
