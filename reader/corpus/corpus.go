// Package corpus measures the parsers against a collection of documents with
// known answers, for `doctor --corpus`.
//
// Call [Measure] with a folder that holds manifest.tsv, oracle.jsonl.gz (what an
// independent parser found in each document) and expected.jsonl.gz (assertions
// of parsers' own tests). Every rate comes with its numerator and denominator
// and with what was left out of it and why; nothing is left out by name.
package corpus

import (
	"context"
	"errors"
)

// ErrNoCorpus is returned for a folder without a manifest.
var ErrNoCorpus = errors.New("there is no manifest.tsv in it")

// Row is one rate.
type Row struct {
	Name string `json:"name"`
	OK   int    `json:"ok"`
	Of   int    `json:"of"`
	// Asked is the share that is promised, in percent; 0: it is only told.
	Asked float64 `json:"asked"`
	// LeftOut counts what could not be compared, by reason.
	LeftOut map[string]int `json:"left_out"`
	// Misses are all that did not agree, one line each.
	Misses []string `json:"misses"`
}

// Percent is the rate, 100 where there was nothing to compare.
func (r *Row) Percent() float64 {
	if r.Of == 0 {
		return 100
	}
	return 100 * float64(r.OK) / float64(r.Of)
}

// Left is how many were left out for all reasons together.
func (r *Row) Left() int {
	n := 0
	for _, k := range r.LeftOut {
		n += k
	}
	return n
}

// Reached reports whether the rate is what is promised and at most a tenth of
// all was left out.
func (r *Row) Reached() bool {
	return r.Asked == 0 || r.Percent() >= r.Asked && 10*r.Left() <= r.Of+r.Left()
}

// Report is what a collection says of the parsers.
type Report struct {
	Files  int      `json:"files"`
	Panics []string `json:"panics"` // files that made a parser panic
	Rows   []Row    `json:"rows"`
}

// Measure reads every document of the collection in dir and compares. progress
// is called now and then with how many of all documents were read; it may be
// nil. The error is ErrNoCorpus, of reading a file, or ctx's.
func Measure(ctx context.Context, dir string, progress func(done, all int)) (Report, error) {
	return measure(ctx, dir, progress)
}

// Holds evaluates one of feedparser's assertions, a Python expression, on a
// document and the address it came from; a comment at its beginning may name
// headers, as in feedparser's own tests. The error says what has no counterpart
// here.
func Holds(expr string, body []byte, url string) (bool, error) {
	return holdsFor(expr, body, url)
}
