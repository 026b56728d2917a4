//go:build !linux && !darwin && !freebsd

package doctor

// diskFree is unknown here.
func diskFree(string) int64 { return -1 }
