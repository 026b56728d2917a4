package pages

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"diurna/reader"
	"diurna/reader/condition"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/exit"
)

// severalWatches refuses what makes sense for one page only.
func severalWatches(flags *pflag.FlagSet, words []string) error {
	for _, name := range []string{"title", "ignored", "report"} {
		if flags.Changed(name) {
			return exit.Usage("diurna watch --help has an example", "--%s is for one page, and %d are named", name, len(words))
		}
	}
	for _, w := range words {
		if !strings.ContainsAny(w, "./:") {
			return exit.Usage("name one page to change how it is watched", "%q is not an address", w)
		}
	}
	return nil
}

// watch begins to watch pages. All are fetched once before the first is fetched a
// second time, so that several take no longer than the slowest.
func (s *Commands) watch(ctx context.Context, lib Library, addresses []string, o reader.WatchOptions) error {
	var begun []reader.Watched
	var failed error
	for _, address := range addresses {
		done, err := s.watchOne(ctx, lib, address, o)
		if err != nil {
			if failed = err; len(addresses) == 1 || errors.Is(err, context.Canceled) {
				break
			}
			sentence, hint := exit.Sentence(err)
			exit.Report(s.Env.Err, exit.With(exit.CodeOf(err), fmt.Errorf("%s: %s", address, sentence), hint))
			continue
		}
		begun = append(begun, done)
	}
	if err := s.fetchTwice(ctx, lib, begun); err != nil {
		return err
	}
	if failed != nil && len(begun) > 0 {
		return exit.Reported(exit.Partly)
	}
	return failed
}

func (s *Commands) watchOne(ctx context.Context, lib Library, address string, o reader.WatchOptions) (reader.Watched, error) {
	done, err := lib.Pages().Watch(ctx, address, o)
	switch {
	case errors.Is(err, reader.ErrPrivate):
		return done, exit.With(exit.Error, err, "to allow it: diurna watch --allow-private "+plain.Argument(address))
	case errors.Is(err, reader.ErrKnown):
		return done, exit.With(exit.Error, err, "diurna watch PAGE --threshold 3 changes how; another --select watches another part")
	case err != nil:
		return done, err
	}
	s.Talk("watching %s (%s): %s, %s. diurna undo reverts it.",
		done.Page.Title, done.Page.Key, wording.Plural(done.Words, "word"), howWatched(&done.Page)[0])
	if m := done.Main; m.Selector != "" {
		s.Talk("its main part holds %s of %s words. To watch that alone: diurna watch %s --select %s",
			wording.Count(m.Words), wording.Count(m.Of), done.Page.Key, plain.Argument(m.Selector))
	}
	if o.When != "" {
		s.Talk("%s.", readingSentence(done.Page.When, done.Reading))
	}
	if s.JSON {
		return done, s.PrintJSON(done.Page)
	}
	return done, nil
}

// fetchTwice makes the second fetches and says what they showed. If it is
// interrupted, the pages are watched all the same.
func (s *Commands) fetchTwice(ctx context.Context, lib Library, begun []reader.Watched) error {
	longest := time.Duration(0)
	for i := range begun {
		longest = max(longest, begun[i].Second)
	}
	if longest > 0 {
		what := "it"
		if len(begun) > 1 {
			what = "them"
		}
		s.Talk("fetching %s once more in %s, to see what changes on every fetch; Ctrl-C skips that.", what, longest.Round(time.Millisecond))
	}
	since := time.Now()
	for i := range begun {
		w := &begun[i]
		if w.Second > 0 {
			w.Second = max(w.Second-time.Since(since), time.Nanosecond) // the waits run together
		}
		second, err := lib.Pages().SecondFetch(ctx, *w)
		if errors.Is(err, context.Canceled) {
			for j := range begun[i:] {
				s.Talk("stopped; %s is watched, without a second fetch.", begun[i+j].Page.Title)
			}
			return exit.Reported(exit.INT)
		}
		if err != nil {
			return err
		}
		if say := secondSentence(second); say != "" {
			s.Talk("%s: %s.", w.Page.Title, say)
		}
	}
	return nil
}

// secondSentence says what a second fetch showed, "" where nobody wanted one.
func secondSentence(d reader.Second) string {
	const later = "; later fetches will show what changes each time"
	switch d.Outcome {
	case reader.SecondSame:
		return "nothing differed"
	case reader.SecondDiffers:
		return fmt.Sprintf("%s differed the second time", wording.Plural(d.Places, "place"))
	case reader.SecondCopy:
		return "the second answer was a stored copy of the first" + later
	case reader.SecondFailed:
		return "the second fetch failed: " + d.Why + later
	}
	if d.Why == "" {
		return ""
	}
	return "not fetched a second time: " + d.Why + later
}

// readingSentence says what a condition finds now, and when it will be reported.
func readingSentence(when string, r condition.Reading) string {
	c, err := condition.ParseCondition(when)
	switch {
	case err != nil:
		return err.Error()
	case !r.Found:
		return fmt.Sprintf("the page has no %s as it was kept last; each fetch looks for it", c.Subject())
	}
	say := fmt.Sprintf("the %s is %s now; it is reported once it is %s", c.Subject(), r.Text, c.Words())
	if r.True {
		say = fmt.Sprintf("the %s is %s now, %s already; it is reported the next time it becomes so", c.Subject(), r.Text, c.Words())
	}
	if r.Of > 1 {
		say += fmt.Sprintf(". It is the first of %d and stands in %q; --select CSS chooses another", r.Of, plain.Line(r.Block, 60))
	}
	return say
}
