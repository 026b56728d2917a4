//go:build soak

package reader

import "os"

// With -tags soak the season has its full size; the environment still overrides.
func init() {
	if os.Getenv("DIURNA_SOAK") == "" {
		os.Setenv("DIURNA_SOAK", "200x24")
	}
}
