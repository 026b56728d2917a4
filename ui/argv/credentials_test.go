//go:build unix

package argv

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestHeaders(t *testing.T) {
	for text, want := range map[string]http.Header{
		"s3cret\n":                       {"Authorization": {"Bearer s3cret"}},
		"Basic dTpw":                     {"Authorization": {"Basic dTpw"}},
		"Private-Token: x y\r\n":         {"Private-Token": {"x y"}},
		"authorization: token a\nX-B: c": {"Authorization": {"token a"}, "X-B": {"c"}},
		"":                               nil,
		"a\nb":                           nil,
		"Host: evil.example":             nil,
		"A B: c":                         nil,
		"X: \x1b[31m":                    nil,
		"X:":                             nil,
		strings.Repeat("x", 9000):        nil,
		strings.Repeat("A: b\n", 3):      {"A": {"b"}},
		"User-Agent: other":              nil,
	} {
		if got, err := headers(text); !reflect.DeepEqual(got, want) || (err != nil) != (want == nil) {
			t.Errorf("%.40q: %v, %v, want %v", text, got, err, want)
		}
	}
}

// An error that is stored keeps the cause, and nothing of stderr, whatever the cause is.
func TestSilent(t *testing.T) {
	for _, cause := range []error{exec.ErrWaitDelay, &exec.ExitError{}, fs.ErrPermission} {
		if got := silent(fmt.Errorf("%w: s3cret", cause)); got != cause {
			t.Errorf("%v, want %v", got, cause)
		}
	}
	if err := errors.New("stopped after 30s"); silent(err) != err {
		t.Error("an error without a cause is lost")
	}
}

// While the command of one host runs, what is known of another is had at once; and what a
// host refused is asked for again after a minute.
func TestCredentialsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Credentials{List: []Credential{{"a.example", []string{"echo", "a"}}}, known: map[string]credential{}}
		know := func() {
			c.known["a.example"] = credential{header: http.Header{"X": {"old"}}, at: time.Now(), until: time.Now().Add(credentialKept)}
		}
		know()
		c.asking.Lock() // as while a command runs
		if h, err := c.Header(t.Context(), "a.example"); err != nil || h.Get("X") != "old" {
			t.Fatal(h, err)
		}
		c.asking.Unlock()
		c.Forget("other.example")
		c.Forget("a.example")
		if _, ok := c.valid(&c.List[0]); !ok {
			t.Error("asked for again within the minute")
		}
		time.Sleep(failureKept)
		if _, ok := c.valid(&c.List[0]); ok {
			t.Error("what was refused is sent again")
		}
	})
}

// The command runs for its host alone, once for a while, and a failure says nothing of
// what it wrote.
func TestCredentials(t *testing.T) {
	count := t.TempDir() + "/runs"
	c := &Credentials{List: []Credential{{"Git.example", []string{"sh", "-c", "echo run >> " + count + "; echo token"}}, {"bad.example:8443", []string{"sh", "-c", "echo s3cret >&2; exit 2"}}}}
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"git.example", "git.example:8443", "GIT.example"} {
		if h, err := c.Header(t.Context(), host); err != nil || h.Get("Authorization") != "Bearer token" {
			t.Errorf("%s: %v, %v", host, h, err)
		}
	}
	six := &Credentials{List: []Credential{{"::1", []string{"echo", "six"}}}}
	if h, err := six.Header(t.Context(), "[::1]:8080"); err != nil || h.Get("Authorization") != "Bearer six" {
		t.Errorf("an IPv6 address: %v, %v", h, err)
	}
	for _, host := range []string{"example", "x.git.example", "git.example.evil", "bad.example"} {
		if h, err := c.Header(t.Context(), host); err != nil || h != nil {
			t.Errorf("%s: %v, %v", host, h, err)
		}
	}
	if out, err := Run(t.Context(), []string{"cat", count}, nil, credentialWait); err != nil || out.String() != "run\n" {
		t.Errorf("it ran %q, %v", out, err)
	}
	_, err := c.Header(t.Context(), "bad.example:8443")
	if err == nil || err.Error() != "the command sh of config.toml, which gives the credentials of bad.example:8443, failed: exit status 2" {
		t.Errorf("%v", err)
	}
	for _, wrong := range []Credential{{"", []string{"x"}}, {"https://x.example/", []string{"x"}}, {"x.example", nil}, {"u@x.example", []string{"x"}}, {"*.example", []string{"x"}}} {
		if (&Credentials{List: []Credential{wrong}}).Check() == nil {
			t.Errorf("%+v is taken", wrong)
		}
	}
}
