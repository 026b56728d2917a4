package keymap

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/view"
)

// small is a table of two keys in lists and one in articles.
func small(c view.Context) []view.Part {
	do := func(view.Host) tea.Cmd { return nil }
	switch c {
	case view.CtxItems:
		return []view.Part{{Name: "Here", Rows: []view.Binding{view.Bind("m", "read or unread", "mark", do), view.Bind("j", "down", "", do)}}}
	case view.CtxArticle:
		return []view.Part{{Name: "Everywhere", Rows: []view.Binding{view.Bind("a", "add", "", do)}}}
	}
	return nil
}

func TestOwnKeys(t *testing.T) {
	k, err := New(small, "", "[list]\n\"^x\" = \"m j\"\n[macro]\n\"l\" = [\":mark read\"]\n", []string{"mark"})
	if err != nil {
		t.Fatal(err)
	}
	if keys, ok := k.Own(view.CtxItems, "ctrl+x"); !ok || !slices.Equal(keys, []string{"m", "j"}) {
		t.Errorf("^x stands for %q", keys)
	}
	if _, ok := k.Own(view.CtxFeeds, "ctrl+x"); ok {
		t.Error("^x means something in Feeds")
	}
	if m, ok := k.Macro("l"); !ok || len(m.Steps) != 1 || m.Steps[0].Text != "mark read" || !slices.Equal(k.Macros(), []string{"l"}) {
		t.Errorf("the macro is %q", m)
	}
	if k.Bound(view.CtxItems, "m") == nil || k.Bound(view.CtxItems, "a") != nil {
		t.Error("m and a are bound wrongly in a list")
	}
}

// What is wrong with keys.toml is said with its line, and nothing of it is used.
func TestWrongKeys(t *testing.T) {
	for text, want := range map[string]string{
		"[list]\n\"x\" = 3\n":       "keys.toml line 2: \"x\" needs keys",
		"[list]\n\"wc\" = \"m\"\n":  "keys.toml line 2: \"wc\"",
		"[list]\n\n\"x\" = \"z\"\n": "keys.toml line 3: there is no action \"z\" in list",
		"[lists]\n\"x\" = \"m\"\n":  "[lists] is not known",
		"[list\n":                   "keys.toml line 1: ",
	} {
		k, err := New(small, "", text+"[macro]\n\"a\" = \"m\"\n", nil)
		if err == nil || !strings.Contains(err.Error(), want) || len(k.Macros()) > 0 {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := New(small, "vi", "", nil); err == nil || !strings.Contains(err.Error(), "there is no keymap \"vi\"") {
		t.Errorf("a preset that is not there: %v", err)
	}
}

// A key's name, its press and what is shown of it belong together.
func TestNames(t *testing.T) {
	for _, name := range []string{"a", "A", "ctrl+x", "space", "enter", "shift+tab", "pgdown", "Z"} {
		if got, ok := Named(name); !ok || got != name || Press(name).String() != name {
			t.Errorf("%q is named %q and pressed as %q", name, got, Press(name).String())
		}
	}
	if got, ok := Named("^X"); !ok || got != "ctrl+x" || Label(got) != "^x" {
		t.Errorf("^X is %q", got)
	}
	for _, name := range []string{"~", "wc", "ctrl+c", "ctrl+z", "f13", ""} {
		if _, ok := Named(name); ok {
			t.Errorf("%q is a key", name)
		}
	}
}
