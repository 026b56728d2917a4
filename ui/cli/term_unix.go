//go:build unix

package cli

import "golang.org/x/sys/unix"

func widthOf(fd uintptr) int {
	w, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	if w.Col == 0 {
		return 80 // a terminal that does not know its size, such as a serial line
	}
	return int(w.Col)
}

func private() { unix.Umask(0o077) }
