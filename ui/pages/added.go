package pages

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Added chooses a page that is watched from now on, says so, and fetches it a
// second time where that is due.
func (p *View) Added(h view.Host, w reader.Watched) tea.Cmd {
	p.want = w.Page.Key
	h.Say(fmt.Sprintf("Watching %s: %s. u undoes. i shows the watch settings.", w.Page.Title, wording.Plural(w.Words, "word")))
	if w.Second <= 0 {
		return nil
	}
	return func() tea.Msg {
		second, err := p.pages.SecondFetch(h.Life(), w)
		return secondMsg{w.Page.Title, second, err}
	}
}

// onSecond says what changes by itself on a page that was just added. Other
// outcomes are shown on its row.
func (p *View) onSecond(h view.Host, msg secondMsg) tea.Cmd {
	if msg.err == nil && msg.second.Outcome == reader.SecondDiffers {
		h.Say(fmt.Sprintf("%s: %s differed at a second fetch.", msg.title, wording.Plural(msg.second.Places, "place")))
	}
	return h.Reload()
}
