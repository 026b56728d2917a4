// Package finding is / and its box: goes to what matches in the view, or lists what
// does in the whole library.
package finding

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/ui/list"
	"diurna/ui/view"
)

// Finder finds on one screen.
type Finder struct{ lists *list.Source }

// New finds with lists of what is found.
func New(lists *list.Source) *Finder { return &Finder{lists} }

// queried is a view whose finds are queries.
type queried interface {
	Misread(s *view.Scene, text string) error
}

// misread is what is wrong with a find in the view on top.
func misread(h view.Host, text string) error {
	if q, ok := h.Top().(queried); ok {
		return q.Misread(h.Screen(), text)
	}
	return nil
}

// Ask opens the box.
func (f *Finder) Ask(h view.Host) tea.Cmd {
	return view.Batch(h.Ask(f.box(h)), f.lists.Untitled(h, h.Top()))
}

func (f *Finder) box(h view.Host) *view.Prompt {
	p := &view.Prompt{Name: "find", Label: "/", Says: says, Do: f.Find, Check: misread}
	if _, counts := h.Top().Matches(h.Screen(), ""); counts {
		p.Tab = f.Everywhere
	}
	return p
}

// Everywhere lists what matches in the whole library, read or not.
func (f *Finder) Everywhere(h view.Host, text string) tea.Cmd {
	q, err := query.ParseTyped(text, h.Screen().Now, h.Screen().Queries...)
	if err != nil {
		p := f.box(h)
		p.Set(text)
		cmd := h.Ask(p)
		p.Refuse(h, err)
		return cmd
	}
	if q.Empty() {
		h.Say("Tab finds words in the whole library; type them first.")
		return nil
	}
	l := f.lists.New(list.Of{Kind: list.Found, Name: "Found: " + text, Query: q,
		Empty: func(*view.Scene) string { return fmt.Sprintf("Nothing in the library matches %q.", text) }})
	h.Push(l)
	return l.Load(h)
}

// says counts, while typing, where Enter will go.
func says(h view.Host, text string) string {
	if text == "" {
		return "Enter goes to the next match, Tab searches the whole library"
	}
	n, counts := h.Top().Matches(h.Screen(), text)
	if err := misread(h, text); err != nil {
		return view.Unclear(err)
	}
	if !counts {
		return "Enter searches"
	}
	if n == 0 {
		return "no match"
	}
	return "Enter goes to the next of " + wording.Count(n)
}

// Find goes to the next match in the view on top.
func (f *Finder) Find(h view.Host, text string) tea.Cmd {
	if err := misread(h, text); err != nil {
		h.Say(err.Error()) // given to :find, without the box
		return nil
	}
	h.Top().Find(h, text)
	return nil
}

// Narrow is :narrow.
func (f *Finder) Narrow(h view.Host, text string) tea.Cmd {
	if l, ok := h.Top().(interface {
		Narrow(h view.Host, text string) tea.Cmd
	}); ok {
		return l.Narrow(h, text)
	}
	h.Say(":narrow works in lists of items and Feeds.")
	return nil
}
