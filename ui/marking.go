package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/ui/view"
)

// Marking in Feeds: a whole feed or folder, or the part of it that a letter
// after M means. What is marked are exactly the rows that were counted.

// markWords are what :mark does, as in the shell.
var markWords = map[string]struct {
	act  reader.Act
	told string
	flag reader.Flags
	had  bool // rows that have the flag are what it is for
}{
	"read":    {reader.MarkRead, tellRead, reader.FlagRead, false},
	"unread":  {reader.MarkUnread, "Marked %s unread in %s. u undoes.", reader.FlagRead, true},
	"saved":   {reader.Save, "Saved %s in %s. u undoes.", reader.FlagSaved, false},
	"unsaved": {reader.Unsave, "Took %s off the saved in %s. u undoes.", reader.FlagSaved, true},
}

// markCommand marks what fits a query in the whole library, as the shell does.
func (m *model) markCommand(text string) tea.Cmd {
	what, wanted, _ := strings.Cut(text, " ")
	word, ok := markWords[what]
	if wanted = strings.TrimSpace(wanted); !ok || wanted == "" {
		m.Say(":mark needs read, unread, saved or unsaved and a query: mark read folder:comics older:1w")
		return nil
	}
	q, err := query.Parse(wanted, m.Now)
	if err != nil {
		m.Say(err.Error()) // begins with a word of the query, as it was typed
		return nil
	}
	j := &job{kind: jobMark, act: word.act, scope: wanted, reload: true, sitting: m.sittingAt()}
	return m.eff.fit(fitMsg{job: j, told: what}, q)
}

// gotFit does what :mark was for to the items that it changes.
func (m *model) gotFit(msg fitMsg) tea.Cmd {
	if msg.err != nil {
		m.Say(view.Sentence(msg.err))
		return nil
	}
	word := markWords[msg.told]
	for i := range msg.rows {
		if (msg.rows[i].Flags&word.flag != 0) == word.had {
			msg.job.ids = append(msg.job.ids, msg.rows[i].ID)
		}
	}
	if len(msg.job.ids) == 0 {
		m.Say(fmt.Sprintf("Nothing to mark %s fits \"%s\".", msg.told, msg.job.scope))
		return nil
	}
	msg.job.tell = word.told
	return m.carry(msg.job)
}
