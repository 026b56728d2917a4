package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"diurna/reader"
)

// adjustFeed carries out what Adjust changes of a feed, and lets u take it back.
func (f *fake) adjustFeed(no uint64, id reader.FeedID, field, value string) {
	fd := f.feed(id)
	if fd == nil || field == "url" || field == "threshold" {
		return
	}
	was := *fd
	f.takeBack(no, func() {
		if fd := f.feed(id); fd != nil {
			*fd = was
		}
	})
	switch field {
	case "title":
		fd.Given = value
	case "folder":
		fd.Folder = value
	case "tags":
		fd.Tags = strings.Fields(value)
	case "hidden":
		fd.Hidden = value == "true"
	case "allow_private":
		fd.AllowPrivate = value == "true"
	case "full":
		fd.Settings.Full = value == "true"
	case "by_titles":
		fd.Settings.ByTitles = value == "true"
	case "interval":
		fd.Settings.Interval, _ = time.ParseDuration(value)
	case "learning":
		for _, l := range []reader.Learning{reader.LearnedFrom, reader.Pinned, reader.Excluded} {
			if value == l.String() {
				fd.Settings.Learning = l
			}
		}
	}
}

// setting chooses the row of a label in info and returns its value.
func (d *desk) setting(label string) string {
	d.t.Helper()
	d.press("g")
	for range 40 {
		for line := range strings.Lines(d.screen()) {
			if i := strings.LastIndex(line, "│"); i >= 0 {
				line = line[i+len("│"):]
			}
			if value, chosen := strings.CutPrefix(strings.TrimSpace(line), ">  "+label+" "); chosen {
				return strings.TrimSpace(value)
			}
		}
		d.press("j")
	}
	d.t.Fatalf("no row %q:\n%s", label, d.screen())
	return ""
}

// TestInfoEachSettingIsOneStep: each setting of a feed is changed where it stands, is
// said in the last row, is seen at once, and goes back with one u.
func TestInfoEachSettingIsOneStep(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}, {200, 60}} {
		lib := newFake()
		d := newDesk(t, lib, size[0], size[1])
		d.press("2", "j", "j", "i")
		for _, c := range []struct{ label, typed, before, after string }{
			{"title", "Seeds", "Kernel Notes (its", "Seeds"},
			{"folder", "os/linux", "kernel", "os/linux"},
			{"tags", "c slow", "none", "c slow"},
			{"fetched", "6h", "by the plan", "every 6h"},
			{"hidden", "", "no", "yes"},
			{"read by titles", "", "no", "yes"},
			{"in Ranked", "pinned", "learned from", "pinned"},
			{"private network", "", "no", "yes, at example"},
			{"address", "https://example9.org/feed", "https://example1", "https://example9"},
		} {
			if got := d.setting(c.label); !strings.HasPrefix(got, c.before) {
				t.Fatalf("%v: %s is %q at first", size, c.label, got)
			}
			n := len(lib.steps)
			d.press("enter")
			if c.typed != "" {
				d.press("ctrl+u")
				d.typeIn(c.typed)
				d.press("enter")
			}
			if len(lib.steps) != n+1 {
				t.Fatalf("%v: %s took %d steps", size, c.label, len(lib.steps)-n)
			}
			d.shows(c.label+" of Kernel Notes", "undoes.")
			if got := d.setting(c.label); !strings.HasPrefix(got, c.after) {
				t.Errorf("%v: %s became %q", size, c.label, got)
			}
			d.press("u")
			if got := d.setting(c.label); !strings.HasPrefix(got, c.before) {
				t.Errorf("%v: after u, %s is %q", size, c.label, got)
			}
		}
	}
}

// TestInfoKeepsWhatIsNotUnderstood: a value that means nothing stays in the box, with
// the reason, until it is mended or given up.
func TestInfoKeepsWhatIsNotUnderstood(t *testing.T) {
	lib := withPages(newFake())
	d := newDesk(t, lib, 80, 24)
	wrong := func(label, typed, why string) {
		t.Helper()
		n := len(lib.steps)
		d.setting(label)
		d.press("enter", "ctrl+u")
		d.typeIn(typed)
		d.press("enter")
		d.shows(label+": "+typed, why)
		if len(lib.steps) != n {
			t.Errorf("%s was changed to %q", label, typed)
		}
	}
	d.press("2", "j", "j", "i")
	wrong("fetched", "5m", `"5m" is not an interval of 15 minutes or more, such as 2h`)
	d.press("ctrl+u")
	d.typeIn("5h")
	d.press("enter")
	d.shows("every 5h")
	wrong("in Ranked", "first", `learning is "pinned", "left out" or nothing, not "first"`)
	d.press("esc")
	wrong("address", "http://", "address")
	d.press("esc", "q", "5", "g", "i")
	wrong("depth", "9", `"9" is not a depth of 0, 1 or 2`)
	d.press("esc")
	wrong("looked at", "main[", "is not a CSS selector")
}

// TestInfoOfAHostileFeed: names that a publisher or a list brought change nothing but
// their own row, at any width.
func TestInfoOfAHostileFeed(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {80, 24}, {40, 12}, {20, 6}, {10, 3}} {
		for _, name := range []string{"\x1b[2J\x1b]0;owned\a", "\u202eevil\u2066", strings.Repeat("港の便り", 200), "a\nb\r\tc", "\xff\xfe", "%s%d", ""} {
			lib := newFake()
			fd := &lib.feeds[0]
			fd.Title, fd.Given, fd.Folder, fd.Tags, fd.Site, fd.Error = name, name, name, []string{name, name}, "https://x.example/"+name, name
			d := newDesk(t, lib, size[0], size[1])
			d.press("2", "j", "j", "i")
			for range 25 {
				d.press("j")
				s := d.screen()
				if strings.ContainsAny(s, "\x1b\a\r\t\u202e") || strings.Count(s, "\n") > size[1] {
					t.Fatalf("%v, %s: the screen is\n%q", size, fmt.Sprintf("%.20q", name), s)
				}
			}
			d.press("g", "enter", "esc", "y", "q")
		}
	}
}
