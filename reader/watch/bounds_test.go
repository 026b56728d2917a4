package watch

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"diurna/reader/align/aligntest"
	"diurna/reader/fetch"
	"diurna/reader/page"
	"diurna/reader/web"
)

// TestTextOfAHugeChange bounds the item that tells of a change.
func TestTextOfAHugeChange(t *testing.T) {
	if testing.Short() {
		t.Skip("megabytes are compared, by one goroutine")
	}
	for _, c := range []struct{ name, a, b string }{
		{"one block", aligntest.OneBlock(1, 4e5), aligntest.OneBlock(2, 4e5)},
		{"moved", "<p>first of all</p><p>" + aligntest.OneBlock(1, 4e5), aligntest.OneBlock(1, 4e5) + "</p><p>first of all"},
		{"paragraphs", strings.ReplaceAll(aligntest.OneBlock(1, 1e5), " ", "<p>"), strings.ReplaceAll(aligntest.OneBlock(2, 1e5), " ", "<p>")},
	} {
		d, err := page.Compare([]byte(c.a), []byte(c.b), page.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(changeHTML(&d)); n > 3*maxText {
			t.Errorf("%s: the item of the change has %d bytes", c.name, n)
		}
		if title := changeTitle(&d); len(title) > 1000 {
			t.Errorf("%s: its title has %d bytes", c.name, len(title))
		}
	}
}

// TestPagesHeldForOthers keeps what was fetched for whoever wants it too, up to
// a bound.
func TestPagesHeldForOthers(t *testing.T) {
	asked := map[string]int{}
	f := fetch.Defaults()
	f.MinHostInterval = 0
	f.Transport = served(func(req *http.Request) string {
		asked[req.URL.Path]++
		n, _ := strconv.Atoi(req.URL.Path[1:])
		return aligntest.OneBlock(uint64(n), 2<<20)
	})
	ps := New(Parts{Web: web.NewClient(fetch.New(f), noSecrets{}), Now: time.Now})
	fl := NewRound()
	ask := func(n int) {
		t.Helper()
		address := fmt.Sprintf("https://pier.example/%d", n)
		if h, ok := fl.page(context.Background(), ps, address, validators{}, false, false); !ok || h.Err != nil {
			t.Fatalf("page %d: %v", n, h.Err)
		}
	}
	for n := range 6 {
		ask(n)
		ask(0)
	}
	held := 0
	for _, f := range fl.by {
		held += len(f.h.Body)
	}
	if held != fl.held || held > maxHeld || held < maxHeld/2 {
		t.Errorf("%d bytes are held, counted %d, of %d", held, fl.held, maxHeld)
	}
	if n := asked["/0"]; n != 1 {
		t.Errorf("the page that is held was asked for %d times", n)
	}
}

// served answers every request with a page.
type served func(req *http.Request) string

func (s served) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: io.NopCloser(strings.NewReader(s(req))), Request: req}, nil
}

// noSecrets is a library of addresses without secrets.
type noSecrets struct{}

func (noSecrets) Reveal(_ context.Context, address string) (string, error) { return address, nil }
func (noSecrets) Secret(string) string                                     { return "" }
