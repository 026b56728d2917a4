package query

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Error says where a query is not understood. At counts bytes from its start; Why
// is the sentence that stands under the place. Incomplete is true where more text
// at the end may mend it, as while it is being typed.
type Error struct {
	Query      string
	At         int
	Why        string
	Incomplete bool
}

func (e *Error) Error() string { return e.Why }

// Before is what stands before the place.
func (e *Error) Before() string { return e.Query[:min(e.At, len(e.Query))] }

var onOneLine = strings.NewReplacer("\n", " ", "\t", " ", "\r", " ")

// Mark returns the query on one line and below it a mark under the place with the
// reason, as the shell shows it. Wide characters take two cells.
func (e *Error) Mark() string {
	pad := ansi.StringWidth(onOneLine.Replace(e.Before()))
	return onOneLine.Replace(e.Query) + "\n" + strings.Repeat(" ", pad) + "^ " + e.Why
}
