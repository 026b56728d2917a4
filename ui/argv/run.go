package argv

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"diurna/reader/plain"
)

// maxSaid bounds what an error says of the last line that a command printed, in cells.
const maxSaid = 200

// Run runs a list of words, never through a shell, with input as its stdin, and returns
// what it printed on stdout, up to the bound of Output. After wait it is stopped with
// all its children. The error is a sentence's end: "exit status 1: no such key".
func Run(ctx context.Context, words []string, input []byte, wait time.Duration) (*Output, error) {
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	cmd := exec.CommandContext(limited, words[0], words[1:]...)
	Apart(cmd)
	cmd.WaitDelay = time.Second // a child that lives on must not hold the answer
	out, said := new(Output), new(Output)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), out, said
	err := cmd.Run()
	switch {
	case err == nil:
		return out, nil
	case ctx.Err() != nil:
		return out, ctx.Err()
	case limited.Err() != nil:
		return out, fmt.Errorf("stopped after %s", wait)
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	if last := plain.Line(lines[len(lines)-1], maxSaid); last != "" {
		return out, fmt.Errorf("%w: %s", err, last)
	}
	return out, err
}
