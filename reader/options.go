package reader

import (
	"time"

	"diurna/reader/fetch"
)

// withDefaults replaces zero values by the defaults; negative durations mean none.
func (o Options) withDefaults() Options {
	n := &o.Net
	if n.PerHost <= 0 {
		n.PerHost = 1
	}
	if n.MinHostInterval == 0 {
		n.MinHostInterval = fetch.DefaultEvery
	}
	if n.HostsAtOnce <= 0 {
		n.HostsAtOnce = 8
	}
	if n.MinPoll == 0 {
		n.MinPoll = time.Hour
	}
	if n.MinManual == 0 {
		n.MinManual = 10 * time.Minute
	}
	if n.MinRetry == 0 {
		n.MinRetry = time.Hour
	}
	if n.SecondFetch == 0 {
		n.SecondFetch = 5 * time.Second
	}
	if o.PerDay <= 0 {
		o.PerDay = 6
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Home == "" {
		o.Home = "https://diurna.example/"
	}
	if o.Role == "" {
		o.Role = "diurna"
	}
	return o
}
