package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/jobs"
	"diurna/ui/view"
)

// What a user says about interest, and what is answered to w in Ranked.

// teach is + and -: on the chosen item, or the chosen feed in Feeds.
func (m *model) teach(less bool) tea.Cmd {
	if t, ok := m.Top().(view.Teacher); ok {
		l, none := t.Lesson(less)
		if none != "" {
			m.Say(none)
			return nil
		}
		return m.learn(l)
	}
	r := m.chosenRow()
	if r == nil {
		return nil
	}
	return m.learn(reader.Lesson{Less: less, Item: r.ID})
}

// teachAbout is :more and :less: "word ferry", "feed" of the chosen row, "author
// NAME".
func (m *model) teachAbout(text string, less bool) tea.Cmd {
	subject, name, _ := strings.Cut(text, " ")
	r := m.chosenRow()
	switch {
	case text == "":
		return m.teach(less)
	case subject == "feed" && name == "" && r != nil:
		name = r.ID.Feed().String()
	case subject == "feed":
		for i := range m.Order {
			if strings.EqualFold(m.Order[i].Title, name) {
				name = m.Order[i].Key.String()
			}
		}
	case subject == "author" && name == "" && r != nil:
		name = r.Author
	}
	if name == "" {
		m.Say(":more and :less take feed, category, topic, word or author, and a name.")
		return nil
	}
	return m.learn(reader.Lesson{Less: less, Subject: subject, Name: name})
}

func (m *model) learn(l reader.Lesson) tea.Cmd {
	return m.queue(&jobs.Job{Kind: jobs.Teach, Lesson: l})
}

// taught asks again for an explanation that is open.
func (m *model) taught() tea.Cmd {
	if l := m.TopItems(); l != nil {
		return l.Explained(m)
	}
	return nil
}

// evidenceMsg brings what was learned.
type evidenceMsg struct {
	gen  uint64
	sum  reader.Evidence
	text string
	err  error
}

func (m *model) gotEvidence(msg *evidenceMsg) {
	if !m.Answers(msg.gen) {
		return
	}
	if msg.err != nil {
		m.Say(view.Sentence(msg.err))
		return
	}
	e := &msg.sum
	since := ""
	if !e.Since.IsZero() {
		since = ", since " + e.Since.In(m.Zone).Format("2 Jan 2006")
	}
	rows := []string{fmt.Sprintf("%s opened of %s shown%s, on this machine only.", wording.Count(e.Opened), wording.Count(e.Shown), since)}
	if e.Frozen {
		rows = append(rows, "Learning is switched off. :evidence freeze --off switches it on.")
	}
	rows = append(rows, ":evidence reset, freeze, forget SINCE, export. In a shell: diurna evidence edit.", "",
		"opened  not opened  (older evidence counts less)")
	for line := range strings.Lines(msg.text) {
		parts := strings.Split(strings.TrimSpace(line), "\t")
		if len(parts) == 4 && !strings.HasPrefix(line, "#") {
			rows = append(rows, fmt.Sprintf("%8s  %10s  %s %s", parts[2], parts[3], parts[0], strings.Trim(parts[1], `"`)))
		}
	}
	m.Push(view.NewSheet("Evidence", rows))
}
