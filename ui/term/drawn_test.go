package term

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// record is a terminal that remembers what was written to it.
type record struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(p)
}

func (r *record) has(text string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Contains(r.b.String(), text)
}

// starter is a model that ends when it hears that its first frame was drawn, and
// notes whether it was.
type starter struct {
	out          *record
	drawn, heard *int
}

func (starter) Init() tea.Cmd { return nil }

func (s starter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(DrawnMsg); !ok {
		return s, nil
	}
	*s.heard++
	if s.out.has("the first frame") {
		*s.drawn++
	}
	return s, tea.Quit
}

func (starter) View() tea.View { return tea.NewView("the first frame") }

// What the first frame does not need is read once that is written, and not before.
func TestDrawnAfterTheFirstFrame(t *testing.T) {
	for range 20 {
		s := starter{new(record), new(int), new(int)}
		opts := append(Paced(), tea.WithInput(nil), tea.WithOutput(s.out), tea.WithWindowSize(80, 24), tea.WithoutSignalHandler())
		if _, err := tea.NewProgram(s, opts...).Run(); err != nil {
			t.Fatal(err)
		}
		if *s.heard != 1 || *s.drawn != 1 {
			t.Fatalf("heard %d times that the first frame was drawn; it was %d of them", *s.heard, *s.drawn)
		}
	}
}
