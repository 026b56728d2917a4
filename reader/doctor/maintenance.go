package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"diurna/reader/model"
	"diurna/reader/revision"
	"diurna/reader/wording"
	"diurna/store"
)

// Store is what Maintenance needs of the store: to check the library, and to copy,
// replace and shrink its file.
type Store interface {
	Library
	PageRevisions(ctx context.Context, id store.FeedID) ([]store.PageRevision, error)
	PageChain(ctx context.Context, id store.FeedID, no uint32) ([]store.PageRevision, error)
	Descent(ctx context.Context, path string) (store.Descent, error)
	Backup(ctx context.Context, path string) error
	BackupPacked(ctx context.Context, path string) error
	Thin(ctx context.Context, path, base string) error
	Restore(ctx context.Context, now time.Time, path string) (aside string, err error)
	Lost(ctx context.Context, aside string) (store.Lost, error)
	Quarantine(ctx context.Context, now time.Time) (aside string, err error)
	Compact(ctx context.Context) (before, after int64, err error)
}

// FeedList reads the feeds with their state.
type FeedList interface {
	Feeds(ctx context.Context) ([]model.Feed, error)
}

// Plan says since when feeds were due that nobody fetched, and how many they are.
type Plan interface {
	Abandoned(ctx context.Context, now time.Time) (since time.Time, feeds int, err error)
}

// Maintenance checks, copies and restores a library. Its methods are safe for use
// by several goroutines; none keeps the library open between calls.
type Maintenance struct {
	store Store
	feeds FeedList
	plan  Plan
	role  string
	now   func() time.Time

	Exact bool // what Doctor finds is for programs: its times are stamps
}

// NewMaintenance looks after the library s. role is what fetch.lock would say of
// this process, now the clock that dates what is set aside.
//
//go:noinline // 17 places
func NewMaintenance(s Store, f FeedList, p Plan, role string, now func() time.Time) *Maintenance {
	return &Maintenance{store: s, feeds: f, plan: p, role: role, now: now}
}

// Exists reports whether there is a library at all.
func (m *Maintenance) Exists() bool { return m.store.Exists() }

// Doctor checks the library whole: checksums, state against facts, feeds in
// trouble. Progress may be nil.
func (m *Maintenance) Doctor(ctx context.Context, progress func(what string, done, total int)) (Diagnosis, error) {
	d, err := checkLibrary(ctx, m.store, m.role, progress)
	if err != nil || d.Library != "" {
		return d, err
	}
	feeds, err := m.feeds.Feeds(ctx)
	if err != nil {
		if d.Damaged() {
			return d, nil // the damage is the message; a list of feeds can wait
		}
		return d, err
	}
	c := wording.Clock{Now: m.now(), Exact: m.Exact}
	if !d.Damaged() {
		if err := d.checkRevisions(ctx, m.store, feeds); err != nil {
			return d, err
		}
	}
	if !d.Damaged() {
		if err := d.checkClock(ctx, m.store, c); err != nil {
			return d, err
		}
	}
	if d.Fetcher == "" && !d.Damaged() {
		if err := d.checkPlan(ctx, m.plan, c); err != nil {
			return d, err
		}
	}
	d.checkFeeds(feeds, c)
	return d, nil
}

// Descent tells which library the backup at path holds and how far it goes; "" is
// this library.
func (m *Maintenance) Descent(ctx context.Context, path string) (store.Descent, error) {
	return m.store.Descent(ctx, path)
}

// Backup writes a verified copy of the library to path.
func (m *Maintenance) Backup(ctx context.Context, path string) error {
	if err := m.store.Backup(ctx, path); err != nil {
		return fmt.Errorf("back up to %s: %w", path, err)
	}
	return nil
}

// BackupPacked writes a verified copy of the library to path, packed.
func (m *Maintenance) BackupPacked(ctx context.Context, path string) error {
	if err := m.store.BackupPacked(ctx, path); err != nil {
		return fmt.Errorf("back up to %s: %w", path, err)
	}
	return nil
}

// Thin makes the backup at path say how it differs from the packed one at base,
// without which it cannot be restored then.
func (m *Maintenance) Thin(ctx context.Context, path, base string) error {
	return m.store.Thin(ctx, path, base)
}

// CheckBackup reads a daily backup from end to end: restore can use it if the error
// is nil.
func (m *Maintenance) CheckBackup(ctx context.Context, path string) error {
	if _, err := m.store.Descent(ctx, path); err != nil {
		return err
	}
	return store.CheckPacked(ctx, path)
}

// Restore puts a backup in the library's place; what was there is set aside
// under the returned path.
func (m *Maintenance) Restore(ctx context.Context, path string) (aside string, err error) {
	aside, err = m.store.Restore(ctx, m.now(), path)
	if err != nil {
		return "", fmt.Errorf("restore %s: %w", path, err)
	}
	return aside, nil
}

// Lost counts what a file that was set aside holds and the library does not.
func (m *Maintenance) Lost(ctx context.Context, aside string) (store.Lost, error) {
	return m.store.Lost(ctx, aside)
}

// Quarantine sets a damaged library aside, under the returned path; afterwards
// there is none.
func (m *Maintenance) Quarantine(ctx context.Context) (aside string, err error) {
	return m.store.Quarantine(ctx, m.now())
}

// Compact gives the library's free pages back to the disk: bytes before, after.
func (m *Maintenance) Compact(ctx context.Context) (before, after int64, err error) {
	before, after, err = m.store.Compact(ctx)
	if err != nil {
		err = fmt.Errorf("compact: %w", err)
	}
	return before, after, err
}

// checkRevisions unpacks every kept revision: the store proves its records, but
// only unpacking them tells whether they are what was served.
func (d *Diagnosis) checkRevisions(ctx context.Context, s Store, feeds []model.Feed) error {
	for i := range feeds {
		if !feeds[i].Watched {
			continue
		}
		id := feeds[i].Key
		list, err := s.PageRevisions(ctx, id)
		if err != nil {
			return fmt.Errorf("read the revisions: %w", err)
		}
		for _, rev := range list {
			body, err := unpack(ctx, s, id, rev.No)
			var damaged *store.DamagedError
			switch {
			case errors.As(err, &damaged):
				d.Findings = append(d.Findings, damaged.Record+": "+damaged.What)
			case err != nil:
				return err
			case len(body) != rev.Size:
				d.Findings = append(d.Findings, fmt.Sprintf("revision %d of %s: %d bytes, %d were served", rev.No, id, len(body), rev.Size))
			}
		}
	}
	return nil
}

// unpack returns the bytes of a revision as they were served.
func unpack(ctx context.Context, s Store, id store.FeedID, no uint32) ([]byte, error) {
	chain, err := s.PageChain(ctx, id, no)
	if err != nil {
		return nil, fmt.Errorf("read revision %d of %s: %w", no, id, err)
	}
	body, damaged, err := revision.Restore(len(chain), func(i int) []byte { return chain[i].Packed })
	if err != nil {
		return nil, &store.DamagedError{What: err.Error(), Record: fmt.Sprintf("revision %d of %s", chain[damaged].No, id)}
	}
	return body, nil
}

// checkPlan says that feeds which may be fetched, and which the day's budget pays,
// were booked long ago and are not fetched by anybody.
func (d *Diagnosis) checkPlan(ctx context.Context, p Plan, c wording.Clock) error {
	since, late, err := p.Abandoned(ctx, c.Now)
	if err != nil || late == 0 {
		return err
	}
	d.Problems = append(d.Problems, Problem{Place: "fetching", What: fmt.Sprintf("the plan has not run since %s; %s overdue", c.When(since), areOrIs(late)),
		Do: `diurna run    (or "diurna fetch" from cron every 10 minutes; an open screen fetches as well)`})
	return nil
}

func areOrIs(feeds int) string {
	if feeds == 1 {
		return "1 feed is"
	}
	return wording.Plural(feeds, "feed") + " are"
}
