package add

import (
	"fmt"
	"strings"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// The feeds of an address, drawn.

// drawFound shows the feeds of an address and what the chosen one would bring.
func (b *Box) drawFound(s *view.Scene, w, h int) []string {
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
		b.rows[len(lines)] = i
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
func (b *Box) brings(s *view.Scene, c *reader.Candidate, h int) []string {
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
