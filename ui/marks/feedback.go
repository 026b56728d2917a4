package marks

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/jobs"
	"diurna/ui/view"
)

// What a user says about interest.

// Train is + and -: on the chosen item, or the chosen feed in Feeds.
func (m *Marks) Train(h view.Host, less bool) tea.Cmd {
	if t, ok := h.Top().(view.Trainer); ok {
		l, none := t.Feedback(less)
		if none != "" {
			h.Say(none)
			return nil
		}
		return m.train(l)
	}
	r := h.Top().Row()
	if r == nil {
		return nil
	}
	return m.train(reader.Feedback{Less: less, Item: r.ID})
}

// Subjects are what :more and :less can be about, before a name.
var Subjects = []string{"author", "category", "feed", "topic", "word"}

// More is :more and Less :less: "word ferry", "feed" of the chosen row, "author NAME".
func (m *Marks) More(h view.Host, text string) tea.Cmd { return m.trainAbout(h, text, false) }

func (m *Marks) Less(h view.Host, text string) tea.Cmd { return m.trainAbout(h, text, true) }

func (m *Marks) trainAbout(h view.Host, text string, less bool) tea.Cmd {
	subject, name, _ := strings.Cut(text, " ")
	r := h.Top().Row()
	switch {
	case text == "":
		return m.Train(h, less)
	case subject == "feed" && name == "" && r != nil:
		name = r.ID.Feed().String()
	case subject == "feed":
		for _, f := range h.Screen().Order {
			if strings.EqualFold(f.Title, name) {
				name = f.Key.String()
			}
		}
	case subject == "author" && name == "" && r != nil:
		name = r.Author
	}
	if name == "" {
		h.Say(":more and :less take feed, category, topic, word or author, and a name.")
		return nil
	}
	return m.train(reader.Feedback{Less: less, Subject: subject, Name: name})
}

func (m *Marks) train(l reader.Feedback) tea.Cmd {
	return m.Queue(&jobs.Job{Kind: jobs.Train, Feedback: l})
}
