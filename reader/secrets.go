package reader

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"diurna/reader/fetch"
	"diurna/reader/model"
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
	out, err := r.store.Reveal(ctx, address)
	if errors.Is(err, ErrSecretLost) {
		err = &said{model.SecretLost + ": diurna mv gives it its address anew", ErrSecretLost}
	}
	return out, err
}

// hide is how an address is kept; its secrets go into the library with the first
// record that holds it. What is hidden already stays as it is.
func (r *Reader) hide(address string) string { return hidden(address, r.store.Secret) }

// masked is how an address is kept that is only ever compared: its secrets, of
// which some servers make new ones for each answer, are not.
func masked(address string) string { return hidden(address, store.SecretRef) }

func hidden(address string, secret func(value string) (ref string)) string {
	return plain.Secrets(address, func(value string) string {
		if value == "" || store.IsSecretRef(value) {
			return value
		}
		return secret(value)
	})
}

// Hide is how the store keeps the fields of a feed of a library from before there
// were references: its Options.Hide.
func Hide(field, value string, secret func(value string) (ref string)) string {
	if field == "title" || field == "folder" || field == "tags" || field != siteAttr && ownAttr(field) {
		return value
	}
	return hidden(plain.Outside(value), secret)
}

// ask gets one address, whole; what comes back names addresses masked. It is the
// reader's one way to the net, but for robots.txt, which has no secrets.
func (r *Reader) ask(ctx context.Context, h *webAnswer, req *fetch.Request) (err error) {
	h.asked = req.URL
	if req.URL, err = r.Reveal(ctx, req.URL); err == nil {
		h.res, err = r.web.client.Get(ctx, *req)
	}
	res := &h.res
	r.redate(res)
	h.at, h.served, h.moved = r.now(), plain.Outside(res.URL), plain.Outside(res.Permanent)
	res.URL, res.Permanent, res.ContentLocation = masked(h.served), masked(h.moved), masked(plain.Outside(res.ContentLocation))
	return err
}

// baseOf is what relative addresses are relative to: without a query that holds a
// secret, or the text would hold it too wherever it links to itself.
func baseOf(address string) string {
	if before, query, ok := strings.Cut(address, "?"); ok && strings.Contains(query, store.SecretMark) {
		return before
	}
	return address
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
	return r.hide(address)
}
