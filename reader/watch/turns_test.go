package watch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestPersonsAreWeighedFirst: whatever waits for its turn, a user is next.
func TestPersonsAreWeighedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewTurns()
		var order []string
		weigh := func(name string, person bool) {
			if err := s.Enter(t.Context(), person); err != nil {
				t.Error(err)
				return
			}
			order = append(order, name) // the scales guard it
			time.Sleep(time.Second)
			s.Leave()
		}
		begin := time.Now()
		for n := range 4 {
			go weigh(fmt.Sprint("page ", n), false)
			synctest.Wait()
		}
		gone, leave := context.WithCancel(t.Context())
		left := make(chan error)
		for _, person := range []bool{true, false} {
			go func() { left <- s.Enter(gone, person) }()
		}
		synctest.Wait()
		leave()
		for range 2 {
			if err := <-left; !errors.Is(err, context.Canceled) {
				t.Errorf("who gave up waiting: %v", err)
			}
		}
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("giving up took %v", waited)
		}
		weigh("person", true)
		if waited := time.Since(begin); waited != 2*time.Second {
			t.Errorf("a person was done after %v, behind one page and a second of their own", waited)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := strings.Join(order, ", "); got != "page 0, person, page 1, page 2, page 3" || !s.all.TryAcquire(1) || !s.background.TryAcquire(1) {
			t.Errorf("%s, or somebody is still in", got)
		}
	})
}
