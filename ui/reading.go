package ui

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// What keys do in an article, and how one is opened.

func (l *items) open(m *model) tea.Cmd {
	if l.List.N == 0 {
		return nil
	}
	l.moved = true
	return m.openRow(l, l.List.Cur)
}

// openRow shows a row's article, in place of the one that is shown. The row is
// read from now on; that is no step that undo would take back.
func (m *model) openRow(l *items, i int) tea.Cmd {
	l.GoRow(i)
	r := l.at(i)
	wasUnread := unread(r)
	a := &article{r: *r, from: l, gen: m.Gen(), opening: m.NewOpening()}
	a.r.Flags |= reader.FlagRead
	if _, ok := m.Top().(view.Opened); ok {
		m.Pop()
	}
	j := &job{kind: jobOpen, ids: []reader.ItemID{r.ID}, at: m.Now, again: !wasUnread, found: l.isSearch()}
	m.paint(j, false)
	if f := m.Feeds[r.ID.Feed()]; f != nil && f.Watched {
		return tea.Batch(m.openChange(r, l), m.eff.add(j))
	}
	m.Push(a)
	return tea.Batch(m.eff.article(a.gen, r.ID), m.eff.add(j))
}

// got takes in the text.
func (a *article) Got(_ view.Host, msg tea.Msg) tea.Cmd {
	answer, ok := msg.(articleMsg)
	if !ok || answer.gen != a.gen || a.gen == 0 {
		return nil
	}
	a.ready, a.width = true, 0
	if answer.err != nil {
		a.failed = view.Sentence(answer.err)
		return nil
	}
	a.art = answer.art
	if a.r.Title == "" && answer.art.Title != "" {
		a.r.Title = answer.art.Title
	}
	if a.r.At == 0 {
		a.r = rowOf(&answer.art.Item)
	}
	return nil
}

func (a *article) Move(_ view.Host, d int) tea.Cmd {
	a.coming = 0
	a.scroll(d)
	return nil
}

func (a *article) Page(m view.Host, d, part int) tea.Cmd {
	return a.Move(m, d*view.PageStep(a.high, part))
}

func (a *article) Ends(h view.Host, d int) tea.Cmd {
	m := of(h)
	if d > 0 {
		return a.Move(m, a.total())
	}
	a.top, a.coming = 0, 0
	return nil
}

// nextHead goes to the next heading.
func (a *article) nextHead(_ *model, d int) tea.Cmd {
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
func (a *article) nextHit(m *model, d int) tea.Cmd {
	if a.found.Text == "" {
		return a.nextUnread(m, d)
	}
	if i := a.found.Step(a.at, d); i >= 0 {
		a.at = i
		a.goTo(i - len(a.head))
	}
	return nil
}

// nextUnread opens the next unread item of the list.
func (a *article) nextUnread(m *model, d int) tea.Cmd {
	i := unreadFrom(a.from, a.r.ID, d)
	if i < 0 {
		m.Say(sayNoUnread(d, a.from))
		return nil
	}
	return m.openRow(a.from, i)
}

func (a *article) Back(view.Host) view.Backing {
	switch {
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
func (a *article) readOn(m *model) tea.Cmd {
	if !a.end() {
		return a.Move(m, view.PageStep(a.high, 1))
	}
	return m.ReadNext(viewOf(a.from), a.r.ID, &a.coming)
}

// ReadNext announces the next unread item after one that was read to its end,
// or opens it if it was announced.
func (m *model) ReadNext(list view.View, id reader.ItemID, coming *reader.ItemID) tea.Cmd {
	from := itemsOf(list)
	i := unreadFrom(from, id, 1)
	switch {
	case i < 0:
		m.Say(sayNoUnread(1, from))
	case *coming != 0 && *coming == from.at(i).ID:
		return m.openRow(from, i)
	default:
		r := from.at(i)
		*coming = r.ID
		m.Say(fmt.Sprintf("Next unread: %s, %s. space opens it.", m.FeedTitle(r.ID.Feed()), view.TitleOf(r.Title)))
	}
	return nil
}

func (a *article) nextItem(m *model, d int) tea.Cmd { return m.OpenBeside(viewOf(a.from), a.r.ID, d) }

// OpenBeside opens the item after one of a list, or before it.
func (m *model) OpenBeside(list view.View, id reader.ItemID, d int) tea.Cmd {
	from := itemsOf(list)
	if from == nil {
		return nil
	}
	i := from.index(id)
	if i < 0 {
		i = from.List.Cur - d
	}
	if i += d; i < 0 || i >= from.List.N {
		m.Say("That was the last item of " + from.name + ".")
		if d < 0 {
			m.Say("That was the first item of " + from.name + ".")
		}
		return nil
	}
	return m.openRow(from, i)
}

// digit chooses a link by its number; it opens nothing by itself. A number that
// another key came into begins anew.
func (a *article) digit(m *model) tea.Cmd {
	if a.digits != m.presses-1 {
		a.number = ""
	}
	a.number += m.pressed
	a.digits = m.presses
	n, err := strconv.Atoi(a.number)
	if err != nil || n < 1 || n > len(a.text.Links) {
		say := fmt.Sprintf("There is no link %s; the last is %d.", a.number, len(a.text.Links))
		if len(a.text.Links) == 0 {
			say = "There is no link in this text."
		}
		m.Say(say)
		a.number, a.link = "", 0
		return nil
	}
	a.link = n
	return nil
}

// nextLink chooses the next link, starting with the first on the screen.
func (a *article) nextLink(_ *model, d int) tea.Cmd {
	if len(a.text.Links) == 0 {
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

func (a *article) showLetters(m *model) tea.Cmd {
	a.letterLinks()
	if len(a.letters) == 0 {
		a.letters = nil
		m.Say("There is no link on this screen.")
	}
	return nil
}

// typed takes the keys while letters stand on the links.
func (a *article) Typed(h view.Host, k tea.KeyPressMsg) (tea.Cmd, bool) {
	m := of(h)
	if a.letters == nil {
		return nil, false
	}
	return a.letterTyped(m, k.String()), true
}

func (a *article) letterTyped(m *model, key string) tea.Cmd {
	if key == "y" && !a.copying {
		a.copying = true
		return nil
	}
	typed := a.letter + key
	more := false
	for _, l := range a.letters {
		if l.keys == typed {
			copying := a.copying
			a.letters, a.letter, a.copying = nil, "", false
			if l.link > len(a.text.Links) {
				return nil
			}
			if copying {
				return m.Copy(a.text.Links[l.link-1].URL, "")
			}
			return m.OpenURL(a.text.Links[l.link-1].URL)
		}
		more = more || strings.HasPrefix(l.keys, typed)
	}
	if more {
		a.letter = typed
		return nil
	}
	a.letters, a.letter, a.copying = nil, "", false
	return nil
}

func (a *article) followLink(m *model) tea.Cmd {
	if a.link == 0 {
		m.Say("No link is chosen. Tab or a number chooses one, f shows letters, o opens the item.")
		return nil
	}
	return m.browse()
}

func (a *article) showFiles(m *model) tea.Cmd {
	m.pushFiles(view.TitleOf(a.r.Title), a.art.Enclosures)
	return nil
}

func (l *items) showFiles(m *model) tea.Cmd {
	r := l.Row()
	if r == nil {
		return nil
	}
	return m.eff.enclosures(m.Wonder(), r.ID)
}

// gotFiles shows the enclosures of a row, which is not read by that.
func (m *model) gotFiles(msg filesMsg) tea.Cmd {
	switch {
	case !m.Answers(msg.gen):
	case msg.err != nil:
		m.Say(view.Sentence(msg.err))
	default:
		m.pushFiles(view.TitleOf(msg.art.Title), msg.art.Enclosures)
	}
	return nil
}

func (m *model) pushFiles(of string, encl []reader.Enclosure) {
	if len(encl) == 0 {
		m.Say("This item has no enclosures.")
		return
	}
	m.Push(&files{of: of, files: encl, Listing: view.Listing{List: view.List{N: len(encl)}}})
}
