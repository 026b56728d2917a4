// Package places keeps where the reader is between sessions, and goes back there.
package places

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/article"
	"diurna/ui/feeds"
	"diurna/ui/greeting"
	"diurna/ui/impressions"
	"diurna/ui/list"
	"diurna/ui/notes"
	"diurna/ui/opening"
	"diurna/ui/pages"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// Places knows the place of one reader.
type Places struct {
	Nav     *stack.Mover
	Lists   *list.Source
	River   *list.View
	Feeds   *feeds.View
	Pages   *pages.View
	Items   *opening.Items
	Session *impressions.Session

	Starts int        // how often the screen was left before
	at     view.Place // to go back to once the rows are there
}

// Now is where the reader is, as it is kept.
func (p *Places) Now() []byte {
	on := p.Nav.Stack
	at := view.Place{View: uint8(on.At), Starts: p.Starts + 1}
	p.Feeds.Keep(&at)
	p.Lists.Keep(&at)
	if l := on.Items(); l != nil && len(on.Over) == 0 {
		l.KeepRow(&at)
	}
	if len(on.Over) == 1 {
		if l, ok := on.Over[0].(view.Opened); ok {
			l.Keep(&at)
			if from := stack.ItemsOf(on.Over[0].Origin()); from != nil {
				from.KeepRow(&at)
			}
		}
	}
	if on.At == stack.Pages {
		at.Page, _ = p.Pages.About()
	}
	b, err := json.Marshal(at)
	if err != nil {
		return nil
	}
	return b
}

// OnMsg takes in the place of the last session.
func (p *Places) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	note, _ := msg.(notes.Msg)
	if note.Name != greeting.PlaceName || json.Unmarshal(note.Value, &p.at) != nil {
		return nil
	}
	on := p.Nav.Stack
	p.Starts = p.at.Starts
	p.Feeds.Restore(h.Screen(), &p.at)
	p.Lists.Restore(&p.at)
	if !p.Session.LastKey.IsZero() || len(on.Over) > 0 {
		p.at = view.Place{}
		return nil // keys came first: nothing jumps under the reader's hands
	}
	p.Feeds.List.Set(0, 1)
	cmd := p.River.Rearrange(h)
	if no := stack.Number(p.at.View); no != on.At && int(no) < len(on.Numbered) {
		cmd = view.Batch(cmd, p.Nav.Enter(h, no))
	}
	if l := stack.ItemsOf(on.Base()); l != nil && l.Whole() {
		p.Resume(l)
	}
	p.Pages.Want(p.at.Page)
	if id := p.at.Article; id != 0 && p.at.Edits {
		var other func(by int) tea.Cmd
		if on.At == stack.Pages {
			other = p.Pages.Beside(h, id.Feed())
		}
		return view.Batch(cmd, p.Items.ResumeDiff(id, &p.at, other))
	} else if id != 0 {
		cmd = view.Batch(cmd, p.Items.Article(article.Of{Row: reader.Row{ID: id, Flags: reader.FlagRead}, From: on.Base().Origin(), Para: p.at.Para, Into: p.at.Into}))
	}
	return cmd
}

// Resume goes back to the row of the last session, once it is there.
func (p *Places) Resume(l *list.View) {
	if p.at.Item == 0 || p.Nav.Base() != view.View(l) || l.Moved() {
		return
	}
	l.Return(&p.at)
	p.at.Item = 0
}
