package fulltext

import "diurna/reader/pagestate"

// Reason says why a page gave no article.
type Reason uint8

// The reasons.
const (
	None       Reason = iota
	NotFound          // 404 or 410
	Paywall           // it says that it is for subscribers, and shows little
	Humans            // a test for humans stands in its place
	Login             // a form that asks for a password does
	Consent           // a request to agree to cookies does
	Scripted          // its text is made by scripts
	Busy              // 429 or 503
	Failed            // another error of the server, by status or by its own heading
	NotHTML           // a picture, a PDF, a film
	Short             // too little text for an article
	Unreadable        // its markup is beyond what can be read
	Unreached         // there was no answer, or none that may be used
	Forbidden         // its robots.txt asks programs not to
	Teaser            // the page has no more than the feed gave
	Private           // its address is in a private network, which a user may allow
	TooLarge          // it has more bytes than are read of a page
	LedPrivate        // it redirects into a private network
)

var reasons = [...]struct{ word, sentence string }{
	{"", ""},
	{"not-found", "the page no longer exists"},
	{"paywall", "the page is behind a paywall"},
	{"humans", "the page checks for humans first"},
	{"login", "the page asks for a login"},
	{"consent", "the page asks for consent to cookies first"},
	{"scripts", "the page has no text without scripts, which diurna does not run"},
	{"busy", "the site asks to retry later"},
	{"failed", "the site answered with an error"},
	{"not-html", "the address is not a web page"},
	{"short", "no article was found on the page"},
	{"unreadable", "the page's markup cannot be read"},
	{"unreached", "the page could not be fetched"},
	{"robots", "the site's robots.txt asks programs not to fetch the page"},
	{"no-more", "the page has no more text than the feed"},
	{"private", "the address is private"},
	{"too-large", "the page is too large"},
	{"led-private", "the page redirects to a private address"},
}

// Passes reports whether the reason may be gone when the page is asked for again.
func (r Reason) Passes() bool {
	return r == Busy || r == Failed || r == Unreached
}

// String returns the word for it in JSON, "" for None.
func (r Reason) String() string { return reasons[r].word }

// Sentence says it to a user, without a full stop.
func (r Reason) Sentence() string { return reasons[r].sentence }

// refused says what a status alone means.
func refused(p Page) Reason {
	switch {
	case p.Status == 404, p.Status == 410:
		return NotFound
	case p.Status == 402:
		return Paywall
	case p.Status == 401, p.Status == 407:
		return Login
	case p.Status == 429, p.Status == 503:
		return Busy
	case p.Status < 200, p.Status >= 400, p.Status == 204:
		return Failed
	}
	return None
}

// inItsPlace says what stands in the place of a page. A test for humans comes with
// any status.
func inItsPlace(p Page, state pagestate.State) Reason {
	byStatus := refused(p)
	switch state {
	case pagestate.Captcha:
		return Humans
	case pagestate.Login:
		return Login
	case pagestate.Scripted:
		return Scripted
	case pagestate.ErrorPage, pagestate.Maintenance:
		if byStatus == None {
			return Failed
		}
	}
	return byStatus
}

// lacking says why what was found of a page is no article.
func lacking(words int, t *trimmer) Reason {
	switch {
	case t.paywall && words < wallWords:
		return Paywall
	case words >= fewWords && (!t.consent || words >= softWords):
		return None
	case t.consent:
		return Consent
	}
	return Short
}
