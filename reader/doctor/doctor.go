// Package doctor finds what is wrong with a library, its feeds and the machine they
// are fetched on, says what to do, and copies and restores the library. Start with
// Maintenance.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/store"
)

// Library is what doctor needs of the store.
type Library interface {
	Exists() bool
	Path() string
	Check(ctx context.Context, deep bool, progress func(what string, done, total int)) (store.Report, error)
	Salvaged(ctx context.Context, path string) (store.Salvaged, error)
	Writable(ctx context.Context) error
	FetchLock(role string) (*store.FetchLock, error)
	Clock(ctx context.Context, now time.Time) (store.Clock, error)
}

// Diagnosis is doctor's report.
type Diagnosis struct {
	Library  string        // one line
	Findings []string      // damage, one line each; empty: good
	Items    int           // checked
	Took     time.Duration // of the check
	Bytes    int64         // of diurna.db
	Free     int64         // on its disk
	Fetcher  string        // "pid 4211 (screen)", "" for nobody
	Trouble  []Trouble
	Feeds    int
	Pages    int            // watched ones
	Silent   []model.Feed   // no post for 60 days
	Left     store.Salvaged // of a damaged library: what can still be read
	Lost     []string       // items that came and went between two fetches, in the last 28 days: sentences
	Clock    string         // what a clock that was wrong has left, "" if none was
	Problems []Problem
	Texts    int // pages asked for today for whole texts
}

// Problem is what keeps a whole library from being of use.
type Problem struct {
	Place string // the line of the report that it belongs to: "library", "fetching"
	What  string // "cannot be written: …"
	Do    string
}

// Aside is the advice to move a file out of the way, and what then happens.
func Aside(path, then string) string {
	return fmt.Sprintf("mv %s %s    (%s)", plain.Argument(path), plain.Argument(path+".aside"), then)
}

// Trouble is a feed that needs attention, and what to do.
type Trouble struct {
	Feed model.Feed
	What string // "404 not found since 12 Nov, 8 tries"
	Do   string // "diurna rm q4w"
}

// Damaged reports whether the library itself is hurt.
func (d *Diagnosis) Damaged() bool { return len(d.Findings) > 0 }

// checkLibrary checks the library whole, and finds out who fetches, whether anybody
// could, and whether anything could be kept. role is what fetch.lock would say of
// this process. progress may be nil.
func checkLibrary(ctx context.Context, lib Library, role string, progress func(what string, done, total int)) (Diagnosis, error) {
	var d Diagnosis
	if !lib.Exists() {
		d.Library = "none yet"
		return d, nil
	}
	start := time.Now() // a duration, not a date
	rep, err := lib.Check(ctx, true, progress)
	if errors.Is(err, store.ErrDamaged) {
		d.Findings = append(d.Findings, err.Error())
	} else if err != nil {
		return d, fmt.Errorf("check the library: %w", err)
	}
	for _, f := range rep.Findings {
		d.Findings = append(d.Findings, f.Where+": "+f.What)
	}
	if d.Damaged() {
		if d.Left, err = lib.Salvaged(ctx, lib.Path()); err != nil {
			d.Findings = append(d.Findings, err.Error())
		}
	}
	d.Items, d.Took = rep.Items, time.Since(start)
	if st, err := os.Stat(lib.Path()); err == nil {
		d.Bytes = st.Size()
	}
	d.Free = diskFree(filepath.Dir(lib.Path()))
	return d, d.checkFetching(ctx, lib, role)
}

// checkFeeds says which feeds are in trouble, silent or lost items.
func (d *Diagnosis) checkFeeds(feeds []model.Feed, c wording.Clock) {
	lost := map[string]int{} // feeds of one title may say the same
	for i := range feeds {
		f := &feeds[i]
		if f.Watched {
			d.Pages++
		} else {
			d.Feeds++
		}
		if f.InTrouble() {
			d.Trouble = append(d.Trouble, Trouble{Feed: *f, What: troubleOf(f, c), Do: adviceFor(f, c)})
		} else if !f.Watched && !f.LastPost.IsZero() && c.Now.Sub(f.LastPost) > model.SilentAfter {
			d.Silent = append(d.Silent, *f)
		}
		if s := f.LossSentence(c); s != "" {
			lost[s]++
			if lost[s] == 1 {
				d.Lost = append(d.Lost, s)
			}
		}
	}
	for i, s := range d.Lost {
		if lost[s] > 1 {
			d.Lost[i] = s + " (" + wording.Plural(lost[s], "feed") + ")"
		}
	}
}

// checkClock says whether the clock is behind what the library knows, and whether
// one was wrong before.
func (d *Diagnosis) checkClock(ctx context.Context, lib Library, clock wording.Clock) error {
	c, err := lib.Clock(ctx, clock.Now)
	if err != nil {
		return fmt.Errorf("check the clock: %w", err)
	}
	if c.Behind {
		what := "reads " + clock.Layout(clock.Now, time.DateOnly)
		if !c.Known.IsZero() {
			what += ", but the library knows of " + clock.Layout(c.Known, time.DateOnly)
		}
		d.Problems = append(d.Problems, Problem{"clock", what, "set the clock; until then new items are sorted by their publisher's date"})
		return nil
	}
	var was []string
	if c.Facts > 0 {
		was = append(was, fmt.Sprintf("ahead (%s, dated up to %s)", wording.Plural(c.Facts, "fact"), clock.Layout(c.Latest, time.DateOnly)))
	}
	if c.Dead > 0 {
		was = append(was, fmt.Sprintf("behind (%s, dated before 2025)", wording.Plural(c.Dead, "fact")))
	}
	if len(was) == 0 {
		return nil
	}
	d.Clock = "right now, but was " + strings.Join(was, " and ")
	if c.Ahead > 0 {
		d.Clock += "; the next fetch sets " + wording.Plural(c.Ahead, "item") + " from then back in the lists"
	}
	return nil
}

// checkFetching finds out who fetches, whether anybody could, and whether anything
// could be kept.
func (d *Diagnosis) checkFetching(ctx context.Context, lib Library, role string) error {
	report := func(place, what string, err error) {
		h := Problem{place, fmt.Sprintf("%s: %s", what, strings.TrimPrefix(err.Error(), store.ErrReadOnly.Error()+": ")),
			"see who owns the library's folder, and whether its disk may be written"}
		if path := filepath.Join(filepath.Dir(lib.Path()), "fetch.lock"); errors.Is(err, store.ErrUnsafe) && place == "fetching" {
			h.Do = Aside(path, "diurna rebuilds it")
		}
		d.Problems = append(d.Problems, h)
	}
	if err := lib.Writable(ctx); errors.Is(err, store.ErrBusy) || ctx.Err() != nil {
		return err
	} else if err != nil {
		report("library", "cannot be written", err)
	}
	lock, err := lib.FetchLock(role)
	switch {
	case err == nil:
		return lock.Release() // nobody had it
	case !errors.Is(err, store.ErrBusy):
		report("fetching", "nothing can be fetched", err)
		return nil
	}
	if pid, role := lock.Holder(); pid != 0 {
		d.Fetcher = fmt.Sprintf("pid %d (%s)", pid, role) // the screen's or a command's
		if lock.Stopped() == pid {
			d.Problems = append(d.Problems, Problem{"fetching", d.Fetcher + " is the fetching process and is stopped, so nothing is fetched",
				fmt.Sprintf("kill -CONT %d", pid)})
		}
	}
	return nil
}
