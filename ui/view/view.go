// Package view has what every view of the screen implements and what views
// share: View and Host, the list and its cursor, find, boxes, sheets of text,
// bindings of keys, and the words and times that several of them write.
//
// A view embeds Base, Listing or Scrolling and overrides what it has more to say
// about; it declares the small interface of the library that it needs.
package view

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
)

// View is one level of what is on the screen: a list, an article, the help. q
// and Esc take the topmost away. What the router asks of all of them stands
// here; what a key means in one of them alone is a method of that one, bound
// with On. Base answers for those that have nothing to say.
type View interface {
	// Context is the place whose keys hold.
	Context() Context
	// Title is row 1 in w cells, left and right end. A view that is named by
	// Over keeps the names of the lists in row 1 instead.
	Title(s *Scene, w int) (left, right string)
	Over() (name string, lists bool)
	// Lines gives exactly h lines of w cells.
	Lines(s *Scene, w, h int) []string
	// Status is what the view says in the last row.
	Status(s *Scene, w int) Status

	// Move goes d rows on, Page d times a part of a screen, Ends to the first
	// row (d < 0) or the last.
	Move(h Host, d int) tea.Cmd
	Page(h Host, d, part int) tea.Cmd
	Ends(h Host, d int) tea.Cmd
	// Matches counts what a find would go through; ok is false where nothing
	// is counted before it. Find goes to the first match.
	Matches(s *Scene, text string) (n int, ok bool)
	Find(h Host, text string)
	// Back ends what was found, selected or opened within.
	Back(h Host) Backing
	// Shown is called when the view becomes visible: entered says that its key
	// was pressed, else the view over it was closed.
	Shown(h Host, entered bool) tea.Cmd
	// OnMsg takes in what a command brought. Every view is told; one that did
	// not ask does nothing.
	OnMsg(h Host, msg tea.Msg) tea.Cmd

	// Row is the item that keys act on, nil for none; Rows are the selected
	// ones, else that.
	Row() *reader.Row
	Rows() []*reader.Row
	// Amend calls do with the rows of some items wherever the view keeps them;
	// nil stands for all items.
	Amend(ids map[reader.ItemID]bool, do func(*reader.Row))
	// Feeds are those that r fetches; all stands for every one.
	Feeds() (ids []reader.FeedID, all bool)
	// About is the feed that i tells of where no item is chosen; none is what
	// is said where there is no feed either.
	About() (id reader.FeedID, none string)
	// Why answers w; ok is false where what is chosen is an item.
	Why(h Host) (cmd tea.Cmd, ok bool)
	// Origin is the list of items that the view is, or was opened from; nil for
	// none.
	Origin() View
}

// Status is what a view says in the last row, where nothing else stands.
type Status struct {
	State string   // in words
	Keys  []string // that matter here, most useful first
	About Topic
}

// Topic is what a state is about, which says what it gives way to: see ui/lastrow.
type Topic uint8

const (
	AboutRow     Topic = iota // what is chosen
	AboutTrouble              // why that is in trouble
	AboutKeys                 // what keys found, narrowed, selected or chose
)

// Host is the screen as views know it.
type Host interface {
	// Screen is what everything is drawn with.
	Screen() *Scene
	// Life ends when the program does: what is asked of the library is bound to
	// it.
	Life() context.Context
	// Say puts a sentence in the last row, until the next key.
	Say(sentence string)
	// Gen numbers a request; its answer carries the number. Wonder does so for
	// an answer that would open something, and Answers reports whether it is to
	// the last such question, and the reader still where it was asked.
	Gen() uint64
	Wonder() uint64
	Answers(gen uint64) bool
	// Pressed is the key that is done now, and how many were.
	Pressed() (key string, no uint64)
	// Push lays a view over what is there, Pop takes the topmost away. IsTop
	// reports whether a view has the keys, IsBase whether it lies lowest.
	Push(v View)
	Pop()
	Top() View
	IsTop(v View) bool
	IsBase(v View) bool
	// Ask opens a box over the last row.
	Ask(p *Prompt) tea.Cmd
	// Reload asks again for the feeds and their numbers.
	Reload() tea.Cmd
	// Do does what a key does in several views to what is chosen.
	Do(a Action) tea.Cmd
	// Change sends a change of the library on its way.
	Change(c Change) tea.Cmd
	// Read shows a text over what is there; row names it, from is the list it
	// belongs to, nil for none.
	Read(row reader.Row, from View, load func(context.Context) (reader.Article, error)) tea.Cmd
	// OpenURL opens a web address in the browser, Copy copies it, or title and
	// address.
	OpenURL(addr string) tea.Cmd
	Copy(addr, title string) tea.Cmd
	// ShowFiles shows the enclosures of an item.
	ShowFiles(item *reader.Item) tea.Cmd
}

// Action is what a key does in several views to what is chosen.
type Action uint8

const (
	ToggleRead Action = iota
	ToggleSaved
	AskTag
	AskFind
	Browse
	BrowseOnly // and mark nothing read
	TrainMore
	TrainLess
	CopyLink
	CopyBoth
	ShowEdits
	NextFeed // with something unread
	PreviousFeed
)

// Change is a change of the library that u takes back.
type Change struct {
	Say  string // the sentence once it is kept
	Do   func(context.Context) (reader.Done, error)
	Then func() tea.Cmd // what follows then; nil: nothing
}

// MoreMsg adds to a sentence, while that stands.
type MoreMsg struct{ To, Say string }

// Messages that all views are told.
type (
	// ChangedMsg: the library has something new. Only the lowest view is told.
	ChangedMsg struct{}
	// SettingMsg: a setting may have changed, or with Undone anything that can
	// be.
	SettingMsg struct{ Undone bool }
	// MidnightMsg: the day headings are a day old.
	MidnightMsg struct{}
)

// Backing is what becomes of a key that goes back.
type Backing uint8

const (
	BackOut    Backing = iota // nothing is open within: the layer is left
	BackWithin                // something within was ended
	BackNever                 // there is nothing to go back to
)

// These are asked of the few views that have them.
type (
	// Opened is what a row of a list was opened as.
	Opened interface {
		Opening() int // which opening it is, for undo
		// Link is what o and y mean, and what it is called; ok is false while
		// that is not known.
		Link() (addr, title string, ok bool)
		Keep(p *Place)
	}
	// Source is a list whose items are read one after the other.
	Source interface {
		// NextUnread opens the next unread item after one, or before it.
		NextUnread(h Host, id reader.ItemID, d int) tea.Cmd
		// ReadNext announces the next unread item after one that was read to its end,
		// or opens it if coming says that it was announced.
		ReadNext(h Host, id reader.ItemID, coming *reader.ItemID) tea.Cmd
		// OpenBeside opens the item after one, or before it.
		OpenBeside(h Host, id reader.ItemID, d int) tea.Cmd
	}
	// Clickable has rows that a click chooses. Click chooses the one at a cell of
	// the view, counted from 0, and gives its number if a second click on it opens
	// it, else -1.
	Clickable interface {
		Click(h Host, x, y int) (row int)
	}
	// Typist takes keys as text; taken is false where it has no use for one.
	Typist interface {
		Typed(h Host, k tea.KeyPressMsg) (cmd tea.Cmd, taken bool)
	}
	// Writer is a typist with a cursor, which a paste goes to.
	Writer interface {
		Paste(h Host, text string)
		Cursor(s *Scene, w, h int) (x, y int, shown bool)
	}
	// Selector has rows to be selected.
	Selector interface{ Unselect() bool }
	// Folder closes the folder around the chosen row.
	Folder interface{ Fold() }
	// Trainer says what + and - train where no item is chosen.
	Trainer interface {
		Feedback(less bool) (l reader.Feedback, none string)
	}
	// Peeker has rows with something in them: Peek names the chosen one, "" for none,
	// and shows what is in it without opening it.
	Peeker interface {
		Peek() (of string, show func(Host) (View, tea.Cmd))
	}
	// Aside stands beside the feeds on a wide screen, and beside the list it was
	// opened from, if any; wide says that it needs more cells than a text does. One
	// that is no item of a list stands beside what it was opened from alone.
	Aside interface {
		Beside() (from View, wide bool)
	}
	// Speaker says in the linear form where the reader is.
	Speaker interface{ Speak(s *Scene) string }
)

// Unselect ends the selection in what is on top.
func Unselect(h Host) {
	if l, ok := h.Top().(Selector); ok {
		l.Unselect()
	}
}

// SourceOf is what from is read from; where it is no list, that is said.
func SourceOf(h Host, from View) (s Source, ok bool) {
	if s, ok = from.(Source); !ok {
		h.Say("There is no list to go on in.")
	}
	return s, ok
}

// On makes a binding of what a key does in one kind of view.
//
//go:noinline // tables of keys call it 160 times
func On[V View](do func(V, Host) tea.Cmd) func(Host) tea.Cmd {
	return func(h Host) tea.Cmd {
		if v, ok := h.Top().(V); ok {
			return do(v, h)
		}
		return nil
	}
}

// By is On for what is done in one direction or the other.
//
//go:noinline // tables of keys call it 30 times
func By[V View](do func(V, Host, int) tea.Cmd, d int) func(Host) tea.Cmd {
	return On(func(v V, h Host) tea.Cmd { return do(v, h, d) })
}

// Does makes a binding of what a key does in several views.
//
//go:noinline // tables of keys call it 33 times
func Does(a Action) func(Host) tea.Cmd { return func(h Host) tea.Cmd { return h.Do(a) } }

// Batch is tea.Batch.
//
//go:noinline // 60 places; tea.Batch would copy a loop and a closure into each
func Batch(cmds ...tea.Cmd) tea.Cmd { return tea.Batch(cmds...) }

// Moves, Pages and Ends make bindings of the keys that move in every view.
//
//go:noinline // tables of keys call it 16 times
func Moves(d int) func(Host) tea.Cmd { return func(h Host) tea.Cmd { return h.Top().Move(h, d) } }

//go:noinline // tables of keys call it 10 times
func Pages(d, part int) func(Host) tea.Cmd {
	return func(h Host) tea.Cmd { return h.Top().Page(h, d, part) }
}

//go:noinline // tables of keys call it 6 times
func Ends(d int) func(Host) tea.Cmd { return func(h Host) tea.Cmd { return h.Top().Ends(h, d) } }

// Base is a view that has nothing to say, to be embedded.
type Base struct{}

func (Base) Over() (string, bool)                            { return "", false }
func (Base) Page(Host, int, int) tea.Cmd                     { return nil }
func (Base) Ends(Host, int) tea.Cmd                          { return nil }
func (Base) Matches(*Scene, string) (int, bool)              { return 0, false }
func (Base) Find(Host, string)                               {}
func (Base) Back(Host) Backing                               { return BackOut }
func (Base) Shown(Host, bool) tea.Cmd                        { return nil }
func (Base) OnMsg(Host, tea.Msg) tea.Cmd                     { return nil }
func (Base) Row() *reader.Row                                { return nil }
func (Base) Rows() []*reader.Row                             { return nil }
func (Base) Amend(map[reader.ItemID]bool, func(*reader.Row)) {}
func (Base) Feeds() ([]reader.FeedID, bool)                  { return nil, false }
func (Base) About() (reader.FeedID, string)                  { return 0, "" }
func (Base) Why(Host) (tea.Cmd, bool)                        { return nil, false }
func (Base) Origin() View                                    { return nil }

// Listing is a view of rows, one of them chosen.
type Listing struct {
	Base
	List  List
	High  int // lines of the last drawing, for keys that move by pages
	Above int // lines of it that stand above the rows
}

// GoRow puts the cursor on a row and brings it into sight.
//
//go:noinline // 23 places
func (l *Listing) GoRow(row int) { l.List.Set(row, max(1, l.High)) }

// FitTo takes in the lines there are to draw in.
//
//go:noinline // 13 places
func (l *Listing) FitTo(h int) {
	if l.High != h {
		l.High = h
		l.List.Show(h)
	}
}

func (l *Listing) Click(_ Host, _, y int) (row int) {
	y -= l.Above
	if y < 0 || y >= l.High || l.List.Top+y >= l.List.Lines() {
		return -1
	}
	row, head := l.List.At(l.List.Top + y)
	if head >= 0 {
		return -1
	}
	l.GoRow(row)
	return row
}

func (l *Listing) Move(_ Host, d int) tea.Cmd {
	l.GoRow(l.List.Cur + d)
	return nil
}

func (l *Listing) Page(_ Host, d, part int) tea.Cmd {
	l.List.scroll(d*PageStep(l.High, part), max(1, l.High))
	return nil
}

func (l *Listing) Ends(_ Host, d int) tea.Cmd {
	if d > 0 {
		l.GoRow(l.List.N - 1)
		return nil
	}
	l.List.Top = 0
	l.GoRow(0)
	return nil
}

// PageStep is 1/part of a screen in lines; a whole page keeps one in sight.
func PageStep(h, part int) int {
	if part == 1 {
		return max(1, h-1)
	}
	return max(1, h/part)
}

// Scrolling is a view of text without a cursor.
type Scrolling struct {
	Base
	Text []string
	Top  int
	High int
}

// Window gives the lines in sight.
func (t *Scrolling) Window(s *Scene, w, h int) []string {
	t.High = h
	t.Top = max(0, min(t.Top, len(t.Text)-h))
	return s.Fill(append([]string(nil), t.Text[t.Top:]...), w, h)
}

func (t *Scrolling) Move(_ Host, d int) tea.Cmd {
	t.Top = max(0, min(t.Top+d, len(t.Text)-t.High))
	return nil
}

func (t *Scrolling) Page(h Host, d, part int) tea.Cmd { return t.Move(h, d*PageStep(t.High, part)) }

func (t *Scrolling) Ends(h Host, d int) tea.Cmd {
	if d > 0 {
		return t.Move(h, 1<<20)
	}
	t.Top = 0
	return nil
}
