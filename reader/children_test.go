package reader

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// A page that never changes has its child pages watched all the same, and theirs
// when the watch goes deeper later.
func TestChildrenOfAPageThatStands(t *testing.T) {
	s := newShore(t)
	childSite(s.web, "The crane is being painted.")
	s.watch(pier, WatchOptions{Depth: 1})
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
