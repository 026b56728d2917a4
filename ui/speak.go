package ui

import (
	"context"
	"io"
	"os"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/add"
	"diurna/ui/greeting"
	"diurna/ui/lastrow"
	"diurna/ui/linear"
	"diurna/ui/theme"
	"diurna/ui/view"
)

// aloud is the model as the linear form uses it.
type aloud struct{ m *model }

func (s aloud) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return s.m.Update(msg) }
func (s aloud) Screen() *view.Scene                     { return &s.m.Scene }
func (s aloud) Top() view.View                          { return s.m.Top() }
func (s aloud) Say(sentence string)                     { s.m.Say(sentence) }
func (s aloud) Prompt() *view.Prompt                    { return s.m.Box }
func (s aloud) Box() *add.Box                           { return s.m.adding.Box() }
func (s aloud) Look() tea.Cmd                           { return s.m.session.Look() }
func (s aloud) Press(key tea.KeyPressMsg) tea.Cmd       { return s.m.press(key) }
func (s aloud) Takes(word string) bool                  { return s.m.line.Takes(word) }
func (s aloud) Own(word string) bool                    { return s.m.line.Own(word) }
func (s aloud) Do(line string) tea.Cmd                  { return s.m.line.Do(s.m, line) }
func (s aloud) Leads() tea.Cmd                          { return s.m.lists.Leads(s.m, s.m.Top().Rows()) }
func (s aloud) Said() []string                          { return s.m.last.Take() }

// Answered reports whether the last row holds the answer to a key.
func (s aloud) Answered() bool {
	return s.m.last.Has(lastrow.Message) || s.m.last.Has(lastrow.Notice) || s.m.last.Has(lastrow.Question)
}

// News is what the library and the fetcher said since the last line.
func (s aloud) News() (cmd tea.Cmd, tell, some bool) {
	select {
	case <-s.m.eff.lib.Changes():
		return s.m.onNews(view.ChangedMsg{}), false, true
	case <-s.m.eff.seen:
		return s.m.onNews(view.ChangedMsg{}), false, true
	case msg := <-s.m.fetch.Plan.News:
		s.m.fetch.Round(s.m, msg)
		return nil, true, true
	default:
		return nil, false, false
	}
}

// speak runs the linear form until the user leaves or the input ends.
func (s aloud) speak(ctx context.Context, in io.Reader, out io.Writer) error {
	m := s.m
	m.Scene.Th = theme.Plain(m.Scene.Cfg.ASCII)
	m.Scene.W, m.Scene.H = view.LinearWidth+8, 24
	m.eff.calm, m.eff.out.Calm, m.session.Calm = true, true, true
	m.fetch.Calm, m.ranked.Calm, m.greet.Calm = true, true, true
	t := linear.New(s, in, out)
	t.Run(m.fetch.Begin(m))
	t.Run(m.notes.Recall(greeting.PlaceName))
	if !m.empty {
		t.Run(m.river.Load(m))
	}
	t.Run(m.greet.Opening())
	left, err := t.Loop(ctx, func() string { return m.last.Last(lastrow.Freshness) })
	if !left {
		m.notes.KeepNow(greeting.PlaceName, m.present())
	}
	return err
}

// runLinear is Run without a screen.
func runLinear(ctx context.Context, r Library, o Options, snapshot reader.Snapshot) error {
	m := newModel(ctx, r, o, snapshot)
	if o.Watch != nil && !snapshot.Empty {
		m.eff.seen, _ = o.Watch(ctx)
	}
	in, out := o.In, o.Out
	if in == nil {
		in = os.Stdin
	}
	if out == nil {
		out = os.Stdout
	}
	if m.pause.Halt = o.Stop; o.Stop != nil {
		go m.fetch.Plan.ObeyStops(o.Stops, m.eff.out.Suspended, o.Stop, nil)
	}
	err := aloud{m}.speak(ctx, in, out)
	m.fetch.Plan.Stop()
	lost := m.marks.Drain()
	m.eff.stop()
	switch {
	case err != nil:
		return err
	case len(lost) > 0:
		return lost[0].Err
	case m.adding.DemoChosen():
		return ErrDemo
	}
	return m.farewell()
}
