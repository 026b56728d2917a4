package feed

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"diurna/reader/plain"

	"github.com/mmcdole/gofeed"
)

// maxSecond is the size up to which a second opinion is asked for: gofeed needs
// a multiple of the document's size in memory.
const maxSecond = 4 << 20

// second asks gofeed about a document in which this package's own parser found
// no feed. first is what that parser said, returned if gofeed knows no better.
func (p *parser) second(text []byte, first error) error {
	if len(text) > maxSecond || tooDeep(text) {
		return first
	}
	f, err := gofeed.NewParser().Parse(bytes.NewReader(forGofeed(text)))
	if err != nil || len(f.Items) == 0 {
		return first
	}
	p.doc.Format = strings.TrimSpace(strings.ToUpper(f.FeedType) + " " + line(f.FeedVersion, 16))
	p.doc.Title = title(f.Title, textGuess)
	p.doc.Link = line(resolve(p.base, f.Link), MaxURL)
	p.doc.Description = title(f.Description, textGuess)
	p.doc.Language = line(f.Language, 64)
	for _, it := range f.Items[:min(len(f.Items), MaxItems)] {
		if it != nil {
			p.doc.Items = append(p.doc.Items, p.fromGofeed(it))
		}
	}
	return nil
}

// forGofeed removes what gofeed stumbles over: everything before the root (it
// looks for the format in the first 4,096 bytes only) and characters XML does
// not allow.
func forGofeed(b []byte) []byte {
	s := scanner{b: b}
	if t, ok := s.next(); ok {
		b = b[t.start:]
	}
	return bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, b)
}

func (p *parser) fromGofeed(g *gofeed.Item) Item {
	d := draft{}
	it := &d.it
	it.IDRaw = g.GUID[:min(len(g.GUID), MaxURL)]
	it.Title = title(g.Title, textGuess)
	it.Link = line(resolve(p.base, g.Link), MaxURL)
	if len(g.Authors) > 0 && g.Authors[0] != nil {
		it.Author = line(g.Authors[0].Name, 256)
	}
	for _, date := range []struct{ key, raw string }{{"published", g.Published}, {"updated", g.Updated}} {
		if date.raw != "" {
			p.dates(&d, element{key: date.key, content: []byte(date.raw[:min(len(date.raw), MaxDate)])})
		}
	}
	for _, e := range g.Enclosures {
		p.addEnclosure(&d, Enclosure{URL: resolve(p.base, e.URL), Type: e.Type})
	}
	for _, c := range g.Categories[:min(len(g.Categories), MaxCategories)] {
		it.Categories = append(it.Categories, line(c, 256))
	}
	it.ContentHTML = plain.HTML(rebase(g.Content, p.base), MaxItem)
	it.SummaryHTML = plain.HTML(rebase(g.Description, p.base), MaxItem)
	if it.ContentHTML == "" {
		it.ContentHTML, it.SummaryHTML = it.SummaryHTML, ""
	}
	it.Words = plain.Words(it.ContentHTML)
	return *it
}
