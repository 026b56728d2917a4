package main

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"golang.org/x/text/encoding/htmlindex"
)

// oracleFeed is what an independent parser made of a document.
type oracleFeed struct {
	Sha   string
	Link  string
	Items []oracleItem

	unnamed bool // the document does not say its charset
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

// compare holds what is printed of a document against the oracle, item by item.
func (m *meter) compare(d *document, doc *output, err error) {
	o, known := m.oracles[d.sha]
	if !known {
		m.parsed.doubtful["documents that the oracle was not asked about"]++
		return
	}
	if err != nil && strings.Contains(err.Error(), "format") {
		m.parsed.doubtful["said to be of a format that is not read"]++
		return
	}
	m.parsed.count(err == nil && (len(doc.Items) > 0 || len(o.Items) == 0) || len(o.Items) == 0, fmt.Sprintf("%s: %v", d.file, err))
	head := d.body[:min(len(d.body), 200)]
	o.unnamed = !bytes.HasPrefix(head, []byte("<?xml")) || !bytes.Contains(head, []byte("encoding"))
	used := make([]bool, len(doc.Items))
	seen := map[string]bool{}
	for i := range o.Items {
		want := &o.Items[i]
		rows := []*row{m.items}
		if d.publisher != "" {
			rows = append(rows, m.captured)
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
				r.doubtful[why]++
				continue
			}
			r.count(at >= 0, fmt.Sprintf("%s: %d: %q", d.file, i, want.Title))
		}
		seen[whole] = true
		if at >= 0 {
			used[at] = true
			m.known(d.file, &doc.Items[at], want, &o)
		}
	}
}

// match finds the item of the oracle among ours: by id, link, title, place.
func match(items []item, used []bool, want *oracleItem, place int) int {
	title := func(it *item) bool { return sameTitle(it.Title, want.Title) }
	for _, same := range []func(*item) bool{
		func(it *item) bool { return want.ID != "" && it.IDRaw == want.ID && title(it) },
		func(it *item) bool { return want.ID != "" && it.IDRaw == want.ID },
		func(it *item) bool { return want.Link != "" && sameAddress(it.Link, want.Link) && title(it) },
		func(it *item) bool { return want.Title != "" && title(it) },
		func(it *item) bool { return want.Link != "" && sameAddress(it.Link, want.Link) },
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

// known compares what an item is known by.
func (m *meter) known(file string, got *item, want *oracleItem, o *oracleFeed) {
	if r := m.titles; want.Title != "" {
		ok := sameTitle(got.Title, want.Title)
		if !ok && o.unnamed && sameBytes(got.Title, want.Title) {
			r.doubtful["both read the same bytes, of which nobody says what they are in, in different charsets"]++
		} else {
			r.count(ok, fmt.Sprintf("%s: %q, expected %q", file, got.Title, want.Title))
		}
	}
	if r := m.links; want.Link != "" {
		ok := sameAddress(got.Link, want.Link)
		if why := linkExcuse(want, o); !ok && why != "" {
			r.doubtful[why]++
		} else {
			r.count(ok, fmt.Sprintf("%s: %q, expected %q", file, got.Link, want.Link))
		}
	}
	if r := m.ids; want.ID != "" {
		ok := squeeze(want.ID) == squeeze(got.IDRaw)
		if !ok && madeAbsolute(got.IDRaw, want.ID) {
			r.doubtful["the oracle resolved an id like an address; ids are kept byte for byte"]++
		} else {
			r.count(ok, fmt.Sprintf("%s: %q, expected %q", file, got.IDRaw, want.ID))
		}
	}
	m.date(file, got, want)
}

// fallbacks are the charsets that parsers take where none is named.
var fallbacks = []string{"utf-8", "windows-1252", "windows-1250", "windows-1251", "windows-1257", "macintosh"}

// sameBytes reports whether a title in one of the fallbacks is as bytes what
// another is in one of them.
func sameBytes(got, want string) bool {
	for _, in := range fallbacks {
		enc, _ := htmlindex.Get(in)
		b, err := enc.NewEncoder().String(got)
		if err != nil {
			continue
		}
		for _, other := range fallbacks {
			enc, _ := htmlindex.Get(other)
			if read, err := enc.NewDecoder().String(b); other != in && err == nil && sameTitle(read, want) {
				return true
			}
		}
	}
	return false
}

// sameAddress compares addresses byte for byte, but for what must be escaped.
func sameAddress(got, want string) bool {
	if want = strings.TrimSpace(want); got == want {
		return true
	}
	a, err := url.Parse(got)
	if err != nil {
		return false
	}
	b, err := url.Parse(want)
	return err == nil && a.String() == b.String()
}

// isWeb reports whether an address is one that a browser opens.
func isWeb(address string) bool {
	u, err := url.Parse(strings.TrimSpace(address))
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// linkExcuse says why an expected link is none that a user could open.
func linkExcuse(want *oracleItem, o *oracleFeed) string {
	if !isWeb(want.Link) {
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
func (m *meter) date(file string, got *item, want *oracleItem) {
	at, mine := want.Pub, got.Published
	raw := want.PubRaw
	if at == nil && want.Upd == nil {
		if want.PubRaw+want.UpdRaw != "" {
			m.dates.doubtful["the oracle could not read the date"]++
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
	r := m.dates
	ok := mine.Unix() == *at
	if !ok {
		if clear, is := unambiguous(raw); is && clear.Equal(mine) {
			r.doubtful["the oracle misread a date that can be read in one way only"]++
			return
		}
	}
	r.count(ok, fmt.Sprintf("%s: %v, expected %v (%s|%s)", file, mine, time.Unix(*at, 0).UTC(), want.PubRaw, want.UpdRaw))
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
