package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/add"
	"diurna/ui/diff"
	"diurna/ui/feeds"
	"diurna/ui/help"
	"diurna/ui/history"
	"diurna/ui/info"
	"diurna/ui/pages"
	"diurna/ui/rhythm"
	"diurna/ui/view"
)

// helpParts gives the bindings of a place as the help shows them: what can be
// done here first.
func helpParts(c view.Context) []view.Part {
	here, moving := view.Part{Name: "Here"}, view.Part{Name: "Moving", Rows: moveKeys()}
	everywhere := view.Part{Name: "Everywhere", Rows: append(leaveKeys(), helpKey(at((*model).showHelp))...), Right: true}
	switch c {
	case view.CtxItems:
		here.Rows = itemKeys()
		everywhere.Rows = append(viewKeys(), commonKeys()...)
	case view.CtxFeeds:
		here.Rows = feeds.Keys()
		everywhere.Rows = append(viewKeys(), commonKeys()...)
	case view.CtxArticle:
		here.Rows = articleKeys()
		everywhere.Rows = commonKeys()
		return []view.Part{here, {Name: "Links", Rows: linkBindings(), Right: true}, everywhere}
	case view.CtxHelp:
		here.Rows = help.Keys()
		everywhere.Rows = leaveKeys()
	case view.CtxSteps:
		here.Rows = stepKeys()
	case view.CtxFiles:
		here.Rows = fileKeys()
	case view.CtxChoices:
		here.Rows = append(add.ChoiceKeys(), view.Bind(":", "command", "", at((*model).askCommand)))
		return []view.Part{here, everywhere}
	case view.CtxFound:
		here.Rows = add.FoundKeys()
		return []view.Part{here, everywhere}
	case view.CtxInfo:
		here.Rows = append(info.Keys(),
			view.Bind("u", "undo, redo", "take back revert", at((*model).undo)),
			view.Bind("ctrl+r", view.Ditto, "", at((*model).redo)))
	case view.CtxPages:
		here.Rows = pages.Keys()
		everywhere.Rows = append(viewKeys(), commonKeys()...)
	case view.CtxDiff:
		here.Rows = diff.Keys()
		everywhere.Rows = without(commonKeys(), "w", "i")
		return []view.Part{here, everywhere}
	case view.CtxRhythm:
		here.Rows = rhythm.Keys()
		everywhere.Rows = append(viewKeys(), commonKeys()...)
	case view.CtxSheet:
		return []view.Part{moving, everywhere}
	case view.CtxMarkFeed:
		return []view.Part{{Name: "Mark read", Rows: feeds.MarkKeys()}}
	case view.CtxMark:
		return []view.Part{{Name: "Mark read", Rows: markKeys()}}
	case view.CtxZ:
		return []view.Part{{Name: "Leave", Rows: []view.Binding{view.Bind("Z", "quit", "", at((*model).leave))}}}
	default:
		return nil
	}
	return []view.Part{here, moving, everywhere}
}

// moveKeys move in any list.
func moveKeys() []view.Binding {
	return []view.Binding{
		view.Bind("j down", "down, up", "next previous", at(func(m *model) tea.Cmd { return m.move(1) })),
		view.Bind("k up", view.Ditto, "", at(func(m *model) tea.Cmd { return m.move(-1) })),
		view.Bind("space pgdown ctrl+f", "page down, up", "scroll", at(func(m *model) tea.Cmd { return m.page(1, 1) })),
		view.Bind("b pgup ctrl+b", view.Ditto, "", at(func(m *model) tea.Cmd { return m.page(-1, 1) })),
		view.Bind("ctrl+d", "half a page", "scroll", at(func(m *model) tea.Cmd { return m.page(1, 2) })),
		view.Bind("ctrl+u", view.Ditto, "", at(func(m *model) tea.Cmd { return m.page(-1, 2) })),
		view.Bind("g home", "top (takes in new), end", "first last bottom refresh", at((*model).goTop)),
		view.Bind("G end", view.Ditto, "", at((*model).goEnd)),
	}
}

func itemKeys() []view.Binding {
	return []view.Binding{
		view.Bind("enter l right", "open", "read show", on((*items).open)),
		view.Bind("n", "next, previous unread, match", "", by((*items).nextHit, 1)),
		view.Bind("N", view.Ditto, "", by((*items).nextHit, -1)),
		view.Bind("p", view.Ditto, "", by((*items).nextUnread, -1)),
		view.Bind("J", "next, previous row", "", at(func(m *model) tea.Cmd { return m.move(1) })),
		view.Bind("K", view.Ditto, "", at(func(m *model) tea.Cmd { return m.move(-1) })),
		view.Bind("}", "next, previous day", "", by((*items).nextDay, 1)),
		view.Bind("{", view.Ditto, "", by((*items).nextDay, -1)),
		view.Bind("] ctrl+n", "next, previous unread feed", "only unread of a feed", at(func(m *model) tea.Cmd { return m.nextFeedList(1, false) })),
		view.Bind("[ ctrl+p", view.Ditto, "", at(func(m *model) tea.Cmd { return m.nextFeedList(-1, false) })),
		view.Bind("m", "read or unread", "mark toggle seen", at((*model).toggleRead)),
		view.Bind("M", "mark read: j below k above", "catch up day feed week month older", on((*items).markWhat)),
		view.Bind("A", "mark all here read", "catch up", on((*items).markAll)),
		view.Bind("s", "save, tag", "star favourite flag bookmark keep later", at((*model).toggleSaved)),
		view.Bind("t", view.Ditto, "label category tag", at((*model).askTag)),
		view.Bind("v", "select rows", "visual mark several bulk", on((*items).selectRow)),
		view.Bind("S", "newest or ranked", "sort order score", on((*items).toggleOrder)),
		view.Bind("+", "more, less like this", "like train score thumbs up", at(func(m *model) tea.Cmd { return m.teach(false) })),
		view.Bind("-", view.Ditto, "dislike train thumbs down", at(func(m *model) tea.Cmd { return m.teach(true) })),
		view.Bind("P", "while w is open: pin, leave out", "top always", at(func(m *model) tea.Cmd { return m.setLearning(reader.Pinned) })),
		view.Bind("X", view.Ditto, "exclude ignore mute", at(func(m *model) tea.Cmd { return m.setLearning(reader.Excluded) })),
		view.Bind("d", "what changed; enclosures", "diff edited updated revision", at((*model).showEdits)),
		view.Bind("e", view.Ditto, "podcast audio attachment download enclosures", on((*items).showFiles)),
		view.Bind("o", "browser; and on to next", "web link url open", at((*model).browse)),
		view.Bind("O", view.Ditto, "web link url", on((*items).browseOn)),
		view.Bind("y", "copy link; title and link", "yank clipboard url", at((*model).copyLink)),
		view.Bind("Y", view.Ditto, "", at((*model).copyBoth)),
		view.Bind("/", "find here, narrow list", "search", at((*model).askFind)),
		view.Bind("&", view.Ditto, "narrow filter query search limit", on((*items).askNarrow)),
		view.Bind("D", "", "", at((*model).noUnsubscribe)),
	}
}

func articleKeys() []view.Binding {
	return []view.Binding{
		view.Bind("j down", "line down, up", "scroll", at(func(m *model) tea.Cmd { return m.move(1) })),
		view.Bind("k up", view.Ditto, "", at(func(m *model) tea.Cmd { return m.move(-1) })),
		view.Bind("space pgdown ctrl+f", "page on, then next unread", "scroll", on((*article).readOn)),
		view.Bind("b pgup ctrl+b", view.Ditto, "", at(func(m *model) tea.Cmd { return m.page(-1, 1) })),
		view.Bind("ctrl+d", "half a page", "scroll", at(func(m *model) tea.Cmd { return m.page(1, 2) })),
		view.Bind("ctrl+u", view.Ditto, "", at(func(m *model) tea.Cmd { return m.page(-1, 2) })),
		view.Bind("g home", "top, end", "first last bottom", at((*model).goTop)),
		view.Bind("G end", view.Ditto, "", at((*model).goEnd)),
		view.Bind("}", "next, previous heading", "", by((*article).nextHead, 1)),
		view.Bind("{", view.Ditto, "", by((*article).nextHead, -1)),
		view.Bind("n", "next, previous unread, match", "", by((*article).nextHit, 1)),
		view.Bind("N", view.Ditto, "", by((*article).nextHit, -1)),
		view.Bind("p", "previous unread", "", by((*article).nextUnread, -1)),
		view.Bind("J", "next, previous item", "", by((*article).nextItem, 1)),
		view.Bind("K", view.Ditto, "", by((*article).nextItem, -1)),
		view.Bind("] ctrl+n", "next, previous unread feed", "", at(func(m *model) tea.Cmd { return m.nextFeedList(1, true) })),
		view.Bind("[ ctrl+p", view.Ditto, "", at(func(m *model) tea.Cmd { return m.nextFeedList(-1, true) })),
		view.Bind("m", "read or unread", "mark toggle seen", at((*model).toggleRead)),
		view.Bind("s", "save, tag", "star favourite flag bookmark keep later", at((*model).toggleSaved)),
		view.Bind("t", view.Ditto, "label category tag", at((*model).askTag)),
		view.Bind("+", "more, less like this", "like train score", at(func(m *model) tea.Cmd { return m.teach(false) })),
		view.Bind("-", view.Ditto, "dislike train", at(func(m *model) tea.Cmd { return m.teach(true) })),
		view.Bind("d", "what changed", "diff edited updated revision", at((*model).showEdits)),
		view.Bind("/", "find in the text", "search", at((*model).askFind)),
		view.Bind("e", "enclosures", "podcast audio attachment download", on((*article).showFiles)),
	}
}

// linkBindings are the keys of links in an article; the digits are handled
// where they are typed and stand here for the help.
func linkBindings() []view.Binding {
	return []view.Binding{
		view.Bind("0 1 2 3 4 5 6 7 8 9", "a link or image by number", "follow", on((*article).digit)),
		view.Bind("tab", "next, previous link", "follow", by((*article).nextLink, 1)),
		view.Bind("shift+tab", view.Ditto, "", by((*article).nextLink, -1)),
		view.Bind("f", "letters; y and one copies", "follow hints", on((*article).showLetters)),
		view.Bind("enter l right", "open the chosen link", "follow", on((*article).followLink)),
		view.Bind("o", "browser; and on to next", "web link url open", at((*model).browse)),
		view.Bind("O", view.Ditto, "web link url", on((*article).browseOn)),
		view.Bind("y", "copy link; title and link", "yank clipboard url", at((*model).copyLink)),
		view.Bind("Y", view.Ditto, "", at((*model).copyBoth)),
	}
}

func stepKeys() []view.Binding {
	return append(history.Keys(),
		view.Bind("u", "take back the newest step", "undo revert", at((*model).undo)),
		view.Bind("ctrl+r", "redo", "", at((*model).redo)))
}

func fileKeys() []view.Binding {
	return []view.Binding{
		view.Bind("enter l right o", "open in the browser", "play download", on((*files).open)),
		view.Bind("y", "copy link", "yank clipboard url", on((*files).copy)),
	}
}

func markKeys() []view.Binding {
	mark := func(what byte) func(view.Host) tea.Cmd {
		return on(func(l *items, m *model) tea.Cmd { return l.markOperand(m, what) })
	}
	return []view.Binding{
		view.Bind("j", "this row and below", "", mark('j')),
		view.Bind("k", "this row and above", "", mark('k')),
		view.Bind("d", "this day", "", mark('d')),
		view.Bind("f", "this feed", "", mark('f')),
		view.Bind("w", "older than a week", "", mark('w')),
		view.Bind("m", "older than a month", "", mark('m')),
		view.Bind("a", "all", "", mark('a')),
	}
}

// viewKeys lead from list to list.
func viewKeys() []view.Binding {
	rows := []view.Binding{
		view.Bind("tab", "next, previous view", "", at(func(m *model) tea.Cmd { return m.nextView(1) })),
		view.Bind("shift+tab", view.Ditto, "", at(func(m *model) tea.Cmd { return m.nextView(-1) })),
	}
	for i, v := range views {
		help := view.Ditto
		if i == 0 {
			help = "the views"
		}
		rows = append(rows, view.Bind(string(v.key), help, v.name, at(func(m *model) tea.Cmd { return m.goView(v.id) })))
	}
	return rows
}

// commonKeys mean the same in lists and articles.
func commonKeys() []view.Binding {
	return append([]view.Binding{
		view.Bind("a", "add; edit all feeds", "subscribe feed new", at((*model).add)),
		view.Bind("E", view.Ditto, "editor text urls opml subscriptions", at((*model).editAll)),
		view.Bind("w", "why and when; info", "why error next schedule", at((*model).why)),
		view.Bind("i", view.Ditto, "information details rename settings", at((*model).showInfo)),
		view.Bind("r", "fetch this feed, all", "reload refresh update sync", at((*model).fetchOne)),
		view.Bind("R", view.Ditto, "reload refresh update sync", at((*model).fetchAll)),
		view.Bind("u", "undo, redo", "take back revert", at((*model).undo)),
		view.Bind("ctrl+r", view.Ditto, "", at((*model).redo)),
		view.Bind("U", "what was done", "history log undo", at((*model).showSteps)),
		view.Bind(":", "command, pipe, macro", "", at((*model).askCommand)),
		view.Bind("|", view.Ditto, "shell program", at((*model).askPipe)),
		view.Bind(",", view.Ditto, "keys.toml", at((*model).askMacro)),
	}, append(helpKey(at((*model).showHelp)), leaveKeys()...)...)
}

// leaveKeys work wherever no box has the keys.
func leaveKeys() []view.Binding {
	return []view.Binding{
		view.Bind("q", "back; at the top quit", "exit close", at((*model).back)),
		view.Bind("h left esc", "back; fold", "close", at((*model).backOnly)),
		view.Bind("Q", "quit (also :q and ZZ)", "exit", at((*model).leave)),
		view.Bind("Z", "", "", at((*model).zed)),
		view.Bind("ctrl+l", "redraw", "refresh", at((*model).redraw)),
		view.Bind("ctrl+z", "suspend", "background", at((*model).suspend)),
		view.Bind("ctrl+c", "stop what runs", "cancel abort", at((*model).interrupt)),
	}
}

// helpKey is ?, which in the help itself asks for a key to explain.
func helpKey(do func(view.Host) tea.Cmd) []view.Binding {
	return []view.Binding{view.Bind("?", "help; ? ? and a key: more", "keys", do)}
}

// without leaves out the bindings of some keys.
func without(rows []view.Binding, keys ...string) []view.Binding {
	var left []view.Binding
	for _, b := range rows {
		if !slices.Contains(keys, b.Keys[0]) {
			left = append(left, b)
		}
	}
	return left
}
