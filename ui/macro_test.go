package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"diurna/reader"
	"diurna/ui/lastrow"
)

// leftIn waits for a file that a program writes, and removes it.
func leftIn(t *testing.T, path string) string {
	t.Helper()
	for range 6000 {
		if got, err := os.ReadFile(path); err == nil {
			_ = os.Remove(path)
			return string(got)
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("nothing wrote %s", path)
	return ""
}

// TestMacroOfWords: a macro is words of the command line, those with text too.
func TestMacroOfWords(t *testing.T) {
	lib := newFake()
	_, with := withShell(lib)
	d := newDesk(t, lib, 80, 24, with, func(o *Options) { o.Commands = []string{"mark", "unread"} }, withKeys(`
[macro]
"s" = "save; tag later; next"
"r" = ["read", "j", "save"]
"c" = "mark read feed:\"Harbour Gazette\"; unread"
"w" = "savee; open"
"x" = "j"
"z" = "opne"
`))
	d.shows(`keys.toml line 6: macro "w": there is no command "savee". Nearest: save. line`, `8: macro "z": there is no command "opne". Nearest: open; the rest of the file`)
	d.press(",", "s")
	if r := lib.row(item(1, 9)); strings.Join(r.Tags, " ") != "later" || r.Flags&reader.FlagSaved == 0 {
		t.Errorf("the row is %+v", r)
	}
	if r := d.m.Top().Row(); r.ID != item(3, 8) {
		t.Errorf("the cursor is on %q", r.Title)
	}
	d.press(",", "r")
	if lib.row(item(3, 8)).Flags&reader.FlagRead == 0 || d.m.Top().Row().Flags&reader.FlagSaved == 0 {
		t.Error("keys between words were not pressed")
	}
	d.press(",", "c")
	d.says("17")
	d.press(",", "w")
	d.says("There is no macro w.")
	d.press("?", "G")
	d.shows(", s*      macro: save; tag later; next")
}

// hostileTitles and hostileLinks are what a feed may send to be run.
var (
	hostileTitles = []string{"; touch pwned #", "$(touch pwned)", "`touch pwned`", "a\n touch pwned\n", "-rf --help", "--", "' ; touch pwned ; '", "\" ; touch pwned ; \"", "\x1b]0;x\a%u %t"}
	hostileLinks  = []string{"https://a.example/;touch pwned;", "https://a.example/$(touch pwned)", "https://a.example/`touch pwned`", "https://a.example/\ntouch pwned", "-https://a.example/", "--help", "javascript:touch", "file:///etc/passwd", "https://a.example/'\"|&"}
)

// TestMacroPrograms: what a feed sends is one argument of a program, or a value in
// the environment of a shell, whatever it says; nothing of it is run.
func TestMacroPrograms(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	out := filepath.Join(dir, "out")
	show := filepath.Join(dir, "show")
	text := "#!/bin/sh\nfor a; do printf '[%s]' \"$a\"; done > '" + out + ".tmp'; mv '" + out + ".tmp' '" + out + "'\n"
	if err := os.WriteFile(show, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	keys := `[macro]
"p" = [["` + show + `", "%t", "-t", "%f"], "next"]
"u" = [["` + show + `", "%u", "%t"]]
"e" = "!` + show + ` \"$DIURNA_TITLE\" \"$DIURNA_FEED\" \"$DIURNA_URL\"; test 1 = 1"
"m" = [["` + filepath.Join(dir, "missing") + `", "%t"]]
`
	for i, title := range hostileTitles {
		lib := newFake()
		lib.rows[0].Title, lib.links = title, map[reader.ItemID]string{item(1, 9): hostileLinks[i]}
		d := newDesk(t, lib, 80, 24, withKeys(keys), func(o *Options) { o.Environ = []string{"SHELL=/bin/sh"} })
		d.lacks("keys.toml")
		d.press(",", "p")
		shown := leftIn(t, out)
		if strings.Count(shown, "[") != 3 || !strings.HasSuffix(shown, "][-t][Kernel Notes]") || strings.HasPrefix(shown, "[-") || strings.ContainsAny(shown, "\n\x1b\a") {
			t.Errorf("%q is passed as %q", title, shown)
		}
		d.press("g", ",", "u")
		link := hostileLinks[i]
		web := strings.HasPrefix(link, "https:") && !strings.Contains(link, "\n")
		if web {
			if got := leftIn(t, out); !strings.HasPrefix(got, "["+link+"][") || strings.Count(got, "[") != 2 {
				t.Errorf("%q is passed as %q", link, got)
			}
		} else {
			if !strings.Contains(d.m.last.Last(lastrow.Message), "was not started: the chosen item has no web address.") {
				t.Errorf("%q: %s", link, d.m.last.Last(lastrow.Message))
			}
		}
		d.press(",", "e")
		got := leftIn(t, out)
		if address := "[" + link + "]"; strings.Count(got, "[") != 3 || strings.ContainsAny(got, "\n\x1b\a") || web != strings.HasSuffix(got, "[Kernel Notes]"+address) || !web && !strings.HasSuffix(got, "[]") {
			t.Errorf("%q %q reach the environment as %q", title, link, got)
		}
		if _, err := os.Stat("pwned"); err == nil {
			t.Fatalf("%q or %q was run", title, link)
		}
	}
	d := newDesk(t, newFake(), 120, 24, withKeys(keys))
	d.press(",", "m")
	if !strings.HasPrefix(d.m.last.Last(lastrow.Message), "missing did not start: ") {
		t.Errorf("a program that is not there: %q", d.m.last.Last(lastrow.Message))
	}
	d.press("2", ",", "p") // the error stands: nothing goes on after it
	if !strings.HasSuffix(d.m.last.Last(lastrow.Message), "was not started: no item is chosen.") {
		t.Errorf("a program without an item: %q", d.m.last.Last(lastrow.Message))
	}
}
