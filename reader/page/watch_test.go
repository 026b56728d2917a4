package page

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"

	"diurna/reader/align"
)

// watch runs a row of revisions through a memory, as the watching loop does,
// and returns which were reported.
func watch(t *testing.T, o Options, revisions ...string) (reported []bool, m Memory) {
	t.Helper()
	prev := ""
	for i, r := range revisions {
		if i > 0 {
			o.Memory = &m
			reported = append(reported, mustCompare(t, prev, r, o).Significant)
		}
		var err error
		if m, err = m.After([]byte(r), o); err != nil {
			t.Fatal(err)
		}
		// The memory survives being stored at every step.
		raw, _ := m.MarshalBinary()
		var back Memory
		if err := back.UnmarshalBinary(raw); err != nil || !reflect.DeepEqual(m, back) {
			t.Fatalf("memory is not restored: %v\n%v\n%v", err, m, back)
		}
		m, prev = back, r
	}
	return reported, m
}

func shop(price string) string {
	return "<h1>Boats</h1><p>A small boat for two, with oars.</p><p>Price: " + price + "</p>"
}

func TestPriceIsReportedTwice(t *testing.T) {
	for _, p := range [][3]string{{"5", "6", "5"}, {"5 €", "6 €", "5 €"}, {"$5.00", "$6.00", "$5.00"}} {
		if reported, _ := watch(t, Options{}, shop(p[0]), shop(p[1]), shop(p[2])); !reflect.DeepEqual(reported, []bool{true, true}) {
			t.Errorf("%v: reported %v, want twice", p, reported)
		}
	}
}

// TestTwinsAreNoReturn: a block that now reads like another one of the page was
// not seen coming and going.
func TestTwinsAreNoReturn(t *testing.T) {
	page := func(first, last string) string {
		return "<h1>Methods</h1><p>Protects the contents of " + first + " from saving</p><p>Some text between them.</p><p>Protects the contents of the sent message from saving</p>" + last
	}
	a := page("sent messages", "")
	for name, b := range map[string]string{
		"edited":   page("the sent message", ""),
		"inserted": page("sent messages", "<h2>Old ones</h2><p>Protects the contents of the sent message from saving</p>"),
	} {
		if reported, _ := watch(t, Options{}, a, b); !reported[0] {
			t.Errorf("%s: not reported", name)
		}
	}
}

func TestFlappingBlockIsReported(t *testing.T) {
	page := func(s string) string {
		return "<h1>News</h1><p>One thing that stays.</p><p>" + s + "</p><p>Another thing that stays.</p>"
	}
	a, b := page("Buy our seaweed while it is fresh"), page("Visit the lighthouse on Sunday")
	if reported, _ := watch(t, Options{}, a, b, a, b, a, b); !reflect.DeepEqual(reported, []bool{true, true, true, false, false}) {
		t.Errorf("two known states: reported %v, want the first three", reported)
	}
	// The reader's own words make it no news either.
	if reported, _ := watch(t, Options{Keywords: []string{"seaweed", "lighthouse"}}, a, b, a, b, a); !reflect.DeepEqual(reported, []bool{true, true, true, false}) {
		t.Errorf("two known states with keywords: reported %v, want the first three", reported)
	}
	gone := page("")
	if reported, _ := watch(t, Options{}, a, gone, a, gone, a); !reflect.DeepEqual(reported, []bool{true, true, true, false}) {
		t.Errorf("a block that comes and goes: reported %v, want the first three", reported)
	}
}

func TestDeletionIsReported(t *testing.T) {
	page := func(s string) string { return "<p>One thing that stays.</p>" + s }
	reported, _ := watch(t, Options{}, page("<p>The old rule holds.</p>"), page("<p>The old rule holds.</p>"), page(""))
	if !reflect.DeepEqual(reported, []bool{false, true}) {
		t.Errorf("reported %v, want the deletion reported", reported)
	}
}

func TestMemoryForgetsAfterSixty(t *testing.T) {
	page := func(s string) string { return "<p>One thing that stays.</p><p>" + s + "</p>" }
	var revs []string
	revs = append(revs, page("Boats are blue here"))
	for range span + 2 {
		revs = append(revs, page("Boats are red there now"))
	}
	revs = append(revs, page("Boats are blue here"))
	reported, _ := watch(t, Options{}, revs...)
	if !reported[len(reported)-1] {
		t.Error("a block not seen for 60 revisions is not reported")
	}
}

func TestCounterFallsSilent(t *testing.T) {
	page := func(n int) string {
		return fmt.Sprintf("<p>One thing that stays.</p><p>page asked for %d times</p><p>%d people read this</p>", n, 100+n)
	}
	var revs []string
	for n := range 12 {
		revs = append(revs, page(31+n))
	}
	reported, m := watch(t, Options{}, revs...)
	for i, v := range reported[4:] {
		if v {
			t.Errorf("change %d of the counter is still reported", i+5)
		}
	}
	rules, err := Restless([]byte(page(99)), m, Options{})
	if err != nil || !reflect.DeepEqual(rules, []string{"page asked for # times"}) {
		t.Errorf("restless blocks %q, %v", rules, err)
	}
}

func TestRotatingPicturesAndLinks(t *testing.T) {
	page := func(n int) string {
		return fmt.Sprintf("<p>Text.</p><a href=/ad%d><img src=/p%d.png></a><a href=/b%d><img src=/q%d.png></a>", n%2, n%2, n%2, n%2)
	}
	_, m := watch(t, Options{}, page(0), page(1), page(0), page(1))
	d := mustCompare(t, page(1), page(0), Options{Memory: &m})
	if d.Class != None {
		t.Errorf("known pictures and links: class %s, terms %v", d.Class, d.Terms)
	}
}

func TestMemoryRefusesDamage(t *testing.T) {
	_, m := watch(t, Options{}, shop("5"), shop("6"))
	raw, _ := m.MarshalBinary()
	for n := range raw {
		var x Memory
		if err := x.UnmarshalBinary(raw[:n]); err == nil {
			t.Fatalf("cut to %d bytes: no error", n)
		}
	}
}

func FuzzMemory(f *testing.F) {
	m, _ := Memory{}.After([]byte("<p>a 1</p>"), Options{})
	raw, _ := m.MarshalBinary()
	f.Add(raw)
	f.Fuzz(func(t *testing.T, b []byte) {
		var m Memory
		if m.UnmarshalBinary(b) == nil {
			_, _ = Compare([]byte("<p>a 1 b</p>"), []byte("<p>a 2 b</p>"), Options{Memory: &m})
			_, _ = m.After([]byte("<p>x</p>"), Options{})
		}
	})
}

func TestDecode(t *testing.T) {
	want := "<p>Caf\u00e9 \u00fcber</p>"
	for _, c := range []struct{ name, body, ct, want, charset string }{
		{"utf-8", want, "text/html", want, "utf-8"},
		{"said latin-1, is utf-8", want, "text/html; charset=iso-8859-1", want, "utf-8"},
		{"latin-1", "<p>Caf\xe9 \xfcber</p>", "text/html; charset=iso-8859-1", want, "windows-1252"},
		{"said utf-8, is latin-1", "<p>Caf\xe9 \xfcber</p>", "text/html; charset=utf-8", want, "windows-1252"},
		{"BOM", "\xef\xbb\xbf" + want, "", want, "utf-8"},
		{"utf-16", "\xff\xfe<\x00p\x00>\x00", "", "<p>", "utf-16"},
		{"shift_jis", "<p>\x93\xfa\x96\x7b</p>", "text/html; charset=Shift_JIS", "<p>\u65e5\u672c</p>", "shift_jis"},
		{"meta", "<meta charset=windows-1251><p>\xcf\xf0\xe8</p>", "", "<meta charset=windows-1251><p>\u041f\u0440\u0438</p>", "windows-1251"},
		{"empty", "", "", "", "utf-8"},
		{"shift_jis, not said", "<p>\x82\xb1\x82\xcc\x93\xfa</p>", "text/html", "<p>\u3053\u306e\u65e5</p>", "shift_jis"},
		{"euc-jp, said utf-8", "<p>\xa4\xb3\xa4\xce\xc6\xfc</p>", "text/html; charset=utf-8", "<p>\u3053\u306e\u65e5</p>", "euc-jp"},
		{"iso-2022-jp", "<p>\x1b$B$3$NF|\x1b(B 7</p>", "text/html; charset=iso-2022-jp", "<p>\u3053\u306e\u65e5 7</p>", "iso-2022-jp"},
		{"iso-2022-jp, not said", "<p>\x1b$B$3$NF|\x1b(B 7</p>", "", "<p>\u3053\u306e\u65e5 7</p>", "iso-2022-jp"},
		{"utf-8 with an escape", "<p>\u3053 \x1b$B$3</p>", "", "<p>\u3053 \x1b$B$3</p>", "utf-8"},
		{"latin-1, not said", "<p>Stra\xdfe, \xe9t\xe9 \xe0 Malm\xf6</p>", "", "<p>Stra\u00dfe, \u00e9t\u00e9 \u00e0 Malm\u00f6</p>", "windows-1252"},
	} {
		got, cs := Decode([]byte(c.body), c.ct)
		if string(got) != c.want || cs != c.charset {
			t.Errorf("%s: %q in %s, want %q in %s", c.name, got, cs, c.want, c.charset)
		}
	}
}

func TestCharsetFlipIsNoChange(t *testing.T) {
	a, _ := Decode([]byte("\xef\xbb\xbf<p>Caf\u00e9 &uuml;ber</p>\r\n"), "text/html")
	b, _ := Decode([]byte("<p>Caf\xe9 \xfcber</p>\n"), "text/html; charset=latin1")
	if d := mustCompare(t, string(a), string(b), Options{}); d.Class != None || d.Score != 0 {
		t.Errorf("class %s, terms %v", d.Class, d.Terms)
	}
	text := "<title>\u6f6e</title><p>\u6e80\u6f6e\u306f 7 \u6642\u3067\u3059\u3002</p>"
	for _, e := range []encoding.Encoding{japanese.ISO2022JP, japanese.ShiftJIS, japanese.EUCJP} {
		body, err := e.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		d, err := CompareServed(Served{Body: []byte(text)}, Served{Body: []byte(body)}, Options{})
		if err != nil || d.Class != None || d.Score != 0 || d.Title[0] != d.Title[1] {
			t.Errorf("%v: class %s, titles %q, %v", e, d.Class, d.Title, err)
		}
	}
}

// TestServedRanges: the script speaks of the bytes that were served.
func TestServedRanges(t *testing.T) {
	sjis := func(s string) []byte {
		b, err := japanese.ShiftJIS.NewEncoder().Bytes([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	jis := "text/html; charset=Shift_JIS"
	for _, c := range []struct {
		name  string
		a, b  Served
		words Words
		fewer bool // most of the bytes are equal
	}{
		{"shift_jis", Served{sjis("<p>日本語のページ</p><p>船は七時に出る</p>"), jis}, Served{sjis("<p>日本語のページ</p><p>船は八時に出る</p>"), jis}, Words{1, 1}, true},
		{"flip", Served{sjis("<p>日本 one</p>"), jis}, Served{[]byte("<p>日本 one</p>"), ""}, Words{}, false},
		{"marks", Served{[]byte("\xef\xbb\xbf<p>one</p>"), ""}, Served{[]byte("<p>one</p>"), ""}, Words{}, true},
		{"utf-16", Served{[]byte("\xff\xfe<\x00p\x00>\x00a\x00"), ""}, Served{[]byte("<p>a"), ""}, Words{}, false},
		{"bad bytes", Served{[]byte("<p>" + strings.Repeat("läng tëxt ", 30) + "\xff</p>"), ""}, Served{[]byte("<p>" + strings.Repeat("läng tëxt ", 30) + "</p>"), ""}, Words{}, true},
	} {
		d, err := CompareServed(c.a, c.b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		verify(t, c.a.Body, c.b.Body, d.Ops)
		same := 0
		for o := range d.Ops.All() {
			if o.Kind == align.Equal {
				same += int(o.A[1] - o.A[0])
			}
		}
		if d.Words != c.words || c.fewer && 2*same < len(c.a.Body) {
			t.Errorf("%s: words %+v, %d of %d bytes equal", c.name, d.Words, same, len(c.a.Body))
		}
	}
}

func FuzzServed(f *testing.F) {
	f.Add([]byte("\x93\xfa\x96{"), "text/html; charset=Shift_JIS", []byte("x"), "")
	f.Add([]byte("\x1b$B"), "", []byte("\xfe\xff\x00a"), "text/html; charset=gbk")
	f.Fuzz(func(t *testing.T, a []byte, ca string, b []byte, cb string) {
		d, err := CompareServed(Served{a, ca}, Served{b, cb}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		verify(t, a, b, d.Ops)
	})
}

func TestItems(t *testing.T) {
	old := Item{"Ferry 3 out of service", "<p>The ferry is out of servce until Monday. Buses run instead.</p>"}
	for _, c := range []struct {
		name  string
		next  Item
		minor bool
		words Words
	}{
		{"same", old, true, Words{}},
		{"typo", Item{old.Title, strings.Replace(old.HTML, "servce", "service", 1)}, true, Words{1, 1}},
		{"markup", Item{old.Title, strings.Replace(old.HTML, "<p>", "<p class=x>", 1)}, true, Words{}},
		{"more", Item{old.Title, old.HTML + "<p>Update: it runs again since noon today.</p>"}, false, Words{7, 0}},
		{"a number", Item{old.Title, strings.Replace(old.HTML, "Monday", "17:00", 1)}, false, Words{1, 1}},
		{"title", Item{"Ferry 3 runs again, Ferry 4 does not", old.HTML}, false, Words{6, 3}},
	} {
		got := CompareItem(old, c.next, 0)
		if got.Minor != c.minor || got.Words != c.words || got.Title != (c.next.Title != old.Title) {
			t.Errorf("%s: minor %v, words %+v, title %v", c.name, got.Minor, got.Words, got.Title)
		}
	}
	if CompareItem(old, Item{old.Title, strings.Replace(old.HTML, "servce", "service", 1)}, 1).Minor {
		t.Error("two changed words are minor at a threshold of one")
	}
}

// TestStandingStill: a price that changes now and then is not one that changes
// every time, though every fetch that brought the page unchanged was answered
// without it.
func TestStandingStill(t *testing.T) {
	var m Memory
	prev := ""
	for n := range 9 {
		next := shop(fmt.Sprintf("%d €", 5+n%2*3+n))
		if n > 0 {
			if d := mustCompare(t, prev, next, Options{Memory: &m}); !d.Significant {
				t.Errorf("change %d of a price that stands still for a while is not reported", n)
			}
		}
		var err error
		if m, err = m.After([]byte(next), Options{}); err != nil {
			t.Fatal(err)
		}
		m, prev = m.Again(4), next
		raw, _ := m.MarshalBinary()
		if err := m.UnmarshalBinary(raw); err != nil {
			t.Fatal(err)
		}
	}
	if rules, _ := Restless([]byte(prev), m, Options{}); len(rules) > 0 {
		t.Errorf("restless: %q", rules)
	}
	// What returns after it was away for long is news.
	_, f := watch(t, Options{}, shop("5"), "<p>Visit the lighthouse on Sunday</p>")
	f = f.Again(500)
	if d := mustCompare(t, "<p>Visit the lighthouse on Sunday</p>", shop("5"), Options{Memory: &f}); !d.Significant {
		t.Errorf("a page seen before is no news after 500 fetches without a change: %v", d.Terms)
	}
}
