package reader

import (
	"cmp"
	"context"

	"diurna/reader/feed"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/web"
)

// Preview shows what an address brings. It goes through the same function as
// Fetch and files nothing.
func (r *Reader) Preview(ctx context.Context, address string, allowPrivate bool) (Preview, error) {
	found, err := r.Look(ctx, address, allowPrivate)
	if err != nil {
		return Preview{}, err
	}
	if len(found.Candidates) == 0 {
		return Preview{}, &said{"a list of feeds, not a feed: diurna import takes it", ErrNoFeed}
	}
	c := found.Candidates[0]
	if c.Known != 0 && c.got == nil { // look asks nothing of a host for what is known; preview does
		c.Known = 0
		if c, err = r.Fill(ctx, c, allowPrivate); err != nil {
			return Preview{}, err
		}
	}
	if c.Err != nil {
		return Preview{}, c.Err
	}
	p := previewOf(c.got, c.URL)
	p.Others, p.Named = found.Candidates[1:], c.URL != found.Address && len(c.got.Result.Hops) == 0
	return p, nil
}

// PreviewBytes is Preview for a document at hand, as if base had served it
// with contentType (both may be empty).
func (r *Reader) PreviewBytes(doc []byte, base, contentType string) (Preview, error) {
	h := web.Answer{At: r.now(), Asked: base}
	h.Doc, h.Err = web.ReadDocument(feed.Input{Body: doc, ContentType: contentType, URL: base, Now: h.At})
	if h.Err != nil {
		return Preview{}, h.Err
	}
	return previewOf(&h, base), nil
}

func previewOf(h *web.Answer, address string) Preview {
	doc := &h.Doc
	f := Feed{URL: address, Title: cmp.Or(plain.Line(doc.Title, 300), model.Host(address)), Site: doc.Link, Format: doc.Format, State: FeedNew}
	arts := articlesOf(h)
	for i := range arts {
		if arts[i].Unread {
			f.Unread++
		}
		if t := arts[i].Published; t.After(f.LastPost) {
			f.LastPost = t
		}
	}
	f.Items = len(arts)
	problems := doc.Problems
	if doc.Partial && len(doc.Items) > 0 {
		problems = append(problems, "the document is cut short; its whole items were read")
	}
	return Preview{Feed: f, Articles: arts, Problems: problems, Parser: doc.Parser}
}
