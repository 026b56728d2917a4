//go:build !unix

package term

type stopper struct{}

func inForeground() bool { return true }

// Nothing stops a process for a while there.
func newStopper() *Stopper              { return new(Stopper) }
func (s *Stopper) stop(whole bool) bool { return false }
func (s *Stopper) close()               {}
