// Package session is one run of the program as its commands see it: the flags that
// all of them know, the library once it is open, what is printed and where to.
package session

import (
	"bufio"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/table"
)

// Session is one run of the program: the flags that every command knows, and
// the library once a command asked for it.
type Session struct {
	Env   Env
	Where Where
	JSON  bool
	Out   *bufio.Writer
	Lib   *reader.Reader
	close func() error
	Role  string // the command that opened it

	// opened looks at a library that was opened; nil: nobody does.
	Opened func() error
}

// New begins a run of the program.
func New(env Env) *Session {
	return &Session{Env: env, Out: bufio.NewWriterSize(env.Out, 32<<10)}
}

// Close closes the library, if it was opened.
//
//go:noinline // 15 places
func (s *Session) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}

// Library opens the library the first time a command needs it.
func (s *Session) Library(role string) (*reader.Reader, error) {
	if s.Lib != nil {
		return s.Lib, nil
	}
	w := s.Where
	w.Role = role
	lib, done, err := s.Env.Open(w)
	if err != nil {
		return nil, err
	}
	s.Lib, s.close, s.Role = lib, done, role
	if s.Opened == nil {
		return lib, nil
	}
	if err := s.Opened(); err != nil {
		return nil, err
	}
	return lib, nil
}

// With returns a command that opens the library in a role before it does something.
//
//go:noinline // every command would have a closure of its own
func (s *Session) With(role string, do func(*cobra.Command, *reader.Reader, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		lib, err := s.Library(role)
		if err != nil {
			return err
		}
		return do(c, lib, args)
	}
}

// Talk says something to the user, beside the data.
func (s *Session) Talk(format string, args ...any) {
	fmt.Fprintf(s.Env.Err, "diurna: %s\n", plain.Redact(plain.Line(fmt.Sprintf(format, args...), 0)))
}

// Terminal reports whether people read what is printed.
func (s *Session) Terminal() bool { return s.Env.Width > 0 && !s.JSON }

// Clock writes times as their reader takes them: for people on a terminal, as stamps
// in a pipe.
//
//go:noinline // 26 places
func (s *Session) Clock() wording.Clock {
	return wording.Clock{Now: time.Now(), Exact: !s.Terminal()}
}

// Places says where things lie; tests of single reports have none.
//
//go:noinline // 33 places
func (s *Session) Places() Places {
	if s.Env.Places == nil {
		return Places{}
	}
	return s.Env.Places(s.Where)
}

// Short writes a path below the home folder with a tilde.
func (s *Session) Short(path string) string {
	home := s.Places().Home
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}

// Print prints a list in the form that its reader takes: JSON lines, a
// table cut to the terminal, or tab-separated lines.
func Print[T any](s *Session, columns []table.Column[T], list []T) error {
	switch {
	case s.JSON:
		for i := range list {
			if err := s.PrintJSON(list[i]); err != nil {
				return err
			}
		}
	case s.Terminal():
		table.Print(s.Out, s.Env.Width, columns, list)
	default:
		table.Tabs(s.Out, columns, list)
	}
	return nil
}

// PrintJSON prints one value on one line. Strings have been made plain by the
// types' own methods; < and & stay readable.
func (s *Session) PrintJSON(v any) error {
	e := json.NewEncoder(s.Out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
