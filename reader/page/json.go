package page

import (
	"bytes"
	"encoding/json"
)

// MarshalJSON writes the diff for scripts: score, significant, terms, class,
// words and ops, with byte ranges into the two pages.
func (d Diff) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := d.WriteJSON(b.Write, nil)
	return b.Bytes(), err
}

// WriteJSON gives what MarshalJSON returns to write, in parts that are used
// again. The fields of more, a JSON object or nil, follow in the same object.
// It writes in parts: the script of a dense page is many times as long
// as the page.
func (d Diff) WriteJSON(write func([]byte) (int, error), more []byte) error {
	terms := d.Terms
	if terms == nil {
		terms = []Term{}
	}
	head, err := json.Marshal(struct {
		Score       float64 `json:"score"`
		Significant bool    `json:"significant"`
		Terms       []Term  `json:"terms"`
		Class       Class   `json:"class"`
		Words       Words   `json:"words"`
	}{d.Score, d.Significant, terms, d.Class, d.Words})
	if err != nil {
		return err
	}
	const part = 32 << 10
	out := append(make([]byte, 0, part+256+len(head)), head[:len(head)-1]...)
	out = append(out, `,"ops":[`...)
	first := true
	for op := range d.Ops.All() {
		if !first {
			out = append(out, ',')
		}
		first = false
		if out = op.Append(out); len(out) >= part {
			if _, err := write(out); err != nil {
				return err
			}
			out = out[:0]
		}
	}
	out = append(out, ']')
	if len(more) > 2 { // its fields, after ours
		out = append(append(out, ','), more[1:len(more)-1]...)
	}
	_, err = write(append(out, '}'))
	return err
}
