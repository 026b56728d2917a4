package fetch

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"sync"
	"testing"
)

// publishes gives wire as a gzip feed with an ETag.
func publishes(wire []byte) *http.Server {
	return &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") == `"1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Length", strconv.Itoa(len(wire)))
		_, _ = w.Write(wire)
	})}
}

// benchFetch fetches from a loopback publisher of 88 KB feeds with 32 workers, the
// etiquette lifted; with plain it does so with net/http alone, the floor.
func benchFetch(b *testing.B, warm, plain bool) {
	body := text(88 << 10)
	s := publishes(gz(b, body))
	address, stop := listen(b, s)
	defer stop()
	o := free()
	o.PerHost = 32
	c := New(o)
	defer c.Close()
	floor := &http.Transport{MaxIdleConnsPerHost: 32, MaxConnsPerHost: 32}
	defer floor.CloseIdleConnections()
	get := func(url string) (int, error) {
		if !plain {
			r := Request{URL: url}
			if warm {
				r.ETag, r.ValidatorsFor = `"1"`, url
			}
			res, err := c.Get(b.Context(), r)
			return len(res.Body), err
		}
		req, _ := http.NewRequestWithContext(b.Context(), http.MethodGet, url, nil)
		if warm {
			req.Header.Set("If-None-Match", `"1"`)
		}
		resp, err := (&http.Client{Transport: floor}).Do(req)
		if err != nil {
			return 0, err
		}
		defer func() { _ = resp.Body.Close() }()
		var buf bytes.Buffer
		n, err := io.Copy(&buf, resp.Body)
		return int(n), err
	}
	want := len(body)
	if warm {
		want = 0
	}
	b.ReportAllocs()
	b.ResetTimer()
	jobs := make(chan int, 32)
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			for i := range jobs {
				if n, err := get(address + "/feed/" + strconv.Itoa(i)); err != nil || n != want {
					b.Error(n, err)
				}
			}
		})
	}
	for i := range b.N {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
}

func BenchmarkGetCold(b *testing.B)     { benchFetch(b, false, false) }
func BenchmarkGetWarm(b *testing.B)     { benchFetch(b, true, false) }
func BenchmarkFloorCold(b *testing.B)   { benchFetch(b, false, true) }
func BenchmarkFloorNotMod(b *testing.B) { benchFetch(b, true, true) }
