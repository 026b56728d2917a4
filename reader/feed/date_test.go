package feed

import (
	"fmt"
	"testing"
	"time"
)

func TestDatesOfItems(t *testing.T) {
	now := time.Date(2021, 9, 6, 0, 0, 0, 0, time.UTC)
	doc, err := Parse(Input{Now: now, Body: rss(
		item("<pubDate>Mon, 06 Sep 2032 12:00:00 GMT</pubDate>") +
			item("<pubDate>rubbish</pubDate><dc:date>2020-01-02</dc:date><link>a</link>") +
			item("<dc:date>2020-01-02T00:00:00Z</dc:date><pubDate>Fri, 03 Jan 2020 00:00:00 GMT</pubDate><link>b</link>") +
			item("<pubDate>whenever</pubDate><link>c</link>"))})
	if err != nil || len(doc.Items) != 4 {
		t.Fatalf("%+v, %v", doc.Items, err)
	}
	if it := doc.Items[0]; !it.Published.Equal(now) || it.PublishedRaw != "Mon, 06 Sep 2032 12:00:00 GMT" {
		t.Errorf("a date in the future: %v, %q", it.Published, it.PublishedRaw)
	}
	if got := doc.Items[1].Published; got.Day() != 2 {
		t.Errorf("a readable date behind an unreadable one: %v", got)
	}
	if got := doc.Items[2].Published; got.Day() != 3 {
		t.Errorf("the better of two dates: %v", got)
	}
	if it := doc.Items[3]; !it.Published.IsZero() || it.PublishedRaw != "whenever" {
		t.Errorf("an unreadable date: %v, %q", it.Published, it.PublishedRaw)
	}
	want := map[string]bool{
		"1 date without a zone, read as UTC":                             true,
		"2 dates could not be read":                                      true,
		"1 date is in the future; the time of the fetch is used instead": true,
	}
	for _, s := range doc.Problems {
		delete(want, s)
	}
	if len(want) > 0 {
		t.Errorf("problems %q lack %v", doc.Problems, want)
	}
}

// TestDateRanks: of the dates of an item the one stands that says best when it was
// published, wherever it stands, and none that says when it was changed.
func TestDateRanks(t *testing.T) {
	names := []string{"updated", "dc:date", "dcterms:created", "dcterms:issued", "pubDate"} // the best last
	date := func(name string, day int) string {
		return fmt.Sprintf("<%s>2020-01-%02dT00:00:00Z</%s>", name, day, name)
	}
	for i, better := range names {
		for _, worse := range names[:i] {
			doc, err := Parse(Input{Now: time.Date(2021, 9, 6, 0, 0, 0, 0, time.UTC), Body: rss(
				item(date(better, 2)+date(worse, 3)) + item(date(worse, 3)+date(better, 2)+"<link>b</link>"))})
			if err != nil || len(doc.Items) != 2 {
				t.Fatalf("%+v, %v", doc.Items, err)
			}
			for k := range doc.Items {
				if got := doc.Items[k].Published; got.Day() != 2 {
					t.Errorf("%s and %s, item %d: %v", better, worse, k, got)
				}
			}
		}
	}
}
