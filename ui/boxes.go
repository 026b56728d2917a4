package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/ui/list"
	"diurna/ui/view"
)

// The boxes of the last row: find, narrow, tag, command.

func (m *model) askFind() tea.Cmd {
	p := &view.Prompt{Name: "find", Label: "/", Says: with((*model).saysFind), Do: with((*model).find)}
	if _, counts := m.Top().Matches(&m.Scene, ""); counts {
		p.Tab = with((*model).findEverywhere)
	}
	return m.Ask(p)
}

// findEverywhere lists what fits in the whole library, read or not.
func (m *model) findEverywhere(text string) tea.Cmd {
	q, err := query.Parse(text, m.Now)
	if err != nil || q.Empty() {
		m.Say("Tab finds words in the whole library; type them first.")
		return nil
	}
	l := m.lists.New(list.Of{Name: "Found: " + text, Query: q, Searched: true,
		Empty: func(*view.Scene) string { return fmt.Sprintf("Nothing in the library fits %q.", text) }})
	m.Push(l)
	return l.Load(m)
}

// saysFind counts, while typing, where Enter will go.
func (m *model) saysFind(text string) string {
	if text == "" {
		return "Enter goes to the next place, Tab finds in the whole library"
	}
	n, counts := m.Top().Matches(&m.Scene, text)
	if !counts {
		return "Enter searches"
	}
	if n == 0 {
		return "no place fits"
	}
	return "Enter goes to the next of " + wording.Count(n)
}

func (m *model) find(text string) tea.Cmd {
	m.Top().Find(m, text)
	return nil
}

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
		return "Enter adds #" + strings.TrimLeft(text, "#+")
	}})
}

// tag adds a tag to the chosen item or the selected ones, or takes it off with
// a leading "-".
func (m *model) tag(text string) tea.Cmd {
	name := strings.TrimLeft(text, "#+-")
	rows := m.Top().Rows()
	if len(rows) == 0 || name == "" {
		return nil
	}
	percent := strings.ReplaceAll(name, "%", "%%")
	if strings.HasPrefix(text, "-") {
		return m.mark(reader.Untag, rows, name, "Took #"+percent+" off %s in %s. u undoes.")
	}
	return m.mark(reader.Tag, rows, name, "Tagged #"+percent+" on %s in %s. u undoes.")
}

// command is what a word of the command line does: alone, or with what follows.
type command struct {
	alone func(*model) tea.Cmd
	with  func(*model, string) tea.Cmd
}

// commands are the words of the command line: the same as in the shell.
func commands() map[string]command {
	bare := func(do func(*model) tea.Cmd) command { return command{alone: do} }
	return map[string]command{
		"q": bare((*model).leave), "quit": bare((*model).leave), "qa": bare((*model).leave), "q!": bare((*model).leave),
		"undo": bare((*model).undo), "redo": bare((*model).redo), "log": bare((*model).showSteps),
		"fetch": bare((*model).fetchAll), "help": bare((*model).showHelp), "add": {with: (*model).addCommand}, "watch": {with: (*model).watchCommand}, "diff": bare((*model).showEdits),
		"import": {with: (*model).importCommand}, "mark": {with: (*model).markCommand}, "find": {with: (*model).find}, "narrow": {with: func(m *model, text string) tea.Cmd {
			if l, ok := m.Top().(interface {
				Narrow(h view.Host, text string) tea.Cmd
			}); ok {
				return l.Narrow(m, text)
			}
			m.Say(":narrow works in lists of items and Feeds.")
			return nil
		}},
		"edit": bare((*model).editAll), "info": bare((*model).showInfo), "why": bare((*model).why), "!": {with: (*model).pipe},
		"order": {with: (*model).orderBy}, "evidence": {with: (*model).evidence},
		"more":   {with: func(m *model, text string) tea.Cmd { return m.teachAbout(text, false) }},
		"less":   {with: func(m *model, text string) tea.Cmd { return m.teachAbout(text, true) }},
		"river":  bare(func(m *model) tea.Cmd { return m.goView(viewRiver) }),
		"feeds":  bare(func(m *model) tea.Cmd { return m.goView(viewFeeds) }),
		"pages":  bare(func(m *model) tea.Cmd { return m.goView(viewPages) }),
		"ranked": bare(func(m *model) tea.Cmd { return m.goView(viewRanked) }),
		"saved":  bare(func(m *model) tea.Cmd { return m.goView(viewSaved) }),
		"rhythm": bare(func(m *model) tea.Cmd { return m.goView(viewRhythm) }),
	}
}

func (m *model) askCommand() tea.Cmd {
	return m.Ask(&view.Prompt{Name: "command", Label: ":", Do: with((*model).command), Says: func(_ view.Host, text string) string {
		word, _, _ := strings.Cut(text, " ")
		if text == "" {
			return "add ADDRESS, import FILE, mark read QUERY, fetch, log, q"
		}
		if _, ok := commands()[word]; ok {
			return "Enter runs " + word
		}
		return ""
	}})
}

// moreInShell are the commands that stand alone here and take a word in a shell.
const moreInShell = " fetch undo diff why edit help "

// sayAlone refuses words that a command would not heed: who types ":fetch
// kernel" does not mean all feeds.
func sayAlone(word, more string) string {
	say := fmt.Sprintf(":%s stands alone here, and nothing was done.", word)
	if strings.Contains(moreInShell, " "+word+" ") {
		say += fmt.Sprintf(" In a shell: diurna %s %s", word, more)
	}
	return say
}

func (m *model) command(text string) tea.Cmd {
	word, rest, _ := strings.Cut(text, " ")
	if command, ok := strings.CutPrefix(text, "!"); ok && text != "q!" {
		word, rest = "!", command
	}
	if word == "" {
		return nil
	}
	do, ok := commands()[word]
	if !ok {
		m.Say(fmt.Sprintf("%q is no command here. add, import, mark, fetch, undo, redo, log, help, q.", word))
		return nil
	}
	switch rest = strings.TrimSpace(rest); {
	case do.with != nil:
		return do.with(m, rest)
	case rest != "":
		m.Say(sayAlone(word, rest))
		return nil
	}
	return do.alone(m)
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
	for _, word := range strings.Fields(address)[1:] {
		if strings.HasPrefix(word, "-") {
			m.Say("Here :watch takes an address alone; i in Pages sets the rest. With flags it is the shell's: diurna watch " + address)
			return nil
		}
	}
	return m.addAt(address).Watch(m)
}
