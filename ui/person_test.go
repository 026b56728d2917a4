package ui

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/jobs"
	"diurna/ui/stack"
)

// TestCommandsHeedTheirWords: what a command cannot heed keeps it from running.
func TestCommandsHeedTheirWords(t *testing.T) {
	for line, want := range map[string]string{
		"feeds sea":     ":feeds takes no arguments; nothing was done.",
		"q now":         ":q takes no arguments; nothing was done.",
		"fetsh":         `There is no command "fetsh". Nearest: fetch.`,
		"xyzzy 1":       `There is no command "xyzzy". Tab lists them.`,
		"import /nope":  "/nope: no such file or directory.",
		"import ~/nope": "/home/me/nope: no such file or directory.",
	} {
		lib := newFake()
		d := newDesk(t, lib, 120, 24, func(o *Options) { o.Environ = []string{"HOME=/home/me"} })
		d.press("m")
		d.run(d.holdCommand(line))
		d.says(want)
		if d.quit || len(lib.fetched) > 0 || lib.steps[0].Undone || d.m.At != stack.River {
			t.Errorf(":%s was done", line)
		}
	}
}

// TestActsOnWhatIsGone: an item whose feed another process removed keeps its
// feed's name, and an act on it is not shown as done.
func TestActsOnWhatIsGone(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("enter")
	lib.Unsubscribe(context.Background(), []reader.FeedID{1})
	kept := lib.rows[:0]
	for _, r := range lib.rows {
		if r.ID.Feed() != 1 {
			kept = append(kept, r)
		}
	}
	lib.rows = kept
	d.run(d.m.LoadShown(d.m, false))
	d.shows(" Kernel Notes ")
	d.press("s")
	d.says("This is not in the library any more. Nothing was changed.")
	d.press("q")
	if r := d.m.river.At(0); r.Flags&reader.FlagSaved != 0 {
		t.Error("the row is drawn as saved, and nothing was kept")
	}
	// Two of the unread rows are of that feed: the count is of what was marked.
	d.press("m", "A")
	d.says("Marked 7 read in River. u undoes.")
	if say := (&jobs.Job{Tell: "Marked %s read in %s. u undoes.", Scope: "100 % sea"}).SayMarked(); say != "Nothing to change in 100 % sea." {
		t.Error(say) // another process was quicker with all of them
	}
}

// TestNumbersBesideAfterAResize: the feeds that come to stand at the left say
// what was read meanwhile.
func TestNumbersBesideAfterAResize(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("2", "1", "m")
	d.send(tea.WindowSizeMsg{Width: 200, Height: 40})
	for _, line := range strings.Split(d.screen(), "\n") {
		if strings.Contains(line, "All feeds") && !strings.Contains(line, " 8") {
			t.Errorf("8 are unread: %q", line)
		}
	}
}

// TestKeysStayBesideALongState: the state of a row never takes the last key's
// place.
func TestKeysStayBesideALongState(t *testing.T) {
	lib := newFake()
	lib.feeds[0].Title = strings.Repeat("a long name ", 12)
	d := newDesk(t, lib, 80, 24)
	if last := d.last(); !strings.HasSuffix(last, " ?") {
		t.Errorf("the last row is %q", last)
	}
}
