package rules

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"diurna/reader/plain"
	"diurna/store"
)

// Failure is a command of a rule of config.toml that did not run to its end.
type Failure struct {
	Rule  *Rule
	Since time.Time
	Times int
	Why   string // of the last time: "exit status 1: no space left"
}

// failureBucket keeps failures in the cache, by failureKey.
const failureBucket = "rule failures"

type failureRecord struct {
	Since int64  `json:"since"`
	Times int    `json:"times"`
	Runs  int    `json:"runs"` // in all, failed or not
	Why   string `json:"why"`
}

// failureKey stands for a rule's query and command.
func failureKey(r *Rule) string {
	h := fnv.New64a()
	h.Write([]byte(r.Query + "\x00" + strings.Join(r.Run, "\x00"))) // writes to a hash do not fail
	return strconv.FormatUint(h.Sum64(), 16)
}

// Ran notes how the command of a rule ended; said reports whether to say so: the time
// before it did not fail.
func (k *Keeper) Ran(ctx context.Context, r *Rule, failed error, now time.Time) (said bool, err error) {
	key := failureKey(r)
	said = failed != nil
	// In one transaction: several processes may run commands.
	err = k.log.Cache().Update(ctx, failureBucket, func(x *store.CacheTx) error {
		b, err := x.Get(key)
		if err != nil {
			return err
		}
		rec := failureRecordOf(b)
		said = failed != nil && rec.Times == 0
		if rec.Runs++; failed == nil {
			rec = failureRecord{Runs: rec.Runs}
		} else {
			if rec.Times++; rec.Times == 1 {
				rec.Since = now.Unix()
			}
			rec.Why = plain.Line(failed.Error(), 300)
		}
		if b, err = json.Marshal(rec); err != nil {
			return err
		}
		return x.Put(key, b)
	})
	return said, err
}

// failureRecordOf reads a record; none is as good as one that is not understood.
func failureRecordOf(b []byte) (rec failureRecord) {
	if json.Unmarshal(b, &rec) != nil {
		return failureRecord{}
	}
	return rec
}

// failure reads what is kept of the command of a rule.
func (k *Keeper) failure(ctx context.Context, r *Rule) (failureRecord, error) {
	b, err := k.log.Cache().Get(ctx, failureBucket, failureKey(r))
	return failureRecordOf(b), err
}

// Failures are the rules of config.toml whose commands failed the last time.
func (k *Keeper) Failures(ctx context.Context) ([]Failure, error) {
	var out []Failure
	for i := range k.config {
		r := &k.config[i]
		if len(r.Run) == 0 {
			continue
		}
		rec, err := k.failure(ctx, r)
		if err != nil {
			return nil, err
		}
		if rec.Times > 0 {
			out = append(out, Failure{Rule: r, Since: time.Unix(rec.Since, 0), Times: rec.Times, Why: rec.Why})
		}
	}
	return out, nil
}
