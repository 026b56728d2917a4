package feed

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"
	"golang.org/x/net/html"

	"diurna/store/storetest"
)

// cost is what a call takes: processor time and bytes allocated.
func cost(t *testing.T, f func()) (took time.Duration, mb uint64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := cpuTime(t)
	f()
	took = cpuTime(t) - start
	runtime.ReadMemStats(&after)
	return took, (after.TotalAlloc - before.TotalAlloc) >> 20
}

// TestDefencesLifted reads hostile documents without what stands before them: our
// own parser where a limit is what keeps it safe (P1, P3, I4). At P2, P4 and P6 no
// limit is: it keeps no stack, looks at nothing twice and builds no tree, and would
// read those documents in time without one; what that is worth is seen in a parser
// that does. Small ones are enough to go over the
// budget that TestHostile grants the large ones, or to see that time grows faster
// than the length. Rows P1 to P4, P6 and I4.
func TestDefencesLifted(t *testing.T) {
	if slower > 1 {
		t.Skip("costs are measured without the race detector")
	}
	bare := func(doc []byte) { _, _ = gofeed.NewParser().Parse(bytes.NewReader(doc)) }
	t.Run("P1", func(t *testing.T) {
		// The bomb, expanded as XML would have it, one step at a time.
		p := parser{}
		p.Declare([]byte(`<!ENTITY a "` + r("ha", 10) + `"><!ENTITY b "` + r("&amp;a;", 100) + `"><!ENTITY c "` + r("&amp;b;", 100) + `"><!ENTITY d "` + r("&amp;c;", 100) + `">`))
		text, _ := p.Decoded([]byte("&d;"), false)
		once := len(text)
		for range 3 {
			text, _ = p.Decoded([]byte(text), false)
		}
		if len(text) < 20_000_000 || once > 1024 {
			t.Errorf("expanded in one another: %d bytes; once: %d", len(text), once)
		}
		// An entity that a file was read into stands in the item.
		p = parser{maxItems: MaxItems}
		p.Declare([]byte(`<!ENTITY x "root:0:0">`))
		if err := p.xml(rss("<item><title>&x;</title></item>")); err != nil || p.doc.Items[0].Title != "root:0:0" {
			t.Errorf("%+v, %v", p.doc.Items, err)
		}
	})
	t.Run("P2", func(t *testing.T) {
		long(t)
		if took, mb := cost(t, func() { bare(rss(item(lines(300_000, `<a xmlns:n%d="u">`)))) }); took < 2*time.Second && mb < 150 {
			t.Errorf("300,000 elements in one another: %v, %d MB", took, mb)
		}
	})
	t.Run("P3", func(t *testing.T) {
		long(t)
		many := rss(r(item(""), 400_000))
		ours := func(limit int) func() {
			return func() {
				p := parser{maxItems: limit, scanOnly: limit > MaxItems}
				if err := p.xml(many); err != nil || len(p.doc.Items) != min(limit, 400_000) {
					t.Errorf("%d items, %v", len(p.doc.Items), err)
				}
				p.finish()
			}
		}
		_, with := cost(t, ours(MaxItems))
		if _, mb := cost(t, ours(1<<30)); mb < 150 || with > 15 {
			t.Errorf("400,000 items: %d MB, of which %d are kept: %d MB", mb, MaxItems, with)
		}
		if took, mb := cost(t, func() { bare(rss(r(item(""), 60_000))) }); took < 2*time.Second && mb < 150 {
			t.Errorf("60,000 items: %v, %d MB", took, mb)
		}
	})
	t.Run("P4", func(t *testing.T) {
		long(t)
		if took, mb := cost(t, func() { bare(rss(item("<pubDate>" + r("1", 5<<20) + "</pubDate>"))) }); took < 2*time.Second && mb < 150 {
			t.Errorf("a date of 5 MB: %v, %d MB", took, mb)
		}
	})
	t.Run("P6", func(t *testing.T) {
		long(t)
		// Eight times the length takes a builder of trees far more than that.
		parse := func(n int) func() {
			doc := lines(n, "<font color=%d>x<p>")
			return func() {
				for range 20 {
					_, _ = html.Parse(strings.NewReader(doc))
				}
			}
		}
		small, _ := cost(t, parse(50))
		if took, _ := cost(t, parse(400)); took < 16*small {
			t.Errorf("a tree of 8 times the length: %v and then %v", small, took)
		}
	})
	t.Run("I4", func(t *testing.T) {
		doc := rss(item("<pubDate>Fri, 31 Dec 9999 00:00:00 GMT</pubDate>"))
		for _, now := range []time.Time{{}, time.Unix(1_700_000_000, 0)} {
			d, err := Parse(Input{Body: doc, Now: now})
			if err != nil || (d.Items[0].Published.Year() == 9999) != now.IsZero() {
				t.Errorf("at %v: %v, %v", now, d.Items, err)
			}
		}
	})
}

// long skips a cost that only shows that TestHostile could fail.
func long(t *testing.T) {
	t.Helper()
	if storetest.Size(0, 1) == 0 {
		t.Skip("a second of gofeed alone: run with -tags soak")
	}
}
