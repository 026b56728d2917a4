package plan

import (
	"encoding/json"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/wording"
)

// MarshalJSON writes {at,feed_id,nth,of,expected_new,reason,not_before,
// not_before_by}.
func (p PlannedFetch) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		At          wording.Moment `json:"at"`
		FeedID      string         `json:"feed_id"`
		Nth         int            `json:"nth"`
		Of          int            `json:"of"`
		Expected    float64        `json:"expected_new"`
		Reason      string         `json:"reason"`
		NotBefore   wording.Moment `json:"not_before"`
		NotBeforeBy *string        `json:"not_before_by"`
	}{wording.Moment{Time: p.At}, p.Key.String(), p.Nth, p.Of, p.Expected, p.Reason, wording.Moment{Time: p.NotBefore}, model.OrNull(plain.Line(p.NotBeforeBy.String(), 0))})
}
