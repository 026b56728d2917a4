package library

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/cli/session"
)

// readableJSON is what can still be read of a damaged library, for scripts.
type readableJSON struct {
	Feeds   int    `json:"feeds"`
	Items   int    `json:"items"`
	Facts   uint64 `json:"facts"`
	Missing uint64 `json:"missing"`
}

func readableOf(d *reader.Diagnosis) *readableJSON {
	if !d.Damaged() {
		return nil
	}
	return &readableJSON{d.Left.Feeds, d.Left.Items, d.Left.Facts, d.Left.Missing}
}

// readable says what is left of a damaged library.
func readable(left *reader.Salvaged) string {
	if left.Feeds+left.Items == 0 && left.Facts == 0 {
		return "nothing: no record in it is whole"
	}
	out := fmt.Sprintf("%s, %s and %s of the log", wording.Plural(left.Feeds, "feed"), wording.Plural(left.Items, "item"), wording.Plural(int(left.Facts), "fact"))
	if left.Missing > 0 {
		out += "; " + wording.Plural(int(left.Missing), "fact") + " in between cannot be read"
	}
	return out
}

// lostJSON is what a restore took back, for scripts.
type lostJSON struct {
	Until      wording.Moment `json:"until"`
	From       string         `json:"compared_with"`
	Known      bool           `json:"known"`
	Acts       int            `json:"acts"`
	Items      int            `json:"items"`
	Unreadable uint64         `json:"unreadable"`
}

// lost compares the restored library with what it replaced: aside, or else the
// newest library that was set aside because of damage.
func (s *Commands) lost(ctx context.Context, lib Library, aside string) (*lostJSON, error) {
	if aside == "" {
		aside = newestAside(s.Places().Library, "damaged")
	}
	if aside == "" {
		return nil, nil
	}
	lost, err := lib.Lost(ctx, aside)
	if err != nil {
		return nil, err
	}
	out := &lostJSON{From: aside, Known: lost.Related, Acts: lost.Acts, Items: lost.Items, Unreadable: lost.Missing, Until: wording.Moment{Time: lost.Until}}
	return out, nil
}

// tell says it for people.
func (l *lostJSON) tell(s *session.Session) {
	name := filepath.Base(l.From)
	switch {
	case l.Until.IsZero():
		return
	case !l.Known:
		s.Talk("the backup ends at %s. Changes after that cannot be counted: %s is of another library, or cannot be read.", s.Clock().When(l.Until.Time), name)
	case l.Acts+l.Items == 0 && l.Unreadable == 0:
		s.Talk("the backup ends at %s; no change or item after that is known.", s.Clock().When(l.Until.Time))
	default:
		more := ""
		if l.Unreadable > 0 {
			more = fmt.Sprintf(", and %s of the log that cannot be read", wording.Plural(int(l.Unreadable), "fact"))
		}
		s.Talk("the backup ends at %s. Everything after that is lost: %s and %s%s.", s.Clock().When(l.Until.Time), wording.Plural(l.Acts, "change"), wording.Plural(l.Items, "item"), more)
	}
}

// newestAside is the newest library in dir that was "damaged", and so set aside,
// or was "replaced" by a restore; "" if there is none.
func newestAside(dir, why string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	newest, at := "", time.Time{}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "diurna.db."+why+"-") {
			continue
		}
		if fi, err := e.Info(); err == nil && (newest == "" || fi.ModTime().After(at)) {
			newest, at = filepath.Join(dir, e.Name()), fi.ModTime()
		}
	}
	return newest
}
