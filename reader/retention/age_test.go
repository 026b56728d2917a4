package retention

import (
	"testing"
	"time"
)

// An age is what it says, or an error: one too long must not become a short one.
func TestParseAge(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{"": 0, "off": -1, "30d": 30 * day, "12mo": 365 * day, "3y": 3 * 365 * day, "100y": 100 * 365 * day} {
		if got, err := ParseAge(text); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"29d", "4w", "101y", "586y", "600y", "1200y", "39999y", "9223372036854775807d", "1", "-1y", "y", "1h"} {
		if got, err := ParseAge(text); err == nil {
			t.Errorf("%q became %v", text, got)
		}
	}
}
