package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// document is one line of the manifest.
type document struct {
	file, format, sha, publisher string
	body                         []byte
}

// reader reads a document as the program does.
type reader func(ctx context.Context, doc []byte, base, contentType string) (output, error)

// meter counts. Documents are read by several goroutines, and counted by one at a
// time.
type meter struct {
	program program
	read    reader
	mu      sync.Mutex
	crashes []string
	oracles map[string]oracleFeed

	parsed, items, captured, titles, links, ids, dates, cut  *row
	python, sanitising, relative, encodings, fields          *row
	flux, pie, listing, verdicts                             *row
	outlines, attributes, trips, handed, lines, filed, other *row
}

func newMeter(p program) *meter {
	return &meter{program: p, oracles: map[string]oracleFeed{},
		parsed: newRow("documents parsed", 99.9), items: newRow("items found", 0), captured: newRow("items found, real captures", 99.95),
		titles: newRow("titles", 99.8), links: newRow("links", 99.8), ids: newRow("ids", 99.8), dates: newRow("dates", 99.5),
		cut: newRow("complete items of cut feeds", 99.9), python: newRow("feedparser assertions", 95), sanitising: newRow("  of these, sanitising", 0),
		relative: newRow("  of these, relative URLs", 0), encodings: newRow("  of these, encodings", 0), fields: newRow("fields of other parsers' answers", 95),
		flux: newRow("Miniflux assertions", 95), pie: newRow("SimplePie assertions", 95), listing: newRow("listparser assertions", 95),
		verdicts: newRow("verdicts of a validator", 95),
		outlines: newRow("OPML addresses imported", 99.9), attributes: newRow("OPML attributes exported", 99.9),
		trips: newRow("lists that come back with secrets", 100), handed: newRow("lists that come back without", 100),
		lines: newRow("newsboat urls lines imported", 99.9), filed: newRow("documents filed as previewed", 100), other: newRow("other kinds of assertions", 0)}
}

func (m *meter) rows() []*row {
	return []*row{m.parsed, m.items, m.captured, m.titles, m.links, m.ids, m.dates, m.cut, m.python, m.sanitising, m.relative, m.encodings,
		m.fields, m.flux, m.pie, m.listing, m.verdicts, m.outlines, m.attributes, m.trips, m.handed, m.lines, m.filed, m.other}
}

// count runs f alone.
func (m *meter) count(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
}

// failed notes a crash of the program.
func (m *meter) failed(file string, err error) {
	if errors.Is(err, errCrash) {
		m.count(func() { m.crashes = append(m.crashes, fmt.Sprintf("%s: %v", file, err)) })
	}
}

func (m *meter) measure(ctx context.Context, folder string) error {
	docs, err := documents(folder)
	if err != nil {
		return err
	}
	if err := lines(folder, "oracle.jsonl", func(o oracleFeed) { m.oracles[o.Sha] = o }); err != nil {
		return err
	}
	bodies := map[string][]byte{}
	for i := range docs {
		if docs[i].body, err = os.ReadFile(filepath.Join(folder, docs[i].file)); err != nil {
			return err
		}
		bodies[docs[i].file] = docs[i].body
	}
	var asserted []assertion
	if err := lines(folder, "expected.jsonl", func(a assertion) { asserted = append(asserted, a) }); err != nil {
		return err
	}
	together(len(docs), func(i int) { m.document(ctx, &docs[i], i) })
	together(len(asserted), func(i int) {
		a := &asserted[i]
		if body, ok := bodies[a.File]; ok {
			m.assertion(ctx, a, body)
		} else {
			m.count(func() { m.other.absent["the document is not in the folder"]++ })
		}
	})
	return nil
}

// together calls f for 0 to n-1, as many at once as there are processors.
func together(n int, f func(i int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

func (m *meter) document(ctx context.Context, d *document, no int) {
	switch d.format {
	case "rss", "atom", "rdf", "jsonfeed":
		o, err := m.read(ctx, d.body, "http://feed.example/", "")
		m.failed(d.file, err)
		m.count(func() { m.compare(d, &o, err) })
		if err == nil {
			m.cuts(ctx, d, &o)
			m.file(ctx, d, &o, no)
		}
	case "opml", "urls":
		m.lists(ctx, d, no)
	default:
		_, err := m.read(ctx, d.body, "http://feed.example/", "")
		m.failed(d.file, err)
	}
}

// documents reads the manifest.
func documents(folder string) ([]document, error) {
	f, err := os.Open(filepath.Join(folder, "manifest.tsv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	column := map[string]int{}
	var all []document
	for sc.Scan() {
		cells := strings.Split(sc.Text(), "\t")
		if len(column) == 0 {
			for i, name := range cells {
				column[name] = i
			}
			continue
		}
		cell := func(name string) string {
			if i, ok := column[name]; ok && i < len(cells) {
				return cells[i]
			}
			return ""
		}
		all = append(all, document{file: cell("file"), format: cell("format"), sha: cell("sha256"), publisher: cell("publisher")})
	}
	return all, sc.Err()
}

// lines decodes a file of JSON objects, one a line, packed with gzip or not. A
// missing file is an empty one.
func lines[T any](folder, name string, each func(T)) error {
	f, err := os.Open(filepath.Join(folder, name+".gz"))
	if errors.Is(err, fs.ErrNotExist) {
		f, err = os.Open(filepath.Join(folder, name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(f.Name(), ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for dec := json.NewDecoder(in); dec.More(); {
		var v T
		if err := dec.Decode(&v); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		each(v)
	}
	return nil
}
