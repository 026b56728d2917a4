package ui

import (
	"context"
	"slices"
	"strings"
	"testing"

	"diurna/reader"
	"diurna/reader/query"
)

// fakeShell runs a few commands on the fake library.
type fakeShell struct {
	lib *fake
	ran [][]string
}

func (s *fakeShell) Run(ctx context.Context, words []string, width, high int) (out, said string, code int) {
	s.ran = append(s.ran, words)
	switch words[0] {
	case "mark":
		q, err := query.Parse(strings.Join(words[2:], " "), noon)
		if err != nil {
			return "", err.Error() + "\n               mark read\n               ^\nhint: like this", 2
		}
		rows, _ := s.lib.Rows(ctx, q, 0)
		ids := make([]reader.ItemID, len(rows))
		for i := range rows {
			ids[i] = rows[i].ID
		}
		s.lib.Mark(ctx, reader.MarkRead, q.String(), ids, "")
		return "", "marked some read. diurna undo reverts it.\n", 0
	case "list":
		return "a  one\nb  two\nc      three\n", "", 0
	case "unread":
		return "17\n", "", 0
	case "fetch": // until it is stopped
		<-ctx.Done()
		return "", "stopped", 130
	}
	return "", "", 0
}

func (s *fakeShell) Asks(word string) (int, bool) { return 1, word == "mark" }

func (s *fakeShell) Knows(word string) bool {
	return slices.Contains([]string{"export", "fetch", "list", "log", "mark", "mute", "rm", "unread", "version"}, word)
}

func (s *fakeShell) Complete(_ context.Context, words []string) []string {
	switch {
	case len(words) == 1:
		return []string{"export\tprint the subscriptions", "fetch\tfetch", "list\tlist the feeds", "log\tlog", "mark\tmark items", "rm\tunsubscribe", "unread\tcount", "version\tprint the version"}
	case words[0] == "rm":
		return []string{"Harbour Gazette\tc", "Kernel Notes\ta", "Kernel Panic\tb"}
	case words[0] == "items":
		return []string{`feed:"Harbour Gazette"`, "unread"}
	}
	return nil
}

// withShell gives a desk the shell's commands.
func withShell(lib *fake) (*fakeShell, func(*Options)) {
	s := &fakeShell{lib: lib}
	return s, func(o *Options) { o.Shell = s }
}

func (d *desk) command(line string) {
	d.t.Helper()
	d.press(":")
	d.typeIn(line)
	d.press("enter")
}

// TestShellCommands: the shell's commands run, what they print stands in the last
// row or on a sheet, and what they changed is seen.
func TestShellCommands(t *testing.T) {
	lib := newFake()
	shell, with := withShell(lib)
	d := newDesk(t, lib, 80, 24, with)
	d.command("unread")
	d.says("17")
	d.command("version")
	d.says("Done: version")
	d.command("list --json")
	d.shows(":list --json", "a  one", "c      three")
	d.press("q")
	d.press("j", "s")
	d.command(`mark read feed:"Harbour Gazette"`)
	d.says("marked some read. diurna undo reverts it.")
	if got := shell.ran[len(shell.ran)-1]; !slices.Equal(got, []string{"mark", "read", `feed:"Harbour Gazette"`}) {
		t.Errorf("the command is %q", got)
	}
	if r := d.m.river.At(1); r.Flags&reader.FlagRead == 0 || r.Flags&reader.FlagSaved == 0 {
		t.Errorf("the row does not show what was done: %+v", r)
	}
	d.command("mark read older:")
	d.shows("                ^ older: needs a time: 2d, 1w, 2026-11-02")
	d.press("esc")
	d.command("mark read older: --json")
	d.says("older: needs a time: 2d, 1w, 2026-11-02 · like this")
	d.command(`rm "Kernel Notes`)
	d.says("A quote is open at the end of the line; nothing was done.")
	if n := len(shell.ran); n != 5 {
		t.Errorf("%d commands ran, want 5", n)
	}
}

// TestShellCommandIsLeft: keys work while a command runs, Esc ends it, and a second
// one does not take its place.
func TestShellCommandIsLeft(t *testing.T) {
	lib := newFake()
	_, with := withShell(lib)
	d := newDesk(t, lib, 80, 24, with)
	cmd := d.holdCommand("fetch kernel")
	d.says("Running :fetch kernel  Esc stops")
	d.press("j", "m")
	if countUnread(lib) != 8 {
		t.Error("keys do nothing while a command runs")
	}
	d.command("unread")
	d.says("A command is already running; Esc stops it.")
	d.press("esc")
	d.says("Stopped.")
	d.run(cmd) // ends, because its context has
	d.says("Stopped.")
	d.command("unread")
	d.says("17")
}

// TestTabCompletes: commands, the words of the screen, names with blanks in them,
// and the query of :narrow.
func TestTabCompletes(t *testing.T) {
	lib := newFake()
	_, with := withShell(lib)
	d := newDesk(t, lib, 80, 24, with)
	d.press(":")
	d.typeIn("ver")
	d.press("tab")
	if got := d.m.Box.String(); got != "version " {
		t.Errorf("the line is %q", got)
	}
	d.press("ctrl+u")
	d.typeIn("l")
	d.press("tab")
	d.shows("less", "list", "log")
	d.press("tab", "tab", "tab", "shift+tab")
	if got := d.m.Box.String(); got != "list" {
		t.Errorf("the line is %q", got)
	}
	d.shows("[list]")
	d.press("ctrl+u")
	d.typeIn("rm k")
	d.press("tab")
	if got := d.m.Box.String(); got != "rm k" { // Kernel and a blank follow: quotes are needed
		t.Errorf("the line is %q", got)
	}
	d.press("tab")
	if got := d.m.Box.String(); got != `rm "Kernel Notes"` {
		t.Errorf("the line is %q", got)
	}
	d.press("ctrl+u")
	d.typeIn("narrow feed:")
	d.press("tab")
	if got := d.m.Box.String(); got != `narrow feed:"Harbour Gazette" ` {
		t.Errorf("the line is %q", got)
	}
	d.press("enter")
	d.shows("Ferry 3")
	d.lacks("block layer")
}

// TestQueriesOnTheLine: the quotes of a query stay, and what is wrong with one is
// shown at its place before anything runs.
func TestQueriesOnTheLine(t *testing.T) {
	shell, with := withShell(newFake())
	d := newDesk(t, newFake(), 80, 24, with)
	d.command(`mark read "out of service" -saved`)
	if got := shell.ran[len(shell.ran)-1]; strings.Join(got, " ") != `mark read "out of service" -saved` {
		t.Errorf("ran %q", got)
	}
	d.command("mark read tide titel:x")
	d.shows(":mark read tide titel:x", "                 ^ titel: is not a field. Nearest: title: (as words: \"titel:x\")")
	d.command("mark read (one or")
	if got := len(shell.ran); got != 1 {
		t.Errorf("%d commands ran", got)
	}
	d.press("esc")
	d.command("find titel:x")
	d.says("titel: is not a field")
}

// TestFindSaysWhatIsWrong: an unfinished query is none yet while it is typed; Enter
// shows the place.
func TestFindSaysWhatIsWrong(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("/")
	d.typeIn("title:")
	d.lacks("needs a word")
	d.press("enter")
	d.shows(" /title:", "  ^ title: needs a word")
	d.typeIn("fer")
	d.shows("Enter goes to the next of 1")
	d.press("ctrl+u")
	d.typeIn("foo:x")
	d.shows(`foo: is not a field (as words: "foo:x")`)
	d.lacks("^ foo:")
	d.press("ctrl+u")
	d.typeIn("(ferry or comets) -older:3d")
	d.press("enter")
	d.says("/(ferry or comets) -older:3d: 1 of 2")
	d.press("/", "ctrl+u")
	d.typeIn("text:boat")
	d.press("enter")
	d.shows("^ use Tab or & to search links and texts")
}

// TestNarrowsWhileTyping: the list shows what fits so far; Esc shows it as it was,
// and so does what is no whole query.
func TestNarrowsWhileTyping(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("j", "j")
	before := d.screen()
	d.press("&")
	d.typeIn("fer")
	d.shows("Ferry 3 out of service", "Enter shows 1 of 9")
	d.lacks("Tide Tables", "The new block layer")
	d.typeIn("ry or (")
	d.shows("Tide Tables", "The new block layer", ">•s  09:02")
	d.lacks("other end")
	d.typeIn("tide)")
	d.shows("Tide Tables", "Ferry 3", "Enter shows 2 of 9")
	d.lacks("The new block layer")
	d.press("esc")
	if d.screen() != before {
		t.Errorf("after Esc:\n%s\nbefore:\n%s", d.screen(), before)
	}
	d.press("&")
	d.typeIn("ferr")
	d.press("enter")
	d.lacks("The new block layer")
	d.press("&", "backspace", "backspace", "backspace", "backspace", "backspace")
	d.lacks("The new block layer")
	d.press("esc")
	d.shows("The new block layer")
}
