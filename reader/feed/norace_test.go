//go:build !race

package feed

// slower is how much longer things may take: not at all.
const slower = 1
