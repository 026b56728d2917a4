//go:build unix

package reader

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"diurna/store"
)

// TestFilingCost measures what filing 1,000 new items of 2 KB costs with an index of
// their texts and 1,000 rules against the same without either, in CPU time, interleaved:
//
//	DIURNA_BENCH=1 go test -v -run TestFilingCost ./reader
func TestFilingCost(t *testing.T) {
	if os.Getenv("DIURNA_BENCH") == "" {
		t.Skip("a measurement")
	}
	const feeds, each, ruleCount, rounds = 20, 50, 1000, 25
	rnd := rand.New(rand.NewPCG(17, 4))
	vocabulary := make([]string, 20_000)
	for i := range vocabulary {
		for range 2 + rnd.IntN(4) {
			vocabulary[i] += string("bdfgklmnprstvz"[rnd.IntN(14)]) + string("aeiou"[rnd.IntN(5)])
		}
	}
	words := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(vocabulary[int(float64(len(vocabulary))*rnd.Float64()*rnd.Float64()*rnd.Float64())] + " ")
		}
		return b.String()
	}
	address := func(i int) string { return fmt.Sprintf("https://f%d.example/feed", i) }
	document := func(i, from, n int) string {
		var items []string
		for k := range n {
			items = append(items, fmt.Sprintf("f%d-%d|%s|%s|<p>%s</p>", i, from+k, words(8), ago(time.Duration(k)*time.Minute), words(290)))
		}
		return rssOf(fmt.Sprintf("Feed %d", i), items...)
	}
	cpu := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	measure := func(index bool, count int) time.Duration {
		web := newFakeWeb()
		for i := range feeds {
			web.serve(address(i), "application/rss+xml", document(i, 0, 2))
		}
		r := newLibrary(t, web)
		for i := range feeds {
			add(t, r, address(i), SubscribeOptions{})
		}
		book := r.store.RuleBook()
		for i := range count {
			rule := Rule{Query: vocabulary[len(vocabulary)-1-i], Mute: true, Made: time.Now()}
			text, err := rule.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := book.ActRule(t.Context(), time.Now(), store.RuleAct{No: i + 1, Text: text}); err != nil {
				t.Fatal(err)
			}
		}
		if index {
			if err := r.Searcher().Update(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
		for i := range feeds {
			web.serve(address(i), "application/rss+xml", document(i, 2, each))
		}
		// The memory of what was loaded so far is given back a second later: not meanwhile, nor
		// what making the rules took.
		time.Sleep(1200 * time.Millisecond)
		debug.FreeOSMemory()
		before := cpu()
		rep, err := later(r, 2*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
		spent := cpu() - before
		if err != nil || rep.New != feeds*each {
			t.Fatalf("%d new, %v", rep.New, err)
		}
		if pending, none, err := r.Searcher().Pending(t.Context()); index && (none || pending != 0 || err != nil) {
			t.Fatalf("%d facts are not indexed (no index: %v), %v", pending, none, err)
		}
		return spent
	}
	var plain, all, only []float64
	for range rounds {
		plain = append(plain, measure(false, 0).Seconds())
		all = append(all, measure(true, ruleCount).Seconds())
		only = append(only, measure(false, ruleCount).Seconds())
	}
	for _, list := range [][]float64{plain, all, only} {
		slices.Sort(list)
	}
	for at, name := range map[int]string{0: "least", rounds / 2: "median"} {
		p, a, o := plain[at], all[at], only[at]
		t.Logf("fetching and filing %d new items, CPU, %s: %.0f ms without, %.0f ms with %d rules (x%.2f), %.0f ms with index and rules (x%.2f)", feeds*each, name, p*1e3, o*1e3, ruleCount, o/p, a*1e3, a/p)
	}
}
