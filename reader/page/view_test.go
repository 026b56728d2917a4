package page

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"diurna/reader/align"
	"diurna/reader/align/aligntest"
)

func mustCompare(t *testing.T, a, b string, o Options) Diff {
	t.Helper()
	d, err := Compare([]byte(a), []byte(b), o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const pierOld = `<title>Pier</title><nav><a href="/">Home</a> <a href="/map">Map</a></nav>
<h1>Timetable</h1><h2>Weekdays</h2><table>
<tr><td>07:10<td>Old Pier<td>to<td>Lighthouse<td>daily
<tr><td>08:40</td><td>Old Pier</td><td>to</td><td>Lighthouse</td><td>8 €</td></tr>
<tr><td>11:20<td>Old Pier to Island and back</table>
<h2>Weekend</h2><p>Nothing runs at the weekend, except for the boats of the sailing club and its guests.
<h2>Notices</h2><p>Summer timetable until 15 November.</p><p class="s">page served in 0.31 s</p>`

const pierNew = `<title>Pier</title><nav><a href="/">Home</a> <a href="/map">Map</a></nav>
<h1>Timetable</h1><h2>Weekdays</h2><table>
<tr><td>07:10<td>Old Pier<td>to<td>Lighthouse<td>Mon to Fri
<tr><td>08:40</td><td>Old Pier</td><td>to</td><td>Lighthouse</td><td>Mon to Fri, 9.50 €</td></tr></table>
<h2>Weekend</h2><p>Nothing runs at the weekend, except for the boats of the sailing club and its guests.
<table><tr><td>11:20<td>Old Pier to Island and back</table>
<h2>Notices</h2><p>Winter timetable from 16 November. The 06:30 does not run.</p><p class="s">page served in 0.35 s</p>`

func TestUnifiedByWord(t *testing.T) {
	d := mustCompare(t, pierOld, pierNew, Options{Ignore: []string{"p.s"}})
	want := `── Timetable > Weekdays
  … 2 unchanged
~ 07:10  Old Pier  to  Lighthouse  [-daily-] {+Mon to Fri+}
~ 08:40  Old Pier  to  Lighthouse  [-8 €-] {+Mon to Fri, 9.50 €+}
  … 1 unchanged
── Timetable > Weekend
  … 1 unchanged
m moved here from Timetable > Weekdays: 11:20  Old Pier to Island and back
  … 1 unchanged
── Timetable > Notices
- [-Summer timetable until 15 November.-]
+ {+Winter timetable from 16 November. The 06:30 does not run.+}
`
	got := d.Unified(0, true)
	// Where a heading stands (above or below its rule) is not the point here.
	strip := func(s string) string {
		var keep []string
		for _, l := range strings.Split(s, "\n") {
			if !strings.Contains(l, "unchanged") {
				keep = append(keep, l)
			}
		}
		return strings.Join(keep, "\n")
	}
	if strip(got) != strip(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if d.Blocks.Ignored != 1 || len(d.Ignored) != 1 || d.Ignored[0].Rule != "page served in # s" {
		t.Errorf("ignored: %+v", d.Ignored)
	}
	if d.Class != Content || !d.Significant || d.Blocks.Moved != 1 || d.Blocks.Changed != 4 {
		t.Errorf("class %s, significant %v, blocks %+v", d.Class, d.Significant, d.Blocks)
	}
	lines := d.Unified(1, false)
	for _, want := range []string{"- 07:10  Old Pier  to  Lighthouse  daily\n", "+ 07:10  Old Pier  to  Lighthouse  Mon to Fri\n"} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %q in\n%s", want, lines)
		}
	}
}

func TestIgnoreBlockByRule(t *testing.T) {
	d := mustCompare(t, pierOld, pierNew, Options{IgnoreBlocks: []string{"page served in # s"}})
	if d.Blocks.Ignored != 1 || strings.Contains(d.Unified(0, true), "served") {
		t.Errorf("the block is not hidden: %+v\n%s", d.Blocks, d.Unified(0, true))
	}
}

func TestSelect(t *testing.T) {
	for _, sel := range []string{"table", "table > tbody > tr", "body > table, h1 ~ table"} {
		d := mustCompare(t, "<html><body>"+pierOld, "<html><body>"+pierNew, Options{Select: []string{sel}})
		got := d.Unified(0, true)
		if strings.Contains(got, "timetable") || !strings.Contains(got, "[-daily-]") || d.Dead {
			t.Errorf("%s: dead %v\n%s", sel, d.Dead, got)
		}
	}
	if d := mustCompare(t, pierOld, pierNew, Options{Select: []string{"div.gone"}}); !d.Dead || d.Significant {
		t.Errorf("a selector that matches nothing: dead %v, significant %v", d.Dead, d.Significant)
	}
	if _, err := Compare(nil, nil, Options{Select: []string{"p["}}); err == nil {
		t.Error("a broken selector gives no error")
	}
}

func TestDeepPagesKeepSelectors(t *testing.T) {
	deep := "<p class=x>top one</p>" + strings.Repeat("<div>", 5000) + "<p class=y>low %d</p>"
	d := mustCompare(t, fmt.Sprintf(deep, 1), fmt.Sprintf(deep, 2), Options{Select: []string{"p.x"}})
	if d.Dead || d.Words.Added != 0 {
		t.Errorf("dead %v, %+v", d.Dead, d.Words)
	}
	if d := mustCompare(t, fmt.Sprintf(deep, 1), fmt.Sprintf(deep, 2), Options{}); d.Words.Added != 1 {
		t.Errorf("%+v", d.Words)
	}
	// What is deeper than the tree is found with its words, as far as the
	// elements above it are not asked for.
	deep = "<main>" + strings.Repeat("<div>", 5000) + "<section id=s><p class=y>low %d water</p></section><p>last %d</p>"
	for _, sel := range []string{"p.y", "main #s", "#s", "p:contains(low)"} {
		d := mustCompare(t, fmt.Sprintf(deep, 1, 1), fmt.Sprintf(deep, 2, 2), Options{Select: []string{sel}})
		if d.Dead || d.Words != (Words{1, 1}) {
			t.Errorf("%s: dead %v, %+v", sel, d.Dead, d.Words)
		}
	}
	d = mustCompare(t, fmt.Sprintf(deep, 1, 1), fmt.Sprintf(deep, 2, 2), Options{Ignore: []string{"#s"}})
	if d.Words != (Words{1, 1}) {
		t.Errorf("%+v", d.Words)
	}
}

func TestJSONShape(t *testing.T) {
	d := mustCompare(t, "<p>one two</p>", "<p>one three</p>", Options{})
	raw, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"score":1.902,"significant":true,"terms":[{"category":"words","count":2,"weight":1.2,"points":1.902}],"class":"content",` +
		`"words":{"added":1,"deleted":1},"ops":[{"op":"equal","a":[0,7],"b":[0,7]},{"op":"delete","a":[7,10],"b":[7,7]},` +
		`{"op":"insert","a":[10,10],"b":[7,12]},{"op":"equal","a":[10,14],"b":[12,16]}]}`
	if string(raw) != want {
		t.Errorf("got  %s\nwant %s", raw, want)
	}
	raw, _ = json.Marshal(mustCompare(t, "", "", Options{}))
	if string(raw) != `{"score":0,"significant":false,"terms":[],"class":"none","words":{"added":0,"deleted":0},"ops":[]}` {
		t.Errorf("empty pages: %s", raw)
	}
}

// TestClasses holds the names of changes.
func TestClasses(t *testing.T) {
	list := func(items ...string) string {
		return "<h1>Menu of the day</h1><ul><li>" + strings.Join(items, "</li><li>") + "</li></ul>"
	}
	prose := strings.Repeat("<p>Here is one sentence that has more than twelve words so that it counts as prose.</p>", 6)
	for _, c := range []struct {
		name, a, b string
		want       Class
		reported   bool
	}{
		{"same", list("a", "b"), list("a", "b"), None, false},
		{"markup only", "<p class=x1>one&nbsp;two &amp; more</p>", "<p class=x2 data-n=7>one two & more</p>", None, false},
		{"script only", "<script>var a='x'</script><p>one</p>", "<script>var a='y'</script><p>one</p>", None, false},
		{"a word", list("fish soup", "bread"), list("fish stew", "bread"), Content, true},
		{"a limit", "<p>Names have 3-256 characters.</p>", "<p>Names have 1-256 characters.</p>", Content, true},
		{"gone", list("fish soup", "bread and butter"), list("fish soup"), Content, true},
		{"order", list("fish", "meat", "bread"), list("bread", "fish", "meat"), Order, false},
		{"order of long rows", list("fish soup with fennel and bread", "meat"), list("meat", "fish soup with fennel and bread"), Order, false},
		{"menu", "<nav><a href=/a>A</a></nav><p>text</p>", "<nav><a href=/a>A</a> <a href=/b>Boats</a></nav><p>text</p>", Menu, false},
		{"menu by role", "<div role=navigation>Home</div><p>text</p>", "<div role=navigation>Start</div><p>text</p>", Menu, false},
		{"counter in a footer", "<p>text</p><footer><p>page served in 0.31 s</p></footer>", "<p>text</p><footer><p>page served in 0.35 s</p></footer>", Volatile, false},
		{"words in a footer", "<p>text</p><footer><p>ask Anna in room 5</p></footer>", "<p>text</p><footer><p>ask Bert in room 7</p></footer>", Menu, false},
		{"date", "<p>Updated 3 March 2022</p>", "<p>Updated 14 April 2022</p>", Date, false},
		{"date the other way", "<p>Updated March 3, 2022</p>", "<p>Updated April 14, 2022</p>", Date, false},
		{"date in digits", "<p>28.01.2022 - 23:35</p>", "<p>29.01.2022 - 00:10</p>", Date, false},
		{"date in Han", "<p>2022年3月4日</p>", "<p>2022年4月14日</p>", Date, false},
		{"time element", "<p>Said <time>5 minutes ago</time></p><p><time>an hour ago</time></p>", "<p>Said <time>5 minutes ago</time></p><p><time>two hours ago</time></p>", Date, false},
		{"link target", "<p><a href=/one>here</a></p>", "<p><a href=/two>here</a></p>", Links, true},
		{"cache buster", "<p><a href=/one?1659110877425>here</a></p>", "<p><a href=/one?1659110999999>here</a></p>", None, false},
		{"session", "<p><a href='/one;jsessionid=9F3A22B1C0D4'>x</a></p>", "<p><a href='/one;jsessionid=77AA22B1C0D4'>x</a></p>", None, false},
		{"token", "<p>text</p><p>req 8f3a77b1c0d4e5f6</p>", "<p>text</p><p>req 1c2b99aa00d4e5f7</p>", Volatile, false},
		{"host", "<p>text</p><p>Srv10</p>", "<p>text</p><p>Srv3</p>", Volatile, false},
		{"counters", list("12 views", "30 views", "9 views", "soup"), list("13 views", "31 views", "12 views", "soup"), Volatile, false},
		{"accents", "<p>rétraction über</p>", "<p>rétraction über</p>", None, false},
		{"soft hyphens", "<p>Donau&shy;dampf\u00adschiff</p>", "<p>Donaudampfschiff</p>", None, false},
		{"copyright", "<p>text</p><p>© 2022 Harbour</p>", "<p>text</p><p>© 2023 Harbour</p>", Date, false},
		{"a paragraph split", "<p>One sentence stands here. Another one follows it.</p>", "<p>One sentence stands here.</p><p>Another one follows it.</p>", Order, false},
		{"footer without a name", prose + "<div><a href=/a>Blog</a></div>", prose + "<div><a href=/a>Blog</a></div><div><a href=/b>Safety centre</a></div>", Menu, false},
		{"release at the end", prose + "<div><a href=/a>version 1.2</a></div>", prose + "<div><a href=/a>version 1.3</a></div>", Content, true},
		{"timetable", "<table><tr><td>07:10<td>Old Pier<td>Lighthouse</table>", "<table><tr><td>07:25<td>Old Pier<td>Lighthouse</table>", Content, true},
		{"opening hours", "<p>Open from 9:00 to 17:00</p>", "<p>Open from 9:00 to 18:00</p>", Content, true},
		{"a clock", "<p>text</p><div>23:35</div>", "<p>text</p><div>23:41</div>", Date, false},
		{"making time", "<p>text</p><p>made in 0.31 s by us</p>", "<p>text</p><p>made in 0.28 s by us</p>", Volatile, false},
		{"large counter", "<p>text</p><p>12,345 visitors so far</p>", "<p>text</p><p>12,351 visitors so far</p>", Volatile, false},
		{"small number", "<p>text</p><p>Berth 12 is closed</p>", "<p>text</p><p>Berth 13 is closed</p>", Content, true},
		{"ages", list("Storm in the north, 39 minutes ago", "Ferry is late, 2 hours ago", "Fish is dear, 3 hours ago", "soup"),
			list("Storm in the north, 1 hour ago", "Ferry is late, 3 hours ago", "Fish is dear, 4 hours ago", "soup"), Volatile, false},
		{"one age", list("Storm in the north, 39 minutes ago"), list("Storm in the north, 41 minutes ago"), Volatile, false},
		{"price", list("Soup 5 €"), list("Soup 6 €"), Content, true},
		{"bare price", list("Soup", "8 €"), list("Soup", "9.50 €"), Content, true},
		{"mojibake", "<p>Two caf\u00e9s \u2013 one bill</p>", "<p>Two caf\u00c3\u00a9s \u00e2\u20ac\u201c one bill</p>", Volatile, false},
	} {
		d := mustCompare(t, c.a, c.b, Options{})
		if d.Class != c.want || d.Significant != c.reported {
			t.Errorf("%s: class %s, reported %v (score %.2f); want %s, %v\n%v\n%s", c.name, d.Class, d.Significant, d.Score, c.want, c.reported, d.Terms, d.Unified(0, true))
		}
	}
}

func TestKeywords(t *testing.T) {
	a, b := "<p>The ferry runs.</p>", "<p>The ferry runs. The price of a ticket, Price list, and prices.</p>"
	d := mustCompare(t, a, b, Options{Keywords: []string{"price"}})
	if d.Terms[0].Category != CatKeywords || d.Terms[0].Count != 2 {
		t.Errorf("terms %v, want the keyword twice", d.Terms)
	}
	if d := mustCompare(t, "<p>x</p>", "<p>x 価格表</p>", Options{Keywords: []string{"価格"}}); d.Terms[0].Category != CatKeywords {
		t.Errorf("terms %v", d.Terms)
	}
}

func TestWeightsAndThreshold(t *testing.T) {
	a, b := "<p>one two</p>", "<p>one three</p>"
	if d := mustCompare(t, a, b, Options{Threshold: 50}); d.Significant {
		t.Error("significant above a threshold of 50")
	}
	if d := mustCompare(t, a, b, Options{Weights: map[string]float64{CatWords: 0}}); d.Significant || d.Score != 0 {
		t.Errorf("score %v with weight 0", d.Score)
	}
}

func TestShownTextIsPlain(t *testing.T) {
	d := mustCompare(t, "<p>safe</p>", "<p>safe \x1b]0;evil\x07 \u202eabc &#27;[31m red</p><h2>\x1b[2J</h2><p>x</p>", Options{})
	out := d.Unified(1, true) + strings.Join(d.Links.Added, "")
	for _, bad := range []string{"\x1b", "\x07", "\u202e"} {
		if strings.Contains(out, bad) {
			t.Errorf("%q reaches the screen: %q", bad, out)
		}
	}
}

func TestShrunk(t *testing.T) {
	long := "<p>" + strings.Repeat("many different words stand here ", 40) + "</p>"
	if d := mustCompare(t, long+"<p>end</p>", "<p>end</p>", Options{}); !d.Shrunk {
		t.Error("a page that lost nearly everything is not marked")
	}
	if d := mustCompare(t, long, long+long, Options{}); d.Shrunk {
		t.Error("a page that grew is marked")
	}
}

func TestTidy(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"<p>in January of last year</p>", "<p>in March of last year</p>", "in [-January-] {+March+} of last year"},
		{"<p>the big red dog ran to us all</p>", "<p>the old red cat ran to us all</p>", "the [-big red dog-] {+old red cat+} ran to us all"},
		{"<p>one two three.</p>", "<p>one two three!</p>", "one two three[-.-]{+!+}"},
	} {
		d := mustCompare(t, c.a, c.b, Options{})
		if got := d.Hunks[0].Rows[0].Mono(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestWhy(t *testing.T) {
	a := "<h2>One</h2><p>The ferry runs.</p><h2>Two</h2><p>text <img src=/i.png></p>"
	b := "<h2>One</h2><p>The ferry runs at a new price.</p><h2>Two</h2><p>text, price on <a href=/x>the</a> <a href=/y>list</a></p>"
	d := mustCompare(t, a, b, Options{Keywords: []string{"Price"}})
	if got, want := d.Why(), `+2 links, -1 image, "price" x2, 8 words in 2 sections`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := mustCompare(t, a, a, Options{}).Why(); got != "" {
		t.Errorf("no change, but %q", got)
	}
}

func TestRetargets(t *testing.T) {
	d := mustCompare(t, "<p>See <a href=/one>the big list</a> and <a href='/same?sid=1'>this</a></p>", "<p>See <a href=/two>the big list</a> and <a href='/same?sid=1'>this</a></p>", Options{})
	if len(d.Retargets) != 1 || d.Retargets[0] != (Retarget{"the big list", "/one", "/two"}) {
		t.Errorf("%+v", d.Retargets)
	}
}

func TestPreviewIgnore(t *testing.T) {
	var revs [][]byte
	for i := range 5 {
		revs = append(revs, fmt.Appendf(nil, "<p>text that stays</p><p>berth %d is closed</p>", 31+i))
	}
	revs = append(revs, []byte("<p>text that stays not</p><p>berth 99 is closed</p>"))
	now, then, err := PreviewIgnore(revs, Options{}, "berth # is closed")
	if now != 5 || then != 1 || err != nil {
		t.Errorf("now %d, then %d, %v; want 5 and 1", now, then, err)
	}
}

// TestIgnoredWordsDoNotCount: a rule applies to what is shown and counted.
func TestIgnoredWordsDoNotCount(t *testing.T) {
	a, b := "<p>one</p><p class=x>two</p>", "<p>one</p><p class=x>three</p>"
	for _, o := range []Options{{Ignore: []string{".x"}}, {IgnoreBlocks: []string{"two", "three"}}} {
		d := mustCompare(t, a, b, o)
		if d.Words != (Words{}) || d.Class != None || d.Score != 0 || d.Blocks.Ignored == 0 {
			t.Errorf("%+v: %+v %s %v %+v", o, d.Words, d.Class, d.Score, d.Blocks)
		}
	}
}

func TestDeadSelectorIsNotReported(t *testing.T) {
	d := mustCompare(t, "<div id=m><p>much text here</p></div>", "<div id=n><p>much text here</p></div>", Options{Select: []string{"#m"}})
	if !d.Dead || d.Significant {
		t.Errorf("dead %v, significant %v", d.Dead, d.Significant)
	}
}

func TestUtilisation(t *testing.T) {
	if Utilisation(9, 3) != 2 || Utilisation(0, 0) != 0 || Utilisation(4, 4) != 0 {
		t.Error("U is not (N-M)/M")
	}
}

func ExampleCompare() {
	d, _ := Compare([]byte("<h1>Pier</h1><p>Ferry at 07:30, 8 €</p>"), []byte("<h1>Pier</h1><p>Ferry at 07:30, 9.50 €</p>"), Options{})
	fmt.Println(d.Class, d.Significant, d.Words.Added, d.Words.Deleted)
	fmt.Print(d.Unified(0, true))
	// Output:
	// content true 1 1
	// ── Pier
	// ~ Ferry at 07:30, [-8 €-] {+9.50 €+}
}

// The stop after the last of a run of unchanged blocks, and a bracket before the
// first, belong to their text.
func TestUnchangedIsWholeBlocks(t *testing.T) {
	old := "<p>(One) stays.</p><p>Two <b>stays</b>!</p><p>three goes</p>"
	d, err := Compare([]byte(old), []byte(strings.Replace(old, "goes", "went", 1)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Unchanged(d.Hunks[0].Rows[0]); !slices.Equal(got, []string{"(One) stays.", "Two stays!"}) {
		t.Errorf("%q", got)
	}
}

// A line of plain text is a block; a line of HTML is not, unfolded neither.
func TestPlainTextByLine(t *testing.T) {
	old := "Boats\n\n08:00 island\n09:00 island\n10:00 castle\n"
	d, err := Compare([]byte(old), []byte(strings.Replace(old, "09:00 island", "09:30 island", 1)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "  08:00 island\n~ [-09:00-] {+09:30+} island\n  10:00 castle\n"; !strings.Contains(d.Unified(1, true), want) {
		t.Errorf("%s", d.Unified(1, true))
	}
	old = "<p>one\ntwo</p><p>three</p>"
	if d, err = Compare([]byte(old), []byte(strings.Replace(old, "three", "four", 1)), Options{}); err != nil {
		t.Fatal(err)
	}
	if got := d.Unchanged(d.Hunks[0].Rows[0]); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// TestMovedHeading: a heading is too short to be known by its letters, yet one
// that stands elsewhere now has moved; a short text has not.
func TestMovedHeading(t *testing.T) {
	part := func(tag, head, text string) string {
		return "<" + tag + ">" + head + "</" + tag + "><p>" + text + "</p>"
	}
	tides, boats := part("h2", "Tides", "High water is at seven in the morning today."), part("h2", "Boats", "Three boats lie at the quay and wait.")
	notice := "The crane is closed until the spring of next year."
	d := mustCompare(t, "<h1>Harbour</h1>"+tides+boats+part("h2", "Notices", notice), "<h1>Harbour</h1>"+part("h2", "Notices", notice)+tides+boats, Options{})
	if d.Class != Order || d.Blocks.Moved != 2 || d.Blocks.Changed != 0 || d.Significant {
		t.Errorf("a section that moved: class %s, %+v, terms %v", d.Class, d.Blocks, d.Terms)
	}
	d = mustCompare(t, "<h1>Harbour</h1>"+tides+boats+part("p", "Notices", notice), "<h1>Harbour</h1>"+part("p", "Notices", notice)+tides+boats, Options{})
	if d.Blocks.Moved != 1 || d.Blocks.Changed != 2 {
		t.Errorf("a word in front of a text that moved: %+v", d.Blocks)
	}
	d = mustCompare(t, tides+boats+"<p>"+notice+" Boats</p>", tides+strings.Replace(boats, "<h2>Boats</h2>", "", 1)+"<p>"+notice+"</p><p>Boats</p>", Options{})
	if d.Blocks.Moved != 0 {
		t.Errorf("a heading that became a text is called a move: %+v", d.Blocks)
	}
}

// TestInvisibleAttribute: an attribute nobody sees is no change behind a tag
// manager's snippet.
func TestInvisibleAttribute(t *testing.T) {
	page := func(v string) string {
		return "<body><noscript><iframe src=x /></noscript><h1>Quay</h1><p data-v=" + v + ">" + strings.Repeat("Boats leave here. ", 200) + "</p>"
	}
	if d := mustCompare(t, page("1"), page("2"), Options{}); d.Class != None || d.Score != 0 || d.Words != (Words{}) {
		t.Errorf("class %s, score %.2f, words %v", d.Class, d.Score, d.Words)
	}
}

// TestWordsAreCountedAsAligned: what people read is counted as the pages are
// aligned.
func TestWordsAreCountedAsAligned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := []byte(aligntest.Pages().Draw(t, "a")), []byte(aligntest.Pages().Draw(t, "b"))
		for _, e := range []align.Engine{align.Blocks, align.Loctags} {
			al := align.Read(a, b, e)
			d, i := aligntest.ChangedWords(al.Match, len(al.B.Words))
			if c, err := Compare(a, b, Options{Engine: e}); err != nil || c.Words != (Words{i, d}) {
				t.Fatalf("%s: the diff counts %+v, the alignment +%d -%d (%v)", e, c.Words, i, d, err)
			}
		}
	})
}
