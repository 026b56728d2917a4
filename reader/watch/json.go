package watch

import (
	"encoding/json"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/wording"
)

// MarshalJSON writes the page object of every command.
func (p Page) MarshalJSON() ([]byte, error) {
	f := &p.Feed
	return json.Marshal(struct {
		ID           string         `json:"id"`
		URL          string         `json:"url"`
		Title        string         `json:"title"`
		Folder       *string        `json:"folder"`
		Tags         []string       `json:"tags"`
		Unread       int            `json:"unread"`
		Revisions    int            `json:"revisions"`
		Score        float64        `json:"score"`
		Threshold    float64        `json:"threshold"`
		Changed      wording.Moment `json:"changed"`
		Class        *string        `json:"class"`
		Why          *string        `json:"why"`
		LastFetch    wording.Moment `json:"last_fetch"`
		NextFetch    wording.Moment `json:"next_fetch"`
		State        string         `json:"state"`
		Since        wording.Moment `json:"since"`
		Error        *string        `json:"error"`
		LastClass    *string        `json:"last_class"`
		LastScore    float64        `json:"last_score"`
		Compared     wording.Moment `json:"compared"`
		Select       []string       `json:"select"`
		Ignore       []string       `json:"ignore"`
		IgnoreBlocks []string       `json:"ignore_blocks"`
		ReportBlocks []string       `json:"report_blocks"`
		Keywords     []string       `json:"keywords"`
		Has          []string       `json:"has"`
		Not          []string       `json:"not"`
		When         *string        `json:"when"`
		Depth        int            `json:"depth"`
		Interval     float64        `json:"interval_s"`
		Keep         int            `json:"keep"`
	}{f.Key.String(), plain.Line(f.Address(), 0), plain.Line(f.Title, 0), model.OrNull(plain.Line(f.Folder, 0)), model.PlainLines(f.Tags), f.Unread,
		p.Revisions, p.Score, p.Threshold, wording.Moment{Time: p.Changed}, model.OrNull(string(p.Class)), model.OrNull(plain.Line(p.Why, 0)),
		wording.Moment{Time: f.LastFetch}, wording.Moment{Time: f.NextFetch}, p.State.String(), wording.Moment{Time: f.Since}, model.OrNull(plain.Line(f.Error, 0)),
		model.OrNull(string(p.LastClass)), p.LastScore, wording.Moment{Time: p.Compared},
		model.PlainLines(p.Select), model.PlainLines(p.Ignore), model.PlainLines(p.IgnoreBlocks), model.PlainLines(p.ReportBlocks), model.PlainLines(p.Keywords),
		model.PlainLines(p.Has), model.PlainLines(p.Not), model.OrNull(plain.Line(p.When, 0)), p.Depth, p.Interval.Seconds(), p.Keep})
}
