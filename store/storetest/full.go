//go:build soak

package storetest

// Size is the size of a test that grows with -tags soak, where it is full.
func Size(quick, full int) int { return full }
