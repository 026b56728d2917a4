package argv

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Credential is a command that prints what a host wants to see: the value of an
// Authorization header, a bare token, or lines of headers.
type Credential struct {
	Host    string // "git.example", or with a port
	Command []string
}

// Credentials runs such commands and keeps what they print in memory, for a while: no
// file and no log has it. It is safe for use by several goroutines.
type Credentials struct {
	List []Credential

	asking sync.Mutex // one command at a time: several would ask for one passphrase
	mu     sync.Mutex // of known, never held while a command runs
	known  map[string]credential
}

type credential struct {
	header    http.Header
	err       error
	at, until time.Time
}

const (
	credentialWait = 30 * time.Second // it may ask for a passphrase
	credentialKept = 10 * time.Minute
	failureKept    = time.Minute
	maxHeaders     = 10
	maxCredential  = 8 << 10 // bytes
)

// Check says what is wrong with the list.
func (c *Credentials) Check() error {
	seen := map[string]bool{}
	for i, one := range c.List {
		host := strings.ToLower(one.Host)
		switch {
		case host == "" || strings.ContainsAny(host, "/@ *") || strings.ContainsFunc(host, unicode.IsControl):
			return fmt.Errorf("credentials %d: host is a name such as git.example, not %q", i+1, one.Host)
		case len(one.Command) == 0 || strings.TrimSpace(one.Command[0]) == "":
			return fmt.Errorf("credentials %d: command needs the name of a program", i+1)
		case seen[host]:
			return fmt.Errorf("credentials %d: %s already has some", i+1, one.Host)
		}
		seen[host] = true
	}
	return nil
}

// Header is what is sent to a host, which may have a port; nil: nothing. The error is a
// sentence without what the command printed.
func (c *Credentials) Header(ctx context.Context, host string) (http.Header, error) {
	one := c.whose(host)
	if one == nil {
		return nil, nil
	}
	if k, ok := c.valid(one); ok {
		return k.header, k.err
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	if k, ok := c.valid(one); ok { // by who was first
		return k.header, k.err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out, err := Run(ctx, one.Command, nil, credentialWait)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	now := time.Now()
	k := credential{at: now, until: now.Add(credentialKept)}
	if err == nil {
		k.header, err = headers(out.String())
	}
	if err != nil {
		k.err = fmt.Errorf("the command %s of config.toml, which gives the credentials of %s, failed: %w", one.Command[0], host, silent(err))
		k.until = now.Add(failureKept)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[string]credential{}
	}
	c.known[one.Host] = k
	return k.header, k.err
}

// Forget has the command run again for a host that refused what it gave, though not
// within a minute: many feeds of one host may be refused at once.
func (c *Credentials) Forget(host string) {
	one := c.whose(host)
	if one == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if k, ok := c.known[one.Host]; ok && k.err == nil {
		k.until = k.at.Add(failureKept)
		c.known[one.Host] = k
	}
}

// whose is the command for a host, nil if there is none.
func (c *Credentials) whose(host string) *Credential {
	host = strings.ToLower(host)
	name := (&url.URL{Host: host}).Hostname() // of [::1]:8080 it is ::1
	for i := range c.List {
		if own := strings.ToLower(c.List[i].Host); own == host || own == name {
			return &c.List[i]
		}
	}
	return nil
}

// valid is what a command gave not long ago.
func (c *Credentials) valid(one *Credential) (credential, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.known[one.Host]
	return k, ok && time.Now().Before(k.until)
}

// silent is an error of Run without the line that the command wrote to stderr, which may
// hold the secret: the message is stored with the feed.
func silent(err error) error {
	for in := err; in != nil; in = errors.Unwrap(in) {
		err = in
	}
	return err
}

// ours are headers that say what is asked and how: no command changes them.
var ours = []string{"Host", "Accept", "Accept-Encoding", "Connection", "Content-Length", "Content-Type", "Transfer-Encoding", "Upgrade", "Te", "Trailer",
	"If-None-Match", "If-Modified-Since", "Range", "User-Agent"}

// headers reads what a command printed. One line without a name is the Authorization: as
// it stands if it has two words, else a bearer's token.
func headers(text string) (http.Header, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, errors.New("it printed nothing")
	}
	if len(text) > maxCredential {
		return nil, fmt.Errorf("it printed more than %d KB", maxCredential>>10)
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	h := http.Header{}
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if !ok && len(lines) == 1 {
			name, value = "Authorization", line
			if !strings.Contains(line, " ") {
				value = "Bearer " + line
			}
		} else if !ok {
			return nil, errors.New("it printed several lines, and not all are headers such as Private-Token: …")
		}
		if value = strings.TrimSpace(value); value == "" || !isToken(name) || strings.ContainsFunc(value, unicode.IsControl) {
			return nil, errors.New("it printed a line that is not a header")
		}
		name = textproto.CanonicalMIMEHeaderKey(name)
		for _, own := range ours {
			if name == own {
				return nil, fmt.Errorf("it printed the header %s, which is diurna's own", name)
			}
		}
		if h[name] = []string{value}; len(h) > maxHeaders {
			return nil, fmt.Errorf("it printed more than %d headers", maxHeaders)
		}
	}
	return h, nil
}

func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_", r)
	})
}
