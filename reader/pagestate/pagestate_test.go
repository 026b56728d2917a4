package pagestate

import (
	"fmt"
	"strings"
	"testing"

	"diurna/reader/page"

	"diurna/reader/align/aligntest"
)

func TestStates(t *testing.T) {
	var b strings.Builder
	b.WriteString("<title>Harbour</title><h1>Harbour</h1>")
	for i := range 40 {
		fmt.Fprintf(&b, "<p>Notice %d says that berth %d is closed on day %d. <a href=/n%d>more</a></p>", i, i*3, i*5, i)
	}
	body := b.String()
	for _, c := range []struct {
		name, body string
		status     int
		o          page.Options
		want       State
	}{
		{"the body", body, 200, page.Options{}, Good},
		{"half new", strings.Replace(body, "berth", "pier", 20), 200, page.Options{}, Good},
		{"emptied list", "<title>Harbour</title><h1>Harbour</h1><p>No notices.</p>", 200, page.Options{}, Good},
		{"404", "<h1>Not here</h1>", 404, page.Options{}, ErrorPage},
		{"500 with the body around it", body, 500, page.Options{}, ErrorPage},
		{"503", "<p>x</p>", 503, page.Options{}, Maintenance},
		{"soft 404", "<title>404 - nothing</title><h1>Oops</h1><p>Go <a href=/>home</a></p>", 200, page.Options{}, ErrorPage},
		{"soft 503", "<title>503</title><p>wait</p>", 200, page.Options{}, Maintenance},
		{"notice in place", "<h1>Wir bauen um</h1><p>Bis morgen.</p>", 200, page.Options{}, Maintenance},
		{"notice in Han", "<h1>維護中</h1><p>請稍後再試</p>", 200, page.Options{}, Maintenance},
		{"captcha", "<form id=challenge-form action=/x><div class=h-captcha></div></form>", 403, page.Options{}, Captcha},
		{"captcha with 200", "<p>One moment</p><script src='https://example.com/recaptcha/api.js'></script>", 200, page.Options{}, Captcha},
		{"captcha in a contact form", body + "<form><div class=g-recaptcha></div></form>", 200, page.Options{}, Good},
		{"empty", "<html><body><script>x</script></body></html>", 200, page.Options{}, Empty},
		{"nothing", "", 200, page.Options{}, Empty},
		{"selector gone", body, 200, page.Options{Select: []string{"#main"}}, DeadSelector},
		{"selector there", body, 200, page.Options{Select: []string{"h1"}}, Good},
	} {
		got, why := Classify(Response{c.status, []byte(c.body)}, []byte(body), c.o)
		if got != c.want || (got != Good) != (why != "") {
			t.Errorf("%s: %s (%s), want %s", c.name, got, why, c.want)
		}
	}
	if got, why := Classify(Response{200, []byte("<h1>A small body</h1><p>with little on it</p>")}, nil, page.Options{}); got != Good {
		t.Errorf("first fetch of a small body: %s (%s)", got, why)
	}
}

// TestFirstFetch: what a first answer is where no page before it tells.
func TestFirstFetch(t *testing.T) {
	for _, c := range []struct {
		body string
		want State
	}{
		{"<title>Just a moment...</title><h1>Checking your browser</h1><p>It takes a moment.</p>", Captcha},
		{"<title>请稍候…</title><p>正在检查</p>", Captcha},
		{"<title>To be continued...</title><h1>Our story</h1><p>Part one. <a href=/2>Next</a></p>", Good},
		{"<title>And then...</title><h1>Our story</h1><p>" + strings.Repeat("The ferry went out and came in. ", 10) + "</p>", Good},
		{"<title>Pier</title><p>Closed today.</p>", Good},
	} {
		if got, why := Classify(Response{200, []byte(c.body)}, nil, page.Options{}); got != c.want {
			t.Errorf("%s: %s (%s), want %s", c.body, got, why, c.want)
		}
	}
}

// TestRealPagesAreGood: no revision of a real page is taken for an error, a
// captcha or a notice.
func TestRealPagesAreGood(t *testing.T) {
	n, good := 0, 0
	for _, p := range aligntest.Pairs(t) {
		if len(p.A) < 1000 {
			continue // a redirect stub
		}
		n++
		if s, why := Classify(Response{200, p.B}, p.A, page.Options{}); s == Good {
			good++
		} else {
			t.Errorf("%s is taken for %s: %s", p.ID, s, why)
		}
	}
	t.Logf("%d of %d real revisions are good", good, n)
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xff\xfe<\x00"), "text/html")
	f.Fuzz(func(t *testing.T, b []byte, ct string) {
		text, _ := page.Decode(b, ct)
		Classify(Response{200, text}, []byte("<p>one</p>"), page.Options{Select: []string{"p"}})
		_, _ = Children("http://example.com/", text, page.Options{}, true)
	})
}

func TestChildren(t *testing.T) {
	body := `<base href="/docs/"><a href="one#x">1</a><a href="one">again</a><a href="https://other.example/two">2</a>
	<a href="mailto:x@example.com">m</a><a href="javascript:x()">j</a><a href="#top">t</a><a href="http://u:p@example.com/">u</a>
	<div class=in><a href="../three?b=1&amp;c=2">3</a></div><a href="">self</a><a href="http://[bad">b</a>`
	for _, c := range []struct {
		o    page.Options
		same bool
		want string
	}{
		{page.Options{}, false, "http://example.com/docs/one https://other.example/two http://example.com/three?b=1&c=2"},
		{page.Options{}, true, "http://example.com/docs/one http://example.com/three?b=1&c=2"},
		{page.Options{Select: []string{".in"}}, true, "http://example.com/three?b=1&c=2"},
	} {
		got, err := Children("http://example.com/page", []byte(body), c.o, c.same)
		if s := strings.Join(got, " "); err != nil || s != c.want {
			t.Errorf("got %q (%v), want %q", s, err, c.want)
		}
	}
}
