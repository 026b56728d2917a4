//go:build unix

package argv

import (
	"context"
	"strings"
	"testing"
	"time"
)

// A command gets its input, is never a shell's line, and is bounded in time and output.
func TestRun(t *testing.T) {
	run := func(wait time.Duration, input string, words ...string) (string, error) {
		out, err := Run(t.Context(), words, []byte(input), wait)
		return out.String(), err
	}
	if out, err := run(time.Minute, "in", "cat"); out != "in" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := run(time.Minute, "", "echo", "$(id); x"); out != "$(id); x\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := run(time.Minute, strings.Repeat("x", 1<<20), "true"); err != nil {
		t.Errorf("input that is not read: %v", err)
	}
	if _, err := run(time.Minute, "", "sh", "-c", "echo first >&2; printf 'last\\033[1m' >&2; exit 3"); err == nil || !strings.HasPrefix(err.Error(), "exit status 3: last") || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%v", err)
	}
	if _, err := run(time.Minute, "", "no-such-program-here"); err == nil {
		t.Error("a program that is not there ran")
	}
	if _, err := run(time.Millisecond, "", "sh", "-c", "while :; do sleep 60; done"); err == nil || err.Error() != "stopped after 1ms" {
		t.Errorf("%v", err)
	}
	if out, err := run(time.Minute, "", "head", "-c", "3000000", "/dev/zero"); len(out) != MaxOutput || err != nil {
		t.Errorf("%d bytes, %v", len(out), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, []string{"true"}, nil, time.Minute); err != context.Canceled {
		t.Errorf("%v", err)
	}
}
