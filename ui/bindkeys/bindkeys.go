// Package bindkeys turns newsboat's bind-key, bind and macro lines into text for
// keys.toml.
package bindkeys

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// places are the sections of keys.toml that newsboat has too, and what it calls them.
var places = [...]struct {
	section string
	names   []string
}{
	{"feeds", []string{"feedlist"}},
	{"list", []string{"articlelist", "searchresultslist"}},
	{"article", []string{"article"}},
}

// operations are newsboat's operations and the keys that do the same, or the nearest, in
// the feeds, a list and an article; nothing where it has no such operation.
const operations = `
open;enter;enter;enter
quit;q;q;q
hard-quit;Q;Q;Q
hardquit;Q;Q;Q
reload;r;r;r
reload-all;R;R;R
mark-feed-read;A;A;
mark-all-feeds-read;g A;;
mark-all-above-as-read;;M k;
toggle-article-read;;m J;m esc
delete-article;;:read J;:read
delete-all-articles;;A;
save;;s;s
next;J;J;J
prev;K;K;K
next-unread;n;n;n
prev-unread;p;p;p
next-feed;J;];]
prev-feed;K;[;[
next-unread-feed;ctrl+n;ctrl+n;ctrl+n
prev-unread-feed;ctrl+p;ctrl+p;ctrl+p
open-in-browser;o;ctrl+o;o
open-in-browser-and-mark-read;;o J;o
open-in-browser-noninteractively;o;ctrl+o;o
show-urls;;enter f;f
goto-url;;;f
one;;;1 o
two;;;2 o
three;;;3 o
four;;;4 o
five;;;5 o
six;;;6 o
seven;;;7 o
eight;;;8 o
nine;;;9 o
zero;;;1 0 o
help;?;?;?
redraw;ctrl+l;ctrl+l;ctrl+l
cmdline;:;:;:
open-search;: s e a r c h space;/;/
set-filter;&;&;
select-filter;;& q u e r y :;
clear-filter;& ctrl+u enter;& ctrl+u enter;
sort;=;=;
rev-sort;= =;= =;
set-tag;& ctrl+u # tab;;
select-tag;& ctrl+u # tab;;
clear-tag;& ctrl+u enter;;
toggle-show-read-feeds;.;.;
edit-urls;E;E;E
edit-flags;;t;t
enqueue;;:enqueue;:enqueue
bookmark;;s;s
pipe-to;|;|;|
macro-prefix;,;,;,
down;down;down;down
up;up;up;up
pagedown;pgdown;pgdown;pgdown
pageup;pgup;pgup;pgup
halfpagedown;ctrl+d;ctrl+d;ctrl+d
halfpageup;ctrl+u;ctrl+u;ctrl+u
home;home;home;home
end;end;end;end
`

// missing are the operations without a counterpart, and why there is none.
const missing = `
save-all; diurna export writes texts
random-unread; Ranked (3) chooses what to read next
purge-deleted; nothing is deleted
toggle-source-view; the HTML of a text is not shown
reload-urls; what E changes holds at once
view-dialogs next-dialog prev-dialog close-dialog; the views are on 1 to 8
switch-focus; there is no file browser
open-all-unread-in-browser open-all-unread-in-browser-and-mark-read; o opens one at a time
`

// keysOf gives the keys that do an operation in each place.
func keysOf(operation string) (does [len(places)]string, ok bool) {
	for line := range strings.Lines(operations) {
		if name, keys, _ := strings.Cut(strings.TrimSpace(line), ";"); name == operation && name != "" {
			copy(does[:], strings.Split(keys, ";"))
			return does, true
		}
	}
	return does, false
}

// noCounterpart says why an operation has no counterpart.
func noCounterpart(operation string) string {
	reason := ""
	for line := range strings.Lines(missing) {
		if names, why, _ := strings.Cut(strings.TrimSpace(line), "; "); slices.Contains(strings.Fields(names), operation) {
			reason = why
		}
	}
	switch {
	case strings.HasPrefix(operation, "cmd-"):
		reason = "rows are not numbered; 1 to 8 are the views"
	case strings.HasPrefix(operation, "pb-"):
		reason = "a podboat key; see diurna queue"
	}
	if reason == "" {
		return operation + " has no counterpart"
	}
	return operation + " has no counterpart: " + reason
}

// own are the keys that newsboat has without a config. j and k are left out: there they
// go from feed to feed, unless they are bound to down and up as nearly everywhere.
const own = `ENTER open q quit Q hard-quit r reload R reload-all A mark-feed-read C mark-all-feeds-read
s save n next-unread p prev-unread J next K prev o open-in-browser O open-in-browser-and-mark-read ? help
N toggle-article-read l toggle-show-read-feeds u show-urls ^T clear-tag t set-tag / open-search # goto-url
1 one 2 two 3 three 4 four 5 five 6 six 7 seven 8 eight 9 nine 0 zero e enqueue E edit-urls ^L redraw : cmdline
F set-filter f select-filter ^F clear-filter ^B bookmark ^E edit-flags ^N next-unread-feed ^P prev-unread-feed
D delete-article ^D delete-all-articles | pipe-to g sort G rev-sort UP up DOWN down PPAGE pageup NPAGE pagedown HOME home END end , macro-prefix`

// Default are newsboat's own keys as text for keys.toml. U takes back, as u shows the
// links of an article.
func Default() string {
	var t Table
	for words := strings.Fields(own); len(words) > 1; words = words[2:] {
		t.bind(words[0], words[1], "")
	}
	return t.Text() + "\n[everywhere]\nU = \"u\"\n"
}

// keyNames are newsboat's names of keys that are called otherwise in keys.toml.
var keyNames = map[string]string{"page_up": "pgup", "ppage": "pgup", "pageup": "pgup", "page_down": "pgdown", "npage": "pgdown", "pagedown": "pgdown", "dc": "delete", "ic": "insert", "return": "enter", "escape": "esc"}

// Key is newsboat's name of a key as keys.toml has it; "" for one that it cannot name.
func Key(name string) string {
	if name == "" {
		return ""
	}
	if rest, ok := strings.CutPrefix(name, "^"); ok && len(rest) == 1 {
		return control(rest)
	}
	if trimmed := strings.Trim(name, "<>"); len(trimmed) > 1 && name[0] == '<' {
		name = trimmed
		if rest, ok := strings.CutPrefix(strings.ToLower(name), "c-"); ok && len(rest) == 1 {
			return control(rest)
		}
	}
	if len([]rune(name)) == 1 {
		if name == " " || name == "~" || name < "!" {
			return ""
		}
		return name
	}
	low := strings.ToLower(name)
	if k := keyNames[low]; k != "" {
		return k
	}
	if slices.Contains([]string{"enter", "esc", "tab", "up", "down", "left", "right", "home", "end", "backspace", "delete", "insert", "space"}, low) {
		return low
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(low, "f")); err == nil && n >= 1 && n <= 12 && low == "f"+strconv.Itoa(n) {
		return low
	}
	return ""
}

// control is a key with Ctrl. Some the terminal has for itself.
func control(letter string) string {
	letter = strings.ToLower(letter)
	if letter < "a" || letter > "z" || strings.Contains("asqcz", letter) {
		return ""
	}
	return "ctrl+" + letter
}

// Table gathers what lines of a config say about keys.
type Table struct {
	lines  map[string]map[string]string // by section, then key: the line of keys.toml
	remark []string                     // macros that run programs
	Taken  int
}

// Add takes in one line of a config by its words; why says why it cannot be.
func (t *Table) Add(words []string) (why string) {
	switch {
	case words[0] == "macro" && len(words) > 2:
		return t.macro(words[1], words[2:])
	case words[0] == "bind-key" && len(words) > 2 && len(words) < 5:
		return t.bind(words[1], words[2], strings.Join(words[3:], ""))
	case words[0] == "bind" && len(words) > 3:
		operations, _ := cutDescription(words[3:])
		if len(operations) != 1 || len(operations[0]) != 1 {
			return "keys.toml takes keys for keys; see docs/macros.md for more"
		}
		return t.bind(words[1], operations[0][0], words[2])
	case words[0] == "unbind-key":
		return "every key keeps its own meaning until another is given to it"
	}
	return words[0] + " is not complete"
}

func (t *Table) bind(key, operation, contexts string) (why string) {
	k := Key(key)
	if k == "" {
		return "keys.toml has no name for the key " + key
	}
	does, ok := keysOf(operation)
	if !ok {
		return noCounterpart(operation)
	}
	done := false
	for i, p := range places {
		if does[i] == "" || contexts != "" && !slices.ContainsFunc(strings.Split(contexts, ","), func(c string) bool {
			return c == "all" || c == "everywhere" || slices.Contains(p.names, c)
		}) {
			continue
		}
		done = true
		t.put(p.section, k, strconv.Quote(does[i])) // also where it is the key's own meaning: keymap may give it another
	}
	if !done {
		return operation + " has no counterpart there"
	}
	t.Taken++
	return ""
}

func (t *Table) put(section, key, value string) {
	if t.lines == nil {
		t.lines = map[string]map[string]string{}
	}
	if t.lines[section] == nil {
		t.lines[section] = map[string]string{}
	}
	t.lines[section][key] = value
}

// cutDescription cuts a macro into its operations with their words, without what
// describes it.
func cutDescription(words []string) (list [][]string, description string) {
	var one []string
	end := func() {
		if len(one) > 0 {
			list = append(list, one)
		}
		one = nil
	}
	for i, w := range words {
		if w == "--" {
			end()
			return list, strings.Join(words[i+1:], " ")
		}
		rest, last := strings.CutSuffix(w, ";")
		if rest != "" {
			one = append(one, rest)
		}
		if last {
			end()
		}
	}
	end()
	return list, ""
}

// macro takes a macro whose operations all have keys. One that runs a program goes into
// the file as a remark.
func (t *Table) macro(key string, words []string) (why string) {
	k := Key(key)
	if k == "" {
		return "keys.toml has no name for the key " + key
	}
	list, said := cutDescription(words)
	var keys []string
	program := false
	for _, op := range list {
		does, ok := keysOf(op[0])
		switch {
		case op[0] == "set" || op[0] == "exec" || op[0] == "pipe-to" && len(op) > 1 || op[0] == "open-in-browser" && program:
			program = true
		case !ok || len(op) > 1:
			return noCounterpart(op[0])
		default:
			best := does[1]
			if best == "" {
				best = does[0]
			}
			if best == "" {
				best = does[2]
			}
			keys = append(keys, best)
		}
	}
	if program {
		t.remark = append(t.remark, fmt.Sprintf("# %s = [...]  # %s", strconv.Quote(k), strings.Join(words, " ")))
		return "it runs a program, so it is commented out; see docs/macros.md"
	}
	value := strconv.Quote(strings.Join(keys, " "))
	if said != "" {
		value += "  # " + said
	}
	t.put("macro", k, value)
	t.Taken++
	return ""
}

// Text is the text of a file for keys.toml; "" if there is nothing to say.
func (t *Table) Text() string {
	if len(t.lines) == 0 && len(t.remark) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("# From newsboat's config. Nothing reads this file: put what you want of it into keys.toml.\n# keymap = \"newsboat\" in config.toml brings the keys that newsboat has without a config.\n")
	for _, section := range []string{"feeds", "list", "article", "macro"} {
		var keys []string
		for k := range t.lines[section] {
			keys = append(keys, k)
		}
		if len(keys) == 0 && (section != "macro" || len(t.remark) == 0) {
			continue
		}
		fmt.Fprintf(&b, "\n[%s]\n", section)
		slices.Sort(keys)
		for _, k := range keys {
			fmt.Fprintf(&b, "%s = %s\n", strconv.Quote(k), t.lines[section][k])
		}
	}
	if len(t.remark) > 0 {
		b.WriteString("# These run programs. See docs/macros.md; %u is the address.\n" + strings.Join(t.remark, "\n") + "\n")
	}
	return b.String()
}

// Names are newsboat's operations that have a counterpart.
func Names() []string {
	var names []string
	for line := range strings.Lines(strings.TrimSpace(operations)) {
		name, _, _ := strings.Cut(line, ";")
		names = append(names, name)
	}
	return names
}
