package store

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func next(t *testing.T, ch <-chan uint64) uint64 {
	t.Helper()
	select {
	case no := <-ch:
		return no
	case <-time.After(2 * time.Minute):
		t.Fatal("no word of a commit")
		return 0
	}
}

// A store lives in a synctest bubble, where months pass in no time, and leaves no
// goroutine behind.
func TestInBubble(t *testing.T) {
	here := goleak.IgnoreCurrent()
	defer goleak.VerifyNone(t, here)
	outside := openStore(t, Options{Dir: filepath.Join(t.TempDir(), "lib"), NoSync: true})
	subscribe(t, outside, 1)
	goleak.VerifyNone(t, here) // the goroutine that served it could not answer inside
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		s := openStore(t, Options{Dir: filepath.Join(t.TempDir(), "lib"), NoSync: true})
		f := subscribe(t, s, 1)
		for n := range uint32(60) {
			time.Sleep(24 * time.Hour)
			must(s.File(t.Context(), time.Now(), []Filing{{Feed: f[0], Next: n + 1, New: make([]NewItem, 1), Outcome: &Outcome{Kind: AnswerNew}}}))(t)
			must(outside.Totals(t.Context()))(t)
		}
		if got := must(s.Totals(t.Context()))(t); got.Items != 60 || time.Since(begin) != 60*24*time.Hour {
			t.Errorf("%+v after %v", got, time.Since(begin))
		}
		sound(t, s, true)
		s.Close()
	})
	outside.Close()
}

func TestWatch(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "lib")
	one, two := openStore(t, Options{Dir: dir, NoSync: true}), openStore(t, Options{Dir: dir, NoSync: true})
	ctx, cancel := context.WithCancel(t.Context())
	early := must(one.Watch(ctx))(t) // the folder is not there yet
	subscribe(t, two, 1)
	if no := next(t, early); no != two.Tx(ctx) || no != must(one.Totals(ctx))(t).Tx {
		t.Fatalf("heard of %d, the newest is %d", no, two.Tx(ctx))
	}
	ch := must(one.Watch(ctx))(t)
	if err := one.SetMeta(ctx, "own", []byte("x")); err != nil {
		t.Fatal(err)
	}
	select {
	case no := <-ch:
		t.Fatalf("heard of our own commit %d", no)
	case <-time.After(50 * time.Millisecond):
	}
	for range 3 {
		if err := two.SetMeta(ctx, "theirs", []byte("y")); err != nil {
			t.Fatal(err)
		}
	}
	newest := two.Tx(ctx)
	for next(t, ch) != newest { // word of the first or second may come before
	}
	// A commit of another just before our own must not be missed.
	if err := two.SetMeta(ctx, "theirs", nil); err != nil {
		t.Fatal(err)
	}
	if err := one.SetMeta(ctx, "own", nil); err != nil {
		t.Fatal(err)
	}
	if no := next(t, ch); no <= newest {
		t.Fatalf("heard of %d again", no)
	}
	cancel()
	for range ch {
	}
	for range early {
	}
}
