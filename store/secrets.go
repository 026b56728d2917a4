package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"diurna/store/record"
)

// This file is the face of the secrets in addresses. Their values lie in a bucket
// of their own; wherever an address is kept a reference stands in a value's place:
// SecretMark and 16 letters of a hash of it. So the same address is the same text
// in every process and library, and comparing needs no value. Nothing is ever
// taken out of the bucket: undo may bring an address back, and Forget leaves the
// facts that tell of addresses.

// SecretMark begins every reference. It is the substitute character of ASCII, as
// an address may hold it: valid, the same after parsing and writing, and of no
// use to anybody.
const SecretMark = "%1A"

const secretRefLen = len(SecretMark) + 16

// SecretRef is the reference of a value: 96 bits of its SHA-256.
func SecretRef(value string) string {
	sum := sha256.Sum256([]byte("secret in an address\x00" + value))
	return SecretMark + base64.RawURLEncoding.EncodeToString(sum[:12])
}

// IsSecretRef reports whether s is a reference and nothing else.
func IsSecretRef(s string) bool { return len(s) == secretRefLen && strings.HasPrefix(s, SecretMark) }

// Secret returns the reference of value and remembers it: the first record
// written that holds the reference brings the value into the library, in its own
// transaction. Without such a record nothing is written.
func (s *Store) Secret(value string) (ref string) { return s.lib.secrets.secret(value) }

// Reveal returns text with the values in place of the references. It is
// ErrSecretLost if the library does not have one of them.
func (s *Store) Reveal(ctx context.Context, text string) (string, error) {
	out, err := s.lib.secrets.reveal(text)
	if err == nil {
		return out, nil
	}
	if err := s.read(ctx, s.lib.secrets.load); err != nil && !errors.Is(err, ErrNone) {
		return "", err
	}
	return s.lib.secrets.reveal(text)
}

// secretBook holds the secrets that this process has met.
type secretBook struct {
	known sync.Map    // reference -> value
	any   atomic.Bool // known is not empty: without secrets no record is searched
}

func (b *secretBook) secret(value string) (ref string) {
	ref = SecretRef(value)
	b.known.Store(ref, value)
	b.any.Store(true)
	return ref
}

func (b *secretBook) reveal(text string) (string, error) {
	var out strings.Builder
	for {
		before, ref, after := nextRef(text)
		out.WriteString(before)
		if ref == "" {
			return out.String(), nil
		}
		value, ok := b.known.Load(ref)
		if !ok {
			return "", ErrSecretLost
		}
		out.WriteString(value.(string))
		text = after
	}
}

// load reads all secrets there are. A record that does not check is a lost one,
// no reason for the others to be.
func (b *secretBook) load(t *txn) error {
	c := t.Bucket(record.Secrets).Cursor()
	for k, rec := c.First(); k != nil; k, rec = c.Next() {
		if v, err := record.Secrets.Open(k, rec); err == nil && SecretRef(string(v)) == string(k) {
			b.known.Store(string(k), string(v))
			b.any.Store(true)
		}
	}
	return nil
}

// nextRef cuts s around its first reference; without one ref is empty, and before
// all of s.
func nextRef(s string) (before, ref, after string) {
	i := strings.Index(s, SecretMark)
	if i < 0 || len(s)-i < secretRefLen {
		return s, "", ""
	}
	return s[:i], s[i : i+secretRefLen], s[i+secretRefLen:]
}

// Written puts the values of the references in a record into the library,
// as far as they are known and not there yet, or are there in a record that does
// not check: who knows a lost secret mends it.
func (t *txn) Written(b *record.Bucket, payload []byte) error {
	if t.lib.secrets == nil || b == record.Secrets || !t.lib.secrets.any.Load() || !bytes.Contains(payload, []byte(SecretMark)) {
		return nil
	}
	for _, ref, rest := nextRef(string(payload)); ref != ""; _, ref, rest = nextRef(rest) {
		value, ok := t.lib.secrets.known.Load(ref)
		if !ok {
			continue
		}
		if old, err := t.Get(record.Secrets, []byte(ref)); err == nil && old != nil {
			continue
		}
		if err := t.Put(record.Secrets, []byte(ref), []byte(value.(string))); err != nil {
			return err
		}
	}
	return nil
}

// secrets makes sure that no feed's address has lost a secret.
func (c *checker) secrets() error {
	return c.t.Scan(record.Feeds, nil, nil, func(k, v []byte) error {
		var r record.FeedRecord
		if record.DecMode.Unmarshal(v, &r) != nil {
			return nil // told already
		}
		for _, ref, rest := nextRef(r.URL); ref != ""; _, ref, rest = nextRef(rest) {
			value, err := c.t.Get(record.Secrets, []byte(ref))
			if err != nil {
				return err
			}
			if SecretRef(string(value)) != ref {
				c.rep.find("secret: the password or token of the address is lost", FeedID(beUint32(k)).String())
			}
		}
		return nil
	})
}
