package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/store"
	"diurna/ui/cli"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
)

// inDemo plays the demo's past into a library and hands that over.
func inDemo(t *testing.T, look func(ctx context.Context, r *reader.Reader)) {
	t.Helper()
	var out, talk bytes.Buffer
	env := session.Env{Out: &out, Err: &talk,
		Open: func(w session.Where) (*reader.Reader, func() error, error) {
			s, err := store.Open(store.Options{Dir: w.DataDir, CacheDir: w.DataDir, Role: w.Role, NoSync: true})
			if err != nil {
				return nil, nil, err
			}
			r := reader.New(s, reader.Options{Role: w.Role, Transport: w.Web, Net: reader.Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1}})
			return r, func() error { return errors.Join(r.Close(), s.Close()) }, nil
		},
		Frames: func(ctx context.Context, r *reader.Reader, _ io.Writer) error {
			look(ctx, r)
			return nil
		}}
	if code := cli.Run(t.Context(), []string{"demo"}, env); code != exit.Done && !t.Failed() {
		t.Fatalf("exit code %d: %s", code, talk.String())
	}
}

// TestDemoRecompute: of 200 items of the demo, those read and those unread, the
// score follows from the printed terms alone; and opening one and undoing that, and
// a mark-all, leave every explanation as it was, byte for byte.
func TestDemoRecompute(t *testing.T) {
	if testing.Short() {
		t.Skip("makes up four weeks of a library")
	}
	t.Parallel()
	inDemo(t, func(ctx context.Context, r *reader.Reader) {
		q, err := query.Parse("", time.Now())
		if err != nil {
			t.Fatal(err)
		}
		rows, err := r.Rows(ctx, q, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) < 200 {
			t.Fatalf("the demo has only %d items", len(rows))
		}
		before := explained(ctx, t, r, rows[:200])
		same := func(after string) {
			for i := 0; i < len(before); i += 9 {
				why, err := r.Ranker().WhyItem(ctx, rows[i].ID, 0)
				if err != nil {
					t.Fatal(err)
				}
				if now, _ := json.Marshal(why); !bytes.Equal(now, before[i]) {
					t.Fatalf("after %s %s is explained by\n%s\nnot\n%s", after, rows[i].ID, now, before[i])
				}
			}
		}
		var unread []reader.ItemID
		for i := range rows {
			if rows[i].Flags&reader.FlagRead == 0 {
				unread = append(unread, rows[i].ID)
			}
		}
		if len(unread) < 10 {
			t.Fatalf("%d unread", len(unread))
		}
		if _, err := r.Open(ctx, unread[0]); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Mark(ctx, reader.MarkUnread, "", unread[:1], ""); err != nil {
			t.Fatal(err)
		}
		same("opening and marking unread")
		if _, err := r.Mark(ctx, reader.MarkRead, "River", unread, ""); err != nil {
			t.Fatal(err)
		}
		same("a mark-all")
	})
}

// TestDemoCalibration: over the demo's past Ranked is better than newest first, beyond
// chance, and its chances come true, on weeks not learned from, at any time of day: what
// happened today hangs on it.
func TestDemoCalibration(t *testing.T) {
	if testing.Short() {
		t.Skip("makes up four weeks of a library")
	}
	for _, hour := range []time.Duration{2, 9, 13, 22} {
		t.Run(fmt.Sprintf("%d-hours", hour), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(hour * time.Hour) // a bubble begins at midnight
				inDemo(t, func(ctx context.Context, r *reader.Reader) {
					h, err := r.Ranker().Hindsight(ctx, time.Now(), 0, 0)
					if err != nil {
						t.Fatal(err)
					}
					t.Logf("%+v", h)
					if h.Gain < .05 || h.Low <= 0 || h.Looks < 30 || h.CalibrationError > .03 || h.Judged < 500 {
						t.Errorf("%+v", h)
					}
				})
			})
		})
	}
}

// TestDemoTrends: the demo's feeds have a story since yesterday, so that Trends shows what it is
// for: a link of several feeds, a word that is new in five of them, then steady ones.
func TestDemoTrends(t *testing.T) {
	if testing.Short() {
		t.Skip("makes up four weeks of a library")
	}
	t.Parallel()
	inDemo(t, func(ctx context.Context, r *reader.Reader) {
		keeper, now := reader.Trends(r), time.Now()
		if err := keeper.Update(ctx, now, nil); err != nil {
			t.Fatal(err)
		}
		got, err := keeper.Top(ctx, 7*24*time.Hour, now, 20)
		if err != nil {
			t.Fatal(err)
		}
		list := got.Trends
		if len(list) < 5 {
			t.Fatalf("%+v", list)
		}
		link, word, last := list[0], list[1], list[len(list)-1]
		if kinds := fmt.Sprint(link.Kind, word.Kind, last.Kind); kinds != "link new steady" || link.Feeds < 5 || word.Feeds < 5 || word.What != "aurora" {
			t.Errorf("%s: %+v", kinds, list)
		}
	})
}

// explained is what is said of rows, each held against its own terms.
func explained(ctx context.Context, t *testing.T, r *reader.Reader, rows []reader.Row) [][]byte {
	t.Helper()
	before := make([][]byte, len(rows))
	scores := map[float64]bool{}
	for i := range before {
		why, err := r.Ranker().WhyItem(ctx, rows[i].ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		if before[i], err = json.Marshal(why); err != nil {
			t.Fatal(err)
		}
		var read reader.ItemWhy
		if err := json.Unmarshal(before[i], &read); err != nil {
			t.Fatal(err)
		}
		if read.Score != why.Score || len(read.Terms) == 0 {
			t.Errorf("%s: %v and %d terms in JSON, said %v", rows[i].ID, read.Score, len(read.Terms), why.Score)
		}
		scores[why.Score] = true
	}
	if len(scores) < 50 {
		t.Errorf("%d items have only %d scores", len(rows), len(scores))
	}
	return before
}
