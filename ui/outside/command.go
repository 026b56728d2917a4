package outside

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader/plain"
	"diurna/ui/argv"
)

// Run gives a command line, unchanged, to the user's shell with a text on its
// input and values in its environment, and brings the beginning of what it printed; cut says that there was more. It ends
// with ctx, and all its children with it; the error is then ctx's.
func (p *Programs) Run(ctx context.Context, command, text string, v argv.Values) (printed string, cut bool, err error) {
	shell := p.Env("SHELL")
	if shell == "" {
		shell = "/bin/sh"
	}
	cmd := exec.CommandContext(ctx, shell, "-c", command)
	argv.Apart(cmd)
	cmd.WaitDelay = time.Second // a child that lives on must not hold the screen's answer
	cmd.Env = v.Environ()
	cmd.Stdin = strings.NewReader(text)
	out := new(argv.Output)
	cmd.Stdout, cmd.Stderr = out, out
	err = cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.String(), out.Cut, err
}

// Start starts a program that goes its own way, as a browser does; the message says
// how that went. One that draws in the terminal gets it until it ends.
func (p *Programs) Start(words []string) tea.Cmd {
	name := base(words[0])
	if slices.Contains(inTerminal, name) {
		return p.TakeTerminal(exec.Command(words[0], words[1:]...), func(err error) tea.Msg { return endedMsg{name: name, err: err} })
	}
	return func() tea.Msg {
		cmd := exec.CommandContext(context.WithoutCancel(p.ctx), words[0], words[1:]...) // it outlives the screen
		argv.Apart(cmd)
		out := new(argv.Output)
		cmd.Stdout, cmd.Stderr = out, out
		if err := cmd.Start(); err != nil {
			return endedMsg{name: name, err: err}
		}
		ended := func() tea.Msg {
			err := cmd.Wait()
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			return endedMsg{name: name, last: lines[len(lines)-1], err: err}
		}
		if p.Calm { // nothing waits for it there
			go ended()
			return nil
		}
		return nextMsg{ended}
	}
}

// endedMsg says how a program that was started ended.
type endedMsg struct {
	name, last string // last: the last line it printed
	err        error
}

// says is the sentence about a program that failed, "" for one that did not.
func (m *endedMsg) says() string {
	var exit *exec.ExitError
	switch {
	case m.err == nil:
		return ""
	case !errors.As(m.err, &exit):
		return m.name + " did not start: " + m.err.Error() + "."
	}
	return strings.TrimSuffix(fmt.Sprintf("%s exited with %d: %s", m.name, exit.ExitCode(), plain.Line(m.last, 200)), ": ")
}

// base is the name of a program without its folder.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
