package model

import "errors"

// ErrNotFound: there is no feed or item of the name or number given.
var ErrNotFound = errors.New("not found")

// UserError is a sentence for a person with the error it is for errors.Is.
type UserError struct {
	Sentence string
	Kind     error
}

// Error returns the sentence alone.
func (e *UserError) Error() string { return e.Sentence }

// Unwrap returns the kind.
func (e *UserError) Unwrap() error { return e.Kind }
