package command

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader/plain"
	"diurna/ui/view"
)

// choices are what Tab goes through.
type choices struct {
	line string   // the line as Tab left it: another one is completed from its beginning
	head string   // what stands before the word
	list []string // the words
	at   int      // the one in the line; -1: what they have in common
}

// completedMsg brings what the last word of a line may go on with.
type completedMsg struct {
	prompt *view.Prompt
	line   string
	head   string
	list   []string // "value", or "value TAB description"
}

// complete is Tab, or with back shift+Tab: it goes through the choices, or asks
// for them.
func (l *Line) complete(h view.Host, back bool) tea.Cmd {
	line := l.prompt.String()
	if c := &l.tab; c.line == line && len(c.list) > 1 {
		step := 1
		if back {
			step = len(c.list) - 1
			c.at = max(c.at, 0)
		}
		l.choose(h, (c.at+step)%len(c.list))
		return nil
	}
	head, words := l.parts(line)
	if words == nil {
		return nil
	}
	typed := words[len(words)-1]
	if flag, value, ok := strings.Cut(typed, "="); ok && strings.HasPrefix(flag, "--") {
		head, typed = head+flag+"=", value
	}
	var fixed []string // what is known without the shell
	if own, ok := l.own[words[0]]; ok && len(words) > 1 {
		fixed = own.Words
		if own.Like != "" {
			words[0] = own.Like
		}
	}
	prompt, ctx := l.prompt, h.Life()
	return func() tea.Msg {
		msg := completedMsg{prompt: prompt, line: line, head: head}
		if msg.list = slices.Clone(fixed); l.shell != nil && fixed == nil {
			msg.list = l.shell.Complete(ctx, words)
		}
		if len(words) == 1 {
			for word, own := range l.own {
				if word != "!" {
					msg.list = append(msg.list, word+"\t"+own.Short)
				}
			}
		}
		msg.list = fits(msg.list, typed)
		return msg
	}
}

// parts cuts a line before its last word; words are all of it as the shell would
// take them, the last one perhaps empty. nil: there is nothing to complete.
func (l *Line) parts(line string) (head string, words []string) {
	cut := 0
	for i := len(line) - 1; i >= 0 && cut == 0; i-- { // from the end: most lines are split once
		if line[i] == ' ' {
			if _, err := Split(line[:i], ""); err == nil { // not within quotes
				cut = i + 1
			}
		}
	}
	head = line[:cut]
	words, err := Split(head, l.screen.Env("HOME"))
	if err != nil {
		return "", nil
	}
	last := strings.TrimLeft(line[cut:], `"'`)
	return head, append(words, last)
}

// fits leaves the choices that begin with what is typed, or else those whose
// description has a word that does, without doubles and sorted.
func fits(list []string, typed string) []string {
	begins := func(s string) bool {
		return len(s) >= len(typed) && strings.EqualFold(s[:len(typed)], typed)
	}
	var names, about []string
	for _, c := range list {
		value, description, _ := strings.Cut(plain.Text(c, 400), "\t")
		switch {
		case value == "" || strings.HasPrefix(value, "-") && typed == "":
		case begins(value):
			names = append(names, value)
		case len(typed) > 1 && slices.ContainsFunc(strings.Fields(description), begins):
			about = append(about, value)
		}
	}
	if len(names) == 0 {
		names = about
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// completed puts what all choices have in common into the line.
func (l *Line) completed(h view.Host, msg *completedMsg) {
	p := msg.prompt
	if l.prompt != p || p.String() != msg.line {
		return // it was typed on
	}
	l.tab = choices{line: msg.line, head: msg.head, list: msg.list, at: -1}
	switch len(msg.list) {
	case 0:
		p.Offer(nil, 0)
		return
	case 1:
		p.Set(msg.head + Quote(msg.list[0]) + " ")
		p.Suggest(h)
		l.tab = choices{}
		p.Offer(nil, 0)
		return
	}
	if with := common(msg.list); len(with) > len(msg.line)-len(msg.head) && !strings.ContainsAny(with, " \"'\\") {
		p.Set(msg.head + with)
		l.tab.line = p.String()
	}
	p.Suggest(h)
	p.Offer(msg.list, -1)
}

// choose puts one of the choices into the line.
func (l *Line) choose(h view.Host, at int) {
	c := &l.tab
	l.prompt.Set(c.head + Quote(c.list[at]))
	c.at, c.line = at, l.prompt.String()
	l.prompt.Suggest(h)
	l.prompt.Offer(c.list, at)
}

// common is how all words begin.
func common(list []string) string {
	first, last := list[0], list[len(list)-1] // sorted: the others lie between
	n := 0
	for n < min(len(first), len(last)) && first[n] == last[n] {
		n++
	}
	return strings.ToValidUTF8(first[:n], "")
}
