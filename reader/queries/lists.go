package queries

import (
	"context"
	"fmt"
	"time"

	"diurna/reader/query"
	"diurna/store"
)

// Taken makes the change that adds queries of an imported list to those there are, nil
// for none. taken counts those that are there then, added of these the new ones, and refused
// says of each other one why.
func (q *Queries) Taken(ctx context.Context, more []query.Named, now time.Time) (change *store.Change, taken, added int, refused []string, err error) {
	list, kept, err := q.read(ctx)
	if err != nil {
		return nil, 0, 0, nil, err
	}
	all := append(list[:len(list):len(list)], more...) // one may ask for a later one
	for _, n := range more {
		have := query.Find(list, n.Name)
		if have != nil && have.Query == n.Query {
			taken++
			continue
		}
		n, err := Checked(n.Name, n.Query, now, all)
		switch {
		case err != nil:
			refused = append(refused, fmt.Sprintf("query feed %q: %s", n.Name, err))
		case have != nil:
			refused = append(refused, fmt.Sprintf("query feed %q: a saved query with this name already exists: %s", n.Name, have.Query))
		case len(list) >= maxCount:
			refused = append(refused, fmt.Sprintf("query feed %q: at most %d saved queries are allowed", n.Name, maxCount))
		default:
			list = append(list, n)
			taken++
			added++
		}
	}
	if added == 0 {
		return nil, taken, 0, refused, nil
	}
	return &store.Change{Kind: store.Adjusted, Field: Field, Value: encode(list), Was: &kept}, taken, added, refused, nil
}
