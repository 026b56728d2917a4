package session

import (
	"context"
	"errors"

	"diurna/reader"
	"diurna/ui/cli/exit"
)

// Each does one thing for every word. One word that fails ends in its own
// code; of several the others are still done, and the code says "partly".
func (s *Session) Each(ctx context.Context, words []string, do func(context.Context, string) error) error {
	if len(words) == 1 {
		return do(ctx, words[0])
	}
	var failed int
	var last error
	for _, w := range words {
		err := do(ctx, w)
		if err == nil {
			continue
		}
		if fatal(err) {
			return err
		}
		failed, last = failed+1, err
		exit.Report(s.Env.Err, err)
	}
	switch failed {
	case 0:
		return nil
	case len(words):
		return exit.Reported(exit.CodeOf(last))
	}
	return exit.Reported(exit.Partly)
}

// fatal errors are the library's or the user's stop: the next word would
// fail alike.
func fatal(err error) bool {
	c := exit.CodeOf(err)
	return c == exit.Busy || c == exit.Damaged || c == exit.INT || errors.Is(err, reader.ErrFull) || errors.Is(err, reader.ErrReadOnly)
}
