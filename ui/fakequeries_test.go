package ui

import (
	"context"
	"slices"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/ui/queries"
)

// fakeQueries are the saved queries of the fake.
type fakeQueries struct {
	f    *fake
	list []reader.SavedQuery
}

func (f *fake) queries() queries.Library {
	f.saved.f = f
	return &f.saved
}

func (q *fakeQueries) List(context.Context) ([]reader.SavedQuery, error) {
	q.f.mu.Lock()
	defer q.f.mu.Unlock()
	return slices.Clone(q.list), nil
}

func (q *fakeQueries) Counts(ctx context.Context) ([]reader.QueryCount, error) {
	list, _ := q.List(ctx)
	var counts []reader.QueryCount
	for _, n := range list {
		asks, err := query.Parse(n.Query, noon, list...)
		rows, _ := q.f.Rows(ctx, query.Unread().And(asks), 0)
		counts = append(counts, reader.QueryCount{Named: n, Asks: asks, Err: err, Unread: len(rows)})
	}
	return counts, nil
}

// change makes the list another one, as a step.
func (q *fakeQueries) change(what, name string, do func(i int)) (reader.Done, error) {
	q.f.mu.Lock()
	defer q.f.mu.Unlock()
	old := slices.Clone(q.list)
	do(slices.IndexFunc(q.list, func(n reader.SavedQuery) bool { return n.Name == name }))
	no := q.f.step("saved query "+name+" "+what, nil, nil, nil)
	q.f.takeBack(no, func() { q.list = old })
	return reader.Done{Step: no, Changed: 1}, nil
}

func (q *fakeQueries) Add(_ context.Context, name, text string) (reader.Done, error) {
	return q.change("added", name, func(int) { q.list = append(q.list, reader.SavedQuery{Name: name, Query: text}) })
}

func (q *fakeQueries) Edit(_ context.Context, name, text string) (reader.Done, error) {
	return q.change("changed", name, func(i int) { q.list[i].Query = text })
}

func (q *fakeQueries) Rename(_ context.Context, name, to string) (reader.Done, error) {
	return q.change("renamed", name, func(i int) { q.list[i].Name = to })
}

func (q *fakeQueries) Move(_ context.Context, name string, to int) (reader.Done, error) {
	return q.change("moved", name, func(i int) {
		n := q.list[i]
		q.list = slices.Insert(slices.Delete(q.list, i, i+1), to, n)
	})
}

func (q *fakeQueries) Remove(_ context.Context, name string) (reader.Done, error) {
	return q.change("removed", name, func(i int) { q.list = slices.Delete(q.list, i, i+1) })
}
