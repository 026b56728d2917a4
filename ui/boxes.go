package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/command"
	"diurna/ui/jobs"
	"diurna/ui/macro"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// The boxes of the last row: find, narrow, tag, command.

func (m *model) askTag() tea.Cmd {
	r := m.chosenRow()
	if r == nil {
		return nil
	}
	return m.Ask(&view.Prompt{Name: "tag", Label: "tag: ", Do: with((*model).tag), Says: func(_ view.Host, text string) string {
		switch r := m.chosenRow(); {
		case r != nil && text == "" && len(r.Tags) > 0:
			return "has #" + strings.Join(r.Tags, " #") + "; -name takes one off"
		case text == "":
			return "Enter adds the tag"
		case strings.HasPrefix(text, "-"):
			return "Enter takes the tag off"
		}
		say := "Enter adds #" + reader.TagName(text)
		if strings.TrimLeft(text, "#+") != reader.TagName(text) {
			say += "; a tag is one word of at most 64 bytes"
		}
		return say
	}})
}

// askMute opens the command that mutes a word of the chosen item.
func (m *model) askMute() tea.Cmd {
	if r := m.chosenRow(); r != nil {
		return m.line.AskMute(m, r)
	}
	return nil
}

// tag adds a tag to the chosen item or the selected ones, or takes it off with
// a leading "-".
func (m *model) tag(text string) tea.Cmd {
	name := reader.TagName(text)
	rows := m.Top().Rows()
	if len(rows) == 0 || name == "" {
		return nil
	}
	percent := strings.ReplaceAll(name, "%", "%%")
	if strings.HasPrefix(text, "-") {
		return m.mark(reader.Untag, rows, name, "Removed #"+percent+" from %s in %s. u undoes.")
	}
	return m.mark(reader.Tag, rows, name, "Tagged #"+percent+" on %s in %s. u undoes.")
}

// subjects are what :more and :less can be about, before a name.
var subjects = []string{"author", "category", "feed", "topic", "word"}

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
		"copy": press("copy the link", "y"), "enqueue": bare("put what is chosen into the queue of downloads", (*model).enqueue), "read": bare("mark what is chosen read", (*model).markRead),
		"save": bare("save what is chosen", (*model).save), "tag": {Short: "tag what is chosen; -NAME takes a tag off", Alone: at((*model).askTag), With: with((*model).tag)},
		"q": leave, "quit": leave, "qa": leave, "q!": leave,
		"undo": bare("undo the last step", (*model).undo), "redo": bare("redo what was undone", (*model).redo),
		"log": bare("show what was done", (*model).showSteps), "fetch": bare("fetch all feeds that may be fetched now", (*model).fetchAll),
		"help": bare("show the keys", (*model).showHelp), "diff": bare("show what changed in the chosen item", (*model).showEdits),
		"edit": bare("edit all feeds as text", func(m *model) tea.Cmd { return m.editor.Open(m) }), "info": bare("show details of what is chosen", (*model).showInfo),
		"why": bare("say why the chosen item stands there", (*model).why),
		"add": text("subscribe to an address", "", with((*model).addCommand)), "watch": text("watch a page", "", with((*model).watchCommand)),
		"import": text("subscribe to what a file names", "", with((*model).importCommand)), "find": text("go to the next match", "items", p.finder.Find),
		"narrow": text("narrow the list", "items", p.finder.Narrow), "order": {Short: "put the list in another order", Words: reader.OrderNames(), With: with((*model).orderBy)},
		"evidence": bare("show what was learned", func(m *model) tea.Cmd { return m.eff.evidence(m.Wonder()) }),
		"more":     {Short: "teach that this is of interest", Words: subjects, With: with(func(m *model, text string) tea.Cmd { return m.teachAbout(text, false) })},
		"less":     {Short: "teach that this is of less interest", Words: subjects, With: with(func(m *model, text string) tea.Cmd { return m.teachAbout(text, true) })},
		"!":        {With: p.pipe.Run},
		"river":    goes(stack.River, "River"), "feeds": goes(stack.Feeds, "Feeds"), "pages": goes(stack.Pages, "Pages"),
		"ranked": goes(stack.Ranked, "Ranked"), "saved": goes(stack.Saved, "Saved"), "rhythm": goes(stack.Rhythm, "Rhythm"), "search": {Short: "show Search; with words: search the whole library", Like: "items", Alone: goes(stack.Search, "").Alone, With: p.finder.Everywhere}, "trends": goes(stack.Trends, "Trends"),
	}
}

// Finish carries out the acts that are on their way.
func (m *model) Finish() tea.Msg { return jobs.Msg{Jobs: m.eff.queue.Flush()} }

// Refresh asks again for all that a command may have changed, and what the items
// that lists hold say now.
func (m *model) Refresh() tea.Cmd {
	var ids []reader.ItemID
	for _, l := range m.All() {
		l.Amend(nil, func(r *reader.Row) { ids = append(ids, r.ID) })
	}
	slices.Sort(ids)
	return view.Batch(m.Reload(), m.deliver(view.SettingMsg{Undone: true}), m.taught(), m.eff.states(slices.Compact(ids)))
}

func (m *model) addCommand(address string) tea.Cmd {
	if b := m.addAt(address); address != "" {
		return b.Enter(m)
	}
	return nil
}

func (m *model) importCommand(path string) tea.Cmd {
	if path == "" {
		m.Say(":import needs the path of an OPML or urls file.")
		return nil
	}
	if b := m.addBox(); b != nil {
		return b.Import(path)
	}
	_, cmd := m.Import(path)
	return cmd
}

// watchCommand is :watch ADDRESS.
func (m *model) watchCommand(address string) tea.Cmd {
	if address == "" {
		m.Say(":watch needs the address of a page.")
		return nil
	}
	return m.addAt(address).Watch(m)
}
