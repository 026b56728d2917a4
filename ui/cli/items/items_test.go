package items

import (
	"testing"

	"diurna/ui/cli/table"
)

// Columns of scripts are only ever added at the end.
func TestItemColumns(t *testing.T) {
	if got := table.Names(itemColumns); got != "id feed_id feed title link author published first_seen unread saved changed tags words" {
		t.Errorf("item columns: %s", got)
	}
}
