package plain

import (
	"strings"
	"testing"
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

func TestArgument(t *testing.T) {
	for s, want := range map[string]string{
		"https://a.example/~me/feed-1_2.xml,%41@3+:80": "https://a.example/~me/feed-1_2.xml,%41@3+:80",
		"https://a.example/?a=1&b=2":                   "'https://a.example/?a=1&b=2'",
		"x;id":                                         "'x;id'",
		"$(id)":                                        "'$(id)'",
		"`id`":                                         "'`id`'",
		"it's":                                         `'it'\''s'`,
		"two words\nand a line":                        "'two words\nand a line'",
		"~/x":                                          "'~/x'",
		"é":                                            "'é'",
		"http://a.example/?b=1&token=s3cretit's":       "'http://a.example/?b=1&token=…'",
		"http://me:s3cret@a.example/":                  "'http://…@a.example/'",
	} {
		got := Argument(s)
		if got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
		if line := "diurna add " + got + " adds it"; Redact(line) != line {
			t.Errorf("redacted once more: %s", Redact(line))
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
		"https://x.example/?h=0123456789abcdef0123456789abcdef":  "https://x.example/?h=…",
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
		"https://x.example/feed?n=1&sid=a1b2c3d4":                           "https://x.example/feed?n=1",
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

// A secret is what authenticates; what says which feed is meant stays.
func TestSecretNames(t *testing.T) {
	const uuid = "6f1d2c3b-4a59-4e68-9f70-8a1b2c3d4e5f"
	for _, pair := range []string{"user=Reuters", "username=ann", "email=a%40b.example", "uuid=" + uuid, "series_id=" + uuid,
		"channel_id=UC0123456789abcdefABCDEF", "playlist_id=PL0123456789abcdef0123456789abcdef", "id=" + strings.Repeat("1a", 20),
		"u=887c0f4f48db76fd91e20a06d", "xn_auth=no", "author=ann", "author_id=17", "authority=x", "keyword=sea", "keywords=sea,ships",
		"monkey=1x", "sortkey=date", "sort_key=date", "groupKey=week", "passage=12", "compass=north", "signal=9", "design=new", "session_count=0",
		"sid=42", "hash=tag", "code=EN", "s=the+10+best+books+of+2024", "t=12h30", "pinned=yes2", "hockey=nhl7", "tagnames=c%23",
		"v=0123456789abcdef0123456789abcdef", "private=yes", "api_token=", "category=keys"} {
		if in := "https://x.example/feed?" + pair; Redact(in) != in || WithoutSecrets(in) != in {
			t.Errorf("%s is taken for a secret: %s", in, WithoutSecrets(in))
		}
	}
	for _, pair := range []string{"token=abc", "feed_token=x9", "accessToken=x9", "AUTHTOKEN=x9", "key=SEA", "apikey=x9", "api-key=x9", "rssKey=x9", "key2=x9",
		"secret=x", "client_secret=x", "password=sea", "passwd=sea", "pass=sea", "pw=sea", "pwd=sea", "sig=x9", "Signature=x9", "X-Amz-Signature=x9",
		"X-Amz-Credential=x9", "auth=x9", "authkey=x9", "oauth_token=x9", "xn_auth=a7", "session=x9", "PHPSESSID=x9", "jwt=x9", "pin=4711", "otp=123456",
		"private=a1b2c3d4", "hash=a1b2c3d4e5", "code=a1b2c3d4", "sid=a1b2c3d4", "h=0123456789abcdef", "k=0123456789abcdef", "private_key=x9", "p%61ssword=sea"} {
		in := "https://x.example/feed?n=1&" + pair
		if got := WithoutSecrets(in); got != "https://x.example/feed?n=1" {
			t.Errorf("%s is handed on as %s", in, got)
		}
		secretsComeBack(t, in)
		nothingLeft(t, in)
	}
}
