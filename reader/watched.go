package reader

import "diurna/reader/watch"

// Pages are the watched pages: what is known of them, and how one is watched.
func (r *Reader) Pages() *watch.Pages { return r.refresh.pages }

// What watching pages tells; see package watch.
type (
	Pages        = watch.Pages
	Page         = watch.Page
	Revision     = watch.Revision
	Change       = watch.Change
	Ignored      = watch.Ignored
	Told         = watch.Told
	WatchOptions = watch.Options
	Watched      = watch.Watched
	Suggestion   = watch.Suggestion
	Seen         = watch.Seen
	Second       = watch.Second
)

// How the second fetch of a new watch ended; see package watch.
const (
	SecondSame    = watch.SecondSame
	SecondDiffers = watch.SecondDiffers
	SecondCopy    = watch.SecondCopy
	SecondFailed  = watch.SecondFailed
	SecondSkipped = watch.SecondSkipped
)
