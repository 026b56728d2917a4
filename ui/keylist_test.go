package ui

import (
	"slices"
	"strings"
	"testing"

	"diurna/ui/keymap"
	"diurna/ui/view"
)

// TestKeysAreAllListed: whatever a key does anywhere stands in the list, once
// a place, and the user's own keys stand there marked in place of what they
// cover.
func TestKeysAreAllListed(t *testing.T) {
	list, err := Keys(Options{})
	if err != nil {
		t.Fatal(err)
	}
	holds := func(list []keymap.Key, place, key string) (rows []keymap.Key) {
		for _, k := range list {
			if k.Place == place && slices.Contains(k.Keys, key) {
				rows = append(rows, k)
			}
		}
		return rows
	}
	for c := range view.Contexts {
		for key, help := range helpOf(c) {
			if help == "" {
				continue
			}
			n := len(holds(list, view.ContextName(c), key)) + len(holds(list, "everywhere", key))
			if c != view.CtxArticle {
				n += len(holds(list, "any list", key))
			}
			if n == 0 {
				t.Errorf("%q in %s (%s) is not listed", key, view.ContextName(c), help)
			}
		}
	}
	for _, k := range list {
		if n := len(holds(list, k.Place, k.Keys[0])); n != 1 {
			t.Errorf("%q stands %d times under %s", k.Keys[0], n, k.Place)
		}
	}
	own, err := Keys(Options{Keys: "[list]\n\"^d\" = \"s\"\n[everywhere]\n\"f5\" = \"r\"\n[macro]\n\"l\" = \"s t\"\n"})
	if err != nil {
		t.Fatal(err)
	}
	if k := holds(own, "a list", "ctrl+d"); len(k) != 1 || !k[0].Yours || k[0].Does != "stands for s" {
		t.Errorf("^d in a list is %+v", k)
	}
	if k := holds(own, "any list", "ctrl+u"); k[0].Does != "half a page" {
		t.Errorf("^u, whose other half is taken, is %+v", k)
	}
	if k := holds(own, "everywhere", "f5"); len(k) != 1 || k[0].Does != "stands for r" {
		t.Errorf("f5 is %+v", k)
	}
	if k := holds(own, "after a comma", "l"); len(k) != 1 || k[0].Does != "macro: s t" {
		t.Errorf("the macro is %+v", k)
	}
	broken, err := Keys(Options{Keys: "[list]\n\"x\" = 3\n"})
	if err == nil || !strings.Contains(err.Error(), "keys.toml line 2") || len(broken) != len(list) {
		t.Errorf("of a broken keys.toml: %d rows, %v", len(broken), err)
	}
}

// helpOf is the help of each key in a place.
func helpOf(c view.Context) map[string]string {
	help := make(map[string]string)
	for _, p := range partsOfHelp(&parts{})(c) {
		last := ""
		for _, b := range p.Rows {
			if b.Help != view.Ditto {
				last = b.Help
			}
			for _, key := range b.Keys {
				help[key] = last
			}
		}
	}
	return help
}
