package ui

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/greeting"
	"diurna/ui/lastrow"
	"diurna/ui/ranked"
	"diurna/ui/stack"
	"diurna/ui/term"
	"diurna/ui/view"
)

// sit opens the library for another session, with its hints.
func sit(t *testing.T, lib *fake, change ...func(*Options)) *desk {
	d := newDesk(t, lib, 80, 24, change...)
	d.run(d.m.greet.Hints())
	return d
}

// TestHints: each view says once what can be done in it, also where the first key
// leaves the program, and never again.
func TestHints(t *testing.T) {
	lib := newFake()
	d := sit(t, lib)
	d.says("Unread items, newest first.")
	d.press("j")
	d.lacks("newest first")
	d.says("unread · Harbour Gazette")
	d.press("enter")
	d.says("space pages on to the next unread")
	d.press("f") // no link on the screen: a message
	d.says("This article has no links or images.")
	d.press("q")
	d.lacks("has no links", "[1River]") // q was for the letters
	d.press("q", "2")
	d.says("Your feeds by folder.")
	d.press("enter")
	d.says("A list of results")
	d.press("1", "4")
	d.says("Items you saved with s.")
	d.press("Q")
	if !d.quit {
		t.Fatal("Q does not quit")
	}
	if got, want := string(lib.kept[greeting.HintsName]), "River\narticle\nFeeds\nlist\nSaved"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
	d = sit(t, lib)
	d.says("unread · Kernel Notes")
	d.press("enter")
	d.says("64 %")
	d.press("q", "2")
	d.says("All feeds")
	d.press("3")
	d.says("What you are likely to open comes first.")
	d.press("5")
	d.says("Watched web pages.")
	d.press("6")
	d.says("When you read")
}

// TestHintsWait: a hint that something covers is not read by that.
func TestHintsWait(t *testing.T) {
	lib := newFake()
	d := sit(t, lib, func(o *Options) { o.Notice = "The notice." })
	d.says("The notice.")
	d.press("j")
	d.says("Unread items, newest first.")
	d.press("/")
	d.typeIn("tide")
	d.press("enter", "esc")
	if got := string(lib.kept[greeting.HintsName]); got != "River" {
		t.Errorf("kept %q", got)
	}
	d.press("2", "/")
	d.typeIn("tide")
	d.press("enter")
	d.says("/tide")
	d.m.Scene.W, d.m.Scene.H = 30, 5 // too small for anything to be read
	d.screen()
	d.press("j", "j")
	if got := string(lib.kept[greeting.HintsName]); got != "River\nFeeds" {
		t.Errorf("kept %q", got)
	}
}

// TestNoHintsForWhoKnows: where views were used before there were hints, they have
// none; nor has the linear form.
func TestNoHintsForWhoKnows(t *testing.T) {
	lib := newFake()
	lib.kept[greeting.PlaceName], _ = json.Marshal(view.Place{View: uint8(stack.Rhythm), Starts: 7, Folded: []string{"sea"}})
	lib.kept[ranked.OrderName] = []byte(reader.Newest.String())
	lib.feeds[2].Saved = 1
	d := sit(t, lib)
	for _, keys := range []string{"", "2", "3", "4", "6", "1 enter"} {
		d.press(strings.Fields(keys)...)
		for p := lastrow.River; p <= lastrow.Diff; p++ {
			if hint := p.Hint(80); strings.Contains(d.screen(), hint) {
				t.Errorf("after %q a hint stands:\n%s", keys, d.screen())
			}
		}
	}
	d.press("q", "5")
	d.says("Watched web pages.") // there is none
	names := strings.Split(string(lib.kept[greeting.HintsName]), "\n")
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "Feeds Ranked Rhythm River Saved article list" {
		t.Errorf("kept %q", got)
	}
	if said := spoken(t, newFake(), "2", "Q"); strings.Contains(said, "newest first.") {
		t.Errorf("the linear form hints:\n%s", said)
	}
}

// hintedKeys are the keys that hints name.
var hintedKeys = []struct {
	p       lastrow.Place
	context view.Context
	keys    string
}{
	{lastrow.River, view.CtxItems, "Enter n m ?"}, {lastrow.Feeds, view.CtxFeeds, "Enter h a"}, {lastrow.Ranked, view.CtxItems, "w + -"},
	{lastrow.Saved, view.CtxItems, "s t &"}, {lastrow.Pages, view.CtxPages, "a Enter"}, {lastrow.Rhythm, view.CtxRhythm, "/ B"},
	{lastrow.Items, view.CtxItems, "& M q"}, {lastrow.Article, view.CtxArticle, "space o f q"}, {lastrow.Diff, view.CtxDiff, "n N c w q"},
}

// TestHintsNameKeys: every key that a hint names does something where it stands.
func TestHintsNameKeys(t *testing.T) {
	m := newDesk(t, newFake(), 80, 24).m
	for _, c := range hintedKeys {
		words := strings.Fields(strings.ReplaceAll(c.p.Hint(80), ",", ""))
		for _, key := range strings.Fields(c.keys) {
			if !slices.Contains(words, key) || m.keys.Bound(c.context, strings.Replace(key, "Enter", "enter", 1)) == nil {
				t.Errorf("%s: %q is not named in %q, or does nothing there", c.p.Name(), key, words)
			}
		}
	}
}

// TestNotesAfterFeeds: where the feeds come before the terminal has drawn, as when
// something changed at once, hints and what else is noted are read all the same, once.
func TestNotesAfterFeeds(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.m.late, d.m.unnoted = true, true
	d.run(d.m.Reload())
	if d.m.late {
		t.Fatal("the feeds have not come")
	}
	_, cmd := d.m.Update(term.DrawnMsg{})
	asks := 0
	for _, c := range cmd().(tea.BatchMsg) {
		asks++
		if c == nil {
			t.Fatal("an empty command")
		}
	}
	if asks < 5 {
		t.Errorf("%d things were asked for: the notes are missing", asks)
	}
	if _, again := d.m.Update(term.DrawnMsg{}); again != nil {
		t.Error("the notes are read twice")
	}
}
