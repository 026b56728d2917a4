package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode/utf32"

	"diurna/reader/feed"
	"diurna/reader/plain"
)

// assertion is one line of the collection's expectations.
type assertion struct {
	File, Kind, Path string
	Expected         any
}

// header finds the response headers that a document of feedparser's tests asks
// to be served with.
var header = regexp.MustCompile(`(?mi)^\s*Header:\s*([A-Za-z-]+):\s*(.*?)\s*$`)

func (m *meter) assertion(a *assertion, body []byte) {
	expr, _ := a.Expected.(string)
	rows := []*Row{}
	var ok bool
	var err error
	switch a.Kind {
	case "feedparser-eval":
		rows = append(rows, m.rows[rowEval])
		switch {
		case strings.Contains(a.Path, "/sanitize/"):
			rows = append(rows, m.rows[rowMarkup])
		case strings.Contains(a.Path, "/base/") || strings.Contains(a.Path, "relative_uri"):
			rows = append(rows, m.rows[rowBase])
		case strings.Contains(a.Path, "/encoding/") || strings.Contains(a.Path, "/chardet/"):
			rows = append(rows, m.rows[rowCoding])
		}
		ok, err = holdsFor(expr, body, "http://127.0.0.1:8097/"+a.Path)
	case "listparser-eval":
		rows = append(rows, m.rows[rowList])
		ok, err = listHolds(expr, body)
	default:
		return
	}
	for _, r := range rows {
		if err != nil {
			r.LeftOut[reason(err)]++
			continue
		}
		r.count(ok, func() string { return fmt.Sprintf("%s: %s", a.File, strings.TrimSpace(expr)) })
	}
}

func reason(err error) string {
	var u unmapped
	if errors.As(err, &u) {
		return "no counterpart: " + u.name
	}
	return err.Error()
}

func holdsFor(expr string, body []byte, url string) (bool, error) {
	in := feed.Input{Body: body, URL: url, Nodes: true}
	for _, h := range header.FindAllSubmatch(body[:min(len(body), 2048)], -1) {
		switch value := string(h[2]); strings.ToLower(string(h[1])) {
		case "content-type":
			in.ContentType = value
		case "content-location":
			in.ContentLocation = value
		case "content-language":
			in.ContentLanguage = value
		}
	}
	doc, err := feed.Parse(in)
	if errors.Is(err, feed.ErrFormat) {
		return false, unmapped{"Channel Definition Format"}
	}
	if err != nil {
		doc = feed.Document{}
	}
	whole := view{doc: &doc, nodes: doc.Nodes}
	return holds(expr, func(name string) (any, error) {
		switch name {
		case "feed":
			return whole, nil
		case "entries":
			all := list{}
			for i := range doc.Items {
				all = append(all, view{doc: &doc, item: &doc.Items[i], nodes: doc.Items[i].Nodes})
			}
			return all, nil
		case "version":
			return version(doc.Format), nil
		case "encoding":
			return encodingOf{doc.Charset, body}, nil
		}
		return nil, unmapped{name}
	})
}

// version is feedparser's short name of a format.
func version(format string) string {
	name, number, _ := strings.Cut(format, " ")
	if name == "RSS" && strings.HasPrefix(number, "2") {
		number = "2.0"
	}
	return strings.ToLower(name) + strings.ReplaceAll(number, ".", "")
}

// encodingOf is the encoding in which a document was read. It is what was
// expected if reading the document so gives the same text.
type encodingOf struct {
	name string
	body []byte
}

func (e encodingOf) means(want string) bool {
	a, known := e.decode(e.name)
	b, too := e.decode(want)
	return known && too && slices.Equal(a, b)
}

func (e encodingOf) decode(label string) ([]byte, bool) {
	label = strings.ToLower(label)
	var enc encoding.Encoding
	switch label {
	case "utf-32be":
		enc = utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	case "utf-32le":
		enc = utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)
	case "utf-8":
		return bytes.TrimPrefix(e.body, []byte("\xef\xbb\xbf")), true
	default:
		if enc, _ = plain.Encoding(label); enc == nil {
			return nil, false
		}
	}
	out, err := enc.NewDecoder().Bytes(e.body)
	return out, err == nil
}
