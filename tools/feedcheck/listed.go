package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// subscription is one line of `diurna list --json`.
type subscription struct {
	URL, Title, Folder string
	Tags               []string
}

// subscribed imports a list into a library of its own and lists what is there then.
func (m *meter) subscribed(ctx context.Context, a *assertion, body []byte) (list, error) {
	dir, err := os.MkdirTemp(m.program.dir, "subscribed")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	library, file := filepath.Base(dir), filepath.Join(dir, "list.in")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		return nil, err
	}
	_, err = m.program.run(ctx, library, nil, "import", "--no-fetch", file)
	m.failed(a.File, err)
	if err != nil {
		return nil, err
	}
	b, err := m.program.run(ctx, library, nil, "list", "--json")
	m.failed(a.File, err)
	all := list{}
	for dec := json.NewDecoder(bytes.NewReader(b)); err == nil && dec.More(); {
		var s subscription
		if err = dec.Decode(&s); err == nil {
			all = append(all, s)
		}
	}
	return all, err
}

// listparser evaluates the assertions of listparser's tests.
func (m *meter) listparser(ctx context.Context, a *assertion, body []byte) {
	expected, _ := a.Expected.(string)
	subs, err := m.subscribed(ctx, a, body)
	for _, expr := range conjuncts(expected, verdict) {
		ok, why := holds(expr, func(name string) (any, error) {
			if name == "result" {
				return subscriptions{subs}, nil
			}
			return nil, unmapped{name}
		})
		m.judge(m.listing, ok, why, fmt.Sprintf("%s: %s (%v)", a.File, expr, err))
	}
}

// subscriptions are the feeds of a list by listparser's names.
type subscriptions struct{ feeds list }

func (v subscriptions) member(name string) (any, error) {
	if name == "feeds" {
		return v.feeds, nil
	}
	return nil, unmapped{"result." + name}
}

// standsIn reports whether a title is the feed's address, which the program shows for
// a feed that has no title: all of it, its host, or host, path and query.
func standsIn(title, address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return title == address
	}
	name := strings.TrimPrefix(u.Hostname(), "www.")
	if p := strings.Trim(u.Path, "/"); p != "" {
		name += "/" + p
	}
	if u.RawQuery != "" {
		name += "?" + u.RawQuery
	}
	return title == address || title == u.Host || title == name
}

// member is a feed's by listparser's names: a category is the path of a folder or
// a tag, and those of one part are called tags too.
func (s subscription) member(name string) (any, error) {
	switch name {
	case "url":
		return s.URL, nil
	case "title":
		if standsIn(s.Title, s.URL) {
			return "", nil
		}
		return s.Title, nil
	case "tags", "categories":
		paths := s.Tags
		if s.Folder != "" {
			paths = append([]string{s.Folder}, paths...)
		}
		tags, categories := list{}, list{}
		for _, p := range paths {
			category := list{}
			for _, part := range strings.Split(p, "/") {
				category = append(category, part)
			}
			if categories = append(categories, category); len(category) == 1 {
				tags = append(tags, p)
			}
		}
		if name == "tags" {
			return tags, nil
		}
		return categories, nil
	}
	return nil, unmapped{"feed." + name}
}
