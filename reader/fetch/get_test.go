package fetch

import (
	"maps"
	"net/http"
	"slices"
	"testing"
)

func TestGetUnpacksAndKeepsValidators(t *testing.T) {
	const feed = "<rss><channel><title>Tides</title></channel></rss>"
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "application/rss+xml; charset=utf-8")
		w.Header().Set("ETag", `W/"odd ,\ one"`)
		w.Header().Set("Last-Modified", "Sat, 1 Nov 2026 7:00 +0100")
		w.Header().Set("Content-Location", "tides.en.xml")
		_, _ = w.Write(gz(t, []byte(feed)))
	})
	res := get(t, client(t, free()), Request{URL: s.URL + "/a/tides"})
	if string(res.Body) != feed || res.Status != 200 || res.URL != s.URL+"/a/tides" {
		t.Errorf("got %d %s %q", res.Status, res.URL, res.Body)
	}
	if res.ETag != `W/"odd ,\ one"` || res.LastModified != "Sat, 1 Nov 2026 7:00 +0100" {
		t.Errorf("validators changed: %q %q", res.ETag, res.LastModified)
	}
	if res.ContentLocation != s.URL+"/a/tides.en.xml" || res.ContentType != "application/rss+xml; charset=utf-8" {
		t.Errorf("got %q %q", res.ContentLocation, res.ContentType)
	}
	if want := int64(len(gz(t, []byte(feed)))); res.WireBytes != want || res.Took <= 0 {
		t.Errorf("got %d wire bytes in %v, want %d", res.WireBytes, res.Took, want)
	}
}

// TestHeaderSet holds the exact set of headers: nothing may be added unseen.
func TestHeaderSet(t *testing.T) {
	var log requestLog
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { log.add(r) })
	o := free()
	o.UserAgent = "diurna/0.1 (+https://diurna.example)"
	get(t, client(t, o), Request{URL: s.URL + "/f?b=2&a=1#part", ETag: `"1"`, LastModified: "x", ValidatorsFor: s.URL + "/other"})
	r := log.all()[0]
	names := slices.Sorted(maps.Keys(r.Header))
	if want := []string{"Accept", "Accept-Encoding", "User-Agent"}; !slices.Equal(names, want) {
		t.Errorf("headers %v, want %v", names, want)
	}
	if r.Method != "GET" || r.RequestURI != "/f?b=2&a=1" || r.Header.Get("User-Agent") != o.UserAgent {
		t.Errorf("%s %s %s", r.Method, r.RequestURI, r.Header.Get("User-Agent"))
	}
}
