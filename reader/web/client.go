// Package web is the reader's way to the net: it makes addresses of what people
// type, keeps their secrets, asks, and reads the answers. Start with Client.Feed
// and Client.Ask.
package web

import (
	"context"
	"errors"
	"fmt"
	"time"

	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/store"
)

// Store is what a client needs of the library: the secrets of addresses.
type Store interface {
	Reveal(ctx context.Context, address string) (string, error)
	Secret(value string) (ref string)
}

// Client is the reader's one way to the net. It is safe for use by several goroutines.
type Client struct {
	net   *fetch.Client
	store Store
	at    time.Time // when everything happens; zero: as it happens
}

// NewClient returns a client that asks by net, with the secrets of s.
func NewClient(net *fetch.Client, s Store) *Client { return &Client{net: net, store: s} }

// Close ends idle connections.
func (c *Client) Close() { c.net.Close() }

// On returns the same client, dating its answers at t; the zero time means now.
func (c *Client) On(t time.Time) *Client {
	on := *c
	on.at = t
	return &on
}

// Plain gets an address as it is, such as a robots.txt: one without secrets.
func (c *Client) Plain(ctx context.Context, req fetch.Request) (fetch.Result, error) {
	return c.net.Get(ctx, req)
}

// Reveal gives an address whole, for the user's own browser or clipboard.
func (c *Client) Reveal(ctx context.Context, address string) (string, error) {
	out, err := c.store.Reveal(ctx, address)
	if errors.Is(err, store.ErrSecretLost) {
		err = &model.UserError{Sentence: "its password or token is lost: diurna mv gives it its address again", Kind: store.ErrSecretLost}
	}
	return out, err
}

// Hide is how an address is kept; its secrets go into the library with the first
// record that holds it. What is hidden already stays as it is.
func (c *Client) Hide(address string) string { return Hidden(address, c.store.Secret) }

// Ask gets one address, whole; what comes back names addresses masked. It is the
// reader's one way to the net, but for robots.txt, which has no secrets.
func (c *Client) Ask(ctx context.Context, h *Answer, req *fetch.Request) (err error) {
	h.Asked = req.URL
	if req.URL, err = c.Reveal(ctx, req.URL); err == nil {
		h.Result, err = c.net.Get(ctx, *req)
	}
	res := &h.Result
	h.At = c.at
	if h.At.IsZero() {
		h.At = time.Now()
	} else if !res.NotBefore.IsZero() {
		res.NotBefore = c.at.Add(time.Until(res.NotBefore)) // the server's wish belongs to that time
	}
	h.Served, h.Moved = plain.Outside(res.URL), plain.Outside(res.Permanent)
	res.URL, res.Permanent, res.ContentLocation = Masked(h.Served), Masked(h.Moved), Masked(plain.Outside(res.ContentLocation))
	return err
}

// Feed asks for one URL with the validators of last time and reads the answer.
// It is the only way from the net to items. newest is when the feed posted last.
func (c *Client) Feed(ctx context.Context, address string, p *store.Poll, allowPrivate bool, newest time.Time) Answer {
	req := fetch.Request{URL: address, AllowPrivate: allowPrivate, Credentials: true}
	if p != nil {
		req.ETag, req.LastModified, req.ValidatorsFor = p.ETag, p.LastModified, p.ValidatorsFor
	}
	h := Answer{Newest: newest}
	h.Read(c.Ask(ctx, &h, &req), p)
	return h
}

// Exported is an address, or text with addresses, as a list takes it that leaves
// the library, and whether it lost a secret.
func (c *Client) Exported(ctx context.Context, kept string, secrets bool) (out string, cut bool, err error) {
	whole, err := c.store.Reveal(ctx, kept)
	switch {
	case errors.Is(err, store.ErrSecretLost):
		return plain.WithoutSecrets(kept), true, nil
	case err != nil:
		return "", false, fmt.Errorf("read the secrets of addresses: %w", err)
	case !secrets:
		out = plain.WithoutSecrets(whole)
		return out, out != whole, nil
	}
	return whole, false, nil
}
