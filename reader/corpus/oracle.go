package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"diurna/reader/feed"
	"diurna/reader/plain"
)

// oracleFeed is what an independent parser made of a document.
type oracleFeed struct {
	Sha   string
	Link  string
	Items []oracleItem
}

type oracleItem struct {
	Title, Link, ID string
	Pub, Upd        *int64
	PubRaw, UpdRaw  string
	Author          string
	SumLen          int
}

func (o *oracleItem) empty() bool {
	return o.Title+o.Link+o.ID+o.PubRaw+o.UpdRaw+o.Author == "" && o.SumLen == 0
}

// later is a time of fetch after all dates, so that none is moved to it.
var later = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// compare holds a feed against the oracle, item by item.
func (m *meter) compare(d *document) {
	doc, err := feed.Parse(feed.Input{Body: d.body, Now: later})
	o, known := m.oracles[d.sha]
	parsed := m.rows[rowParsed]
	if !known {
		parsed.LeftOut["documents that the oracle was not asked about"]++
		return
	}
	switch {
	case errors.Is(err, feed.ErrFormat):
		parsed.LeftOut["a format that is not read: "+strings.TrimPrefix(err.Error(), feed.ErrFormat.Error()+": ")]++
		return
	case len(o.Items) == 0 && err == nil:
		parsed.count(true, nil)
		return
	}
	m.charset = ""
	if head, _, _ := bytes.Cut(d.body, []byte("?>")); !bytes.HasPrefix(head, []byte("<?xml")) || !bytes.Contains(head, []byte("encoding")) {
		m.charset = doc.Charset
	}
	parsed.count(err == nil && len(doc.Items) > 0, func() string { return fmt.Sprintf("%s: %v", d.file, err) })
	used := make([]bool, len(doc.Items))
	seen := map[string]bool{}
	for i := range o.Items {
		want := &o.Items[i]
		rows := []*Row{m.rows[rowItems]}
		if d.publisher != "" {
			rows = append(rows, m.rows[rowReal])
		}
		whole := fmt.Sprint(want.Title, "|", want.Link, "|", want.ID, "|", want.PubRaw, "|", want.UpdRaw, "|", want.Author, "|", want.SumLen)
		why := ""
		switch {
		case seen[whole]:
			why = "the same item word for word once more"
		case want.empty() && len(o.Items) > 1:
			why = "an item with nothing in it"
		}
		at := -1
		if why == "" {
			at = match(doc.Items, used, want, i)
		}
		for _, r := range rows {
			if why != "" {
				r.LeftOut[why]++
				continue
			}
			r.count(at >= 0, func() string { return fmt.Sprintf("%s: %d: %q", d.file, i, want.Title) })
		}
		seen[whole] = true
		if at >= 0 {
			used[at] = true
			m.fields(d.file, &doc.Items[at], want, &o)
		}
	}
}

// match finds the item of the oracle among ours: by id, link, title, place.
func match(items []feed.Item, used []bool, want *oracleItem, place int) int {
	title := func(it *feed.Item) bool { return sameText(it.Title, want.Title) }
	for _, same := range []func(*feed.Item) bool{
		func(it *feed.Item) bool { return want.ID != "" && it.IDRaw == want.ID && title(it) },
		func(it *feed.Item) bool { return want.ID != "" && it.IDRaw == want.ID },
		func(it *feed.Item) bool { return want.Link != "" && it.Link == plain.Line(want.Link, 0) && title(it) },
		func(it *feed.Item) bool { return want.Title != "" && title(it) },
		func(it *feed.Item) bool { return want.Link != "" && it.Link == plain.Line(want.Link, 0) },
	} {
		if place < len(items) && !used[place] && same(&items[place]) {
			return place
		}
		for i := range items {
			if !used[i] && same(&items[i]) {
				return i
			}
		}
	}
	// Nothing it is known by agrees: the place has to do, and what differs is
	// counted as such.
	if place < len(items) && !used[place] {
		return place
	}
	return -1
}

// fields compares what an item is known by.
func (m *meter) fields(file string, got *feed.Item, want *oracleItem, o *oracleFeed) {
	if r := m.rows[rowTitle]; want.Title != "" {
		ok := sameText(got.Title, want.Title)
		if !ok && m.charset != "" && sameBytes(got.Title, m.charset, want.Title) {
			r.LeftOut["both read the same bytes, of which nobody says what they are in, in different charsets"]++
		} else {
			r.count(ok, func() string { return fmt.Sprintf("%s: %q, expected %q", file, got.Title, want.Title) })
		}
	}
	if r := m.rows[rowLink]; want.Link != "" {
		ok := got.Link == plain.Line(want.Link, 0)
		if why := linkExcuse(want, o); !ok && why != "" {
			r.LeftOut[why]++
		} else {
			r.count(ok, func() string { return fmt.Sprintf("%s: %q, expected %q", file, got.Link, want.Link) })
		}
	}
	if r := m.rows[rowID]; want.ID != "" {
		ok := strings.TrimSpace(want.ID) == got.IDRaw
		if !ok && madeAbsolute(got.IDRaw, want.ID) {
			r.LeftOut["the oracle resolved an id like an address; ids are kept byte for byte"]++
		} else {
			r.count(ok, func() string { return fmt.Sprintf("%s: %q, expected %q", file, got.IDRaw, want.ID) })
		}
	}
	m.date(file, got, want)
}

// sameBytes reports whether a title in one charset is as bytes what another is in
// one of those that parsers fall back on.
func sameBytes(got, in, want string) bool {
	enc, _ := plain.Encoding(in)
	b, err := enc.NewEncoder().Bytes([]byte(got))
	if err != nil {
		return false
	}
	for _, other := range []string{"windows-1252", "windows-1250", "windows-1251", "windows-1257", "mac"} {
		enc, _ := plain.Encoding(other)
		if read, err := enc.NewDecoder().String(string(b)); err == nil && sameText(plain.Line(read, 0), want) {
			return true
		}
	}
	return false
}

// linkExcuse says why an expected link is none that a person could open.
func linkExcuse(want *oracleItem, o *oracleFeed) string {
	if _, ok := plain.URL(want.Link); !ok {
		if want.Link == want.ID {
			return "the oracle gives an id that is no web address for the link"
		}
		return "the oracle's link is no web address"
	}
	n := 0
	for i := range o.Items {
		if o.Items[i].Link == want.Link {
			n++
		}
	}
	if n > 1 && n == len(o.Items) && o.Items[0].ID != o.Items[n-1].ID {
		return "the oracle resolved empty links: all items have one and the same"
	}
	return ""
}

// madeAbsolute reports whether want is the relative id got, resolved.
func madeAbsolute(got, want string) bool {
	return got != "" && !strings.Contains(got, ":") && strings.HasSuffix(want, strings.TrimPrefix(got, "/"))
}

// date compares when an item says it was published, else updated.
func (m *meter) date(file string, got *feed.Item, want *oracleItem) {
	at, mine := want.Pub, got.Published
	raw := want.PubRaw
	if at == nil && want.Upd == nil {
		if want.PubRaw+want.UpdRaw != "" {
			m.rows[rowDate].LeftOut["the oracle could not read the date"]++
		}
		return
	}
	if at == nil || mine.IsZero() {
		mine = got.Updated
	}
	if at == nil {
		at, raw = want.Upd, want.UpdRaw
		if mine.IsZero() {
			mine = got.Published
		}
	}
	r := m.rows[rowDate]
	ok := mine.Unix() == *at
	if !ok {
		if clear, is := unambiguous(raw); is && clear.Equal(mine) {
			r.LeftOut["the oracle misread a date that can be read in one way only"]++
			return
		}
	}
	r.count(ok, func() string {
		return fmt.Sprintf("%s: %v (%s|%s), expected %v (%s|%s)", file, mine, got.PublishedRaw, got.UpdatedRaw, time.Unix(*at, 0).UTC(), want.PubRaw, want.UpdRaw)
	})
}

// zoneName is a zone's abbreviation at the end of a date; package time takes
// those it does not know for UTC.
var zoneName = regexp.MustCompile(` (?:[ECMP][SD]T|GMT|UTC)$`)

var zoneOffset = map[string]string{"EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500", "MST": "-0700", "MDT": "-0600",
	"PST": "-0800", "PDT": "-0700", "GMT": "+0000", "UTC": "+0000"}

// unambiguous reads dates in forms in which year, month, day and clock have but
// one reading, with package time alone: the arbiter where the parsers differ.
func unambiguous(s string) (time.Time, bool) {
	s = strings.Join(strings.Fields(s), " ")
	s = zoneName.ReplaceAllStringFunc(s, func(z string) string { return " " + zoneOffset[z[1:]] })
	for _, layout := range []string{
		"2006/1/2 15:04:05", "2006/1/2 15:04", "2006-1-2 15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02T150405Z07:00",
		"Mon, Jan 2 2006 3:04:05 PM", "Mon, 2 Jan 2006 3:04 pm -0700", "Mon, 2 Jan 2006 3:04:05 PM -0700", "Mon, 2 Jan 2006 15:04:05 -0700",
		"January 2, 2006 3:04 PM", "January 2, 2006 15:04:05", "2 January 2006 15:04:05",
	} {
		if at, err := time.Parse(layout, s); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
