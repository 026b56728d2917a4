//go:build race

package replay

// underRace spares the tests that are about numbers: they share nothing that the
// smaller runs do not.
const underRace = true
