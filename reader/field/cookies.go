package field

import (
	"diurna/reader/align"
	"diurna/reader/kind"
)

// answers is how many buttons a notice about cookies has.
const answers = 4

// CookieNotice reports whether a block asks for consent to cookies, or is a button or
// link beside the one that does.
func CookieNotice(d *align.Document, block int, words []string, link bool) bool {
	if asks(words) {
		return true
	}
	if len(words) == 0 || len(words) > align.MenuWords || !link && !stands(d, block, "button") {
		return false
	}
	for b := block - 1; b >= max(0, block-answers) && d.Together(b, block); b-- {
		if near := d.SomeWords(b); asks(near) {
			return true
		} else if len(near) > align.MenuWords {
			return false
		}
	}
	return false
}

func asks(words []string) bool {
	return len(words) > 2 && len(words) <= align.LongLone && kind.Cookies.Has(words) && kind.Consent.Has(words)
}
