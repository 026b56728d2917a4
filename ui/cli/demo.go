package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/demo"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/past"
	"diurna/ui/cli/session"
)

func (s *program) demoCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "demo",
		Short: "try everything, offline, with a temporary library",
		Long: `A small publisher inside the program, and four weeks of sample reading. Without
a terminal every view is printed once as 80x24 text.`,
		Example:     "  diurna demo\n  diurna demo | less",
		Annotations: arguments.Exits("0 done · 1 not done"),
		Args:        arguments.AtMost(0),
		RunE:        func(c *cobra.Command, _ []string) error { return s.demo(c.Context()) },
	}
	c.Flags().BoolVar(&s.Where.Linear, "linear", false, linearUsage)
	return c
}

// demo unpacks the library of the past in a folder of its own, moves it to this day,
// plays the day into it, shows it, and removes the folder.
func (s *program) demo(ctx context.Context) (err error) {
	shown := s.Where.Linear || s.Env.Width > 0 && !dumb()
	if shown && !s.Where.Linear && s.Env.HoldInput != nil {
		defer s.Env.HoldInput()()
	}
	dir, err := os.MkdirTemp("", "diurna-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demo: %w", err)
	}
	defer func() { err = errors.Join(err, removeAll(dir)) }()
	if err := past.Unpack(dir); err != nil {
		return fmt.Errorf("the demo's past: %w", err)
	}
	now := time.Now()
	web := demo.NewWeb(now)
	lib, done, err := s.Env.Open(session.Where{DataDir: dir, Config: s.Where.Config, Role: "demo", Web: offline{web}, NoSync: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	p := past.Player{Lib: lib, Web: web}
	_, today := demo.Past(now)
	if err := reader.Later(ctx, lib, demo.Shift(now), now.Location()); err != nil {
		return fmt.Errorf("the demo's past: %w", err)
	}
	if err := p.Play(ctx, today); err != nil {
		return err
	}
	web.SetNow(time.Time{})
	if shown {
		ctx, stop := context.WithCancel(ctx)
		var live sync.WaitGroup
		live.Go(func() { p.Live(ctx) })
		defer live.Wait()
		defer stop()
		return s.Env.Screen(ctx, lib, session.Where{DataDir: dir, Config: s.Where.Config, Web: offline{web}, Role: "demo", Linear: s.Where.Linear})
	}
	return s.Env.Frames(ctx, lib, s.Out)
}

// removeAll removes a folder in which a last file may still be appearing: what
// the screen had under way ends a moment after it.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	for i := 0; i < 10 && err != nil; i++ {
		time.Sleep(20 * time.Millisecond)
		err = os.RemoveAll(dir)
	}
	return err
}

// offline is the web of the demo: its own sites, and no other.
type offline struct{ *demo.Web }

func (o offline) RoundTrip(r *http.Request) (*http.Response, error) {
	if host := r.URL.Hostname(); !o.Serves(host) {
		return nil, reader.RefuseWeb("the demo is offline: " + host + " is not contacted; only its own sites exist, such as harbour.example")
	}
	return o.Web.RoundTrip(r)
}
