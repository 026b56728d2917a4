package opml

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseURLs(t *testing.T) {
	in := "\xef\xbb\xbf# my feeds\r\n" +
		"https://a.example/f news \"two words\" \"~The \\\"A\\\" \\\\ Feed\" # why\r\n" +
		"   https://b.example/#top \"~\" !hidden tag#1 news news\n" +
		"\"https://c.example/f?q=a b\" !work\n" +
		"\n\"query:Unread Articles:unread = \\\"yes\\\" and age between 0:7\" ignored\n" +
		"query:Empty\n" +
		"exec:~/bin/tides.sh \"~Tides\" sea\n" +
		"\"exec:curl -s x | jq .\"\n" +
		"\"filter:sed s/a/b/:https://d.example/f\" x\n" +
		"file:///home/ann/feed.xml\n" +
		"\"|cat /etc/passwd\"\n" +
		"ftp://e.example/f\nnonsense here\n" +
		"https://f.example/ \"open tag\n" +
		"#https://no.example/\n" +
		"\thttps://g.example/\ttab\tbed"
	l, err := ParseURLs([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	want := []Outline{
		{URL: "https://a.example/f", Title: `The "A" \ Feed`, Tags: []string{"news", "two words"}, Line: 2},
		{URL: "https://b.example/#top", Tags: []string{"tag#1", "news"}, Hidden: true, Line: 3},
		{URL: "https://c.example/f?q=a b", Tags: []string{"work"}, Hidden: true, Line: 4},
		{URL: "https://f.example/", Tags: []string{"open tag"}, Line: 15},
		{URL: "https://g.example/", Tags: []string{"tab", "bed"}, Line: 17},
	}
	if !slices.EqualFunc(l.Feeds, want, func(a, b Outline) bool {
		a.URL = strings.ReplaceAll(a.URL, "%20", " ")
		return reflect.DeepEqual(a, b)
	}) {
		t.Errorf("got %+v\nwant %+v", l.Feeds, want)
	}
	wantQueries := []Query{{"Unread Articles", `unread = "yes" and age between 0:7`, false, 6, false}, {"Empty", "", false, 7, false}}
	if !slices.Equal(l.Queries, wantQueries) {
		t.Errorf("queries %+v", l.Queries)
	}
	wantRefused := []Refused{
		{Line: 8, Text: "exec:~/bin/tides.sh", Why: whyCommand, Command: "~/bin/tides.sh", Title: "Tides", Tags: []string{"sea"}},
		{Line: 9, Text: "exec:curl -s x | jq .", Why: whyCommand, Command: "curl -s x | jq ."},
		{Line: 10, Text: "filter:sed s/a/b/:https://d.example/f", Why: whyFilter, Command: "sed s/a/b/", URL: "https://d.example/f", Tags: []string{"x"}},
		{Line: 11, Text: "file:///home/ann/feed.xml", Why: whyFile},
		{Line: 12, Text: "|cat /etc/passwd", Why: whyCommand, Command: "cat /etc/passwd"},
		{Line: 13, Text: "ftp://e.example/f", Why: whyAddress},
		{Line: 14, Text: "nonsense", Why: whyAddress, Tags: []string{"here"}},
	}
	for i := range wantRefused {
		if i >= len(l.Refused) || !reflect.DeepEqual(l.Refused[i], wantRefused[i]) {
			t.Errorf("refused %d: got %+v", i, l.Refused[min(i, len(l.Refused)-1)])
		}
	}
	if len(l.Problems) != 1 || l.Problems[0] != "line 15: a quote is not closed" {
		t.Errorf("problems %q", l.Problems)
	}
}

// TestBrokenLineIsSaidOnce: of a line that is not taken and ends within a quote too.
func TestBrokenLineIsSaidOnce(t *testing.T) {
	l, err := ParseURLs([]byte("https://a.example/f\n\"broken quote\n\"query:X:unread = \\\"yes\n"))
	if err != nil || !l.Cut || len(l.Problems) > 0 {
		t.Fatalf("%v, cut %v, problems %q", err, l.Cut, l.Problems)
	}
	if len(l.Refused) != 1 || l.Refused[0].Why != whyAddress+", and "+NotClosed {
		t.Errorf("refused %+v", l.Refused)
	}
	if len(l.Queries) != 1 || !l.Queries[0].Open {
		t.Errorf("queries %+v", l.Queries)
	}
}

// TestURLsRoundTrip: any tags and titles survive newsboat's grammar.
func TestURLsRoundTrip(t *testing.T) {
	word := rapid.StringMatching(`[a-zé日"\\#'~! ,:/]{0,8}[a-z"\\#]`)
	rapid.Check(t, func(t *rapid.T) {
		var l List
		for range rapid.IntRange(0, 4).Draw(t, "feeds") {
			f := Outline{URL: "https://a.example/" + rapid.StringMatching(`[a-z]{0,6}(\?[a-z=&]{1,4})?`).Draw(t, "path"), Title: line(word.Draw(t, "title")), Hidden: rapid.Bool().Draw(t, "hidden")}
			for range rapid.IntRange(0, 3).Draw(t, "tags") {
				tag := strings.TrimLeft(line(word.Draw(t, "tag")), "~! ")
				if tag != "" && !slices.Contains(f.Tags, tag) {
					f.Tags = append(f.Tags, tag)
				}
			}
			l.Feeds = append(l.Feeds, f)
		}
		for range rapid.IntRange(0, 2).Draw(t, "queries") {
			l.Queries = append(l.Queries, Query{Name: line(strings.ReplaceAll(word.Draw(t, "name"), ":", "")), Expr: line(word.Draw(t, "expr"))})
		}
		var b bytes.Buffer
		if err := WriteURLs(&b, l); err != nil {
			t.Fatal(err)
		}
		got, err := ParseURLs(b.Bytes())
		if err != nil || len(got.Problems) > 0 || len(got.Refused) > 0 {
			t.Fatalf("%v %q %v\n%s", err, got.Problems, got.Refused, b.Bytes())
		}
		for i := range got.Feeds {
			got.Feeds[i].Line = 0
		}
		for i := range got.Queries {
			got.Queries[i].Line = 0
		}
		if len(got.Feeds) != len(l.Feeds) || len(l.Feeds) > 0 && !reflect.DeepEqual(got.Feeds, l.Feeds) || !slices.Equal(got.Queries, l.Queries) {
			t.Fatalf("got %+v\nwant %+v\nfrom\n%s", got, l, b.Bytes())
		}
	})
}

func TestFoldersBecomeTags(t *testing.T) {
	var b bytes.Buffer
	l := List{Feeds: []Outline{{URL: "http://a.example/", Folder: "sea/far out", Tags: []string{"x"}}, {URL: "http://b.example/", Folder: "sea", Tags: []string{"x", "sea"}}}}
	if err := WriteURLs(&b, l); err != nil {
		t.Fatal(err)
	}
	if want := "http://a.example/ \"sea/far out\" x\nhttp://b.example/ x sea\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
