package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/demo"
	"diurna/reader/query"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/session"
)

func (s *program) demoCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "demo",
		Short: "try everything, offline, with a library that is thrown away",
		Long: `A small publisher inside the program, and four weeks of made-up reading. Without
a terminal every view is printed once as 80x24 text.`,
		Example:     "  diurna demo\n  diurna demo | less",
		Annotations: arguments.Exits("0 done · 1 not done"),
		Args:        arguments.AtMost(0),
		RunE:        func(c *cobra.Command, _ []string) error { return s.demo(c.Context()) },
	}
	c.Flags().BoolVar(&s.Where.Linear, "linear", false, linearUsage)
	return c
}

// demo makes a library in a folder of its own, plays the past into it, shows
// it, and removes the folder.
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
	now := time.Now()
	web := demo.NewWeb(now)
	lib, done, err := s.Env.Open(session.Where{DataDir: dir, Config: s.Where.Config, Role: "demo", Web: web, NoSync: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	p := &player{lib: lib, web: web, past: demo.Past(now)}
	line := s.Progress("making up four weeks")
	for i, m := range p.past {
		line.Show(i, len(p.past))
		if err := p.play(ctx, m); err != nil {
			line.End()
			return fmt.Errorf("the demo's past, %s: %w", m.At.Format("2 Jan 15:04"), err)
		}
	}
	line.End()
	web.SetNow(time.Time{})
	if shown {
		ctx, stop := context.WithCancel(ctx)
		var live sync.WaitGroup
		live.Go(func() { p.live(ctx) })
		defer live.Wait()
		defer stop()
		return s.Env.Screen(ctx, lib, session.Where{DataDir: dir, Config: s.Where.Config, Web: web, Role: "demo", Linear: s.Where.Linear})
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

// player lets a made-up past happen to a library, each moment at its time.
type player struct {
	lib  *reader.Reader
	web  *demo.Web
	past []demo.Moment
}

// live fetches each new item of the publisher as it comes, while the demo is on
// screen: nobody would wait for the plan there. Run fetches the rest.
func (p *player) live(ctx context.Context) {
	for {
		at, address := p.web.Next(time.Now())
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(at)):
		}
		f, err := p.lib.FindFeed(ctx, address)
		if err != nil {
			continue // unsubscribed from meanwhile
		}
		if _, err := p.lib.Fetch(ctx, reader.FetchRequest{Feeds: []reader.FeedID{f.Key}}, nil); err != nil {
			slog.Debug("demo", "fetch", err)
		}
	}
}

func (p *player) play(ctx context.Context, m demo.Moment) error {
	p.web.SetNow(m.At)
	lib := p.lib.At(m.At)
	switch m.Do {
	case demo.Subscribe:
		return p.subscribe(ctx, lib, m.Feed)
	case demo.Watch:
		_, err := lib.Pages().Watch(ctx, m.Feed.URL, reader.WatchOptions{Folder: m.Feed.Folder})
		return err
	case demo.Fetch:
		_, err := lib.Fetch(ctx, reader.FetchRequest{All: true}, nil)
		return err
	case demo.Look:
		return p.look(ctx, lib, m.At)
	}
	return p.act(ctx, lib, m)
}

func (p *player) subscribe(ctx context.Context, lib *reader.Reader, f demo.Subscription) error {
	found, err := lib.Finder().Look(ctx, f.URL, false)
	if err != nil {
		return err
	}
	_, err = lib.Subscribe(ctx, found.Candidates[0], reader.SubscribeOptions{Folder: f.Folder, Tags: f.Tags})
	return err
}

// look comes to the screen: the newest rows of River stand on it.
func (p *player) look(ctx context.Context, lib *reader.Reader, at time.Time) error {
	if err := lib.Looked(ctx); err != nil {
		return err
	}
	q, err := query.Parse("unread", at)
	if err != nil {
		return err
	}
	rows, err := lib.Rows(ctx, q, demoRows)
	if err != nil {
		return err
	}
	sights := make([]reader.Sight, len(rows))
	for i := range rows {
		sights[i] = reader.Sight{ID: rows[i].ID, Row: i + 1}
	}
	return lib.Ranker().Shown(ctx, at, at, sights)
}

// demoRows is how many rows of a screen the made-up reader looks at.
const demoRows = 20

// act does what the made-up reader did to items. An item that is not there, as
// when its feed could not be fetched in time, is passed over.
func (p *player) act(ctx context.Context, lib *reader.Reader, m demo.Moment) error {
	words := m.Word
	if m.Do != demo.MarkRead {
		words = fmt.Sprintf("feed:%q %q", m.In, m.Title)
	}
	q, err := query.Parse(words, m.At)
	if err != nil {
		return err
	}
	limit := 1
	if m.Do == demo.MarkRead {
		limit = 0
	}
	rows, err := lib.Rows(ctx, q, limit)
	if err != nil || len(rows) == 0 {
		return err
	}
	switch m.Do {
	case demo.Open:
		_, err = lib.Open(ctx, rows[0].ID)
	case demo.Save:
		_, err = lib.Mark(ctx, reader.Save, m.In, []reader.ItemID{rows[0].ID}, "")
	case demo.Tag:
		_, err = lib.Mark(ctx, reader.Tag, m.In, []reader.ItemID{rows[0].ID}, m.Word)
	case demo.MarkRead:
		ids := make([]reader.ItemID, len(rows))
		for i := range rows {
			ids[i] = rows[i].ID
		}
		_, err = lib.Mark(ctx, reader.MarkRead, "River", ids, "")
	}
	return err
}
