package store

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"testing"

	"diurna/store/library"
)

// residentKB is how much of the file is mapped into this process right now.
func residentKB(file string) (int, error) {
	b, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return 0, err
	}
	m := regexp.MustCompile(regexp.QuoteMeta(file) + `\n(?:[^\n]*\n)*?Rss: +(\d+) kB`).FindSubmatch(b)
	if m == nil {
		return 0, fmt.Errorf("%s is not mapped", file)
	}
	return strconv.Atoi(string(m[1]))
}

// TestReleasedPages: what a transaction releases leaves the process's memory, and
// reads the same when it is read again.
func TestReleasedPages(t *testing.T) {
	if _, err := os.Stat("/proc/self/smaps"); err != nil {
		t.Skip(err)
	}
	s := newStore(t)
	const feeds = 2*library.ReleaseEvery + 10
	subscribe(t, s, feeds)
	var once, again []Feed
	var before, after int
	err := s.lib.Do(t.Context(), &library.Job{Fn: func(x *library.Txn) (err error) {
		if once, err = x.AllFeeds(false); err != nil {
			return err
		}
		if before, err = residentKB(s.lib.Path()); err != nil {
			return err
		}
		x.Release()
		if after, err = residentKB(s.lib.Path()); err != nil {
			return err
		}
		again, err = x.AllFeeds(false)
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	if before == 0 || after != 0 {
		t.Errorf("%d kB mapped, %d kB once they are released; want 0", before, after)
	}
	if len(again) != feeds || !reflect.DeepEqual(once, again) {
		t.Errorf("%d feeds of %d read again, or other ones", len(again), feeds)
	}
}
