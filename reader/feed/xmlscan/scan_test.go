package xmlscan

import (
	"bytes"
	"strings"
	"testing"
)

func TestLastIndex(t *testing.T) {
	for _, s := range []string{"", "x", "<!--", "<<!--", "a<!--b<!--", "<!--<!-", strings.Repeat("<!--", 9) + "-"} {
		if got, want := lastIndex([]byte(s), []byte("<!--")), bytes.LastIndex([]byte(s), []byte("<!--")); got != want {
			t.Errorf("lastIndex(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestUndoubleAtEachPlace(t *testing.T) {
	for before := range 20 {
		for after := range 10 {
			head, tail := strings.Repeat("a", before), strings.Repeat("b", after)
			if got := Undouble(head + "Ã©" + tail); got != head+"é"+tail {
				t.Errorf("undouble with %d before and %d after: %q", before, after, got)
			}
			for _, whole := range []string{head + "é" + tail, head + "漢" + tail} {
				if got := Undouble(whole); got != whole {
					t.Errorf("undouble(%q) = %q", whole, got)
				}
			}
		}
	}
}

func TestResolve(t *testing.T) {
	// RFC 3986, section 5.4, and what browsers do besides.
	for ref, want := range map[string]string{
		"g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g", "//g": "http://g", "?y": "http://a/b/c/d;p?y",
		"g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s", "g#s": "http://a/b/c/g#s", "": "http://a/b/c/d;p?q", ".": "http://a/b/c/", "..": "http://a/b/",
		"../g": "http://a/b/g", "../..": "http://a/", "../../g": "http://a/g", "../../../g": "http://a/g", "/./g": "http://a/g", "g;x=1/../y": "http://a/b/c/y",
		"g?y/../x": "http://a/b/c/g?y/../x", "mailto:x@y": "mailto:x@y", "日本": "http://a/b/c/日本",
	} {
		if got := Resolve("http://a/b/c/d;p?q", ref); got != want {
			t.Errorf("resolve(%q) = %q, want %q", ref, got, want)
		}
	}
	if got := Resolve("http://a", "x"); got != "http://a/x" {
		t.Error(got)
	}
	if got := Resolve("", "x"); got != "x" {
		t.Error(got)
	}
}

// FuzzResolve: what is resolved against a web address is absolute, stays as it
// is when resolved again, and keeps to the base's host unless it names one.
func FuzzResolve(f *testing.F) {
	f.Add("http://example.org/a/b?c#d", "../x?y#z")
	f.Add("https://example.org", "//other.example/..//./")
	f.Add("http://h/", "javascript:x")
	f.Add("http://h?q/r", "?")
	f.Add("http:///h/../..", "..")
	f.Fuzz(func(t *testing.T, base, ref string) {
		once := Resolve(base, ref)
		if len(ref) <= MaxURL && len(once) > MaxURL+len(base)+2 {
			t.Fatalf("%d bytes of %d", len(once), len(ref))
		}
		if !strings.HasPrefix(base, "http://") && !strings.HasPrefix(base, "https://") || len(ref) > MaxURL {
			return
		}
		if SchemeOf(once) == 0 {
			t.Fatalf("resolve(%q, %q) = %q is not absolute", base, ref, once)
		}
		if again := Resolve(base, once); again != strings.Trim(once, " \t\r\n") {
			t.Fatalf("resolve(%q, %q) = %q, again %q", base, ref, once, again)
		}
		if nb := NewBase(base, ref); SchemeOf(nb) == 0 {
			t.Fatalf("newBase(%q, %q) = %q", base, ref, nb)
		}
	})
}
