package outside

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"time"
)

// maxOutput is how many bytes of what a command prints are kept.
const maxOutput = 1 << 20

// Run gives a command line to the person's shell with a text on its input, and
// brings the beginning of what it printed; cut says that there was more. It ends
// with ctx, and all its children with it; the error is then ctx's.
func (p *Programs) Run(ctx context.Context, command, text string) (printed string, cut bool, err error) {
	shell := p.Env("SHELL")
	if shell == "" {
		shell = "/bin/sh"
	}
	cmd := exec.CommandContext(ctx, shell, "-c", command)
	apart(cmd)
	cmd.WaitDelay = time.Second // a child that lives on must not hold the screen's answer
	cmd.Stdin = strings.NewReader(text)
	out := &bounded{most: maxOutput}
	cmd.Stdout, cmd.Stderr = out, out
	err = cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.buf.String(), out.cut, err
}

// bounded keeps the beginning of what is written to it.
type bounded struct {
	buf  bytes.Buffer // not embedded: its ReadFrom would read without a bound
	most int
	cut  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := min(len(p), b.most-b.buf.Len())
	b.cut = b.cut || room < len(p)
	b.buf.Write(p[:room])
	return len(p), nil
}
