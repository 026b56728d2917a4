package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/view"
)

// askKey waits for the key that is to be explained.
func (h *help) askKey(m *model) tea.Cmd {
	m.which, m.whichOf = true, h.of
	m.Say("Which key? Press it.")
	return nil
}

// explain shows all there is to say about a key: ? ? and the key.
func (m *model) explain(key string) tea.Cmd {
	m.which = false
	m.Clear()
	m.Push(view.NewSheet("Help: "+keyLabel(key), m.explained(key, m.whichOf)))
	return nil
}

// explained gives the sentences about a key, those of the place first.
func (m *model) explained(key string, of view.Context) []string {
	var rows []string
	say := func(c view.Context) {
		b, help := boundTo(c, key)
		if b == nil {
			return
		}
		rows = append(rows, keyLabel(key)+" in "+view.ContextName(c)+": "+help+".")
		if more := moreHelp[b.Keys[0]]; more != "" && c == of {
			rows = append(rows, "  "+more)
		}
		if b.Also != "" {
			rows = append(rows, "  Also found as: "+strings.Join(strings.Fields(b.Also), ", ")+".")
		}
		if len(b.Keys) > 1 && len(b.Keys) < 10 {
			var names []string
			for _, k := range b.Keys {
				names = append(names, keyLabel(k))
			}
			rows = append(rows, "  The same: "+strings.Join(names, " ")+".")
		}
		rows = append(rows, "")
	}
	say(of)
	if len(rows) == 0 {
		rows = append(rows, keyLabel(key)+" means nothing in "+view.ContextName(of)+".", "")
	}
	for c := range view.Contexts {
		if c != of && c != view.CtxLetters {
			say(c)
		}
	}
	if keys, ok := m.keys.user[of][key]; ok {
		rows = append(rows, "Your keys: "+keyLabel(key)+" stands for "+strings.Join(keys, " ")+".")
	}
	return rows
}

// boundTo finds what a key does in a place, and the row of the help for it.
func boundTo(c view.Context, key string) (*view.Binding, string) {
	for _, p := range helpParts(c) {
		help := ""
		for i := range p.Rows {
			b := &p.Rows[i]
			if b.Help != view.Ditto {
				help = b.Help
			}
			for _, k := range b.Keys {
				if k == key && help != "" {
					return b, help
				}
			}
		}
	}
	return nil, ""
}

// keyLabel writes a key as people do.
func keyLabel(key string) string { return (&view.Binding{Keys: []string{key}}).Label() }

// moreHelp is what a row of the help has no room for, by the first key of the
// binding.
var moreHelp = map[string]string{
	"A": "Marks exactly the rows of this list as it was drawn: not what waits at the right end of row 1, and not what a narrowing leaves out. It is one step; u takes it back, after a restart too.",
	"M": "A second key says what: j this row and below, k and above, d the day, f the feed, w what is older than a week, m than a month, a all. The counts are shown before it.",
	"m": "Marks the chosen item read, or unread again. With rows selected (v) all of them.",
	"s": "Keeps the item in Saved, whatever happens to it in its feed.",
	"t": "Opens a box for a tag; -name takes one off again.",
	"&": "Shows only the rows that fit: words, \"phrases\", unread, read, saved, changed, today, feed: folder: #tag newer:2d older:1w, and - before anything to leave it out.",
	"/": "Goes to the next place that fits; n and N go on. Tab in the box finds in the whole library.",
	"u": "Takes back the newest step and says which. In an article only what was done in it since it was opened.",
	"g": "Goes to the top and takes in the rows that wait, counted at the right end of row 1.",
	"r": "Asks for this feed now; rules that a server set (not before) hold all the same.",
	"R": "Asks for every feed that may be fetched now. ^c stops it.",
	"v": "Takes rows into a selection; m s t y then act on all of them at once, Esc ends it.",
	"E": "Opens all feeds as text in $VISUAL or $EDITOR. What you change there is applied as one step.",
	"+": "Does what the advice about the page says, as one step; - leaves it, and it is not offered again for a week.",
	"|": "Runs a command in $SHELL with the text on its input. What it prints is shown, by $PAGER if there is one.",
	",": "The next key names a macro from keys.toml.",
	"o": "Opens the link in the browser and marks the item read. Only http and https addresses are opened.",
	"D": "Takes feeds off the shelf, or stops watching a page. u brings them back with everything that was in them.",
	"w": "Says when the feed was fetched, when it is fetched next and why, or what is wrong with it.",
	"d": "Shows what its publisher changed in the item, or what changed on a watched page, with the changed words in brackets: [-old-] {+new+}.",
	"c": "Puts the old text at the left and the new one at the right, from 120 columns.",
	"x": "Shows the text whole, as an article.",
	"i": "Says what is known, and holds the settings of the feed.",
}
