//go:build !race

package replay

const underRace = false
