// Package secrets keeps the passwords and tokens in addresses apart from them.
//
// Their values lie in a bucket of their own; wherever an address is kept a reference
// stands in a value's place: Mark and 16 letters of a hash of it. So the same
// address is the same text in every process and library, and comparing needs no
// value. Nothing is ever taken out of the bucket: undo may bring an address back,
// and forgetting leaves the facts that tell of addresses.
package secrets

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"diurna/store/db"
	"diurna/store/record"
)

// ErrLost: the library does not have the value of a reference.
var ErrLost = errors.New("the password or token of the address is lost")

// Mark begins every reference. It is the substitute character of ASCII, as
// an address may hold it: valid, the same after parsing and writing, and of no
// use to anybody.
const Mark = "%1A"

const refLen = len(Mark) + 16

// Ref is the reference of a value: 96 bits of its SHA-256.
func Ref(value string) string {
	sum := sha256.Sum256([]byte("secret in an address\x00" + value))
	return Mark + base64.RawURLEncoding.EncodeToString(sum[:12])
}

// IsRef reports whether s is a reference and nothing else.
func IsRef(s string) bool { return len(s) == refLen && strings.HasPrefix(s, Mark) }

// Book holds the secrets that this process has met.
type Book struct {
	Known sync.Map    // reference -> value
	any   atomic.Bool // known is not empty: without secrets no record is searched
}

// Secret is the reference of a value, which is remembered.
func (b *Book) Secret(value string) (ref string) {
	ref = Ref(value)
	b.Known.Store(ref, value)
	b.any.Store(true)
	return ref
}

// Reveal puts the values in place of the references in a text; ErrLost if one is
// not known.
func (b *Book) Reveal(text string) (string, error) {
	var out strings.Builder
	for {
		before, ref, after := Next(text)
		out.WriteString(before)
		if ref == "" {
			return out.String(), nil
		}
		value, ok := b.Known.Load(ref)
		if !ok {
			return "", ErrLost
		}
		out.WriteString(value.(string))
		text = after
	}
}

// Load reads all secrets there are. A record that does not check is a lost one,
// no reason for the others to be.
func (b *Book) Load(t *db.Tx) error {
	c := t.Bucket(record.Secrets).Cursor()
	for k, rec := c.First(); k != nil; k, rec = c.Next() {
		if v, err := record.Secrets.Open(k, rec); err == nil && Ref(string(v)) == string(k) {
			b.Known.Store(string(k), string(v))
			b.any.Store(true)
		}
	}
	return nil
}

// Next cuts s around its first reference; without one ref is empty, and before
// all of s.
func Next(s string) (before, ref, after string) {
	i := strings.Index(s, Mark)
	if i < 0 || len(s)-i < refLen {
		return s, "", ""
	}
	return s[:i], s[i : i+refLen], s[i+refLen:]
}

// Written puts the values of the references in a record into the library,
// as far as they are known and not there yet, or are there in a record that does
// not check: who knows a lost secret mends it.
func (b *Book) Written(t *db.Tx, in *record.Bucket, payload []byte) error {
	if b == nil || in == record.Secrets || !b.any.Load() || !bytes.Contains(payload, []byte(Mark)) {
		return nil
	}
	for _, ref, rest := Next(string(payload)); ref != ""; _, ref, rest = Next(rest) {
		value, ok := b.Known.Load(ref)
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
