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

// candidates are the feeds of an address, and how the one that is taken is kept.
type candidates struct {
	reader.Found
	filling map[int]uint64 // those that are being fetched, and for which question
	opts    reader.SubscribeOptions
}

// draw shows the feeds of an address and what the chosen one would bring; rows gets
// the lines that they stand on.
func (f *candidates) draw(s *view.Scene, cur int, rows map[int]int, w, h int) []string {
	in := 6
	if w < view.Wide {
		in = 2
	}
	pad, blank := s.Th.Fit("", in), s.Th.Fit("", w)
	address := plain.Redact(f.Address)
	at := strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://")
	lines := []string{blank, s.Th.Fit(pad+"> "+address, w), blank}
	head := fmt.Sprintf("%s at %s:", wording.Plural(len(f.Candidates), "feed"), at)
	if n := len(f.Candidates); n < len(few) {
		head = few[n] + " at " + at + ":"
	}
	lines = append(lines, s.Th.Fit(pad+head, w), blank)
	names := 14
	for i := range f.Candidates {
		names = max(names, min(30, s.Th.Measure.Width(candidateName(&f.Candidates[i]))+2))
	}
	// A page may name a hundred feeds: the chosen one stays in sight.
	room := max(3, h/2-6)
	from := max(0, min(cur-room/2, len(f.Candidates)-room))
	for i := from; i < min(len(f.Candidates), from+room); i++ {
		c := &f.Candidates[i]
		rows[len(lines)] = i
		pointer := "  "
		if i == cur {
			pointer = "> "
		}
		lines = append(lines, s.Th.Fit(s.Th.Fit("", in-2)+pointer+s.Th.Fit(s.Th.Fit(candidateName(c), names-2), names)+candidateFacts(c, s), w))
	}
	lines = append(lines, s.Th.Fit(pad+s.Th.Fit("w", names)+"no feed: watch the page itself for changes", w), blank)
	if cur < len(f.Candidates) {
		for _, l := range f.brings(s, &f.Candidates[cur], h-len(lines)) {
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
func (f *candidates) brings(s *view.Scene, c *reader.Candidate, h int) []string {
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
	case f.opts.AllUnread:
		say += fmt.Sprintf("All %d will be unread.", len(c.Items))
	case c.Fresh == 1:
		say += "The newest will be unread."
	case c.Fresh > 1:
		say += fmt.Sprintf("%d items from the last 7 days will be unread.", c.Fresh)
	}
	if f.opts.Title != "" {
		say += " Title: " + f.opts.Title + "."
	}
	if len(f.opts.Tags) > 0 {
		say += " Tags: " + strings.Join(f.opts.Tags, ", ") + "."
	}
	return append(lines, "  "+strings.TrimSpace(say))
}
