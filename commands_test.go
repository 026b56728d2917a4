package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"diurna/store/storetest"
	"diurna/ui/term"
)

// asked is a command that a process which serves commands is asked to run.
type asked struct {
	Args, Env []string
	Dir       string
}

// answered is what came of it.
type answered struct {
	Out, Talk []byte
	Code      int
}

// commands is a process that runs one command after another, each as if it was
// started for it: starting one takes ten times as long as most commands. A command
// that leaves a lock or a file open fails the next. With -tags soak, and under the race
// detector (-short), there is a process for each.
type commands struct {
	bin string // the folder of the programs; "": they are in the PATH
	mu  sync.Mutex
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
}

// run runs a command with these variables in a folder.
func (s *commands) run(env []string, dir string, args ...string) (a answered, err error) {
	late := func(p *os.Process) *time.Timer { return time.AfterFunc(2*time.Minute, func() { _ = p.Kill() }) }
	if storetest.Size(0, 1) == 1 || testing.Short() {
		var out, talk bytes.Buffer
		cmd := exec.Command(filepath.Join(s.bin, "diurna"), args...)
		cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = env, dir, &out, &talk
		if err := cmd.Start(); err != nil {
			return a, err
		}
		defer late(cmd.Process).Stop()
		if err = cmd.Wait(); cmd.ProcessState.Exited() {
			err = nil
		}
		return answered{out.Bytes(), talk.Bytes(), cmd.ProcessState.ExitCode()}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		s.cmd = exec.Command(filepath.Join(s.bin, "diurna-serve"))
		s.cmd.Env, s.cmd.Stderr = append(os.Environ(), env...), os.Stderr
		s.in, _ = s.cmd.StdinPipe()
		out, err := s.cmd.StdoutPipe()
		if err != nil {
			return a, err
		}
		s.out = json.NewDecoder(out)
		if err := s.cmd.Start(); err != nil {
			return a, err
		}
	}
	defer late(s.cmd.Process).Stop()
	if err := json.NewEncoder(s.in).Encode(asked{args, env, dir}); err != nil {
		return a, err
	}
	return a, s.out.Decode(&a)
}

// close ends the process.
func (s *commands) close() error {
	if s.cmd == nil {
		return nil
	}
	return errors.Join(s.in.Close(), s.cmd.Wait())
}

// serving is what that process does.
type serving struct{}

func (serving) Run() int {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	null, err := os.Open(os.DevNull)
	if err != nil {
		panic(err)
	}
	for {
		var ask asked
		if err := in.Decode(&ask); err == io.EOF {
			return 0
		} else if err != nil {
			panic(err)
		}
		os.Clearenv()
		for _, v := range ask.Env {
			name, is, _ := strings.Cut(v, "=")
			os.Setenv(name, is)
		}
		xdg.Reload()
		if time.Local, err = time.LoadLocation(os.Getenv("TZ")); err != nil {
			panic(err)
		}
		if err := os.Chdir(ask.Dir); err != nil {
			panic(err)
		}
		var a answered
		os.Stdin = null
		sent := [2]<-chan []byte{gather(&os.Stdout), gather(&os.Stderr)}
		term.Private()
		slog.SetDefault(slog.New(slog.DiscardHandler))
		a.Code = guarded(func() int { return run(ask.Args) })
		os.Stdout.Close()
		os.Stderr.Close()
		a.Out, a.Talk = <-sent[0], <-sent[1]
		if err := out.Encode(a); err != nil {
			panic(err)
		}
	}
}

// gather makes a file the head of a pipe and gives what comes out of it.
func gather(f **os.File) <-chan []byte {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	all := make(chan []byte, 1)
	go func() {
		b, _ := io.ReadAll(r)
		r.Close()
		all <- b
	}()
	*f = w
	return all
}

// asPrograms puts this test binary into the PATH as the programs that it can be.
func asPrograms(names ...string) (remove func(), err error) {
	dir, err := os.MkdirTemp("", "diurna-bin-")
	if err != nil {
		return nil, err
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := os.Link(exe, filepath.Join(dir, name)); err != nil { // another file system
			b, err := os.ReadFile(exe)
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name), b, 0o700)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return func() { os.RemoveAll(dir) }, os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// TestServedCommandsAreApart: nothing of a command is left for the next one: not its
// environment, folder, zone or flags.
func TestServedCommandsAreApart(t *testing.T) {
	t.Parallel()
	c := &commands{}
	defer func() {
		if err := c.close(); err != nil {
			t.Error(err)
		}
	}()
	one, two := t.TempDir(), t.TempDir()
	put(t, one, "urls", "http://boats.example/feed \"~Boats\"\n")
	for _, step := range []struct {
		home, zone, args string
		want             string // in what is printed; "": nothing is
		code             int
	}{
		{one, "UTC", "import --no-fetch urls", "urls", 0},
		{one, "UTC", "log", "Z\t", 0},
		{one, "Asia/Kolkata", "log", "+05:30\t", 0},
		{one, "UTC", "log", "Z\t", 0},
		{two, "UTC", "list", "", 0},
		{two, "UTC", "import --no-fetch urls", "", 1}, // in the folder before
		{two, "UTC", "--data-dir " + one + "/.local/share/diurna list --json", `"Boats"`, 0},
		{two, "UTC", "list", "", 0},
		{one, "UTC", "list --nonsense", "", 2},
		{one, "UTC", "list", "Boats\t", 0},
	} {
		env := []string{noRest, "HOME=" + step.home, "PATH=" + os.Getenv("PATH"), "TZ=" + step.zone, "TERM=xterm"}
		a, err := c.run(env, step.home, strings.Fields(step.args)...)
		if err != nil || a.Code != step.code || !strings.Contains(string(a.Out), step.want) || step.want == "" && len(a.Out) > 0 {
			t.Errorf("%s: %v, exit code %d\n%s%s", step.args, err, a.Code, a.Out, a.Talk)
		}
	}
}
