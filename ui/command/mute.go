package command

import (
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/reader/words"
	"diurna/ui/view"
)

// AskMute opens the box with the command that mutes a word of the chosen item: the
// longest of its title stands there, and Tab goes on to the others, the author and the
// whole title.
func (l *Line) AskMute(h view.Host) tea.Cmd {
	r := h.Top().Row()
	if r == nil {
		return nil
	}
	cmd := l.Ask(h)
	l.tab = choices{head: "mute ", list: muteWords(r)}
	if len(l.tab.list) == 0 {
		l.prompt.Set(l.tab.head)
		return cmd
	}
	l.choose(h, 0)
	return cmd
}

// maxMuteWords bounds what is offered of a title.
const maxMuteWords = 30

// muteWords are queries that fit an item, those that are likely to be meant first: long
// words, which say more, then the author, then the title as a phrase.
func muteWords(r *reader.Row) []string {
	var list []string
	title := plain.Line(r.Title, 200)
	for t := range words.Cut(title) {
		q, err := query.Parse(t.Text, time.Time{})
		if utf8.RuneCountInString(t.Text) < 2 || err != nil || !q.OnlyWords() || slices.Contains(list, t.Text) {
			continue
		}
		if list = append(list, t.Text); len(list) == maxMuteWords {
			break
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		return utf8.RuneCountInString(list[i]) > utf8.RuneCountInString(list[j])
	})
	if name := unquoted(plain.Line(r.Author, 80)); name != "" {
		list = append(list, `author:"`+name+`"`)
	}
	if whole := unquoted(title); strings.Contains(whole, " ") {
		list = append(list, `title:"`+whole+`"`)
	}
	return slices.DeleteFunc(list, func(text string) bool {
		q, err := query.Parse(text, time.Time{})
		return err != nil || q.Empty()
	})
}

// unquoted is a text without what would end a phrase.
func unquoted(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c == '"' || c == '\\' || c == ' ' }), " ")
}
