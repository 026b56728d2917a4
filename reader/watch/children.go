package watch

import (
	"context"
	"hash/fnv"
	"maps"
	"net/url"
	"slices"
	"sort"
	"strings"
	"time"

	"diurna/reader/model"
	"diurna/reader/page"
	"diurna/reader/pagestate"
	"diurna/reader/plain"
	"diurna/reader/poll"
	"diurna/reader/web"
	"diurna/store"
)

const (
	maxDepth       = 2
	maxChildren    = 200            // child pages of one watch
	childrenAVisit = 10             // of them fetched together with the page
	childBytes     = 16 << 20       // of them held at once
	robotsFor      = 24 * time.Hour // how long a robots.txt is believed
)

// noteKey is where a child page's note lies; never 0, which is the page's own.
func noteKey(address string) uint64 {
	f := fnv.New64a()
	f.Write([]byte(address))
	return f.Sum64() | 1
}

// ChildAddresses lists the child pages that are watched with a page.
func (ps *Pages) ChildAddresses(ctx context.Context, id store.FeedID) ([]string, error) {
	notes, err := ps.notesOf(ctx, id)
	var list []string
	for _, n := range notes {
		if n.Depth > 0 {
			list = append(list, n.Address)
		}
	}
	return list, err
}

// descend fetches those child pages of a watch that are due: what the page links
// to, at depth 2 also what those link to on their own host (Saeyor & Ishizuka,
// section 5). All of it counts against the page's budget.
func (ps *Pages) descend(ctx context.Context, g *Visit, notes map[uint64]targetState, depth int, fl *Round) error {
	f := g.feed
	d := descent{ps: ps, g: g, notes: notes, fl: fl, delays: map[string]bool{}}
	o := page.Options{Select: settingsOf(f).Select, Ignore: settingsOf(f).Ignore}
	if err := d.links(ctx, &g.targets[0], 0, o, false); err != nil {
		return err
	}
	bytes := 0
	for _, key := range d.due(depth) {
		if ctx.Err() != nil || bytes > childBytes {
			break
		}
		l, asked := d.visit(ctx, key)
		if !asked {
			continue
		}
		if err := ps.weigh(ctx, f, &l); ctx.Err() != nil {
			break // what was weighed is kept
		} else if err != nil {
			return err
		}
		l.note.took(&l.h, ps.rules.MinRetry)
		if l.h.Err == nil && depth > 1 && l.note.Depth == 1 {
			if err := d.links(ctx, &l, key, page.Options{}, true); err != nil {
				return err
			}
		}
		bytes += len(l.h.Body)
		g.targets = append(g.targets, l)
	}
	g.notes, g.forget = d.notes, d.gone
	return nil
}

// descent is one visit of a watch's child pages.
type descent struct {
	ps     *Pages
	g      *Visit
	notes  map[uint64]targetState
	gone   []uint64
	fl     *Round
	delays map[string]bool // hosts that ask for long waits and were asked already
}

// links brings the notes of a page's child pages in line with what it links to.
// Of a page that has not changed they are, but for the first time: its links may
// never have been asked for. Then what is kept of it names them.
func (d *descent) links(ctx context.Context, l *watchTarget, parent uint64, o page.Options, sameHost bool) error {
	body, kind := l.h.Body, l.h.Result.ContentType
	if l.h.Same {
		if d.linked(parent) {
			return nil
		}
		last, err := d.ps.lastRevision(ctx, d.g.feed.ID, l)
		if err != nil || last == nil {
			return err
		}
		body, kind = last.body, last.ContentType
	}
	text, _ := page.Decode(body, kind)
	list, err := pagestate.Children(web.Base(l.h.Result.URL), text, o, sameHost)
	if err != nil {
		return nil // an address that came with an answer is one
	}
	linked := map[uint64]bool{}
	for _, address := range list {
		address = plain.Outside(address) // a publisher's word: it names no secret of ours
		key := noteKey(address)
		linked[key] = true
		if _, known := d.notes[key]; !known && web.Masked(address) != RequestAddress(d.g.feed.URL) && d.count() < maxChildren {
			d.notes[key] = targetState{Address: address, Depth: d.notes[parent].Depth + 1, Parent: parent}
		}
	}
	for key, n := range d.notes {
		if n.Address != "" && n.Robots == "" && n.Parent == parent && n.Depth > 0 && !linked[key] {
			d.drop(key)
		}
	}
	return nil
}

// linked reports whether child pages of a page are known.
func (d *descent) linked(parent uint64) bool {
	for _, n := range d.notes {
		if n.Depth > 0 && n.Parent == parent {
			return true
		}
	}
	return false
}

func (d *descent) count() int {
	n := 0
	for _, note := range d.notes {
		if note.Depth > 0 {
			n++
		}
	}
	return n
}

// drop forgets a child page and what was only found through it.
func (d *descent) drop(key uint64) {
	delete(d.notes, key)
	d.gone = append(d.gone, key)
	for k, n := range d.notes {
		if n.Depth > 1 && n.Parent == key {
			delete(d.notes, k)
			d.gone = append(d.gone, k)
		}
	}
}

// due chooses the child pages for this visit: those fetched longest ago first.
func (d *descent) due(depth int) []uint64 {
	now := d.ps.now()
	keys := slices.Sorted(maps.Keys(d.notes))
	keys = slices.DeleteFunc(keys, func(k uint64) bool {
		n := d.notes[k]
		return n.Depth == 0 || n.Depth > depth || n.NotBefore.After(now) && n.NotBefore.Before(now.Add(model.MaxServerWait)) ||
			!n.LastFetch.IsZero() && now.Sub(n.LastFetch) < d.ps.childFloor(d.g.feed, &n) && !n.LastFetch.After(now)
	})
	sort.SliceStable(keys, func(i, j int) bool { return d.notes[keys[i]].LastFetch.Before(d.notes[keys[j]].LastFetch) })
	return keys[:min(len(keys), childrenAVisit)]
}

// childFloor is the least time between two fetches of a child page: that of any
// feed.
func (ps *Pages) childFloor(f *store.Feed, n *targetState) time.Duration {
	if every := model.IntervalOf(f); every > 0 {
		return every
	}
	if ps.rules.MinPoll > 0 && n.ETag == "" && n.LastModified == "" {
		return max(poll.BareWait, ps.rules.MinPoll)
	}
	return ps.rules.MinPoll
}

// visit fetches one child page if its host's robots.txt lets it.
func (d *descent) visit(ctx context.Context, key uint64) (l watchTarget, asked bool) {
	n := d.notes[key]
	u, err := url.Parse(n.Address)
	if err != nil || u.Host == "" {
		d.drop(key)
		return l, false
	}
	own := d.g.feed.AllowPrivate && strings.EqualFold(u.Host, model.HostKey(RequestAddress(d.g.feed.URL)))
	if !d.may(ctx, u, own) {
		n.Err, n.NotBefore = "its robots.txt forbids it", d.ps.now().Add(robotsFor)
		d.notes[key] = n
		return l, false
	}
	l = watchTarget{key: key, note: n}
	l.h, _ = d.fl.page(ctx, d.ps, n.Address, validators{n.ETag, n.LastModified, n.ValidatorsFor}, own, false)
	if l.h.Err == nil && !l.h.Same && l.h.Hash == n.Hash && n.Err == "" {
		l.h.Same = true
	}
	l.got = l.h
	return l, ctx.Err() == nil
}

// may asks the robots.txt of a host. One that cannot be had forbids all for now
// (RFC 9309, 2.3.1.4); one that is not there forbids nothing.
func (d *descent) may(ctx context.Context, u *url.URL, allow bool) bool {
	root := u.Scheme + "://" + u.Host
	key := noteKey("robots " + root)
	n, known := d.notes[key]
	if now := d.ps.now(); !known || now.Sub(n.LastFetch) > robotsFor || n.LastFetch.After(now) {
		n = targetState{Address: root, LastFetch: now, Robots: " "}
		status, text, requests := d.ps.web.Robots(ctx, u, allow)
		n.Status, n.Robots = status, " "+string(text)
		d.g.extra += requests
		d.g.robots++
		if ctx.Err() != nil {
			return false
		}
		d.notes[key] = n
	}
	may, slow := web.MayFetch(n.Status, []byte(n.Robots), u)
	if slow && d.delays[u.Host] {
		return false
	}
	d.delays[u.Host] = d.delays[u.Host] || slow
	return may
}

// took notes how fetching a child page went.
func (n *targetState) took(h *web.Answer, retry time.Duration) {
	n.LastFetch, n.NotBefore = h.At, h.Result.NotBefore
	if h.Err != nil {
		n.Err = h.Err.Error()
		n.Tries++
		if again := h.At.Add(min(retry<<min(n.Tries-1, 10), poll.WaitMax)); again.After(n.NotBefore) {
			n.NotBefore = again
		}
		return
	}
	n.Err, n.Tries = "", 0
	if h.Result.ETag != "" || !h.Result.NotModified {
		n.ETag = h.Result.ETag
	}
	if h.Result.LastModified != "" || !h.Result.NotModified {
		n.LastModified = h.Result.LastModified
	}
	n.ValidatorsFor = h.Result.URL
	if !h.Same {
		n.Hash = h.Hash
	}
}
