package article

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/prose"
	"diurna/ui/view"
)

// Keys are what keys do in an article.
func Keys() []view.Binding {
	return []view.Binding{
		view.Bind("j down", "line down, up", "scroll", view.Moves(1)),
		view.Bind("k up", view.Ditto, "", view.Moves(-1)),
		view.Bind("space pgdown ctrl+f", "page on, then next unread", "scroll", view.On((*View).readOn)),
		view.Bind("b pgup ctrl+b", view.Ditto, "", view.Pages(-1, 1)),
		view.Bind("ctrl+d", "half a page", "scroll", view.Pages(1, 2)),
		view.Bind("ctrl+u", view.Ditto, "", view.Pages(-1, 2)),
		view.Bind("g home", "top, end", "first last bottom", view.Ends(-1)),
		view.Bind("G end", view.Ditto, "", view.Ends(1)),
		view.Bind("}", "next, previous heading", "", view.By((*View).nextHead, 1)),
		view.Bind("{", view.Ditto, "", view.By((*View).nextHead, -1)),
		view.Bind("n", "next, previous unread, match", "", view.By((*View).nextHit, 1)),
		view.Bind("N", view.Ditto, "", view.By((*View).nextHit, -1)),
		view.Bind("p", "previous unread", "", view.By((*View).nextUnread, -1)),
		view.Bind("J", "next, previous item", "", view.By((*View).nextItem, 1)),
		view.Bind("K", view.Ditto, "", view.By((*View).nextItem, -1)),
		view.Bind("] ctrl+n", "next, previous unread feed", "", view.Does(view.NextFeed)),
		view.Bind("[ ctrl+p", view.Ditto, "", view.Does(view.PreviousFeed)),
		view.Bind("m", "read or unread", "mark toggle seen", view.Does(view.ToggleRead)),
		view.Bind("s", "save, tag", "star favourite flag bookmark keep later", view.Does(view.ToggleSaved)),
		view.Bind("t", view.Ditto, "label category tag", view.Does(view.AskTag)),
		view.Bind("+", "more, less like this", "like train score", view.Does(view.TrainMore)),
		view.Bind("-", view.Ditto, "dislike train", view.Does(view.TrainLess)),
		view.Bind("d", "what changed", "diff edited updated revision", view.Does(view.ShowEdits)),
		view.Bind("x", "the whole text, the feed's", "full text page fetch readability", early((*View).toggleFull)),
		view.Bind("/", "find in the text", "search", view.Does(view.AskFind)),
		view.Bind("e", "enclosures", "podcast audio attachment download", early((*View).showFiles)),
	}
}

// LinkKeys are the keys of links in an article; the digits are handled where
// they are typed and stand here for the help.
func LinkKeys() []view.Binding {
	return []view.Binding{
		view.Bind("0 1 2 3 4 5 6 7 8 9", "a link or image by number", "follow", early((*View).digit)),
		view.Bind("tab", "next, previous link", "follow", early(func(a *View, h view.Host) tea.Cmd { return a.nextLink(h, 1) })),
		view.Bind("shift+tab", view.Ditto, "", early(func(a *View, h view.Host) tea.Cmd { return a.nextLink(h, -1) })),
		view.Bind("f", "letters; y and one copies", "follow hints", early((*View).showLetters)),
		view.Bind("enter l right", "open the chosen link", "follow", early((*View).followLink)),
		view.Bind("o", "browser; and on to next", "web link url open", earlyAct(view.Browse)),
		view.Bind("O", view.Ditto, "web link url", early((*View).browseOn)),
		view.Bind("y", "copy link; title and link", "yank clipboard url", earlyAct(view.CopyLink)),
		view.Bind("Y", view.Ditto, "", earlyAct(view.CopyBoth)),
	}
}

// OnMsg takes in the text, and does what was typed about its links before it came.
func (a *View) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	if m, ok := msg.(fullMsg); ok {
		return a.onFull(h, m)
	}
	answer, ok := msg.(textMsg)
	if !ok || answer.gen != a.gen || a.gen == 0 {
		return nil
	}
	a.ready, a.width = true, 0
	if answer.err != nil {
		a.failed = view.Sentence(answer.err)
		return a.catchUp(h)
	}
	a.art = answer.art
	if a.r.Title == "" && answer.art.Title != "" {
		a.r.Title = answer.art.Title
	}
	if a.r.At == 0 {
		a.r = view.RowOf(&answer.art.Item)
	}
	return a.catchUp(h)
}

func (a *View) Move(_ view.Host, d int) tea.Cmd {
	a.coming = 0
	a.scroll(d)
	return nil
}

func (a *View) Page(h view.Host, d, part int) tea.Cmd {
	return a.Move(h, d*view.PageStep(a.high, part))
}

func (a *View) Ends(h view.Host, d int) tea.Cmd {
	if d > 0 {
		return a.Move(h, a.total())
	}
	a.top, a.coming = 0, 0
	return nil
}

// nextHead goes to the next heading.
func (a *View) nextHead(_ view.Host, d int) tea.Cmd {
	a.coming = 0
	line := a.top - len(a.head)
	i := sort.SearchInts(a.text.Headings, line+1)
	if d < 0 {
		i = sort.SearchInts(a.text.Headings, line) - 1
	}
	if i >= 0 && i < len(a.text.Headings) {
		a.top = max(0, min(a.text.Headings[i]+len(a.head), a.total()-a.high))
	} else if d < 0 {
		a.top = 0
	}
	return nil
}

// nextHit goes to the next match while a find stands, else to the next unread.
func (a *View) nextHit(h view.Host, d int) tea.Cmd {
	if a.found.Text == "" {
		return a.nextUnread(h, d)
	}
	if i := a.found.Step(a.at, d); i >= 0 {
		a.at = i
		a.goTo(i - len(a.head))
	}
	return nil
}

// nextUnread opens the next unread item of the list.
func (a *View) nextUnread(h view.Host, d int) tea.Cmd {
	if s, ok := view.SourceOf(h, a.from); ok {
		return s.NextUnread(h, a.r.ID, d)
	}
	return nil
}

func (a *View) Back(h view.Host) view.Backing {
	switch _, press := h.Pressed(); {
	case a.missed > 0 && a.missed == press-1: // it is meant for the letters that f did not show
	case a.link > 0:
		a.link = 0
	case a.found.End():
	default:
		return view.BackOut
	}
	return view.BackWithin
}

// readOn is space in an article: a page on; at the end it announces the next
// unread item, and the second time opens it.
func (a *View) readOn(h view.Host) tea.Cmd {
	if !a.end() {
		return a.Move(h, view.PageStep(a.high, 1))
	}
	if s, ok := view.SourceOf(h, a.from); ok {
		return s.ReadNext(h, a.r.ID, &a.coming)
	}
	return nil
}

func (a *View) nextItem(h view.Host, d int) tea.Cmd {
	if s, ok := a.from.(view.Source); ok {
		return s.OpenBeside(h, a.r.ID, d)
	}
	return nil
}

// digit chooses a link by its number; it opens nothing by itself. A number that
// another key came into begins again.
func (a *View) digit(h view.Host) tea.Cmd {
	key, press := a.pressed(h)
	if a.digits != press-1 {
		a.number = ""
	}
	a.number += key
	a.digits = press
	n, err := strconv.Atoi(a.number)
	if err != nil || n < 1 || n > len(a.text.Links) {
		say := fmt.Sprintf("No link %s; the last is %d.", a.number, len(a.text.Links))
		if len(a.text.Links) == 0 {
			say = sayNoLinks
		}
		h.Say(say)
		a.number, a.link = "", 0
		return nil
	}
	a.link = n
	return nil
}

const sayNoLinks = "This article has no links or images. o opens the article itself."

// nextLink chooses the next link, starting with the first on the screen.
func (a *View) nextLink(h view.Host, d int) tea.Cmd {
	if len(a.text.Links) == 0 {
		h.Say(sayNoLinks)
		return nil
	}
	a.coming = 0
	n := len(a.text.Links)
	switch visible := a.visibleLinks(); {
	case a.link > 0:
		a.link = (a.link-1+d+n)%n + 1
	case len(visible) > 0:
		a.link = visible[0]
	default:
		a.link = 1
	}
	line := a.text.Links[a.link-1].Line + len(a.head)
	if line < a.top || line >= a.top+a.high {
		a.goTo(line - len(a.head))
	}
	return nil
}

func (a *View) showLetters(h view.Host) tea.Cmd {
	a.letterLinks()
	if len(a.letters) > 0 {
		return nil
	}
	a.letters = nil
	_, a.missed = a.pressed(h)
	say := "There is no link on this screen. Tab goes to the first of the article."
	if len(a.text.Links) == 0 {
		say = sayNoLinks
	}
	h.Say(say)
	return nil
}

// Typed takes the keys while letters stand on the links. A digit ends the letters and
// is the number of a link.
func (a *View) Typed(h view.Host, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if a.letters == nil {
		return nil, false
	}
	if key := k.String(); len(key) == 1 && key >= "0" && key <= "9" {
		a.endLetters()
		return nil, false
	}
	return a.letterTyped(h, k.String()), true
}

func (a *View) endLetters() { a.letters, a.letter, a.copying = nil, "", false }

func (a *View) letterTyped(h view.Host, key string) tea.Cmd {
	if key == "y" && !a.copying {
		a.copying = true
		return nil
	}
	typed := a.letter + key
	more := false
	for _, l := range a.letters {
		if l.keys == typed {
			copying := a.copying
			a.endLetters()
			if l.link > len(a.text.Links) {
				return nil
			}
			if copying {
				return h.Copy(a.text.Links[l.link-1].URL, "")
			}
			return h.OpenURL(a.text.Links[l.link-1].URL)
		}
		more = more || strings.HasPrefix(l.keys, typed)
	}
	if more {
		a.letter = typed
		return nil
	}
	a.endLetters()
	if key != "esc" {
		h.Say("No link has that letter; nothing was opened. f shows the letters again.")
	}
	return nil
}

func (a *View) browseOn(h view.Host) tea.Cmd {
	return view.Batch(h.Do(view.Browse), a.nextUnread(h, 1))
}

func (a *View) followLink(h view.Host) tea.Cmd {
	if a.link == 0 {
		h.Say("No link is chosen. Tab or a number chooses one, f shows letters, o opens the item.")
		return nil
	}
	return h.Do(view.Browse)
}

func (a *View) showFiles(h view.Host) tea.Cmd {
	return h.ShowFiles(&a.art.Item)
}

// Speak is an article whole: there is nothing to scroll.
func (a *View) Speak(s *view.Scene) string {
	if a.link > 0 && a.link <= len(a.text.Links) {
		return fmt.Sprintf("Link %d of %d: %s. Enter opens, y copies.", a.link, len(a.text.Links), a.text.Links[a.link-1].URL)
	}
	a.high = 1 << 20
	a.layout(s, view.LinearWidth)
	left, right := a.Title(s, view.LinearWidth)
	lines := []string{left + ", " + right}
	for i := range a.total() {
		line := a.plain(i)
		if i >= len(a.head) {
			line = a.text.Lines[i-len(a.head)].Isolated()
		} else if i >= 1 && i <= a.titled {
			line = prose.Isolated(line)
		}
		lines = append(lines, line)
	}
	return strings.Join(append(view.TrimAll(lines), "End. n next unread, o browser, y link, q back."), "\n")
}
