package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/add"
	"diurna/ui/article"
	"diurna/ui/diff"
	"diurna/ui/feeds"
	"diurna/ui/files"
	"diurna/ui/help"
	"diurna/ui/history"
	"diurna/ui/info"
	"diurna/ui/list"
	"diurna/ui/pages"
	"diurna/ui/rhythm"
	"diurna/ui/stack"
	"diurna/ui/trends"
	"diurna/ui/view"
)

// partsOfHelp gives the bindings of a place as the help shows them: what can be done here
// first.
func partsOfHelp(p *parts) func(view.Context) []view.Part {
	return func(c view.Context) []view.Part { return helpParts(p, c) }
}

func helpParts(p *parts, c view.Context) []view.Part {
	here, moving := view.Part{Name: "Here"}, view.Part{Name: "Moving", Rows: moveKeys()}
	everywhere := view.Part{Name: "Everywhere", Rows: append(leaveKeys(p), helpKey(at((*model).showHelp))...), Right: true}
	switch c {
	case view.CtxItems:
		here.Rows = append(list.Keys(), muteKey(p), view.Bind("F", "save the query in Feeds", "smart folder keep filter", p.queries.Save))
		everywhere.Rows = append(viewKeys(p), commonKeys(p)...)
	case view.CtxFeeds:
		here.Rows = feeds.Keys()
		everywhere.Rows = append(viewKeys(p), commonKeys(p)...)
	case view.CtxArticle:
		here.Rows = append(article.Keys(), muteKey(p))
		everywhere.Rows = commonKeys(p)
		return []view.Part{here, {Name: "Links", Rows: article.LinkKeys(), Right: true}, everywhere}
	case view.CtxHelp:
		here.Rows = help.Keys()
		everywhere.Rows = leaveKeys(p)
	case view.CtxSteps:
		here.Rows = stepKeys(p)
	case view.CtxFiles:
		here.Rows = append(files.Keys(), undoKeys(p)...)
	case view.CtxChoices:
		here.Rows = append(add.ChoiceKeys(), view.Bind(":", "command", "", p.line.Ask))
		return []view.Part{here, everywhere}
	case view.CtxFound:
		here.Rows = add.FoundKeys()
		return []view.Part{here, everywhere}
	case view.CtxInfo:
		here.Rows = append(info.Keys(), undoKeys(p)...)
	case view.CtxTrouble:
		here.Rows = append(append(info.TroubleKeys(),
			view.Bind("r", "try again now", "fetch reload retry", p.fetch.Chosen),
			view.Bind("w", "its plan; its settings", "why when next schedule", p.opener.Why),
			view.Bind("i", view.Ditto, "information details rename", p.items.ShowInfo)), undoKeys(p)...)
	case view.CtxPages:
		here.Rows = pages.Keys()
		everywhere.Rows = append(viewKeys(p), commonKeys(p)...)
	case view.CtxDiff:
		here.Rows = diff.Keys()
		everywhere.Rows = without(commonKeys(p), "w", "i")
		return []view.Part{here, everywhere}
	case view.CtxRhythm:
		here.Rows = rhythm.Keys()
		everywhere.Rows = append(viewKeys(p), commonKeys(p)...)
	case view.CtxTrends:
		here.Rows = trends.Keys()
		everywhere.Rows = append(viewKeys(p), commonKeys(p)...)
	case view.CtxSheet:
		return []view.Part{moving, everywhere}
	case view.CtxMarkFeed:
		return []view.Part{{Name: "Mark read", Rows: feeds.MarkKeys()}}
	case view.CtxMark:
		return []view.Part{{Name: "Mark read", Rows: list.MarkKeys()}}
	case view.CtxSortFeed:
		return []view.Part{{Name: "Sort", Rows: feeds.SortKeys()}}
	case view.CtxSort:
		return []view.Part{{Name: "Sort", Rows: list.SortKeys()}}
	case view.CtxFeedBack:
		return []view.Part{{Name: "Sort from the end", Rows: feeds.BackKeys()}}
	case view.CtxSortBack:
		return []view.Part{{Name: "Sort from the end", Rows: list.BackKeys()}}
	case view.CtxZ:
		return []view.Part{{Name: "Leave", Rows: []view.Binding{view.Bind("Z", "quit", "", at((*model).Leave))}}}
	default:
		return nil
	}
	return []view.Part{here, moving, everywhere}
}

func undoKeys(p *parts) []view.Binding {
	return []view.Binding{
		view.Bind("u", "undo, redo", "take back revert", p.marks.Undo),
		view.Bind("ctrl+r", view.Ditto, "", p.marks.Redo),
	}
}

func muteKey(p *parts) view.Binding {
	return view.Bind("I", "mute a word of it", "ignore filter kill hide rule", p.line.AskMute)
}

// moveKeys move in any list.
func moveKeys() []view.Binding {
	return []view.Binding{
		view.Bind("j down", "down, up", "next previous", view.Moves(1)),
		view.Bind("k up", view.Ditto, "", view.Moves(-1)),
		view.Bind("space pgdown ctrl+f", "page down, up", "scroll", view.Pages(1, 1)),
		view.Bind("b pgup ctrl+b", view.Ditto, "", view.Pages(-1, 1)),
		view.Bind("ctrl+d", "half a page", "scroll", view.Pages(1, 2)),
		view.Bind("ctrl+u", view.Ditto, "", view.Pages(-1, 2)),
		view.Bind("g home", "top (shows new), end", "first last bottom refresh", view.Ends(-1)),
		view.Bind("G end", view.Ditto, "", view.Ends(1)),
	}
}

func stepKeys(p *parts) []view.Binding {
	return append(history.Keys(),
		view.Bind("u", "undo the newest step", "undo revert", p.marks.Undo),
		view.Bind("ctrl+r", "redo", "", p.marks.Redo))
}

// viewKeys lead from list to list.
func viewKeys(p *parts) []view.Binding {
	rows := []view.Binding{
		view.Bind("tab", "next, previous view", "", func(h view.Host) tea.Cmd { return p.nav.Next(h, 1) }),
		view.Bind("shift+tab", view.Ditto, "", func(h view.Host) tea.Cmd { return p.nav.Next(h, -1) }),
	}
	for i, v := range stack.Views {
		help := view.Ditto
		if i == 0 {
			help = "the views"
		}
		rows = append(rows, view.Bind(string(v.Key), help, v.Name, func(h view.Host) tea.Cmd { return p.nav.Go(h, v.No) }))
	}
	return rows
}

// commonKeys mean the same in lists and articles.
func commonKeys(p *parts) []view.Binding {
	rows := append([]view.Binding{
		view.Bind("a", "add; edit all feeds", "subscribe feed new", p.adding.Open),
		view.Bind("E", view.Ditto, "editor text urls opml subscriptions", p.editor.Open),
		view.Bind("w", "why and when; info", "why error next schedule", p.opener.Why),
		view.Bind("i", view.Ditto, "information details rename settings", p.items.ShowInfo),
		view.Bind("r", "fetch this feed, all", "reload refresh update sync", p.fetch.Chosen),
		view.Bind("R", view.Ditto, "reload refresh update sync", p.fetch.All),
	}, undoKeys(p)...)
	rows = append(rows,
		view.Bind("U", "what was done", "history log undo", p.marks.ShowSteps),
		view.Bind(":", "command, pipe, macro", "", p.line.Ask),
		view.Bind("|", view.Ditto, "shell program", p.pipe.Ask),
		view.Bind(",", view.Ditto, "keys.toml", at((*model).askMacro)))
	return append(append(rows, helpKey(at((*model).showHelp))...), leaveKeys(p)...)
}

// leaveKeys work wherever no box has the keys.
func leaveKeys(p *parts) []view.Binding {
	return []view.Binding{
		view.Bind("q", "back; at the top quit", "exit close", p.nav.Back),
		view.Bind("h left esc", "back; fold", "close", p.nav.BackOnly),
		view.Bind("Q", "quit (also :q and ZZ)", "exit", at((*model).Leave)),
		view.Bind("Z", "", "", p.nav.AwaitZ),
		view.Bind("ctrl+l", "redraw", "refresh", redraw),
		view.Bind("ctrl+z", "suspend", "background", p.pause.Suspend),
		view.Bind("ctrl+c", "stop what runs", "cancel abort", p.fetch.Interrupt),
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
