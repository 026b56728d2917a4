package page

import (
	"testing"
)

// FuzzCompare throws anything at the whole comparison, with rules and history.
func FuzzCompare(f *testing.F) {
	f.Add([]byte("<h1>A</h1><p>b 1 €</p>"), []byte("<h1>A</h1><p>b 2 €</p>"), "p")
	f.Add([]byte("<table><tr><td>07:10<td>x"), []byte("<table><tr><td>07:20<td>x"), "tr > td")
	f.Add([]byte("<nav>x</nav><form><input name=a></form>"), []byte("<time>1</time><pre>a\nb</pre>"), "")
	f.Fuzz(func(t *testing.T, a, b []byte, sel string) {
		o := Options{Keywords: []string{"b"}}
		if sel != "" {
			o.Ignore = []string{sel}
		}
		m, err := Memory{}.After(a, o)
		if err != nil {
			return // the selector does not parse
		}
		o.Memory = &m
		d, err := Compare(a, b, o)
		if err != nil {
			t.Fatal(err)
		}
		verify(t, a, b, d.Ops)
		words := 0
		for _, h := range d.Hunks {
			if len(h.Rows) == 0 {
				t.Fatal("a hunk without rows")
			}
			for _, r := range h.Rows {
				words += r.Words.Added + r.Words.Deleted
				if r.Kind == Same && len(d.Unchanged(r)) < 1 {
					t.Fatalf("a folded row without text: %+v", r)
				}
			}
		}
		if words != d.Words.Added+d.Words.Deleted {
			t.Fatalf("rows count %d changed words, the diff %+v", words, d.Words)
		}
		_, _ = d.Unified(2, true), d.Why()
		if same, _ := Compare(a, a, Options{}); same.Class != None || same.Score != 0 {
			t.Fatalf("a page differs from itself: %s %v", same.Class, same.Terms)
		}
	})
}
