package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// output is what `diurna preview --json` prints of a document.
type output struct {
	Feed     struct{ Title string }
	Items    []item
	Problems []string
}

// item is one item of it. Absent things are zero.
type item struct {
	Title      string
	Link       string
	Author     string
	IDRaw      string `json:"id_raw"`
	Published  time.Time
	Updated    time.Time
	Categories []string
	Enclosures []enclosure
	HTML       string `json:"content_html"`
}

type enclosure struct {
	URL, Type, Title string
	Length           int64
}

// errCrash is a program that ended in a way that it never should.
var errCrash = errors.New("crashed")

// program runs the built program.
type program struct {
	path string
	dir  string // for libraries
}

// run runs one command with a library of its own and returns its standard output.
func (p program) run(ctx context.Context, library string, stdin []byte, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, p.path, append([]string{"--data-dir", filepath.Join(p.dir, library)}, args...)...)
	c.Env = append(os.Environ(), "TZ=UTC", "XDG_CONFIG_HOME="+filepath.Join(p.dir, "none"))
	c.Stdin = bytes.NewReader(stdin)
	var out, talk bytes.Buffer
	c.Stdout, c.Stderr = &out, &talk
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && (exit.ExitCode() < 0 || exit.ExitCode() == 70 || exit.ExitCode() == 2 && strings.Contains(talk.String(), "goroutine ")):
		return nil, fmt.Errorf("%w: %s", errCrash, talk.String())
	case err != nil:
		return out.Bytes(), fmt.Errorf("%w: %s", err, strings.TrimSpace(talk.String()))
	}
	return out.Bytes(), nil
}

// preview reads a document as if a server had sent it from base.
func (p program) preview(ctx context.Context, doc []byte, base, contentType string) (output, error) {
	args := []string{"preview", "--json", "--base", base}
	if contentType != "" {
		args = append(args, "--content-type", contentType)
	}
	var o output
	b, err := p.run(ctx, "preview", doc, append(args, "-")...)
	if err == nil {
		err = json.Unmarshal(b, &o)
	}
	return o, err
}
