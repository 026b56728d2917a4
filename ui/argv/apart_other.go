//go:build !unix

package argv

import "os/exec"

// Apart does nothing where there are no sessions.
func Apart(*exec.Cmd) {}
