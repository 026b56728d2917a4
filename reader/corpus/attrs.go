package corpus

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	xhtml "golang.org/x/net/html"

	"diurna/reader/opml"
	"diurna/reader/plain"
)

// attributes holds the attributes of a list's feeds, as they stand, against
// those that are written: nothing a publisher put there may be lost.
func (m *meter) attributes(d *document, l *opml.List) {
	r := m.rows[rowAttrs]
	before := feedAttributes(utf8Of(d.body))
	var b bytes.Buffer
	if err := opml.WriteOPML(&b, *l, time.Unix(0, 0)); err != nil {
		r.count(false, func() string { return err.Error() })
		return
	}
	after := feedAttributes(b.Bytes())
	for address, attrs := range before {
		have, written := after[address]
		if !written {
			r.LeftOut["the outline was refused, with the reason told"] += len(attrs)
			continue
		}
		for _, a := range attrs {
			ok := false
			for _, h := range have {
				// Bare quotes end a value for a tokenizer, not for package opml: more
				// than was asked for is no loss.
				ok = ok || h[0] == a[0] && strings.HasPrefix(h[1], a[1])
			}
			r.count(ok, func() string { return fmt.Sprintf("%s: %s: %v", d.file, address, a) })
		}
	}
}

// feedAttributes lists the attributes of all outlines with an address, by it:
// as an HTML tokenizer reads them, which knows nothing of package opml and
// forgives a bare "&".
func feedAttributes(doc []byte) map[string][][2]string {
	all := map[string][][2]string{}
	z := xhtml.NewTokenizer(bytes.NewReader(doc))
	for {
		switch z.Next() {
		case xhtml.ErrorToken:
			return all
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
		default:
			continue
		}
		t := z.Token()
		if t.Data != "outline" {
			continue
		}
		address := ""
		var attrs [][2]string
		for _, a := range t.Attr {
			v, ok := strings.Join(strings.Fields(plain.Line(a.Val, 0)), " "), true
			switch {
			case a.Key == "xmlurl":
				address, _ = plain.URL(webAddress(v))
				continue
			case v == "" || strings.HasPrefix(a.Key, "xmlns"):
				continue
			case a.Key == "htmlurl":
				if v, ok = plain.URL(v); !ok {
					continue
				}
			case a.Key == "category": // tags come out in their own spelling
				v = strings.Join(strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == '/' || r == ' ' || r == '"' }), " ")
			}
			attrs = append(attrs, [2]string{a.Key, strings.TrimSpace(v)})
		}
		if address != "" {
			all[address] = append(all[address], attrs...)
		}
	}
}
