//go:build unix

package argv

import (
	"os/exec"
	"syscall"
)

// Apart gives a command a session of its own: it cannot reach the terminal
// that the screen is drawn on, and is stopped with all its children.
func Apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
