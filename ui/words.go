package ui

import (
	"errors"
	"fmt"
	"time"

	"diurna/reader"
	"diurna/ui/view"
)

// The sentences that stand in more than one place or need choosing.
const (
	sayGone  = "This is not in the library any more. Nothing was changed."
	tellRead = "Marked %s read in %s. u undoes."
)

// takenBack is the sentence for acts that could not be kept.
func takenBack(err error, at time.Time) string {
	what := fmt.Sprintf("What you marked at %s could not be kept and was taken back.", view.Clock(at))
	if errors.Is(err, reader.ErrFull) {
		return "The disk is full. " + what + " Reading goes on; free some space and mark it again."
	}
	if errors.Is(err, reader.ErrReadOnly) {
		return "The library cannot be written. " + what
	}
	return view.Sentence(err) + " " + what
}
