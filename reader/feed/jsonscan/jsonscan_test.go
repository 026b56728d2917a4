package jsonscan

import (
	"encoding/json"
	"testing"
)

func TestValue(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1,"b":[true,null]}`:    `{"a":1,"b":[true,null]}`,
		"{\"a\":\"x\ny\tz\"}":        `{"a":"x\u000ay\u0009z"}`,
		`{"a":"\x41\'"}`:             `{"a":"\u0041'"}`,
		`{"a":NaN,"b":undefined}`:    `{"a":null,"b":null}`,
		`{"a":1 "b":2}`:              `{"a":1,"b":2}`,
		`{"a":1,,"b":2,}`:            `{"a":1,"b":2}`,
		`[1,,2,]`:                    `[1,2]`,
		`{"a":,"b":2}`:               `{"a":null,"b":2}`,
		`{"a":0x1F}`:                 `{"a":"0x1F"}`,
		`{"a":["x",true,"y",null]}`:  `{"a":["x",true,"y",null]}`,
		`{"a":["x",Infinity]}`:       `{"a":["x",null]}`,
		`{"a":"he said "no" to it"}`: `{"a":"he said \"no\" to it"}`,
	} {
		m := Mender{B: []byte(in)}
		if !m.Value() {
			t.Errorf("%s does not end: %s", in, m.Out)
			continue
		}
		if !json.Valid(m.Out) || string(m.Out) != want || m.Pos != len(in) {
			t.Errorf("%s becomes %s, want %s; read %d of %d bytes", in, m.Out, want, m.Pos, len(in))
		}
	}
	for in, at := range map[string]int{`{"a":1`: 6, `{"a":"x`: 7, `[1}`: 2, `]`: 0, ``: 0} {
		if m := (Mender{B: []byte(in)}); m.Value() || m.Pos != at {
			t.Errorf("%q ends, or is left at %d, want %d", in, m.Pos, at)
		}
	}
}

func TestNextItem(t *testing.T) {
	const doc = `[{"id":"1","x":"lost},{"id":"2"}, {"id":"3"},{},5]`
	at := 0
	for _, want := range []string{`{"id":"2"}`, `{"id":"3"}`} {
		if at = NextItem([]byte(doc), at); at == 0 || doc[at:at+len(want)] != want {
			t.Fatalf("found %d, want %s", at, want)
		}
	}
	if at = NextItem([]byte(doc), at); at != 0 {
		t.Errorf("behind the last item another at %d", at)
	}
}
