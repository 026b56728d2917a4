package feeds

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/reader/words"
	"diurna/ui/view"
)

// & narrows the tree to the feeds that fit: by name, tag, folder and state.
// Folders show, count and open then what fits in them, and so does the top row.

// narrowing is what the tree is narrowed by; the zero narrowing fits every feed.
type narrowing struct {
	text   string
	test   func(*reader.Feed) bool
	folded map[string]bool // what was folded before: all that fits is shown
}

// states are the words that mean how a feed is doing, beside those of the language.
var states = map[string]func(*reader.Feed) bool{
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

// parse reads a query whose words are parts of names, of feeds or their folders, or states.
func parse(s *view.Scene, text string) (narrowing, error) {
	q, err := query.ParseTyped(text, s.Now, s.Queries...)
	if err != nil || q.Empty() {
		return narrowing{}, err
	}
	if part := q.AsksItems(); part != "" {
		return narrowing{}, fmt.Errorf("%s matches items; this narrows feeds", part)
	}
	type test = func(*reader.Feed) bool
	return narrowing{text: text, test: query.Reduce(q, func(p query.Part, _ bool) test {
		if word, ok := p.Word(); ok {
			if state := states[word]; state != nil {
				return state
			}
			return func(f *reader.Feed) bool { return strings.Contains(words.Fold(f.Folder+"/"+f.Title), word) }
		}
		return p.Query().FitsFeed
	}, func(all []test) test {
		return func(f *reader.Feed) bool { return !slices.ContainsFunc(all, func(t test) bool { return !t(f) }) }
	}, func(list []test) test {
		return func(f *reader.Feed) bool { return slices.ContainsFunc(list, func(t test) bool { return t(f) }) }
	}, func(t test) test {
		return func(f *reader.Feed) bool { return !t(f) }
	})}, nil
}

// fits reports whether a feed is shown.
func (n *narrowing) fits(f *reader.Feed) bool { return n.test == nil || n.test(f) }

// stands reports whether the tree is narrowed at all.
func (n *narrowing) stands() bool { return n.test != nil }

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
	_, cmd := narrowBox(h, t.narrow.text, t.Narrow)
	return cmd
}

// narrowBox opens the box with a text in it; narrow is what Enter does.
func narrowBox(h view.Host, text string, narrow func(view.Host, string) tea.Cmd) (*view.Prompt, tea.Cmd) {
	p := &view.Prompt{Label: "& ", Do: narrow, Says: func(h view.Host, text string) string {
		if text == "" {
			return "name, #tag, folder: unread, trouble, failing, new, moved"
		}
		n, err := parse(h.Screen(), text)
		if err != nil || !n.stands() {
			return view.Unclear(err)
		}
		fit, all := n.fitting(h.Screen())
		return fmt.Sprintf("Enter shows %s of %s", wording.Count(fit), wording.Plural(all, "feed"))
	}, Check: func(h view.Host, text string) error {
		_, err := parse(h.Screen(), text)
		return err
	}}
	p.Set(text)
	p.Complete = tagsOf(p)
	return p, h.Ask(p)
}

// tagsOf is what Tab does where the text ends with # and the beginning of a tag: the
// first lists the tags of the feeds, each after it takes the next one.
func tagsOf(p *view.Prompt) func(view.Host, bool) tea.Cmd {
	var tags []string
	stem, set, at := "", "", -1 // the text before the tag, the whole as the last Tab left it, which tag
	return func(h view.Host, back bool) tea.Cmd {
		switch text := p.String(); {
		case text != set || len(tags) == 0:
			i := strings.LastIndexAny(text, "# ")
			if i < 0 || text[i] != '#' {
				p.Reject(0, "Tab goes through the tags after a #.")
				return nil
			}
			stem, set, at = text[:i+1], text, -1
			tags = tagsWith(h.Screen().Order, text[i+1:])
		case back:
			at = (max(at, 0) + len(tags) - 1) % len(tags)
		default:
			at = (at + 1) % len(tags)
		}
		switch {
		case len(tags) == 0:
			p.Reject(0, "No feed has such a tag.")
			return nil
		case len(tags) == 1:
			at = 0
		}
		if at >= 0 {
			set = stem + tags[at]
			p.Set(set)
		}
		p.Offer(tags, at)
		return nil
	}
}

// tagsWith are the tags of feeds that begin with some letters.
func tagsWith(feeds []reader.Feed, begin string) (tags []string) {
	for i := range feeds {
		for _, tag := range feeds[i].Tags {
			if !feeds[i].Watched && strings.HasPrefix(strings.ToLower(tag), strings.ToLower(begin)) {
				tags = append(tags, tag)
			}
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// Narrow shows only what fits; an empty text shows all again. What nothing fits
// leaves the tree as it is.
func (t *View) Narrow(h view.Host, text string) tea.Cmd {
	n, err := parse(h.Screen(), text)
	if err != nil { // given to :narrow, without the box
		p, cmd := narrowBox(h, text, t.Narrow)
		p.Refuse(h, err)
		return cmd
	}
	if !n.stands() {
		t.widen(h.Screen())
		return nil
	}
	if fit, _ := n.fitting(h.Screen()); fit == 0 {
		h.Say(fmt.Sprintf("No feed matches \"%s\".", text))
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
