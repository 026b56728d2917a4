package reader

import (
	"diurna/reader/model"
	"encoding/json"
)

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
	}{p.Feed, p.Parser.String(), items, model.PlainLines(p.Problems)})
}
