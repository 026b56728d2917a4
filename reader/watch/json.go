package watch

import (
	"encoding/json"
	"time"

	"diurna/reader/model"
	"diurna/reader/plain"
)

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
	}{f.Key.String(), plain.Line(f.Address(), 0), plain.Line(f.Title, 0), model.OrNull(plain.Line(f.Folder, 0)), model.PlainLines(f.Tags), f.Unread,
		p.Revisions, p.Score, p.Threshold, model.TimeOrNull(p.Changed), model.OrNull(plain.Line(p.Class, 0)), model.OrNull(plain.Line(p.Why, 0)),
		model.TimeOrNull(f.LastFetch), model.TimeOrNull(f.NextFetch), p.State.String(), model.TimeOrNull(f.Since), model.OrNull(plain.Line(f.Error, 0)),
		model.OrNull(plain.Line(p.LastClass, 0)), p.LastScore, model.TimeOrNull(p.Compared),
		model.PlainLines(p.Select), model.PlainLines(p.Ignore), model.PlainLines(p.IgnoreBlocks), model.PlainLines(p.Keywords),
		model.PlainLines(p.Has), model.PlainLines(p.Not), model.OrNull(plain.Line(p.When, 0)), p.Depth, p.Interval.Seconds(), p.Keep})
}
