//go:build race

package feed

// slower is how much longer things may take under the race detector.
const slower = 8
