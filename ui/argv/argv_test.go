package argv

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// hostile are values that a feed may send.
var hostile = []string{"; touch x", "$(touch x)", "`touch x`", "a\nb; touch x", "-rf", "--help", "-", "\x1b]0;x\a", "%u", "%t %f", "{page}", "'\"\\", "\u009b31m", "a\x00b", ""}

// TestFill: a value is one whole argument where its mark stands alone, and nothing
// elsewhere; it begins no option and has no control characters.
func TestFill(t *testing.T) {
	for _, evil := range hostile {
		v := Values{URL: "https://a.example/?q=" + strings.ReplaceAll(strings.ReplaceAll(evil, "\n", "%0A"), "\x00", ""), Title: evil, Feed: evil}
		v.URL = strings.Map(func(r rune) rune {
			if r < ' ' {
				return -1 // no address at all
			}
			return r
		}, v.URL)
		v.URL = strings.NewReplacer("%u", "", "%t %f", "").Replace(v.URL)
		words := []string{"show", "-t", "%t", "%f", "%u", "%tt", "+%H"}
		argv, filled, err := v.Fill(words)
		if err != nil || !filled || len(argv) != len(words) {
			t.Fatalf("%q: %q, %v, %v", evil, argv, filled, err)
		}
		for i, arg := range argv {
			if strings.ContainsFunc(arg, unicode.IsControl) {
				t.Errorf("%q: control characters in %q", evil, arg)
			}
			if strings.HasPrefix(arg, "-") && words[i] != "-t" {
				t.Errorf("%q became the option %q", evil, arg)
			}
		}
		if argv[5] != "%tt" || argv[6] != "+%H" || !strings.HasPrefix(argv[4], "https://a.example/") {
			t.Errorf("%q: %q", evil, argv)
		}
		for _, set := range v.Environ() {
			if strings.HasPrefix(set, "DIURNA_") && strings.ContainsFunc(set, unicode.IsControl) {
				t.Errorf("%q: %q", evil, set)
			}
		}
	}
	argv, filled, err := Values{Title: "-5 °C; $(x)\nnow"}.Fill([]string{"say", "%t"})
	if want := []string{"say", "−5 °C; $(x) now"}; err != nil || !filled || !slices.Equal(argv, want) {
		t.Errorf("%q, want %q", argv, want)
	}
}

// TestOnlyWebAddresses: anything but http and https is no address.
func TestOnlyWebAddresses(t *testing.T) {
	for _, url := range []string{"", "-", "--help", "javascript:alert(1)", "file:///etc/passwd", "mailto:a@b.example", "http:", "https://", "a.example", "http://a.example/\n-x", "ftp://a.example/", "exec:rm"} {
		if argv, _, err := (Values{URL: url}).Fill([]string{"open", "%u"}); !errors.Is(err, ErrNoAddress) {
			t.Errorf("%q: %q, %v", url, argv, err)
		}
		if env := (Values{URL: url}).Environ(); !slices.Contains(env, "DIURNA_URL=") {
			t.Errorf("%q reaches the environment", url)
		}
	}
	for _, url := range []string{"http://a.example/", "https://a.example/?a=$(x)&b=;`y`"} {
		if argv, _, err := (Values{URL: url}).Fill([]string{"open", "%u"}); err != nil || argv[1] != url {
			t.Errorf("%q: %q, %v", url, argv, err)
		}
	}
	if got := Address("https://a.example/\u009b"); got != "https://a.example/%C2%9B" {
		t.Errorf("%q", got)
	}
}

func TestCheck(t *testing.T) {
	for words, want := range map[string]string{
		"mpv %u":            "",
		"date +%H":          "",
		"sh -c x":           "",
		"":                  "a command needs the name of a program",
		"%u":                "%u cannot be the name of a program",
		"mpv %x":            `"%x" is not a placeholder; use %u, %t, %f`,
		"firefox --url=%u":  `"--url=%u": %u has to be an argument of its own, as in ["firefox", "%u"]`,
		"notify-send %t:%f": `"%t:%f": %t has to be an argument of its own, as in ["notify-send", "%t"]`,
	} {
		got := ""
		if err := Check(strings.Fields(words)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
