//go:build unix

package term

import "golang.org/x/sys/unix"

func sizeOf(fd uintptr) (width, high int) {
	w, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0
	}
	if w.Col == 0 || w.Row == 0 {
		return 80, 24 // a terminal that does not know its size, such as a serial line
	}
	return int(w.Col), int(w.Row)
}

func private() { unix.Umask(0o077) }
