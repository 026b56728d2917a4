package ui

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
)

// The boxes of the last row: find, narrow, tag, command.

func (m *model) askFind() tea.Cmd {
	p := &prompt{name: "find", label: "/", says: (*model).saysFind, do: (*model).find}
	switch m.top().(type) {
	case *items, *tree, *article, *pages, *diff:
		p.tab = (*model).findEverywhere
	}
	return m.ask(p)
}

// findEverywhere lists what fits in the whole library, read or not.
func (m *model) findEverywhere(text string) tea.Cmd {
	q, err := reader.ParseQuery(text, m.now)
	if err != nil || q.Empty() {
		m.say("Tab finds words in the whole library; type them first.")
		return nil
	}
	l := &items{name: "Found: " + text, query: q, searched: true,
		empty: func(*scene) string { return fmt.Sprintf("Nothing in the library fits %q.", text) }}
	m.push(l)
	return m.load(l)
}

// saysFind counts, while typing, where Enter will go.
func (m *model) saysFind(text string) string {
	if text == "" {
		return "Enter goes to the next place, Tab finds in the whole library"
	}
	n := 0
	switch l := m.top().(type) {
	case *items:
		n = len(l.find(&m.scene, text))
	case *article:
		n = len(l.search(text))
	case *tree:
		n = len(l.search(text))
	case *pages:
		n = len(l.search(text))
	case *diff:
		n = len(l.search(text))
	default:
		return "Enter searches"
	}
	if n == 0 {
		return "no place fits"
	}
	return "Enter goes to the next of " + wording.Count(n)
}

func (m *model) find(text string) tea.Cmd {
	switch l := m.top().(type) {
	case *items:
		l.moved = true
		l.found = finding{text: text, hits: l.find(&m.scene, text)}
		if text == "" {
			l.found = finding{}
		} else if i := l.found.step(l.list.cur, 1); i >= 0 {
			l.list.set(i, max(1, l.high))
		} else {
			l.found = finding{}
			m.say(fmt.Sprintf("Nothing in %s fits \"%s\".", l.name, text))
		}
	case *tree:
		l.find = finding{text: text, hits: l.search(text)}
		if i := l.find.step(l.list.cur, 1); text != "" && i >= 0 {
			l.list.set(i, max(1, l.high))
		} else {
			l.find = finding{}
			m.say(fmt.Sprintf("No feed fits \"%s\".", text))
		}
	case *article:
		l.find = finding{text: text, hits: l.search(text)}
		if i := l.find.step(l.top-1, 1); text != "" && i >= 0 {
			l.at = i
			l.goTo(i - len(l.head))
		} else {
			l.find = finding{}
			m.say(fmt.Sprintf("Nothing in the text fits \"%s\".", text))
		}
	case *pages:
		l.find = finding{text: text, hits: l.search(text)}
		if i := l.find.step(l.list.cur, 1); text != "" && i >= 0 {
			l.list.set(i, max(1, l.high))
		} else {
			l.find = finding{}
			m.say(fmt.Sprintf("No page fits \"%s\".", text))
		}
	case *diff:
		l.find = finding{text: text, hits: l.search(text)}
		if i := l.find.step(l.cur.row-1, 1); text != "" && i >= 0 {
			l.goRow(&m.scene, i)
		} else {
			l.find = finding{}
			m.say(fmt.Sprintf("No row of the diff fits \"%s\".", text))
		}
	case *help:
		l.search(text)
	}
	return nil
}

// search gives the rows of Feeds whose names hold all words.
func (t *tree) search(text string) []int32 {
	words := strings.Fields(strings.ToLower(text))
	var hits []int32
	for i := range t.nodes {
		low := strings.ToLower(t.nodes[i].name)
		hit := len(words) > 0
		for _, w := range words {
			hit = hit && strings.Contains(low, w)
		}
		if hit {
			hits = append(hits, int32(i))
		}
	}
	return hits
}

func (m *model) askNarrow() tea.Cmd {
	l, ok := m.top().(*items)
	if !ok {
		return nil
	}
	p := &prompt{name: "narrow", label: "& ", says: (*model).saysNarrow, do: (*model).narrowTo}
	p.set(l.narrow)
	return m.ask(p)
}

// saysNarrow counts, while typing, what Enter will show.
func (m *model) saysNarrow(text string) string {
	l, ok := m.top().(*items)
	if !ok || text == "" {
		return "words, unread, saved, feed: folder: #tag newer: older:"
	}
	q, err := reader.ParseQuery(text, m.now)
	switch {
	case err != nil:
		return ""
	case asksLibrary(text):
		return "Enter asks the whole library"
	}
	if l.base != nil {
		return "Enter shows what fits"
	}
	return fmt.Sprintf("Enter shows %s of %s", wording.Count(len(l.fit(&m.scene, q))), wording.Count(len(l.all)))
}

// asksLibrary reports whether a narrowing wants rows that a list of unread
// items does not hold.
func asksLibrary(text string) bool {
	for _, w := range strings.Fields(strings.ToLower(text)) {
		if w == "read" || w == "-unread" {
			return true
		}
	}
	return false
}

func (m *model) narrowTo(text string) tea.Cmd {
	l, ok := m.top().(*items)
	if !ok {
		return nil
	}
	q, err := reader.ParseQuery(text, m.now)
	if err != nil {
		at := 0
		var qe *reader.QueryError
		if errors.As(err, &qe) {
			at = utf8.RuneCountInString(text[:min(qe.At, len(text))])
		}
		p := &prompt{name: "narrow", label: "& ", says: (*model).saysNarrow, do: (*model).narrowTo}
		p.set(text)
		p.history = m.histories["narrow"]
		m.reject(p, at, err.Error())
		return nil
	}
	l.moved, l.found = true, finding{}
	if text == "" {
		l.widen(&m.scene)
		return nil
	}
	if asksLibrary(text) {
		l.asked, l.askGen = text, m.nextGen()
		return m.eff.rows(l.askGen, q, l.only)
	}
	if l.base != nil {
		l.all, l.base = l.base, nil
	}
	keep := reader.ItemID(0)
	if r := l.chosen(); r != nil {
		keep = r.ID
	}
	l.narrowBy(&m.scene, text)
	l.list.cur = 0
	l.settle(&m.scene, keep)
	return nil
}

func (m *model) askTag() tea.Cmd {
	r := m.chosenRow()
	if r == nil {
		return nil
	}
	return m.ask(&prompt{name: "tag", label: "tag: ", do: (*model).tag, says: func(m *model, text string) string {
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
	rows := m.rows()
	if len(rows) == 0 || name == "" {
		return nil
	}
	if strings.HasPrefix(text, "-") {
		return m.mark(reader.Untag, rows, name, "Took #"+name+" off")
	}
	return m.mark(reader.Tag, rows, name, "Tagged #"+name+" on")
}

func (m *model) askFeedTags() tea.Cmd {
	if len(m.feedz.selected) > 1 {
		return m.askTagsOf(m.feedz.selectedFeeds())
	}
	n := m.feedz.chosen()
	if n == nil || n.kind != nodeFeed {
		m.say("t tags a feed, on rows of feeds.")
		return nil
	}
	id := n.feed.Key
	p := &prompt{label: "tags of " + n.feed.Title + ": ", do: func(m *model, text string) tea.Cmd {
		return m.queue(&job{kind: jobAdjust, feeds: []reader.FeedID{id}, field: "tags", value: text, say: "Tags kept. u undoes."})
	}, says: func(*model, string) string { return "Enter keeps them" }}
	p.set(strings.Join(n.feed.Tags, " "))
	return m.ask(p)
}

// askTagsOf asks for the tags to put on several feeds, or to take off.
func (m *model) askTagsOf(feeds []*reader.Feed) tea.Cmd {
	ids := make([]reader.FeedID, len(feeds))
	for i, f := range feeds {
		ids[i] = f.Key
	}
	of := wording.Plural(len(ids), "feed")
	return m.ask(&prompt{label: "tags of " + of + ": ", do: func(m *model, text string) tea.Cmd {
		words := strings.Fields(strings.ReplaceAll(text, ",", " "))
		if len(words) == 0 {
			return nil
		}
		m.feedz.selected = nil
		return m.queue(&job{kind: jobTagFeeds, feeds: ids, value: strings.Join(words, " "), say: "Tags of " + of + " changed. u undoes."})
	}, says: func(*model, string) string { return "Enter puts them on all; -name takes one off" }})
}

func (m *model) askFoundTags() tea.Cmd {
	b := m.top().(*addBox)
	p := &prompt{label: "tags: ", do: func(_ *model, text string) tea.Cmd {
		b.opts.Tags = strings.Fields(strings.NewReplacer(",", " ", "#", "").Replace(text))
		return nil
	}}
	p.set(strings.Join(b.opts.Tags, " "))
	return m.ask(p)
}

func (m *model) askFoundTitle() tea.Cmd {
	b := m.top().(*addBox)
	p := &prompt{label: "title: ", do: func(_ *model, text string) tea.Cmd {
		b.opts.Title = text
		return nil
	}}
	p.set(b.opts.Title)
	return m.ask(p)
}

// commands are the words of the command line: the same as in the shell.
func commands() map[string]func(*model, string) tea.Cmd {
	bare := func(do func(*model) tea.Cmd) func(*model, string) tea.Cmd {
		return func(m *model, _ string) tea.Cmd { return do(m) }
	}
	return map[string]func(*model, string) tea.Cmd{
		"q": bare((*model).leave), "quit": bare((*model).leave), "qa": bare((*model).leave), "q!": bare((*model).leave),
		"undo": bare((*model).undo), "redo": bare((*model).redo), "log": bare((*model).showSteps),
		"fetch": bare((*model).fetchAll), "help": bare((*model).showHelp), "add": (*model).addCommand, "watch": (*model).watchCommand, "diff": bare((*model).showEdits),
		"import": (*model).importCommand, "mark": (*model).markCommand, "find": (*model).find, "narrow": (*model).narrowTo,
		"edit": bare((*model).editAll), "info": bare((*model).showInfo), "why": bare((*model).why), "!": (*model).pipe,
		"order": (*model).orderBy, "evidence": (*model).evidence,
		"more":   func(m *model, text string) tea.Cmd { return m.teachAbout(text, false) },
		"less":   func(m *model, text string) tea.Cmd { return m.teachAbout(text, true) },
		"river":  bare(func(m *model) tea.Cmd { return m.goView(viewRiver) }),
		"feeds":  bare(func(m *model) tea.Cmd { return m.goView(viewFeeds) }),
		"pages":  bare(func(m *model) tea.Cmd { return m.goView(viewPages) }),
		"ranked": bare(func(m *model) tea.Cmd { return m.goView(viewRanked) }),
		"saved":  bare(func(m *model) tea.Cmd { return m.goView(viewSaved) }),
		"rhythm": bare(func(m *model) tea.Cmd { return m.goView(viewRhythm) }),
	}
}

func (m *model) askCommand() tea.Cmd {
	return m.ask(&prompt{name: "command", label: ":", do: (*model).command, says: func(_ *model, text string) string {
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
		m.say(fmt.Sprintf("%q is no command here. add, import, mark, fetch, undo, redo, log, help, q.", word))
		return nil
	}
	return do(m, strings.TrimSpace(rest))
}

func (m *model) addCommand(address string) tea.Cmd {
	cmd := m.add()
	if b, ok := m.top().(*addBox); ok && address != "" {
		b.set(address)
		return tea.Batch(cmd, m.addEnter(b))
	}
	return cmd
}

func (m *model) importCommand(path string) tea.Cmd {
	if path == "" {
		m.say(":import needs the path of an OPML or urls file.")
		return nil
	}
	return m.importFile(path)
}
