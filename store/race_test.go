//go:build race

package store

// raced: a damaged page makes bbolt look where nothing is mapped, or into other
// memory. The program recovers from that fault; the race detector does not.
const raced = true
