package diff

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"diurna/reader/page"
	"diurna/ui/cells"
)

// TestFlowLosesNothing: lines hold the text of their spans, but for blanks
// where they are broken, and no line is too wide.
func TestFlowLosesNothing(t *testing.T) {
	for _, texts := range [][]string{
		{"a\xffb \xc3", "\xa9 caf\xc3\xa9\xf0\x9f", "\x98\x80 end of it"}, {"e", "\u0301\u0301 acute", "\u200d\ufe0f"},
		{"flag \U0001f1e9", "\U0001f1ea\U0001f1eb", "\U0001f1f7 flags"}, {"\u3164 \u2800 \u115f", "\u3000wide\u00a0", "\u2028\u2029\u0085 x"},
		{"[-\xff-]", "{+\xfe+}", "[--]{++}", "[-", "-]"}, {"\U0001f469\u200d", "\U0001f469\u200d\U0001f467", "港の工事港の工事"},
	} {
		for room := 6; room < 30; room++ {
			flowHolds(t, texts, room)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		of := rapid.OneOf(rapid.StringN(0, 40, -1), rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) string { return string(b) }))
		flowHolds(rt, rapid.SliceOfN(of, 0, 8).Draw(rt, "spans"), rapid.IntRange(6, 80).Draw(rt, "room"))
	})
}

func flowHolds(t rapid.TB, texts []string, room int) {
	var spans []diffSpan
	var all, got strings.Builder
	for _, text := range texts {
		text = safe(text)
		spans = append(spans, diffSpan{text: text, kind: page.OpKind(len(spans) % 3)})
		all.WriteString(text)
	}
	for _, l := range flow(spans, room) {
		width := l.in
		for _, sp := range l.left {
			width += cells.Width(sp.text)
			got.WriteString(sp.text)
		}
		if width > room {
			t.Fatalf("%q: %d cells in %d", texts, width, room)
		}
	}
	bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	if bare(got.String()) != bare(all.String()) {
		t.Fatalf("%q became %q", all.String(), got.String())
	}
}
