package list

import (
	"sort"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// A list whose rows are not asked for by a query of rows but found by something of its
// own, the best first, each with the part of its text that fits below it.

// Finder finds the rows of a list.
type Finder interface {
	// Enter is called when the list comes to light, Ask opens the box for what is to
	// be found.
	Enter(h view.Host, l *View) tea.Cmd
	Ask(h view.Host, l *View) tea.Cmd
	// Find gives what is run beside the event loop to find the rows. took is called
	// when they are taken into the list: from then on the Finder tells of them.
	Find(h view.Host) func() (rows []reader.Row, took func() tea.Cmd, err error)
	// OnMsg takes in what its commands brought; nil where the message is none of its.
	OnMsg(h view.Host, l *View, msg tea.Msg) tea.Cmd
	Text() string               // what is looked for, "" for nothing
	Fact(cur, n int) string     // the right end of row 1, with a row chosen of n
	Place(id reader.ItemID) int // of a row, the best has the lowest
	// Snippet is the part of an item's text that fits, and which bytes of it do.
	Snippet(id reader.ItemID) (text string, marks [][2]int)
}

// find asks the Finder for the rows.
func (s *Source) find(h view.Host, gen uint64, by Finder) tea.Cmd {
	find, ctx := by.Find(h), h.Life()
	return func() tea.Msg {
		rows, took, err := find()
		sort.Slice(rows, func(i, j int) bool { return newer(&rows[i], &rows[j]) })
		return rowsMsg{gen: gen, rows: rows, shown: rows, groups: s.stories.read(ctx), err: err, took: took}
	}
}

// rank puts the rows in the order of what found them.
func (s *rows) rank(by Finder) {
	s.perm, s.order, s.past = make([]int32, len(s.all)), reader.Ranked, nil
	for i := range s.perm {
		s.perm[i] = int32(i)
	}
	sort.SliceStable(s.perm, func(i, j int) bool { return by.Place(s.all[s.perm[i]].ID) < by.Place(s.all[s.perm[j]].ID) })
}

// twoLines reports whether a screen is high enough for a second line below a row.
func twoLines(s *view.Scene) bool { return s.H >= 16 }

// snippets are the rows above which a line stands that says more of the row before.
func (s *rows) snippets(by Finder, two bool) (at []int) {
	for i := 0; two && i < s.len(); i++ {
		if text, _ := by.Snippet(s.at(i).ID); text != "" {
			at = append(at, i+1)
		}
	}
	return at
}

// drawSnippet draws the line below a row in w cells.
func drawSnippet(s *view.Scene, by Finder, id reader.ItemID, w int) string {
	const indent = 5
	th, room, at := &s.Th, w-indent-1, 0
	text, marks := by.Snippet(id)
	part := func(style lipgloss.Style, to int) string {
		whole, cut := th.Measure.Clean(text[at:to]), th.Measure.Cut(th.Measure.Clean(text[at:]), room)
		at = to
		if !strings.HasPrefix(cut, whole) {
			whole, at, text = cut, 0, "" // nothing stands behind what was cut
		}
		room -= th.Measure.Width(whole)
		return th.In(style, whole)
	}
	out := th.Fit("", indent)
	for _, m := range marks {
		if text != "" {
			out += part(th.Quiet, m[0])
		}
		if text != "" {
			out += part(th.Pointer, m[1])
		}
	}
	out += part(th.Quiet, len(text))
	return out + th.Fit("", room+1)
}
