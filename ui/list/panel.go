package list

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Why a row stands where it does.

// whyPanel explains the chosen row below the list.
type whyPanel struct {
	src   *Source
	table *table
	open  bool
	item  reader.ItemID // asked about
	row   int           // where it stands
	gen   uint64        // of the answer awaited; 0: none is
	got   reader.ItemWhy
}

// whyMsg brings an explanation.
type whyMsg struct {
	gen uint64
	why reader.ItemWhy
	err error
}

// close closes the panel; an answer on its way is to nothing.
func (p *whyPanel) close() { *p = whyPanel{src: p.src, table: p.table} }

// toggle explains the chosen row, or closes the explanation.
func (p *whyPanel) toggle(h view.Host) tea.Cmd {
	if p.open {
		p.close()
		return nil
	}
	p.open = p.table.chosen() != nil
	return p.explain(h)
}

// explain asks about the row that is chosen now, if the panel shows another one.
func (p *whyPanel) explain(h view.Host) tea.Cmd {
	if !p.open {
		return nil
	}
	id := p.table.chosenID()
	p.row = p.table.List.Cur + 1
	if id == p.item || p.gen != 0 {
		return nil // one question at a time; the answer asks for the newest
	}
	p.item, p.gen = id, h.Gen()
	return p.src.why(h, p.gen, id)
}

// Explain asks about the row that is chosen now, if a panel shows another one.
func (l *View) Explain(h view.Host) tea.Cmd { return l.why.explain(h) }

// take shows the explanation that came, if it is the one awaited.
func (p *whyPanel) take(h view.Host, msg whyMsg) {
	if p.gen != msg.gen || !p.open {
		return
	}
	p.gen = 0
	if msg.err != nil {
		h.Say(view.Sentence(msg.err))
		return
	}
	p.got = msg.why
}

// lines draws the panel in at most h lines.
func (p *whyPanel) lines(s *view.Scene, w, h int) []string {
	if !p.open || h < 2 {
		return nil
	}
	g := &p.got
	head := fmt.Sprintf("why is this row %s?", wording.Count(p.row))
	if g.ID != "" && w < view.Wide {
		head = fmt.Sprintf("row %s: %s = %s + bonus %s", wording.Count(p.row), reader.Thousandths(g.Score), reader.Thousandths(g.Chance), reader.Thousandths(g.Bonus))
	} else if g.ID != "" {
		head += fmt.Sprintf("   score %s = chance you open it %s + learning bonus %s", reader.Thousandths(g.Score), reader.Thousandths(g.Chance), reader.Thousandths(g.Bonus))
	}
	out := []string{s.Th.In(s.Th.Head, s.Th.Rule(head, w))}
	if g.ID == "" {
		return out
	}
	lines := g.Lines()
	lines[0].Seen = wording.Count(g.Opened) + " opened of " + wording.Count(g.Shown) + " shown"
	ends := len(lines)
	for ends > 0 && lines[ends-1].Last {
		ends--
	}
	// What closes the sum stays; the smallest effects give way to it.
	if room := h - 2 - (len(lines) - ends); room > 0 && len(lines) > h-1 {
		more := reader.WhyLine{What: fmt.Sprintf("%d more", ends-room), Seen: "diurna why " + g.ID + " lists them"}
		lines = slices.Concat(lines[:room], []reader.WhyLine{more}, lines[ends:])
	}
	for i := range lines {
		out = append(out, p.line(s, &lines[i], w))
	}
	out = append(out, s.Th.Fit("", w))
	say := "\"shown\" counts less for rows low on the screen. Marking read, search and undo count nothing."
	if !g.Since.IsZero() {
		say += " Learned since " + g.Since.In(s.Zone).Format("2 Jan") + ", on this machine only."
	}
	if g.Frozen {
		say += " Learning is switched off."
	}
	out = append(out, s.FitAll(s.Wrap(say, 1, w), w)...)
	return out[:min(len(out), h)]
}

// words are the explanation in sentences, for the linear form.
func (p *whyPanel) words() string {
	g := &p.got
	out := []string{fmt.Sprintf("Score %s: chance you open it %s, learning bonus %s.", reader.Thousandths(g.Score), reader.Thousandths(g.Chance), reader.Thousandths(g.Bonus))}
	for _, l := range g.Lines() {
		out = append(out, strings.TrimSpace(l.What+": "+l.Seen+", "+l.Move+" "+l.To)+".")
	}
	return strings.Join(out, "\n")
}

// line is one term: what counts, how often, and where it moves the chance.
func (p *whyPanel) line(s *view.Scene, l *reader.WhyLine, w int) string {
	what, move := 21, 16
	if w < view.Wide {
		what, move = 12, 7
	}
	seen := max(0, w-what-move-4)
	text := l.Seen
	if w < view.Wide {
		text = strings.TrimPrefix(strings.TrimSuffix(strings.ReplaceAll(text, " opened of ", " of "), " shown"), "this feed was ")
	}
	if l.Feed && l.Note == "" && !p.got.FeedAge.IsZero() {
		if days := int(s.Now.Sub(p.got.FeedAge).Hours() / 24); days < 60 && w >= view.Wide {
			text = s.Th.Fit(text, min(11, seen)) + "(subscribed " + ageDays(days) + ")"
		}
	} else if l.Note != "" {
		text = s.Th.Fit(text, min(11, seen)) + "(" + l.Note + ")"
	}
	to := l.Move
	switch {
	case w < view.Wide && l.To != "":
		to = l.To
	case w < view.Wide:
		to, seen = l.Move, max(0, w-what-4-len(l.Move))
	case l.To != "":
		to = s.Th.Fit(l.Move, 8) + " " + l.To
	}
	return s.Th.Fit(" "+s.Th.Fit(l.What, what)+" "+s.Th.Fit(text, seen)+" "+to, w)
}

func ageDays(n int) string {
	switch n {
	case 0:
		return "today"
	case 1:
		return "yesterday"
	}
	return wording.Count(n) + " days ago"
}

// setLearning is P and X while w is open: the feed stands above all others, or
// teaches nothing; the same key again ends it.
func (p *whyPanel) setLearning(h view.Host, what reader.Learning) tea.Cmd {
	r := p.table.chosen()
	if !p.open || r == nil {
		h.Say("P pins a feed and X leaves it out of learning, while w is open in Ranked.")
		return nil
	}
	f := h.Screen().Feeds[r.ID.Feed()]
	if f == nil {
		return nil
	}
	say := f.Title + " is pinned: it stands above all others from the next g on. u undoes."
	switch {
	case f.Settings.Learning == what:
		what, say = reader.LearnedFrom, f.Title+" is neither pinned nor left out. u undoes."
	case what != reader.Pinned:
		say = f.Title + " is left out of learning. u undoes."
	}
	return h.Change(view.Change{Say: say, Do: func(ctx context.Context) (reader.Done, error) {
		return p.src.lib.Adjust(ctx, f.Key, "learning", what.String())
	}})
}

func (l *View) Why(h view.Host) (tea.Cmd, bool) {
	if l.table.order == reader.Ranked && l.table.rows.ordered() {
		return l.why.toggle(h), true
	}
	return nil, false
}

// Explained asks again for an explanation that is open: what it says may have
// changed.
func (l *View) Explained(h view.Host) tea.Cmd {
	l.why.item = 0
	return l.why.explain(h)
}
