package pages

import (
	"syscall"
	"unsafe"
)

const (
	largePage = 2 << 20
	heapStep  = 4 << 20 // what Go's heap grows by
)

// largePages asks the system to back memory that was not touched yet, and what the
// heap has left behind it, with large pages, and returns where the first one begins.
func largePages(memory []byte) int {
	from := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	first := int(-from & (largePage - 1))
	end := (from + uintptr(len(memory)) + heapStep - 1) &^ (heapStep - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from+uintptr(first), end-from-uintptr(first), syscall.MADV_HUGEPAGE)
	return first
}
