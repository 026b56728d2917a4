package ui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// What a person says about interest, and what is answered to w in Ranked.

// whyPanel explains the chosen row below the list.
type whyPanel struct {
	item reader.ItemID // asked about
	row  int           // where it stands
	gen  uint64        // of the answer awaited; 0: none is
	got  reader.ItemWhy
}

// whyMsg brings an explanation.
type whyMsg struct {
	gen uint64
	why reader.ItemWhy
	err error
}

// openPanel explains the chosen row, or closes the explanation.
func (m *model) openPanel(l *items) tea.Cmd {
	if l.panel != nil {
		l.panel = nil
		return nil
	}
	if l.chosen() == nil {
		return nil
	}
	l.panel = &whyPanel{}
	return m.explainRow()
}

// explainRow asks about the row that is chosen now, if a panel shows another one.
func (m *model) explainRow() tea.Cmd {
	l := m.topItems()
	if l == nil || l.panel == nil {
		return nil
	}
	p, id := l.panel, l.chosenID()
	p.row = l.List.Cur + 1
	if id == p.item || p.gen != 0 {
		return nil // one question at a time; the answer asks for the newest
	}
	p.item, p.gen = id, m.Gen()
	return m.eff.whyItem(p.gen, id, max(0, m.H-2))
}

func (l *items) gotWhy(m *model, msg whyMsg) {
	if l.panel == nil || l.panel.gen != msg.gen {
		return
	}
	l.panel.gen = 0
	if msg.err != nil {
		m.Say(view.Sentence(msg.err))
		return
	}
	l.panel.got = msg.why
}

// lines draws the panel in at most h lines.
func (p *whyPanel) lines(s *view.Scene, w, h int) []string {
	if p == nil || h < 2 {
		return nil
	}
	g := &p.got
	head := fmt.Sprintf("why is this row %s?", wording.Count(p.row))
	if g.ID != "" && w < view.Wide {
		head = fmt.Sprintf("row %s: %s = %s + finding %s", wording.Count(p.row), reader.Thousandths(g.Score), reader.Thousandths(g.Chance), reader.Thousandths(g.Bonus))
	} else if g.ID != "" {
		head += fmt.Sprintf("   score %s = chance you open it %s + finding out %s", reader.Thousandths(g.Score), reader.Thousandths(g.Chance), reader.Thousandths(g.Bonus))
	}
	out := []string{s.Th.In(s.Th.Head, s.Th.Rule(head, w))}
	if g.ID == "" {
		return out
	}
	lines := g.Lines()
	lines[0].Seen = wording.Count(g.Opened) + " opened of " + wording.Count(g.Shown) + " shown"
	if more := len(lines) + 1 - h; more > 0 && h > 4 {
		// What finding out did stays; the smallest effects give way to it.
		last := len(lines) - 1
		lines = append(lines[:h-3:h-3], reader.WhyLine{What: fmt.Sprintf("%d more", last-(h-3)), Seen: "diurna why " + g.ID + " lists them"}, lines[last])
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
	out := []string{fmt.Sprintf("Score %s: chance you open it %s, finding out %s.", reader.Thousandths(g.Score), reader.Thousandths(g.Chance), reader.Thousandths(g.Bonus))}
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
	return m.queue(&job{kind: jobTeach, lesson: l})
}

// setLearning is P and X while w is open: the feed stands above all others, or
// teaches nothing; the same key again ends it.
func (m *model) setLearning(what reader.Learning) tea.Cmd {
	l, r := m.topItems(), m.chosenRow()
	if l == nil || l.panel == nil || r == nil {
		m.Say("P pins a feed and X leaves it out of learning, while w is open in Ranked.")
		return nil
	}
	f := m.Feeds[r.ID.Feed()]
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
	return m.adjust(f.Key, "learning", what.String(), say)
}

// taught asks again for an explanation that is open.
func (m *model) taught() tea.Cmd {
	if l := m.topItems(); l != nil && l.panel != nil {
		l.panel.item = 0
		return m.explainRow()
	}
	return nil
}

// evidence is :evidence: what was learned, as text; reset, freeze and thaw.
func (m *model) evidence(text string) tea.Cmd {
	switch text {
	case "reset":
		return m.queue(&job{kind: jobReset, say: "What was learned is reset. u undoes."})
	case "freeze":
		return m.queue(&job{kind: jobFreeze, freeze: true, say: "Nothing is learned until :evidence thaw. u undoes."})
	case "thaw":
		return m.queue(&job{kind: jobFreeze, say: "Learning is on again. u undoes."})
	case "":
		return m.eff.evidence(m.Wonder())
	}
	m.Say(":evidence shows it; :evidence reset, freeze, thaw. In a shell: diurna evidence edit, forget, export.")
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
		rows = append(rows, "Learning is switched off. :evidence thaw switches it on.")
	}
	rows = append(rows, ":evidence reset, freeze, thaw. In a shell: diurna evidence edit, forget SINCE, export.", "",
		"opened  not opened  (older evidence counts less)")
	for line := range strings.Lines(msg.text) {
		parts := strings.Split(strings.TrimSpace(line), "\t")
		if len(parts) == 4 && !strings.HasPrefix(line, "#") {
			rows = append(rows, fmt.Sprintf("%8s  %10s  %s %s", parts[2], parts[3], parts[0], strings.Trim(parts[1], `"`)))
		}
	}
	m.Push(view.NewSheet("Evidence", rows))
}

// sights follow which rows stand on the screen while keys come. A row that stood
// there for a second teaches; what is on a screen that nobody touches does not.
type sights struct {
	now   []reader.Sight // unread rows on the screen since then
	since time.Time
	seen  map[reader.ItemID]*sight
	due   int  // of seen, to be noted
	armed bool // a command is on its way that will look again
}

// sight is one row in this sitting.
type sight struct {
	dwell time.Duration
	best  int // its best row so far, 1 the top
	noted int // the row that was noted; 0: none yet
}

const (
	sightAfter = time.Second     // on the screen, to have been seen
	sightUntil = 2 * time.Minute // after the last key
	sightBatch = 64              // rows are noted at once, also while keys come
)

// sightMsg: a second has passed since a key.
type sightMsg struct{}

// countSights counts the time that the rows stood there until now.
func (m *model) countSights() {
	s := &m.sights
	until := m.Now
	if last := m.lastKey.Add(sightUntil); until.After(last) {
		until = last
	}
	for _, row := range s.now {
		x := s.seen[row.ID]
		if x == nil {
			x = &sight{best: row.Row}
			s.seen[row.ID] = x
		}
		was := x.due()
		if d := until.Sub(s.since); d > 0 {
			x.dwell += d
			x.best = min(x.best, row.Row)
		}
		if !was && x.due() {
			s.due++
		}
	}
	s.since = m.Now
}

// due reports whether the row is worth a fact: seen, and not yet noted or since
// then higher up.
func (x *sight) due() bool { return x.dwell >= sightAfter && (x.noted == 0 || x.best < x.noted) }

// follow notes which rows stand on the screen from now on, and sees to it that
// they are counted in a second.
func (m *model) follow() tea.Cmd {
	s := &m.sights
	s.now, s.since = s.now[:0], m.Now
	l := m.topItems()
	if l != nil && !l.isSearch() && l != m.saved && !m.tiny() {
		if s.seen == nil {
			s.seen = make(map[reader.ItemID]*sight)
		}
		row := 0
		for y := l.List.Top; y < l.List.Lines() && y < l.List.Top+l.High; y++ {
			i, head := l.List.At(y)
			if head >= 0 {
				continue
			}
			row++
			if r := l.at(i); unread(r) {
				s.now = append(s.now, reader.Sight{ID: r.ID, Row: row})
			}
		}
	}
	if s.armed || m.eff.calm || len(s.now) == 0 && s.due == 0 {
		return nil
	}
	s.armed = true
	return m.eff.sightLater(sightAfter)
}

// gotSight counts; a second after the last key it notes what was seen, and then
// nothing wakes up until the next key.
func (m *model) gotSight() tea.Cmd {
	s := &m.sights
	s.armed = false
	m.countSights()
	if quiet := m.Now.Sub(m.lastKey); quiet < sightAfter {
		s.armed = true
		again := m.eff.sightLater(sightAfter - quiet)
		if s.due >= sightBatch {
			return tea.Batch(again, m.eff.saw(m.Now, m.takeSights()))
		}
		return again
	}
	return m.eff.saw(m.Now, m.takeSights())
}

// takeSights gives what is to be noted, as if it were.
func (m *model) takeSights() []reader.Sight {
	var out []reader.Sight
	for id, x := range m.sights.seen {
		if x.due() {
			out = append(out, reader.Sight{ID: id, Row: x.best})
			x.noted = x.best
		}
	}
	m.sights.due = 0
	return out
}
