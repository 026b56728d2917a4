package page

import (
	"encoding/json"
	"strconv"
)

// MarshalJSON writes the diff for scripts: score, significant, terms, class,
// words and ops, with byte ranges into the two pages.
func (d Diff) MarshalJSON() ([]byte, error) {
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
		return nil, err
	}
	// By hand: a page in two charsets may have a hundred thousand steps.
	out := make([]byte, 0, len(head)+64*len(d.Ops)+16)
	out = append(append(out, head[:len(head)-1]...), `,"ops":[`...)
	for i := range d.Ops {
		if i > 0 {
			out = append(out, ',')
		}
		out = d.Ops[i].append(out)
	}
	return append(out, "]}"...), nil
}

// MarshalJSON writes one step of a script.
func (o Op) MarshalJSON() ([]byte, error) { return o.append(nil), nil }

func (o Op) append(out []byte) []byte {
	out = append(append(out, `{"op":"`...), o.Kind.String()...)
	out = appendRange(append(out, `","a":[`...), o.A)
	out = appendRange(append(out, `],"b":[`...), o.B)
	return append(out, "]}"...)
}

func appendRange(out []byte, r [2]int32) []byte {
	out = strconv.AppendInt(out, int64(r[0]), 10)
	return strconv.AppendInt(append(out, ','), int64(r[1]), 10)
}
