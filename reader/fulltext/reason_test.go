package fulltext

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestReasons holds each reason to a page or an answer that has it.
func TestReasons(t *testing.T) {
	page := func(name string) []byte {
		b, err := os.ReadFile("testdata/" + name + ".html")
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	good := page("pages/blog")
	tests := []struct {
		name string
		p    Page
		want Reason
	}{
		{"a good page", Page{Status: 200, ContentType: "text/html", Body: good}, None},
		{"a good page of no type", Page{Status: 200, Body: good}, None},
		{"a good page called text", Page{Status: 200, ContentType: "text/plain", Body: good}, None},
		{"a good page called xml", Page{Status: 200, ContentType: "application/xml", Body: good}, None},
		{"plain text", Page{Status: 200, ContentType: "text/plain", Body: []byte(strings.Repeat(prose, 3))}, None},
		{"a banner over a page", Page{Status: 200, ContentType: "text/html", Body: page("pages/banner")}, None},
		{"little plain text", Page{Status: 200, ContentType: "text/plain", Body: []byte("moved")}, Short},
		{"404", Page{Status: 404, ContentType: "text/html", Body: good}, NotFound},
		{"410 without a body", Page{Status: 410}, NotFound},
		{"404 in plain text", Page{Status: 404, ContentType: "text/plain", Body: []byte("404 page not found")}, NotFound},
		{"402", Page{Status: 402, ContentType: "text/html", Body: good}, Paywall},
		{"401", Page{Status: 401, ContentType: "text/html", Body: good}, Login},
		{"429", Page{Status: 429, ContentType: "text/html", Body: good}, Busy},
		{"403", Page{Status: 403, ContentType: "text/html", Body: good}, Failed},
		{"403 with a test", Page{Status: 403, ContentType: "text/html", Body: page("reasons/humans")}, Humans},
		{"403 with a test made by its script", Page{Status: 403, ContentType: "text/html", Body: page("reasons/humans-inline")}, Humans},
		{"403 with a test in a frame", Page{Status: 403, ContentType: "text/html", Body: page("reasons/humans-frame")}, Humans},
		{"on to a test", Page{Status: 202, ContentType: "text/html", Body: []byte(`<html><head><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F"></head></html>`)}, Humans},
		{"503 with a test", Page{Status: 503, ContentType: "text/html", Body: page("reasons/humans")}, Humans},
		{"500", Page{Status: 500}, Failed},
		{"204", Page{Status: 204}, Failed},
		{"no answer", Page{}, Failed},
		{"a PDF", Page{Status: 200, ContentType: "application/pdf", Body: []byte("%PDF-1.7")}, NotHTML},
		{"a PDF of no type", Page{Status: 200, Body: []byte("%PDF-1.7\n")}, NotHTML},
		{"a picture", Page{Status: 200, ContentType: "image/png", Body: []byte("\x89PNG")}, NotHTML},
		{"a feed", Page{Status: 200, ContentType: "application/xml", Body: []byte("<rss></rss>")}, NotHTML},
		{"an archive called HTML", Page{Status: 200, ContentType: "text/html", Body: []byte(strings.Repeat("\x00\x01\x02PK", 99))}, Failed},
		{"nothing", Page{Status: 200, ContentType: "text/html"}, Short},
		{"a paywall", Page{Status: 200, ContentType: "text/html", Body: page("reasons/paywall")}, Paywall},
		{"a paywall by its description", Page{Status: 200, ContentType: "text/html", Body: page("reasons/paywall-declared")}, Paywall},
		{"a test for humans", Page{Status: 200, ContentType: "text/html", Body: page("reasons/humans")}, Humans},
		{"a login", Page{Status: 200, ContentType: "text/html", Body: page("reasons/login")}, Login},
		{"consent", Page{Status: 200, ContentType: "text/html", Body: page("reasons/consent")}, Consent},
		{"scripts", Page{Status: 200, ContentType: "text/html", Body: page("reasons/scripts")}, Scripted},
		{"a picture with a line", Page{Status: 200, ContentType: "text/html", Body: page("reasons/short")}, Short},
		{"404 by its title", Page{Status: 200, ContentType: "text/html", Body: page("reasons/failed")}, Failed},
	}
	// Nothing is known that the library cannot read; the others are of fetching.
	named := map[Reason]bool{Unreadable: true, Unreached: true, Forbidden: true, Teaser: true, Private: true, TooLarge: true, LedPrivate: true}
	for _, test := range tests {
		test.p.URL = "https://paper.example/a/1"
		a, why := Extract(test.p)
		if why != test.want {
			t.Errorf("%s: %q, want %q (%d words)", test.name, why, test.want, a.Words)
		}
		sound(t, test.name, a, why)
		named[test.want] = true
	}
	words, sentences := map[string]bool{}, map[string]bool{}
	for r := range Reason(len(reasons)) {
		if !named[r] {
			t.Errorf("no test for %q", r)
		}
		words[r.String()], sentences[r.Sentence()] = true, true
	}
	if len(words) != len(reasons) || len(sentences) != len(reasons) {
		t.Error("two reasons read the same")
	}
}

// TestLinksAndPictures: addresses come whole, by <base> where there is one, and
// pictures that scripts would load are found.
func TestLinksAndPictures(t *testing.T) {
	for _, test := range []struct {
		page     string
		has, not []string
	}{
		{"links", []string{`href="https://tides.example/archive/ledger.html"`, `href="https://tides.example/people/student"`}, []string{"javascript", "track()"}},
		{"figures", []string{`src="https://paper.example/a/img/deck.jpg"`, `src="https://paper.example/a/img/saloon.jpg"`, "<figcaption>"}, []string{"base64", "placeholder"}},
		{"table", []string{"<table>", "<th>Lamp</th>", "<caption>"}, nil},
		{"code", []string{"<pre>for i := range list {\n\tif !cold"}, nil},
		{"quotes", []string{"<blockquote>"}, nil},
	} {
		src, err := os.ReadFile("testdata/pages/" + test.page + ".html")
		if err != nil {
			t.Fatal(err)
		}
		a, _ := Extract(Page{URL: "https://paper.example/a/1", Status: 200, ContentType: "text/html; charset=utf-8", Body: src})
		for _, s := range test.has {
			if !strings.Contains(a.HTML, s) {
				t.Errorf("%s: no %s in %s", test.page, s, a.HTML)
			}
		}
		for _, s := range test.not {
			if strings.Contains(a.HTML, s) {
				t.Errorf("%s: %s in %s", test.page, s, a.HTML)
			}
		}
	}
}

// TestHostilePages: whatever a page is, what comes of it may be kept.
func TestHostilePages(t *testing.T) {
	for name, make := range hostile {
		for _, n := range []int{3, 300} {
			a, why := Extract(Page{URL: "https://paper.example/", Status: 200, ContentType: "text/html", Body: []byte(make(n))})
			sound(t, fmt.Sprint(name, " ", n), a, why)
		}
	}
}

func FuzzExtract(f *testing.F) {
	for _, make := range hostile {
		f.Add("https://paper.example/a/1", 200, "text/html", []byte(make(5)))
	}
	f.Add("::", 200, "text/plain; charset=shift_jis", []byte("<html><base href='%zz'><p>"+prose))
	f.Fuzz(func(t *testing.T, address string, status int, contentType string, body []byte) {
		a, why := Extract(Page{URL: address, Status: status, ContentType: contentType, Body: body})
		sound(t, "fuzzed", a, why)
	})
}
