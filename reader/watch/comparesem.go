package watch

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// Turns lets one page be compared at a time: what that takes is many times the
// page. What is fetched in the background queues for a place in the queue, of which
// it has one, so nobody in front of the screen waits for more than one page of it.
type Turns struct {
	all, background *semaphore.Weighted
	ofBackground    bool // who is in; written by them alone
}

func NewTurns() *Turns {
	return &Turns{all: semaphore.NewWeighted(1), background: semaphore.NewWeighted(1)}
}

// Enter waits for its turn, or for the end of ctx.
func (s *Turns) Enter(ctx context.Context, person bool) error {
	if !person {
		if err := s.background.Acquire(ctx, 1); err != nil {
			return err
		}
	}
	if err := s.all.Acquire(ctx, 1); err != nil {
		if !person {
			s.background.Release(1)
		}
		return err
	}
	s.ofBackground = !person
	return nil
}

// Leave hands the turn to whoever waits, a user first.
func (s *Turns) Leave() {
	background := s.ofBackground
	s.all.Release(1)
	if background {
		s.background.Release(1)
	}
}
