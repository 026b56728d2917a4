//go:build soak

package store

import "os"

// With -tags soak every run has its full size; the environment still overrides.
func init() {
	for name, size := range map[string]string{"DIURNA_CUTS": "2000", "DIURNA_KILLS": "10000", "DIURNA_FAULTS": "1", "DIURNA_FLIPS": "2000", "DIURNA_SOAK": "200x24"} {
		if os.Getenv(name) == "" {
			os.Setenv(name, size)
		}
	}
}
