package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"reflect"
	"regexp"
	"strings"
	"time"

	"diurna/reader/feed"
	"diurna/reader/opml"
	"diurna/reader/plain"
)

var (
	comment   = regexp.MustCompile(`(?s)<!--.*?-->`)
	tagBegin  = regexp.MustCompile(`(?i)</?(?:\w+:)?(?:outline|body|opml)\b`)
	addressIn = regexp.MustCompile(`(?is)\b(xmlurl|type)\s*=\s*["']\s*([^"']*)`)
)

// outlines lists, independently of the parser, the addresses of outlines that
// name a feed: by xmlUrl, but for lists of lists, whose outlines bear it too.
func outlines(doc []byte) []string {
	var all []string
	// From the beginning of one tag to that of the next: > may stand in a value.
	for _, tag := range tagBegin.Split(string(comment.ReplaceAll(doc, nil)), -1) {
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

// opml counts the outlines with a feed's address that became feeds, and whether
// a list that is written and read again is the same.
func (m *meter) opml(d *document) {
	l, err := opml.ParseOPML(d.body)
	r := m.rows[rowOPML]
	have, refused := map[string]bool{}, map[string]bool{}
	for _, f := range l.Feeds {
		have[strings.TrimSuffix(f.URL, "/")] = true
	}
	for _, f := range l.Refused {
		refused[strings.TrimSuffix(f.Text, "/")] = true
		if f.Command != "" {
			refused[strings.TrimSuffix(f.URL, "/")] = true
		}
	}
	for _, u := range outlines(utf8Of(d.body)) {
		address, _ := plain.URL(webAddress(u))
		switch {
		case refused[strings.TrimSuffix(plain.Line(u, 0), "/")] && !have[strings.TrimSuffix(address, "/")]:
			r.LeftOut["refused with the reason told: no web address, or run through a program"]++
		default:
			r.count(have[strings.TrimSuffix(address, "/")], func() string { return d.file + ": " + u })
		}
	}
	if err != nil {
		if len(outlines(utf8Of(d.body))) > 0 || !errors.Is(err, opml.ErrNotOPML) {
			m.rows[rowRound].count(false, func() string { return d.file + ": " + err.Error() })
		}
		return
	}
	m.attributes(d, &l)
	miss := roundTrip(&l)
	m.rows[rowRound].count(miss == "", func() string { return d.file + ": " + miss })
}

// utf8Of is the document as it is searched: only wide encodings need decoding.
func utf8Of(b []byte) []byte {
	return bytes.ReplaceAll(b, []byte{0}, nil)
}

// webAddress completes what lists write for an address.
func webAddress(s string) string {
	low := strings.ToLower(s)
	switch {
	case strings.HasPrefix(low, "feed:http"):
		return s[len("feed:"):]
	case strings.HasPrefix(low, "feed://"):
		return "http" + s[len("feed"):]
	case strings.HasPrefix(s, "//"):
		return "https:" + s
	case !strings.Contains(s, ":") && strings.Contains(s, "."):
		return "http://" + s
	}
	return s
}

// roundTrip writes a list, reads it again and says what differs.
func roundTrip(l *opml.List) string {
	var b bytes.Buffer
	if err := opml.WriteOPML(&b, *l, time.Unix(0, 0)); err != nil {
		return err.Error()
	}
	again, err := opml.ParseOPML(b.Bytes())
	if err != nil {
		if len(l.Feeds) == 0 {
			return ""
		}
		return err.Error()
	}
	if again.Title != l.Title {
		return fmt.Sprintf("title %q became %q", l.Title, again.Title)
	}
	if len(again.Feeds) != len(l.Feeds) {
		return fmt.Sprintf("%d feeds became %d", len(l.Feeds), len(again.Feeds))
	}
	for i := range l.Feeds {
		a, b := l.Feeds[i], again.Feeds[i]
		a.Line, b.Line = 0, 0
		if !reflect.DeepEqual(a, b) {
			return fmt.Sprintf("%+v became %+v", a, b)
		}
	}
	return ""
}

// urls counts the lines of a newsboat file that name a feed, a query or
// something to run, and holds them against what was read.
func (m *meter) urls(d *document) {
	l, err := opml.ParseURLs(d.body)
	r := m.rows[rowURLs]
	if err != nil {
		r.count(false, func() string { return d.file + ": " + err.Error() })
		return
	}
	at := map[int]bool{}
	for _, f := range l.Feeds {
		at[f.Line] = true
	}
	for _, q := range l.Queries {
		at[q.Line] = true
	}
	for _, f := range l.Refused {
		at[f.Line] = true
	}
	for i, s := range strings.Split(string(d.body), "\n") {
		if s = strings.Trim(strings.TrimSpace(s), `"`); s == "" || s[0] == '#' {
			continue
		}
		r.count(at[i+1], func() string { return fmt.Sprintf("%s: line %d", d.file, i+1) })
	}
}

// listHolds evaluates one of listparser's assertions on a list.
func listHolds(expr string, body []byte) (bool, error) {
	l, err := opml.ParseOPML(body)
	if err != nil && opml.Sniff(body) != "opml" {
		l = opml.List{} // nothing was read of it
	}
	return holds(expr, func(name string) (any, error) {
		if name != "result" {
			return nil, unmapped{name}
		}
		return listView{&l, bytes.Contains(bytes.ToLower(body), []byte("<opml"))}, nil
	})
}

// listView is a list by the names listparser has for what is in it.
type listView struct {
	l        *opml.List
	outlines bool // it is OPML
}

func (v listView) member(name string) (any, error) {
	switch name {
	case "feeds":
		return v.feeds(), nil
	case "lists":
		all := list{}
		for _, r := range v.l.Refused {
			if strings.Contains(r.Why, "list") {
				all = append(all, dict{"title": r.Title, "url": r.Text})
			}
		}
		return all, nil
	case "meta":
		return v.meta(), nil
	case "opportunities":
		all := list{}
		for _, p := range v.l.Pages {
			all = append(all, dict{"title": p.Title, "url": p.URL})
		}
		return all, nil
	case "version":
		switch {
		case v.l.Version == "" && !v.outlines:
			return "rdf", nil
		case strings.HasPrefix(v.l.Version, "1.") || v.l.Version == "1":
			return "opml1", nil
		case strings.HasPrefix(v.l.Version, "2"):
			return "opml2", nil
		}
		return "opml", nil
	}
	return nil, unmapped{name}
}

// meta is what a list says of itself.
func (v listView) meta() dict {
	d, author := dict{"title": v.l.Title}, dict{}
	for _, m := range []struct {
		in   dict
		name string
		head string
	}{{author, "name", "ownername"}, {author, "email", "owneremail"}, {author, "url", "ownerid"}, {d, "created", "datecreated"}, {d, "modified", "datemodified"}} {
		s := v.l.Head[m.head]
		if s == "" {
			continue
		}
		m.in[m.name] = s
		if at, _, ok := feed.ParseDate(s); ok && strings.HasPrefix(m.head, "date") {
			m.in[m.name+"_parsed"] = timeTuple(at)
		}
	}
	if len(author) > 0 {
		d["author"] = author
	}
	return d
}

// feeds are the list's feeds with their labels: listparser takes both the
// folders a feed lies in and its categories for such.
func (v listView) feeds() list {
	all := list{}
	at := map[string]int{}
	for _, f := range v.l.Feeds {
		paths := [][]string{}
		for _, t := range f.Tags {
			paths = append(paths, strings.Split(t, "/"))
		}
		if f.Folder != "" {
			paths = append(paths, strings.Split(f.Folder, "/"))
		}
		i, twice := at[f.URL]
		if !twice {
			i = len(all)
			at[f.URL] = i
			all = append(all, dict{"title": f.Title, "url": f.URL, "tags": list{}, "categories": list{}})
		}
		d := all[i].(dict)
		for _, p := range paths {
			path := list{}
			for _, s := range p {
				path = append(path, strings.ReplaceAll(s, "\u2215", "/"))
			}
			d["categories"] = addOnce(d["categories"].(list), path)
			if len(path) == 1 {
				d["tags"] = addOnce(d["tags"].(list), path[0])
			}
		}
	}
	return all
}

func addOnce(all list, v any) list {
	if among(all, v) {
		return all
	}
	return append(all, v)
}
