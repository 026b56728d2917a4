//go:build !linux

package reader

import "context"

// resumed does nothing: here the next look or commit wakes the fetcher after a
// sleep of the machine.
func (r *refresher) resumed(context.Context) {}
