// Package discover finds out what an address brings: a feed, the feeds that a site
// names, or a subscription file of this machine. It keeps nothing.
//
// Start with New, then Look.
package discover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/temoto/robotstxt"

	"diurna/reader/feed"
	"diurna/reader/fetch"
	"diurna/reader/match"
	"diurna/reader/model"
	"diurna/reader/opml"
	"diurna/reader/plain"
	"diurna/reader/poll"
	"diurna/reader/web"
	"diurna/store"
)

const (
	maxNamed     = 12       // feeds that one page may name
	maxListBytes = 10 << 20 // of a subscription file
)

// Candidate is a feed that Look found, already fetched unless Err says why not.
type Candidate struct {
	URL      string
	Title    string
	Items    []model.Item // newest first
	PerDay   float64
	Fresh    int          // items that would come unread
	Known    store.FeedID // already subscribed to, 0: not
	KnownAs  string       // "sea/Harbour Gazette since 3 Mar"
	Comments bool
	Err      error // fetching or reading this one failed
	Fetched  bool  // false: call Fill before it is shown or kept
	// AllowPrivate: its address may be a private one. The user allowed it for the
	// host and port that they named, so it is never set for what a page leads to
	// elsewhere.
	AllowPrivate bool

	Answer *web.Answer // what was fetched, so that subscribing needs no second request
}

// Found is the answer to an address.
type Found struct {
	Address    string // as understood: https://harbour.example
	Candidates []Candidate
	List       string // an OPML or urls file was named: its path; then there are no candidates
}

// ErrNoFeed: the address answers, but there is no feed.
var ErrNoFeed = errors.New("no feed there")

// Feeds reads the feeds that are subscribed to.
type Feeds interface {
	Feeds(ctx context.Context) ([]model.Feed, error)
}

// Finder finds feeds. Its methods are safe for use by several goroutines.
type Finder struct {
	web   *web.Client
	feeds Feeds
}

// New returns a Finder that asks through w.
func New(w *web.Client, feeds Feeds) *Finder { return &Finder{w, feeds} }

// Look finds what an address brings: a feed, the feeds a site names, or a
// subscription file on this machine. It subscribes to nothing. allowPrivate lets
// the host and port of the address be private ones.
func (d *Finder) Look(ctx context.Context, typed string, allowPrivate bool) (Found, error) {
	typed = strings.TrimSpace(typed)
	if path, ok := listFile(typed); ok {
		return Found{Address: typed, List: path}, nil
	}
	address, guessed, err := web.Parse(typed)
	if err != nil {
		return Found{}, err
	}
	address = d.web.Hide(address)
	found := Found{Address: address}
	feeds, err := d.feeds.Feeds(ctx)
	if err != nil {
		return found, err
	}
	feeds = onlyFeeds(feeds) // a page may be watched and have a feed as well
	if f := subscribedAs(feeds, address); f != nil {
		found.Candidates = []Candidate{{URL: f.URL, Title: f.Title, Known: f.Key, KnownAs: f.KnownAs()}}
		return found, nil
	}
	whole, err := d.web.Reveal(ctx, address)
	if err != nil {
		return found, err
	}
	if cands := d.hideAll(knownFeeds(whole)); len(cands) > 0 {
		offered, err := d.offer(ctx, found, feeds, granted(cands, address, allowPrivate))
		if !errors.Is(err, ErrNoFeed) {
			return offered, err
		} // the rule does not hold here: the page itself may name a feed
	}
	h, body, err := d.page(ctx, address, allowPrivate)
	var fe *fetch.Error
	if guessed && errors.As(err, &fe) && (fe.Kind == fetch.KindTLS || fe.Kind == fetch.KindRefused) {
		// Nothing was said of https; a site that only speaks http is asked so.
		address = "http" + strings.TrimPrefix(address, "https")
		h, body, err = d.page(ctx, address, allowPrivate)
	}
	if err != nil {
		return found, web.Explain(typed, address, err)
	}
	found.Address = address
	if f := subscribedAs(feeds, h.Result.URL); f != nil { // a redirect led to what already exists
		found.Candidates = []Candidate{{URL: f.URL, Title: f.Title, Known: f.Key, KnownAs: f.KnownAs()}}
		return found, nil
	}
	if feed.Sniff(body, h.Result.ContentType) == feed.KindPage {
		return d.named(ctx, found, feeds, body, h.Result.URL, allowPrivate)
	}
	c := d.candidate(granted([]Candidate{{URL: cmp.Or(d.web.Hide(h.Moved), address)}}, address, allowPrivate)[0], h, feeds)
	if c.Err != nil {
		return found, &model.UserError{Sentence: fmt.Sprintf("no feed at %s: %s", model.Host(address), c.Err), Kind: ErrNoFeed}
	}
	found.Candidates = []Candidate{c}
	return found, nil
}

// LookMoved is Look for the address that a feed moves to. Its permission to be
// private holds at the host and port that it has now.
func (d *Finder) LookMoved(ctx context.Context, f *model.Feed, typed string) (Found, error) {
	address, _, err := web.Parse(strings.TrimSpace(typed))
	return d.Look(ctx, typed, err == nil && f.AllowPrivate && fetch.SameDoor(f.URL, address))
}

// granted marks the candidates at the host and port that may be private.
func granted(cands []Candidate, address string, allowPrivate bool) []Candidate {
	for i := range cands {
		cands[i].AllowPrivate = allowPrivate && fetch.SameDoor(address, cands[i].URL)
	}
	return cands
}

// onlyFeeds leaves out the watched pages.
func onlyFeeds(list []model.Feed) []model.Feed {
	return slices.DeleteFunc(slices.Clone(list), func(f model.Feed) bool { return f.Watched })
}

// listFile reports whether a subscription file of this machine was named.
func listFile(typed string) (string, bool) {
	if typed == "" || strings.Contains(typed, "://") {
		return "", false
	}
	path := typed
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = home + "/" + rest
		}
	}
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxListBytes {
		return "", false
	}
	b, err := os.ReadFile(path)
	return path, err == nil && opml.Sniff(b) != ""
}

func subscribedAs(feeds []model.Feed, address string) *model.Feed {
	for i := range feeds {
		if web.Same(feeds[i].URL, address) {
			return &feeds[i]
		}
	}
	return nil
}

// page gets an address that may be a site or a feed, and keeps its bytes.
func (d *Finder) page(ctx context.Context, address string, allowPrivate bool) (web.Answer, []byte, error) {
	var h web.Answer
	err := d.web.Ask(ctx, &h, &fetch.Request{URL: address, AllowPrivate: allowPrivate, Credentials: true, Accept: web.AcceptPage})
	body := h.Result.Body
	if feed.Sniff(body, h.Result.ContentType) == feed.KindPage && err == nil && h.Result.Status < 300 {
		h.Result.Body, h.Hash = nil, model.Hash(body)
		return h, body, nil
	}
	h.Read(err, nil)
	var status *poll.StatusError
	if len(body) == 0 || errors.As(h.Err, &status) {
		return h, nil, h.Err
	}
	return h, body, nil
}

// named lists the feeds that a page at base names, or, where it names none, what
// lies at the usual places.
func (d *Finder) named(ctx context.Context, found Found, feeds []model.Feed, body []byte, base string, allowPrivate bool) (Found, error) {
	var cands []Candidate
	for _, c := range feed.Discover(body, web.Base(base)) {
		if len(cands) == maxNamed {
			break
		}
		if !slices.ContainsFunc(cands, func(o Candidate) bool { return o.URL == c.URL }) {
			cands = append(cands, Candidate{URL: plain.Outside(c.URL), Title: c.Title, Comments: isComments(c.Title, c.URL)})
		}
	}
	if len(cands) > 0 {
		return d.offer(ctx, found, feeds, granted(d.hideAll(cands), found.Address, allowPrivate))
	}
	allowPrivate = allowPrivate && fetch.SameDoor(found.Address, base)
	for _, address := range d.usualPlaces(ctx, base, allowPrivate) {
		c, err := d.Fill(ctx, Candidate{URL: address, AllowPrivate: allowPrivate})
		if err != nil {
			return found, err
		}
		if c.Err == nil {
			found.Candidates = []Candidate{c}
			return found, nil
		}
	}
	return found, &model.UserError{Sentence: fmt.Sprintf("no feed at %s: the page names none, and the 4 usual places are empty", model.Host(found.Address)), Kind: ErrNoFeed}
}

// hideAll hides the addresses of candidates.
func (d *Finder) hideAll(cands []Candidate) []Candidate {
	for i := range cands {
		cands[i].URL = d.web.Hide(cands[i].URL)
	}
	return cands
}

// usualPlaces are the addresses where a site without a named feed may have one,
// as far as its robots.txt lets a stranger try: four at most, at subscribing
// only.
func (d *Finder) usualPlaces(ctx context.Context, base string, allowPrivate bool) []string {
	u, err := url.Parse(base)
	if err != nil {
		return nil
	}
	root := u.Scheme + "://" + u.Host
	may := func(string) bool { return true }
	res, err := d.web.Plain(ctx, fetch.Request{URL: root + "/robots.txt", AllowPrivate: allowPrivate, Accept: "text/plain"})
	if err == nil && res.Status == 200 {
		if robots, err := robotstxt.FromStatusAndBytes(res.Status, res.Body); err == nil {
			may = func(path string) bool { return robots.TestAgent(path, "diurna") }
		}
	}
	var places []string
	for _, path := range []string{"/feed", "/rss.xml", "/atom.xml", "/index.xml"} {
		if may(path) {
			places = append(places, root+path)
		}
	}
	return places
}

// offer makes the found list of candidates and fetches the first; the others
// are filled when somebody asks, as each costs the host another request.
func (d *Finder) offer(ctx context.Context, found Found, feeds []model.Feed, cands []Candidate) (Found, error) {
	found.Candidates = cands
	for i := range cands {
		if f := subscribedAs(feeds, cands[i].URL); f != nil {
			cands[i].Known, cands[i].KnownAs = f.Key, f.KnownAs()
		}
	}
	first, err := d.Fill(ctx, cands[0])
	if err != nil {
		return found, err
	}
	cands[0] = first
	if first.Err != nil && len(cands) == 1 {
		return found, &model.UserError{Sentence: fmt.Sprintf("no feed at %s: %s", model.Host(first.URL), first.Err), Kind: ErrNoFeed}
	}
	return found, nil
}

// Fill fetches a candidate that Look only named.
func (d *Finder) Fill(ctx context.Context, c Candidate) (Candidate, error) {
	if c.Fetched || c.Known != 0 {
		return c, nil
	}
	h := d.web.Feed(ctx, c.URL, nil, c.AllowPrivate, time.Time{})
	if ctx.Err() != nil {
		return c, ctx.Err()
	}
	feeds, err := d.feeds.Feeds(ctx)
	if err != nil {
		return c, err
	}
	return d.candidate(c, h, onlyFeeds(feeds)), nil
}

// candidate describes an answer for the user who decides about it.
func (d *Finder) candidate(c Candidate, h web.Answer, feeds []model.Feed) Candidate {
	c.Fetched, c.Err, c.Answer = true, h.Err, &h
	if f := subscribedAs(feeds, c.URL); f != nil {
		c.Known, c.KnownAs = f.Key, f.KnownAs()
	}
	if h.Err != nil {
		return c
	}
	if t := plain.Line(h.Doc.Title, 300); t != "" {
		c.Title = t
	}
	arts := articlesOf(&h)
	for i := range arts {
		c.Items = append(c.Items, arts[i].Item)
		if arts[i].Unread {
			c.Fresh++
		}
	}
	c.PerDay = perDay(c.Items)
	return c
}

// perDay is how often a feed posts, over the days its items span.
func perDay(items []model.Item) float64 {
	var oldest, newest time.Time
	n := 0
	for i := range items {
		t := items[i].Published
		if t.IsZero() {
			continue
		}
		n++
		if oldest.IsZero() || t.Before(oldest) {
			oldest = t
		}
		if t.After(newest) {
			newest = t
		}
	}
	days := newest.Sub(oldest).Hours() / 24
	if n < 2 || days <= 0 {
		return 0
	}
	return float64(n-1) / days
}

// articlesOf shows an answer as items, newest first, unread as they would come.
func articlesOf(h *web.Answer) []model.Article {
	items := match.New(&h.Doc, h.At)
	match.FirstUnread(items, h.At)
	arts := make([]model.Article, 0, len(items))
	for i := len(items) - 1; i >= 0; i-- {
		n := &items[i]
		it := model.ItemOf(&n.Item)
		it.FirstSeen, it.Unread, it.Feed = time.Time{}, n.Unread, plain.Line(h.Doc.Title, 300)
		arts = append(arts, model.Article{Item: it, HTML: cmp.Or(n.Body.HTML, n.Body.Summary), Base: it.Link})
	}
	return arts
}

// isComments guesses from its name that a feed brings the comments on another.
func isComments(title, address string) bool {
	return strings.Contains(strings.ToLower(title), "comment") || strings.Contains(strings.ToLower(address), "/comments/")
}
