// Package cells measures, cuts and pads text in terminal cells, so that the
// columns of a row never shift.
//
// Call Fit first: it gives exactly as many cells as a column has. The
// functions of the package measure as a terminal does before it says
// otherwise; a Measure with Graphemes set is for one that confirmed mode 2027.
// Text goes in plain and comes out plain: colours are put around the result,
// never into it.
package cells

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Measure says how text becomes cells. The zero Measure is right for every
// terminal that has not said anything, and for one that shows Unicode.
type Measure struct {
	// Graphemes is true once the terminal confirmed mode 2027: a cluster such
	// as a Devanagari syllable then has one width instead of the sum of its
	// parts, and sequences of emoji stay whole. It has to follow what the renderer was told, or columns shift.
	Graphemes bool
	// ASCII writes the mark of a cut as three dots instead of U+2026, for
	// terminals and fonts that know nothing else.
	ASCII bool
}

// Width gives the number of cells s takes as Fit, Cut and PadLeft would print
// it, that is without the characters they drop. It is never negative.
func Width(s string) int { return Measure{}.Width(s) }

// Cut gives s in at most w cells: the whole of it where it fits, else its
// beginning and the mark of a cut. A wide character is never halved. For w
// below 1 it gives "".
func Cut(s string, w int) string { return Measure{}.Cut(s, w) }

// Fit gives s in exactly w cells: cut as by Cut, else padded with spaces on
// the right. For w below 1 it gives "".
func Fit(s string, w int) string { return Measure{}.Fit(s, w) }

// PadLeft is Fit with the padding on the left, for numbers.
func PadLeft(s string, w int) string { return Measure{}.PadLeft(s, w) }

// Clean gives s as Fit and Cut would print it with enough room:
// code that wraps a text cleans it first, so that it breaks where the drawn
// text does. It is idempotent.
func Clean(s string) string { return Measure{}.Clean(s) }

// Clean is the function Clean for this measure.
func (m Measure) Clean(s string) string {
	if isASCII(s) {
		return s
	}
	return m.clean(s)
}

// Width is the function Width for this measure.
func (m Measure) Width(s string) int {
	if isASCII(s) {
		return len(s)
	}
	return m.width(m.clean(s))
}

// Cut is the function Cut for this measure.
//
//go:noinline // 30 places
func (m Measure) Cut(s string, w int) string {
	s, _ = m.cut(s, w)
	return s
}

// CutCells is Cut, and how many cells are left of s: measuring it again is expensive.
func (m Measure) CutCells(s string, w int) (string, int) { return m.cut(s, w) }

// Fit is the function Fit for this measure.
func (m Measure) Fit(s string, w int) string {
	s, n := m.cut(s, w)
	return s + blanks(w-n)
}

// PadLeft is the function PadLeft for this measure.
func (m Measure) PadLeft(s string, w int) string {
	s, n := m.cut(s, w)
	return blanks(w-n) + s
}

// Next splits the first cluster (what a reader takes for one character) off s
// and gives its cells. It is for code that wraps text; s is taken as it is,
// nothing is dropped.
func (m Measure) Next(s string) (cluster string, width int) {
	if s == "" {
		return "", 0
	}
	// The renderer gives every ASCII character a cell of its own, whatever follows.
	if s[0] >= ' ' && s[0] < 0x7f {
		return s[:1], 1
	}
	method := ansi.WcWidth
	if m.Graphemes {
		method = ansi.GraphemeWidth
	}
	// The renderer measures with this very function; anything else, however
	// right, would disagree with where it thinks the cursor stands.
	return ansi.FirstGraphemeCluster(s, method)
}

// cut gives at most w cells of s and how many they are.
func (m Measure) cut(s string, w int) (string, int) {
	if w < 1 {
		return "", 0
	}
	if isASCII(s) {
		if len(s) <= w {
			return s, len(s)
		}
		mark, n := m.mark(w)
		return s[:w-n] + mark, w
	}
	s = m.clean(s)
	mark, marked := m.mark(w)
	used, end, room := 0, 0, 0 // room: the cells of s[:end], the longest beginning with room for the mark
	for at := 0; at < len(s); {
		cluster, n := m.Next(s[at:])
		if used+n > w {
			return s[:end] + mark, room + marked
		}
		at += len(cluster)
		used += n
		if used <= w-marked {
			end, room = at, used
		}
	}
	return s, used
}

// mark gives the mark of a cut and its cells, at most w of them.
func (m Measure) mark(w int) (string, int) {
	if !m.ASCII {
		// Two cells where RUNEWIDTH_EASTASIAN asks for it.
		if _, n := m.Next("…"); n <= w {
			return "…", n
		}
	}
	n := min(w, 3)
	return "..."[:n], n
}

// width adds up the cells of s, which clean has seen.
func (m Measure) width(s string) (w int) {
	for s != "" {
		cluster, n := m.Next(s)
		s = s[len(cluster):]
		w += n
	}
	return w
}

// spaces is longer than any line the program draws in one piece, so that
// padding costs no allocation of its own.
const spaces = "                                                                                                                                                                                                                                                                "

// blanks gives n spaces, or "" for n below 1.
func blanks(n int) string {
	if n < 1 {
		return ""
	}
	if n <= len(spaces) {
		return spaces[:n]
	}
	return strings.Repeat(" ", n)
}

// isASCII reports whether every byte of s is one printable cell.
func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
