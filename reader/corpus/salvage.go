package corpus

import (
	"bytes"
	"fmt"

	"diurna/reader/feed"
)

// cuts are where a document is cut, in percent of its length; besides, it is cut
// by one byte, by ten, and in the middle of its last item.
var cuts = []int{99, 95, 90, 80, 70, 60, 50, 40, 30, 20, 10}

// cut cuts a document at many places: every item that was complete before the
// cut has to come back as it was in the whole document.
func (m *meter) cut(d *document) {
	r := m.rows[rowCut]
	end := map[string][]byte{"rss": []byte("</item>"), "rdf": []byte("</item>"), "atom": []byte("</entry>")}[d.format]
	full, err := feed.Parse(feed.Input{Body: d.body})
	n := len(full.Items)
	switch {
	case err != nil:
		return // counted as not parsed
	case end == nil:
		r.LeftOut["items of JSON Feeds, which have no end tags to count"] += n
		return
	case n < 2:
		r.LeftOut["items that stand alone in their documents"] += n
		return
	}
	// Items that are merged or commented out, and wide encodings, make the count
	// of end tags meaningless.
	if bytes.Count(d.body, end) != n {
		r.LeftOut["end tags and items of the whole document are not as many"] += n
		return
	}
	last := bytes.LastIndex(d.body, end)
	at := []int{len(d.body) - 1, len(d.body) - 10, last, last + 3}
	for _, percent := range cuts {
		at = append(at, len(d.body)*percent/100)
	}
	for _, at := range at {
		part := d.body[:min(max(at, 0), len(d.body))]
		got, _ := feed.Parse(feed.Input{Body: part})
		for i := range bytes.Count(part, end) {
			r.count(i < len(got.Items) && sameItem(&got.Items[i], &full.Items[i]), func() string {
				return fmt.Sprintf("%s: item %d, cut at byte %d", d.file, i, at)
			})
		}
	}
}

func sameItem(a, b *feed.Item) bool {
	return a.Title == b.Title && a.IDRaw == b.IDRaw && a.Link == b.Link && a.ContentHTML == b.ContentHTML && a.Published.Equal(b.Published)
}
