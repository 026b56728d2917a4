//go:build unix

package outside

import (
	"os/exec"
	"syscall"
)

// apart gives a command a session of its own: it cannot reach the terminal
// that the screen is drawn on, and is stopped with all its children.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
