package ui

import (
	"testing"

	"diurna/ui/bindkeys"
	"diurna/ui/keymap"
)

// What newsboat's operations become means something where it is bound.
func TestBindKeysAreMeant(t *testing.T) {
	for _, name := range bindkeys.Names() {
		var table bindkeys.Table
		if why := table.Add([]string{"bind-key", "F12", name}); why != "" {
			t.Errorf("%s: %s", name, why)
		}
		if _, err := keymap.New(partsOfHelp(&parts{}), "", table.Text(), nil); err != nil {
			t.Errorf("%s: %v in\n%s", name, err, table.Text())
		}
	}
}
