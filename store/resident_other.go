//go:build !linux

package store

// release is for Linux, where pages are mapped in groups.
func (t *Tx) release() {}
