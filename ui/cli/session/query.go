package session

import (
	"context"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/query"
)

// Query reads the query on the line of a command. open opens the library, in the role of
// the command, and only if the query refers to a saved one.
func Query(ctx context.Context, open func(role string) (*reader.Reader, error), role string, words []string) (reader.Query, error) {
	text := strings.Join(words, " ")
	var names []reader.SavedQuery
	if query.Mentions(text) {
		lib, err := open(role)
		if err != nil {
			return reader.Query{}, err
		}
		if names, err = lib.Queries().List(ctx); err != nil {
			return reader.Query{}, err
		}
	}
	return query.Parse(text, time.Now(), names...)
}

// SavedQueries are those of the library, for completion: none if it cannot be read.
func SavedQueries(ctx context.Context, open func(role string) (*reader.Reader, error)) []reader.SavedQuery {
	lib, err := open("completion")
	if err != nil {
		return nil
	}
	list, _ := lib.Queries().List(ctx)
	return list
}
