package rules

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"diurna/reader/plain"
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
	cache, key := k.log.Cache(), failureKey(r)
	b, err := cache.Get(ctx, failureBucket, key)
	if err != nil {
		return failed != nil, err
	}
	rec := failureRecord{Since: now.Unix()}
	known := json.Unmarshal(b, &rec) == nil && rec.Times > 0
	switch {
	case failed != nil:
		rec.Times, rec.Why = rec.Times+1, plain.Line(failed.Error(), 300)
	case !known:
		return false, nil
	default:
		rec = failureRecord{}
	}
	b, err = json.Marshal(rec)
	if err != nil {
		return false, err
	}
	return failed != nil && !known, cache.Put(ctx, failureBucket, map[string][]byte{key: b})
}

// Failures are the rules of config.toml whose commands failed the last time.
func (k *Keeper) Failures(ctx context.Context) ([]Failure, error) {
	var out []Failure
	for i := range k.config {
		r := &k.config[i]
		if len(r.Run) == 0 {
			continue
		}
		b, err := k.log.Cache().Get(ctx, failureBucket, failureKey(r))
		if err != nil {
			return nil, err
		}
		var rec failureRecord
		if json.Unmarshal(b, &rec) == nil && rec.Times > 0 {
			out = append(out, Failure{Rule: r, Since: time.Unix(rec.Since, 0), Times: rec.Times, Why: rec.Why})
		}
	}
	return out, nil
}
