package ui

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/ui/adding"
	"diurna/ui/boxes"
	"diurna/ui/command"
	"diurna/ui/editall"
	"diurna/ui/feeds"
	"diurna/ui/fetching"
	"diurna/ui/files"
	"diurna/ui/finding"
	"diurna/ui/greeting"
	"diurna/ui/header"
	"diurna/ui/impressions"
	"diurna/ui/jobs"
	"diurna/ui/keymap"
	"diurna/ui/lastrow"
	"diurna/ui/list"
	"diurna/ui/macro"
	"diurna/ui/marks"
	"diurna/ui/notes"
	"diurna/ui/opening"
	"diurna/ui/pages"
	"diurna/ui/panes"
	"diurna/ui/pausing"
	"diurna/ui/places"
	"diurna/ui/queries"
	"diurna/ui/ranked"
	"diurna/ui/rhythm"
	"diurna/ui/rounds"
	"diurna/ui/search"
	"diurna/ui/stack"
	"diurna/ui/term"
	"diurna/ui/theme"
	"diurna/ui/trends"
	"diurna/ui/view"
)

// model is the one model of the program. Update routes a message to the method
// that knows its kind; parts are plain structs; only methods called from
// Update assign to any of it.
type model struct {
	Scene view.Scene
	*stack.Stack
	*stack.Questions
	parts
	notes *notes.Notes
	opts  Options
	eff   *effects
	keys  *keymap.Map
	clock func() time.Time

	lists  *list.Source
	river  *list.View
	feedz  *feeds.View
	pagez  *pages.View
	rhythm *rhythm.View

	last    lastrow.Row
	head    header.Header
	pressed string // the key that is done
	presses uint64 // how many were
	clicked click  // what the mouse chose last, unless a key was pressed since

	feedsGen uint64

	paged   bool // the watched pages were read once: what is new is known from then on
	empty   bool // nothing was ever subscribed to
	late    bool // all feeds are still to be read: the first frame had those of its rows
	unnoted bool // so are notes, histories, hints: see loadNotes
	session *impressions.Session
	greet   *greeting.Greeting
	places  *places.Places

	look look
}

// parts do what keys and words of the command line stand for.
type parts struct {
	nav     *stack.Mover
	boxes   *boxes.Boxes
	finder  *finding.Finder
	queries *queries.Saved
	files   *files.Downloads
	editor  *editall.Editor
	line    *command.Line
	pipe    *command.Pipe
	macros  *macro.Player
	marks   *marks.Marks
	items   *opening.Items
	opener  *opening.Lists
	fetch   *fetching.Fetching
	adding  *adding.Adding
	ranked  *ranked.Ranked
	pause   *pausing.Pause
}

// Init asks for news of changes, and for what the first frame did not have.
func (m *model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.eff.changes(), m.eff.midnight(m.Scene.Now), m.fetch.Next(), m.ranked.Next()}
	if m.opts.Config.Theme == theme.Auto {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if m.late { // drawnMsg and onFeeds go on
		return view.Batch(cmds...)
	}
	cmds = append(cmds, m.loadNotes(), m.loadLists())
	// Rows of pages give their reasons, and what is reported later is new; Feeds have saved
	// queries.
	if m.At == stack.Feeds || slices.ContainsFunc(m.Scene.Order, func(f reader.Feed) bool { return f.Watched }) {
		cmds = append(cmds, m.Reload())
	}
	return view.Batch(cmds...)
}

// loadNotes starts fetching and loads suggestions and the histories of boxes.
func (m *model) loadNotes() tea.Cmd {
	return view.Batch(m.fetch.Begin(m), m.ranked.Offer(), m.notes.Recall(ranked.OrderName), m.greet.Opening(), m.greet.Hints(), m.boxes.Recall())
}

// loadLists loads the rest of River and the place to return to.
func (m *model) loadLists() tea.Cmd {
	cmds := []tea.Cmd{m.notes.Recall(greeting.PlaceName)}
	if !m.empty {
		cmds = append(cmds, m.river.Load(m))
	}
	return view.Batch(cmds...)
}

func newModel(ctx context.Context, lib Library, o Options, snapshot reader.Snapshot) *model {
	clock := o.clock
	if clock == nil {
		clock = time.Now
	}
	now := clock()
	m := &model{
		opts: o, eff: newEffects(ctx, lib, o.wait), clock: clock, Stack: &stack.Stack{},
		empty: snapshot.Empty, late: snapshot.Partial, unnoted: snapshot.Partial,
	}
	life := m.eff.ctx
	m.look.opts = &m.opts
	m.Last = &m.last
	m.last.Put(lastrow.Notice, o.Notice)
	m.Scene = view.Scene{Th: m.look.theme(),
		Now: now, Zone: now.Location(), Cfg: o.Config, Dir: o.DataDir}
	m.Scene.SetFeeds(snapshot.Feeds)
	m.Questions = stack.NewQuestions(life, m.Stack)
	m.notes = notes.New(life, lib)
	m.boxes = boxes.New(m, m.Stack, m.notes)
	m.session = impressions.New(life, &m.Scene, lib, lib.Ranker)
	m.greet = greeting.New(life, lib, m.notes, &m.last)
	m.eff.out.Env, m.eff.out.Browser, m.eff.out.Player, m.eff.out.Unhold = m.Env, o.Config.Browser, o.Config.Player, o.Unhold
	m.files = files.New(lib, lib.Files, o.Config.Downloads, m.eff.out)
	m.marks = marks.New(life, lib, lib.Ranker, m.eff.wait, m, m, m.Stack)
	m.items = opening.NewItems(m, lib, lib.Pages, lib.Texts, opening.Facts{Stats: lib.Stats, Portraits: trends.About(lib.Trends, lib.Stories), Rules: lib.Rules, Places: lib.Pages}, m.Stack, m.marks, m.eff.out, m.files)
	m.opener = opening.NewLists(m, lib, m.Stack)
	m.ranked = ranked.New(life, lib.Ranker, m, m.Stack, m.notes)
	m.fetch = fetching.New(life, lib, rounds.New(life, lib), m.Stack, m.Questions)
	m.fetch.Idle, m.fetch.Leave = o.Idle, m.Leave
	m.editor = editall.New(life, lib.Subscriptions, m.eff.out, m.fetch)
	m.pause = pausing.New(m.marks, m.fetch, m.session)
	m.places = &places.Places{Items: m.items, Session: m.session}
	m.views(lib, snapshot)
	m.adding = &adding.Adding{Questions: m.Questions, Lines: m.boxes, Host: m, Lib: lib, Finder: lib.Finder, Watcher: lib.Pages, Home: m.Env("HOME"),
		Fetch: m.fetch, Nav: m.nav, Lists: m.opener, River: m.river, Feeds: m.feedz, Pages: m.pagez, Leave: m.Leave}
	screen := command.Screen{Questions: m.Questions, Layers: m.Stack, Changes: m.marks, Env: m.Env}
	m.pipe = command.NewPipe(screen, lib, m.eff.out)
	m.line = command.New(screen, o.Shell, ownWords(&m.parts)) // its words are those of the parts that are there
	m.macros = macro.NewPlayer(m, m.line, m.pipe)
	keys, err := keymap.New(partsOfHelp(&m.parts), o.Config.Keymap, o.Keys, commandNames(o.Commands))
	if m.keys = keys; err != nil {
		m.last.Put(lastrow.Notice, err.Error()+".")
	}
	m.Scene.Key = keys.Shown
	if o.Config.Keymap == keymap.Newsboat {
		m.At = stack.Feeds // where newsboat begins; what is kept of the last session says where this one does
	}
	if m.empty {
		m.adding.First(o.Found, !o.Demo)
	}
	return m
}

// views makes the views that have a number.
func (m *model) views(lib Library, snapshot reader.Snapshot) {
	m.lists = list.NewSource(lib, lib.Ranker, lib.Stories, list.Desk{Opener: m.items, Marker: m.marks, Awaiter: m.Stack, Session: m.session, Returner: m.places, Orders: m.ranked})
	m.finder = finding.New(m.lists)
	m.river = m.lists.New(list.Of{Kind: list.River, Name: "River", Unread: query.Unread(), Days: true, Empty: view.SayRiverEmpty})
	m.river.Begin(&m.Scene, snapshot.Rows, len(snapshot.Rows) < firstRows)
	saved := m.lists.New(list.Of{Kind: list.Saved, Name: "Saved", Query: query.Saved(), Empty: func(*view.Scene) string { return "Nothing is saved. s saves the chosen item." }})
	m.rhythm = rhythm.New(lib.Stats, lib.Planner, m.opener)
	m.queries = queries.New(lib.Queries, m.lists)
	m.feedz = feeds.New(lib, feeds.Desk{Lists: m.opener, Marker: m.marks, Awaiter: m.Stack}, m.rhythm, lib.Stats, m.queries)
	m.feedz.Take(&m.Scene)
	m.pagez = pages.New(lib, lib.Pages, pages.Desk{Openings: m.marks, Feeds: m.feedz, Troubles: m.opener})
	m.Panes = panes.New(lib, m.feedz, 4*m.eff.wait)
	m.Numbered = []view.View{stack.River: m.river, stack.Feeds: m.feedz, stack.Saved: saved, stack.Pages: m.pagez, stack.Ranked: m.river,
		stack.Rhythm: m.rhythm, stack.Search: search.New(m.lists, lib.Searcher), stack.Trends: trends.New(lib.Trends, lib.Rules, m.lists, m.queries)}
	m.marks.Attach(m.lists, m.feedz, m.pagez)
	m.items.Attach(m.lists)
	m.opener.Attach(m.lists, m.rhythm)
	m.ranked.Attach(m.river)
	m.nav = stack.NewMover(m.Stack, stack.Ways{Leave: m.Leave, StopLine: func() bool { return m.line.Stop(m) }, AtRanked: m.ranked.AtRanked}, m.river)
	m.places.Nav, m.places.Lists, m.places.River, m.places.Feeds, m.places.Pages = m.nav, m.lists, m.river, m.feedz, m.pagez
}

// Env reads the environment that the program was given.
func (m *model) Env(name string) string { return m.opts.env(name) }

func (o *Options) env(name string) string {
	if o.Environ == nil {
		return os.Getenv(name)
	}
	for _, kv := range o.Environ {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// Update routes a message; what is chosen after it may be previewed.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.Scene.Now = m.clock().In(m.Scene.Zone)
	cmd := m.update(msg)
	if l := m.Items(); l != nil {
		cmd = view.Batch(cmd, m.lists.Leads(m, l.Visible()))
	}
	return m, view.Batch(cmd, m.Panes.Follow(m))
}

// update routes a message to the method for its kind: here those of the terminal and the
// process.
func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if keymap.Modifier(msg) {
			return nil
		}
		m.session.CountImpressions()
		m.session.LastKey, m.clicked = m.Scene.Now, click{}
		return view.Batch(m.session.Look(), m.macros.CatchUp(m, keymap.Control(msg).String()), m.greet.Key(&m.Scene), m.press(msg), m.session.Follow(m.visible()))
	case tea.MouseMsg:
		return m.pointed(msg)
	case tea.PasteMsg:
		return view.Batch(m.macros.CatchUp(m, ""), m.paste(msg.Content))
	case tea.WindowSizeMsg:
		m.Scene.W, m.Scene.H = msg.Width, msg.Height
		if m.Scene.W >= panes.Three {
			m.feedz.Take(&m.Scene) // its numbers stand beside the list from now on
		}
	case tea.FocusMsg:
		return m.session.Look()
	case tea.ModeReportMsg:
		// Bubble Tea asks at the start, and measures by clusters from this
		// answer on; whatever is drawn has to do the same.
		if v := msg.Value; msg.Mode == ansi.ModeUnicodeCore && (v == ansi.ModeReset || v.IsSet()) {
			m.Scene.Th.Measure.Graphemes = true
		}
	case tea.ColorProfileMsg:
		m.look.few = msg.Profile <= colorprofile.ANSI
		m.look.restyle(&m.Scene.Th)
	case tea.BackgroundColorMsg:
		if m.look.ground = "light"; msg.IsDark() {
			m.look.ground = "dark"
		}
		m.look.restyle(&m.Scene.Th)
	default:
		return m.route(msg)
	}
	return nil
}

// route is Update for messages from the library.
func (m *model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case term.DrawnMsg:
		if !m.unnoted {
			return nil
		}
		if m.unnoted = false; !m.late { // something was quicker to ask for the feeds
			return m.loadNotes()
		}
		return view.Batch(m.Reload(), m.loadNotes())
	case feedsMsg:
		return m.onFeeds(msg)
	case view.MoreMsg:
		m.last.Amend(msg.To, msg.Say)
	case greeting.OpeningMsg:
		if m.session.LastKey.IsZero() { // else a key was quicker
			m.greet.Greet(&m.Scene, msg)
		}
	case jobs.Msg: // what was read is one less in the tree beside a list
		if m.Scene.W >= panes.Three {
			return view.Batch(m.Deliver(msg), m.queries.Count(m, true))
		}
		return m.Deliver(msg)
	case view.ChangedMsg, view.MidnightMsg:
		return m.onNews(msg)
	default:
		return m.Deliver(msg)
	}
	return nil
}

// backKeys may find nothing to go back to, and then say that.
var backKeys = []string{"h", "left", "esc"}

// press finds what a key means in the place that has the keys.
func (m *model) press(k tea.KeyPressMsg) tea.Cmd {
	context, given := m.Where(), k
	k = m.keys.Latin(context, k)
	key := k.String()
	switch {
	case m.Scene.Tiny():
		if key == "q" || key == "Q" {
			return m.Leave()
		}
		return nil
	case key == "ctrl+z":
		return m.pause.Suspend(m)
	case key == "ctrl+l":
		return redraw(m)
	case m.Box != nil:
		return m.boxes.Key(m, k)
	}
	if l, ok := m.Top().(view.Typist); ok && m.Awaited == 0 {
		if cmd, taken := l.Typed(m, k); taken {
			return cmd
		}
		context = m.Where() // a key that ended letters means what it does without them
	}
	if m.macros.Named() {
		return m.runMacro(key, given.String())
	}
	if m.Awaited != 0 {
		m.Awaited = 0
		m.last.Put(lastrow.Question, "")
	}
	keys, own := m.keys.Own(context, key)
	own = own && !m.macros.Playing()
	b := m.keys.Bound(context, key)
	switch {
	case own && len(keys) > 0:
		m.last.Done()
		return m.macros.Play(m, macro.Keys(keys))
	case own || b == nil:
		if say := m.keys.Dead(context, key); say != "" {
			m.last.Idle(say)
		}
		return nil
	}
	m.last.Done()
	m.pressed = key
	m.presses++
	top := m.Top()
	cmd := b.Do(m)
	l := m.TopItems()
	if l == nil {
		return cmd
	}
	if cmd == nil && m.Top() == top && l.Row() == nil && m.Box == nil && m.Awaited == 0 && !slices.Contains(backKeys, key) && !m.last.Has(lastrow.Message) {
		m.Say("There is no item here.")
	}
	return view.Batch(cmd, l.Explain(m))
}

// Say puts a sentence in the last row, where it stands until the next key that does
// something. It is taken away at such a key.
//
//go:noinline // 50 places
func (m *model) Say(s string) {
	s = strings.Replace(s, " u undoes.", m.keys.Undoes(m.Top().Context()), 1) // a keymap may have taken u
	m.last.Put(lastrow.Message, s)
}

// visible are the rows on the screen that count as seen: of a list of items in which
// nothing was searched for or saved.
func (m *model) visible() []*reader.Row {
	if l := m.TopItems(); l != nil && !l.IsSearch() && l != m.Numbered[stack.Saved] && !m.Scene.Tiny() {
		return l.Visible()
	}
	return nil
}

// Deliver passes a message to all views and parts.
func (m *model) Deliver(msg tea.Msg) tea.Cmd {
	cmds := []tea.Cmd{m.boxes.OnMsg(m, msg), m.session.OnMsg(m, msg), m.greet.OnMsg(m, msg), m.marks.OnMsg(m, msg), m.fetch.OnMsg(m, msg), m.adding.OnMsg(m, msg), m.ranked.OnMsg(m, msg), m.pause.OnMsg(m, msg), m.places.OnMsg(m, msg),
		m.eff.out.OnMsg(m, msg), m.line.OnMsg(m, msg), m.pipe.OnMsg(m, msg), m.macros.OnMsg(m, msg), m.Panes.OnMsg(m, msg), m.files.OnMsg(m, msg), m.editor.OnMsg(m, msg)}
	for _, l := range m.All() {
		cmds = append(cmds, l.OnMsg(m, msg))
	}
	return view.Batch(cmds...)
}
