package main

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// assertion is one line of the collection's expectations.
type assertion struct {
	File, Kind, Path string
	Expected         any
}

// header finds the response headers that a document of feedparser's tests asks
// to be served with.
var header = regexp.MustCompile(`(?mi)^\s*Header:\s*([A-Za-z-]+):\s*(.*?)\s*$`)

// bothTexts finds documents whose items have a summary and a content: preview
// prints the longer of the two only.
var (
	contentTag = regexp.MustCompile(`(?i)<(?:\w+:)?(?:content|encoded|body|fullitem)\b`)
	summaryTag = regexp.MustCompile(`(?i)<(?:\w+:)?(?:summary|description|abstract)\b`)
)

func (m *meter) assertion(ctx context.Context, a *assertion, body []byte) {
	switch a.Kind {
	case "feedparser-eval":
		m.evaluate(ctx, a, body)
	case "gofeed-json", "rssparser-json":
		m.answers(ctx, a, body)
	default:
		m.count(func() { m.other.absent[a.Kind+": not evaluated"]++ })
	}
}

func (m *meter) evaluate(ctx context.Context, a *assertion, body []byte) {
	expr, _ := a.Expected.(string)
	base, contentType := "http://"+host+":8097/"+a.Path, ""
	for _, h := range header.FindAllSubmatch(body[:min(len(body), 2048)], -1) {
		switch value := string(h[2]); strings.ToLower(string(h[1])) {
		case "content-type":
			contentType = value
		case "content-location":
			base = value
		}
	}
	o, err := m.read(ctx, body, base, contentType)
	m.failed(a.File, err)
	if err != nil && strings.Contains(err.Error(), "Channel Definition Format") {
		m.count(func() { m.python.absent["a format that is not read: Channel Definition Format"]++ })
		return
	}
	both := contentTag.Match(body) && summaryTag.Match(body)
	ok, err := holds(expr, func(name string) (any, error) {
		switch name {
		case "entries":
			all := list{}
			for i := range o.Items {
				all = append(all, itemView{&o.Items[i], both})
			}
			return all, nil
		case "feed":
			return feedView{&o}, nil
		}
		return nil, unmapped{name}
	})
	rows := []*row{m.python}
	switch {
	case strings.Contains(a.Path, "/sanitize/"):
		rows = append(rows, m.sanitising)
	case strings.Contains(a.Path, "/base/") || strings.Contains(a.Path, "relative_uri"):
		rows = append(rows, m.relative)
	case strings.Contains(a.Path, "/encoding/") || strings.Contains(a.Path, "/chardet/"):
		rows = append(rows, m.encodings)
	}
	m.count(func() {
		for _, r := range rows {
			var u unmapped
			switch {
			case errors.As(err, &u):
				r.absent["not printed: "+u.name]++
			case err != nil:
				r.doubtful[err.Error()]++
			default:
				r.count(ok, a.File+": "+strings.TrimSpace(expr))
			}
		}
	})
}

// host is where feedparser's tests serve their documents from.
const host = "127.0.0.1"

// feedView is a feed by feedparser's names; preview prints its title only.
type feedView struct{ o *output }

func (v feedView) member(name string) (any, error) {
	if name == "title" {
		if v.o.Feed.Title == host {
			return text{"", asTitle}, nil // the address stands in for a title
		}
		return text{v.o.Feed.Title, asTitle}, nil
	}
	return nil, unmapped{"feed." + name}
}

// itemView is an item by feedparser's names.
type itemView struct {
	it   *item
	both bool
}

func (v itemView) member(name string) (any, error) {
	it := v.it
	switch name {
	case "title":
		return text{it.Title, asTitle}, nil // of a title that is a picture nothing is left
	case "link":
		return orRaise(it.Link, it.Link)
	case "id", "guid":
		return orRaise(it.IDRaw, it.IDRaw)
	case "summary", "description", "content":
		return v.body(name)
	case "published_parsed", "issued_parsed":
		return moment(it.Published)
	case "updated_parsed", "modified_parsed", "date_parsed":
		if it.Updated.IsZero() {
			return moment(it.Published)
		}
		return moment(it.Updated)
	case "enclosures":
		all := list{}
		for _, e := range it.Enclosures {
			d := dict{"href": e.URL, "url": e.URL, "type": e.Type}
			if e.Length > 0 {
				d["length"] = strconv.FormatInt(e.Length, 10)
			}
			all = append(all, d)
		}
		return all, nil
	case "category":
		if len(it.Categories) > 0 {
			return it.Categories[0], nil
		}
		return nil, errRaise
	}
	return nil, unmapped{"entry." + name}
}

func (v itemView) body(name string) (any, error) {
	if v.both {
		return nil, unmapped{"the shorter of two texts"}
	}
	got := text{v.it.HTML, asMarkup}
	if name == "content" {
		return list{contentView{got}}, nil
	}
	return orRaise(v.it.HTML, got)
}

// contentView is an item's content by feedparser's names; its text is printed only.
type contentView struct{ value text }

func (v contentView) member(name string) (any, error) {
	if name == "value" {
		return v.value, nil
	}
	return nil, unmapped{"content." + name}
}

func orRaise(s string, v any) (any, error) {
	if s == "" {
		return nil, errRaise
	}
	return v, nil
}

func moment(at time.Time) (any, error) {
	if at.IsZero() {
		return nil, errRaise
	}
	return timeTuple(at), nil
}

// answer is an item of another parser's own answers.
type answer struct {
	Title, Link                  string
	GUID, ID                     string
	PublishedParsed, PublishedAt string
	Author                       any
}

// answers compares item by item what another parser's tests expect.
func (m *meter) answers(ctx context.Context, a *assertion, body []byte) {
	var want struct {
		Items []answer
		Feed  struct{ Items []answer }
	}
	s, _ := a.Expected.(string)
	if s == "" {
		b, _ := json.Marshal(a.Expected)
		s = string(b)
	}
	if json.Unmarshal([]byte(s), &want) != nil {
		m.count(func() { m.other.absent[a.Kind+": no list of items"]++ })
		return
	}
	all := append(want.Items, want.Feed.Items...)
	if len(all) == 0 {
		m.count(func() { m.other.absent[a.Kind+": says nothing of items"]++ })
		return
	}
	o, err := m.read(ctx, body, "http://feed.example/", "")
	m.failed(a.File, err)
	m.count(func() {
		used := make([]bool, len(o.Items))
		for i := range all {
			w := &all[i]
			var got item
			at := match(o.Items, used, &oracleItem{Title: w.Title, Link: w.Link, ID: w.GUID + w.ID}, i)
			if at >= 0 {
				got, used[at] = o.Items[at], true
			}
			for _, f := range [][2]string{{w.Link, got.Link}, {w.GUID + w.ID, got.IDRaw}} {
				if f[0] != "" {
					same := strings.TrimSpace(f[0]) == f[1] || !strings.Contains(f[0], "://") && strings.HasSuffix(f[1], strings.TrimPrefix(f[0], "/"))
					m.fields.count(same, a.File+": "+f[1]+", expected "+f[0])
				}
			}
			if strings.ContainsRune(w.Title, '\uFFFD') {
				m.fields.doubtful["the expected title has lost characters"]++
			} else if w.Title != "" {
				m.fields.count(sameTitle(got.Title, w.Title), a.File+": "+got.Title+", expected "+w.Title)
			}
			if at, err := time.Parse(time.RFC3339, w.PublishedParsed); err == nil {
				m.fields.count(got.Published.Equal(at), a.File+": "+got.Published.String()+", expected "+at.String())
			}
		}
	})
}
