package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// TestTenTasks: what people do most, from River, and how many keys it takes. A
// paste counts as one, and so does a text that is typed ('like_this).
func TestTenTasks(t *testing.T) {
	dir := t.TempDir()
	argv := filepath.Join(dir, "argv")
	browser := filepath.Join(dir, "browser")
	script := "#!/bin/sh\nprintf '%s' \"$*\" > '" + argv + ".new' && mv '" + argv + ".new' '" + argv + "'\n"
	if err := os.WriteFile(browser, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	opened := func(want string) bool {
		defer os.Remove(argv)
		for range 6000 {
			if got, err := os.ReadFile(argv); err == nil {
				return string(got) == want
			}
			time.Sleep(10 * time.Millisecond)
		}
		return false
	}
	in := func(d *desk, want string) bool { return strings.Contains(d.screen(), want) }
	for _, task := range []struct {
		name   string
		at     string // keys that lead to where the task begins
		paste  string
		keys   string
		most   int
		proven func(d *desk) bool
	}{
		{"everything older than a week in a folder", "", "", "2 } } M w", 6, func(d *desk) bool {
			return d.lib.row(item(5, 1)).Flags&reader.FlagRead != 0 && d.lib.row(item(6, 1)).Flags&reader.FlagRead == 0 && countUnread(d.lib) == 8
		}},
		{"the same with words", "", "", "& 'folder:sea_older:1w enter A", 6, func(d *desk) bool {
			return d.lib.row(item(5, 1)).Flags&reader.FlagRead != 0 && d.lib.row(item(6, 1)).Flags&reader.FlagRead == 0 && countUnread(d.lib) == 8
		}},
		{"open the fourth link in the browser", "", "", "enter 4 o", 3, func(*desk) bool {
			return opened("https://kernelnotes.example/2026/data.csv")
		}},
		{"open the third link, a picture", "", "", "enter 3 o", 3, func(*desk) bool {
			return opened("https://kernelnotes.example/2026/a.png")
		}},
		{"open a picture by letters", "", "", "enter f d", 3, func(*desk) bool {
			return opened("https://kernelnotes.example/2026/a.png")
		}},
		{"copy a picture's address", "enter", "", "3 y", 2, func(d *desk) bool {
			return len(d.sent) == 1 && strings.Contains(d.sent[0], "https://kernelnotes.example/2026/a.png")
		}},
		{"copy an article's link", "enter", "", "y", 1, func(d *desk) bool {
			return len(d.sent) == 1 && strings.Contains(d.sent[0], "https://kernelnotes.example/2026/block-layer")
		}},
		{"subscribe to a pasted address", "", "harbour.example", "enter enter", 3, func(d *desk) bool {
			return d.lib.feeds[len(d.lib.feeds)-1].URL == "https://harbour.example/news.xml"
		}},
		{"go to the feed in trouble and read why", "", "", "2 ! w", 3, func(d *desk) bool {
			return in(d, "Tide Tables: 404 not found since 12 Nov (8 tries).")
		}},
		{"accept the move of a feed", "", "", "2 ! w a", 4, func(d *desk) bool {
			return d.lib.feed(5).URL == "https://new.example/tides.xml" && in(d, "Done: from now on it is fetched from https://new.example/tides.xml. u undoes.") && !in(d, "Trouble")
		}},
		{"undo a mass mark", "A", "", "u", 1, func(d *desk) bool { return countUnread(d.lib) == 9 && in(d, "Undone: 9 marked read in River") }},
		{"next unread from inside an article", "enter", "", "n", 1, func(d *desk) bool {
			return in(d, "Ferry 3 out of service until Monday.") && d.m.context() == view.CtxArticle
		}},
		{"save and tag", "", "", "s t l a t e r enter", 4 + len("later"), func(d *desk) bool {
			r := d.lib.row(item(1, 9))
			return r.Flags&reader.FlagSaved != 0 && len(r.Tags) == 1 && r.Tags[0] == "later"
		}},
		{"read a feed's unread only", "", "", "] ] enter", 3, func(d *desk) bool {
			l := stack.ItemsOf(d.m.Top().Origin())
			name, _ := l.Title(&d.m.Scene, 0)
			return name == "Small Databases" && l.List.N == 1 && in(d, "Issue 212: cursors, columns and a bug in wcwidth.")
		}},
		{"list what is unread in a feed that is named", "", "", "& 'feed:databases enter", 3, func(d *desk) bool {
			return slices.Equal(d.order(), []string{"Issue 212: cursors, columns and a bug in wcwidth"})
		}},
		{"full help", "", "", "?", 1, func(d *desk) bool {
			return in(d, "mark all here read") && in(d, "Signs in the first columns") && in(d, "quit (also :q and ZZ)")
		}},
		{"full help on one key", "", "", "? ? M", 3, func(d *desk) bool {
			return in(d, "M in a list: mark read") && in(d, "than a month")
		}},
	} {
		t.Run(task.name, func(t *testing.T) {
			lib := newFake()
			lib.feed(5).MovedTo, lib.feed(5).MovedSeen, lib.feed(5).MovedSince = "https://new.example/tides.xml", 6, noon.AddDate(0, 0, -8)
			lib.found["harbour.example"] = emptyFake().found["harbour.example"]
			d := newDesk(t, lib, 80, 24, func(o *Options) { o.Config.Browser = []string{browser} })
			d.press(strings.Fields(task.at)...)
			n := 0
			if task.paste != "" {
				d.send(tea.PasteMsg{Content: task.paste})
				n++
			}
			for _, key := range strings.Fields(task.keys) {
				if text, typed := strings.CutPrefix(key, "'"); typed {
					d.typeIn(strings.ReplaceAll(text, "_", " "))
				} else {
					d.press(key)
				}
				n++
			}
			if n > task.most {
				t.Errorf("%d keys, at most %d are allowed", n, task.most)
			}
			if !task.proven(d) {
				t.Fatalf("after %s %s the screen is\n%s", task.paste, task.keys, d.screen())
			}
			t.Logf("%d keys of at most %d: %s", n, task.most, strings.TrimSpace(task.paste+" "+task.keys))
		})
	}
}

// TestMarkingInFeeds: M counts before the second key, marks exactly what it
// counted, and waits for the count when the second key was faster.
func TestMarkingInFeeds(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("2", "M")
	d.says("M: d day 5  w older week 2  m older month 1  a all 9  in All feeds")
	lib.rows = append([]reader.Row{{ID: item(1, 10), At: noon.AddDate(0, -2, 0).Unix(), Title: "came since"}}, lib.rows...)
	d.press("m")
	d.says("Marked 1 read in All feeds. u undoes.")
	if unread(lib.row(item(6, 1))) || !unread(lib.row(item(1, 10))) {
		t.Error("M m did not mark exactly what it counted")
	}
	_, counting := d.m.Update(keyMsg("M"))
	_, cmd := d.m.Update(keyMsg("w"))
	d.run(cmd)
	d.run(counting)
	d.says("Marked 2 read in All feeds.") // with the one that came by now
	d.press("M", "x", "j")
	if d.m.Awaited != 0 {
		t.Error("a key without a meaning after M leaves it open")
	}
}

// TestSelecting: rows are taken in and out, and one key acts on all of them as
// one step.
func TestSelecting(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("v", "v", "k", "v", "v")
	d.says("2 selected")
	d.shows(" •  +10:31", " •   10:12", " •s +09:02") // in, out again, in
	d.press("v", "s")
	d.says("Saved 3 in River. u undoes.")
	for _, id := range []reader.ItemID{item(1, 9), item(3, 7), item(4, 3)} {
		if lib.row(id).Flags&reader.FlagSaved == 0 {
			t.Errorf("%v is not saved", id)
		}
	}
	d.press("u")
	if lib.row(item(1, 9)).Flags&reader.FlagSaved != 0 || lib.row(item(3, 7)).Flags&reader.FlagSaved == 0 {
		t.Error("undo did not take back exactly the step")
	}
	d.press("g", "v", "v", "t")
	d.typeIn("sea")
	d.press("enter")
	d.says("Tagged #sea on 2 in River.")
	d.press("g", "v", "v", "m")
	d.says("Marked 2 read in River. u undoes.")
	d.press("g", "v", "v", "m")
	d.says("Marked 2 unread in River. u undoes.")
	d.press("g", "v", "v", "s")
	d.says("Saved 2 in River. u undoes.")
	d.press("g", "v", "v", "s")
	d.says("Unsaved 2 in River. u undoes.")
	d.press("g", "v", "v", "y")
	if len(d.sent) != 1 || !strings.Contains(d.sent[0], "https://example3.org/8") {
		t.Errorf("copied %q", d.sent)
	}
	d.press("v", "esc")
	if d.m.river.Unselect() || d.quit {
		t.Error("Esc does not end the selection")
	}
	d.press("2", "j", "j", "v", "v", "D")
	d.says("Unsubscribed from 2 feeds")
	if len(lib.feeds) != 4 {
		t.Errorf("%d feeds are left", len(lib.feeds))
	}
	d.press("u")
	if len(lib.feeds) != 6 {
		t.Errorf("after undo there are %d feeds", len(lib.feeds))
	}
}

// TestFromFeedToFeed: ] and [ go through the feeds with unread items, in lists
// and in articles.
func TestFromFeedToFeed(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("]")
	d.shows("· Kernel Notes, unread", "The new block layer", "Patches worth reading")
	d.press("enter", "]") // the second of its two stays unread
	d.shows("Small Databases", "Issue 212: cursors, columns and a bug in wcwidth.")
	d.press("[")
	d.shows("Patches worth reading, 13–19 November.")
	d.press("ctrl+n")
	d.shows("Ferry 3 out of service until Monday.")
	d.press("q", "q")
	d.shows("[1River]")
	d.press("[", "[")
	d.lacks("Kernel Notes, unread")
	d.press("]", "]", "]", "]")
	d.says("No other feed with unread items in that direction.")
}

// TestInfoChangesSettings: facts and settings of a feed, each changed in place.
func TestInfoChangesSettings(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("i")
	d.shows("Info: Kernel Notes", "The new block layer, six months on", "https://kernelnotes.example/2026/block-layer", "settings of this feed", "whole texts       no; its texts have 34 words, Enter fetches whole ones")
	d.press("enter")
	d.typeIn("Kernel")
	d.press("enter")
	d.says("title of Kernel Notes changed. u undoes.")
	if got := lib.steps[len(lib.steps)-1].What; got != "title changed to Kernel" {
		t.Errorf("the step is %q", got)
	}
	d.press("j", "j", "j", "enter")
	d.typeIn("5m")
	d.press("enter")
	d.shows(`^ "5m" is not an interval of 15 minutes or more, such as 2h`, "fetched: 5m")
	d.press("esc", "j", "enter")
	if got := lib.steps[len(lib.steps)-1].What; got != "hidden changed to true" {
		t.Errorf("the step is %q", got)
	}
	d.press("u", "j", "j", "enter")
	if got := lib.steps[len(lib.steps)-1].What; got != "full changed to true" {
		t.Errorf("the step is %q", got)
	}
	d.press("j", "enter")
	d.shows("6mo or 1y, at least 30d; off; empty: as config.toml")
	d.typeIn("5d")
	d.press("enter")
	d.shows(`^ "5d" is shorter than 30 days`, "texts kept: 5d")
	d.press("esc", "G")
	d.shows("31 times, shown 52 times")
	d.press("u", "q")
	d.shows("[1River]")
	d.press("w")
	d.says("Kernel Notes: last fetch today 10:31. Next: 15:50.")
}

// TestAnArticleSaysItsState: what s and m do in an article stands in its last
// row; a read item that is not saved says nothing.
func TestAnArticleSaysItsState(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("enter")
	d.lacks("%, ")
	d.press("s")
	d.shows("%, saved  space on")
	d.press("m")
	d.shows("%, unread, saved  space on", "q back")
	d.press("u", "u", "j")
	d.lacks("%, ")
}

// TestFeedsWithoutARow: where a sentence stands in place of the rows, the last
// row tells of none.
func TestFeedsWithoutARow(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("2")
	d.m.Scene.Order = nil // the last feed was unsubscribed
	if foot := d.m.feedz.Status(&d.m.Scene, 80).State; foot != "" {
		t.Errorf("the last row says %q", foot)
	}
}
