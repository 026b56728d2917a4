package feed

import (
	"testing"
	"time"
)

// dateTable maps dates as feeds write them to what they mean, "" if nothing.
var dateTable = map[string]string{
	"Δευ, 12 Μαι 2004 12:00:00 EST":         "2004-05-12T17:00:00Z",
	"Τετ, 12 Μαΐου 2004 12:00:00 EST":       "2004-05-12T17:00:00Z",
	"Δευ, 12 Μαώ 2004 12:00:00 EST":         "2004-03-12T17:00:00Z", // as a well-known parser spells March
	"Δευ, 12 Ιον 2004 12:00:00 EST":         "2004-06-12T17:00:00Z",
	"Δευ, 12 Ιολ 2004 12:00:00 EST":         "2004-07-12T17:00:00Z",
	"2004-máujus-13T9:15-05:00":             "2004-05-13T14:15:00Z",
	"Mon, 06 Sep 2021 12:34:56 GMT":         "2021-09-06T12:34:56Z",
	"Mon, 06 Sep 2021 12:34:56 +0200":       "2021-09-06T10:34:56Z",
	"Mon, 6 Sep 21 12:34 EST":               "2021-09-06T17:34:00Z",
	"6 Sep 2021 12:34:56 PDT":               "2021-09-06T19:34:56Z",
	"Mon,06 Sep 2021 12:34:56 CEST":         "2021-09-06T10:34:56Z",
	"Monday, 06 September 2021 12:34:56 Z":  "2021-09-06T12:34:56Z",
	"Mon, Sep 6 2021 02:03:04 PM":           "2021-09-06T14:03:04Z",
	"Sept 6, 2021 12:04 am":                 "2021-09-06T00:04:00Z",
	"Mon Sep  6 12:34:56 2021":              "2021-09-06T12:34:56Z",
	"Mon Sep  6 12:34:56 CET 2021":          "2021-09-06T11:34:56Z",
	"Mon, 06 Sep 2021":                      "2021-09-06T00:00:00Z",
	"06-Sep-2021 12:34:56":                  "2021-09-06T12:34:56Z",
	"06/Sep/2021:12:34:56 +0000":            "2021-09-06T12:34:56Z",
	"Mon, 06 Sep 2021 12:34:56 GMT+1":       "2021-09-06T11:34:56Z",
	"Mon, 06 Sep 2021 12:34:56 (PST)":       "2021-09-06T20:34:56Z",
	"Mon, 06 Sep 2021 12:34:56 -0700 (PST)": "2021-09-06T19:34:56Z",
	"Mon, 06 Sep 2021 12:34:56.789 +0000":   "2021-09-06T12:34:56Z",
	"2021-09-06T12:34:56Z":                  "2021-09-06T12:34:56Z",
	"2021-09-06T12:34:56.123456+02:00":      "2021-09-06T10:34:56.123456Z",
	"2021-09-06t12:34:56z":                  "2021-09-06T12:34:56Z",
	"2021-09-06T12:34+0530":                 "2021-09-06T07:04:00Z",
	"2021-09-06 12:34:56 -07:00":            "2021-09-06T19:34:56Z",
	"2021-09-06 12:34:56 UTC":               "2021-09-06T12:34:56Z",
	"2021-09-06 12:34:56 EST":               "2021-09-06T17:34:56Z",
	"2021-09-06":                            "2021-09-06T00:00:00Z",
	"2021-09":                               "2021-09-01T00:00:00Z",
	"2021":                                  "2021-01-01T00:00:00Z",
	"2021-249":                              "2021-09-06T00:00:00Z",
	"20210906":                              "2021-09-06T00:00:00Z",
	"20210906T123456Z":                      "2021-09-06T12:34:56Z",
	"2021/09/06 12:34:56":                   "2021-09-06T12:34:56Z",
	"2021.09.06 12:34":                      "2021-09-06T12:34:00Z",
	"9/6/2021 2:03:04 PM":                   "2021-09-06T14:03:04Z",
	"25/12/2021":                            "2021-12-25T00:00:00Z",
	"06.09.2021 12:34":                      "2021-09-06T12:34:00Z",
	"lun, 06 sept 2021 12:34:56 +0200":      "2021-09-06T10:34:56Z",
	"Mo, 06 Dez 2021 12:34:56 MEZ":          "2021-12-06T11:34:56Z",
	"6 août 2021":                           "2021-08-06T00:00:00Z",
	"Пн, 06 сен 2021 12:34:56 +0300":        "2021-09-06T09:34:56Z",
	"6 février 2021 08:00":                  "2021-02-06T08:00:00Z",
	"2021-09-06 오후 2:03:04":                 "2021-09-06T14:03:04Z",
	"2021年9月6日 12:34":                       "2021-09-06T12:34:00Z",
	"2021-06-31T25:10:00Z":                  "2021-07-02T01:10:00Z",
	"Thu, 01 Jan 1970 00:00:00 +0000":       "1970-01-01T00:00:00Z",
	"Sun, 31 Dec 1899 23:59:60 GMT":         "1900-01-01T00:00:00Z",
	"21-249":                                "2021-09-06T00:00:00Z",
	"2021249":                               "2021-09-06T00:00:00Z",
	"21249":                                 "2021-09-06T00:00:00Z",
	"21-09-06T12:34Z":                       "2021-09-06T12:34:00Z",
	"210906":                                "2021-09-06T00:00:00Z",
	"210906T1234Z":                          "2021-09-06T12:34:00Z",
	"2021-W36":                              "2021-09-06T00:00:00Z",
	"2021-W36-7T12:34:56+02:00":             "2021-09-12T10:34:56Z",
	"2021W362":                              "2021-09-07T00:00:00Z",
	"2020-W53-7":                            "2021-01-03T00:00:00Z",
	"2009-W01-1":                            "2008-12-29T00:00:00Z",
	"2021-W54":                              "",
	"2021-09-06T24:00:00Z":                  "2021-09-07T00:00:00Z",
	"2021-09-06T10:14:55\u221205:00":        "2021-09-06T15:14:55Z",
	"1630931696":                            "2021-09-06T12:34:56Z",
	"1630931696789":                         "2021-09-06T12:34:56Z",
	"Mon, 06 Sep 121 12:34:56 GMT":          "2021-09-06T12:34:56Z",
	"Mon, 06 Sep 2021 2:34 p.m. EST":        "2021-09-06T19:34:00Z",
	"Δευ, 06 Σεπ 2021 12:34:56 EET":         "2021-09-06T10:34:56Z",
	"2021-szeptember-6T9:15+02:00":          "2021-09-06T07:15:00Z",
	"2021년 9월 6일 12:34":                     "2021-09-06T12:34:00Z",
	"Mon, 30 Nov -0001 00:00:00 +0000":      "",
	"Mon, 01 Jan 0001 00:00:00 GMT":         "",
	"0000-00-00 00:00:00":                   "",
	"":                                      "",
	"yesterday":                             "",
	"never":                                 "",
	"12":                                    "",
	"12:34":                                 "",
	"99999999999999":                        "",
	"Foo, 99 Bar 2021":                      "",
	"2021-13-45":                            "",
}

func TestParseDate(t *testing.T) {
	for in, want := range dateTable {
		at, _, ok := ParseDate(in)
		got := ""
		if ok {
			got = at.UTC().Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("ParseDate(%q) = %q, want %q", in, got, want)
		}
	}
}

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
		"1 date without a zone, read as UTC":                                   true,
		"2 dates could not be read":                                            true,
		"1 date lies in the future, the time of the fetch stands in its place": true,
	}
	for _, s := range doc.Problems {
		delete(want, s)
	}
	if len(want) > 0 {
		t.Errorf("problems %q lack %v", doc.Problems, want)
	}
}

func FuzzDate(f *testing.F) {
	for _, s := range []string{"Mon, 06 Sep 2021 12:34:56 GMT", "2021-09-06T12:34:56.1+02:00", "9/6/21 2:03 PM", "2021年9月6日", "12:34:56.789.1 + 2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at, _, ok := ParseDate(s)
		if ok && (at.Year() < 0 || at.Year() > 10000) {
			t.Fatalf("ParseDate(%q) = %v", s, at)
		}
		if ok {
			again, zoned, ok := ParseDate(at.Format(time.RFC3339Nano))
			if at.Year() <= 9999 && (!ok || !zoned || !again.Equal(at)) {
				t.Fatalf("ParseDate(%q) = %v, read again %v", s, at, again)
			}
		}
	})
}
