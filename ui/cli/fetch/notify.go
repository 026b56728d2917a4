package fetch

import (
	"context"

	"diurna/reader"
)

// fetch is Fetch: whoever fetches a change, the command runs once for it.
func (f *Fetcher) fetch(ctx context.Context, q reader.FetchRequest, progress func(reader.Progress)) (reader.FetchReport, error) {
	notice, end := f.notices(context.WithoutCancel(ctx))
	defer func() { go end() }() // the person waits for the fetch, not for the command
	return f.Reader.Fetch(ctx, q, func(p reader.Progress) {
		notice(reader.Event{Progress: p})
		if progress != nil {
			progress(p)
		}
	})
}

// notices passes what is told on to the notices, aside from the fetching.
func (f *Fetcher) notices(ctx context.Context) (tell func(reader.Event), end func()) {
	if len(f.Notice.Command) == 0 && f.Terminal == nil {
		return func(reader.Event) {}, func() {}
	}
	queue := make(chan []reader.Told, 64)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for told := range queue {
			f.Notice.Tell(ctx, f.Terminal, told)
		}
	}()
	tell = func(e reader.Event) {
		if res := e.Progress.Result; res != nil && len(res.Told) > 0 {
			select {
			case queue <- res.Told:
			default: // the command is slower than the pages change; River has it
			}
		}
	}
	return tell, func() { close(queue); <-done }
}
