package model

import (
	"errors"
	"fmt"
	"strings"

	"diurna/store"
)

// ErrNotFound: there is no feed or item of the name or number given.
var ErrNotFound = errors.New("not found")

// What else can be wrong with what a user asks for, for errors.Is.
var (
	ErrSetting = errors.New("not a setting")      // what was given is no value for a setting
	ErrKnown   = errors.New("already subscribed") // or already watched
)

// UserError is a sentence for a user with the error it is for errors.Is.
type UserError struct {
	Sentence string
	Kind     error
	Try      string // what to do; "": nothing is known
}

// Error returns the sentence alone.
func (e *UserError) Error() string { return e.Sentence }

// Hint says what to do.
func (e *UserError) Hint() string { return e.Try }

// Unwrap returns the kind.
func (e *UserError) Unwrap() error { return e.Kind }

// NoFeed says that no feed has a name or id.
func NoFeed(name string) error {
	return &UserError{fmt.Sprintf("there is no feed %q", name), ErrNotFound, "diurna list prints the feeds"}
}

// NoItem says that there is no item of an id.
func NoItem(id store.ItemID) error {
	return &UserError{fmt.Sprintf("there is no item %s", id), ErrNotFound, fmt.Sprintf("diurna items feed:%s lists the items of its feed", id.Feed())}
}

// AmbiguousError says that a name fits several feeds.
type AmbiguousError struct {
	Name  string
	Feeds []Feed
}

// Error says how many fit.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q matches %d feeds", e.Name, len(e.Feeds))
}

// Hint lists the feeds that fit, at most eight.
func (e *AmbiguousError) Hint() string {
	var s []string
	for i, f := range e.Feeds {
		if i == 8 {
			s = append(s, fmt.Sprintf("and %d more", len(e.Feeds)-i))
			break
		}
		s = append(s, f.Key.String()+" "+f.Title)
	}
	return strings.Join(s, " · ")
}
