package add

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
		state := b.Status(scene, 80).State
		return append(b.Lines(scene, 80, 24), state)
	}
	before := drawn()
	candidates := reader.Found{Candidates: []reader.Candidate{{Title: "Harbour news", Fetched: true}}}
	for _, gen := range []uint64{0, 6, 9999} {
		for _, msg := range []tea.Msg{
			FoundMsg{gen: gen, found: candidates}, FoundMsg{gen: gen, Err: errors.New("late")},
			filledMsg{gen: gen, err: errors.New("late")}, subscribedMsg{gen: gen}, watchedMsg{gen: gen},
		} {
			if cmd := b.OnMsg(s, msg); cmd != nil || !slices.Equal(drawn(), before) || len(s.said) > 0 {
				t.Errorf("%T of generation %d was taken for an answer: %q", msg, gen, s.said)
			}
		}
	}
	b.OnMsg(s, FoundMsg{gen: 7, found: candidates})
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

// finder answers private addresses only where they are allowed, and notes what
// was asked.
type finder struct{ asked []string }

func (f *finder) Look(_ context.Context, address string, allowPrivate bool) (reader.Found, error) {
	f.asked = append(f.asked, fmt.Sprint(address, " ", allowPrivate))
	if !allowPrivate && strings.Contains(address, "10.") {
		return reader.Found{}, fmt.Errorf("10.0.0.5 is a private address%w", quiet{reader.ErrPrivate})
	}
	return reader.Found{Candidates: []reader.Candidate{{URL: address, Title: "House", Fetched: true, AllowPrivate: allowPrivate}}}, nil
}

func (f *finder) Fill(_ context.Context, c reader.Candidate) (reader.Candidate, error) { return c, nil }

// quiet is an error that adds no words.
type quiet struct{ error }

func (q quiet) Error() string { return "" }
func (q quiet) Unwrap() error { return q.error }

// subscriber and watcher note what was kept.
type subscriber struct{ got []reader.Candidate }

func (s *subscriber) Subscribe(_ context.Context, c reader.Candidate, _ reader.SubscribeOptions) (reader.Subscribed, error) {
	s.got = append(s.got, c)
	return reader.Subscribed{}, errors.New("not kept")
}

type watcher struct{ asked []bool }

func (w *watcher) Watch(_ context.Context, _ string, o reader.WatchOptions) (reader.Watched, error) {
	w.asked = append(w.asked, o.AllowPrivate)
	return reader.Watched{}, fmt.Errorf("10.0.0.5 is a private address%w", quiet{reader.ErrPrivate})
}

// run carries out a command of the box and gives it the answers.
func run(b *Box, s *screen, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			run(b, s, c)
		}
	default:
		run(b, s, b.OnMsg(s, msg))
	}
}

// TestPrivateIsAsked: a private address is asked for, fetched at Enter, and the
// yes holds for what was typed alone.
func TestPrivateIsAsked(t *testing.T) {
	s, find, lib, pages := &screen{}, &finder{}, &subscriber{}, &watcher{}
	scene := &view.Scene{Now: time.Unix(0, 0), Zone: time.UTC}
	b := New(lib, find, pages, s)
	enter := func(address string, want ...string) {
		t.Helper()
		find.asked = nil
		if address != "" {
			b.Set(address)
		}
		run(b, s, b.Enter(s))
		if !slices.Equal(find.asked, want) {
			t.Errorf("%s: asked %q, want %q", address, find.asked, want)
		}
	}
	enter("http://10.0.0.5/feed", "http://10.0.0.5/feed false")
	if state := b.Status(scene, 80).State; !strings.Contains(b.Wrong(), "Fetch it?") || !strings.Contains(state, "Enter yes") || !b.Offers() {
		t.Errorf("it was not asked: %q, %q", b.Wrong(), state)
	}
	b.Key("backspace") // the editor's own; typing goes through edit
	b.edit(s, tea.KeyPressMsg{Code: 'x', Text: "x"})
	if b.Offers() || b.Wrong() != "" {
		t.Error("the question stands for another address")
	}
	enter("http://10.0.0.5/feed", "http://10.0.0.5/feed false")
	enter("http://10.0.0.6/feed", "http://10.0.0.6/feed false") // another line in place of the one that was asked about
	enter("", "http://10.0.0.6/feed true")
	if c := b.chosen(); c == nil || !c.AllowPrivate {
		t.Fatalf("found %+v", c)
	}
	run(b, s, b.subscribe(s))
	if len(lib.got) != 1 || !lib.got[0].AllowPrivate {
		t.Errorf("subscribed to %+v", lib.got)
	}
	run(b, s, b.Watch(s))
	b.Paste(s, "!")
	run(b, s, b.Watch(s))
	run(b, s, b.Enter(s)) // yes
	if !slices.Equal(pages.asked, []bool{true, false, true}) {
		t.Errorf("watched with %v", pages.asked)
	}
}

// TestNoStaysInTheBox: in the box of an empty library no to a question leaves
// the cursor there, where Enter can start nothing else, and an arrow to the
// choices takes the question off the screen.
func TestNoStaysInTheBox(t *testing.T) {
	s := &screen{}
	b := First(nil, &finder{}, nil, s, nil, true)
	ask := func() {
		t.Helper()
		b.Set("http://10.0.0.5/feed")
		if run(b, s, b.Enter(s)); !b.Offers() {
			t.Fatal("it was not asked")
		}
	}
	ask()
	b.edit(s, tea.KeyPressMsg{Code: tea.KeyEscape})
	if !b.Typing() || b.Offers() || b.Wrong() != "" || b.String() != "http://10.0.0.5/feed" {
		t.Errorf("after no: %v, %q, %q", b.Context(), b.Wrong(), b.String())
	}
	ask() // again: no was no yes
	b.edit(s, tea.KeyPressMsg{Code: tea.KeyDown})
	if b.Context() != view.CtxChoices || b.Offers() || b.Wrong() != "" {
		t.Errorf("on the choices: %v, %q", b.Context(), b.Wrong())
	}
	b.into(s)
	b.edit(s, tea.KeyPressMsg{Code: tea.KeyEscape})
	if b.Context() != view.CtxChoices {
		t.Error("without a question Esc does not leave the box")
	}
}
