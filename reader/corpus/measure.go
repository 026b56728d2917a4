package corpus

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
	"strings"

	"diurna/reader/feed"
)

// document is one line of the manifest.
type document struct {
	file, category, format, sha, publisher string
	body                                   []byte
}

// documents reads the manifest.
func documents(root *os.Root) ([]document, error) {
	f, err := root.Open("manifest.tsv")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoCorpus
	}
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
		all = append(all, document{file: cell("file"), category: cell("category"), format: cell("format"), sha: cell("sha256"), publisher: cell("publisher")})
	}
	return all, sc.Err()
}

// lines decodes a file of JSON objects, one a line, packed with gzip or not. A
// missing file is an empty one.
func lines[T any](root *os.Root, name string, each func(T)) error {
	f, err := root.Open(name + ".gz")
	if errors.Is(err, fs.ErrNotExist) {
		f, err = root.Open(name)
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

// meter counts while documents are read.
type meter struct {
	report  *Report
	rows    map[string]*Row
	order   []string
	oracles map[string]oracleFeed
	charset string // of the document being compared, where it does not name one
}

// row gives the row of a name; the first call says what is promised.
func (m *meter) row(name string, asked float64) *Row {
	r := m.rows[name]
	if r == nil {
		r = &Row{Name: name, Asked: asked, LeftOut: map[string]int{}, Misses: []string{}}
		m.rows[name] = r
		m.order = append(m.order, name)
	}
	return r
}

func (r *Row) count(ok bool, miss func() string) {
	r.Of++
	if ok {
		r.OK++
	} else {
		r.Misses = append(r.Misses, miss())
	}
}

// guarded runs what reads one file; a panic in it is a finding.
func (m *meter) guarded(file string, f func()) {
	defer func() {
		if v := recover(); v != nil {
			m.report.Panics = append(m.report.Panics, fmt.Sprintf("%s: %v", file, v))
		}
	}()
	f()
}

func measure(ctx context.Context, dir string, progress func(done, all int)) (Report, error) {
	rep := Report{Panics: []string{}}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return rep, ErrNoCorpus
	}
	if err != nil {
		return rep, err
	}
	defer root.Close()
	docs, err := documents(root)
	if err != nil {
		return rep, err
	}
	m := &meter{report: &rep, rows: map[string]*Row{}, oracles: map[string]oracleFeed{}}
	if err := lines(root, "oracle.jsonl", func(o oracleFeed) { m.oracles[o.Sha] = o }); err != nil {
		return rep, err
	}
	m.promises()
	bodies := map[string][]byte{}
	for i := range docs {
		if err := ctx.Err(); err != nil {
			return rep, err
		}
		if progress != nil && i%64 == 0 {
			progress(i, len(docs))
		}
		d := &docs[i]
		if d.body, err = root.ReadFile(d.file); err != nil {
			return rep, err
		}
		bodies[d.file] = d.body
		m.guarded(d.file, func() { m.document(d) })
		rep.Files++
	}
	err = lines(root, "expected.jsonl", func(a assertion) {
		if body, ok := bodies[a.File]; ok {
			m.guarded(a.File, func() { m.assertion(&a, body) })
		}
	})
	for _, name := range m.order {
		rep.Rows = append(rep.Rows, *m.rows[name])
	}
	return rep, err
}

// Names of the rows.
const (
	rowParsed = "documents parsed"
	rowItems  = "items found"
	rowReal   = "items found, real captures"
	rowTitle  = "titles"
	rowLink   = "links"
	rowID     = "ids"
	rowDate   = "dates"
	rowEval   = "feedparser assertions"
	rowMarkup = "feedparser, sanitising"
	rowBase   = "feedparser, relative URLs"
	rowCoding = "feedparser, encodings"
	rowCut    = "complete items of cut feeds"
	rowOPML   = "OPML outlines with a feed URL"
	rowRound  = "OPML round trips"
	rowAttrs  = "OPML attributes kept"
	rowList   = "listparser assertions"
	rowURLs   = "newsboat urls lines"
)

// promises puts the rows in order, with what is promised of each.
func (m *meter) promises() {
	for _, p := range []struct {
		name  string
		asked float64
	}{{rowParsed, 99.5}, {rowItems, 0}, {rowReal, 99.9}, {rowTitle, 99.8}, {rowLink, 99.8}, {rowID, 99.5}, {rowDate, 99.5}, {rowEval, 92},
		{rowMarkup, 0}, {rowBase, 95}, {rowCoding, 0}, {rowCut, 99.9}, {rowOPML, 100}, {rowRound, 100}, {rowAttrs, 100}, {rowList, 95}, {rowURLs, 100}} {
		m.row(p.name, p.asked)
	}
}

// document reads one document for what its format is good for.
func (m *meter) document(d *document) {
	switch d.format {
	case "rss", "atom", "rdf", "jsonfeed":
		m.compare(d)
		m.cut(d)
	case "opml":
		m.opml(d)
	case "urls":
		m.urls(d)
	default:
		_, _ = feed.Parse(feed.Input{Body: d.body}) // for its panics
		feed.Discover(d.body, "http://example.org/")
	}
}
