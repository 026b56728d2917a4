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

// Unpack restores a revision byte for byte. prev is what Pack was given;
// another base is refused with ErrBase, damage with an error.
func Unpack(prev, packed []byte) ([]byte, error) { return unpack(prev, packed) }

// KeyEvery is how many revisions a chain of deltas may have: restoring the
// last one takes that many steps.
const KeyEvery = 16

// ErrBase says that a packed revision was restored against another base.
var ErrBase = errors.New("packed revision: made against another revision")
