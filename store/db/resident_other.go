//go:build !linux

package db

// Release is for Linux, where pages are mapped in groups.
func (t *Tx) Release() {}
