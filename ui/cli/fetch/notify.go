package fetch

import (
	"context"
	"log/slog"

	"diurna/reader"
)

// fetch is Fetch: whoever fetches an item, the commands run once for it.
func (f *Fetcher) fetch(ctx context.Context, q reader.FetchRequest, progress func(reader.Progress)) (reader.FetchReport, error) {
	notice, end := f.notices(context.WithoutCancel(ctx))
	defer func() { go end() }() // nobody waits for the commands
	return f.Reader.Fetch(ctx, q, func(p reader.Progress) {
		notice(reader.Event{Progress: p})
		if progress != nil {
			progress(p)
		}
	})
}

// notices passes what is rung for, and what rules run commands for, on, aside from the
// fetching.
func (f *Fetcher) notices(ctx context.Context) (tell func(reader.Event), end func()) {
	queue := make(chan *reader.FetchResult, 1024)
	done := make(chan struct{})
	go func() {
		defer close(done)
		calls := caller{lib: f.Reader, say: f.Say}
		for res := range queue {
			f.Notice.Tell(ctx, f.Terminal, res.Reported)
			calls.run(ctx, res.Called)
		}
	}()
	tell = func(e reader.Event) {
		res := e.Progress.Result
		if res == nil || len(res.Reported)+len(res.Called) == 0 {
			return
		}
		select {
		case queue <- res:
		default: // the commands are slower than items come; the lists have them
			for i := range res.Called {
				if _, err := f.Rules().Ran(ctx, res.Called[i].Rule, errTooMany, e.At); err != nil {
					slog.Warn("the exit state of a rule's command was not stored", "error", err)
				}
			}
		}
	}
	return tell, func() { close(queue); <-done }
}
