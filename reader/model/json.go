package model

import (
	"encoding/json"
	"math"

	"diurna/reader/plain"
	"diurna/reader/wording"
)

// MarshalJSON writes the one feed object of every command. Strings are made
// plain again on the way out.
func (f Feed) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID        *string        `json:"id"`
		URL       string         `json:"url"`
		Title     string         `json:"title"`
		Folder    *string        `json:"folder"`
		Tags      []string       `json:"tags"`
		Unread    int            `json:"unread"`
		Saved     int            `json:"saved"`
		LastPost  wording.Moment `json:"last_post"`
		LastFetch wording.Moment `json:"last_fetch"`
		NextFetch wording.Moment `json:"next_fetch"`
		State     string         `json:"state"`
		Since     wording.Moment `json:"since"`
		Error     *string        `json:"error"`
	}{idOrNull(f.Key.String(), f.Key == 0), plain.Line(f.Address(), 0), plain.Line(f.Title, 0), OrNull(plain.Line(f.Folder, 0)), PlainLines(f.Tags),
		f.Unread, f.Saved, wording.Moment{Time: f.LastPost}, wording.Moment{Time: f.LastFetch}, wording.Moment{Time: f.NextFetch},
		f.State.String(), wording.Moment{Time: f.Since}, OrNull(plain.Line(f.Error, 0))})
}

// itemJSON is the one item object, with its thirteen fields in their order, of a muted item the
// number of the rule, and of one whose story is elsewhere too, the items there.
type itemJSON struct {
	ID        *string        `json:"id"`
	FeedID    *string        `json:"feed_id"`
	Feed      string         `json:"feed"`
	Title     string         `json:"title"`
	Link      *string        `json:"link"`
	Author    *string        `json:"author"`
	Published wording.Moment `json:"published"`
	FirstSeen wording.Moment `json:"first_seen"`
	Unread    bool           `json:"unread"`
	Saved     bool           `json:"saved"`
	Changed   bool           `json:"changed"`
	Tags      []string       `json:"tags"`
	Words     int            `json:"words"`
	Muted     int            `json:"muted,omitempty"`
	Also      []string       `json:"also,omitempty"`
}

func (it *Item) fields() itemJSON {
	var also []string
	for _, id := range it.Also {
		also = append(also, id.String())
	}
	return itemJSON{idOrNull(it.Key.String(), it.Key == 0), idOrNull(it.FeedKey.String(), it.FeedKey == 0),
		plain.Line(it.Feed, 0), plain.Line(it.Title, 0), OrNull(plain.Line(it.Link, 0)), OrNull(plain.Line(it.Author, 0)),
		wording.Moment{Time: it.Published}, wording.Moment{Time: it.FirstSeen}, it.Unread, it.Saved, it.Changed, PlainLines(it.Tags), it.Words, it.Muted, also}
}

// MarshalJSON writes the one item object of every command.
func (it Item) MarshalJSON() ([]byte, error) { return json.Marshal(it.fields()) }

// FoundItem is an item that a search found, as JSON: the item object with the score,
// the snippet (null: no word of the query stands in the text) and where those words
// stand in it, in bytes.
type FoundItem struct {
	Item    Item
	Score   float64
	Snippet string
	Marks   [][2]int
}

// MarshalJSON writes the item object with what the search adds.
func (f FoundItem) MarshalJSON() ([]byte, error) {
	if f.Marks == nil {
		f.Marks = [][2]int{}
	}
	return json.Marshal(struct {
		itemJSON
		Score   float64  `json:"score"`
		Snippet *string  `json:"snippet"`
		Marks   [][2]int `json:"marks"`
	}{f.Item.fields(), math.Round(f.Score*1000) / 1000, OrNull(f.Snippet), f.Marks})
}

type enclosureJSON struct {
	URL    string `json:"url"`
	Type   string `json:"type"`
	Title  string `json:"title"`
	Length int64  `json:"length"`
	// Seconds is how long it plays; 0: not said.
	Seconds int32 `json:"seconds"`
}

// MarshalJSON writes an item with all that its publisher sent, as preview and
// show print it.
func (a Article) MarshalJSON() ([]byte, error) {
	encl := make([]enclosureJSON, 0, len(a.Enclosures))
	for _, e := range a.Enclosures {
		encl = append(encl, enclosureJSON{plain.Line(e.URL, 0), plain.Line(e.Type, 0), plain.Line(e.Title, 0), e.Length, e.Seconds})
	}
	return json.Marshal(struct {
		itemJSON
		IDRaw      *string         `json:"id_raw"`
		Updated    wording.Moment  `json:"updated"`
		Categories []string        `json:"categories"`
		Enclosures []enclosureJSON `json:"enclosures"`
		HTML       string          `json:"content_html"`
		Full       *fullJSON       `json:"full_text"`
	}{a.fields(), OrNull(plain.Line(a.IDRaw, 0)), wording.Moment{Time: a.Updated}, PlainLines(a.Categories), encl, plain.HTML(a.HTML, 0), a.Full.json()})
}

// fullJSON is what is kept of an item's page: an article, or why there is none.
type fullJSON struct {
	Fetched wording.Moment `json:"fetched"`
	Why     *string        `json:"why"`
	Words   int            `json:"words"`
	HTML    *string        `json:"content_html"`
}

func (t *FullText) json() *fullJSON {
	if t == nil {
		return nil
	}
	return &fullJSON{wording.Moment{Time: t.At}, OrNull(t.Why), t.Words, OrNull(plain.HTML(t.HTML, 0))}
}

func idOrNull(id string, none bool) *string {
	if none {
		return nil
	}
	return &id
}

// OrNull is s, nil where it is empty: null in JSON.
func OrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// PlainLines makes a list of texts plain; an absent list is an empty one, because
// scripts that loop over tags should not meet a null.
func PlainLines(list []string) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, plain.Line(s, 0))
	}
	return out
}
