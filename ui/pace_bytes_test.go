package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/cells"
)

// rolls is a list of 50,000 rows as the screen composes one: every row fitted
// to the width, the chosen one told by its first cell, row 1 and the last row
// standing still.
type rolls struct{ n, cur, top, w, h int }

// Words of every width: ASCII, ideographs, emoji with joiners, marks, Hangul.
var (
	rollFeeds  = []string{"Kernel Notes", "Harbour Gazette", "港の便り", "Comet Desk 🌠", "부두 소식"}
	rollTitles = []string{
		"The new block layer, six months on, and what became of the promise",
		"Ferry 3 🚢 out of service until Monday, and what the council says about it",
		"三月の潮と港の工事について、港の便りが届きました。来月の分もあります、長い題です",
		"Patches worth reading, 13–19 November 👨\u200d👩\u200d👧 for the family, with a flag 🇩🇪 and a heart ❤\ufe0f",
		"Tie\u0302\u0301ng Vie\u0323\u0302t, n\u0303andu\u0301, q\u0303: a bug in wcwidth and what came of it in the end",
		"한국어 문장도 하나 있습니다",
	}
)

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
		title := cells.Fit(fmt.Sprint(rollTitles[i*7%len(rollTitles)], i), m.w-30)
		if i%3 > 0 {
			title = "\x1b[1m" + title + "\x1b[m"
		}
		fmt.Fprintf(&b, "\n%s•   %02d:%02d  %s  %s", mark, i/60%24, i%60, cells.Fit(rollFeeds[i%len(rollFeeds)], 16), title)
	}
	b.WriteByte('\n')
	b.WriteString(cells.Fit(fmt.Sprintf(" row %d. unread · %s", m.cur, rollFeeds[m.cur%len(rollFeeds)]), m.w))
	v := tea.NewView(b.String())
	v.AltScreen = true
	return v
}

// TestBytesPerKey is the byte meter: it fails when a version of the renderer
// paints more than what changed (one painted every line with a wide character:
// 3,857 bytes a key), inside the screen and while scrolling past its last row.
func TestBytesPerKey(t *testing.T) {
	const most = 400
	g := newGlass(t, 80, 24)
	p, done := g.run(rolls{n: 50_000})
	g.await(t, 0, "row 0.")
	n := g.settled(t, p)
	worst, sum := 0, 0
	for key := 1; key <= 60; key++ { // 21 inside the screen, the others scroll
		p.Send(keyMsg("j"))
		end := g.settled(t, p)
		if end-n > most {
			t.Errorf("key %d wrote %d bytes: %q", key, end-n, g.from(n))
		}
		worst, sum = max(worst, end-n), sum+end-n
		n = end
	}
	t.Logf("%d bytes a key, at most %d", sum/60, worst)
	g.master.WriteString("q")
	if err := ended(t, done); err != nil {
		t.Error(err)
	}
}
