package impressions

import (
	"context"
	"errors"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// Library is told that the reader looks.
type Library interface {
	Looked(ctx context.Context) error
}

// Ranker learns from what was seen.
type Ranker interface {
	Shown(ctx context.Context, now, at time.Time, impressions []reader.Impression) error
}

// Session is the reader in front of the screen: when a key came last, and what stood
// on the screen since.
type Session struct {
	Seen
	LastKey time.Time // zero: none came yet
	Calm    bool      // nothing looks again by itself

	ctx    context.Context
	scene  *view.Scene
	lib    Library
	ranker Ranker
	here   time.Time  // when the reader was last known to be here
	noting sync.Mutex // a look, or what was seen, is being noted
}

// New is a session that has not begun; scene has the time.
func New(ctx context.Context, scene *view.Scene, lib Library, r Ranker) *Session {
	return &Session{ctx: ctx, scene: scene, lib: lib, ranker: r}
}

// LookMsg: a second has passed since a key.
type LookMsg struct{}

// FailedMsg: a look could not be noted.
type FailedMsg struct{ Err error }

// Look notes the moment the reader comes to the screen: the first key, the
// first one after ten minutes, and when the screen is shown again after that
// time. Nothing is noted by the clock alone.
func (s *Session) Look() tea.Cmd {
	now, last := s.scene.Now, s.here
	s.here = now
	if !last.IsZero() && now.Sub(last) < reader.LookAfter {
		return nil
	}
	s.Renew()
	return func() tea.Msg {
		s.noting.Lock() // what was seen is noted after the look
		defer s.noting.Unlock()
		if err := s.lib.Looked(s.ctx); err != nil && !errors.Is(err, context.Canceled) {
			return FailedMsg{err}
		}
		return nil
	}
}

// Follow notes which rows stand on the screen from now on, and sees to it that they
// are counted in a second.
func (s *Session) Follow(rows []*reader.Row) tea.Cmd {
	s.Seen.Follow(s.scene.Now, rows)
	if s.Calm {
		return nil
	}
	if d := s.Next(); d > 0 {
		return later(d)
	}
	return nil
}

// later is the one look at what stands on the screen after a key.
func later(d time.Duration) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return LookMsg{} })
}

// OnMsg counts, and has noted what was seen.
func (s *Session) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case LookMsg:
		now := s.scene.Now
		again, seen := s.collect(now, s.LastKey)
		var noted tea.Cmd
		if len(seen) > 0 {
			noted = func() tea.Msg {
				s.Note(now, seen)
				return nil
			}
		}
		if again > 0 {
			return view.Batch(later(again), noted)
		}
		return noted
	case FailedMsg:
		h.Say(view.Sentence(msg.Err)) // what a key says next is newer, and takes its place
	}
	return nil
}

// Note notes what was seen. Losing it is not worth a sentence over what is read.
func (s *Session) Note(at time.Time, seen []reader.Impression) {
	if len(seen) == 0 {
		return
	}
	s.noting.Lock()
	defer s.noting.Unlock()
	_ = s.ranker.Shown(context.WithoutCancel(s.ctx), time.Now(), at, seen)
}

// CountImpressions counts how long the rows have stood on the screen until now.
func (s *Session) CountImpressions() { s.Count(s.scene.Now, s.LastKey) }
