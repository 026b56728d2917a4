package plain

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestURL(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.org/a?b=c#d":     "https://example.org/a?b=c#d",
		"  HTTP://Example.org/x \n":       "http://Example.org/x",
		"http://example.org/a b":          "http://example.org/a%20b",
		"http://example.org/ü?ö=ß":        "http://example.org/%C3%BC?%C3%B6=%C3%9F",
		"http://bücher.example/":          "http://xn--bcher-kva.example/",
		"http://example.org/%zz":          "http://example.org/%25zz",
		"http://exa\nmple.org/\tx":        "http://example.org/x",
		"http:/example.org/":              "http://example.org/",
		"http://user:pw@example.org/":     "http://user:pw@example.org/",
		"http://[2001:db8::1]:8080/":      "http://[2001:db8::1]:8080/",
		"http://example.org/a\"b'c`d$(e)": "http://example.org/a%22b'c%60d$(e)",
		"javascript:alert(1)":             "",
		"file:///etc/passwd":              "",
		"ftp://example.org/":              "",
		"data:text/html,x":                "",
		"//example.org/":                  "",
		"/path":                           "",
		"":                                "",
		"-http://example.org/":            "",
		"http://":                         "",
		"http:///":                        "",
		"http://-x.example/":              "",
		"http://ex ample.org/":            "",
		"http://example.org:80a/":         "",
		"http://example.org/\x1b[31m":     "",
		"http://example.org/\u009b31m":    "",
		"http://example.org/" + strings.Repeat("a", 5000): "",
		"http://example.org/\u202Egpj.exe":                "http://example.org/%E2%80%AEgpj.exe",
	} {
		got, ok := URL(in)
		if got != want || ok != (want != "") {
			t.Errorf("URL(%.60q) = %q, %v, want %q", in, got, ok, want)
		}
	}
}

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		"no address here": "no address here",
		"get https://example.org/feed?page=2: timeout":           "get https://example.org/feed?page=2: timeout",
		"https://me:hunter2@example.org/f":                       "https://…@example.org/f",
		"https://me:p@ss@example.org/f":                          "https://…@example.org/f",
		"https://me:pa/ss@example.org/f":                         "https://…@example.org/f",
		`Get "https://x.example/?key=SECRET&n=1": EOF`:           `Get "https://x.example/?key=…&n=1": EOF`,
		"https://x.example/?a=1;api_key=S#access_token=T&b=2":    "https://x.example/?a=1;api_key=…#access_token=…&b=2",
		"https://x.example/?%6bey=S":                             "https://x.example/?%6bey=…",
		"https://x.example/?v=0123456789abcdef0123456789abcdef":  "https://x.example/?v=…",
		"https://x.example/?channel_id=UC0123456789abcdefABCDEF": "https://x.example/?channel_id=UC0123456789abcdefABCDEF",
		"https://x.example/?u=https%3A%2F%2Fa%3Ab%40c%2F":        "https://x.example/?u=…",
		"two https://a:b@c/ and http://d:e@f/?token=g":           "two https://…@c/ and http://…@f/?token=…",
	} {
		if got := Redact(in); got != want {
			t.Errorf("Redact(%q) = %q, want %q", in, got, want)
		}
		secretsComeBack(t, in)
		nothingLeft(t, in)
	}
}

// What is handed on has lost what is hidden and nothing else.
func TestWithoutSecrets(t *testing.T) {
	for in, want := range map[string]string{
		"no address here": "no address here",
		"https://example.org/feed?page=2&x=%7e#top":                         "https://example.org/feed?page=2&x=%7e#top",
		"https://me:hunter2@example.org/f":                                  "https://example.org/f",
		"https://x.example/feed?a=1;token=SECRETTOKEN1":                     "https://x.example/feed?a=1",
		"https://x.example/feed?a=1;token=SECRETTOKEN1;b=2":                 "https://x.example/feed?a=1;b=2",
		"https://x.example/feed?token=S&b=2":                                "https://x.example/feed?b=2",
		"https://x.example/feed?token=S#key=T":                              "https://x.example/feed",
		"https://x.example/feed?token=S#part":                               "https://x.example/feed#part",
		"https://x.example/feed?u=http://joe:SECRETPW@b/":                   "https://x.example/feed",
		"https://x.example/feed?k=abcdefgh0123456789abcdefgh0123456789&n=1": "https://x.example/feed?n=1",
		"https://x.example/feed?n=1&sid=abc":                                "https://x.example/feed?n=1",
		"two https://a:b@c/ and http://d:e@f/?token=g":                      "two https://c/ and http://f/",
	} {
		if got := WithoutSecrets(in); got != want {
			t.Errorf("WithoutSecrets(%q) = %q, want %q", in, got, want)
		}
		nothingLeft(t, in)
	}
}

// nothingLeft holds WithoutSecrets and Redact to one definition: of what the one
// leaves the other hides nothing, and what the other shows whole the one leaves.
func nothingLeft(t interface {
	Helper()
	Fatalf(string, ...any)
}, s string) {
	t.Helper()
	out := WithoutSecrets(s)
	if Redact(out) != out || WithoutSecrets(out) != out {
		t.Fatalf("%q is handed on as %q, of which %q is shown", s, out, Redact(out))
	}
	if plain := strings.ReplaceAll(s, "\x00", ""); Redact(plain) == plain && out != plain {
		t.Fatalf("%q has nothing to hide and is handed on as %q", plain, out)
	}
}

func TestFilename(t *testing.T) {
	for in, want := range map[string]string{
		"../../etc/passwd": "etc-passwd-",
		"CON":              "con-",
		"-rf":              "rf-",
		".hidden":          "hidden-",
		"":                 "item-",
		"\x00\x1b[2J":      "item-",
		"Größe & Güte":     "größe-güte-",
		"a/b\\c:d":         "a-b-c-d-",
	} {
		if got := Filename(in); !strings.HasPrefix(got, want) || len(got) != len(want)+8 {
			t.Errorf("Filename(%q) = %q, want %q and a hash", in, got, want)
		}
	}
	if Filename("a b") == Filename("a-b") {
		t.Error("different names collide")
	}
	if n := len(Filename(strings.Repeat("日本", 500))); n > 200 {
		t.Errorf("%d bytes", n)
	}
	names := hostileNames()
	raw := 0
	for _, in := range names {
		if got := Filename(in); misplaced(got) {
			t.Errorf("Filename(%q) = %q", in, got)
		}
		if misplaced(in) {
			raw++
		}
	}
	if raw != len(names) || raw < 60 {
		t.Errorf("%d of %d names do harm as they are: this test could not fail", raw, len(names))
	}
}

// hostileNames are titles that must not be names of files as they are.
func hostileNames() []string {
	names := []string{"", ".", "..", "../x", "..\\x", "a/../../b", "/etc/passwd", "~/x", "~root", "C:\\x", "C:x", "\\\\host\\share", "//host/share", "file:///x", "a/b", "a\\b", "a\x00b", "a\nb", "a\rb", "a\tb", "\x1b[2J", "a\u009bb", "a\u202eb", "a\u200bb",
		".bashrc", ".ssh/x", "-rf", "--help", "-", " x", "x ", "x.", "a:b", "a*b", "a?b", "a|b", "a<b", "a>b", "a\"b", "a;b", "a&b", "a$b", "a`b", "$(id)", "%2e%2e%2f", "\xff\xfe", "a\u2028b", "\u2025/x", "．．／x", strings.Repeat("a", 300), strings.Repeat("../", 100)}
	return append(names, "CON", "prn", "AUX", "nul", "COM1", "com9", "LPT1", "lpt9", "CONIN$", "con.txt", "NUL.tar.gz", "aux.h")
}

// misplaced reports whether a name would lead out of its folder, hide there, be
// taken for an option or a device, or not be a name everywhere.
func misplaced(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	device := regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)$`).MatchString(base)
	return device || name == "" || len(name) > 200 || !utf8.ValidString(name) || strings.ContainsAny(name, "/\\:*?|<>\";&$`%~\u2025．／") || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) || r == ' ' }) ||
		strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") || strings.HasSuffix(name, ".")
}
