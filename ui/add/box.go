// Package add is the box for an address and what comes of it: the feeds found
// there, a page to be watched, a list to be imported. New and First make it,
// ChoiceKeys and FoundKeys are what its keys do.
package add

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// stage is how far adding has come.
type stage uint8

const (
	stageTyping  stage = iota // the cursor is in the box
	stageChoices              // the cursor is on what was found on this machine
	stageLooking              // the address, or the chosen candidate, is being looked at
	stageFound                // candidates are shown
	stageKeeping              // subscribing or importing
)

// offer is what Enter does with an address that was looked at in vain.
type offer uint8

const (
	offersNothing      offer = iota
	offersFeed               // it is subscribed to: Enter goes there
	offersWatch              // there is no feed, but a page that Enter watches
	offersPrivate            // it is private: Enter looks at it all the same
	offersPrivateWatch       // the same of a page to be watched
)

// Box is the box for an address and what comes of it. The empty library is this
// box.
type Box struct {
	ask  asker
	prog Program
	view.Base
	view.Editor
	first   bool // nothing is subscribed: it is the whole program for now
	stage   stage
	choices []Choice  // the demo last
	List    view.List // choices or candidates
	found   candidates
	rows    map[int]int // the choice or candidate on each line of the last drawing
	reply   reply
	gen     uint64
}

// Choice is something found on this machine that the box of an empty library
// offers.
type Choice struct {
	Label  string // "import newsboat"
	Detail string // "~/.newsboat/urls · 287 feeds, 14 tags"; lines are kept
	Path   string // the file to import; "": nothing to do with it
}

// demoPath marks the choice that is no file.
const demoPath = "\x00demo"

const addIntro = "Nothing is subscribed yet. Paste or type an address: a site, a feed, a video channel, a code repository, or a path to an OPML or urls file."

// New makes the box.
func New(lib Library, find Finder, pages Pages, prog Program) *Box {
	return &Box{ask: asker{lib, find, pages}, prog: prog}
}

// First makes the box of an empty library, which offers what was found on this
// machine, and the demo.
func First(lib Library, find Finder, pages Pages, prog Program, found []Choice, demo bool) *Box {
	b := &Box{ask: asker{lib, find, pages}, prog: prog, first: true}
	b.choices = append(b.choices, found...)
	if demo {
		b.choices = append(b.choices, Choice{"try the demo", "a sample library, offline and temporary", demoPath})
	}
	return b
}

func (b *Box) Context() view.Context {
	switch b.stage {
	case stageChoices:
		return view.CtxChoices
	case stageFound:
		return view.CtxFound
	}
	return view.CtxAdd
}

func (b *Box) Title(*view.Scene, int) (string, string) { return "Add", "" }

func (b *Box) Over() (string, bool) { return "", true }

// Move chooses another choice or candidate, which is fetched to be shown.
func (b *Box) Move(h view.Host, d int) tea.Cmd {
	b.List.Set(b.List.Cur+d, 1<<20)
	return b.fillChosen(h)
}

// Back goes from the candidates to the box. Behind the box of an empty library
// there is nothing.
func (b *Box) Back(h view.Host) view.Backing {
	switch {
	case b.stage == stageFound:
		b.stage = stageTyping
		b.gen = h.Gen()
		return view.BackWithin
	case b.first:
		return view.BackNever
	}
	return view.BackOut
}

// chosen is the candidate under the cursor.
func (b *Box) chosen() *reader.Candidate {
	if b.stage != stageFound || b.List.Cur >= len(b.found.Candidates) {
		return nil
	}
	return &b.found.Candidates[b.List.Cur]
}

func (b *Box) Lines(s *view.Scene, w, h int) []string {
	b.rows = make(map[int]int)
	if b.stage == stageFound {
		return s.Fill(b.found.draw(s, b.List.Cur, b.rows, w, h), w, h)
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
	if b.reply.wrong != "" {
		lines = append(lines, s.Wrap(b.reply.wrong, in, min(w, 78))...)
		lines = append(lines, blank)
	} else if h > 12 {
		lines = append(lines, s.Wrap("Enter looks for the feed and shows what it would bring before you keep it.", in, min(w, 80))...)
		lines = append(lines, blank)
	}
	if len(b.choices) > 0 {
		lines = append(lines, blank, s.Th.Fit(s.Th.Fit("", in)+"Found on this machine:", w), blank)
		lines = append(lines, b.drawChoices(s, in, w, len(lines))...)
	}
	lines = s.Fill(lines, w, h)
	if b.first && s.Dir != "" && h > 18 {
		for i, l := range s.Wrap("Everything stays in "+s.Dir+". No config file is needed.", in, w) {
			lines[min(h-3+i, h-1)] = l
		}
	}
	return s.FitAll(lines, w)
}

// Click chooses a feed or a list that was found; a second click takes it.
func (b *Box) Click(_ view.Host, _, y int) int {
	i, ok := b.rows[y]
	if !ok || b.stage == stageLooking || b.stage == stageKeeping {
		return -1
	}
	if b.stage == stageTyping {
		b.reply.decline()
		b.stage = stageChoices
		b.List = view.List{N: len(b.choices)}
	}
	b.List.Set(i, 1<<20)
	return i
}

// drawChoices draws what was found on this machine, from line top on.
func (b *Box) drawChoices(s *view.Scene, in, w, top int) []string {
	var lines []string
	for i, c := range b.choices {
		for j, detail := range strings.Split(c.Detail, "\n") {
			b.rows[top+len(lines)] = i
			chosen := j == 0 && b.stage == stageChoices && i == b.List.Cur
			pointer, label := "  ", ""
			if j == 0 {
				label = c.Label
			}
			if chosen {
				pointer = "> "
			}
			lines = append(lines, s.Th.Row(s.Th.Fit(s.Th.Fit("", in)+pointer+s.Th.Fit(label, 20)+detail, w), chosen))
		}
	}
	return lines
}

func (b *Box) Status(s *view.Scene, _ int) view.Status {
	switch b.stage {
	case stageLooking:
		return view.Status{State: "looking at " + b.Link() + " " + s.Th.Dots + "  ^c stops"}
	case stageKeeping:
		return view.Status{State: "fetching " + s.Th.Dots + "  ^c stops"}
	case stageChoices:
		return view.Status{State: "Enter take   j k choose   a the box   ? help   q quit"}
	case stageFound:
		if c := b.chosen(); c != nil && c.Known != 0 {
			return view.Status{State: "Enter goes there   j k choose   Esc another"}
		}
		unread := "U all unread"
		if b.found.opts.AllUnread {
			unread = "U not all unread"
		}
		return view.Status{State: s.Th.Words([]string{"Enter subscribe", "t tags", "T title", unread, "j k choose", "Esc another"}, 200)}
	}
	switch b.reply.offers {
	case offersWatch:
		return view.Status{State: "Enter watch the page   Esc back"}
	case offersPrivate, offersPrivateWatch:
		return view.Status{State: "Enter yes, fetch it   Esc no"}
	}
	if b.first {
		return view.Status{State: "Enter look   down-arrow choices   Esc leave the box (then ? help, q quit)"}
	}
	return view.Status{State: "Enter look   Esc back"}
}

// Link is what was typed, with a scheme where it lacks one.
func (b *Box) Link() string {
	a := strings.TrimSpace(b.String())
	if strings.Contains(a, "://") || strings.HasPrefix(a, "/") || strings.HasPrefix(a, "~") || strings.HasPrefix(a, ".") {
		return a
	}
	return "https://" + a
}

// Cursor is the cell of the add box's cursor within its lines.
func (b *Box) Cursor(s *view.Scene, w, h int) (x, y int, shown bool) {
	in := 6
	if w < view.Wide {
		in = 2
	}
	_, cur := b.Draw(s.Th.Measure, w-in-3)
	y = 1
	if b.first && h > 12 {
		y = 3 + len(s.Wrap(addIntro, in, min(w, 76)))
	}
	return in + 2 + cur, y, b.stage == stageTyping
}

// Typing reports whether the cursor is in the box, and Offers whether Enter does
// something there though nothing is typed.
func (b *Box) Typing() bool { return b.stage == stageTyping }

func (b *Box) Offers() bool { return b.reply.offers != offersNothing }

// Wrong is the sentence why an address brought nothing, "" for none.
func (b *Box) Wrong() string { return b.reply.wrong }
