package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"
)

var (
	comment   = regexp.MustCompile(`(?s)<!--.*?-->`)
	tagBegin  = regexp.MustCompile(`(?i)</?(?:\w+:)?(?:outline|body|opml)\b`)
	addressIn = regexp.MustCompile(`(?is)\b(xmlurl|type)\s*=\s*["']\s*([^"']*)`)
)

// listed are the addresses of feeds that a list names: of outlines by xmlUrl, but
// for lists of lists, and the first words of a urls file's lines.
func listed(d *document) (all []string) {
	if d.format == "urls" {
		for _, s := range strings.Split(string(d.body), "\n") {
			if s = strings.Trim(strings.TrimSpace(s), `"`); s != "" && s[0] != '#' {
				all = append(all, strings.TrimRight(strings.Fields(s)[0], `"`))
			}
		}
		return all
	}
	// From the beginning of one tag to that of the next: > may stand in a value.
	for _, tag := range tagBegin.Split(string(comment.ReplaceAll(bytes.ReplaceAll(d.body, []byte{0}, nil), nil)), -1) {
		address, kind := "", ""
		for _, m := range addressIn.FindAllStringSubmatch(tag, -1) {
			v := strings.TrimSpace(html.UnescapeString(m[2]))
			if strings.EqualFold(m[1], "type") {
				kind = strings.ToLower(v)
			} else if address == "" {
				address = v
			}
		}
		if address != "" && kind != "include" && kind != "source" {
			all = append(all, address)
		}
	}
	return all
}

// comparable is an address as lists mean it, "" if it is none of the web: what
// import holds for one address twice is one here.
func comparable(s string) string {
	low := strings.ToLower(s)
	switch {
	case strings.HasPrefix(low, "feed:http"):
		s = s[len("feed:"):]
	case strings.HasPrefix(low, "feed://"):
		s = "http" + s[len("feed"):]
	case strings.HasPrefix(s, "//"):
		s = "https:" + s
	case !strings.Contains(s, ":") && strings.Contains(s, "."):
		s = "http://" + s
	}
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	u.Host = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(u.Host), ":80"), ":443")
	u.Scheme, u.Fragment = "http", ""
	return strings.TrimRight(u.String(), "/")
}

// lists imports a list, exports it, and imports and exports that.
func (m *meter) lists(ctx context.Context, d *document, no int) {
	name := fmt.Sprint("list", no)
	file := filepath.Join(m.program.dir, name+".in")
	defer os.Remove(file)
	export := func(library string, doc []byte, args ...string) (out []byte, err error) {
		if err := os.WriteFile(file, doc, 0o600); err != nil {
			return nil, err
		}
		defer os.RemoveAll(filepath.Join(m.program.dir, library))
		if _, err = m.program.run(ctx, library, nil, "import", "--no-fetch", file); err == nil {
			out, err = m.program.run(ctx, library, nil, append([]string{"export"}, args...)...)
		}
		m.failed(d.file, err)
		return out, err
	}
	first, err := export(name+"a", d.body, "--with-secrets")
	want := listed(d)
	have := exported(first)
	m.count(func() { m.imported(d, want, have, err) })
	if err != nil || len(have) == 0 {
		return
	}
	again, _ := export(name+"b", first, "--with-secrets")
	bare, _ := export(name+"c", d.body)
	bareAgain, _ := export(name+"d", bare)
	m.count(func() {
		m.attributesOf(d, first)
		m.trips.count(bytes.Equal(undated(first), undated(again)), d.file)
		m.handed.count(bytes.Equal(undated(bare), undated(bareAgain)) && len(exported(bare)) == len(have), d.file)
	})
}

// imported counts the addresses of a list that were exported again.
func (m *meter) imported(d *document, want, have []string, err error) {
	r := m.outlines
	if d.format == "urls" {
		r = m.lines
	}
	got := map[string]bool{}
	for _, address := range have {
		got[comparable(address)] = true
	}
	for _, address := range want {
		if c := comparable(address); c == "" {
			r.absent["no address of the web: a query, a program, a file"]++
		} else {
			r.count(got[c], fmt.Sprintf("%s: %s (%v)", d.file, address, err))
		}
	}
}

// exported are the addresses of an exported list.
func exported(doc []byte) (all []string) {
	return listed(&document{format: "opml", body: doc})
}

// undated is a list without the date at which it was written.
func undated(doc []byte) []byte {
	return regexp.MustCompile(`<dateCreated>[^<]*`).ReplaceAll(doc, nil)
}

// attributesOf holds the attributes of a list's feeds, as they stand, against those
// that are exported.
func (m *meter) attributesOf(d *document, first []byte) {
	if d.format != "opml" {
		return
	}
	before, after := feedAttributes(bytes.ReplaceAll(d.body, []byte{0}, nil)), feedAttributes(first)
	for address, attrs := range before {
		have, written := after[address]
		if !written {
			m.attributes.absent["of an outline that was not taken"] += len(attrs)
			continue
		}
		for _, a := range attrs {
			ok := slices.ContainsFunc(have, func(h [2]string) bool {
				// Bare quotes end a value for a tokenizer: more than was asked for is no loss.
				return h[0] == a[0] && strings.HasPrefix(h[1], a[1])
			})
			m.attributes.count(ok, fmt.Sprintf("%s: %s: %q, exported %q", d.file, address, a, have))
		}
	}
}

// feedAttributes lists the attributes of the first outline with an address, by it:
// as an HTML tokenizer reads them, which forgives a bare "&".
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
		address := ""
		var attrs [][2]string
		for _, a := range t.Attr {
			v := strings.Join(strings.Fields(a.Val), " ")
			switch {
			case a.Key == "xmlurl":
				address = comparable(v)
			case v == "" || strings.HasPrefix(a.Key, "xmlns") || a.Key == "htmlurl" && comparable(v) == "":
			case a.Key == "htmlurl":
				attrs = append(attrs, [2]string{a.Key, comparable(v)})
			default:
				attrs = append(attrs, [2]string{a.Key, v})
			}
		}
		if _, twice := all[address]; t.Data == "outline" && address != "" && !twice {
			all[address] = attrs
		}
	}
}
