package corpus

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"diurna/reader/opml"
	"diurna/reader/plain"
)

// attributes holds the attributes of a list's feeds, as package xml reads them,
// against those that are written: nothing a publisher put there may be lost.
func (m *meter) attributes(d *document, l *opml.List) {
	r := m.rows[rowAttrs]
	before, err := feedAttributes(d.body)
	if err != nil {
		r.LeftOut["lists that package xml cannot read"]++
		return
	}
	var b bytes.Buffer
	if err := opml.WriteOPML(&b, *l, time.Unix(0, 0)); err != nil {
		r.count(false, func() string { return err.Error() })
		return
	}
	after, err := feedAttributes(b.Bytes())
	if err != nil {
		r.count(false, func() string { return d.file + ": " + err.Error() })
		return
	}
	for address, attrs := range before {
		have, written := after[address]
		if !written {
			continue // refused: counted elsewhere
		}
		for _, a := range attrs {
			ok := false
			for _, h := range have {
				ok = ok || h == a
			}
			r.count(ok, func() string { return fmt.Sprintf("%s: %s: %v", d.file, address, a) })
		}
	}
}

// feedAttributes lists the attributes of all outlines with an address, by it.
func feedAttributes(doc []byte) (map[string][][2]string, error) {
	all := map[string][][2]string{}
	dec := xml.NewDecoder(bytes.NewReader(doc))
	for {
		t, err := dec.Token()
		if err != nil {
			if err.Error() == "EOF" {
				err = nil
			}
			return all, err
		}
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "outline" {
			continue
		}
		address := ""
		var attrs [][2]string
		for _, a := range e.Attr {
			v := strings.Join(strings.Fields(plain.Line(a.Value, 0)), " ")
			switch low := strings.ToLower(a.Name.Local); {
			case low == "xmlurl":
				address, _ = plain.URL(webAddress(v))
				continue
			case v == "" || a.Name.Space == "xmlns" || a.Name.Local == "xmlns":
				continue
			case low == "htmlurl":
				if v, ok = plain.URL(v); !ok {
					continue
				}
			case low == "category": // tags come out in their own spelling
				v = strings.Join(strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == '/' || r == ' ' || r == '"' }), " ")
			}
			attrs = append(attrs, [2]string{strings.ToLower(a.Name.Space + " " + a.Name.Local), strings.TrimSpace(v)})
		}
		if address != "" {
			all[address] = append(all[address], attrs...)
		}
	}
}
