package page

import "encoding/json"

// MarshalJSON writes the diff for scripts: score, significant, terms, class,
// words and ops, with byte ranges into the two pages.
func (d Diff) MarshalJSON() ([]byte, error) {
	terms, ops := d.Terms, d.Ops
	if terms == nil {
		terms = []Term{}
	}
	if ops == nil {
		ops = []Op{}
	}
	return json.Marshal(struct {
		Score       float64 `json:"score"`
		Significant bool    `json:"significant"`
		Terms       []Term  `json:"terms"`
		Class       Class   `json:"class"`
		Words       Words   `json:"words"`
		Ops         []Op    `json:"ops"`
	}{d.Score, d.Significant, terms, d.Class, d.Words, ops})
}

// MarshalJSON writes one step of a script.
func (o Op) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Op string   `json:"op"`
		A  [2]int32 `json:"a"`
		B  [2]int32 `json:"b"`
	}{o.Kind.String(), o.A, o.B})
}
