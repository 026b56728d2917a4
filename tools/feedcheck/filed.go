package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// cuts are where a document is cut, in percent of its length.
var cuts = []int{95, 75, 50, 25}

// cuts cuts a document: every item that was complete before the cut has to be
// printed as it is of the whole document.
func (m *meter) cuts(ctx context.Context, d *document, full *output) {
	end := map[string][]byte{"rss": []byte("</item>"), "rdf": []byte("</item>"), "atom": []byte("</entry>")}[d.format]
	n := len(full.Items)
	why := ""
	switch {
	case end == nil:
		why = "items of JSON Feeds, which have no end tags to count"
	case n < 2:
		why = "items that stand alone in their documents"
	case bytes.Count(d.body, end) != n: // merged, commented out, or in a wide encoding
		why = "end tags and items of the whole document are not as many"
	}
	if why != "" {
		m.count(func() { m.cut.absent[why] += n })
		return
	}
	for _, percent := range cuts {
		at := len(d.body) * percent / 100
		whole := bytes.Count(d.body[:at], end)
		if whole == 0 {
			continue
		}
		got, err := m.read(ctx, d.body[:at], "http://feed.example/", "")
		m.failed(d.file, err)
		m.count(func() {
			same := alike(got.Items, full.Items)
			for i := range whole {
				m.cut.count(i < same, fmt.Sprintf("%s: item %d, cut at byte %d", d.file, i, at))
			}
		})
	}
}

// alike is how many of the items are also among the others: they are printed in the
// order of their dates.
func alike(items, others []item) (n int) {
	have := map[string]int{}
	key := func(it *item) string { return it.Title + "\n" + it.IDRaw + "\n" + it.Link + "\n" + it.HTML }
	for i := range others {
		have[key(&others[i])]++
	}
	for i := range items {
		if k := key(&items[i]); have[k] > 0 {
			have[k]--
			n++
		}
	}
	return n
}

// file files every tenth document in a library of its own: it has to hold what
// preview prints.
func (m *meter) file(ctx context.Context, d *document, o *output, no int) {
	if no%10 != 0 || len(o.Items) == 0 {
		return
	}
	library := fmt.Sprint("filed", no)
	defer os.RemoveAll(filepath.Join(m.program.dir, library))
	_, err := m.program.run(ctx, library, d.body, "take", "Feed")
	m.failed(d.file, err)
	b, err := m.program.run(ctx, library, nil, "items", "--json")
	m.failed(d.file, err)
	key := func(it *item) string { // relative addresses have no base there
		if strings.HasPrefix(it.Link, "http://feed.example/") || !strings.Contains(it.Link, "://") {
			it.Link = ""
		}
		return it.Title + "\n" + it.Link + "\n" + it.Author
	}
	got := map[string]int{}
	n := 0
	for dec := json.NewDecoder(bytes.NewReader(b)); dec.More(); n++ {
		var it item
		if dec.Decode(&it) != nil {
			break
		}
		got[key(&it)]++
	}
	missing := 0
	for i := range o.Items {
		it := o.Items[i]
		k := key(&it)
		if got[k]--; got[k] < 0 {
			missing++
		}
	}
	m.count(func() {
		m.filed.count(missing == 0 && n == len(o.Items), fmt.Sprintf("%s: %d items, filed %d, %d of them otherwise (%v)", d.file, len(o.Items), n, missing, err))
	})
}
