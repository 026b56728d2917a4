package outside

import (
	"io"
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// TakeTerminal runs a program that needs the terminal itself.
func (p *Programs) TakeTerminal(cmd *exec.Cmd, done tea.ExecCallback) tea.Cmd {
	if p.Calm {
		return func() tea.Msg {
			if cmd.Stdin == nil {
				cmd.Stdin = os.Stdin
			}
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			return done(cmd.Run())
		}
	}
	if cmd.Stdin == nil && p.TTY != nil {
		// Bubble Tea would hand it our reader, and exec copy from that: a
		// program that draws needs the file.
		cmd.Stdin = p.TTY
	}
	return tea.Exec(externalCmd{cmd, p}, done)
}

// Suspended reports whether another program has the terminal.
func (p *Programs) Suspended() bool { return p.suspended.Load() }

// Editor is the argv of the user's editor, nil if there is none.
func (p *Programs) Editor() []string {
	for _, name := range []string{p.Env("VISUAL"), p.Env("EDITOR"), "vi", "nano"} {
		argv := strings.Fields(name)
		if len(argv) == 0 {
			continue
		}
		if _, err := exec.LookPath(argv[0]); err == nil {
			return argv
		}
	}
	return nil
}

// externalCmd is a program that has the terminal while it runs.
type externalCmd struct {
	*exec.Cmd
	p *Programs
}

func (b externalCmd) Run() error {
	b.p.suspended.Store(true)
	defer b.p.suspended.Store(false)
	if b.p.Unhold != nil { // what Bubble Tea gave back is what it took: a terminal that was held
		b.p.Unhold()
	}
	return b.Cmd.Run()
}

func (b externalCmd) SetStdin(r io.Reader) {
	if b.Stdin == nil {
		b.Stdin = r
	}
}

func (b externalCmd) SetStdout(w io.Writer) {
	if b.Stdout == nil {
		b.Stdout = w
		if s, ok := w.(interface{ Terminal() *os.File }); ok {
			b.Stdout = s.Terminal()
		}
	}
}

func (b externalCmd) SetStderr(w io.Writer) {
	if b.Stderr == nil {
		b.Stderr = w
	}
}
