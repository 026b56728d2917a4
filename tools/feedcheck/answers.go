package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// answer is an item, or the feed, in another parser's own answers. The members
// differ between their formats; each is a string, an object or a list of these.
type answer map[string]any

// values lists the strings of the members called names: of objects those that
// any of keys names.
func (a answer) values(names []string, keys ...string) (all []string) {
	for _, name := range names {
		all = append(all, plain(a[name], keys)...)
	}
	return all
}

func plain(v any, keys []string) (all []string) {
	switch v := v.(type) {
	case string:
		if strings.TrimSpace(v) != "" {
			all = append(all, v)
		}
	case []any:
		for _, x := range v {
			all = append(all, plain(x, keys)...)
		}
	case map[string]any:
		if rel, _ := v["rel"].(string); rel != "" && rel != "alternate" {
			return nil
		}
		for _, k := range keys {
			if s, _ := v[k].(string); strings.TrimSpace(s) != "" {
				return append(all, s)
			}
		}
	}
	return all
}

// first is the first of the values, "" if there is none.
func (a answer) first(names []string, keys ...string) string {
	if all := a.values(names, keys...); len(all) > 0 {
		return all[0]
	}
	return ""
}

// answers compares item by item what another parser's tests expect.
func (m *meter) answers(ctx context.Context, a *assertion, body []byte) {
	s, _ := a.Expected.(string)
	if s == "" {
		b, _ := json.Marshal(a.Expected)
		s = string(b)
	}
	var feed answer
	if err := json.Unmarshal([]byte(s), &feed); err != nil {
		m.count(func() { m.other.absent[a.Kind+": not JSON"]++ })
		return
	}
	if inner, is := feed["feed"].(map[string]any); is {
		feed = inner
	}
	var all []answer
	for _, name := range []string{"items", "entries"} {
		items, _ := feed[name].([]any)
		for _, it := range items {
			if it, is := it.(map[string]any); is {
				all = append(all, it)
			}
		}
	}
	title := feed.first([]string{"title"}, "value")
	if len(all) == 0 && title == "" {
		m.count(func() { m.other.absent[a.Kind+": says nothing of items or the title"]++ })
		return
	}
	o, err := m.read(ctx, body, "http://feed.example/", "")
	m.failed(a.File, err)
	m.count(func() {
		if title != "" && !m.lost(title) {
			m.fields.count(sameTitle(o.Feed.Title, title), fmt.Sprintf("%s: feed %q, expected %q", a.File, o.Feed.Title, title))
		}
		used := make([]bool, len(o.Items))
		for i, w := range all {
			var got item
			want := oracleItem{Title: w.first([]string{"title"}, "value"), Link: w.first(linkNames, "href"), ID: w.first(idNames, "value")}
			if at := match(o.Items, used, &want, i); at >= 0 {
				got, used[at] = o.Items[at], true
			}
			m.answered(a.File, &got, w)
		}
	})
}

var (
	linkNames = []string{"link", "links"}
	idNames   = []string{"guid", "id"}
)

// lost reports, and counts, an expectation that is not what the document says.
func (m *meter) lost(want string) bool {
	if strings.ContainsRune(want, '\uFFFD') {
		m.fields.doubtful["the expected text has lost characters"]++
		return true
	}
	return false
}

// answered compares the fields of one item.
func (m *meter) answered(file string, got *item, w answer) {
	count := func(ok bool, got, want string) {
		m.fields.count(ok, fmt.Sprintf("%s: %q, expected %q", file, got, want))
	}
	for _, f := range [][2]string{{w.first(linkNames, "href"), got.Link}, {w.first(idNames, "value"), got.IDRaw}} {
		if f[0] != "" {
			same := strings.TrimSpace(f[0]) == f[1] || !strings.Contains(f[0], "://") && strings.HasSuffix(f[1], strings.TrimPrefix(f[0], "/"))
			count(same, f[1], f[0])
		}
	}
	if want := w.first([]string{"title"}, "value"); want != "" && !m.lost(want) {
		count(sameTitle(got.Title, want), got.Title, want)
	}
	for _, want := range w.values([]string{"author", "authors", "creator"}, "name", "email") {
		if !m.lost(want) {
			count(strings.Contains(squeeze(got.Author), squeeze(want)), got.Author, want)
		}
	}
	for _, want := range w.values([]string{"categories"}, "label", "term", "value", "_") {
		if !m.lost(want) {
			ok := slices.ContainsFunc(got.Categories, func(have string) bool { return sameTitle(have, want) })
			count(ok, strings.Join(got.Categories, "|"), want)
		}
	}
	for _, want := range w.values([]string{"enclosure", "enclosures"}, "url") {
		ok := slices.ContainsFunc(got.Enclosures, func(e enclosure) bool { return e.URL == strings.TrimSpace(want) })
		count(ok, fmt.Sprint(got.Enclosures), want)
	}
	for _, name := range []string{"publishedParsed", "isoDate"} {
		want, _ := w[name].(string)
		if at, err := time.Parse(time.RFC3339, want); err == nil {
			mine := got.Published
			if mine.IsZero() {
				mine = got.Updated
			}
			count(mine.Truncate(time.Second).Equal(at.Truncate(time.Second)), mine.String(), at.String())
		}
	}
}
