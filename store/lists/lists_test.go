package lists

import (
	"testing"

	"diurna/store/record"
)

// FuzzGather gives the reader of rows any bytes: it may not panic or ask for much
// memory.
func FuzzGather(f *testing.F) {
	w := record.Row{Flags: record.FlagRead, Words: 700, Title: "title", Author: "author", Tags: []string{"x"}}
	f.Add(w.Encode(nil))
	w.Was = "old title"
	f.Add(w.Encode(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		g := newGather(1, 0)
		if g.add(1, 1, b) {
			g.finish()
		}
	})
}
