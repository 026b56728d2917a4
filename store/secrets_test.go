package store

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"diurna/store/record"
	"diurna/store/secrets"
)

const canary = "cAnArY4711"

// canaries names the records of a library file that hold the canary outside the
// bucket of secrets, and counts those within.
func canaries(t *testing.T, path string) (outside []string, within int) {
	t.Helper()
	db := must(bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true}))(t)
	defer db.Close()
	err := db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				switch {
				case !bytes.Contains(append(slices.Clone(k), v...), []byte(canary)):
				case string(name) == string(record.Secrets.Name):
					within++
				default:
					outside = append(outside, fmt.Sprintf("%s %q", name, k))
				}
				return nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return outside, within
}

// secretly is an address with the secret value, as the library keeps it.
func secretly(s *Store, host, value string) string {
	return "https://" + s.Secret(value) + "@" + host + "/feed"
}

// A secret comes with the record that refers to it, and with no other; it is
// there for every process and stays through all that is done to a library.
func TestSecrets(t *testing.T) {
	s := newStore(t)
	ctx := t.Context()
	first := secretly(s, "a.example", "me:"+canary)
	if s.Exists() {
		t.Error("a secret alone makes a library")
	}
	f := must(s.Act(ctx, day, "", Change{Kind: Subscribed, Sub: &Subscription{URL: first}}))(t).Feeds[0]
	// An act that fails brings nothing, nor does another that names it not.
	second := secretly(s, "b.example", "me:"+canary+"2")
	if _, err := s.Act(ctx, day, "", Change{Kind: Subscribed, Sub: &Subscription{URL: second}}, Change{Kind: Adjusted, Feed: 99, Field: "url", Value: second}); !errors.Is(err, ErrUnknown) {
		t.Fatal(err)
	}
	must(s.Act(ctx, day, "", Change{Kind: Adjusted, Feed: f, Field: "title", Value: "A"}))(t)
	if out, in := canaries(t, s.Path()); len(out) > 0 || in != 1 {
		t.Errorf("%d secrets are kept, and %v hold one", in, out)
	}
	whole := func(s *Store, address, want string) {
		t.Helper()
		if got, err := s.Reveal(ctx, address); err != nil || got != want {
			t.Errorf("%s is %s (%v), not %s", address, got, err, want)
		}
	}
	one, two := "https://me:"+canary+"@a.example/feed", "https://me:"+canary+"2@b.example/feed"
	fresh := func() *Store { return openStore(t, Options{Dir: filepath.Dir(s.Path()), NoSync: true}) }
	backup := filepath.Join(t.TempDir(), "backup")
	for _, do := range []func() error{
		func() error {
			return second2(s.Act(ctx, day, "", Change{Kind: Adjusted, Feed: f, Field: "url", Value: second}))
		},
		func() error { return second2(s.Undo(ctx, day, 0, 0)) },
		func() error { return second2(s.Redo(ctx, day)) },
		func() error { _, _, err := s.Compact(ctx); return err },
		func() error { return s.Backup(ctx, backup) },
		func() error { return second2(s.Quarantine(ctx, day)) },
		func() error { return second2(s.Restore(ctx, day, backup)) },
		func() error { return second2(s.Forget(ctx, time.Time{})) },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if !s.Exists() {
			continue
		}
		sound(t, s, true)
		whole(fresh(), first+" "+second+" "+first, one+" "+two+" "+one)
		if out, in := canaries(t, s.Path()); len(out) > 0 || in != 2 {
			t.Errorf("%d secrets are kept, and %v hold one", in, out)
		}
	}
	if out, in := canaries(t, backup); len(out) > 0 || in != 2 {
		t.Errorf("the backup: %d secrets, and %v hold one", in, out)
	}
}

func second2[T any](_ T, err error) error { return err }

// A lost secret is said, by Check and to who wants it; the others are not lost.
func TestLostSecret(t *testing.T) {
	s := newStore(t)
	ctx := t.Context()
	one, two := secretly(s, "a.example", "x"), secretly(s, "b.example", "y")
	must(s.Act(ctx, day, "", Change{Kind: Subscribed, Sub: &Subscription{URL: one}}, Change{Kind: Subscribed, Sub: &Subscription{URL: two}}))(t)
	sound(t, s, true)
	if err := s.CorruptForTest(ctx, "secret", MakeItemID(1, 1)); err != nil {
		t.Fatal(err)
	}
	rep := must(s.Check(ctx, false, nil))(t)
	if want := (Finding{What: "secret: the password or token of the address is lost", Where: "1"}); len(rep.Findings) != 1 || rep.Findings[0].What != want.What {
		t.Errorf("%+v", rep.Findings)
	}
	other := openStore(t, Options{Dir: filepath.Dir(s.Path()), NoSync: true})
	if got, err := other.Reveal(ctx, one); !errors.Is(err, ErrSecretLost) || got != "" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := other.Reveal(ctx, two); err != nil || got != "https://y@b.example/feed" {
		t.Errorf("%q, %v", got, err)
	}
	// Nothing there at all is no other error.
	if _, err := newStore(t).Reveal(ctx, one); !errors.Is(err, ErrSecretLost) {
		t.Error(err)
	}
	// Who still knows it mends it with the next record that names it.
	must(s.Act(ctx, day, "", Change{Kind: Adjusted, Feed: 1, Field: "title", Value: "A"}))(t)
	sound(t, s, true)
	// A record that does not check is lost, and takes no other with it.
	damage(t, s.Path(), record.Secrets, []byte(SecretRef("x")))
	other = openStore(t, Options{Dir: filepath.Dir(s.Path()), NoSync: true})
	if _, err := other.Reveal(ctx, one); !errors.Is(err, ErrSecretLost) {
		t.Error(err)
	}
	if got, err := other.Reveal(ctx, two); err != nil || got != "https://y@b.example/feed" {
		t.Errorf("%q, %v", got, err)
	}
	if rep := must(s.Check(ctx, false, nil))(t); len(rep.Findings) == 0 {
		t.Error("Check does not see a damaged secret")
	}
	// It too is mended by who knows it.
	other.Secret("x")
	must(other.Act(ctx, day, "", Change{Kind: Adjusted, Feed: 1, Field: "title", Value: "B"}))(t)
	sound(t, other, true)
}

// damage puts bytes in the place of a record that are none.
func damage(t *testing.T, path string, b *record.Bucket, key []byte) {
	t.Helper()
	db := must(bolt.Open(path, 0o600, nil))(t)
	err := db.Update(func(tx *bolt.Tx) error { return tx.Bucket(b.Name).Put(key, []byte("no record")) })
	if cerr := db.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
}

func FuzzSecretRefs(f *testing.F) {
	f.Add("https://"+SecretRef("x")+"@h/?a="+SecretRef("y"), "x")
	f.Add(SecretMark+SecretMark+SecretRef("z"), SecretMark)
	f.Fuzz(func(t *testing.T, text, value string) {
		same := ""
		for left := text; left != ""; {
			before, ref, after := secrets.Next(left)
			if same += before + ref; ref != "" && !IsSecretRef(ref) {
				t.Fatalf("%q is no reference", ref)
			}
			left = after
		}
		if same != text {
			t.Fatalf("%q comes back as %q", text, same)
		}
		book := &secrets.Book{}
		ref := SecretRef(value)
		book.Known.Store(ref, value)
		if got, err := book.Reveal("<" + ref + ">"); err != nil || got != "<"+value+">" {
			t.Fatalf("%q, %v", got, err)
		}
	})
}
