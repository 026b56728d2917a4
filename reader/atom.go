package reader

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"diurna/reader/feed"
	"diurna/reader/feed/atom"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/store"
)

// atomGroup is how many items are read in one transaction.
const atomGroup = 500

// atomExport is an export in progress.
type atomExport struct {
	r      *Reader
	o      AtomExport
	ids    []ItemID
	began  time.Time // of the library, which tells its ids from those of any other
	feeds  map[FeedID]*Feed
	report AtomReport
}

// ExportAtom writes items as Atom 1.0, newest first. The ids of entries and of
// the feed follow from the library and from what is exported, never from the
// time, so an export of the same items gives the same bytes. ErrNotFound,
// ErrNotWatched: Page is not watched.
func (r *Reader) ExportAtom(ctx context.Context, w io.Writer, o AtomExport) (AtomReport, error) {
	x := atomExport{r: r, o: o}
	head := atom.Head{Title: "diurna", Author: "diurna"}
	what := "query " + o.Query.String()
	if o.Page != 0 {
		p, err := r.Pages().Find(ctx, o.Page.String())
		if err != nil {
			return x.report, err
		}
		x.o.Query = query.OfFeed(p.Key)
		what, head.Title, head.Author = "page "+p.Key.String(), p.Title, p.Title
	} else if !o.Query.Empty() {
		head.Title += ": " + o.Query.String()
	}
	d, err := r.store.Descent(ctx, "")
	if err != nil && !errors.Is(err, store.ErrNone) {
		return x.report, fmt.Errorf("read which library this is: %w", err)
	}
	x.began, head.ID = d.Began, atomID(d.Began, what)
	if x.feeds, err = r.feedsByKey(ctx); err != nil {
		return x.report, err
	}
	if err := x.choose(ctx); err != nil {
		return x.report, err
	}
	if head.Updated, err = x.newest(ctx); err != nil {
		return x.report, err
	}
	err = atom.Write(w, head, x.entries(ctx))
	return x.report, err
}

// choose lists the items to export.
func (x *atomExport) choose(ctx context.Context) error {
	limit := x.o.Limit
	if x.o.Page != 0 {
		limit = 0 // the title of another feed may read like this one's id
	}
	rows, err := x.r.Rows(ctx, x.o.Query, limit)
	if err != nil {
		return err
	}
	for i := range rows {
		if x.o.Limit > 0 && len(x.ids) == x.o.Limit {
			break
		}
		if x.o.Page == 0 || rows[i].ID.Feed() == x.o.Page {
			x.ids = append(x.ids, rows[i].ID)
		}
	}
	return nil
}

// newest is when the newest item was published or edited; without items it is when
// the library began, so that an empty feed stays the same bytes as well.
func (x *atomExport) newest(ctx context.Context) (at time.Time, err error) {
	if len(x.ids) == 0 {
		return x.began, nil
	}
	for ids := range slices.Chunk(x.ids, atomGroup) {
		items, err := x.r.Items(ctx, ids)
		if err != nil {
			return at, err
		}
		for i := range items {
			if t := updatedAt(&items[i]); t.After(at) {
				at = t
			}
		}
	}
	return at, nil
}

func updatedAt(it *Item) time.Time {
	for _, t := range []time.Time{it.Updated, it.Published} {
		if !t.IsZero() {
			return t
		}
	}
	return it.FirstSeen
}

// entries reads one text at a time; an item that was removed meanwhile is left out.
func (x *atomExport) entries(ctx context.Context) iter.Seq2[atom.Entry, error] {
	return func(yield func(atom.Entry, error) bool) {
		for _, id := range x.ids {
			a, err := x.r.Article(ctx, id)
			if errors.Is(err, ErrNotFound) {
				continue
			}
			var e atom.Entry
			if err == nil {
				e, err = x.entry(ctx, &a)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func (x *atomExport) entry(ctx context.Context, a *Article) (atom.Entry, error) {
	e := atom.Entry{ID: atomID(x.began, "item "+a.Key.String())}
	e.Title, e.Author, e.Published, e.Updated = a.Title, a.Author, a.Published, updatedAt(&a.Item)
	e.Categories, e.ContentHTML = a.Categories, a.HTML
	if x.o.Page == 0 {
		e.Source, e.SourceID = a.Feed, atomID(x.began, "page "+a.FeedKey.String())
		e.Author = cmp.Or(a.Author, a.Feed)
	}
	if f := x.feeds[a.FeedKey]; f != nil && f.Watched {
		e.SummaryHTML = a.HTML // a diff, which stays readable without its markup
	}
	var lost, cut bool
	var err error
	if e.Link, lost, err = x.address(ctx, a.Address()); err != nil {
		return e, err
	}
	for _, f := range a.Enclosures {
		out := feed.Enclosure{Type: f.Type, Title: f.Title, Length: f.Length}
		if out.URL, cut, err = x.address(ctx, f.URL); err != nil {
			return e, err
		}
		lost = lost || cut
		e.Enclosures = append(e.Enclosures, out)
	}
	x.report.Entries++
	if lost {
		x.report.Secrets++
	}
	return e, nil
}

// address is an item's address as it is exported; lost says that a secret was taken out of
// it.
func (x *atomExport) address(ctx context.Context, kept string) (out string, lost bool, err error) {
	if strings.Contains(kept, store.SecretMark) {
		return x.r.web.Exported(ctx, kept, x.o.Secrets)
	}
	if x.o.Secrets {
		return kept, false, nil
	}
	out = plain.WithoutSecrets(kept)
	return out, out != kept, nil
}

// atomID is a UUID of version 8 (RFC 9562): a hash over the library's identity and that of
// the entry.
func atomID(began time.Time, what string) string {
	h := sha256.Sum256(fmt.Appendf(nil, "diurna\x00%d\x00%s", began.UnixNano(), what))
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}
