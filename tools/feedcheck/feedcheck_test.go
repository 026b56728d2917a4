package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A collection of documents and a reader that reads all of them right: with it every
// rate is 100, and with what it gives spoilt the measure falls.
func TestMutantsFall(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	manifest, oracle, expected := "file\tformat\tsha256\tpublisher\n", "", ""
	answers := map[string]output{}
	for i := range 20 {
		title := fmt.Sprintf("Straße %d", i)
		if i%2 == 0 {
			title = fmt.Sprintf("Street %d", i)
		}
		body := fmt.Sprintf("document %d", i)
		write(fmt.Sprint(i, ".xml"), body)
		manifest += fmt.Sprintf("%d.xml\trss\tsha%d\tx\n", i, i)
		oracle += fmt.Sprintf(`{"sha":"sha%d","items":[{"title":%q,"link":"http://a.example/%d","id":"i%d"}]}`+"\n", i, title, i, i)
		expected += fmt.Sprintf(`{"file":"%d.xml","kind":"feedparser-eval","path":"sanitize/x","expected":"not bozo and entries[0].summary == '<b>%s</b>'"}`+"\n", i, title)
		answers[body] = output{Items: []item{{Title: title, Link: fmt.Sprintf("http://a.example/%d", i), IDRaw: fmt.Sprintf("i%d", i), HTML: "<b >" + title + "</b>"}}}
	}
	expected += `{"file":"0.xml","kind":"feedparser-eval","path":"x","expected":"feed.rights == 'x'"}` + "\n" + `{"file":"0.xml","kind":"feedvalidator","path":"x","expected":"valid"}` + "\n" + `{"file":"0.xml","kind":"unheard-of","path":"x","expected":"x"}` + "\n"
	write("manifest.tsv", manifest)
	write("oracle.jsonl", oracle)
	write("expected.jsonl", expected)
	rates := map[string]*meter{}
	for _, mutant := range []string{"", "markup", "ascii"} {
		m := newMeter(program{path: filepath.Join(dir, "none"), dir: t.TempDir()})
		m.read = func(_ context.Context, doc []byte, _, _ string) (output, error) {
			o := answers[string(doc)]
			o.Items = append([]item(nil), o.Items...)
			if change := mutants[mutant]; change != nil {
				o.each(change)
			}
			return o, nil
		}
		if err := m.measure(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		rates[mutant] = m
	}
	right := rates[""]
	for _, r := range []*row{right.parsed, right.captured, right.titles, right.links, right.ids, right.python} {
		if r.of != 20 || r.ok != 20 || !r.reached() {
			t.Errorf("%s: %d of %d: %s", r.name, r.ok, r.of, strings.Join(r.misses, "; "))
		}
	}
	if total(right.python.absent) != 1 || total(right.verdicts.absent) != 1 || total(right.other.absent) != 1 {
		t.Errorf("not counted: %v, %v, %v", right.python.absent, right.verdicts.absent, right.other.absent)
	}
	for _, spoilt := range []*row{rates["markup"].python, rates["ascii"].python, rates["ascii"].titles} {
		if spoilt.percent() > 95 || spoilt.of != 20 {
			t.Errorf("a mutant has %s %.1f %% of %d", spoilt.name, spoilt.percent(), spoilt.of)
		}
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		got, want string
		kind      int
		same      bool
	}{
		{"a < b", "a &lt; b", asTitle, true},
		{"Bold title", "<b>Bold</b> title", asTitle, true},
		{"Strae", "Straße", asTitle, false},
		{`<a href="x" class="y">t</a>`, `<A class='y' href=x>t</a>`, asMarkup, true},
		{"t", "<b>t</b>", asMarkup, false},
		{"<b>t</b>", "t", asMarkup, false},
		{"a &lt; b", "a < b", asMarkup, true},
		{"<p>t</p>", "<p>t</p><script>x</script>", asMarkup, false},
	} {
		if (text{c.got, c.kind}).means(c.want) != c.same {
			t.Errorf("%q, expected %q: %v", c.got, c.want, !c.same)
		}
	}
}

// At most a tenth of what could be compared may be doubtful; what is not printed is
// counted apart.
func TestReached(t *testing.T) {
	r := newRow("r", 90)
	r.of, r.ok = 90, 90
	r.doubtful["x"], r.absent["y"] = 10, 1000
	if !r.reached() {
		t.Error("a tenth is too much")
	}
	if r.doubtful["x"] = 11; r.reached() {
		t.Error("more than a tenth is not")
	}
}

// Every kind of assertion is compared: with an answer that is right it agrees, with
// one that is not it does not, and what is not printed is counted apart.
func TestOtherKinds(t *testing.T) {
	o := output{Items: []item{{Title: "T", Link: "http://a.example/1", Author: "Ann", Categories: []string{"c"}, HTML: "<p>x</p>"}}}
	o.Feed.Title = "F"
	for _, c := range []struct {
		kind, path, expected string
		ok, of, absent       int
	}{
		{"miniflux-go", "x", `!(err != nil) && !(feed.Title != "F") && !(len(feed.Entries) != 1) && !(feed.Entries[0].URL != ` + "`http://a.example/1`" + `) && !(feed.Entries[0].Author != "Bob") && !(feed.SiteURL != "x")`, 3, 4, 1},
		{"miniflux-go", "x", "!(err != nil)", 1, 1, 0},
		{"simplepie-php", "ItemTest.php", "test_get_title: 'T',", 1, 1, 0},
		{"simplepie-php", "ItemTest.php", "test_get_title: // why\n  'S',", 0, 1, 0},
		{"simplepie-php", "SimplePieTest.php", "test_get_title: 'F',", 1, 1, 0},
		{"simplepie-php", "ItemTest.php", "test_get_date: null,", 1, 1, 0},
		{"simplepie-php", "ItemTest.php", "test_get_latitude: 1.5,", 0, 0, 1},
		{"feedvalidator", "x", "!Error", 1, 1, 0},
		{"feedvalidator", "x", "SecurityRisk{tag:p}", 0, 1, 0},
		{"feedvalidator", "x", "ValidRFC2822Date{parent:item,element:pubDate}", 0, 1, 0},
		{"feedvalidator", "x", "InvalidTAG{element:id}", 0, 0, 1},
		{"gofeed-json", "x", `{"title":"F","entries":[{"title":"T","links":[{"href":"http://a.example/1"}],"authors":[{"name":"Bob"}],"categories":[{"term":"c"}]}]}`, 4, 5, 0},
	} {
		m := newMeter(program{})
		m.read = func(context.Context, []byte, string, string) (output, error) { return o, nil }
		m.assertion(t.Context(), &assertion{File: "rss/x.xml", Kind: c.kind, Path: c.path, Expected: c.expected}, []byte("<rss/>"))
		ok, of, absent := 0, 0, 0
		for _, r := range m.rows() {
			ok, of, absent = ok+r.ok, of+r.of, absent+total(r.absent)
		}
		if ok != c.ok || of != c.of || absent != c.absent {
			t.Errorf("%s: %d of %d, %d absent; want %d of %d, %d", c.expected, ok, of, absent, c.ok, c.of, c.absent)
		}
	}
}

// Feeds by listparser's names: categories are paths, tags those of one part.
func TestSubscriptionsByName(t *testing.T) {
	all := subscriptions{list{subscription{URL: "http://a.example/f", Title: "a.example", Folder: "x/y", Tags: []string{"z"}}}}
	for expr, want := range map[string]bool{
		"len(result['feeds']) == 1":                               true,
		"result['feeds'][0]['title'] == ''":                       true,
		"result['feeds'][0]['categories'] == [['x', 'y'], ['z']]": true,
		"['x'] in result['feeds'][0]['categories']":               false,
		"result['feeds'][0]['tags'] == ['z']":                     true,
		"result['feeds'][1]['url'] == ''":                         false,
	} {
		ok, err := holds(expr, func(string) (any, error) { return all, nil })
		if ok != want || err != nil {
			t.Errorf("%s: %v, %v", expr, ok, err)
		}
	}
}
