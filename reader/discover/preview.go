package discover

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"diurna/reader/feed"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/web"
)

// Preview is what an address or file would bring, without subscribing. Its
// JSON form is {"feed":…,"parser":…,"items":[…],"problems":[…]}; its items carry id_raw,
// updated, categories, enclosures and content_html besides the usual fields.
type Preview struct {
	Feed     model.Feed
	Articles []model.Article
	Problems []string
	Parser   feed.Parser // what read the document
	Others   []Candidate // further feeds its page names
	Named    bool        // the address was a page that named the feed
}

// Preview shows what an address brings. It goes through the same function as
// Fetch and files nothing.
func (d *Finder) Preview(ctx context.Context, address string, allowPrivate bool) (Preview, error) {
	found, err := d.Look(ctx, address, allowPrivate)
	if err != nil {
		return Preview{}, err
	}
	if len(found.Candidates) == 0 {
		return Preview{}, &model.UserError{Sentence: "a list of feeds, not a feed: diurna import takes it", Kind: ErrNoFeed}
	}
	c := found.Candidates[0]
	if c.Known != 0 && c.Answer == nil { // look asks nothing of a host for what is known; preview does
		c.Known = 0
		if c, err = d.Fill(ctx, granted([]Candidate{c}, found.Address, allowPrivate)[0]); err != nil {
			return Preview{}, err
		}
	}
	if c.Err != nil {
		return Preview{}, c.Err
	}
	p := previewOf(c.Answer, c.URL)
	p.Others, p.Named = found.Candidates[1:], c.URL != found.Address && len(c.Answer.Result.Hops) == 0
	return p, nil
}

// PreviewBytes is Preview for a document at hand, as if base had served it
// with contentType (both may be empty).
func PreviewBytes(doc []byte, base, contentType string, now time.Time) (Preview, error) {
	h := web.Answer{At: now, Asked: base}
	h.Doc, h.Err = web.ReadDocument(feed.Input{Body: doc, ContentType: contentType, URL: base, Now: h.At})
	if h.Err != nil {
		return Preview{}, h.Err
	}
	return previewOf(&h, base), nil
}

func previewOf(h *web.Answer, address string) Preview {
	doc := &h.Doc
	f := model.Feed{URL: address, Title: cmp.Or(plain.Line(doc.Title, 300), model.Name(address)), Site: doc.Link, Format: doc.Format, State: model.FeedNew}
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
		problems = append(problems, "the document is cut short; its complete items were read")
	}
	return Preview{Feed: f, Articles: arts, Problems: problems, Parser: doc.Parser}
}

// MarshalJSON writes {"feed":…,"parser":…,"items":[…],"problems":[…]}; the parser
// is "gofeed" or "scanner".
func (p Preview) MarshalJSON() ([]byte, error) {
	items := p.Articles
	if items == nil {
		items = []model.Article{}
	}
	return json.Marshal(struct {
		Feed     model.Feed      `json:"feed"`
		Parser   string          `json:"parser"`
		Items    []model.Article `json:"items"`
		Problems []string        `json:"problems"`
	}{p.Feed, p.Parser.String(), items, model.PlainLines(p.Problems)})
}
