package main

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// assertion is one line of the collection's expectations.
type assertion struct {
	File, Kind, Path, Sha256 string
	Expected                 any
}

// header finds the response headers that a document of feedparser's tests asks
// to be served with.
var header = regexp.MustCompile(`(?mi)^\s*Header:\s*([A-Za-z-]+):\s*(.*?)\s*$`)

// itemTag is where the first item of a document begins, textTag the elements that
// an item's text may be in.
var (
	itemTag = regexp.MustCompile(`(?i)<(?:\w+:)?(?:item|entry)\b`)
	textTag = regexp.MustCompile(`(?i)<((?:\w+:)?(?:content|encoded|body|fullitem|summary|description|abstract))\b`)
)

// severalTexts reports whether items of a document have more than one text:
// preview prints the longest of them only.
func severalTexts(body []byte) bool {
	if at := itemTag.FindIndex(body); at != nil {
		body = body[at[0]:]
	}
	names := map[string]bool{}
	for _, t := range textTag.FindAllSubmatch(body, -1) {
		names[strings.ToLower(string(t[1]))] = true
	}
	return len(names) > 1
}

func (m *meter) assertion(ctx context.Context, a *assertion, body []byte) {
	switch a.Kind {
	case "feedparser-eval":
		m.evaluate(ctx, a, body)
	case "gofeed-json", "rssparser-json":
		m.answers(ctx, a, body)
	case "miniflux-go":
		m.miniflux(ctx, a, body)
	case "simplepie-php":
		m.simplepie(ctx, a, body)
	case "listparser-eval":
		m.listparser(ctx, a, body)
	case "feedvalidator":
		m.validator(ctx, a, body)
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
	both := severalTexts(body)
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
	title := text{v.o.Feed.Title, asTitle}
	if title.s == host || strings.HasPrefix(title.s, host+"/") {
		title.s = "" // the address stands in for a title
	}
	switch name {
	case "title":
		return title, nil
	case "title_detail":
		return valueView{title, "feed." + name}, nil
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
	case "title_detail":
		return valueView{text{it.Title, asTitle}, name}, nil
	case "summary_detail":
		got, err := v.body(name)
		return valueView{got, name}, err
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
			d := dict{"href": e.URL, "type": e.Type}
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
		return list{valueView{got, name}}, nil
	}
	return orRaise(v.it.HTML, got)
}

// valueView is a text with what feedparser says of it; only the text is printed.
type valueView struct {
	value any
	of    string
}

func (v valueView) member(name string) (any, error) {
	if name == "value" {
		return v.value, nil
	}
	return nil, unmapped{v.of + "." + name}
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
