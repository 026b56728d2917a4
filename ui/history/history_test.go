package history

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"diurna/reader"
	"diurna/ui/theme"
	"diurna/ui/view"
)

// TestUndoneRowSaysSo: a name as long as the row does not push out of it
// that the step was taken back.
func TestUndoneRowSaysSo(t *testing.T) {
	noon := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	s := &view.Scene{Th: theme.Plain(false), Now: noon, Zone: time.UTC}
	for _, w := range []int{40, 80, 200} {
		for _, name := range []string{strings.Repeat("A long name ", 20), strings.Repeat("港の便り", 40), "short"} {
			h := &View{steps: []reader.Step{{No: 1, At: noon, What: "unsubscribed from " + name, Undone: true}}, ready: true}
			h.List.N = 1
			if line := h.Lines(s, w, 5)[0]; !strings.HasSuffix(strings.TrimRight(line, " "), " (taken back)") {
				t.Errorf("%d columns: %q", w, line)
			}
		}
	}
}

// screen is a host that numbers requests and notes what is said.
type screen struct {
	view.Host
	gen  uint64
	said string
}

func (s *screen) Gen() uint64           { s.gen++; return s.gen }
func (s *screen) Life() context.Context { return context.Background() }
func (s *screen) Say(say string)        { s.said = say }
func (s *screen) Push(view.View)        {}

// steps is a library of one step.
type steps struct{}

func (steps) Steps(context.Context, int) ([]reader.Step, error) {
	return []reader.Step{{No: 1, What: "marked 3 read"}}, nil
}

// TestStaleAnswersAreDropped: only the answer to the last question is shown.
func TestStaleAnswersAreDropped(t *testing.T) {
	s := &screen{}
	h := &View{lib: steps{}}
	old, now := h.load(s)(), h.load(s)()
	h.OnMsg(s, old)
	h.OnMsg(s, stepsMsg{gen: 0, err: errors.New("late")})
	if h.ready || s.said != "" {
		t.Errorf("an answer to another question was taken: %q", s.said)
	}
	if h.OnMsg(s, now); h.List.N != 1 {
		t.Error("the awaited answer was dropped")
	}
}
