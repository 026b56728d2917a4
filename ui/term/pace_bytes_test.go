package term

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/cells"
	"diurna/ui/term/termtest"
)

// rolls is a list of 50,000 rows as the screen composes one: every row fitted
// to the width, the chosen one marked in its first cell, row 1 and the last row
// standing still.
type rolls struct{ n, cur, top, w, h int }

func (m rolls) Init() tea.Cmd { return nil }

func (m rolls) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyPressMsg:
		switch msg.String() {
		case "q":
			return m, tea.Quit
		case "j":
			m.cur = min(m.cur+1, m.n-1)
		}
		m.top = max(m.top, m.cur-(m.h-3))
	}
	return m, nil
}

func (m rolls) View() tea.View {
	var b strings.Builder
	b.WriteString(cells.Fit("[1River] 2Feeds  3Ranked", m.w))
	for i := m.top; i < m.top+m.h-2; i++ {
		mark := " "
		if i == m.cur {
			mark = ">"
		}
		title := cells.Fit(fmt.Sprint(termtest.Titles[i*7%len(termtest.Titles)], i), m.w-30)
		if i%3 > 0 {
			title = "\x1b[1m" + title + "\x1b[m"
		}
		fmt.Fprintf(&b, "\n%s•   %02d:%02d  %s  %s", mark, i/60%24, i%60, cells.Fit(termtest.Feeds[i%len(termtest.Feeds)], 16), title)
	}
	b.WriteByte('\n')
	b.WriteString(cells.Fit(fmt.Sprintf(" row %d. unread · %s", m.cur, termtest.Feeds[m.cur%len(termtest.Feeds)]), m.w))
	v := tea.NewView(b.String())
	v.AltScreen = true
	return v
}

// TestBytesPerKey is the byte meter: it fails when a version of the renderer
// paints more than what changed (one painted every line with a wide character:
// 3,857 bytes a key), inside the screen and while scrolling past its last row.
func TestBytesPerKey(t *testing.T) {
	const most = 400
	g := termtest.NewTerminal(t, 80, 24)
	p, done := g.Run(rolls{n: 50_000}, Paced()...)
	g.Await(t, 0, "row 0.")
	n := g.Settled(t, p)
	worst, sum := 0, 0
	for key := 1; key <= 60; key++ { // 21 inside the screen, the others scroll
		p.Send(tea.KeyPressMsg{Code: 'j', Text: "j"})
		end := g.Settled(t, p)
		if end-n > most {
			t.Errorf("key %d wrote %d bytes: %q", key, end-n, g.From(n))
		}
		worst, sum = max(worst, end-n), sum+end-n
		n = end
	}
	t.Logf("%d bytes a key, at most %d", sum/60, worst)
	g.Master.WriteString("q")
	if err := termtest.Ended(t, done); err != nil {
		t.Error(err)
	}
}
