package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/term"
)

func (s *Commands) runCommand() *cobra.Command {
	var unit string
	c := &cobra.Command{
		Use:   "run",
		Short: "fetch by the plan until stopped, without a screen",
		Long: `For tmux or a service. One line per fetched feed goes to stdout. While
another process is fetching, this one waits, and takes over when that one
ends. Interrupt it, or send it SIGTERM: what was fetched is kept. While it is
stopped with ^Z, another process may fetch.`,
		Example: `  diurna run
  diurna run --unit > ~/.config/systemd/user/diurna.service
  systemctl --user enable --now diurna && loginctl enable-linger
  diurna run --unit=launchd > ~/Library/LaunchAgents/diurna.plist
  launchctl load -w ~/Library/LaunchAgents/diurna.plist`,
		Annotations: arguments.Exits("130, 143 stopped by SIGINT, SIGTERM · 1 not done · 2 wrong usage · 5 damaged or newer; --unit: 0 done"),
		Args:        arguments.AtMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("unit") {
				return s.printUnit(unit)
			}
			lib, err := s.Library("run")
			if err != nil {
				return err
			}
			return s.run(c.Context(), s.fetcher(lib))
		},
	}
	c.Flags().StringVar(&unit, "unit", "", "print a systemd unit or a launchd file that runs this program as it was called")
	c.Flags().Lookup("unit").NoOptDefVal = serviceManager(runtime.GOOS)
	return c
}

// fetcher is lib with backups and notices, the terminal's own included where
// there is a terminal.
func (s *Commands) fetcher(lib *reader.Reader) *Fetcher {
	f := &Fetcher{Reader: lib, Dir: s.Places().Library, Notice: s.notice(), Quiesce: s.Env.Quiesce, Say: func(what string) { s.Talk("%s", what) }}
	if s.Env.Lively && (f.Notice.Bell || f.Notice.Toast) {
		f.Terminal = s.Env.Err
	}
	return f
}

func (s *Commands) notice() term.Notice {
	if s.Env.Notice == nil {
		return term.Notice{}
	}
	return s.Env.Notice()
}

// run fetches until ctx ends. What hurts the library for good ends it too, so
// that a service is not started again and again.
func (s *Commands) run(ctx context.Context, lib *Fetcher) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	waits := false
	err := pausing(ctx, lib, func(e reader.Event) {
		switch {
		case e.Waiting != "":
			waits = true
			s.Talk("%s is fetching; this process takes over when it ends.", e.Waiting)
			return
		case waits:
			waits = false
			s.Talk("the other process has ended; fetching here now.")
		}
		if errors.Is(e.Err, reader.ErrDamaged) || errors.Is(e.Err, reader.ErrNewer) {
			stop(e.Err)
			return
		}
		if err := s.tellEvent(&e); err != nil {
			stop(err) // nobody reads any more, as after "| head"
		}
	})
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	if err == nil || errors.Is(err, context.Canceled) {
		return exit.Reported(exit.INT) // main knows which signal it was
	}
	return err
}

// pausing runs the plan until ctx ends. When the process is asked to stop for a
// while, fetching ends first, so that fetch.lock is free for another process,
// and begins again when it is continued.
func pausing(ctx context.Context, lib *Fetcher, tell func(reader.Event)) error {
	stopper := term.NewStopper()
	defer stopper.Close()
	for {
		part, end := context.WithCancel(ctx)
		asked := make(chan bool, 1)
		go func() {
			select {
			case <-stopper.Asked:
				asked <- true
				end()
			case <-part.Done():
				asked <- false
			}
		}()
		err := lib.Run(part, tell)
		end()
		if !<-asked || ctx.Err() != nil {
			return err
		}
		resume := func() {}
		if lib.Quiesce != nil {
			resume = lib.Quiesce() // the process stops while it has no lock
		}
		stopper.Stop(false)
		resume()
	}
}

// tellEvent prints a settled feed as one line, at once: a journal follows it.
func (s *Commands) tellEvent(e *reader.Event) error {
	if e.Err != nil {
		exit.Report(s.Env.Err, e.Err)
		return nil
	}
	if e.Say != "" {
		s.Talk("%s", e.Say)
	}
	res := e.Progress.Result
	if res == nil {
		return nil
	}
	if s.JSON {
		if err := s.PrintJSON(eventJSON{e.At, fetchJSON{res}}); err != nil {
			return err
		}
		return s.Out.Flush()
	}
	c := wording.Clock{Now: e.At, Exact: !s.Terminal()}
	line := fetchLine(res, c, true, e.At)
	fmt.Fprintf(s.Out, "%s %s\n", c.Layout(e.At, time.TimeOnly), plain.Line(line, 0))
	if res.Lost != "" {
		fmt.Fprintf(s.Out, "%s %s\n", c.Layout(e.At, time.TimeOnly), plain.Line(res.Lost, 0))
	}
	return s.Out.Flush()
}

// eventJSON is a fetch's result with its time in front.
type eventJSON struct {
	at  time.Time
	res fetchJSON
}

func (e eventJSON) MarshalJSON() ([]byte, error) {
	at, err := json.Marshal(wording.Moment{Time: e.at})
	if err != nil {
		return nil, err
	}
	res, err := e.res.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return append(append(append([]byte(`{"at":`), at...), ','), res[1:]...), nil
}
