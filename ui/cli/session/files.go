package session

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"diurna/reader/wording"
	"diurna/ui/cli/exit"
)

// MaxList is how many bytes of a subscription list are read.
const MaxList = 10 << 20

// ReadFile reads a file named on the line, "-" being stdin, up to max bytes. It
// lies in memory, which nobody else uses, if there is place for bytes.MinRead more.
func (s *Session) ReadFile(name string, max int64, memory []byte) ([]byte, error) {
	in, want := s.Env.In, int64(0)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("read %w", err)
		}
		defer f.Close()
		if st, err := f.Stat(); err == nil && st.IsDir() {
			return nil, fmt.Errorf("%s is a folder, not a file", name)
		} else if err == nil {
			want = min(st.Size(), max)
		}
		in = f
	}
	if want += bytes.MinRead; int64(len(memory)) < want { // grown, it would take up twice the file
		memory = make([]byte, want)
	}
	buf := bytes.NewBuffer(memory[:0])
	_, err := buf.ReadFrom(io.LimitReader(in, max+1))
	doc := buf.Bytes()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case int64(len(doc)) > max:
		return nil, fmt.Errorf("%s is larger than %s", name, wording.Size(max))
	}
	return doc, nil
}

// EditorArgv is the editor as words: never a shell.
func (s *Session) EditorArgv() ([]string, error) {
	if s.Env.Inside {
		return nil, exit.With(exit.Error, errors.New("an editor does not work on the screen's command line: it needs the terminal"), "run it in a shell; the screen takes in what changes")
	}
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if argv := strings.Fields(os.Getenv(name)); len(argv) > 0 {
			return argv, nil
		}
	}
	for _, name := range []string{"editor", "vi", "nano"} {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path}, nil
		}
	}
	return nil, exit.With(exit.Error, errors.New("there is no editor"), "EDITOR=nano diurna edit")
}

// OpenEditor lends the terminal to the editor: an interrupt is its own then.
func (s *Session) OpenEditor(argv []string) error {
	if s.Env.Lend != nil {
		s.Env.Lend(true)
		defer s.Env.Lend(false)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Env.In, s.Env.Out, s.Env.Err
	return cmd.Run()
}

// Scratch writes text to a new file in the state folder, which only its owner
// reads: NAME-2026-11-20.EXT, or -2, -3 where that is taken.
func (s *Session) Scratch(name, ext string, text []byte) (string, error) {
	dir := cmp.Or(s.Places().State, os.TempDir())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the state folder: %w", err)
	}
	base := filepath.Join(dir, name+"-"+time.Now().Format(time.DateOnly))
	for i := 1; i < 1000; i++ {
		path := base + "." + ext
		if i > 1 {
			path = fmt.Sprintf("%s-%d.%s", base, i, ext)
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("keep a text: %w", err)
		}
		_, err = f.Write(text)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return "", fmt.Errorf("keep a text: %w", err)
		}
		return path, nil
	}
	return "", fmt.Errorf("too many files called %s", base)
}
