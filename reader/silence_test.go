package reader

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"diurna/store"
)

// Who holds fetch.lock and gives no sign is reported once, after a while, and not
// waited for without end; a sign begins the time again.
func TestSilentHolder(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		open := func(role string) (*store.Store, *store.FetchLock, error) {
			s, err := store.Open(store.Options{Dir: dir, CacheDir: dir, Role: role})
			if err != nil {
				t.Fatal(err)
			}
			lock, err := s.FetchLock(role)
			return s, lock, err
		}
		holder, held, err := open("run")
		if err != nil {
			t.Fatal(err)
		}
		defer holder.Close()
		other, lock, err := open("fetch")
		if !errors.Is(err, store.ErrBusy) {
			t.Fatalf("two hold fetch.lock: %v", err)
		}
		defer other.Close()
		var reports []string
		wait := func(s *silence, seconds int) (after int, err error) {
			for after = 1; after <= seconds; after++ {
				time.Sleep(time.Second)
				err = s.endure(lock, Progress{Done: 1, Total: 3}, func(p Progress) {
					if p.Done != 1 || p.Total != 3 {
						t.Errorf("reported with %+v", p)
					}
					reports = append(reports, p.Waiting)
				})
				if err != nil {
					return after, err
				}
			}
			return after, nil
		}
		s := silence{since: time.Now()}
		if _, err := wait(&s, 9); err != nil || len(reports) > 0 {
			t.Errorf("after 9 s: %v, %q", err, reports)
		}
		if _, err := wait(&s, 29); err != nil || len(reports) != 1 || !strings.HasPrefix(reports[0], "pid ") || !strings.HasSuffix(reports[0], " (run)") {
			t.Errorf("after 38 s: %v, %q", err, reports)
		}
		s = s.broken()
		after, err := wait(&s, 60)
		if after != 40 || !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "(run) is fetching but has not responded for 40 s") || len(reports) != 1 {
			t.Errorf("after %d s more: %v, %q", after, err, reports)
		}
		if err := held.Release(); err != nil {
			t.Fatal(err)
		}
		if err := s.endure(lock, Progress{}, func(Progress) { t.Error("reported nobody") }); err != nil {
			t.Errorf("a holder that ended: %v", err)
		}
	})
}
