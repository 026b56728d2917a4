//go:build linux || darwin

package stories

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"diurna/ranking/topics"
	"diurna/store"
)

// BenchmarkStories groups a day of 1,800 items and compares that with taking the same texts
// apart.
func BenchmarkStories(b *testing.B) {
	l := readLabelled(b, "tune.txt")
	var items []Item
	for i := range 1800 { // words of four weeks in a library of 50,000, each text another
		it := l.items[i%len(l.items)]
		o := l.items[(i*7+i/len(l.items)*101+13)%len(l.items)]
		it.ID = store.MakeItemID(store.FeedID(1+i%300), uint32(1+i/300))
		it.Link = fmt.Sprintf("https://e.example/%d", i)
		if i >= len(l.items) { // another item in each round
			it.Title = o.Title
		}
		it.At += int64(i/len(l.items)) * 20 * daySeconds
		it.Text += " " + o.Text
		items = append(items, it)
	}
	cpu := func() time.Duration {
		var ru syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
			b.Fatal(err)
		}
		return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
	}
	var cut, all time.Duration
	for b.Loop() {
		at := cpu()
		for i := range items {
			topics.Words(items[i].Title + "\n" + items[i].Text[:min(len(items[i].Text), TextBytes)])
		}
		cut += cpu() - at
		at = cpu()
		group(b, items)
		all += cpu() - at
	}
	b.ReportMetric(float64(all)/float64(cut), "x-tokenising")
	b.ReportMetric(float64(all.Microseconds())/float64(b.N*len(items)), "µs/item")
}
