package reader

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
)

const (
	mostNamed     = 12       // feeds that one page may name
	mostListBytes = 10 << 20 // of a subscription file
)

// Look finds what an address brings: a feed, the feeds a site names, or a
// subscription file on this machine. It subscribes to nothing.
func (r *Reader) Look(ctx context.Context, typed string, allowPrivate bool) (Found, error) {
	typed = strings.TrimSpace(typed)
	if path, ok := listFile(typed); ok {
		return Found{Address: typed, List: path}, nil
	}
	address, guessed, err := web.Parse(typed)
	if err != nil {
		return Found{}, err
	}
	address = r.web.Hide(address)
	found := Found{Address: address}
	feeds, err := r.Feeds(ctx)
	if err != nil {
		return found, err
	}
	feeds = onlyFeeds(feeds) // a page may be watched and have a feed as well
	if f := subscribedAs(feeds, address); f != nil {
		found.Candidates = []Candidate{{URL: f.URL, Title: f.Title, Known: f.Key, KnownAs: f.KnownAs()}}
		return found, nil
	}
	whole, err := r.Reveal(ctx, address)
	if err != nil {
		return found, err
	}
	if cands := r.hideAll(knownFeeds(whole)); len(cands) > 0 {
		offered, err := r.offer(ctx, found, feeds, cands, address, allowPrivate)
		if !errors.Is(err, ErrNoFeed) {
			return offered, err
		} // the rule does not hold here: the page itself may name a feed
	}
	h, body, err := r.page(ctx, address, allowPrivate)
	var fe *fetch.Error
	if guessed && errors.As(err, &fe) && (fe.Kind == fetch.KindTLS || fe.Kind == fetch.KindRefused) {
		// Nothing was said of https; a site that only speaks http is asked so.
		address = "http" + strings.TrimPrefix(address, "https")
		h, body, err = r.page(ctx, address, allowPrivate)
	}
	if err != nil {
		return found, web.Explain(typed, address, err)
	}
	found.Address = address
	if f := subscribedAs(feeds, h.Result.URL); f != nil { // a redirect led to what is there already
		found.Candidates = []Candidate{{URL: f.URL, Title: f.Title, Known: f.Key, KnownAs: f.KnownAs()}}
		return found, nil
	}
	if feed.Sniff(body, h.Result.ContentType) == feed.KindPage {
		return r.named(ctx, found, feeds, body, h.Result.URL, allowPrivate)
	}
	c := r.candidate(Candidate{URL: cmp.Or(r.web.Hide(h.Moved), address)}, h, feeds)
	if c.Err != nil {
		return found, &said{fmt.Sprintf("no feed at %s: %s", model.Host(address), c.Err), ErrNoFeed}
	}
	found.Candidates = []Candidate{c}
	return found, nil
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
	if err != nil || !st.Mode().IsRegular() || st.Size() > mostListBytes {
		return "", false
	}
	b, err := os.ReadFile(path)
	return path, err == nil && opml.Sniff(b) != ""
}

func subscribedAs(feeds []Feed, address string) *Feed {
	for i := range feeds {
		if web.Same(feeds[i].URL, address) {
			return &feeds[i]
		}
	}
	return nil
}

// page gets an address that may be a site or a feed, and keeps its bytes.
func (r *Reader) page(ctx context.Context, address string, allowPrivate bool) (web.Answer, []byte, error) {
	var h web.Answer
	err := r.web.Ask(ctx, &h, &fetch.Request{URL: address, AllowPrivate: allowPrivate, Accept: web.AcceptPage})
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

// named lists the feeds that a page names, or, where it names none, what lies
// at the usual places.
func (r *Reader) named(ctx context.Context, found Found, feeds []Feed, body []byte, base string, allowPrivate bool) (Found, error) {
	var cands []Candidate
	for _, c := range feed.Discover(body, web.Base(base)) {
		if len(cands) == mostNamed {
			break
		}
		if !slices.ContainsFunc(cands, func(o Candidate) bool { return o.URL == c.URL }) {
			cands = append(cands, Candidate{URL: plain.Outside(c.URL), Title: c.Title, Comments: isComments(c.Title, c.URL)})
		}
	}
	if len(cands) > 0 {
		return r.offer(ctx, found, feeds, r.hideAll(cands), base, allowPrivate)
	}
	for _, address := range r.usualPlaces(ctx, base, allowPrivate) {
		c, err := r.Fill(ctx, Candidate{URL: address}, allowPrivate)
		if err != nil {
			return found, err
		}
		if c.Err == nil {
			found.Candidates = []Candidate{c}
			return found, nil
		}
	}
	return found, &said{fmt.Sprintf("no feed at %s: the page names none, and the 4 usual places are empty", model.Host(found.Address)), ErrNoFeed}
}

// hideAll hides the addresses of candidates.
func (r *Reader) hideAll(cands []Candidate) []Candidate {
	for i := range cands {
		cands[i].URL = r.web.Hide(cands[i].URL)
	}
	return cands
}

// usualPlaces are the addresses where a site without a named feed may have one,
// as far as its robots.txt lets a stranger try: four at most, at subscribing
// only.
func (r *Reader) usualPlaces(ctx context.Context, base string, allowPrivate bool) []string {
	u, err := url.Parse(base)
	if err != nil {
		return nil
	}
	root := u.Scheme + "://" + u.Host
	may := func(string) bool { return true }
	res, err := r.web.Plain(ctx, fetch.Request{URL: root + "/robots.txt", AllowPrivate: allowPrivate, Accept: "text/plain"})
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
func (r *Reader) offer(ctx context.Context, found Found, feeds []Feed, cands []Candidate, base string, allowPrivate bool) (Found, error) {
	found.Candidates = cands
	for i := range cands {
		if f := subscribedAs(feeds, cands[i].URL); f != nil {
			cands[i].Known, cands[i].KnownAs = f.Key, f.KnownAs()
		}
	}
	first, err := r.Fill(ctx, cands[0], allowPrivate && model.SameHost(cands[0].URL, base))
	if err != nil {
		return found, err
	}
	cands[0] = first
	if first.Err != nil && len(cands) == 1 {
		return found, &said{fmt.Sprintf("no feed at %s: %s", model.Host(first.URL), first.Err), ErrNoFeed}
	}
	return found, nil
}

// Fill fetches a candidate that Look only named.
func (r *Reader) Fill(ctx context.Context, c Candidate, allowPrivate bool) (Candidate, error) {
	if c.Fetched || c.Known != 0 {
		return c, nil
	}
	h := r.web.Feed(ctx, c.URL, nil, allowPrivate, time.Time{})
	if ctx.Err() != nil {
		return c, ctx.Err()
	}
	feeds, err := r.Feeds(ctx)
	if err != nil {
		return c, err
	}
	return r.candidate(c, h, onlyFeeds(feeds)), nil
}

// candidate describes an answer for the person who decides about it.
func (r *Reader) candidate(c Candidate, h web.Answer, feeds []Feed) Candidate {
	c.Fetched, c.Err, c.got = true, h.Err, &h
	if f := subscribedAs(feeds, c.URL); f != nil {
		c.Known, c.KnownAs = f.Key, f.KnownAs()
	}
	if h.Err != nil {
		return c
	}
	c.Format, c.Problems = h.Doc.Format, h.Doc.Problems
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
func perDay(items []Item) float64 {
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
func articlesOf(h *web.Answer) []Article {
	items := match.New(&h.Doc, h.At)
	firstUnread(items, h.At)
	arts := make([]Article, 0, len(items))
	for i := len(items) - 1; i >= 0; i-- {
		n := &items[i]
		it := asItem(&n.Item, nil)
		it.FirstSeen, it.Unread, it.Feed = time.Time{}, n.Unread, plain.Line(h.Doc.Title, 300)
		arts = append(arts, Article{Item: it, HTML: cmp.Or(n.Body.HTML, n.Body.Summary), Base: it.Link})
	}
	return arts
}

// isComments guesses from its name that a feed brings the comments on another.
func isComments(title, address string) bool {
	return strings.Contains(strings.ToLower(title), "comment") || strings.Contains(strings.ToLower(address), "/comments/")
}

// onlyFeeds leaves out the watched pages.
func onlyFeeds(list []Feed) []Feed {
	return slices.DeleteFunc(slices.Clone(list), func(f Feed) bool { return f.Watched })
}
