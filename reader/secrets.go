package reader

import (
	"context"

	"diurna/store"
)

// This file is the face of the secrets in addresses. An address that comes in is
// hidden: what plain.Redact would not show is replaced by a reference to it, and
// so it is kept, compared and handed around. It is whole again only where it is
// sent, exported or edited, and in the hands of the person's own browser.

// ErrSecretLost: a password or token of an address is not in the library.
var ErrSecretLost = store.ErrSecretLost

// Reveal gives an address whole, for the person's own browser or clipboard.
func (r *Reader) Reveal(ctx context.Context, address string) (string, error) {
	return r.web.Reveal(ctx, address)
}
