package main

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// judge counts what an expression or a comparison came to.
func (m *meter) judge(r *row, ok bool, err error, miss string) {
	m.count(func() {
		var u unmapped
		switch {
		case errors.As(err, &u):
			r.absent["not printed: "+u.name]++
		case err != nil && !errors.Is(err, errRaise):
			r.doubtful[err.Error()]++
		default:
			r.count(ok && err == nil, miss)
		}
	})
}

// conjuncts splits an expectation into its single assertions. That the document
// was read stands in nearly all of them and counts only where it stands alone.
func conjuncts(expected, verdict string) (all []string) {
	parts := strings.Split(expected, " && ")
	for _, p := range parts {
		if len(parts) == 1 || !strings.Contains(p, verdict) {
			all = append(all, p)
		}
	}
	return all
}

// miniflux evaluates the conditions of Miniflux's tests.
func (m *meter) miniflux(ctx context.Context, a *assertion, body []byte) {
	expected, _ := a.Expected.(string)
	if strings.HasPrefix(a.File, "json/") {
		m.judge(m.flux, false, unmapped{"a document that is no feed: a piece of a test's code"}, "")
		return
	}
	names := m.minifluxFeed(ctx, a, body)
	if strings.HasPrefix(a.File, "opml/") {
		names = m.minifluxList(ctx, a, body)
	}
	for _, expr := range conjuncts(expected, "err != nil") {
		ok, err := holds(expr, names)
		m.judge(m.flux, ok, err, a.File+": "+expr)
	}
}

func (m *meter) minifluxFeed(ctx context.Context, a *assertion, body []byte) scope {
	o, err := m.read(ctx, body, "http://"+host+"/", "")
	m.failed(a.File, err)
	return func(name string) (any, error) {
		switch {
		case name == "err" && err == nil:
			return nil, nil
		case name == "err":
			return err.Error(), nil
		case name == "feed":
			return minifluxFeed{&o, m.oracles[a.Sha256], severalTexts(body)}, nil
		}
		return nil, unmapped{name}
	}
}

func (m *meter) minifluxList(ctx context.Context, a *assertion, body []byte) scope {
	subs, err := m.subscribed(ctx, a, body)
	return func(name string) (any, error) {
		switch {
		case name == "err" && err == nil:
			return nil, nil
		case name == "err":
			return err.Error(), nil
		case name == "subscriptions":
			return subs, nil
		}
		return nil, unmapped{name}
	}
}

// minifluxFeed is a feed by Miniflux's names. Miniflux fills a title or an address
// that is missing from other fields; diurna leaves that to the screen.
type minifluxFeed struct {
	o      *output
	oracle oracleFeed
	both   bool
}

func (v minifluxFeed) member(name string) (any, error) {
	switch {
	case name == "Title" && v.o.Feed.Title != host:
		return text{v.o.Feed.Title, asTitle}, nil
	case name == "Title":
		return nil, unmapped{"a title made of other fields"}
	case name == "Entries":
		all := list{}
		for i := range v.o.Items {
			e := minifluxEntry{it: &v.o.Items[i], both: v.both}
			if i < len(v.oracle.Items) && len(v.oracle.Items) == len(v.o.Items) {
				e.oracle = v.oracle.Items[i]
			}
			all = append(all, e)
		}
		return all, nil
	}
	return nil, unmapped{"feed." + name}
}

type minifluxEntry struct {
	it     *item
	oracle oracleItem
	both   bool
}

func (v minifluxEntry) member(name string) (any, error) {
	it := v.it
	switch name {
	case "Title":
		if it.Title == "" && v.oracle.Title == "" {
			return nil, unmapped{"a title made of other fields"}
		}
		return text{it.Title, asTitle}, nil
	case "URL":
		if it.Link == "" && v.oracle.Link == "" {
			return nil, unmapped{"an address made of other fields"}
		}
		return placed(it.Link)
	case "Author":
		return it.Author, nil
	case "Content":
		if v.both {
			return nil, unmapped{"the shorter of two texts"}
		}
		return text{it.HTML, asMarkup}, nil
	case "Enclosures":
		all := list{}
		for _, e := range it.Enclosures {
			if _, err := placed(e.URL); err != nil {
				return nil, err
			}
			all = append(all, dict{"URL": e.URL, "MimeType": e.Type, "Size": e.Length})
		}
		return all, nil
	}
	return nil, unmapped{"entry." + name}
}

// placed is an address, unmapped if it was relative: neither Miniflux's nor
// SimplePie's expectations say where the document stood.
func placed(s string) (any, error) {
	if strings.Contains(s, "://"+host+"/") {
		return nil, unmapped{"an address relative to where the document stood"}
	}
	return s, nil
}

// php finds what SimplePie's tests expect of one method: a string, a number or null.
var php = regexp.MustCompile(`^test_(\w+):\s*(?:(?m:\s*//.*$)\s*)*('(?:[^'\\]|\\.)*'|[0-9.]+|null)`)

// simplepie compares what SimplePie's tests expect of the first item or the feed.
func (m *meter) simplepie(ctx context.Context, a *assertion, body []byte) {
	expected, _ := a.Expected.(string)
	found := php.FindStringSubmatch(expected)
	if found == nil {
		m.judge(m.pie, false, unmapped{"an expectation that is PHP code"}, "")
		return
	}
	o, err := m.read(ctx, body, "http://"+host+"/", "")
	m.failed(a.File, err)
	if strings.Contains(expected, "'Y-m-d'") {
		found[1] = "date in a format"
	}
	subject := "entry."
	if strings.Contains(a.Path, "SimplePieTest") {
		subject = "feed."
	}
	got, err := simplepieValue(&o, subject+strings.TrimPrefix(found[1], "get_"), severalTexts(body))
	ok := false
	switch want := found[2]; {
	case want == "null":
		ok = !truth(got)
	case want[0] == '\'':
		s, _, _ := pyString(want, false)
		ok = equal(got, s)
	default:
		n, _ := strconv.ParseFloat(want, 64)
		ok = equal(got, n)
	}
	m.judge(m.pie, ok, err, a.File+": "+expected)
}

func simplepieValue(o *output, name string, both bool) (any, error) {
	if name == "feed.title" {
		return feedView{o}.member("title")
	}
	var it item
	if len(o.Items) > 0 {
		it = o.Items[0]
	}
	switch name {
	case "entry.title":
		return text{it.Title, asTitle}, nil
	case "entry.description", "entry.content", "entry.base":
		if both {
			return nil, unmapped{"the shorter of two texts"}
		}
		if _, err := placed(it.HTML); err != nil {
			return nil, err
		}
		return text{it.HTML, asMarkup}, nil
	case "entry.date":
		if it.Published.IsZero() {
			it.Published = it.Updated
		}
		if it.Published.IsZero() {
			return nil, nil
		}
		return it.Published.Unix(), nil
	case "entry.id":
		return it.IDRaw, nil
	case "entry.permalink":
		return placed(it.Link)
	case "entry.name_from_author":
		return it.Author, nil
	case "entry.label_from_item_category":
		if len(it.Categories) > 0 {
			return it.Categories[0], nil
		}
		return nil, nil
	}
	return nil, unmapped{name}
}
