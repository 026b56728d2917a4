package feeds

import (
	"testing"

	"diurna/reader"
	"diurna/ui/view"
)

// Feeds with tags and without a folder are grouped by tag, until somebody chooses.
func TestUsualGrouping(t *testing.T) {
	tagged := []reader.Feed{{Key: 1, Tags: []string{"sea"}}, {Key: 2}}
	filed := append([]reader.Feed{{Key: 3, Folder: "news"}}, tagged...)
	var v View
	for _, c := range []struct {
		feeds []reader.Feed
		want  bool
	}{{nil, false}, {tagged, true}, {filed, false}, {tagged[1:], false}, {tagged, true}} {
		if v.tree.usual(c.feeds); v.tree.tags != c.want {
			t.Errorf("%d feeds: %v", len(c.feeds), v.tree.tags)
		}
	}
	var p view.Place
	if v.Keep(&p); len(p.Arranged) > 0 {
		t.Errorf("kept what nobody chose: %+v", p.Arranged)
	}
	v.tree.tags, v.tree.group = false, true
	v.Keep(&p)
	var again View
	again.Restore(&view.Scene{}, &p)
	if again.tree.usual(tagged); again.tree.tags {
		t.Error("folders were chosen")
	}
}

// TestColumnsFit: whatever column is shown has room for what may stand in it.
func TestColumnsFit(t *testing.T) {
	for w := 24; w <= 200; w++ {
		name, last := treeCells(w)
		next := w - 4 - name - 1 - unreadCells(w) - 2 - last
		if last > 0 && (last < len("today 16:45 ") || next < len("tomorrow 07:40")) || name < 12 {
			t.Errorf("%d cells: name %d, last %d, next %d", w, name, last, next)
		}
	}
}
