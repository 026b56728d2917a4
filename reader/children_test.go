package reader

import (
	"context"
	"slices"
	"strings"
	"testing"

	"diurna/reader/watch"
)

// childSite is a page that links to children, one of which links on.
func childSite(web *fakeWeb, notice string) {
	web.serve("https://pier.example/robots.txt", "text/plain", "User-agent: *\nDisallow: /private\n")
	web.serve(pier, "text/html", timetable(summer, "8 €")+`<a href="/notices">n</a><a href="/private/x">p</a><a href="https://other.example/far">far</a>`)
	web.serve("https://pier.example/notices", "text/html", "<title>Notices</title><h1>Notices</h1><p>"+notice+`</p><a href="/deep">deep</a><a href="https://third.example/off">off</a>`)
	web.serve("https://pier.example/deep", "text/html", "<title>Deep</title><p>Deep water: "+notice+"</p>")
	web.serve("https://other.example/far", "text/html", "<title>Far</title><p>Far away.</p>")
	web.serve("https://pier.example/private/x", "text/html", "<p>private</p>")
	web.serve("https://third.example/off", "text/html", "<p>off</p>")
}

// TestChildPages: depth 1 and 2, grandchildren on the child's host only,
// robots.txt asked once and kept to, and a change on a child page is reported.
func TestChildPages(t *testing.T) {
	for depth, want := range map[int][]string{
		0: {},
		1: {"https://other.example/far", "https://pier.example/notices"},
		2: {"https://other.example/far", "https://pier.example/deep", "https://pier.example/notices"},
	} {
		s := newShore(t)
		childSite(s.web, "The crane is being painted.")
		s.watch(pier, watch.Options{Depth: depth})
		s.later(day) // the page has not changed; its children are fetched all the same
		s.web.serve(pier, "text/html", timetable(winter, "8 €")+`<a href="/notices">n</a><a href="/private/x">p</a><a href="https://other.example/far">far</a>`)
		s.later(day)
		s.later(day)
		var children []string
		robots := 0
		for _, line := range s.web.requests() {
			address := strings.Fields(line)[1]
			switch {
			case strings.HasSuffix(address, "pier.example/robots.txt"):
				robots++
			case address != pier && !strings.HasSuffix(address, "/robots.txt") && !slices.Contains(children, address):
				children = append(children, address)
			}
		}
		slices.Sort(children)
		if !slices.Equal(children, want) {
			t.Errorf("depth %d: children %q, want %q", depth, children, want)
		}
		if depth == 0 {
			continue
		}
		if n := s.page().Children; n != len(want)+1 {
			t.Errorf("depth %d: %d children are watched, want %d and the one that may not be fetched", depth, n, len(want))
		}
		if robots < 1 || robots > 3 {
			t.Errorf("depth %d: robots.txt asked for %d times in three days", depth, robots)
		}
		before := len(s.titles())
		childSite(s.web, "The crane is yellow now, and the quay is open again.")
		s.web.serve(pier, "text/html", timetable(winter, "8 €")+`<a href="/notices">n</a><a href="/private/x">p</a><a href="https://other.example/far">far</a>`)
		s.later(day)
		s.later(day)
		reported := strings.Join(s.titles()[before:], "\n")
		if !strings.Contains(reported, "changed: Notices: ") || strings.Contains(reported, "Deep") != (depth == 2) {
			t.Errorf("depth %d: reported %q", depth, reported)
		}
		list, err := s.r.Pages().Revisions(context.Background(), s.id)
		if err != nil {
			t.Fatal(err)
		}
		last := list[len(list)-1]
		c, err := s.r.Pages().Change(context.Background(), s.id, 0, last.No)
		if err != nil || !last.Child || last.Base == 0 || c.From.Address != last.Address {
			t.Errorf("depth %d: %+v %v", depth, c.From, err)
		}
		if st, err := s.r.Stats().Stats(context.Background(), s.r.now()); err != nil || st.Watches != 1+s.page().Children {
			t.Errorf("stats: %+v %v", st.Watches, err)
		}
		s.sound()
	}
}

// A page that never changes has its child pages watched all the same, and theirs
// when the watch goes deeper later.
func TestChildrenOfAPageThatStands(t *testing.T) {
	s := newShore(t)
	childSite(s.web, "The crane is being painted.")
	s.watch(pier, watch.Options{Depth: 1})
	asked := func(address string) bool {
		return slices.ContainsFunc(s.web.requests(), func(line string) bool { return strings.HasSuffix(line, address) })
	}
	s.later(day)
	if p := s.page(); p.Children != 3 || !asked("pier.example/notices") || asked("pier.example/deep") {
		t.Errorf("depth 1: %d children, asked %q", p.Children, s.web.requests())
	}
	if _, err := s.r.Adjust(context.Background(), s.id, "depth", "2"); err != nil {
		t.Fatal(err)
	}
	s.later(day)
	s.later(day)
	if p := s.page(); p.Children != 4 || !asked("pier.example/deep") || asked("third.example/off") {
		t.Errorf("depth 2: %d children, asked %q", p.Children, s.web.requests())
	}
	s.sound()
}
