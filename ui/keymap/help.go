package keymap

import (
	"slices"
	"sort"
	"strings"

	"diurna/ui/view"
)

// Names are the keys of a binding as the help shows them in a place: without
// those that a key of the user's own has taken, and with theirs, marked.
func (k *Map) Names(c view.Context, b *view.Binding) string {
	var names []string
	if _, taken := k.user[c][b.Keys[0]]; !taken || len(b.Keys) == 10 {
		names = append(names, b.Label())
	}
	var own []string
	for key, keys := range k.user[c] {
		if len(keys) == 1 && slices.Contains(b.Keys, keys[0]) {
			own = append(own, Label(key)+"*")
		}
	}
	slices.Sort(own)
	return strings.Join(append(names, own...), " ")
}

// Longer are the user's keys that stand for more than one key, as rows of
// the help.
func (k *Map) Longer(c view.Context) [][2]string {
	var rows [][2]string
	for key, keys := range k.user[c] {
		if len(keys) != 1 {
			rows = append(rows, [2]string{Label(key) + "*", "stands for " + strings.Join(keys, " ")})
		}
	}
	for key, m := range k.macro {
		rows = append(rows, [2]string{", " + Label(key) + "*", "macro: " + m.Text})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i][0] < rows[j][0] })
	return rows
}

// Shown is the key that does in a place what a key of the table does: that key, or one
// of the user's own where theirs took it; "" for none.
func (k *Map) Shown(c view.Context, key string) string {
	if _, taken := k.user[c][key]; !taken {
		return Label(key)
	}
	found := ""
	for own, keys := range k.user[c] {
		if len(keys) == 1 && keys[0] == key && (found == "" || own < found) {
			found = own
		}
	}
	if found == "" {
		return ""
	}
	return Label(found)
}

// Undoes ends the sentence about a change: which key takes it back.
func (k *Map) Undoes(c view.Context) string {
	if key := k.Shown(c, "u"); key != "" {
		return " " + key + " undoes."
	}
	return " :undo reverts it."
}

// Hints are what the last row says of keys, each the names of one or more and what
// they do, with the names of those that do it under the user's own.
func (k *Map) Hints(c view.Context, hints []string) []string {
	if len(k.user[c]) == 0 {
		return hints
	}
	own := make([]string, 0, len(hints))
	for _, hint := range hints {
		var named []string // the keys it begins with
		rest := hint
		for rest != "" {
			name, after, _ := strings.Cut(rest, " ")
			key := name
			if len(name) > 1 {
				key = strings.ToLower(name)
			}
			if k.table[c][key] == nil {
				break
			}
			if name = k.Shown(c, key); name != "" {
				named = append(named, name)
			}
			rest = after
		}
		if rest == hint || len(named) > 0 {
			own = append(own, strings.TrimSpace(strings.Join(append(named, rest), " ")))
		}
	}
	return own
}

// Explain gives the sentences about a key, those of the place first.
func (k *Map) Explain(key string, of view.Context) []string {
	var rows []string
	say := func(c view.Context, key string) {
		b, help := k.bound(c, key)
		if b == nil {
			return
		}
		rows = append(rows, Label(key)+" in "+view.ContextName(c)+": "+help+".")
		if more := moreHelp[b.Keys[0]]; more != "" && c == of {
			rows = append(rows, "  "+more)
		}
		if b.Also != "" {
			rows = append(rows, "  Also found as: "+strings.Join(strings.Fields(b.Also), ", ")+".")
		}
		if len(b.Keys) > 1 && len(b.Keys) < 10 {
			var names []string
			for _, name := range b.Keys {
				names = append(names, Label(name))
			}
			rows = append(rows, "  The same: "+strings.Join(names, " ")+".")
		}
		rows = append(rows, "")
	}
	if keys, own := k.user[of][key]; own {
		rows = append(rows, "Your keys: "+Label(key)+" in "+view.ContextName(of)+" stands for "+strings.Join(keys, " ")+".")
		if len(keys) == 1 {
			say(of, keys[0])
		}
	} else {
		say(of, key)
	}
	if len(rows) == 0 {
		rows = append(rows, Label(key)+" means nothing in "+view.ContextName(of)+".", "")
	}
	for c := range view.Contexts {
		if _, own := k.user[c][key]; c != of && c != view.CtxLetters && !own {
			say(c, key)
		}
	}
	return rows
}

// bound finds what a key does in a place, and the row of the help for it.
func (k *Map) bound(c view.Context, key string) (*view.Binding, string) {
	for _, p := range k.parts(c) {
		help := ""
		for i := range p.Rows {
			b := &p.Rows[i]
			if b.Help != view.Ditto {
				help = b.Help
			}
			for _, name := range b.Keys {
				if name == key && help != "" {
					return b, help
				}
			}
		}
	}
	return nil, ""
}

// moreHelp is what a row of the help has no room for, by the first key of the
// binding.
var moreHelp = map[string]string{
	"A": "Marks exactly the rows of this list as drawn: not the new rows counted at the right end of row 1, and not what a filter hides. It is one step; u undoes it, even after a restart.",
	"M": "A second key says which: j this row and below, k and above, d the day, f the feed, w what is older than a week, m than a month, a all. The counts are shown before it.",
	"m": "Marks the chosen item read, or unread again. With rows selected (v) all of them.",
	"s": "Keeps the item in Saved, even after it leaves its feed.",
	"t": "Opens a box for a tag; -name takes one off again.",
	"&": "Shows only the rows that match: words, \"phrases\", unread, read, saved, changed, today, feed: folder: #tag newer:2d older:1w, and - before anything to exclude it. In Feeds: parts of names, #tag, folder: and the states unread, read, ok, trouble, failing, gone, moved, new, hidden.",
	"=": "The next key says how to sort: n newest, o oldest, t title, f feed, r ranked; in Feeds n name, u unread, l last post. Each kind of list keeps its order.",
	"S": "Sorts the rows as Ranked would, and back.",
	".": "Hides what is read, or shows it: in a feed the unread only, in River all there is. In Feeds those without unread; feeds in trouble stay. What you read just now stays until you come back to the list.",
	"}": "Goes to the next group of the order: a day, a first letter, a feed. { goes back.",
	"/": "Goes to the next match; n and N go on. Tab in the box searches the whole library.",
	"u": "Undoes the newest step and names it. In an article only what was done in it since it was opened.",
	"g": "Goes to the top and shows the new rows, counted at the right end of row 1.",
	"r": "Fetches this feed now; a wait that its server asked for still applies.",
	"R": "Fetches every feed that may be fetched now. ^c stops it.",
	"z": "+2 at the end of a row means that two more feeds have the same story. z shows their items below the row and folds them again. Items with one address are opened and marked together, all others each by themselves.",
	"W": "Splits a story permanently: its items are not grouped again. u undoes it.",
	"v": "Selects rows; m s t y then act on all of them at once, Esc ends it.",
	"E": "Opens all feeds as text in $VISUAL or $EDITOR. What you change there is applied as one step.",
	"+": "Follows the advice about the page, as one step; - declines it, and it is not offered again for a week.",
	"|": "Runs a command in $SHELL with the text on its stdin. Its output is shown, in $PAGER if set.",
	":": "Runs a command of the shell, with the same flags, on the open library; its output is shown here. Tab completes commands, flags and names, Esc stops a slow command.",
	",": "The next key names a macro from keys.toml: keys, commands such as \"save; open; next\", and programs.",
	"o": "Opens the link in the browser and marks the item read. Only http and https addresses are opened.",
	"D": "Unsubscribes from feeds, or stops watching a page. u restores them with all of their items.",
	"w": "Shows when the feed was fetched, when it is fetched next and why, or what is wrong with it.",
	"d": "Shows what its publisher changed in the item, or what changed on a watched page, with the changed words in brackets: [-old-] {+new+}.",
	"c": "Shows the old text on the left and the new one on the right, from 120 columns.",
	"x": "Shows the text whole, as an article.",
	"I": "Opens the command that mutes a word, with the title's longest; Tab goes on to the others, the author and the whole title. Matching items leave the unread ones, now and when they arrive; nothing is deleted. Add --for 30d to end it; u undoes it.",
	"i": "Shows what is known of the feed, and its settings.",
}
