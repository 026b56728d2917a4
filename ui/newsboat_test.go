package ui

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/bindkeys"
	"diurna/ui/keymap"
	"diurna/ui/view"
)

// The keys of newsboat 2.21 as its help lists them: the key, its operation, where it
// holds (f the feeds, l a list, a an article), and how near ours comes. What a key
// does here is not written down but asked of the keymap.
var newsboatHands = []struct{ key, operation, where, near string }{
	{"ENTER", "open", "fl", "same"},
	{"q", "quit", "fla", "same"},
	{"Q", "hard-quit", "fla", "same"},
	{"r", "reload", "fl", "same"},
	{"R", "reload-all", "f", "same"},
	{"A", "mark-feed-read", "fl", "same; a list marks the rows it shows"},
	{"C", "mark-all-feeds-read", "f", "same, without the question: undo reverts it"},
	{"s", "save", "la", "nearest: keeps the item in Saved; `|` and `cat > FILE` write a file"},
	{"J", "next", "fla", "same"},
	{"K", "prev", "fla", "same"},
	{"n", "next-unread", "fla", "same within a list; in the feeds the next feed with unread items"},
	{"p", "prev-unread", "fla", "same within a list; in the feeds the one before"},
	{"^K", "random-unread", "fla", ""},
	{"o", "open-in-browser", "fla", "same: in a list the item stays unread"},
	{"O", "open-in-browser-and-mark-read", "la", "same"},
	{"?", "help", "fla", "same"},
	{"^U", "toggle-source-view", "a", ""},
	{"N", "toggle-article-read", "la", "same"},
	{"l", "toggle-show-read-feeds", "fl", "same"},
	{"u", "show-urls", "la", "nearest: a letter on every link opens it; from a list it opens the article"},
	{"^T", "clear-tag", "f", "same"},
	{"t", "set-tag", "f", "same: Tab goes through the tags"},
	{"/", "open-search", "fla", "same from the feeds; a list and an article go to the next match, and Tab searches in the whole library"},
	{"#", "goto-url", "a", "nearest: a letter on every link"},
	{"e", "enqueue", "a", "same, and in lists; `diurna queue run` downloads, and `:enclosures` lists the files"},
	{"^R", "reload-urls", "f", ""},
	{":", "cmdline", "fla", "same key; the commands are diurna's"},
	{"F", "set-filter", "fl", "same; the language is [diurna's](queries.md)"},
	{"f", "select-filter", "l", "nearest: the box asks for a saved query; in the feeds they are rows"},
	{"^F", "clear-filter", "fl", "same"},
	{"^B", "bookmark", "la", "nearest: keeps the item in Saved; a macro can run a program"},
	{"^E", "edit-flags", "la", "nearest: flags are tags"},
	{"^N", "next-unread-feed", "l", "same"},
	{"^P", "prev-unread-feed", "l", "same"},
	{"j", "next-feed", "l", "none: it goes down, as most configs have it; `]` goes to the next feed"},
	{"k", "prev-feed", "l", "none: it goes up; `[` goes to the feed before"},
	{",", "macro-prefix", "fla", "same"},
	{"D", "delete-article", "la", "nearest: marks it read, and nothing is deleted"},
	{"^D", "delete-all-articles", "l", "nearest: marks all that are shown read, without the question, and nothing is deleted"},
	{"$", "purge-deleted", "l", ""},
	{"E", "edit-urls", "fl", "same; what is changed holds at once"},
	{"v", "view-dialogs", "fla", ""},
	{"^V", "next-dialog", "fla", ""},
	{"^G", "prev-dialog", "fla", ""},
	{"|", "pipe-to", "la", "same"},
	{"g", "sort", "fl", "same; letters that newsboat has too mean the same where they are there"},
	{"G", "rev-sort", "fl", "same; letters that newsboat has too mean the same where they are there"},
	{"1", "one", "a", "same, to `9`"},
	{"0", "zero", "a", "same: link 10"},
	{"1", "cmd-one", "fl", ""},
	{"^L", "redraw", "fla", "same"},
	{"UP", "up", "fla", "same"},
	{"DOWN", "down", "fla", "same"},
	{"PPAGE", "pageup", "fla", "same, and `b` in an article"},
	{"NPAGE", "pagedown", "fla", "same, and space in an article, which goes on to the next unread"},
	{"HOME", "home", "fla", "same"},
	{"END", "end", "fla", "same"},
}

// contexts are the places of newsboat that have keys of their own here.
var contexts = map[byte]view.Context{'f': view.CtxFeeds, 'l': view.CtxItems, 'a': view.CtxArticle}

// newsboatTable is the table of docs/newsboat.md: what each key does here as the keymap
// has it, and how near that is.
func newsboatTable(t *testing.T) string {
	k, err := keymap.New(partsOfHelp(&parts{}), "newsboat", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	code := func(s string) string {
		if strings.Contains(s, "`") {
			return "`` " + s + " ``"
		}
		return "`" + strings.ReplaceAll(s, "|", `\|`) + "`"
	}
	var b strings.Builder
	b.WriteString("| key | newsboat's operation | keys here that do it: feeds, list, article | |\n|---|---|---|---|\n")
	for _, h := range newsboatHands {
		key, ok := keymap.Named(bindkeys.Key(h.key))
		near := h.near
		does := make([]string, 0, 3)
		var table bindkeys.Table
		why := table.Add([]string{"bind-key", "F12", h.operation})
		for _, place := range []byte("fla") {
			keys, own := k.Own(contexts[place], key)
			cell := "–"
			switch {
			case !strings.ContainsRune(h.where, rune(place)) || near == "" || strings.HasPrefix(near, "none"):
			case own:
				cell = code(strings.Join(keys, " "))
			case k.Bound(contexts[place], key) != nil:
				cell = code(keymap.Label(key))
			default:
				t.Errorf("%s (%s) does nothing in the place %c", h.key, h.operation, place)
			}
			does = append(does, cell)
		}
		switch {
		case !ok && near != "":
			t.Errorf("%s is no key", h.key)
		case near == "" && why == "", near != "" && why != "":
			t.Errorf("%s: %q, but bind-key says %q", h.operation, near, why)
		case near == "":
			_, reason, _ := strings.Cut(why, ": ")
			near = "none: " + reason
		}
		b.WriteString("| " + code(h.key) + " | " + h.operation + " | " + strings.Join(does, ", ") + " | " + strings.ReplaceAll(near, "`|`", "`\\|`") + " |\n")
	}
	return b.String()
}

// TestNewsboatTable holds the table in docs/newsboat.md to the keymap; -update writes it.
func TestNewsboatTable(t *testing.T) {
	const path = "../docs/newsboat.md"
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := newsboatTable(t)
	table := regexp.MustCompile(`(?m)^\| key \| newsboat's operation(.*\n\|)*.*\n`)
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		doc = table.ReplaceAllLiteral(doc, []byte(want))
		if err := os.WriteFile(path, doc, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := table.Find(doc); string(got) != want {
		t.Errorf("%s is not what the keymap does: go test ./ui -run TestNewsboatTable -update\n%s", path, got)
	}
}

// TestNewsboatOperations: each operation of newsboat is translated or named with the
// reason, the newer ones too.
func TestNewsboatOperations(t *testing.T) {
	names := strings.Fields(`mark-all-above-as-read save-all open-all-unread-in-browser open-all-unread-in-browser-and-mark-read
		open-in-browser-noninteractively select-tag halfpageup halfpagedown switch-focus close-dialog hardquit
		pb-download pb-cancel pb-delete pb-purge pb-toggle-download-all pb-play pb-mark-as-finished pb-increase-max-dls
		pb-decreate-max-dls two three four five six seven eight nine cmd-two cmd-nine`)
	for _, h := range newsboatHands {
		names = append(names, h.operation)
	}
	for _, name := range names {
		var table bindkeys.Table
		if why := table.Add([]string{"bind-key", "F12", name}); why != "" && !strings.HasPrefix(why, name+" has no counterpart: ") {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// TestNewsboatHands presses newsboat's keys as its reader would.
func TestNewsboatHands(t *testing.T) {
	hands := func(t *testing.T, keys ...string) *desk {
		d := newDesk(t, newFake(), 80, 24, func(o *Options) { o.Config.Keymap = "newsboat" })
		d.shows("[2Feeds]") // where newsboat begins
		d.press(keys...)
		return d
	}
	unread := func(d *desk, want int) {
		t.Helper()
		if n := countUnread(d.lib); n != want {
			t.Errorf("%d unread, want %d", n, want)
		}
	}
	t.Run("o leaves unread, O does not, N turns", func(t *testing.T) {
		d := hands(t, "enter", "o")
		if d.lib.revealed != "https://kernelnotes.example/2026/block-layer" {
			t.Errorf("o opened %q", d.lib.revealed)
		}
		unread(d, 9)
		d.press("O") // these go on to the next row, as there
		unread(d, 8)
		d.press("N")
		unread(d, 7)
		d.press("down", "D") // past one that is read
		unread(d, 6)
		if at := d.m.Items().List.Cur; at != 4 {
			t.Errorf("O, N and D went on to row %d", at)
		}
		d.press("U", "U") // take back what D and N did
		unread(d, 8)
		d.press("enter", "N") // marks the article unread again and leaves it
		unread(d, 8)
		d.shows("[2Feeds]")
	})
	t.Run("A and C mark, and the sentence names the key that takes back", func(t *testing.T) {
		d := hands(t, "down", "down", "A") // Kernel Notes
		unread(d, 7)
		d.press("C")
		unread(d, 0)
		d.says("Marked 7 read in All feeds. u undoes.")
		d.press("U", "U", "home", "enter", "A")
		d.says("Marked 9 read in All feeds. U undoes.") // there u shows links
		d.press("U")
		unread(d, 9)
	})
	t.Run("l hides and shows what is read", func(t *testing.T) {
		d := hands(t, "down", "down", "A", "l")
		d.lacks("Kernel Notes")
		d.press("l")
		d.shows("Kernel Notes")
	})
	t.Run("t and ^T narrow to a tag and back", func(t *testing.T) {
		d := hands(t, "t")
		d.shows("No feed has such a tag.")
		d.press("esc")
		d.lib.feeds[0].Tags, d.lib.feeds[2].Tags = []string{"radio"}, []string{"radio", "boats"}
		d.send(view.ChangedMsg{})
		d.press("t")
		d.says("& #")
		d.shows("  boats   radio")
		d.press("tab", "tab")
		d.says("& #radio")
		d.shows("  boats  [radio]")
		d.press("shift+tab", "shift+tab", "enter")
		d.shows("Matching feeds")
		d.press("ctrl+t", "t")
		d.typeIn("none")
		d.press("tab")
		d.shows("No feed has such a tag.")
		d.press("esc", "F")
		d.typeIn("tide")
		d.press("enter")
		d.lacks("Kernel Notes")
		d.press("ctrl+t")
		d.shows("Kernel Notes")
	})
	t.Run("g and G sort by newsboat's letters", func(t *testing.T) {
		d := hands(t, "g")
		d.says("=: n name")
		d.press("t", "G", "u")
		d.shows("· by unread, reversed")
		d.press("home", "enter", "g")
		d.says("=: n newest")
		d.press("d", "G")
		d.says("==: n oldest  t title  f feed  Esc leaves")
		d.press("d")
		d.shows("oldest first")
		d.press("G", "t")
		d.shows("by title, reversed")
	})
	t.Run("F and ^F filter a list", func(t *testing.T) {
		d := hands(t, "enter", "F")
		d.typeIn("kernel")
		d.press("enter")
		d.lacks("Harbour")
		d.press("ctrl+f")
		d.shows("Harbour")
		d.press("f")
		d.says("& query:")
	})
	t.Run("/ in the feeds searches everywhere, and q leads back to them", func(t *testing.T) {
		d := hands(t, "/")
		d.says(":search")
		d.typeIn("block")
		d.press("enter")
		d.shows("Found: block")
		d.press("q")
		d.shows("[2Feeds]")
		d.press("enter", "/")
		d.typeIn("tide")
		d.press("enter")
		d.shows("/tide")
	})
	t.Run("^N and ^P go from feed to feed", func(t *testing.T) {
		d := hands(t, "down", "down", "enter", "ctrl+n")
		d.shows("Small Databases")
		d.press("ctrl+p")
		d.shows("Kernel Notes")
	})
	t.Run("u shows links, from a list too", func(t *testing.T) {
		d := hands(t, "enter", "u")
		d.says("letter opens, y letter copies")
		d.press("esc", "1")
		if d.lib.revealed != "https://kernelnotes.example/2026/mq" {
			t.Errorf("1 opened %q", d.lib.revealed)
		}
		d.press("#")
		d.says("letter opens, y letter copies")
	})
	t.Run("e puts into the queue what has a file", func(t *testing.T) {
		d := hands(t, "enter", "e")
		if r := d.lib.row(item(1, 9)); strings.Join(r.Tags, " ") != "queue" || r.Flags&reader.FlagRead != 0 {
			t.Errorf("tags %q, flags %d", r.Tags, r.Flags)
		}
		d.says("In the queue: ")
		d.press(":")
		d.typeIn("enclosures")
		d.press("enter")
		d.shows("Enclosures: ")
		d.press("q", "enter")
		d.shows("(:enclosures)")
		d.press("q", "down", "enter", "e")
		d.says("This item has no enclosures.")
	})
	t.Run("^B keeps, ^E tags, D marks read", func(t *testing.T) {
		d := hands(t, "enter", "ctrl+b", "ctrl+e")
		d.typeIn("later")
		d.press("enter")
		if r := d.lib.row(item(1, 9)); strings.Join(r.Tags, " ") != "later" || r.Flags&reader.FlagSaved == 0 {
			t.Errorf("tags %q, flags %d", r.Tags, r.Flags)
		}
		d.press("D", "K", "D") // which never takes back
		unread(d, 8)
	})
	t.Run("| and , and E and r and R are theirs", func(t *testing.T) {
		d := hands(t, "down", "down", "r", "R")
		if n := len(d.lib.fetched); n != 2 {
			t.Errorf("%d fetches", n)
		}
		d.press(",")
		d.says("There are no macros")
		d.press("enter", "|")
		d.says("|")
		d.press("esc")
		if d.hold("E") == nil {
			t.Error("E asks for nothing")
		}
	})
	t.Run("help and hints name the keys that do it", func(t *testing.T) {
		d := hands(t, "enter", "?")
		d.shows("/ & F*", "U* ^r", "n p   ")
		d.press("end")
		d.shows("N*        stands for m J")
		d.press("?", "u")
		d.shows("u in a list stands for enter f.")
		d.press("q", "q", "home", "enter", "/")
		d.typeIn("the")
		d.press("enter")
		d.shows("n next, previous")
		d.lacks("n N next, previous")
	})
	t.Run("keys.toml goes on top, a key may be given back", func(t *testing.T) {
		d := newDesk(t, newFake(), 80, 24, func(o *Options) { o.Config.Keymap = "newsboat"; o.Keys = "[list]\n\"J\" = \"m\"\n\"g\" = \"g\"\n" })
		d.press("enter", "J")
		unread(d, 8)
		d.press("g")
		d.lacks("=: n newest")
	})
}

// TestNewsboatHints: the keys that hints of the last row name for the first visits mean
// the same under newsboat's keymap.
func TestNewsboatHints(t *testing.T) {
	k, err := keymap.New(partsOfHelp(&parts{}), "newsboat", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range hintedKeys {
		for _, key := range strings.Fields(c.keys) {
			if _, taken := k.Own(c.context, key); taken {
				t.Errorf("%s names %s, which means something else", c.p.Name(), key)
			}
		}
	}
}

// TestNewsboatBeginsWithQueries: where Feeds come first they have the saved queries,
// which the first frame does not know.
func TestNewsboatBeginsWithQueries(t *testing.T) {
	lib := newFake()
	lib.saved.list = []reader.SavedQuery{{Name: "Harbours", Query: "harbour"}}
	d := newDesk(t, lib, 80, 24, func(o *Options) { o.Config.Keymap, o.Idle = "newsboat", true })
	d.lacks("Harbours")
	got := make(chan tea.Msg)
	ask := func(cmd tea.Cmd) {
		go func() { // some of what is asked waits for the world
			if cmd != nil {
				select {
				case got <- cmd():
				case <-t.Context().Done():
				}
			}
		}()
	}
	ask(d.m.Init())
	for {
		switch msg := (<-got).(type) {
		case tea.BatchMsg:
			for _, cmd := range msg {
				ask(cmd)
			}
		case feedsMsg:
			d.send(msg)
			d.shows("Harbours")
			return
		}
	}
}
