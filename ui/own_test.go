package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/editall"
	"diurna/ui/macro"
	"diurna/ui/view"
)

func withKeys(text string) func(*Options) { return func(o *Options) { o.Keys = text } }

// TestOwnKeys: a key of the user's own stands for keys of the table, one
// after the other, and the help marks it.
func TestOwnKeys(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24, withKeys(`
[list]
"x" = "m j"
"^o" = "enter 4 y q q"   # waits for the article before it goes on
"z" = ["s", "t", "l", "enter"]
"m" = ""
[everywhere]
"f5" = "R"
[macro]
"t" = "t n e w enter"
"f" = ":feeds"
`))
	d.press("x", "x")
	if countUnread(lib) != 7 {
		t.Errorf("%d unread, want 7", countUnread(lib))
	}
	d.press("m")
	if countUnread(lib) != 7 {
		t.Error("a key that stands for nothing still means what it did")
	}
	d.press("g", "ctrl+o")
	if len(d.sent) != 1 || !strings.Contains(d.sent[0], "https://kernelnotes.example/2026/data.csv") {
		t.Errorf("copied %q", d.sent)
	}
	d.press("z", ",", "t")
	if r := lib.row(item(1, 9)); strings.Join(r.Tags, " ") != "l new" || r.Flags&reader.FlagSaved == 0 {
		t.Errorf("tags %v", r.Tags)
	}
	d.press(",", "q")
	d.says("There is no macro q.")
	d.press("?", "G")
	d.shows("x*        stands for m j", ", t*      macro: t n e w enter")
	d.press("q", ",", "f")
	d.shows("[2Feeds]")
}

// TestArticleNamesKeyOfEnclosures: the head of an article names the key that lists its
// enclosures, the user's own where they moved it.
func TestArticleNamesKeyOfEnclosures(t *testing.T) {
	for own, want := range map[string]string{"": "(e)", "[article]\n\"e\" = \"s\"\n\"E\" = \"e\"\n": "(E)", "[article]\n\"e\" = \"s\"\n": "(:enclosures)"} {
		d := newDesk(t, newFake(), 80, 24, withKeys(own))
		d.press("enter")
		d.shows("1 enclosure " + want)
	}
}

// TestHelpLeavesOutWhatNoKeyDoes: where a keymap took all the keys of a
// binding, the help has no row that begins with nothing.
func TestHelpLeavesOutWhatNoKeyDoes(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24, func(o *Options) { o.Config.Keymap = "newsboat" })
	d.press("?")
	d.shows("find a feed, narrow the tree")
	d.lacks("tag the feed")
}

// TestWrongKeysSaySo: the sentence names line and key, and the program's own
// keys hold.
func TestWrongKeysSaySo(t *testing.T) {
	for text, want := range map[string]string{
		"[list]\n\"x\" = \"m j\"\n\"alt+x\" = \"m\"\n": `keys.toml line 3: "alt+x" is not a key; the file was ignored.`,
		"[list]\n\"x\" = \"nonsense\"\n":               `keys.toml line 2: "nonsense" is not a key; the file was ignored.`,
		"[article]\n\"x\" = \"A\"\n":                   `keys.toml line 2: there is no action "A" in article; the file was ignored.`,
		"[lists]\n\"x\" = \"A\"\n":                     `keys.toml line 2: [lists] is not known: there are [list] [feeds] [article] [pages] [diff] [everywhere] [macro]; the file was ignored.`,
		"[list]\n\"x\" = 3\n":                          `keys.toml line 2: "x" needs keys such as "m j"; the file was ignored.`,
		"[list]\n\"^d\" = \"m\"\n\"^z\" = \"m\"\n":     `keys.toml line 3: "^z" is not a key; the file was ignored.`,
		"[list\n":                 "keys.toml line 1: ",
		"[macro]\n\"x\" = \"\"\n": `keys.toml line 2: macro "x": it does nothing; the rest of the file is used.`,
	} {
		d := newDesk(t, newFake(), 160, 24, withKeys(text))
		d.says(want)
		d.press("x")
		if countUnread(d.lib) != 9 {
			t.Errorf("%q was used", text)
		}
	}
	d := newDesk(t, newFake(), 160, 24, func(o *Options) { o.Config.Keymap = "newsboat"; o.Keys = "[list]\n\"J\" = \"j\"\n\"q q\" = \"m\"\n" })
	d.says(`keys.toml line 3: "q q" is not a key;`)
	d.press("enter", "N")
	if countUnread(d.lib) != 8 {
		t.Error("a wrong keys.toml takes the preset along")
	}
	d = newDesk(t, newFake(), 160, 24, func(o *Options) { o.Config.Keymap = "emacs" })
	d.says(`config.toml: there is no keymap "emacs", only "newsboat".`)
}

// TestPipe: the command gets the text and nothing of it ever becomes part of
// the command.
func TestPipe(t *testing.T) {
	lib := newFake()
	lib.rows[0].Title = "$(touch pwned); `touch pwned`"
	lib.bodies[item(1, 9)] = reader.Article{HTML: "<p>one two</p><p>three; rm -rf $HOME</p>"}
	dir := t.TempDir()
	t.Chdir(dir)
	d := newDesk(t, lib, 80, 24, func(o *Options) { o.Environ = []string{"SHELL=/bin/sh"} })
	d.press("|")
	d.says("|")
	d.typeIn("cat; wc -l < /dev/null")
	d.press("enter")
	d.shows("| cat; wc -l", "$(touch pwned); `touch pwned`", "https://kernelnotes.example/2026/block-layer", "three; rm -rf $HOME", " 0")
	if _, err := os.Stat("pwned"); err == nil {
		t.Fatal("a title was run")
	}
	d.press("q", ":")
	d.typeIn("!exit 3")
	d.press("enter")
	d.says("exit 3 exited with 3.")
	d.press("|")
	d.typeIn("printf 'bad \\033[2J \\007 out'")
	d.press("enter")
	if strings.ContainsAny(d.screen(), "\x1b\x07") {
		t.Fatal("what a command printed reached the terminal as it was")
	}
	d.shows("bad")
	d.press("q", "v", "v", "|")
	d.typeIn("grep -c example")
	d.press("enter")
	d.shows(" 2")
	d.press("q")
	d.press("|")
	d.typeIn("yes | head -c 3000000; sleep 0")
	d.press("enter")
	if sh, ok := d.m.Top().(*view.Sheet); !ok || len(sh.Source) != 20_002 {
		t.Errorf("output without end is not bounded: %T %d %s", d.m.Top(), len(d.m.Over), d.last())
	}
}

// TestPipeCanBeStopped with all its children.
func TestPipeCanBeStopped(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24, func(o *Options) { o.Environ = []string{} })
	d.press("|")
	begun := filepath.Join(t.TempDir(), "begun")
	d.typeIn("echo > '" + begun + "'; sleep 60 | sleep 60")
	_, cmd := d.m.Update(keyMsg("enter"))
	done := make(chan []tea.Msg, 1)
	go func() { done <- macro.Gather(cmd) }()
	for range 6000 {
		if _, err := os.Stat(begun); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	d.press("ctrl+c")
	select {
	case msgs := <-done:
		for _, msg := range msgs {
			d.send(msg)
		}
	case <-time.After(time.Minute):
		t.Fatal("the command goes on")
	}
	d.says("Stopped.")
}

// TestEditAll: the text goes through the editor as an argument, a text that
// cannot be applied is kept, and what is applied is one step.
func TestEditAll(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	lib := newFake()
	d := newDesk(t, lib, 80, 24, func(o *Options) { o.Environ = []string{"EDITOR=/bin/true"} })
	edit := func(change func(string) string) {
		t.Helper()
		msg := d.m.editAllInline(t)
		text, err := os.ReadFile(msg.Path)
		if err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(filepath.Dir(msg.Path)); info.Mode().Perm() != 0o700 {
			t.Errorf("others may read the text: %v", info.Mode())
		}
		if err := os.WriteFile(msg.Path, []byte(change(string(text))), 0o600); err != nil {
			t.Fatal(err)
		}
		d.send(editall.EditedMsg{Draft: msg})
	}
	edit(func(s string) string { return s })
	d.says("Nothing was changed.")
	edit(func(s string) string { return "exec:rm\n" + s })
	d.says("The text was not applied: line 1: exec:rm. E opens the text again.")
	edit(func(s string) string {
		if !strings.HasPrefix(s, "exec:rm\n") {
			t.Error("what was typed is lost")
		}
		return strings.Join(strings.SplitAfter(s, "\n")[2:], "")
	})
	d.says("Feeds: 0 added, 1 removed, 0 moved, 0 changed. u undoes.")
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%s is left behind", left[0].Name())
	}
	d = newDesk(t, lib, 80, 24, func(o *Options) { o.Environ = []string{"VISUAL=/nonexistent/editor", "EDITOR=/also/not"} })
	t.Setenv("PATH", "")
	d.press("E")
	d.says("No editor is known here: VISUAL or EDITOR names one.")
}

// editAllInline presses E up to where the terminal would be handed over.
func (m *model) editAllInline(t *testing.T) *editall.Draft {
	t.Helper()
	if d := m.editor.Left; d != nil {
		m.editor.Left = nil
		return d
	}
	msg := find[editall.DraftMsg](m.editor.Open(m))
	if msg == nil || msg.(editall.DraftMsg).Err != nil {
		t.Fatalf("no text to edit: %v", msg)
	}
	return msg.(editall.DraftMsg).Draft
}

// TestInfoShowsNoSecrets: what is secret in an address is not on the screen; y
// copies it whole.
func TestInfoShowsNoSecrets(t *testing.T) {
	lib := newFake()
	lib.feeds[0].URL = "https://example1.org/feed?token=s3cr3tt0ken&n=1"
	d := newDesk(t, lib, 80, 40)
	d.press("2", "j", "j", "i")
	d.lacks("s3cr3t")
	d.shows("https://example1.org/feed?token=…&n=1")
	d.choose("address  ")
	d.press("y")
	if len(d.sent) != 1 || !strings.Contains(d.sent[0], lib.feeds[0].URL) {
		t.Errorf("copied %q", d.sent)
	}
}
