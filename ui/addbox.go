package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// addStage is how far adding has come.
type addStage uint8

const (
	addTyping  addStage = iota // the cursor is in the box
	addChoices                 // the cursor is on what was found on this machine
	addLooking                 // the address, or the chosen candidate, is being looked at
	addFound                   // candidates are shown
	addKeeping                 // subscribing or importing
)

// addBox is the box for an address and what comes of it. The empty library is
// this box.
type addBox struct {
	view.Base
	view.Editor
	first   bool // nothing is subscribed: it is the whole program for now
	stage   addStage
	choices []FoundHere // the demo last
	List    view.List   // choices or candidates
	found   reader.Found
	filling map[int]uint64 // candidates that are being fetched, and for which question
	opts    reader.SubscribeOptions
	wrong   string // the sentence why there is nothing
	known   reader.FeedID
	watches bool // there is no feed, but a page that Enter watches
	gen     uint64
}

// demoPath marks the choice that is no file.
const demoPath = "\x00demo"

func newAddBox(o Options, first bool) *addBox {
	b := &addBox{first: first}
	if first {
		b.choices = append(b.choices, o.Found...)
		if !o.Demo {
			b.choices = append(b.choices, FoundHere{"try the demo", "a made-up library, offline, thrown away at the end", demoPath})
		}
	}
	return b
}

func (b *addBox) Context() view.Context {
	switch b.stage {
	case addChoices:
		return view.CtxChoices
	case addFound:
		return view.CtxFound
	}
	return view.CtxAdd
}

func (b *addBox) Title(*view.Scene, int) (string, string) { return "Add", "" }

func (b *addBox) Over() (string, bool) { return "", true }

// move chooses another choice or candidate, which is fetched to be shown.
func (b *addBox) Move(h view.Host, d int) tea.Cmd {
	m := of(h)
	b.List.Set(b.List.Cur+d, 1<<20)
	return m.fillChosen(b)
}

// back goes from the candidates to the box. Behind the box of an empty library
// there is nothing.
func (b *addBox) Back(h view.Host) view.Backing {
	m := of(h)
	switch {
	case b.stage == addFound:
		b.stage = addTyping
		b.gen = m.Gen()
		return view.BackWithin
	case b.first && len(m.stack) == 1:
		return view.BackNever
	}
	return view.BackOut
}

// chosen is the candidate under the cursor.
func (b *addBox) chosen() *reader.Candidate {
	if b.stage != addFound || b.List.Cur >= len(b.found.Candidates) {
		return nil
	}
	return &b.found.Candidates[b.List.Cur]
}

func (b *addBox) Lines(s *view.Scene, w, h int) []string {
	if b.stage == addFound {
		return s.Fill(b.drawFound(s, w, h), w, h)
	}
	in := 6
	if w < view.Wide {
		in = 2
	}
	blank := s.Th.Fit("", w)
	lines := []string{blank}
	if b.first && h > 12 {
		lines = append(lines, blank)
		lines = append(lines, s.Wrap(addIntro, in, min(w, 76))...)
		lines = append(lines, blank)
	}
	text, _ := b.Draw(s.Th.Measure, w-in-3)
	lines = append(lines, s.Th.Fit(s.Th.Fit("", in)+"> "+text, w), blank)
	if b.wrong != "" {
		lines = append(lines, s.Wrap(b.wrong, in, min(w, 78))...)
		lines = append(lines, blank)
	} else if h > 12 {
		lines = append(lines, s.Wrap("Enter looks for the feed and shows what it would bring before you keep it.", in, min(w, 80))...)
		lines = append(lines, blank)
	}
	if len(b.choices) > 0 {
		lines = append(lines, blank, s.Th.Fit(s.Th.Fit("", in)+"Found on this machine:", w), blank)
		lines = append(lines, b.drawChoices(s, in, w)...)
	}
	lines = s.Fill(lines, w, h)
	if b.first && s.Dir != "" && h > 18 {
		for i, l := range s.Wrap("Everything stays in "+s.Dir+". No config file is needed.", in, w) {
			lines[min(h-3+i, h-1)] = l
		}
	}
	return s.FitAll(lines, w)
}

func (b *addBox) drawChoices(s *view.Scene, in, w int) []string {
	var lines []string
	for i, c := range b.choices {
		for j, detail := range strings.Split(c.Detail, "\n") {
			pointer, label := "  ", ""
			if j == 0 {
				label = c.Label
				if b.stage == addChoices && i == b.List.Cur {
					pointer = "> "
				}
			}
			lines = append(lines, s.Th.Fit(s.Th.Fit("", in)+pointer+s.Th.Fit(label, 20)+detail, w))
		}
	}
	return lines
}

// drawFound shows the feeds of an address and what the chosen one would bring.
func (b *addBox) drawFound(s *view.Scene, w, h int) []string {
	in := 6
	if w < view.Wide {
		in = 2
	}
	pad, blank := s.Th.Fit("", in), s.Th.Fit("", w)
	address := plain.Redact(b.found.Address)
	at := strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://")
	lines := []string{blank, s.Th.Fit(pad+"> "+address, w), blank}
	head := fmt.Sprintf("%s at %s:", wording.Plural(len(b.found.Candidates), "feed"), at)
	if n := len(b.found.Candidates); n < len(few) {
		head = few[n] + " at " + at + ":"
	}
	lines = append(lines, s.Th.Fit(pad+head, w), blank)
	names := 14
	for i := range b.found.Candidates {
		names = max(names, min(30, s.Th.Measure.Width(candidateName(&b.found.Candidates[i]))+2))
	}
	// A page may name a hundred feeds: the chosen one stays in sight.
	room := max(3, h/2-6)
	from := max(0, min(b.List.Cur-room/2, len(b.found.Candidates)-room))
	for i := from; i < min(len(b.found.Candidates), from+room); i++ {
		c := &b.found.Candidates[i]
		pointer := "  "
		if i == b.List.Cur {
			pointer = "> "
		}
		lines = append(lines, s.Th.Fit(s.Th.Fit("", in-2)+pointer+s.Th.Fit(s.Th.Fit(candidateName(c), names-2), names)+candidateFacts(c, s), w))
	}
	lines = append(lines, s.Th.Fit(pad+s.Th.Fit("w", names)+"no feed: watch the page itself for changes", w), blank)
	if c := b.chosen(); c != nil {
		for _, l := range b.brings(s, c, h-len(lines)) {
			lines = append(lines, s.Th.Fit(pad+l, w))
		}
	}
	return lines
}

// few writes small numbers of feeds as words.
var few = []string{"No feed", "One feed", "Two feeds", "Three feeds", "Four feeds", "Five feeds"}

func candidateName(c *reader.Candidate) string {
	if c.Title == "" {
		return plain.Redact(c.URL)
	}
	return c.Title
}

// candidateFacts is "20 items, newest today 10:12, about 9 a day".
func candidateFacts(c *reader.Candidate, s *view.Scene) string {
	switch {
	case c.Known != 0:
		return "already subscribed as " + c.KnownAs
	case c.Err != nil:
		return c.Err.Error()
	case !c.Fetched:
		return "not looked at yet"
	case len(c.Items) == 0:
		return "no items"
	}
	say := wording.Plural(len(c.Items), "item")
	if t := c.Items[0].Published; !t.IsZero() {
		say += ", newest " + wording.When(t, s.Now)
	}
	switch {
	case c.PerDay >= 1:
		say += fmt.Sprintf(", about %.0f a day", c.PerDay)
	case c.PerDay*7 >= 1:
		say += fmt.Sprintf(", about %.0f a week", c.PerDay*7)
	}
	return say
}

// brings shows the newest items of a candidate in at most h lines.
func (b *addBox) brings(s *view.Scene, c *reader.Candidate, h int) []string {
	if len(c.Items) == 0 || h < 3 {
		return nil
	}
	lines := []string{candidateName(c) + " brings:"}
	n := min(len(c.Items), max(1, h-3), 10)
	for _, it := range c.Items[:n] {
		lines = append(lines, "  "+s.Th.Fit(view.Short(it.Published, s.Now), 5)+"  "+view.TitleOf(it.Title))
	}
	say := ""
	if rest := len(c.Items) - n; rest > 0 {
		say = fmt.Sprintf("%s %s more", s.Th.Dots, wording.Count(rest))
		if t := c.Items[len(c.Items)-1].Published; !t.IsZero() {
			say += ", back to " + wording.When(t, s.Now)
		}
		say += ". "
	}
	switch {
	case b.opts.AllUnread:
		say += fmt.Sprintf("All %d come unread.", len(c.Items))
	case c.Fresh == 1:
		say += "The newest comes unread."
	case c.Fresh > 1:
		say += fmt.Sprintf("The %d of the last 7 days come unread.", c.Fresh)
	}
	if b.opts.Title != "" {
		say += " Title: " + b.opts.Title + "."
	}
	if len(b.opts.Tags) > 0 {
		say += " Tags: " + strings.Join(b.opts.Tags, ", ") + "."
	}
	return append(lines, "  "+strings.TrimSpace(say))
}

func (b *addBox) Status(s *view.Scene, _ int) (string, []string) {
	switch b.stage {
	case addLooking:
		return "looking at " + b.Link() + " " + s.Th.Dots + "  ^c stops", nil
	case addKeeping:
		return "fetching " + s.Th.Dots + "  ^c stops", nil
	case addChoices:
		return "Enter take   j k choose   a the box   ? help   q quit", nil
	case addFound:
		if c := b.chosen(); c != nil && c.Known != 0 {
			return "Enter goes there   j k choose   Esc another", nil
		}
		unread := "U all unread"
		if b.opts.AllUnread {
			unread = "U not all unread"
		}
		return s.Th.Words([]string{"Enter subscribe", "t tags", "T title", unread, "j k choose", "Esc another"}, 200), nil
	}
	if b.watches {
		return "Enter watch the page   Esc back", nil
	}
	if b.first {
		return "Enter look   down-arrow choices   Esc leave the box (then ? help, q quit)", nil
	}
	return "Enter look   Esc back", nil
}

// address is what was typed, with a scheme where it lacks one.
func (b *addBox) Link() string {
	a := strings.TrimSpace(b.String())
	if strings.Contains(a, "://") || strings.HasPrefix(a, "/") || strings.HasPrefix(a, "~") || strings.HasPrefix(a, ".") {
		return a
	}
	return "https://" + a
}
