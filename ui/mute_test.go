package ui

import (
	"slices"
	"strings"
	"testing"
)

// TestMuteKey: I opens the command with the longest word of the title, Tab goes on, and
// Enter mutes; nothing is muted before.
func TestMuteKey(t *testing.T) {
	lib := newFake()
	shell, with := withShell(lib)
	d := newDesk(t, lib, 80, 24, with)
	title := d.m.Top().Row().Title
	d.press("I")
	box := func() string { // what stands in it
		for line := range strings.Lines(d.screen()) {
			if text, ok := strings.CutPrefix(line, " :"); ok {
				text, _, _ = strings.Cut(text, "  ")
				return strings.TrimSpace(text)
			}
		}
		return ""
	}
	first, ok := strings.CutPrefix(box(), "mute ")
	if !ok || !strings.Contains(strings.ToLower(title), first) || len(first) < 4 {
		t.Fatalf("the box has %q for %q", box(), title)
	}
	d.press("tab")
	second := strings.TrimPrefix(box(), "mute ")
	if second == first || !strings.Contains(strings.ToLower(title), second) {
		t.Errorf("Tab goes from %q to %q", first, second)
	}
	d.press("shift+tab")
	if box() != "mute "+first {
		t.Errorf("shift+Tab leads to %q", box())
	}
	d.press("shift+tab") // the whole title
	if want := `mute title:"` + title + `"`; box() != want {
		t.Errorf("the last choice is %q, want %q", box(), want)
	}
	d.press("tab")
	if len(shell.ran) != 0 {
		t.Fatalf("before Enter there ran %q", shell.ran)
	}
	d.typeIn(" --for 30d")
	d.press("enter")
	if len(shell.ran) != 1 || !slices.Equal(shell.ran[0], []string{"mute", first, "--for", "30d"}) {
		t.Errorf("there ran %q", shell.ran)
	}

	// In an article it is about that item.
	d.press("enter")
	d.press("I")
	if box() != "mute "+first {
		t.Errorf("in the article the box has %q", box())
	}
	d.press("esc")
}
