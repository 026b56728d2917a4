package doctor

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/store"
)

// Reason says in a few words what is wrong with a feed: "404 not found", "moved to
// new.example".
func Reason(f *model.Feed) string {
	if f.State == model.FeedMoved {
		if u, err := url.Parse(f.MovedTo); err == nil && u.Host != "" {
			return "moved to " + u.Host
		}
	}
	return f.Error
}

// Line is one line of what is known of a feed in trouble.
type Line struct{ Label, Text string }

// Explain says what is wrong with a feed, since when, what was tried, what its server
// answered and what may help.
func Explain(f *model.Feed, now time.Time) []Line {
	var lines []Line
	add := func(label, text string) {
		if text != "" {
			lines = append(lines, Line{label, plain.Redact(plain.Line(text, 0))})
		}
	}
	add("wrong", Reason(f))
	add("since", since(f, now))
	add("last try", wording.When(f.LastFetch, now))
	add("next try", nextTry(f, now))
	add("answer", answer(f))
	if f.MovedTo != "" {
		add("new address", fmt.Sprintf("%s, named by its server at %s since %s", f.MovedTo, wording.Plural(f.MovedSeen, "fetch"), wording.When(f.MovedSince, now)))
	}
	add("address", f.Address())
	add("site", f.Site)
	if f.Items > 0 {
		add("items", wording.Count(f.Items)+" kept")
	} else {
		add("items", "none yet")
	}
	add("advice", helps(f, now))
	return lines
}

func since(f *model.Feed, now time.Time) string {
	say := wording.When(f.Since, now)
	if say != "" && f.Tries > 0 {
		say += ", " + tries(f.Tries)
	}
	return say
}

func tries(n int) string {
	if n == 1 {
		return "1 try"
	}
	return wording.Count(n) + " tries"
}

// nextTry says when the feed is fetched next, and who wants it left alone until when.
func nextTry(f *model.Feed, now time.Time) string {
	say := wording.Due(f.NextFetch, now)
	switch {
	case f.State == model.FeedGone:
		say = "none: it is no longer fetched"
	case model.IsPiped(f.URL):
		say = "none: a program supplies it"
	case say == "":
		say = "none is planned yet"
	}
	if f.NotBefore.After(now) {
		say += "; not before " + wording.Due(f.NotBefore, now)
		if f.NotBeforeBy != (store.Wait{}) {
			say += " (" + f.NotBeforeBy.String() + ")"
		}
	}
	return say
}

// answer is what the server said to the last fetch.
func answer(f *model.Feed) string {
	switch {
	case f.LastFetch.IsZero(), model.IsPiped(f.URL):
		return ""
	case f.Status == 0:
		return "none"
	}
	return fmt.Sprintf("%d %s", f.Status, http.StatusText(f.Status))
}

// helps says what to do about a feed in trouble.
func helps(f *model.Feed, now time.Time) string {
	switch adviceOf(f, now) {
	case adviceMove:
		return "Adopt the new address, if the feed is there now."
	case adviceGone:
		return "Unsubscribe: its publisher ended it. Its items stay until then."
	case adviceOfPage:
		return pageHelps(f, now)
	case adviceSecret:
		return "Edit the address: type it whole, with the password or token."
	case advicePipe:
		return "Pipe the whole document into diurna take once more."
	case adviceLedPrivate:
		return "Unsubscribe: its server redirects to a private network."
	case adviceAllow:
		return "Allow its private address, in its settings (i), if you trust it."
	case adviceNewFeed:
		return "Perhaps its page names a new feed: look there, then edit the address."
	case adviceAddress:
		return "Edit the address, if you know the new one."
	case adviceLook:
		return "Look at it in a browser: it may want a login, or be gone."
	case adviceDead:
		return "Unsubscribe: it has failed for " + wording.Spoken(now.Sub(f.Since)) + "."
	case adviceWait:
		return "Nothing: it is tried again automatically."
	}
	return "Try again."
}

// pageHelps says what to do about a watched page in trouble.
func pageHelps(f *model.Feed, now time.Time) string {
	switch {
	case f.Trouble == store.TroublePrivate, f.Trouble == store.TroubleLedPrivate:
		return "Allow its private address, in its settings (i), if you trust it."
	case f.Trouble == store.TroubleSelector:
		return "Look at it: it was rebuilt. Its settings (i) say which part is watched."
	case f.Trouble == store.TroubleCaptcha:
		return "Look at it in a browser: diurna cannot pass the test."
	case resting(f, now):
		return "Nothing: it is tried again automatically."
	case f.Trouble == store.TroubleFewWords:
		return "Try again. If that is the page now, unwatch it and watch it once more."
	}
	return "Try again."
}
