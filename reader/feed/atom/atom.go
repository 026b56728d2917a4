// Package atom writes items as Atom 1.0 (RFC 4287).
package atom

import (
	"encoding/xml"
	"io"
	"iter"
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

type atomText struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

type atomLink struct {
	Rel    string `xml:"rel,attr"`
	Href   string `xml:"href,attr"`
	Type   string `xml:"type,attr,omitempty"`
	Title  string `xml:"title,attr,omitempty"`
	Length int64  `xml:"length,attr,omitempty"`
}

type atomName struct {
	Name string `xml:"name"`
}

type atomTerm struct {
	Term string `xml:"term,attr"`
}

type atomSource struct {
	ID    string   `xml:"id"`
	Title atomText `xml:"title"`
}

type atomEntry struct {
	XMLName    xml.Name    `xml:"entry"`
	ID         string      `xml:"id"`
	Title      atomText    `xml:"title"`
	Links      []atomLink  `xml:"link"`
	Published  string      `xml:"published,omitempty"`
	Updated    string      `xml:"updated"`
	Author     *atomName   `xml:"author"`
	Categories []atomTerm  `xml:"category"`
	Source     *atomSource `xml:"source"`
	Summary    *atomText   `xml:"summary"`
	Content    *atomText   `xml:"content"`
}

// Write writes a feed as Atom 1.0 (RFC 4287), entry by entry: equal
// arguments give equal bytes. All text is sanitised and bounded again, links
// that are not http or https are left out, and times are in UTC, to the second.
// The error is that of w or the first of entries; what was written by then is
// not a whole document.
func Write(w io.Writer, h Head, entries iter.Seq2[Entry, error]) error {
	if _, err := io.WriteString(w, xmlHead); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	root := xml.StartElement{Name: xml.Name{Local: "feed"}, Attr: []xml.Attr{{Name: xml.Name{Local: "xmlns"}, Value: atomSpace}}}
	if err := e.EncodeToken(root); err != nil {
		return err
	}
	if err := encodeHead(e, h); err != nil {
		return err
	}
	for it, err := range entries {
		if err == nil {
			err = e.Encode(entryOf(&it))
		}
		if err != nil {
			return err
		}
	}
	if err := e.EncodeToken(root.End()); err != nil {
		return err
	}
	if err := e.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func encodeHead(e *xml.Encoder, h Head) error {
	for _, field := range []struct {
		name  string
		value any
	}{
		{"id", h.ID},
		{"title", atomText{"text", plain.Line(h.Title, feed.MaxTitle)}},
		{"updated", atomTime(h.Updated)},
		{"author", atomName{plain.Line(h.Author, feed.MaxTitle)}},
		{"generator", "diurna"},
	} {
		if err := e.EncodeElement(field.value, xml.StartElement{Name: xml.Name{Local: field.name}}); err != nil {
			return err
		}
	}
	return nil
}

func entryOf(it *Entry) *atomEntry {
	out := &atomEntry{ID: it.ID, Title: atomText{"text", plain.Line(it.Title, feed.MaxTitle)}}
	if href, ok := plain.URL(it.Link); ok {
		out.Links = append(out.Links, atomLink{Rel: "alternate", Href: href})
	}
	for _, f := range it.Enclosures[:min(len(it.Enclosures), feed.MaxEnclosures)] {
		if href, ok := plain.URL(f.URL); ok {
			out.Links = append(out.Links, atomLink{"enclosure", href, plain.Line(f.Type, feed.MaxTitle), plain.Line(f.Title, feed.MaxTitle), max(f.Length, 0)})
		}
	}
	if !it.Published.IsZero() {
		out.Published = atomTime(it.Published)
	}
	out.Updated = atomTime(it.Updated)
	if name := plain.Line(it.Author, feed.MaxTitle); name != "" {
		out.Author = &atomName{name}
	}
	for _, c := range it.Categories[:min(len(it.Categories), feed.MaxCategories)] {
		if c = plain.Line(c, feed.MaxTitle); c != "" {
			out.Categories = append(out.Categories, atomTerm{c})
		}
	}
	if it.SourceID != "" {
		out.Source = &atomSource{it.SourceID, atomText{"text", plain.Line(it.Source, feed.MaxTitle)}}
	}
	if s := changedText(it.SummaryHTML); s != "" {
		out.Summary = &atomText{"text", s}
	}
	if s := strings.TrimSpace(plain.HTML(it.ContentHTML, feed.MaxItem)); s != "" {
		out.Content = &atomText{"html", s}
	}
	return out
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
