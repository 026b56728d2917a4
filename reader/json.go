package reader

import (
	"encoding/json"
	"time"

	"diurna/reader/plain"
)

// MarshalJSON writes the one feed object of every command. Strings are made
// plain again on the way out.
func (f Feed) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID        *string    `json:"id"`
		URL       string     `json:"url"`
		Title     string     `json:"title"`
		Folder    *string    `json:"folder"`
		Tags      []string   `json:"tags"`
		Unread    int        `json:"unread"`
		Saved     int        `json:"saved"`
		LastPost  *time.Time `json:"last_post"`
		LastFetch *time.Time `json:"last_fetch"`
		NextFetch *time.Time `json:"next_fetch"`
		State     string     `json:"state"`
		Since     *time.Time `json:"since"`
		Error     *string    `json:"error"`
	}{idOrNull(f.Key.String(), f.Key == 0), plain.Line(f.Address(), 0), plain.Line(f.Title, 0), orNull(plain.Line(f.Folder, 0)), lines(f.Tags),
		f.Unread, f.Saved, timeOrNull(f.LastPost), timeOrNull(f.LastFetch), timeOrNull(f.NextFetch),
		f.State.String(), timeOrNull(f.Since), orNull(plain.Line(f.Error, 0))})
}

// itemJSON is the one item object, with its thirteen fields in their order.
type itemJSON struct {
	ID        *string    `json:"id"`
	FeedID    *string    `json:"feed_id"`
	Feed      string     `json:"feed"`
	Title     string     `json:"title"`
	Link      *string    `json:"link"`
	Author    *string    `json:"author"`
	Published *time.Time `json:"published"`
	FirstSeen *time.Time `json:"first_seen"`
	Unread    bool       `json:"unread"`
	Saved     bool       `json:"saved"`
	Changed   bool       `json:"changed"`
	Tags      []string   `json:"tags"`
	Words     int        `json:"words"`
}

func (it *Item) fields() itemJSON {
	return itemJSON{idOrNull(it.Key.String(), it.Key == 0), idOrNull(it.FeedKey.String(), it.FeedKey == 0),
		plain.Line(it.Feed, 0), plain.Line(it.Title, 0), orNull(plain.Line(it.Link, 0)), orNull(plain.Line(it.Author, 0)),
		timeOrNull(it.Published), timeOrNull(it.FirstSeen), it.Unread, it.Saved, it.Changed, lines(it.Tags), it.Words}
}

// MarshalJSON writes the one item object of every command.
func (it Item) MarshalJSON() ([]byte, error) { return json.Marshal(it.fields()) }

// MarshalJSON writes an item with all that its publisher sent, as preview and
// show print it.
func (a Article) MarshalJSON() ([]byte, error) {
	encl := make([]Enclosure, 0, len(a.Enclosures))
	for _, e := range a.Enclosures {
		encl = append(encl, Enclosure{plain.Line(e.URL, 0), plain.Line(e.Type, 0), plain.Line(e.Title, 0), e.Length})
	}
	return json.Marshal(struct {
		itemJSON
		IDRaw      *string     `json:"id_raw"`
		Updated    *time.Time  `json:"updated"`
		Categories []string    `json:"categories"`
		Enclosures []Enclosure `json:"enclosures"`
		HTML       string      `json:"content_html"`
	}{a.fields(), orNull(plain.Line(a.IDRaw, 0)), timeOrNull(a.Updated), lines(a.Categories), encl, plain.HTML(a.HTML, 0)})
}

// MarshalJSON writes {"feed":…,"parser":…,"items":[…],"problems":[…]}; the parser
// is "gofeed" or "scanner".
func (p Preview) MarshalJSON() ([]byte, error) {
	items := p.Articles
	if items == nil {
		items = []Article{}
	}
	return json.Marshal(struct {
		Feed     Feed      `json:"feed"`
		Parser   string    `json:"parser"`
		Items    []Article `json:"items"`
		Problems []string  `json:"problems"`
	}{p.Feed, p.Parser.String(), items, lines(p.Problems)})
}

func idOrNull(id string, none bool) *string {
	if none {
		return nil
	}
	return &id
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// lines makes a list of texts plain; an absent list is an empty one, because
// scripts that loop over tags should not meet a null.
func lines(list []string) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, plain.Line(s, 0))
	}
	return out
}

// MarshalJSON writes {at,feed_id,nth,of,expected_new,reason,not_before,
// not_before_by}.
func (p PlannedFetch) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		At          time.Time  `json:"at"`
		FeedID      string     `json:"feed_id"`
		Nth         int        `json:"nth"`
		Of          int        `json:"of"`
		Expected    float64    `json:"expected_new"`
		Reason      string     `json:"reason"`
		NotBefore   *time.Time `json:"not_before"`
		NotBeforeBy *string    `json:"not_before_by"`
	}{p.At, p.Key.String(), p.Nth, p.Of, p.Expected, p.Reason, timeOrNull(p.NotBefore), orNull(plain.Line(p.NotBeforeBy.String(), 0))})
}

// MarshalJSON writes the page object of every command.
func (p Page) MarshalJSON() ([]byte, error) {
	f := &p.Feed
	return json.Marshal(struct {
		ID           string     `json:"id"`
		URL          string     `json:"url"`
		Title        string     `json:"title"`
		Folder       *string    `json:"folder"`
		Tags         []string   `json:"tags"`
		Unread       int        `json:"unread"`
		Revisions    int        `json:"revisions"`
		Score        float64    `json:"score"`
		Threshold    float64    `json:"threshold"`
		Changed      *time.Time `json:"changed"`
		Class        *string    `json:"class"`
		Why          *string    `json:"why"`
		LastFetch    *time.Time `json:"last_fetch"`
		NextFetch    *time.Time `json:"next_fetch"`
		State        string     `json:"state"`
		Since        *time.Time `json:"since"`
		Error        *string    `json:"error"`
		LastClass    *string    `json:"last_class"`
		LastScore    float64    `json:"last_score"`
		Compared     *time.Time `json:"compared"`
		Select       []string   `json:"select"`
		Ignore       []string   `json:"ignore"`
		IgnoreBlocks []string   `json:"ignore_blocks"`
		Keywords     []string   `json:"keywords"`
		Has          []string   `json:"has"`
		Not          []string   `json:"not"`
		When         *string    `json:"when"`
		Depth        int        `json:"depth"`
		Interval     float64    `json:"interval_s"`
		Keep         int        `json:"keep"`
	}{f.Key.String(), plain.Line(f.Address(), 0), plain.Line(f.Title, 0), orNull(plain.Line(f.Folder, 0)), lines(f.Tags), f.Unread,
		p.Revisions, p.Score, p.Threshold, timeOrNull(p.Changed), orNull(plain.Line(p.Class, 0)), orNull(plain.Line(p.Why, 0)),
		timeOrNull(f.LastFetch), timeOrNull(f.NextFetch), p.State.String(), timeOrNull(f.Since), orNull(plain.Line(f.Error, 0)),
		orNull(plain.Line(p.LastClass, 0)), p.LastScore, timeOrNull(p.Compared),
		lines(p.Select), lines(p.Ignore), lines(p.IgnoreBlocks), lines(p.Keywords),
		lines(p.Has), lines(p.Not), orNull(plain.Line(p.When, 0)), p.Depth, p.Interval.Seconds(), p.Keep})
}
