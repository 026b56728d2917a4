// Package notes keeps small texts of the screen between sessions: where the reader was,
// the lines of boxes, what was said once. Losing one is not worth a sentence over what
// is read.
package notes

import (
	"context"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/view"
)

// Library keeps a text under a name.
type Library interface {
	Keep(ctx context.Context, name string, value []byte) error
	Recall(ctx context.Context, name string) ([]byte, error)
}

// Notes are those of one library.
type Notes struct {
	ctx    context.Context
	lib    Library
	adding sync.Mutex // a line is being added
}

// New gives the notes of a library; what is asked of it ends with ctx.
func New(ctx context.Context, lib Library) *Notes { return &Notes{ctx: ctx, lib: lib} }

// Msg brings a text that was kept.
type Msg struct {
	Name  string
	Value []byte
}

// Keep keeps a text in place of the one before.
func (n *Notes) Keep(name string, value []byte) tea.Cmd {
	return func() tea.Msg {
		n.KeepNow(name, value)
		return nil
	}
}

// KeepNow is Keep beside the event loop, or after it. nil is not kept.
func (n *Notes) KeepNow(name string, value []byte) {
	if value != nil {
		_ = n.lib.Keep(context.WithoutCancel(n.ctx), name, value)
	}
}

// Add adds a line to a text where it is kept: what this screen knows of it may be less,
// at the start or beside another screen.
func (n *Notes) Add(name, line string) tea.Cmd {
	return func() tea.Msg {
		n.adding.Lock()
		defer n.adding.Unlock()
		value, err := n.lib.Recall(context.WithoutCancel(n.ctx), name)
		if err != nil {
			return nil
		}
		var kept []string
		if len(value) > 0 {
			kept = strings.Split(string(value), "\n")
		}
		n.KeepNow(name, []byte(strings.Join(view.Remember(kept, line), "\n")))
		return nil
	}
}

// Recall asks for a text; nothing comes where none is kept.
func (n *Notes) Recall(name string) tea.Cmd {
	return func() tea.Msg {
		value, err := n.Read(name)
		if err != nil || value == nil {
			return nil
		}
		return Msg{name, value}
	}
}

// Read reads a text, nil where none is kept. It is called in a command.
func (n *Notes) Read(name string) ([]byte, error) { return n.lib.Recall(n.ctx, name) }
