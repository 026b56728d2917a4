package fetch

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

func packed(t testing.TB, with func(io.Writer) io.WriteCloser, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := with(&b)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func toBrotli(w io.Writer) io.WriteCloser  { return brotli.NewWriterLevel(w, 5) }
func toDeflate(w io.Writer) io.WriteCloser { z, _ := flate.NewWriter(w, 6); return z }
func toZlib(w io.Writer) io.WriteCloser    { return zlib.NewWriter(w) }
func toZstd(w io.Writer) io.WriteCloser {
	z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	return z
}

// text is n bytes that pack about four to one.
func text(n int) []byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, "<item><title>Tide %d at %x</title></item>\n", rnd.IntN(100), rnd.Uint32())
	}
	return b.Bytes()[:n]
}

func TestEncodings(t *testing.T) {
	body := text(90 << 10)
	g := gz(t, body)
	for _, tc := range []struct {
		name, header string
		wire         []byte
	}{
		{"plain", "", body},
		{"identity", "identity", body},
		{"gzip", "gzip", g},
		{"x-gzip", "X-GZip", g},
		{"gzip unannounced", "", g},
		{"gzip announced only", "gzip", body},
		{"gzip and zeros", "gzip", append(bytes.Clone(g), make([]byte, 512)...)},
		{"gzip and text", "gzip", append(bytes.Clone(g), "\r\n<!-- cached -->\r\n"...)},
		{"gzip in two members", "gzip", append(gz(t, body[:1000]), gz(t, body[1000:])...)},
		{"brotli", "br", packed(t, toBrotli, body)},
		{"zstd", "zstd", packed(t, toZstd, body)},
		{"zstd unannounced", "", packed(t, toZstd, body)},
		{"zstd announced only", "zstd", body},
		{"deflate", "deflate", packed(t, toZlib, body)},
		{"deflate, bare", "deflate", packed(t, toDeflate, body)},
		{"twice", "gzip, br", packed(t, toBrotli, g)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header()["Content-Type"] = nil
				if tc.header != "" {
					w.Header().Set("Content-Encoding", tc.header)
				}
				_, _ = w.Write(tc.wire)
			})
			c := client(t, free())
			for range 3 { // the second and third time from the pools
				res := get(t, c, Request{URL: s.URL})
				if !bytes.Equal(res.Body, body) || res.WireBytes != int64(len(tc.wire)) {
					t.Fatalf("got %d bytes of %d, %d on the wire", len(res.Body), len(body), res.WireBytes)
				}
				if cap(res.Body) > len(body)*5/4+4096 {
					t.Errorf("%d bytes held for %d", cap(res.Body), len(body))
				}
				clear(res.Body) // the caller's to keep: it must not be the pool's
			}
		})
	}
}

func TestBrokenEncodings(t *testing.T) {
	body := text(90 << 10)
	g := gz(t, body)
	flipped := bytes.Clone(g)
	flipped[len(g)/2] ^= 0xff
	for _, tc := range []struct {
		name, header string
		wire         []byte
		kind         Kind
		least        int
	}{
		{"unknown", "compress", body, KindEncoding, 0},
		{"unknown with escapes", "\x9b31mred", body, KindEncoding, 0},
		{"three times", "gzip, gzip, gzip", g, KindEncoding, 0},
		{"gzip cut", "gzip", g[:len(g)/2], KindCutShort, 30 << 10},
		{"brotli cut", "br", packed(t, toBrotli, body)[:9000], KindCutShort, 0},
		{"zstd cut", "zstd", packed(t, toZstd, body)[:9000], KindCutShort, 0},
		{"gzip flipped", "gzip", flipped, KindEncoding, 0},
		{"brotli of nonsense", "br", body, KindEncoding, 0},
		{"deflate of nonsense", "deflate", bytes.Repeat([]byte{0xff}, 100), KindEncoding, 0},
		{"gzip header only", "gzip", g[:5], KindCutShort, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var p pools
			got, err := p.unpack([]string{tc.header}, tc.wire, Defaults().Limits, false)
			if err == nil || err.Kind != tc.kind {
				t.Fatalf("got %v, want kind %q", err, tc.kind)
			}
			if len(got) < tc.least || !bytes.HasPrefix(body, got) {
				t.Errorf("%d bytes of the beginning, want %d", len(got), tc.least)
			}
			if strings.Contains(err.Error(), "\x9b") {
				t.Errorf("the server's bytes are in %q", err)
			}
		})
	}
	var p pools
	if got, err := p.unpack([]string{"gzip"}, nil, Defaults().Limits, false); err != nil || len(got) != 0 {
		t.Errorf("an empty body: %q, %v", got, err)
	}
}

// TestBombs: what packs well must not unpack without bounds, in any packing, and
// must not cost memory on the way.
func TestBombs(t *testing.T) {
	zeros := make([]byte, 3<<20)
	once := gz(t, zeros)
	limits := Defaults().Limits
	limits.Decoded, limits.RatioFrom = 1<<20, 128<<10
	for _, tc := range []struct {
		name, header string
		wire         []byte
		kind         Kind
	}{
		{"gzip", "gzip", once, KindBomb},
		{"gzip unannounced", "", once, KindBomb},
		{"brotli", "br", packed(t, toBrotli, zeros), KindBomb},
		{"zstd", "zstd", packed(t, toZstd, zeros), KindBomb},
		{"deflate", "deflate", packed(t, toZlib, zeros), KindBomb},
		{"gzip twice", "gzip, gzip", gz(t, once), KindBomb},
		{"many members", "gzip", bytes.Repeat(gz(t, zeros[:128<<10]), 40), KindBomb},
		{"large, packed fairly", "gzip", gz(t, text(1<<20+1)), KindTooLarge},
	} {
		var p pools
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := p.unpack([]string{tc.header}, tc.wire, limits, false)
		runtime.ReadMemStats(&after)
		if err == nil || err.Kind != tc.kind || got != nil {
			t.Errorf("%s: got %d bytes, %v; want kind %q", tc.name, len(got), err, tc.kind)
		}
		if cost := (after.TotalAlloc - before.TotalAlloc) >> 20; cost > 16 {
			t.Errorf("%s: %d MB allocated", tc.name, cost)
		}
	}
	var p pools
	if got, err := p.unpack(nil, gz(t, make([]byte, 20<<20)), Defaults().Limits, false); err == nil || err.Kind != KindBomb {
		t.Errorf("20 MB of zeros by the default limits: %d bytes, %v", len(got), err)
	}
	small := gz(t, zeros[:1<<20]) // 1,000:1, but small enough to be harmless
	if got, err := p.unpack([]string{"gzip"}, small, Defaults().Limits, false); err != nil || len(got) != 1<<20 {
		t.Errorf("1 MB of zeros: %d bytes, %v", len(got), err)
	}
}

func FuzzUnpack(f *testing.F) {
	body := text(2000)
	f.Add("gzip", gz(f, body))
	f.Add("br", packed(f, toBrotli, body))
	f.Add("zstd", packed(f, toZstd, body))
	f.Add("deflate, gzip", packed(f, toZlib, body))
	limits := Limits{Decoded: 1 << 20, Ratio: 100, RatioFrom: 64 << 10}
	f.Fuzz(func(t *testing.T, header string, wire []byte) {
		var p pools
		got, err := p.unpack([]string{header}, wire, limits, len(wire)%2 == 0)
		if int64(len(got)) > limits.Decoded {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
}

func BenchmarkUnpackGzip(b *testing.B) {
	body := text(88 << 10)
	wire := gz(b, body)
	var p pools
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if got, err := p.unpack([]string{"gzip"}, wire, Defaults().Limits, false); err != nil || len(got) != len(body) {
			b.Fatal(err)
		}
	}
}
