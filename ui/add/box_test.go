package add

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// screen is a host and a program that only count and note what is said.
type screen struct {
	view.Host
	Program
	gen  uint64
	said []string
}

func (s *screen) Gen() uint64                           { s.gen++; return s.gen }
func (s *screen) Say(say string)                        { s.said = append(s.said, say) }
func (s *screen) Clear()                                {}
func (s *screen) BeginLook(uint64) context.Context      { return context.Background() }
func (s *screen) EndLook(uint64) bool                   { return true }
func (s *screen) KeepLine(string, string) tea.Cmd       { return nil }
func (s *screen) ShowRiver() tea.Cmd                    { panic("the box was left") }
func (s *screen) ShowPage(reader.Watched) tea.Cmd       { panic("the box was left") }
func (s *screen) Import(string) (gen uint64, _ tea.Cmd) { panic("something was imported") }

// TestStaleAnswersAreDropped: while an address is looked at, answers to other
// questions change nothing; the one that is awaited does.
func TestStaleAnswersAreDropped(t *testing.T) {
	s := &screen{gen: 6}
	scene := &view.Scene{Now: time.Unix(0, 0), Zone: time.UTC}
	b := New(nil, nil, nil, s)
	b.Set("slow.example")
	if b.Enter(s) == nil || b.Context() != view.CtxAdd {
		t.Fatal("Enter does not look")
	}
	drawn := func() []string {
		state, _ := b.Status(scene, 80)
		return append(b.Lines(scene, 80, 24), state)
	}
	before := drawn()
	candidates := reader.Found{Candidates: []reader.Candidate{{Title: "Harbour news", Fetched: true}}}
	for _, gen := range []uint64{0, 6, 9999} {
		for _, msg := range []tea.Msg{
			FoundMsg{gen: gen, found: candidates}, FoundMsg{gen: gen, Err: errors.New("late")},
			filledMsg{gen: gen, err: errors.New("late")}, subscribedMsg{gen: gen}, watchedMsg{gen: gen},
		} {
			if cmd := b.Got(s, msg); cmd != nil || !slices.Equal(drawn(), before) || len(s.said) > 0 {
				t.Errorf("%T of generation %d was taken for an answer: %q", msg, gen, s.said)
			}
		}
	}
	b.Got(s, FoundMsg{gen: 7, found: candidates})
	if b.Context() != view.CtxFound {
		t.Error("the awaited answer was dropped")
	}
}

// TestImportIsAwaited: a box knows the import it waits for by its number, and says
// why nothing was imported.
func TestImportIsAwaited(t *testing.T) {
	s := &screen{}
	b := New(nil, nil, nil, s)
	if b.Imports(0) {
		t.Error("a box that waits for nothing waits for an import")
	}
	b.stage, b.gen = stageKeeping, 4
	if b.Imports(3) || !b.Imports(4) {
		t.Error("the import is not known by its number")
	}
	b.Imported("No such file.")
	if b.Imported(""); !b.Typing() || b.Wrong() != "No such file." {
		t.Errorf("typing %v, wrong %q", b.Typing(), b.Wrong())
	}
}
