package opml

import (
	"bytes"
	"slices"
	"strings"

	"diurna/reader/plain"
)

// foafSpace is the vocabulary in which planets list whom they read ("foafroll").
const foafSpace = "xmlns.com/foaf/"

func isFOAF(src []byte) bool {
	return bytes.Contains(src[:min(len(src), 64<<10)], []byte(foafSpace))
}

// foaf reads friend-of-a-friend lists: agents with weblogs that have feeds, in
// groups.
type foaf struct {
	parser
	open   []string // local names of the open elements
	agents []agent
	groups []agent
	page   string // of the open document, "" if it has a feed
}

// agent is somebody, or a group of them, while their feeds are read.
type agent struct {
	name  string
	feeds []int // in list.Feeds
	known bool  // somebody's acquaintance
	also  string
}

func parseFOAF(src []byte) List {
	f := foaf{parser: parser{scanner: scanner{src: src, line: 1, all: true}}}
	for {
		t, ok := f.next()
		if !ok {
			break
		}
		if t.end {
			f.end(t.name)
			continue
		}
		f.start(t)
		if t.empty {
			f.end(t.name)
		}
	}
	if f.tooMany > 0 {
		f.problem("%s", tooMany(f.tooMany))
	}
	f.tellPages()
	return f.list
}

func (f *foaf) in(name string) bool {
	return len(f.open) > 0 && f.open[len(f.open)-1] == name
}

func (f *foaf) start(t tag) {
	at := func(name string) string {
		for _, a := range t.attrs {
			if low := strings.ToLower(a.name); low == name || strings.HasSuffix(low, ":"+name) {
				return strings.TrimSpace(a.value)
			}
		}
		return ""
	}
	switch t.name {
	case "agent", "person", "organization":
		f.agents = append(f.agents, agent{known: f.in("knows")})
	case "group":
		f.groups = append(f.groups, agent{})
	case "document":
		f.page, _ = plain.URL(at("about"))
	case "channel":
		f.feed(at("about"), t.line)
	case "feed":
		f.feed(at("resource"), t.line)
	case "seealso":
		if n := len(f.agents); n > 0 {
			f.agents[n-1].also = at("resource")
		}
	case "name", "member_name":
		if n := len(f.agents); n > 0 && f.agents[n-1].name == "" && !f.in("group") {
			f.agents[n-1].name = line(f.text())
		} else if n := len(f.groups); n > 0 && f.in("group") {
			f.groups[n-1].name = line(f.text())
		}
	}
	if len(f.open) < maxOpen {
		f.open = append(f.open, t.name)
	}
}

// feed takes the address of a feed.
func (f *foaf) feed(address string, at int) {
	if address == "" {
		return
	}
	u, ok := feedAddress(address)
	switch {
	case len(f.list.Feeds) >= MaxFeeds || len(f.list.Refused) >= MaxFeeds:
		f.tooMany++
		return
	case !ok:
		f.list.Refused = append(f.list.Refused, Refused{Line: at, Text: line(address), Why: whyAddress})
		return
	}
	for _, of := range []*[]agent{&f.agents, &f.groups} {
		if n := len(*of); n > 0 {
			(*of)[n-1].feeds = append((*of)[n-1].feeds, len(f.list.Feeds))
		}
	}
	f.list.Feeds = append(f.list.Feeds, Outline{URL: u, Site: f.page, Line: at})
	f.page = ""
}

// end settles what the element that ends had to be known for.
func (f *foaf) end(name string) {
	i := len(f.open) - 1
	for i >= 0 && f.open[i] != name {
		i--
	}
	if i < 0 {
		return
	}
	f.open = f.open[:i]
	switch name {
	case "document":
		f.addPage("", f.page, f.line)
		f.page = ""
	case "agent", "person", "organization":
		n := len(f.agents) - 1
		if n < 0 {
			return
		}
		a := f.agents[n]
		f.agents = f.agents[:n]
		for _, i := range a.feeds {
			if f.list.Feeds[i].Title == "" {
				f.list.Feeds[i].Title = a.name
			}
		}
		for i := range f.list.Pages {
			if f.list.Pages[i].Title == "" {
				f.list.Pages[i].Title = a.name
			}
		}
		if a.known && a.also != "" && len(f.list.Refused) < MaxFeeds {
			f.list.Refused = append(f.list.Refused, Refused{Line: f.line, Text: line(a.also), Why: whyList, Title: a.name})
		}
	case "group":
		n := len(f.groups) - 1
		if n < 0 {
			return
		}
		tag := tagName(f.groups[n].name)
		for _, i := range f.groups[n].feeds {
			if d := &f.list.Feeds[i]; tag != "" && !slices.Contains(d.Tags, tag) {
				d.Tags = append(d.Tags, tag)
			}
		}
		f.groups = f.groups[:n]
	}
}
