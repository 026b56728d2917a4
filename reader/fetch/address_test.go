package fetch

import (
	"net/url"
	"strings"
	"testing"
)

func mustParse(t *testing.T, s string) *url.URL {
	t.Helper()
	u, _, err := parseAddress(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return u
}

func TestParseAddress(t *testing.T) {
	for in, want := range map[string]string{
		"http://example.com":                          "http://example.com/",
		" HTTP://EXAMPLE.com:80/A?b=%20c#d ":          "http://example.com/A?b=%20c",
		"https://example.com:443/":                    "https://example.com/",
		"https://example.com:0443/x":                  "https://example.com/x",
		"https://example.com:8443/x":                  "https://example.com:8443/x",
		"https://Bücher.example/ä?q=ü":                "https://xn--bcher-kva.example/%C3%A4?q=ü",
		"https://xn--bcher-kva.example/":              "https://xn--bcher-kva.example/",
		"https://example.com./f":                      "https://example.com/f",
		"https://a_b.example/":                        "https://a_b.example/",
		"http://[2606:4700:0:0::1111]:80/":            "http://[2606:4700::1111]/",
		"http://0x08080808/":                          "http://8.8.8.8/",
		"http://ann:pw@example.com/?q":                "http://example.com/?q",
		"https://例え.テスト/フィード":                         "https://xn--r8jz45g.xn--zckzah/%E3%83%95%E3%82%A3%E3%83%BC%E3%83%89",
		"https://example.com/a%2Fb/?":                 "https://example.com/a%2Fb/?",
		"http://example.com//double//slash/../up.xml": "http://example.com//double//slash/../up.xml",
	} {
		u, _, err := parseAddress(in)
		if err != nil {
			t.Errorf("%s: %v", in, err)
		} else if u.String() != want {
			t.Errorf("%s: got %s, want %s", in, u, want)
		}
	}
	for _, in := range []string{
		"", "example.com", "//example.com/", "/feed", "ftp://example.com/", "file:///etc/passwd", "gopher://x/", "data:text/xml,<rss/>", "javascript:alert(1)", "feed:https://example.com/",
		"http://", "http:///path", "http:example.com", "https://?q", "http://a b/", "http://exa\x00mple.com/", "http://example.com\r\nHost: x/", "http://a..b/", "http://.a/", "http://%zz/", "http://a%00b/", "http://[::1", "http://example.com:99999/", "http://example.com:0/", "http://example.com:port/", "http://999.1.1.1/", "http://1.2.3.4.5/", "http://08.1.1.1/", "http://4294967296/",
		"http://" + strings.Repeat("a", 300) + "/", "http://example.com/" + strings.Repeat("a", 9000), "http://-%/", "http://*.example/", "http://a,b/",
	} {
		u, _, err := parseAddress(in)
		if err == nil {
			t.Errorf("%q was taken as %s", in, u)
			continue
		}
		wantKind(t, err, KindAddress)
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{"http://a/", "http://0x7f.1/", "https://[::ffff:1.2.3.4%25x]:8/p?q#f", "http://xn--a/", "http://１/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, _, err := parseAddress(s)
		if err != nil {
			return
		}
		again, info, err := parseAddress(u.String())
		if err != nil || info != nil || again.String() != u.String() {
			t.Errorf("%q: %s becomes %v (%v)", s, u, again, err)
		}
	})
}

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		"https://ann:CANARY@a.example/f#CANARY": "https://a.example/f",
		"https://a.example/f?key=CANARY&page=2": "https://a.example/f?...",
		"https://a.example/?%6bey=CANARY":       "https://a.example/?...",
		"https://a.example/?h=CANARY":           "https://a.example/?...",
		"https://a.example/?pin=CANARY;k":       "https://a.example/?...",
		"https://a.example/?CANARY":             "https://a.example/?...",
		"https://a.example/f?":                  "https://a.example/f?",
		"https://a.example/feed.xml":            "https://a.example/feed.xml",
		"https://a.example\x00CANARY":           "(not an address)",
	} {
		if got := redact(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
