package feeds

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// & narrows the tree to the feeds that fit: by name, tag, folder and state.
// Folders show, count and open then what fits in them, and so does the top row.

// narrowing is what the tree is narrowed by; the zero narrowing fits every feed.
type narrowing struct {
	text   string
	tests  []func(*reader.Feed) bool
	folded map[string]bool // what was folded before: all that fits is shown
}

// states are the words that mean how a feed is doing. In quotes they are parts
// of names as any other word.
var states = map[string]func(*reader.Feed) bool{
	"unread":  func(f *reader.Feed) bool { return f.Unread > 0 },
	"read":    func(f *reader.Feed) bool { return f.Unread == 0 },
	"hidden":  func(f *reader.Feed) bool { return f.Hidden },
	"trouble": (*reader.Feed).InTrouble,
	"ok":      inState(reader.FeedOK),
	"new":     inState(reader.FeedNew),
	"failing": inState(reader.FeedFailing),
	"gone":    inState(reader.FeedGone),
	"moved":   inState(reader.FeedMoved),
}

func inState(s reader.FeedState) func(*reader.Feed) bool {
	return func(f *reader.Feed) bool { return f.State == s }
}

// parse reads a text: parts that must all hold, each with a - before it for the
// opposite. Every text means something.
func parse(text string) narrowing {
	n := narrowing{text: text}
	quoted := false
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		quoted = quoted != (r == '"')
		return !quoted && (r == ' ' || r == '\t')
	}) {
		part, not := strings.CutPrefix(word, "-")
		if test := testOf(part); test != nil {
			n.tests = append(n.tests, func(f *reader.Feed) bool { return test(f) != not })
		}
	}
	return n
}

// testOf is what one part asks of a feed, nil for nothing.
func testOf(part string) func(*reader.Feed) bool {
	if test := states[part]; test != nil {
		return test
	}
	part = strings.ReplaceAll(part, `"`, "")
	if tag, ok := strings.CutPrefix(part, "#"); ok && tag != "" {
		return func(f *reader.Feed) bool {
			for _, have := range f.Tags {
				if strings.ToLower(have) == tag {
					return true
				}
			}
			return false
		}
	}
	if name, ok := strings.CutPrefix(part, "folder:"); ok {
		return func(f *reader.Feed) bool { return strings.Contains(strings.ToLower(f.Folder), name) }
	}
	part = strings.TrimPrefix(part, "feed:")
	if part == "" {
		return nil
	}
	return func(f *reader.Feed) bool { return strings.Contains(strings.ToLower(f.Title), part) }
}

// fits reports whether a feed is shown.
func (n *narrowing) fits(f *reader.Feed) bool {
	for _, test := range n.tests {
		if !test(f) {
			return false
		}
	}
	return true
}

// stands reports whether the tree is narrowed at all.
func (n *narrowing) stands() bool { return len(n.tests) > 0 }

// fitting counts the feeds of the tree that fit, and all of them.
func (n *narrowing) fitting(s *view.Scene) (fit, all int) {
	for i := range s.Order {
		if f := &s.Order[i]; !f.Watched {
			all++
			if n.fits(f) {
				fit++
			}
		}
	}
	return fit, all
}

func (t *View) askNarrow(h view.Host) tea.Cmd {
	p := &view.Prompt{Label: "& ", Do: t.Narrow, Says: func(h view.Host, text string) string {
		if text == "" {
			return "name, #tag, folder: unread, trouble, failing, new, moved"
		}
		n := parse(text)
		fit, all := n.fitting(h.Screen())
		return fmt.Sprintf("Enter shows %s of %s", wording.Count(fit), wording.Plural(all, "feed"))
	}}
	p.Set(t.narrow.text)
	return h.Ask(p)
}

// Narrow shows only what fits; an empty text shows all again. What nothing fits
// leaves the tree as it is.
func (t *View) Narrow(h view.Host, text string) tea.Cmd {
	n := parse(text)
	if !n.stands() {
		t.widen(h.Screen())
		return nil
	}
	if fit, _ := n.fitting(h.Screen()); fit == 0 {
		h.Say(fmt.Sprintf("No feed fits \"%s\".", text))
		return nil
	}
	n.folded = t.folded
	if t.narrow.stands() {
		n.folded = t.narrow.folded
	}
	// Rows that are selected and no longer shown must not be acted upon.
	t.selected, t.found, t.counted, t.folded = nil, view.Found{}, nil, nil
	t.narrow = n
	t.Take(h.Screen())
	return nil
}

// widen ends a narrowing; false where none stands.
func (t *View) widen(s *view.Scene) bool {
	if !t.narrow.stands() {
		return false
	}
	t.found, t.counted, t.folded = view.Found{}, nil, t.narrow.folded
	t.narrow = narrowing{}
	t.Take(s)
	return true
}
