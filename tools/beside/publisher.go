package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

const itemsPerFeed = 20

// publisher serves feeds on 127.0.0.1, packed where that is asked for, and
// answers "not changed" to those who send what they were given.
type publisher struct {
	urls     []string
	server   *http.Server
	requests atomic.Int64
	bytes    atomic.Int64
}

type document struct {
	plain, packed []byte
	tag           string
}

func publish(feeds int) (*publisher, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	docs := make(map[string]document, feeds)
	p := &publisher{}
	for i := range feeds {
		path := fmt.Sprintf("/feed%d.xml", i)
		docs[path] = newDocument(i)
		p.urls = append(p.urls, "http://"+listener.Addr().String()+path)
	}
	p.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.requests.Add(1)
		doc, ok := docs[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", doc.tag)
		if r.Header.Get("If-None-Match") == doc.tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", "application/rss+xml")
		body := doc.plain
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			body = doc.packed
		}
		n, _ := w.Write(body)
		p.bytes.Add(int64(n))
	})}
	go p.server.Serve(listener)
	return p, nil
}

func (p *publisher) close() { p.server.Close() }

func (p *publisher) reset() { p.requests.Store(0); p.bytes.Store(0) }

func (p *publisher) seen() (requests, bytes int64) { return p.requests.Load(), p.bytes.Load() }

// newDocument is feed i, the same in every run: RSS 2.0 with itemsPerFeed items
// of about 300 invented words.
func newDocument(i int) document {
	random := rand.New(rand.NewPCG(1, uint64(i)))
	word := func() string {
		b := make([]byte, 2+random.IntN(8))
		for k := range b {
			b[k] = "aeiouthnsrldbmpk"[random.IntN(16)]
		}
		return string(b)
	}
	var doc bytes.Buffer
	fmt.Fprintf(&doc, "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>Feed %d</title><link>http://feed%d.example/</link><description>%s</description>\n", i, i, word())
	when := time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)
	for k := range itemsPerFeed {
		fmt.Fprintf(&doc, "<item><title>%s %s %s %s</title><link>http://feed%d.example/%d</link><guid>http://feed%d.example/%d</guid><pubDate>%s</pubDate><description>&lt;p&gt;",
			word(), word(), word(), word(), i, k, i, k, when.Add(time.Duration(k)*11*time.Hour).Format(time.RFC1123Z))
		for range 300 {
			doc.WriteString(word())
			doc.WriteByte(' ')
		}
		doc.WriteString("&lt;/p&gt;</description></item>\n")
	}
	doc.WriteString("</channel></rss>\n")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(doc.Bytes())
	z.Close()
	sum := fnv.New64a()
	sum.Write(doc.Bytes())
	return document{plain: doc.Bytes(), packed: packed.Bytes(), tag: fmt.Sprintf("%q", fmt.Sprintf("%x", sum.Sum64()))}
}
