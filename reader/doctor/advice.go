package doctor

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/store"
)

// troubleOf says what is wrong with a feed and since when.
func troubleOf(f *model.Feed, c wording.Clock) string {
	day := c.When(f.Since)
	switch f.State {
	case model.FeedMoved:
		return fmt.Sprintf("moved to %s, seen %d times in %s", plain.Redact(f.MovedTo), f.MovedSeen, wording.Spoken(c.Now.Sub(f.MovedSince)))
	case model.FeedGone:
		return fmt.Sprintf("410 gone since %s; no longer fetched, %s items kept", day, wording.Count(f.Items))
	}
	if f.Tries > 1 {
		return fmt.Sprintf("%s since %s, %d tries", f.Error, day, f.Tries)
	}
	return fmt.Sprintf("%s since %s", f.Error, day)
}

// advice is what helps a feed in trouble.
type advice uint8

const (
	adviceRetry      advice = iota
	adviceMove              // to fetch it from the address that its server names
	adviceGone              // its publisher ended it
	adviceSecret            // its address lacks the password or token
	adviceOfPage            // it is a watched page, which has advice of its own
	advicePipe              // a program writes it
	adviceLedPrivate        // its server leads into a private network
	adviceAllow             // to allow its private address
	adviceNewFeed           // its site may name another feed
	adviceAddress           // its redirects lead nowhere
	adviceLook              // a user has to look at it
	adviceDead              // it has failed for long
	adviceWait              // it is to be left alone
)

// adviceOf decides what helps a feed in trouble.
func adviceOf(f *model.Feed, now time.Time) advice {
	switch {
	case f.State == model.FeedMoved:
		return adviceMove
	case f.State == model.FeedGone:
		return adviceGone
	case f.Trouble == store.TroubleSecretLost:
		return adviceSecret
	case f.Watched:
		return adviceOfPage
	case model.IsPiped(f.URL):
		return advicePipe
	case f.Trouble == store.TroubleLedPrivate:
		return adviceLedPrivate
	case f.Trouble == store.TroublePrivate:
		return adviceAllow
	case f.Trouble == store.TroubleNotFound && f.Site != "", f.Trouble == store.TroubleWebPage:
		return adviceNewFeed
	case f.Trouble == store.TroubleRedirect:
		return adviceAddress
	case f.Trouble == store.TroubleRefused:
		return adviceLook
	case !f.Since.IsZero() && now.Sub(f.Since) > deadAfter:
		return adviceDead
	case resting(f, now):
		return adviceWait
	}
	return adviceRetry
}

// adviceFor names the command that helps.
func adviceFor(f *model.Feed, c wording.Clock) string {
	id := f.Key.String()
	switch adviceOf(f, c.Now) {
	case adviceMove:
		if plain.Redact(f.MovedTo) != f.MovedTo {
			return "diurna mv " + id // the address is not for the screen, and mv knows it
		}
		return fmt.Sprintf("diurna mv %s %s", id, plain.Argument(f.MovedTo))
	case adviceGone:
		return "diurna rm " + id
	case adviceSecret:
		return "diurna mv " + id + " ADDRESS    (type it whole, with the password or token)"
	case adviceOfPage:
		return pageAdvice(f, c)
	case advicePipe:
		return fmt.Sprintf("diurna take %s    (once more, with the whole document on stdin)", plain.ShellQuote(strings.TrimPrefix(f.URL, model.PipedScheme)))
	case adviceLedPrivate:
		return fmt.Sprintf("diurna rm %s    (its server redirects to a private network)", id)
	case adviceAllow:
		if f.Address() != f.URL {
			return "diurna add --allow-private " + id
		}
		return "diurna add --allow-private " + plain.Argument(f.URL)
	case adviceNewFeed:
		return fmt.Sprintf("diurna preview %s    (perhaps its page names a new feed)", plain.Argument(cmp.Or(f.Site, f.URL)))
	case adviceAddress:
		return fmt.Sprintf("diurna mv %s ADDRESS    (the feed's new address), or: diurna rm %s", id, id)
	case adviceLook:
		return fmt.Sprintf("look at %s in a browser: it may want a login, or the feed is gone; then diurna rm %s", plain.Redact(f.URL), id)
	case adviceDead:
		return fmt.Sprintf("diurna rm %s    (it has failed for %s; its items are kept by undo)", id, wording.Spoken(c.Now.Sub(f.Since)))
	case adviceWait:
		return serverAsked(f, c)
	}
	return fmt.Sprintf("diurna fetch %s    (tries again now), or: diurna rm %s", id, id)
}

// resting reports whether a fetch by hand would be refused.
func resting(f *model.Feed, now time.Time) bool {
	return f.NotBefore.After(now) && f.NotBefore.Before(now.Add(model.MaxServerWait))
}

// serverAsked is the advice for a feed that its server wants left alone.
func serverAsked(f *model.Feed, c wording.Clock) string {
	at := f.NotBefore
	if f.NextFetch.After(at) {
		at = f.NextFetch
	}
	return fmt.Sprintf("nothing    (it is tried again %s, automatically)", c.When(at))
}

// deadAfter is how long a feed fails before doctor gives it up.
const deadAfter = 30 * 24 * time.Hour

// pageAdvice names the command that helps a watched page.
func pageAdvice(f *model.Feed, c wording.Clock) string {
	id := f.Key.String()
	switch {
	case f.Trouble == store.TroublePrivate, f.Trouble == store.TroubleLedPrivate:
		return fmt.Sprintf("diurna watch %s --allow-private", id)
	case f.Trouble == store.TroubleSelector:
		return fmt.Sprintf("diurna watch %s --select CSS    (look at %s: it was rebuilt)", id, plain.Redact(f.URL))
	case f.Trouble == store.TroubleCaptcha:
		return fmt.Sprintf("look at %s in a browser; diurna cannot pass the test; or: diurna rm %s", plain.Redact(f.URL), id)
	case resting(f, c.Now):
		return serverAsked(f, c)
	case f.Trouble == store.TroubleFewWords:
		return fmt.Sprintf("diurna fetch %s    (tries again now); if that is the page now: diurna rm %s, then diurna watch %s", id, id, plain.Argument(f.URL))
	}
	return fmt.Sprintf("diurna fetch %s    (tries again now), or: diurna rm %s", id, id)
}
