package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"diurna/reader"
	"diurna/ui/argv"
)

// Limits of the commands of rules. The counts start again every hour and are of one
// process: a fetch of cron ends before that, run and the screen do not.
const (
	callWait = 30 * time.Second // a command that takes longer is stopped
	callMost = 100              // commands
	callTime = 5 * time.Minute  // all of them
)

// caller runs the commands of rules for items that came, one after the other.
type caller struct {
	lib *reader.Reader
	say func(string) // what failed, once until it works again; may be nil

	since time.Time
	runs  int
	took  time.Duration
}

var errTooMany = fmt.Errorf("skipped: more than %d commands or %s in an hour", callMost, callTime)

// run runs what was called for. A command that fails is noted and ends nothing.
func (c *caller) run(ctx context.Context, calls []reader.RuleCall) {
	for i := range calls {
		if ctx.Err() != nil {
			return
		}
		call, now := &calls[i], time.Now()
		if now.Sub(c.since) >= time.Hour {
			c.since, c.runs, c.took = now, 0, 0
		}
		failed := errTooMany
		if c.runs < callMost && c.took < callTime {
			c.runs++
			failed = c.one(ctx, call)
			c.took += time.Since(now)
		}
		if ctx.Err() != nil {
			return
		}
		if failed != nil {
			slog.Warn("the command of a rule failed", "rule", call.Rule.Query, "item", call.Item.String(), "error", failed)
		}
		said, err := c.lib.Rules().Ran(ctx, call.Rule, failed, now)
		if err != nil {
			slog.Warn("the exit state of a rule's command was not stored", "error", err)
		}
		if said && c.say != nil {
			c.say(fmt.Sprintf("the command %s of a rule failed: %v. diurna doctor lists it until it works again.", call.Rule.Run[0], failed))
		}
	}
}

// one runs a command with its item as JSON on its input.
func (c *caller) one(ctx context.Context, call *reader.RuleCall) error {
	a, err := c.lib.Article(ctx, call.Item)
	if errors.Is(err, reader.ErrUnknown) {
		return nil // taken away meanwhile
	}
	if err != nil {
		return err
	}
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = argv.Run(ctx, call.Rule.Run, append(text, '\n'), callWait)
	return err
}
