package cells

import "strings"

// Where a line runs from right to left, a terminal that knows the Unicode
// Bidirectional Algorithm has to be told. The renderer drops marks without
// width, and what it does not know it would not erase either. So the marks go
// through it on blanks that no text holds, a no-break space with a variation
// selector that means nothing there, and the writer behind it puts the marks in
// their place: they stay with the cell of the blank, here and in the terminal.
const (
	// RightToLeft is the blank before a line that runs from right to left, and
	// EndRightToLeft the one behind it: one cell each.
	RightToLeft    = "\u00a0\U000e01ee"
	EndRightToLeft = "\u00a0\U000e01ef"
)

// Turn marks a text that runs from right to left, where there is a blank before and
// behind it: it gives those two with the marks.
func Turn(before, behind string, rightToLeft bool) (string, string) {
	if !rightToLeft || !strings.HasSuffix(before, " ") || !strings.HasPrefix(behind, " ") {
		return before, behind
	}
	return before[:len(before)-1] + RightToLeft, EndRightToLeft + behind[1:]
}

// What stands for them outside: a blank with RIGHT-TO-LEFT ISOLATE or POP
// DIRECTIONAL ISOLATE, or the blank alone.
var (
	marked   = strings.NewReplacer(RightToLeft, " \u2067", EndRightToLeft, " \u2069")
	unmarked = strings.NewReplacer(RightToLeft, " ", EndRightToLeft, " ")
)

// Isolates puts the marks of the Bidirectional Algorithm (UAX 9) in place of the
// blanks that stand for them; without marks they are blanks and no more.
func Isolates(screen string, marks bool) string {
	switch {
	case !strings.Contains(screen, RightToLeft[:5]): // what both begin with
		return screen
	case marks:
		return marked.Replace(screen)
	}
	return unmarked.Replace(screen)
}
