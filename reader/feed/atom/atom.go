// Package atom writes items as Atom 1.0 (RFC 4287).
package atom

import (
	"bytes"
	"encoding/xml"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"diurna/reader/feed"
	"diurna/reader/plain"
)

const (
	atomSpace = "http://www.w3.org/2005/Atom"
	xmlHead   = `<?xml version="1.0" encoding="utf-8"?>` + "\n"
)

// Head describes a feed that is written.
type Head struct {
	ID      string // an absolute URI that never changes
	Title   string
	Author  string    // of the entries that name none
	Updated time.Time // of the newest entry; zero: 1970
}

// Entry is an item as it is written. Of feed.Entry, Write reads Title, Link,
// Author, Published, Updated, Categories, Enclosures, ContentHTML and
// SummaryHTML; the last is written as plain text, with [-…-] around what is in
// <del> and {+…+} around what is in <ins>.
type Entry struct {
	feed.Entry
	ID       string // an absolute URI that never changes
	Source   string // title of the feed that the item came from
	SourceID string // the URI of that feed; "": not said
}

// Write writes a feed as Atom 1.0 (RFC 4287), entry by entry: equal
// arguments give equal bytes. All text is sanitised and bounded again, links
// that are not http or https are left out, and times are in UTC, to the second.
// The error is that of w or the first of entries; what was written by then is
// not a whole document.
func Write(w io.Writer, h Head, entries iter.Seq2[Entry, error]) error {
	var d document
	d.WriteString(xmlHead)
	d.begin("feed", "xmlns", atomSpace)
	d.element("id", h.ID)
	d.element("title", plain.Line(h.Title, feed.MaxTitle), "type", "text")
	d.element("updated", atomTime(h.Updated))
	d.author(plain.Line(h.Author, feed.MaxTitle))
	d.element("generator", "diurna")
	for it, err := range entries {
		if err != nil {
			return err
		}
		d.entry(&it)
		if _, err := d.WriteTo(w); err != nil {
			return err
		}
	}
	d.end("feed")
	d.WriteByte('\n')
	_, err := d.WriteTo(w)
	return err
}

// document is XML with two blanks for each element that is open.
type document struct {
	bytes.Buffer
	depth int
}

// tag begins an element. attrs are names and values; one without a value is left out.
func (d *document) tag(name string, attrs []string) {
	if d.depth > 0 {
		d.WriteString("\n" + strings.Repeat("  ", d.depth))
	}
	d.WriteString("<" + name)
	for i := 0; i < len(attrs); i += 2 {
		if attrs[i+1] != "" {
			d.WriteString(" " + attrs[i] + `="`)
			d.text(attrs[i+1])
			d.WriteByte('"')
		}
	}
	d.WriteByte('>')
}

func (d *document) text(s string) { _ = xml.EscapeText(d, []byte(s)) } // a Buffer takes everything

// begin begins an element that has others in it.
func (d *document) begin(name string, attrs ...string) {
	d.tag(name, attrs)
	d.depth++
}

func (d *document) end(name string) {
	d.depth--
	d.WriteString("\n" + strings.Repeat("  ", d.depth) + "</" + name + ">")
}

// element writes one that has only text in it.
func (d *document) element(name, text string, attrs ...string) {
	d.tag(name, attrs)
	d.text(text)
	d.WriteString("</" + name + ">")
}

func (d *document) author(name string) {
	d.begin("author")
	d.element("name", name)
	d.end("author")
}

func (d *document) entry(it *Entry) {
	d.begin("entry")
	d.element("id", it.ID)
	d.element("title", plain.Line(it.Title, feed.MaxTitle), "type", "text")
	if href, ok := plain.URL(it.Link); ok {
		d.element("link", "", "rel", "alternate", "href", href)
	}
	for _, f := range it.Enclosures[:min(len(it.Enclosures), feed.MaxEnclosures)] {
		if href, ok := plain.URL(f.URL); ok {
			length := ""
			if f.Length > 0 {
				length = strconv.FormatInt(f.Length, 10)
			}
			d.element("link", "", "rel", "enclosure", "href", href, "type", plain.Line(f.Type, feed.MaxTitle), "title", plain.Line(f.Title, feed.MaxTitle), "length", length)
		}
	}
	if !it.Published.IsZero() {
		d.element("published", atomTime(it.Published))
	}
	d.element("updated", atomTime(it.Updated))
	if name := plain.Line(it.Author, feed.MaxTitle); name != "" {
		d.author(name)
	}
	for _, c := range it.Categories[:min(len(it.Categories), feed.MaxCategories)] {
		if c = plain.Line(c, feed.MaxTitle); c != "" {
			d.element("category", "", "term", c)
		}
	}
	if it.SourceID != "" {
		d.begin("source")
		d.element("id", it.SourceID)
		d.element("title", plain.Line(it.Source, feed.MaxTitle), "type", "text")
		d.end("source")
	}
	if s := changedText(it.SummaryHTML); s != "" {
		d.element("summary", s, "type", "text")
	}
	if s := strings.TrimSpace(plain.HTML(it.ContentHTML, feed.MaxItem)); s != "" {
		d.element("content", s, "type", "html")
	}
	d.end("entry")
}

// changeMarks are the brackets that diff prints around changed words, for
// readers that show no markup.
var changeMarks = strings.NewReplacer("</del><ins>", "-] {+", "<del>", "[-", "</del>", "-]", "<ins>", "{+", "</ins>", "+}")

func changedText(html string) string {
	return strings.TrimSpace(plain.FromHTML(changeMarks.Replace(html), feed.MaxItem))
}

// atomTime is a time to the second as RFC 3339 has it; that has no other years
// than those from 0 to 9999.
func atomTime(t time.Time) string {
	if t = t.UTC(); t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		t = time.Unix(0, 0).UTC()
	}
	return t.Format(time.RFC3339)
}
