package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"diurna/reader"
)

// hardHTML has what is hard to lay out, each kind once.
const hardHTML = `<p>港の便り。三月の潮と港の工事について、冬の時刻表は十一月十五日までです。船は毎時出ます。</p>
<pre>for harbour in $(cat harbours.txt); do   curl --silent --fail "https://$harbour/tides.json" | jq .tides; done</pre>
<table><tr><th>Harbour<th align=right>Depth<th>Remarks<tr><td>Oldquay<td align=right>4.1 m<td>closed while fog lasts, and for an hour after low water at spring tide
<tr><td>Newquay<td align=right>12.0 m<td>no night arrivals</table>
<table><tr><th>Harbour<th>Pilotage<th>Anchorage<th>Drinking water<th>Electricity<th>Remarks of the harbour master
<tr><td>Oldquay<td>compulsory<td>forbidden<td>at the quay<td>sixteen amperes<td>call on channel 12
<tr><td>Newquay<td>on request<td>two buoys<td>at the pump<td>thirty-two amperes<td>closed on Sundays</table>
<p>The ferry costs <del>8 €</del> <ins>9.50 €</ins>. 👨‍👩‍👧 ❤️ 👍🏽 🇩🇪</p>
<p><img src="a.png" alt="the quay"><img src="b.png"><a href="/story"><img src="c.png" alt="the ferry"></a></p>
<iframe src="https://v.example/1" title="A film"></iframe><iframe src="https://v.example/2"></iframe>
<p dir=rtl>سلام دنیا، این یک متن فارسی است و چند خط دارد تا دیده شود که چگونه شکسته می&zwnj;شود.</p>
<p>The end.</p>`

const hardTitle = "三月の潮と港の工事について、港の便りが届きました。来月から冬の時刻表になりますのでご注意ください 👨‍👩‍👧"

// hardFake has an article that is hard to lay out at the top of River.
func hardFake() *fake {
	lib := newFake()
	lib.row(item(1, 9)).Title = hardTitle
	lib.bodies[item(1, 9)] = reader.Article{Base: "https://kernelnotes.example/2026/", HTML: hardHTML}
	return lib
}

// TestReadingScreens pages through that article to its end.
func TestReadingScreens(t *testing.T) {
	for _, clusters := range []bool{false, true} {
		for _, size := range sizes {
			name := fmt.Sprintf("%dx%d", size[0], size[1])
			if clusters {
				name += "-clusters"
			}
			t.Run(name, func(t *testing.T) {
				d := newDesk(t, hardFake(), size[0], size[1])
				if clusters {
					d.send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
				}
				d.press("enter")
				screens := []string{d.screen()}
				for !strings.Contains(screens[len(screens)-1], " 100 %") && len(screens) < 30 {
					d.press("space")
					screens = append(screens, d.screen())
				}
				measure := ansi.WcWidth
				if clusters {
					measure = ansi.GraphemeWidth
				}
				for _, line := range strings.Split(strings.Join(screens, "\n"), "\n") {
					if n := measure.StringWidth(line); n > size[0] {
						t.Errorf("%d cells of %d: %q", n, size[0], line)
					}
				}
				golden.RequireEqual(t, strings.Join(screens, "\n"+strings.Repeat("=", size[0])+"\n"))
			})
		}
	}
}

// TestModeReport: the widths follow the answer of the terminal, while an
// article is open too, and no other answer than "I know it".
func TestModeReport(t *testing.T) {
	for _, c := range []struct {
		mode  ansi.Mode
		value ansi.ModeSetting
		whole bool
	}{
		{ansi.ModeUnicodeCore, ansi.ModeReset, true},
		{ansi.ModeUnicodeCore, ansi.ModeSet, true},
		{ansi.ModeUnicodeCore, ansi.ModePermanentlySet, true},
		{ansi.ModeUnicodeCore, ansi.ModePermanentlyReset, false},
		{ansi.ModeUnicodeCore, ansi.ModeNotRecognized, false},
		{ansi.ModeSynchronizedOutput, ansi.ModeReset, false},
	} {
		d := newDesk(t, hardFake(), 80, 60)
		d.press("enter")
		d.shows("👨👩👧 ❤ 👍 DE")
		d.send(tea.ModeReportMsg{Mode: c.mode, Value: c.value})
		if c.whole {
			d.shows("👨\u200d👩\u200d👧 ❤\ufe0f 👍🏽 🇩🇪", "ご注意ください 👨\u200d👩\u200d👧")
		} else {
			d.shows("👨👩👧 ❤ 👍 DE")
		}
	}
}
