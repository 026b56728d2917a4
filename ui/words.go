package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/command"
	"diurna/ui/macro"
	"diurna/ui/marks"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// ownWords are the screen's own words of the command line.
func ownWords(p *parts) map[string]command.Own {
	alone := func(short string, do func(view.Host) tea.Cmd) command.Own {
		return command.Own{Short: short, Alone: do}
	}
	bare := func(short string, do func(*model) tea.Cmd) command.Own { return alone(short, at(do)) }
	leave := bare("leave", (*model).Leave)
	text := func(short, like string, do func(view.Host, string) tea.Cmd) command.Own {
		return command.Own{Short: short, Like: like, With: do}
	}
	goes := func(v stack.Number, name string) command.Own {
		return alone("show "+name, func(h view.Host) tea.Cmd { return p.nav.Go(h, v) })
	}
	press := func(short, key string) command.Own {
		return alone(short, func(h view.Host) tea.Cmd { return p.macros.Play(h, macro.Keys([]string{key})) })
	}
	return map[string]command.Own{
		"open": press("open what is chosen", "enter"), "back": press("go back", "esc"), "next": press("go to the next unread item", "n"),
		"previous": press("go to the previous unread item", "p"), "down": press("go one down", "j"), "up": press("go one up", "k"),
		"top": press("go to the top", "g"), "bottom": press("go to the end", "G"), "browser": press("open in the browser", "o"),
		"copy": press("copy the link", "y"), "enclosures": press("show the enclosures", "e"), "enqueue": alone("put what is chosen into the queue of downloads", p.items.Enqueue), "read": alone("mark what is chosen read", p.marks.MarkChosen),
		"save": alone("save what is chosen", p.marks.Save), "tag": {Short: "tag what is chosen; -NAME takes a tag off", Alone: p.marks.AskTag, With: p.marks.Tag},
		"q": leave, "quit": leave, "qa": leave, "q!": leave,
		"undo": alone("undo the last step", p.marks.Undo), "redo": alone("redo what was undone", p.marks.Redo),
		"log": alone("show what was done", p.marks.ShowSteps), "fetch": alone("fetch all feeds that may be fetched now", p.fetch.All),
		"help": bare("show the keys", (*model).showHelp), "diff": alone("show what changed in the chosen item", p.items.ShowEdits),
		"edit": alone("edit all feeds as text", p.editor.Open), "info": alone("show details of what is chosen", p.items.ShowInfo),
		"why": alone("say why the chosen item stands there", p.opener.Why),
		"add": text("subscribe to an address", "", p.adding.Add), "watch": text("watch a page", "", p.adding.Watch),
		"import": text("subscribe to what a file names", "", p.adding.ImportFile), "find": text("go to the next match", "items", p.finder.Find),
		"narrow": text("narrow the list", "items", p.finder.Narrow), "order": {Short: "put the list in another order", Words: reader.OrderNames(), With: p.ranked.OrderBy},
		"evidence": alone("show what was learned", p.ranked.Evidence),
		"more":     {Short: "teach that this is of interest", Words: marks.Subjects, With: p.marks.More},
		"less":     {Short: "teach that this is of less interest", Words: marks.Subjects, With: p.marks.Less},
		"!":        {With: p.pipe.Run},
		"river":    goes(stack.River, "River"), "feeds": goes(stack.Feeds, "Feeds"), "pages": goes(stack.Pages, "Pages"),
		"ranked": goes(stack.Ranked, "Ranked"), "saved": goes(stack.Saved, "Saved"), "rhythm": goes(stack.Rhythm, "Rhythm"), "search": {Short: "show Search; with words: search the whole library", Like: "items", Alone: goes(stack.Search, "").Alone, With: p.finder.Everywhere}, "trends": goes(stack.Trends, "Trends"),
	}
}
