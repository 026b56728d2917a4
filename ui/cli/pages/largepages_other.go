//go:build !linux

package pages

const largePage = 0

func largePages([]byte) int { return 0 }
