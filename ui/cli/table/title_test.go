package table

import (
	"testing"

	"diurna/reader"
)

func TestTitleOf(t *testing.T) {
	for want, it := range map[string]reader.Item{
		"Ferry 3": {Title: "Ferry 3", Lead: "not shown"}, "(no title) The ferry is late": {Lead: "The ferry is late"}, "(no title)": {},
	} {
		if got := TitleOf(it); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
