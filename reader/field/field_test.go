package field

import (
	"strings"
	"testing"

	"diurna/reader/align"
)

// TestBeside asks of the word 299 of each page.
func TestBeside(t *testing.T) {
	for _, c := range []struct {
		page           string
		costs, degrees bool
		label          string
	}{
		{"<p>€ 299</p>", true, false, ""},
		{"<p><b>€</b> <i>1</i>.<u>299</u></p>", true, false, ""},
		{"<p>299<sup>90</sup> &euro;</p>", true, false, ""},
		{"<p>€ for 299</p>", false, false, ""},
		{"<p>€</p><p>299</p>", false, false, ""},
		{"<table><tr><td>€</td><td>299</td></tr></table>", false, false, ""},
		{"<p>299</p><p>€</p>", false, false, ""},
		{"<p>Now 299 °C</p>", false, true, ""},
		{"<p>299<sup>&deg;</sup></p>", false, true, ""},
		{"<p>299 ºC</p>", false, true, ""},
		{"<p>299 of 5°</p>", false, false, ""},
		{"<dl><dt>Open issues</dt><dd>299</dd></dl>", false, false, "Open issues"},
		{"<dl class=x><dt id=n>Open issues</dt><dd class=v>299</dd></dl>", false, false, "Open issues"},
		{"<dl><dt>Open issues</dt><dd>299 of them are old</dd></dl>", false, false, ""},
		{"<dl><dt>Issue 4</dt><dd>299</dd></dl>", false, false, ""},
		{"<dl><dd>Open</dd><dd>299</dd></dl>", false, false, ""},
		{"<table><tr><th>Stars</th><td>299</td></tr></table>", false, false, "Stars"},
		{"<table><tr><td>299</td><td>Stars</td></tr></table>", false, false, ""},
		{"<table><tr><td>A</td><td>B</td><td>299</td></tr></table>", false, false, ""},
		{"<p>Stars</p><p>299</p>", false, false, ""},
		{"299", false, false, ""},
	} {
		d := align.Parse([]byte(c.page))
		found := false
		for n, b := range d.Blocks {
			for w := b.W0; w < b.W1; w++ {
				if d.WordText(w) != "299" {
					continue
				}
				found = true
				if got := Costs(d, n, w); got != c.costs {
					t.Errorf("%s: costs %t", c.page, got)
				}
				if got := Degrees(d, n, w); got != c.degrees {
					t.Errorf("%s: degrees %t", c.page, got)
				}
				if got := strings.Join(LabelOf(d, n, w), " "); got != c.label {
					t.Errorf("%s: label %q, want %q", c.page, got, c.label)
				}
			}
		}
		if !found {
			t.Errorf("%s: no word 299", c.page)
		}
	}
}

// TestLeadsTo: a link to another site says where it leads, one to a part of the same
// does not.
func TestLeadsTo(t *testing.T) {
	for href, want := range map[string]string{
		"/a": "", "a.html": "", "https://pier.example/a": "", "//www.pier.example": "", "https://shop.pier.example/?x": "",
		"https://ads.example?c=1": "ads.example", "//ads.example/x": "ads.example", "mailto:a@ads.example": "",
	} {
		d := align.Parse([]byte("<p>Text</p><div><a class=x href='" + href + "'><b>Boats</b></a></div>"))
		if got := LeadsTo(d, 1, "pier.example"); got != want {
			t.Errorf("%s: %q, want %q", href, got, want)
		}
	}
	if d := align.Parse([]byte("<p><a href='https://ads.example'>Text</a></p><p>Boats</p>")); LeadsTo(d, 1, "pier.example") != "" {
		t.Error("what stands behind a link does not lead there")
	}
	if site("a.co.uk") == site("b.co.uk") || site("x.a.co.uk") != site("a.co.uk") {
		t.Error("a site is known by its own name")
	}
}

func TestNameIn(t *testing.T) {
	for text, want := range map[string]string{"Saint: Leonard": "Saint", "7 May | Name day: Ada": "7 May Name day", "At 7:30": "", "a b c d e f g h i j k l m n: o": "", "None": ""} {
		if got := strings.Join(NameIn(align.Parse([]byte("<p>"+text+"</p>")), 0), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
