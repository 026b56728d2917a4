//go:build !race

package plain

// slower is how much longer code may take in tests of its costs.
const slower = 1
