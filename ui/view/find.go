package view

import (
	"fmt"
	"slices"

	"diurna/reader/wording"
)

// Found is a find that stands: n and N go through its matches.
type Found struct {
	Text string
	Hits []int32 // rows (or lines) that fit, ascending
}

// Stand lets a find stand and gives its first match after from; where nothing
// Fits it stands no more, and that is said. An empty text ends it.
func (f *Found) Stand(h Host, text string, hits []int32, from int, none string) int {
	*f = Found{}
	switch {
	case text == "":
	case len(hits) == 0:
		h.Say(fmt.Sprintf("%s matches \"%s\".", none, text))
	default:
		*f = Found{Text: text, Hits: hits}
		return f.Step(from, 1)
	}
	return -1
}

// Say tells where a find stands.
func (f *Found) Say(cur int) string {
	if i, on := slices.BinarySearch(f.Hits, int32(cur)); on {
		return fmt.Sprintf("/%s: %s of %s", f.Text, wording.Count(i+1), wording.Count(len(f.Hits)))
	}
	return fmt.Sprintf("/%s: %s", f.Text, wording.Plural(len(f.Hits), "place"))
}

// End ends a find; false where none stands.
func (f *Found) End() bool {
	stood := f.Text != ""
	*f = Found{}
	return stood
}

// Step gives the match after (d > 0) or before cur, around the ends.
func (f *Found) Step(cur, d int) int {
	if len(f.Hits) == 0 {
		return -1
	}
	i, on := slices.BinarySearch(f.Hits, int32(cur))
	switch {
	case d < 0:
		i--
	case on:
		i++
	}
	return int(f.Hits[(i+len(f.Hits))%len(f.Hits)])
}
