package list

import (
	"context"
	"slices"
	"sort"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/stories"
	"diurna/ui/view"
)

// Library is what a list asks of the library.
type Library interface {
	Rows(ctx context.Context, q reader.Query, most int) ([]reader.Row, error)
	Article(ctx context.Context, id reader.ItemID) (reader.Article, error)
	Items(ctx context.Context, ids []reader.ItemID) ([]reader.Item, error)
	Adjust(ctx context.Context, id reader.FeedID, field, value string) (reader.Done, error)
}

// Ranker puts rows in order and says why they stand there.
type Ranker interface {
	Arrange(ctx context.Context, now time.Time, o reader.Order, rows []reader.Spot, screen int, progress func(done, of int)) (reader.Arrangement, error)
	WhyItem(ctx context.Context, id reader.ItemID, screen int) (reader.ItemWhy, error)
}

// Desk is what a list asks of the screen, beside what every view does.
type Desk struct {
	Opener
	Marker
	Awaiter
	Session
	Returner
	Orders
}

// Opener shows an item of a list, in place of the one that is shown, and marks it
// read; found says that it was searched for.
type Opener interface {
	Open(row reader.Row, from view.View, found bool) tea.Cmd
}

// Marker changes items.
type Marker interface {
	// MarkRows marks items read wherever they are shown, as one step.
	MarkRows(scope string, ids []reader.ItemID) tea.Cmd
	// Settled gives a number that changes with every act, and whether none is on
	// its way: what the library says while one is may not know it yet.
	Settled() (acts int, none bool)
}

// Awaiter lets the next key mean what it does in a place; the question stands in the
// last row until then.
type Awaiter interface {
	Await(c view.Context, question string)
}

// Session is told before rows that were on the screen leave their places.
type Session interface{ CountImpressions() }

// Returner goes back to the row of the last session once it is there.
type Returner interface{ Resume(l *View) }

// Orders keeps the order of River, when that changed, and is told beside the event
// loop how far a ranking is.
type Orders interface {
	KeepOrder() tea.Cmd
	Ranking(done, of int)
}

// Source makes lists of one library on one screen, and remembers how each kind of
// them is arranged.
type Source struct {
	lib     Library
	rank    Ranker
	desk    Desk
	kept    map[string]view.Arranged
	leads   leads
	stories storied
}

// NewSource gives what makes lists.
func NewSource(lib Library, rank Ranker, keeper Stories, desk Desk) *Source {
	return &Source{lib, rank, desk, make(map[string]view.Arranged), make(leads), storied{lib: keeper}}
}

// Of says what a list is of.
type Of struct {
	Kind   Kind
	Name   string                 // "River": stands in row 1 and in messages
	Query  reader.Query           // what the whole list asks the library for, read or not
	Unread reader.Query           // the same for what is unread, if the library has a shorter way to that
	Only   map[reader.FeedID]bool // nil: of all feeds
	Days   bool                   // day headings, and clocks below them
	Feed   reader.FeedID          // of this feed alone, whose name no row repeats; 0: of several
	Start  bool                   // the first row is opened as soon as it is there
	Most   int                    // newest rows that are enough; 0: all
	Empty  func(s *view.Scene) string
	By     Finder       // what finds the rows instead of Query; nil: nothing
	Saved  reader.Query // what Only means, for a query that is saved of the list
	Means  reader.Query // what is saved instead of Query, which names items by their ids; empty: Query
}

// New gives a list without rows: Load asks for them.
func (s *Source) New(of Of) *View {
	l := &View{src: s, table: table{src: s, of: of, manner: s.manner(of.Kind)}}
	l.List = &l.table.List
	l.load.table, l.ord = &l.table, ordering{src: s, table: &l.table}
	l.narrowing, l.why = narrowing{src: s, table: &l.table}, whyPanel{src: s, table: &l.table}
	l.table.rows.leads = s.leads
	if of.Most > 0 {
		l.table.order = reader.Newest // of the newest alone another order would say nothing
	}
	return l
}

// Begin gives a list its first rows; whole says that there are no others.
func (l *View) Begin(s *view.Scene, rows []reader.Row, whole bool) {
	l.table.rows.all, l.table.whole = rows, whole
	l.table.settle(s, 0)
}

// rowsMsg brings rows that a list asked for.
type rowsMsg struct {
	gen    uint64
	rows   []reader.Row
	shown  []reader.Row // those of them that the list does not hide
	groups *stories.Groups
	err    error
	took   func() tea.Cmd // is called when they are shown; nil: nothing is to be done then
}

// ask reads rows of a list, and which of them it shows if it hides read ones. One of
// chosen feeds holds those that are hidden too.
func (s *Source) ask(h view.Host, gen uint64, q reader.Query, of *Of, hides bool) tea.Cmd {
	ctx, only, most := h.Life(), of.Only, 0
	if only != nil {
		q = q.WithHidden()
	} else if !hides {
		most = of.Most
	}
	return func() tea.Msg {
		rows, err := s.lib.Rows(ctx, q, most)
		if only != nil {
			kept := rows[:0]
			for _, r := range rows {
				if only[r.ID.Feed()] {
					kept = append(kept, r)
				}
			}
			rows = kept
		}
		msg := rowsMsg{gen: gen, rows: rows, shown: rows, groups: s.stories.read(ctx), err: err}
		if hides && !q.WantsUnread() {
			msg.shown = nil
			for i := range rows {
				if unread(&rows[i]) {
					msg.shown = append(msg.shown, rows[i])
				}
			}
		}
		if n := of.Most; n > 0 && len(msg.shown) > n {
			for i := range msg.shown[:n] {
				own(&msg.shown[i])
			}
			msg.shown = slices.Clone(msg.shown[:n])
			msg.rows = msg.shown
		}
		return msg
	}
}

// arrange puts rows in an order.
func (s *Source) arrange(h view.Host, gen uint64, o reader.Order, spots []reader.Spot) tea.Cmd {
	ctx, screen := h.Life(), max(0, h.Screen().H-2)
	return func() tea.Msg {
		got, err := s.rank.Arrange(ctx, time.Now(), o, spots, screen, func(done, of int) {
			if of >= longRanking {
				s.desk.Ranking(done, of)
			}
		})
		return ArrangedMsg{gen, spots, got, err}
	}
}

// longRanking is from how many items on a ranking shows how far it is.
const longRanking = 2000

// why explains the place of an item.
func (s *Source) why(h view.Host, gen uint64, id reader.ItemID) tea.Cmd {
	ctx, screen := h.Life(), max(0, h.Screen().H-2)
	return func() tea.Msg {
		why, err := s.rank.WhyItem(ctx, id, screen)
		return whyMsg{gen, why, err}
	}
}

// Asks says what the list is of, and what it is narrowed by and was searched for.
func (l *View) Asks() (of Of, narrow, found string, hides bool) {
	return l.table.of, l.table.narrow, l.table.found.Text, l.table.hides
}

// Become makes it a list of another kind with the same rows.
func (l *View) Become(k Kind, name string) { l.table.of.Kind, l.table.of.Name = k, name }

// Order is the order that was asked for, AwaitsOrder reports whether it is on its way.
func (l *View) Order() reader.Order { return l.table.order }

func (l *View) AwaitsOrder() bool { return l.ord.askOrd != 0 }

// Feed is the feed whose items the list holds alone, 0 for a list of several.
func (l *View) Feed() reader.FeedID { return l.table.of.Feed }

// Whole reports whether all rows were loaded, Moved whether a key has moved in it
// since it was entered: from then on nothing moves in it by itself. Hold sees to that.
func (l *View) Whole() bool { return l.table.whole }

func (l *View) Moved() bool { return l.table.moved }

func (l *View) Hold() { l.table.moved = true }

// Force lets the next answer replace the rows, whatever moved.
func (l *View) Force() { l.load.force = true }

// ChosenID is the chosen item, 0 for none.
func (l *View) ChosenID() reader.ItemID { return l.table.chosenID() }

// Visible are the rows that stand on the screen, the topmost first.
func (l *View) Visible() []*reader.Row {
	rows := make([]*reader.Row, 0, l.table.High) // asked for with every key
	for y := l.table.List.Top; y < min(l.table.List.Lines(), l.table.List.Top+l.table.High); y++ {
		if i, head := l.table.List.At(y); head < 0 {
			rows = append(rows, l.table.rows.at(i))
		}
	}
	return rows
}

// Return goes to the row of the last session, where it was if it is read by now.
func (l *View) Return(p *view.Place) {
	i := l.table.rows.index(l.table.List.Cur, p.Item)
	if i < 0 && l.table.order == reader.Newest {
		i = sort.Search(l.table.List.N-1, func(i int) bool { return l.table.rows.at(i).At <= p.At }) // where it was
	}
	if i > 0 {
		l.table.List.Top = max(0, l.table.List.Line(i)-p.Above)
		l.table.List.Set(i, max(1, l.table.High))
		l.table.moved = true
	}
}
