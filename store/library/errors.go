package library

import (
	"errors"
)

// Errors that callers tell apart; all others are the operating system's.
var (
	ErrUnknown = errors.New("no such feed or item")
	ErrTaken   = errors.New("another feed has this address")
	ErrStale   = errors.New("it was changed meanwhile") // match again, file again
	ErrDepends = errors.New("a later step depends on this one")
	ErrNothing = errors.New("there is nothing to undo")
	ErrInvalid = errors.New("not a valid change")
)
