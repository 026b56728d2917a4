package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/cli/library"
	"diurna/ui/term"
)

// Fetcher is a reader that runs the plan and, when it has nothing to fetch,
// makes the library's daily backup: the screen fetches through it.
type Fetcher struct {
	*reader.Reader
	Dir      string // of the library; "": no backups
	Notice   term.Notice
	Terminal io.Writer    // for its bell; nil: whoever draws the screen rings
	Say      func(string) // what failed of a rule's command; nil: doctor has it
	// Screen: a library that proves damaged is set aside at once, as at the end of a
	// command, and all that needs it says so from then on.
	Screen bool
	// Had says that there was a library as the screen began: one that is gone before
	// the first read is missed too.
	Had bool

	mu   sync.Mutex
	lost error // why there is no library any more

	// Quiesce holds back whoever needs the library while the process is stopped;
	// nil: nobody.
	Quiesce func() (resume func())
}

// Fetch fetches what a user asks for. The command of Notice runs for what it
// brings as well, aside from the fetch and even when that is stopped.
func (f *Fetcher) Fetch(ctx context.Context, q reader.FetchRequest, progress func(reader.Progress)) (reader.FetchReport, error) {
	report, err := f.fetch(ctx, q, progress)
	return report, f.hurt(ctx, err)
}

// Rows reads a list.
func (f *Fetcher) Rows(ctx context.Context, q reader.Query, limit int) ([]reader.Row, error) {
	rows, err := f.Reader.Rows(ctx, q, limit)
	return rows, f.hurt(ctx, err)
}

// Feeds reads the feeds.
func (f *Fetcher) Feeds(ctx context.Context) ([]reader.Feed, error) {
	feeds, err := f.Reader.Feeds(ctx)
	return feeds, f.hurt(ctx, err)
}

// Article reads an article.
func (f *Fetcher) Article(ctx context.Context, id reader.ItemID) (reader.Article, error) {
	a, err := f.Reader.Article(ctx, id)
	return a, f.hurt(ctx, err)
}

// Open reads an article and marks it read.
func (f *Fetcher) Open(ctx context.Context, id reader.ItemID) (reader.Article, error) {
	a, err := f.Reader.Open(ctx, id)
	return a, f.hurt(ctx, err)
}

// Mark does act to items.
func (f *Fetcher) Mark(ctx context.Context, act reader.Act, scope string, ids []reader.ItemID, tag string) (reader.Done, error) {
	done, err := f.Reader.Mark(ctx, act, scope, ids, tag)
	return done, f.hurt(ctx, err)
}

// Run is the reader's Run with a backup a day, made while nothing is due.
// A backup that fails is reported like any trouble of the library, once
// a day, and fetching goes on: the next day tries again, and where only its name was
// taken, each pause.
func (f *Fetcher) Run(ctx context.Context, tell func(reader.Event)) error {
	done, said := "", ""
	backup := func(now time.Time) {
		day := now.Format(time.DateOnly)
		if done == day {
			return
		}
		err := library.Daily(ctx, f.Reader.Maintenance(), f.Dir, now)
		if taken := (*library.InTheWay)(nil); !errors.As(err, &taken) {
			done = day
		}
		if err == nil || ctx.Err() != nil || said == day {
			return
		}
		said = day
		slog.Warn("the daily backup failed", "error", err)
		if tell != nil {
			tell(reader.Event{At: now, Err: err})
		}
	}
	notice, end := f.notices(ctx)
	defer end()
	return f.Reader.Run(ctx, func(e reader.Event) {
		notice(e)
		if idle := e.Waiting == "" && e.Progress.Total == 0 && e.Err == nil; idle {
			backup(e.At)
			var err error
			if e.Say, err = f.Retain(ctx); err != nil && ctx.Err() == nil {
				slog.Warn("texts could not be removed", "error", err)
			}
		}
		if e.Err != nil {
			e.Err = f.hurt(ctx, e.Err)
		}
		if tell != nil {
			tell(e)
		}
	})
}

// hurt is err, or what it means for the library.
func (f *Fetcher) hurt(ctx context.Context, err error) error {
	if !f.Screen {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	there := f.Reader.Exists()
	switch {
	case there:
		f.Had, f.lost = true, nil
	case f.lost != nil:
		return f.lost
	case f.Had:
		if what, do := library.Missing(ctx, f.Reader.Maintenance(), f.Dir, wording.Clock{Now: time.Now()}); what != "" {
			return fmt.Errorf("%s: %s", what, do)
		}
	}
	aside := library.SetAside(ctx, f.Reader.Maintenance(), f.Dir, wording.Clock{Now: time.Now()}, err)
	if aside == err {
		return err
	}
	f.lost = fmt.Errorf("%w: %s", aside, library.RestoreHint) // the screen has no line for hints
	return f.lost
}

// Lost is why the library that a screen was about is no longer there, if damage
// is the reason: what is said once more after leaving.
func (f *Fetcher) Lost() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lost == nil || f.Reader.Exists() {
		return nil
	}
	return f.lost
}
