// Package revision packs the revisions of a page for keeping, each against the one
// before, and restores them byte for byte.
package revision

import (
	"errors"
)

// Pack compresses a revision for keeping: against the revision before it, or
// as a key frame that stands alone when prev is nil. The result carries a
// checksum. Revisions are bounded by 512 MB.
func Pack(prev, next []byte) ([]byte, error) { return pack(prev, next, prev != nil) }

// KeyEvery is how many revisions a chain of deltas may have: restoring the
// last one takes that many steps.
const KeyEvery = 16

// ErrBase says that a packed revision was restored against another base.
var ErrBase = errors.New("packed revision: made against another revision")
