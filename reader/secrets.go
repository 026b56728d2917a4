package reader

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"diurna/reader/plain"
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

// exported is an address, or text with addresses, as a list takes it that leaves
// the library, and whether it lost a secret.
func (r *Reader) exported(ctx context.Context, kept string, secrets bool) (out string, cut bool, err error) {
	whole, err := r.store.Reveal(ctx, kept)
	switch {
	case errors.Is(err, ErrSecretLost):
		return plain.WithoutSecrets(kept), true, nil
	case err != nil:
		return "", false, fmt.Errorf("read the secrets of addresses: %w", err)
	case !secrets:
		out = plain.WithoutSecrets(whole)
		return out, out != whole, nil
	}
	return whole, false, nil
}

// asEdited is an address as it comes back from a person's editor: one whose
// secret is lost went there as it is kept, and comes back as a stranger's.
func (r *Reader) asEdited(address string, feeds map[string]*Feed) string {
	if kept := strings.ReplaceAll(address, plain.Outside(store.SecretMark), store.SecretMark); feeds[kept] != nil {
		return kept
	}
	return r.web.Hide(address)
}
