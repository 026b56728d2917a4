package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// row is one rate. Everything that is counted in it has one unit.
type row struct {
	name   string
	asked  float64 // percent that is promised; 0: it is only printed
	ok, of int
	misses []string
	// doubtful could have been compared, but there is a reason to distrust the
	// expectation; at most a tenth of of+doubtful may be. absent asks for what the
	// program does not print. Both by reason.
	doubtful, absent map[string]int
}

func newRow(name string, asked float64) *row {
	return &row{name: name, asked: asked, doubtful: map[string]int{}, absent: map[string]int{}}
}

func (r *row) count(ok bool, miss string) {
	r.of++
	if ok {
		r.ok++
	} else {
		r.misses = append(r.misses, miss)
	}
}

func (r *row) percent() float64 {
	if r.of == 0 {
		return 100
	}
	return 100 * float64(r.ok) / float64(r.of)
}

func total(reasons map[string]int) (n int) {
	for _, k := range reasons {
		n += k
	}
	return n
}

// reached reports whether the rate is what is promised, and the doubtful at most a
// tenth of what could have been compared.
func (r *row) reached() bool {
	d := total(r.doubtful)
	return r.asked == 0 || r.percent() >= r.asked && 10*d <= r.of+d
}

func printRows(w io.Writer, rows []*row) (all bool) {
	all = true
	fmt.Fprintf(w, "%-34s %7s %7s %8s %6s %8s %7s\n", "RATE", "AGREE", "OF", "PERCENT", "ASKED", "DOUBTFUL", "ABSENT")
	for _, r := range rows {
		mark := ""
		if !r.reached() {
			all, mark = false, "  not reached"
		}
		fmt.Fprintf(w, "%-34s %7d %7d %8.2f %6.4g %8d %7d%s\n", r.name, r.ok, r.of, r.percent(), r.asked, total(r.doubtful), total(r.absent), mark)
		for _, kind := range []map[string]int{r.doubtful, r.absent} {
			for _, why := range slices.Sorted(maps.Keys(kind)) {
				fmt.Fprintf(w, "%50d  %s\n", kind[why], why)
			}
		}
	}
	return all
}
