package info

import (
	"testing"

	"diurna/reader"
)

// TestRhythmOf: the hours with at least half of the busiest one's posts, joined where they
// follow one another; nothing where the shape is not known.
func TestRhythmOf(t *testing.T) {
	day := func(shape string, hours map[int]float64, other float64) *reader.Rhythm {
		d := &reader.Rhythm{Shape: shape}
		for h := range d.Hours {
			d.Hours[h] = other
		}
		for h, n := range hours {
			d.Hours[h] = n
		}
		return d
	}
	for _, c := range []struct {
		day  *reader.Rhythm
		want string
	}{
		{day("", map[int]float64{7: 3}, 0), ""},
		{day("even", nil, 1), "even, at all hours"},
		{day("peaks", map[int]float64{7: 2, 8: 1, 9: .9, 23: 1}, 0), "peaks, most posts 07:00-09:00, 23:00-24:00"},
	} {
		if got := rhythmOf(c.day); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
