package settings

import "testing"

// TestChanged: what undo says of a setting.
func TestChanged(t *testing.T) {
	for _, test := range [][3]string{
		{"full", "true", `full changed to "true"`},
		{"full", "", "full cleared"},
		{"allow_private", "true", `allow private changed to "true"`},
		{"tags", "sea\nslow ships", `tags changed to "sea, slow ships"`},
	} {
		if got := Changed(test[0], test[1]); got != test[2] {
			t.Errorf("Changed(%q, %q) = %q, want %q", test[0], test[1], got, test[2])
		}
	}
}
