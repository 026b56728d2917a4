package reader

import (
	"context"
	"sync"
)

// compareSem lets one page be compared at a time: what that takes is many times the
// page. Who waits in front of the screen comes before what is fetched in the
// background, so no person waits for more than the one page that lies on them.
type compareSem struct {
	mu              sync.Mutex
	taken           bool
	persons, others []*turn // who waits, in the order they came
}

// turn is one wait.
type turn struct {
	come chan struct{} // closed when it is
	gone bool          // it is not waited for any more
}

// enter waits for its turn, or for the end of ctx.
func (s *compareSem) enter(ctx context.Context, person bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	if !s.taken {
		s.taken = true
		s.mu.Unlock()
		return nil
	}
	t := &turn{come: make(chan struct{})}
	if person {
		s.persons = append(s.persons, t)
	} else {
		s.others = append(s.others, t)
	}
	s.mu.Unlock()
	select {
	case <-t.come:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-t.come:
		s.next() // it came in the same moment
	default:
		t.gone = true
	}
	return ctx.Err()
}

// leave hands the turn to whoever waits.
func (s *compareSem) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next()
}

func (s *compareSem) next() {
	for len(s.persons)+len(s.others) > 0 {
		queue := &s.persons
		if len(*queue) == 0 {
			queue = &s.others
		}
		t := (*queue)[0]
		if *queue = (*queue)[1:]; !t.gone {
			close(t.come)
			return
		}
	}
	s.taken = false
}
