package wording

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"add", "list", "items", "mark", "undo", "unread", "import", "export"}
	for word, want := range map[string]string{
		"lst": "list", "lits": "list", "udno": "undo", "improt": "import", "item": "items", "unred": "unread",
		"frobnicate": "", "x": "", "ad": "add", "LIST": "list", "": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
