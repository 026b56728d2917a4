// Package past is the library that the demo begins with, and what plays the rest of
// its past into it: Unpack, then reader.Later to bring it to this day, then Play.
package past

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/andybalholm/brotli"

	"diurna/reader"
	"diurna/reader/demo"
	"diurna/reader/query"
)

// packed is a library into which everything before demo.Origin was played.
// go test . -run TestPastIsWhatIsPlayed -update records it again.
//
//go:embed past.br
var packed []byte

// Unpack writes the library of the past to a folder.
func Unpack(dir string) error {
	lib, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "diurna.db"), lib, 0o600)
}

// Player plays a made-up past into a library, each moment at its time.
type Player struct {
	Lib *reader.Reader
	Web *demo.Web
}

// Play plays all of these, in order.
func (p *Player) Play(ctx context.Context, moments []demo.Moment) error {
	for _, m := range moments {
		if err := p.play(ctx, m); err != nil {
			return fmt.Errorf("the demo's past, %s: %w", m.At.Format("2 Jan 15:04"), err)
		}
	}
	return nil
}

// Live fetches each new item of the publisher as it comes, while the demo is on
// screen: nobody would wait for the plan there. Run fetches the rest.
func (p *Player) Live(ctx context.Context) {
	for {
		at, address := p.Web.Next(time.Now())
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(at)):
		}
		f, err := p.Lib.FindFeed(ctx, address)
		if err != nil {
			continue // unsubscribed from meanwhile
		}
		if _, err := p.Lib.Fetch(ctx, reader.FetchRequest{Feeds: []reader.FeedID{f.Key}}, nil); err != nil {
			slog.Debug("demo", "fetch", err)
		}
	}
}

func (p *Player) play(ctx context.Context, m demo.Moment) error {
	p.Web.SetNow(m.At)
	lib := p.Lib.At(m.At)
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

func (p *Player) subscribe(ctx context.Context, lib *reader.Reader, f demo.Subscription) error {
	found, err := lib.Finder().Look(ctx, f.URL, false)
	if err != nil {
		return err
	}
	_, err = lib.Subscribe(ctx, found.Candidates[0], reader.SubscribeOptions{Folder: f.Folder, Tags: f.Tags})
	return err
}

// look opens the screen, with the newest rows of River on it.
func (p *Player) look(ctx context.Context, lib *reader.Reader, at time.Time) error {
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
	session := make([]reader.Impression, len(rows))
	for i := range rows {
		session[i] = reader.Impression{ID: rows[i].ID, Row: i + 1}
	}
	return lib.Ranker().Shown(ctx, at, at, session)
}

// demoRows is how many rows of a screen the made-up reader looks at.
const demoRows = 20

// act does what the made-up reader did to items. A missing item is skipped, such as
// one whose feed could not be fetched in time.
func (p *Player) act(ctx context.Context, lib *reader.Reader, m demo.Moment) error {
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
