// Package queries keeps the saved queries of a library: each has a name, a query and a
// place in their order. They are one value of the library, so that each change of them
// is one step that undo takes back. It also counts what is unread in each.
//
// Start with New, then List, and Unread for the numbers.
package queries

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/store"
)

// Field is the value of the library that holds them.
const Field = "queries"

// Bounds of what is kept: a name, a query, and how many of them.
const (
	maxName  = 100 // bytes
	maxQuery = 4096
	maxCount = 500
)

// Store is what saved queries need of the store.
type Store interface {
	Meta(ctx context.Context, key string) ([]byte, error)
	Act(ctx context.Context, now time.Time, scope string, changes ...store.Change) (store.Done, error)
}

// Library answers queries and reads the feeds.
type Library interface {
	Feeds(ctx context.Context) ([]model.Feed, error)
	Rows(ctx context.Context, q query.Query, limit int) ([]store.Row, error)
}

// Queries are the saved queries of a library. Several goroutines may use them.
type Queries struct {
	store Store
	lib   Library
	now   func() time.Time
}

// New returns the saved queries of a library. It reads nothing.
func New(s Store, lib Library, now func() time.Time) *Queries { return &Queries{s, lib, now} }

// List returns them in their order.
func (q *Queries) List(ctx context.Context) ([]query.Named, error) {
	list, _, err := q.read(ctx)
	return list, err
}

// read also returns the value as it is kept.
func (q *Queries) read(ctx context.Context) (list []query.Named, kept string, err error) {
	value, err := q.store.Meta(ctx, Field)
	if errors.Is(err, store.ErrNone) || errors.Is(err, store.ErrUnknown) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("read the saved queries: %w", err)
	}
	list, err = decode(string(value))
	return list, string(value), err
}

func decode(value string) (list []query.Named, err error) {
	if value == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(value), &list); err != nil {
		return nil, fmt.Errorf("the saved queries cannot be read: %w", err)
	}
	return list, nil
}

func encode(list []query.Named) string {
	if len(list) == 0 {
		return ""
	}
	value, err := json.Marshal(list)
	if err != nil {
		panic(err) // texts only
	}
	return string(value)
}

// wrong is the error that a user sees for a name or a query that cannot be.
func wrong(kind error, format string, args ...any) error {
	return &model.UserError{Sentence: fmt.Sprintf(format, args...), Kind: kind}
}

// change makes the list another one, as one step that is called say. Where another
// process was quicker it looks again.
func (q *Queries) change(ctx context.Context, do func([]query.Named) (list []query.Named, say string, err error)) (model.Done, error) {
	for try := 0; ; try++ {
		old, kept, err := q.read(ctx)
		if err != nil {
			return model.Done{}, err
		}
		list, say, err := do(slices.Clone(old))
		if err != nil {
			return model.Done{}, err
		}
		if len(list) > maxCount {
			return model.Done{}, wrong(model.ErrSetting, "at most %d saved queries are allowed", maxCount)
		}
		d, err := q.store.Act(ctx, q.now(), say, store.Change{Kind: store.Adjusted, Field: Field, Value: encode(list), Was: &kept})
		switch {
		case errors.Is(err, store.ErrStale) && try < 10:
			continue
		case errors.Is(err, store.ErrNone):
			return model.Done{}, wrong(store.ErrNone, "there is no library yet; add a feed first")
		case err != nil:
			return model.Done{}, fmt.Errorf("keep the saved queries: %w", err)
		}
		return model.Done{Step: d.Step, Changed: d.Changed}, nil
	}
}

// Checked returns a query to be saved in the form in which it is kept. names are those
// that it may ask for.
func Checked(name, text string, now time.Time, names []query.Named) (query.Named, error) {
	n := query.Named{Name: strings.Join(strings.Fields(plain.Line(name, 0)), " "), Query: strings.TrimSpace(plain.Line(text, 0))}
	switch {
	case query.Key(n.Name) == "":
		return n, wrong(model.ErrSetting, "a saved query needs a name")
	case len(n.Name) > maxName:
		return n, wrong(model.ErrSetting, "the name of a saved query is limited to %d bytes", maxName)
	case n.Query == "":
		return n, wrong(model.ErrSetting, "%q needs a query, such as: unread title:ferry", n.Name)
	case len(n.Query) > maxQuery:
		return n, wrong(model.ErrSetting, "a saved query is limited to %d bytes", maxQuery)
	}
	// Under its own name it stands for itself, which is refused.
	_, err := query.Parse(n.Query, now, append(without(names, n.Name), n)...)
	if err == nil {
		if _, own := query.Renamed(n.Query, n.Name, n.Name); own {
			err = wrong(model.ErrSetting, "%s refers to itself", query.Reference(n.Name))
		}
	}
	return n, err
}

// reserved are names that commands and queries take for words of their own: `unread
// new`, and the states of items.
var reserved = append([]string{"new", "and", "or", "not"}, query.States()...)

// Reserved says why a name cannot be given to a saved query by hand. What an import
// brings under such a name is reached as query:NAME.
func Reserved(name string) error {
	if key := query.Key(name); slices.Contains(reserved, key) {
		return wrong(model.ErrSetting, "%q is a keyword of commands and queries, as in: unread %s; choose another name, such as %q", name, key, "my "+key)
	}
	return nil
}

func without(list []query.Named, name string) []query.Named {
	key := query.Key(name)
	return slices.DeleteFunc(slices.Clone(list), func(n query.Named) bool { return query.Key(n.Name) == key })
}

// place is where a query of a name stands in the list.
func place(list []query.Named, name string) (int, error) {
	key := query.Key(name)
	i := slices.IndexFunc(list, func(n query.Named) bool { return query.Key(n.Name) == key })
	if i < 0 {
		return i, noSuch(list, name)
	}
	return i, nil
}

// noSuch says that no query has a name.
func noSuch(list []query.Named, name string) error {
	// The language knows the nearest one.
	_, err := query.Parse(query.Reference(name), time.Time{}, list...)
	if err == nil {
		err = fmt.Errorf("there is no saved query %q", name)
	}
	return &model.UserError{Sentence: err.Error(), Kind: model.ErrNotFound, Try: "diurna queries lists them"}
}

// Add saves a query at the end of the list.
func (q *Queries) Add(ctx context.Context, name, text string) (model.Done, error) {
	return q.change(ctx, func(list []query.Named) ([]query.Named, string, error) {
		n, err := Checked(name, text, q.now(), list)
		if err == nil {
			err = Reserved(n.Name)
		}
		if err != nil {
			return nil, "", err
		}
		if have := query.Find(list, n.Name); have != nil {
			return nil, "", wrong(model.ErrKnown, "a saved query %q already exists: %s", have.Name, have.Query)
		}
		return append(list, n), said(n.Name, "added"), nil
	})
}

// said is what a step is called.
func said(name, what string) string { return fmt.Sprintf("saved query %q %s", name, what) }

// Edit gives a saved query another text.
func (q *Queries) Edit(ctx context.Context, name, text string) (model.Done, error) {
	return q.change(ctx, func(list []query.Named) ([]query.Named, string, error) {
		i, err := place(list, name)
		if err != nil {
			return nil, "", err
		}
		n, err := Checked(list[i].Name, text, q.now(), list)
		if err != nil {
			return nil, "", err
		}
		list[i] = n
		return list, said(n.Name, "changed to "+n.Query), nil
	})
}

// Rename gives a saved query another name, also where others ask for it.
func (q *Queries) Rename(ctx context.Context, name, to string) (model.Done, error) {
	return q.change(ctx, func(list []query.Named) ([]query.Named, string, error) {
		i, err := place(list, name)
		if err != nil {
			return nil, "", err
		}
		old := list[i].Name
		n, err := Checked(to, list[i].Query, q.now(), list)
		if err == nil && query.Key(to) != query.Key(old) {
			err = Reserved(n.Name)
		}
		if err != nil {
			return nil, "", err
		}
		if k, err := place(list, n.Name); err == nil && k != i {
			return nil, "", wrong(model.ErrKnown, "a saved query %q already exists", list[k].Name)
		}
		list[i] = n
		for k := range list {
			list[k].Query, _ = query.Renamed(list[k].Query, old, n.Name)
		}
		return list, said(old, fmt.Sprintf("renamed to %q", n.Name)), nil
	})
}

// Move puts a saved query in the place to, counted from 0; beyond the ends is at them.
func (q *Queries) Move(ctx context.Context, name string, to int) (model.Done, error) {
	return q.change(ctx, func(list []query.Named) ([]query.Named, string, error) {
		i, err := place(list, name)
		if err != nil {
			return nil, "", err
		}
		n := list[i]
		to := max(0, min(to, len(list)-1))
		list = append(list[:i], list[i+1:]...)
		list = append(list[:to:to], append([]query.Named{n}, list[to:]...)...)
		return list, said(n.Name, fmt.Sprintf("moved to place %d", to+1)), nil
	})
}

// Remove takes a saved query away, unless another one asks for it.
func (q *Queries) Remove(ctx context.Context, name string) (model.Done, error) {
	return q.change(ctx, func(list []query.Named) ([]query.Named, string, error) {
		i, err := place(list, name)
		if err != nil {
			return nil, "", err
		}
		n := list[i]
		for k := range list {
			if _, asks := query.Renamed(list[k].Query, n.Name, n.Name); asks && k != i {
				return nil, "", wrong(nil, "%q refers to %s; change or remove it first", list[k].Name, query.Reference(n.Name))
			}
		}
		return slices.Delete(list, i, i+1), said(n.Name, "removed"), nil
	})
}
