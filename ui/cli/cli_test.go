package cli

import (
	"strings"
	"testing"
)

// Words of a query may begin with "-"; flags are found wherever they stand.
func TestProtectWords(t *testing.T) {
	for in, want := range map[string]string{
		"":                                 "",
		"version --json":                   "version --json",
		"items":                            "items --",
		"items -unread folder:sea":         "items -- -unread folder:sea",
		"items -#later --json":             "items --json -- -#later",
		"--json items -unread":             "items --json -- -unread",
		"mark -later b7q-41":               "mark -- -later b7q-41",
		"--data-dir d mark -x y":           "mark --data-dir d -- -x y",
		"unread new --config c":            "unread --config c -- new",
		"items -- --json":                  "items -- --json",
		"list -h":                          "list -h --",
		"fetch -x":                         "fetch -x",
		"--data-dir items add a":           "--data-dir items add a",
		"--data-dir=items items -a --json": "items --data-dir=items --json -- -a",
	} {
		if got := strings.Join(protectWords(strings.Fields(in)), " "); got != want {
			t.Errorf("protectWords(%q) = %q, want %q", in, got, want)
		}
	}
}
