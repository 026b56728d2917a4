package web

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/store"
)

// What is wrong with an address, for errors.Is.
var (
	ErrAddress = errors.New("not an address")
	ErrRefused = errors.New("connection refused")
	ErrPrivate = errors.New("private address")
)

// AcceptPage is the Accept header of a request for what may be a page or a feed.
const AcceptPage = "text/html, application/xhtml+xml, application/atom+xml, application/rss+xml, application/feed+json;q=0.9, */*;q=0.5"

// TwinMark begins the fragment of an exported address that is another feed's
// address once their secrets are gone. It never leaves the machine, and import
// tells the two apart by it.
const TwinMark = "#without-secret-"

// Parse makes an http address of what a user types; guessed tells that
// the scheme is ours.
func Parse(typed string) (address string, guessed bool, err error) {
	bad := &model.UserError{Sentence: fmt.Sprintf("%q is not an address", Shown(typed)), Kind: ErrAddress}
	for _, p := range []string{"/", "~/", "./", "../"} {
		if strings.HasPrefix(typed, p) && !strings.HasPrefix(typed, "//") {
			return "", false, &model.UserError{Sentence: fmt.Sprintf("no OPML or urls file is at %q", Shown(typed)), Kind: ErrAddress}
		}
	}
	s := typed
	for _, p := range []string{"feed:https:", "feed:http:", "feed:"} {
		if rest, ok := strings.CutPrefix(s, p); ok {
			s = strings.TrimPrefix(p, "feed:") + rest
			break
		}
	}
	s = strings.TrimPrefix(s, "//")
	if !strings.Contains(s, "://") {
		s, guessed = "https://"+s, true
	}
	if LostSecret(s) {
		return "", false, &model.UserError{Sentence: fmt.Sprintf("%q has … instead of its secret: write the secret there", Shown(typed)), Kind: ErrAddress}
	}
	u, perr := url.Parse(s)
	if perr != nil || u.Host == "" || strings.ContainsAny(s, " \t\n\"<>") {
		return "", false, bad
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return "", false, &model.UserError{Sentence: fmt.Sprintf("%q is not an address that can be fetched: only http and https are", Shown(typed)), Kind: ErrAddress}
	}
	host := u.Hostname()
	if guessed && !strings.Contains(host, ".") && !strings.Contains(host, ":") && host != "localhost" {
		return "", false, bad // a lone word is a slip rather than a machine
	}
	u.Fragment = ""
	return u.String(), guessed, nil
}

// LostSecret tells of an address that was copied from what this program prints.
func LostSecret(address string) bool {
	left := false
	plain.Secrets(address, func(value string) string {
		left = left || plain.Redacted(value)
		return value
	})
	return left
}

// Shown is what was typed as an address in the form in which a sentence quotes
// it: without its secrets, also where it is no address at all.
func Shown(typed string) string {
	s := plain.Line(typed, 120)
	if strings.Contains(s, "://") {
		return plain.Redact(s)
	}
	return strings.TrimPrefix(plain.Redact("://"+s), "://")
}

// Refuse is the error of a transport that asks no host: the sentence is what is said.
func Refuse(sentence string) error { return fetch.Refuse(sentence) }

// Explain names what kept an address from being looked at.
func Explain(typed, address string, err error) error {
	var fe *fetch.Error
	redirected := errors.As(err, &fe) && fe.URL != "" && !model.SameHost(fe.URL, address)
	switch {
	case redirected && (fe.Kind == fetch.KindPrivate || fe.Kind == fetch.KindAddress):
		return fmt.Errorf("%s redirects: %w", model.Host(address), err)
	case errors.As(err, &fe) && fe.Kind == fetch.KindPrivate:
		return &model.UserError{Sentence: fe.Error(), Kind: ErrPrivate}
	case errors.As(err, &fe) && fe.Kind == fetch.KindAddress && fe.URL == "": // else it was asked, and led on
		return &model.UserError{Sentence: fmt.Sprintf("%q is not an address: %s", Shown(typed), fe), Kind: ErrAddress}
	case errors.As(err, &fe) && fe.Kind == fetch.KindRefused && !redirected:
		return &model.UserError{Sentence: fe.Error(), Kind: ErrRefused}
	case errors.Is(err, context.Canceled):
		return err
	}
	return fmt.Errorf("%s: %w", model.Host(address), err)
}

// Key is what two spellings of one address share: the scheme, its usual
// port, the case of the host and what never leaves the machine tell nothing apart,
// but for the mark of an address that lost its secret.
func Key(s string) string {
	_, rest, ok := strings.Cut(s, "://")
	if !ok {
		return s
	}
	twin := ""
	if before, fragment, ok := strings.Cut(rest, "#"); ok {
		rest = before
		if strings.HasPrefix("#"+fragment, TwinMark) {
			twin = "#" + fragment
		}
	}
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	host := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(rest[:end]), ":80"), ":443")
	return host + "/" + strings.Trim(rest[end:], "/") + twin
}

// Same compares addresses as people mean them: without regard to scheme
// and a slash at the end.
func Same(a, b string) bool { return Key(a) == Key(b) }

// Masked is how an address is kept that is only ever compared: its secrets, of
// which some servers make new ones for each answer, are not.
func Masked(address string) string { return Hidden(address, store.SecretRef) }

// Hidden is an address with each of its secrets replaced by what secret gives for it.
func Hidden(address string, secret func(value string) (ref string)) string {
	return plain.Secrets(address, func(value string) string {
		if value == "" || store.IsSecretRef(value) {
			return value
		}
		return secret(value)
	})
}

// Base is what relative addresses are relative to: without a query that holds a
// secret, or the text would hold it too wherever it links to itself.
func Base(address string) string {
	if before, query, ok := strings.Cut(address, "?"); ok && strings.Contains(query, store.SecretMark) {
		return before
	}
	return address
}
