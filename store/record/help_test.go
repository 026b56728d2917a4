package record

import (
	"testing"
	"time"
)

var day = time.Date(2026, 11, 20, 9, 0, 0, 0, time.FixedZone("", 3600))

// must returns v of a call that may not fail.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
