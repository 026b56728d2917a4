package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// binding is one thing that keys do in one place. The table of bindings drives
// the keys, the help screen and the test that no key means two things there.
type binding struct {
	keys []string
	help string // what it does; "" for what is not worth a row of the help, ditto for a key named in the row before
	also string // words people bring along, for the search in the help
	do   func(Host) tea.Cmd
}

// ditto is the help of a key whose row is the one before: "n N  next, previous".
const ditto = "\""

// part is a group of bindings under one heading of the help.
type part struct {
	name  string
	rows  []binding
	right bool // stands in the right column of the help
}

// contextID is a place where keys have their meaning.
type contextID uint8

const (
	ctxItems contextID = iota
	ctxFeeds
	ctxArticle
	ctxLetters // letters stand on the links
	ctxHelp
	ctxSteps
	ctxFiles
	ctxAdd     // the cursor is in the add box: its editor has the keys
	ctxChoices // what was found on this machine
	ctxFound   // candidates of an address
	ctxInfo
	ctxSheet // text to be read
	ctxRhythm
	ctxDiff     // what changed
	ctxPages    // the watched pages
	ctxMark     // after M: what to mark read
	ctxMarkFeed // the same in Feeds
	ctxZ        // after Z
	contexts
)

var contextNames = [contexts]string{"a list", "Feeds", "an article", "links", "help", "what was done", "enclosures",
	"the add box", "what was found here", "what an address brings", "info", "a text", "Rhythm", "a diff", "Pages", "M in a list", "M in Feeds", "Z"}

func contextName(c contextID) string { return contextNames[c] }

// helpParts gives the bindings of a place as the help shows them: what can be
// done here first.
func helpParts(c contextID) []part {
	here, moving := part{name: "Here"}, part{"Moving", moveKeys(), false}
	everywhere := part{"Everywhere", append(leaveKeys(), helpKey(at((*model).showHelp))...), true}
	switch c {
	case ctxItems:
		here.rows = itemKeys()
		everywhere.rows = append(viewKeys(), commonKeys()...)
	case ctxFeeds:
		here.rows = feedKeys()
		everywhere.rows = append(viewKeys(), commonKeys()...)
	case ctxArticle:
		here.rows = articleKeys()
		everywhere.rows = commonKeys()
		return []part{here, {"Links", linkBindings(), true}, everywhere}
	case ctxHelp:
		here.rows = helpKeys()
		everywhere.rows = leaveKeys()
	case ctxSteps:
		here.rows = stepKeys()
	case ctxFiles:
		here.rows = fileKeys()
	case ctxChoices:
		here.rows = choiceKeys()
		return []part{here, everywhere}
	case ctxFound:
		here.rows = foundKeys()
		return []part{here, everywhere}
	case ctxInfo:
		here.rows = infoKeys()
	case ctxPages:
		here.rows = pageKeys()
		everywhere.rows = append(viewKeys(), commonKeys()...)
	case ctxDiff:
		here.rows = diffKeys()
		everywhere.rows = without(commonKeys(), "w", "i")
		return []part{here, everywhere}
	case ctxRhythm:
		here.rows = rhythmKeys()
		everywhere.rows = append(viewKeys(), commonKeys()...)
	case ctxSheet:
		return []part{moving, everywhere}
	case ctxMarkFeed:
		return []part{{name: "Mark read", rows: markFeedKeys()}}
	case ctxMark:
		return []part{{name: "Mark read", rows: markKeys()}}
	case ctxZ:
		return []part{{name: "Leave", rows: []binding{{[]string{"Z"}, "quit", "", at((*model).leave)}}}}
	default:
		return nil
	}
	return []part{here, moving, everywhere}
}

// keymap is the table turned into one map per place, made once, with what the
// person's own keys stand for.
type keymap struct {
	table [contexts]map[string]*binding
	user  [contexts]map[string][]string // a key and the keys of the table it stands for
	macro map[string][]string           // what follows the comma
}

func newKeymap() *keymap {
	k := keymap{macro: make(map[string][]string)}
	for c := range contexts {
		k.table[c] = make(map[string]*binding)
		k.user[c] = make(map[string][]string)
		for _, p := range helpParts(c) {
			for i := range p.rows {
				for _, key := range p.rows[i].keys {
					k.table[c][key] = &p.rows[i]
				}
			}
		}
	}
	return &k
}

// moveKeys move in any list.
func moveKeys() []binding {
	return []binding{
		{[]string{"j", "down"}, "down, up", "next previous", at(func(m *model) tea.Cmd { return m.move(1) })},
		{[]string{"k", "up"}, ditto, "", at(func(m *model) tea.Cmd { return m.move(-1) })},
		{[]string{"space", "pgdown", "ctrl+f"}, "page down, up", "scroll", at(func(m *model) tea.Cmd { return m.page(1, 1) })},
		{[]string{"b", "pgup", "ctrl+b"}, ditto, "", at(func(m *model) tea.Cmd { return m.page(-1, 1) })},
		{[]string{"ctrl+d"}, "half a page", "scroll", at(func(m *model) tea.Cmd { return m.page(1, 2) })},
		{[]string{"ctrl+u"}, ditto, "", at(func(m *model) tea.Cmd { return m.page(-1, 2) })},
		{[]string{"g", "home"}, "top (takes in new), end", "first last bottom refresh", at((*model).goTop)},
		{[]string{"G", "end"}, ditto, "", at((*model).goEnd)},
	}
}

func itemKeys() []binding {
	return []binding{
		{[]string{"enter", "l", "right"}, "open", "read show", on((*items).open)},
		{[]string{"n"}, "next, previous unread, match", "", by((*items).nextHit, 1)},
		{[]string{"N"}, ditto, "", by((*items).nextHit, -1)},
		{[]string{"p"}, ditto, "", by((*items).nextUnread, -1)},
		{[]string{"J"}, "next, previous row", "", at(func(m *model) tea.Cmd { return m.move(1) })},
		{[]string{"K"}, ditto, "", at(func(m *model) tea.Cmd { return m.move(-1) })},
		{[]string{"}"}, "next, previous day", "", by((*items).nextDay, 1)},
		{[]string{"{"}, ditto, "", by((*items).nextDay, -1)},
		{[]string{"]", "ctrl+n"}, "next, previous unread feed", "only unread of a feed", at(func(m *model) tea.Cmd { return m.nextFeedList(1, false) })},
		{[]string{"[", "ctrl+p"}, ditto, "", at(func(m *model) tea.Cmd { return m.nextFeedList(-1, false) })},
		{[]string{"m"}, "read or unread", "mark toggle seen", at((*model).toggleRead)},
		{[]string{"M"}, "mark read: j below k above", "catch up day feed week month older", on((*items).markWhat)},
		{[]string{"A"}, "mark all here read", "catch up", on((*items).markAll)},
		{[]string{"s"}, "save, tag", "star favourite flag bookmark keep later", at((*model).toggleSaved)},
		{[]string{"t"}, ditto, "label category tag", at((*model).askTag)},
		{[]string{"v"}, "select rows", "visual mark several bulk", on((*items).selectRow)},
		{[]string{"S"}, "newest or ranked", "sort order score", on((*items).toggleOrder)},
		{[]string{"+"}, "more, less like this", "like train score thumbs up", at(func(m *model) tea.Cmd { return m.teach(false) })},
		{[]string{"-"}, ditto, "dislike train thumbs down", at(func(m *model) tea.Cmd { return m.teach(true) })},
		{[]string{"P"}, "while w is open: pin, leave out", "top always", at(func(m *model) tea.Cmd { return m.setLearning("pinned") })},
		{[]string{"X"}, ditto, "exclude ignore mute", at(func(m *model) tea.Cmd { return m.setLearning("left out") })},
		{[]string{"d"}, "what changed; enclosures", "diff edited updated revision", at((*model).showEdits)},
		{[]string{"e"}, ditto, "podcast audio attachment download enclosures", on((*items).showFiles)},
		{[]string{"o"}, "browser; and on to next", "web link url open", at((*model).browse)},
		{[]string{"O"}, ditto, "web link url", on((*items).browseOn)},
		{[]string{"y"}, "copy link; title and link", "yank clipboard url", at((*model).copyLink)},
		{[]string{"Y"}, ditto, "", at((*model).copyBoth)},
		{[]string{"/"}, "find here, narrow list", "search", at((*model).askFind)},
		{[]string{"&"}, ditto, "narrow filter query search limit", on((*items).askNarrow)},
		{[]string{"D"}, "", "", at((*model).noUnsubscribe)},
	}
}

func feedKeys() []binding {
	return []binding{
		{[]string{"enter", "l", "right"}, "items, unfold", "show open", on((*tree).open)},
		{[]string{"n", "]", "ctrl+n"}, "next, previous unread feed", "", by((*tree).nextFeed, 1)},
		{[]string{"N", "[", "ctrl+p", "p"}, ditto, "", by((*tree).nextFeed, -1)},
		{[]string{"J"}, "next, previous row", "", at(func(m *model) tea.Cmd { return m.move(1) })},
		{[]string{"K"}, ditto, "", at(func(m *model) tea.Cmd { return m.move(-1) })},
		{[]string{"}"}, "next, previous folder", "", by((*tree).nextFolder, 1)},
		{[]string{"{"}, ditto, "", by((*tree).nextFolder, -1)},
		{[]string{"!"}, "next feed in trouble", "error broken failing dead", on((*tree).nextTrouble)},
		{[]string{"M"}, "mark read: d day w week m a", "catch up week month older", on((*tree).markWhat)},
		{[]string{"A"}, "mark all in it read", "catch up", on((*tree).markAll)},
		{[]string{"t"}, "tag the feed", "label category", on((*tree).askTags)},
		{[]string{"+"}, "more, less of this feed", "like train score", at(func(m *model) tea.Cmd { return m.teach(false) })},
		{[]string{"-"}, ditto, "dislike train", at(func(m *model) tea.Cmd { return m.teach(true) })},
		{[]string{"v"}, "select feeds", "visual mark several bulk", on((*tree).selectRow)},
		{[]string{"y"}, "copy the feed's address", "yank clipboard url", on((*tree).copy)},
		{[]string{"o"}, "its site in the browser", "web", on((*tree).browse)},
		{[]string{"/"}, "find a feed", "search", at((*model).askFind)},
		{[]string{"D"}, "unsubscribe", "delete remove", on((*tree).unsubscribe)},
	}
}

func infoKeys() []binding {
	return []binding{
		{[]string{"enter", "l", "right"}, "change this setting", "edit rename title folder tags interval hidden", on((*info).change)},
		{[]string{"y"}, "copy this fact", "yank clipboard", on((*info).copy)},
		{[]string{"u"}, "undo, redo", "take back revert", at((*model).undo)},
		{[]string{"ctrl+r"}, ditto, "", at((*model).redo)},
	}
}

func articleKeys() []binding {
	return []binding{
		{[]string{"j", "down"}, "line down, up", "scroll", at(func(m *model) tea.Cmd { return m.move(1) })},
		{[]string{"k", "up"}, ditto, "", at(func(m *model) tea.Cmd { return m.move(-1) })},
		{[]string{"space", "pgdown", "ctrl+f"}, "page on, then next unread", "scroll", on((*article).readOn)},
		{[]string{"b", "pgup", "ctrl+b"}, ditto, "", at(func(m *model) tea.Cmd { return m.page(-1, 1) })},
		{[]string{"ctrl+d"}, "half a page", "scroll", at(func(m *model) tea.Cmd { return m.page(1, 2) })},
		{[]string{"ctrl+u"}, ditto, "", at(func(m *model) tea.Cmd { return m.page(-1, 2) })},
		{[]string{"g", "home"}, "top, end", "first last bottom", at((*model).goTop)},
		{[]string{"G", "end"}, ditto, "", at((*model).goEnd)},
		{[]string{"}"}, "next, previous heading", "", by((*article).nextHead, 1)},
		{[]string{"{"}, ditto, "", by((*article).nextHead, -1)},
		{[]string{"n"}, "next, previous unread, match", "", by((*article).nextHit, 1)},
		{[]string{"N"}, ditto, "", by((*article).nextHit, -1)},
		{[]string{"p"}, "previous unread", "", by((*article).nextUnread, -1)},
		{[]string{"J"}, "next, previous item", "", by((*article).nextItem, 1)},
		{[]string{"K"}, ditto, "", by((*article).nextItem, -1)},
		{[]string{"]", "ctrl+n"}, "next, previous unread feed", "", at(func(m *model) tea.Cmd { return m.nextFeedList(1, true) })},
		{[]string{"[", "ctrl+p"}, ditto, "", at(func(m *model) tea.Cmd { return m.nextFeedList(-1, true) })},
		{[]string{"m"}, "read or unread", "mark toggle seen", at((*model).toggleRead)},
		{[]string{"s"}, "save, tag", "star favourite flag bookmark keep later", at((*model).toggleSaved)},
		{[]string{"t"}, ditto, "label category tag", at((*model).askTag)},
		{[]string{"+"}, "more, less like this", "like train score", at(func(m *model) tea.Cmd { return m.teach(false) })},
		{[]string{"-"}, ditto, "dislike train", at(func(m *model) tea.Cmd { return m.teach(true) })},
		{[]string{"d"}, "what changed", "diff edited updated revision", at((*model).showEdits)},
		{[]string{"/"}, "find in the text", "search", at((*model).askFind)},
		{[]string{"e"}, "enclosures", "podcast audio attachment download", on((*article).showFiles)},
	}
}

// linkBindings are the keys of links in an article; the digits are handled
// where they are typed and stand here for the help.
func linkBindings() []binding {
	digits := strings.Split("0 1 2 3 4 5 6 7 8 9", " ")
	return []binding{
		{digits, "a link by its number", "follow", on((*article).digit)},
		{[]string{"tab"}, "next, previous link", "follow", by((*article).nextLink, 1)},
		{[]string{"shift+tab"}, ditto, "", by((*article).nextLink, -1)},
		{[]string{"f"}, "letters; y and one copies", "follow hints", on((*article).showLetters)},
		{[]string{"enter", "l", "right"}, "open the chosen link", "follow", on((*article).followLink)},
		{[]string{"o"}, "browser; and on to next", "web link url open", at((*model).browse)},
		{[]string{"O"}, ditto, "web link url", on((*article).browseOn)},
		{[]string{"y"}, "copy link; title and link", "yank clipboard url", at((*model).copyLink)},
		{[]string{"Y"}, ditto, "", at((*model).copyBoth)},
	}
}

func helpKeys() []binding {
	return []binding{
		{[]string{"enter", "l", "right"}, "run the chosen key", "", on((*help).runChosen)},
		{[]string{"/"}, "search keys", "find", at((*model).askFind)},
		{[]string{"?"}, "then a key: all about it", "explain describe", on((*help).askKey)},
	}
}

func stepKeys() []binding {
	return []binding{
		{[]string{"enter", "l", "right"}, "take back this one step", "undo revert", on((*history).undoStep)},
		{[]string{"u"}, "take back the newest step", "undo revert", at((*model).undo)},
		{[]string{"ctrl+r"}, "redo", "", at((*model).redo)},
	}
}

func fileKeys() []binding {
	return []binding{
		{[]string{"enter", "l", "right", "o"}, "open in the browser", "play download", on((*files).open)},
		{[]string{"y"}, "copy link", "yank clipboard url", on((*files).copy)},
	}
}

func choiceKeys() []binding {
	return []binding{
		{[]string{"j", "down"}, "down", "", at(func(m *model) tea.Cmd { return m.move(1) })},
		{[]string{"k", "up"}, "up", "", at(func(m *model) tea.Cmd { return m.move(-1) })},
		{[]string{"enter", "l", "right"}, "take it", "import", on((*addBox).takeChosen)},
		{[]string{"a", "i"}, "back into the box", "add subscribe", on((*addBox).into)},
		{[]string{":"}, "command", "", at((*model).askCommand)},
	}
}

func foundKeys() []binding {
	return []binding{
		{[]string{"j", "down"}, "down", "", at(func(m *model) tea.Cmd { return m.move(1) })},
		{[]string{"k", "up"}, "up", "", at(func(m *model) tea.Cmd { return m.move(-1) })},
		{[]string{"enter", "l", "right"}, "subscribe", "add keep", on((*addBox).subscribe)},
		{[]string{"t"}, "tags for it", "label category", on((*addBox).askTags)},
		{[]string{"T"}, "title for it", "name rename", on((*addBox).askTitle)},
		{[]string{"U"}, "all items come unread", "", on((*addBox).allUnread)},
		{[]string{"w"}, "watch the page itself", "changes diff no feed", on((*addBox).watch)},
	}
}

func markKeys() []binding {
	mark := func(what byte) func(Host) tea.Cmd {
		return on(func(l *items, m *model) tea.Cmd { return l.markOperand(m, what) })
	}
	return []binding{
		{[]string{"j"}, "this row and below", "", mark('j')},
		{[]string{"k"}, "this row and above", "", mark('k')},
		{[]string{"d"}, "this day", "", mark('d')},
		{[]string{"f"}, "this feed", "", mark('f')},
		{[]string{"w"}, "older than a week", "", mark('w')},
		{[]string{"m"}, "older than a month", "", mark('m')},
		{[]string{"a"}, "all", "", mark('a')},
	}
}

func markFeedKeys() []binding {
	mark := func(what byte) func(Host) tea.Cmd {
		return on(func(t *tree, m *model) tea.Cmd { return t.markOperand(m, what) })
	}
	return []binding{
		{[]string{"d"}, "today", "", mark('d')},
		{[]string{"w"}, "older than a week", "", mark('w')},
		{[]string{"m"}, "older than a month", "", mark('m')},
		{[]string{"a", "f"}, "all in it", "", mark('a')},
	}
}

// viewKeys lead from list to list.
func viewKeys() []binding {
	rows := []binding{
		{[]string{"tab"}, "next, previous view", "", at(func(m *model) tea.Cmd { return m.nextView(1) })},
		{[]string{"shift+tab"}, ditto, "", at(func(m *model) tea.Cmd { return m.nextView(-1) })},
	}
	for i, v := range views {
		help := ditto
		if i == 0 {
			help = "the views"
		}
		rows = append(rows, binding{[]string{string(v.key)}, help, v.name, at(func(m *model) tea.Cmd { return m.goView(v.id) })})
	}
	return rows
}

// commonKeys mean the same in lists and articles.
func commonKeys() []binding {
	return append([]binding{
		{[]string{"a"}, "add; edit all feeds", "subscribe feed new", at((*model).add)},
		{[]string{"E"}, ditto, "editor text urls opml subscriptions", at((*model).editAll)},
		{[]string{"w"}, "why and when; info", "why error next schedule", at((*model).why)},
		{[]string{"i"}, ditto, "information details rename settings", at((*model).showInfo)},
		{[]string{"r"}, "fetch this feed, all", "reload refresh update sync", at((*model).fetchOne)},
		{[]string{"R"}, ditto, "reload refresh update sync", at((*model).fetchAll)},
		{[]string{"u"}, "undo, redo", "take back revert", at((*model).undo)},
		{[]string{"ctrl+r"}, ditto, "", at((*model).redo)},
		{[]string{"U"}, "what was done", "history log undo", at((*model).showSteps)},
		{[]string{":"}, "command, pipe, macro", "", at((*model).askCommand)},
		{[]string{"|"}, ditto, "shell program", at((*model).askPipe)},
		{[]string{","}, ditto, "keys.toml", at((*model).askMacro)},
	}, append(helpKey(at((*model).showHelp)), leaveKeys()...)...)
}

// leaveKeys work wherever no box has the keys.
func leaveKeys() []binding {
	return []binding{
		{[]string{"q"}, "back; at the top quit", "exit close", at((*model).back)},
		{[]string{"h", "left", "esc"}, "back; fold", "close", at((*model).backOnly)},
		{[]string{"Q"}, "quit (also :q and ZZ)", "exit", at((*model).leave)},
		{[]string{"Z"}, "", "", at((*model).zed)},
		{[]string{"ctrl+l"}, "redraw", "refresh", at((*model).redraw)},
		{[]string{"ctrl+z"}, "suspend", "background", at((*model).suspend)},
		{[]string{"ctrl+c"}, "stop what runs", "cancel abort", at((*model).interrupt)},
	}
}

// helpKey is ?, which in the help itself asks for a key to explain.
func helpKey(do func(Host) tea.Cmd) []binding {
	return []binding{{[]string{"?"}, "help; ? ? and a key: more", "keys", do}}
}

// keyNames write keys as people do.
var keyNames = map[string]string{
	"enter": "Enter", "space": "space", "pgdown": "PgDn", "pgup": "PgUp", "down": "Down", "up": "Up", "left": "Left",
	"right": "Right", "home": "Home", "end": "End", "esc": "Esc", "tab": "Tab", "shift+tab": "S-Tab",
}

// label is the keys of a binding as the help names them.
func (b *binding) label() string {
	if len(b.keys) == 10 {
		return "0 ... 9"
	}
	k := b.keys[0]
	if rest, ok := strings.CutPrefix(k, "ctrl+"); ok {
		return "^" + rest
	}
	if name := keyNames[k]; name != "" {
		return name
	}
	return k
}
