// Package ui shows lists of items, articles and the other views, and turns keys into
// requests.
//
// Call Run with a *reader.Reader: it owns the terminal until the user
// leaves. Frames draws every view once as plain text, without a terminal. The
// whole face of the package is this file; the others are how.
//
// Reading on: model.go routes messages and wires the parts, keys.go and words.go have
// the tables of keys and of words of the command line, host.go is the screen as views
// know it. What a key does stands in a package: ui/stack, ui/marks, ui/opening,
// ui/fetching and others; see docs/architecture.md. Every level of the screen implements
// view.View: ui/view has what they share.
package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/add"
	"diurna/ui/command"
	"diurna/ui/editall"
	"diurna/ui/feeds"
	"diurna/ui/files"
	"diurna/ui/greeting"
	"diurna/ui/info"
	"diurna/ui/keymap"
	"diurna/ui/list"
	"diurna/ui/opening"
	"diurna/ui/pausing"
	"diurna/ui/queries"
	"diurna/ui/rhythm"
	"diurna/ui/search"
	"diurna/ui/term"
	"diurna/ui/trends"
	"diurna/ui/view"
)

// Library is the library as the screen uses it, part by part. It is the only interface
// between them, and the tests have one fake for it.
type Library struct {
	Reader
	Subscriber
	Ranker        Ranker
	Planner       rhythm.Planner
	Stats         Stats
	Subscriptions editall.Library
	Pages         Pages
	Finder        add.Finder
	Searcher      search.Library
	Queries       queries.Library
	Texts         opening.Texts
	Rules         Rules
	Stories       list.Stories
	Trends        trends.Library
	Files         files.Downloader
}

// Rules is what the screen uses of *rules.Keeper.
type Rules interface {
	info.Rules
	trends.Rules
}

// Stats is what the screen uses of *stats.Counter.
type Stats interface {
	feeds.Stats
	info.Stats
	rhythm.Stats
}

// LibraryOf is lib part by part, with r and s, which may add to it, in front.
func LibraryOf(lib *reader.Reader, r Reader, s Subscriber) Library {
	return Library{Reader: r, Subscriber: s, Ranker: lib.Ranker(), Planner: lib.Planner(), Stats: lib.Stats(), Subscriptions: lib.Subscriptions(), Pages: lib.Pages(), Finder: lib.Finder(), Searcher: lib.Searcher(), Queries: lib.Queries(), Texts: lib.FullTexts(), Rules: lib.Rules(), Stories: reader.Stories(lib), Trends: reader.Trends(lib), Files: reader.Files(lib)}
}

// Ranker is what the screen uses of *interest.Ranker.
type Ranker interface {
	Arrange(ctx context.Context, now time.Time, o reader.Order, rows []reader.Spot, screen int, progress func(done, of int)) (reader.Arrangement, error)
	WhyItem(ctx context.Context, id reader.ItemID, screen int) (reader.ItemWhy, error)
	Train(ctx context.Context, now time.Time, feedback ...reader.Feedback) (reader.Done, string, error)
	Freeze(ctx context.Context, now time.Time, on bool) (reader.Done, error)
	Reset(ctx context.Context, now time.Time) (reader.Done, error)
	Evidence(ctx context.Context) (reader.Evidence, error)
	EvidenceTable(ctx context.Context) ([]byte, error)
	Shown(ctx context.Context, now, at time.Time, impressions []reader.Impression) error
	Hindsight(ctx context.Context, now time.Time, rows, opens int) (reader.Hindsight, error)
}

// Reader is what the screen uses of *reader.Reader to read items and mark them.
type Reader interface {
	Snapshot(ctx context.Context, n int) (reader.Snapshot, error)
	Rows(ctx context.Context, q reader.Query, limit int) ([]reader.Row, error)
	Feeds(ctx context.Context) ([]reader.Feed, error)
	Items(ctx context.Context, ids []reader.ItemID) ([]reader.Item, error)
	Article(ctx context.Context, id reader.ItemID) (reader.Article, error)
	Open(ctx context.Context, id reader.ItemID) (reader.Article, error)
	Reveal(ctx context.Context, address string) (string, error)
	Mark(ctx context.Context, act reader.Act, scope string, ids []reader.ItemID, tag string) (reader.Done, error)
	Undo(ctx context.Context, no, after uint64) (reader.Step, error)
	Redo(ctx context.Context) (reader.Step, error)
	Steps(ctx context.Context, limit int) ([]reader.Step, error)
	OpenFound(ctx context.Context, id reader.ItemID) (reader.Article, error)
	ItemChange(ctx context.Context, id reader.ItemID, back int) (reader.ItemEdit, error)
	Looked(ctx context.Context) error
	Opening(ctx context.Context) (reader.Opening, error)
	Changes() <-chan struct{}
	Keep(ctx context.Context, name string, value []byte) error
	Recall(ctx context.Context, name string) ([]byte, error)
}

// Subscriber is what it uses of it to change feeds and fetch them.
type Subscriber interface {
	Subscribe(ctx context.Context, c reader.Candidate, o reader.SubscribeOptions) (reader.Subscribed, error)
	Unsubscribe(ctx context.Context, ids []reader.FeedID) (reader.Done, error)
	Adjust(ctx context.Context, id reader.FeedID, field, value string) (reader.Done, error)
	TagFeeds(ctx context.Context, ids []reader.FeedID, words []string) (reader.Done, error)
	Fetch(ctx context.Context, q reader.FetchRequest, progress func(reader.Progress)) (reader.FetchReport, error)
	Import(ctx context.Context, doc []byte, o reader.ImportOptions, progress func(reader.Progress)) (reader.ImportReport, error)
	Run(ctx context.Context, tell func(reader.Event)) error
}

// Pages is the slice of *watch.Pages that the screen uses.
type Pages interface {
	List(ctx context.Context) ([]reader.Page, error)
	Change(ctx context.Context, id reader.FeedID, from, to int) (reader.Change, error)
	ChangeOf(ctx context.Context, id reader.ItemID) (reader.Change, error)
	Revisions(ctx context.Context, id reader.FeedID) ([]reader.Revision, error)
	RevisionRaw(ctx context.Context, id reader.FeedID, no int) (body []byte, contentType string, err error)
	PreviewIgnore(ctx context.Context, id reader.FeedID, rule string) (now, then, of int, err error)
	IgnoreBlock(ctx context.Context, id reader.FeedID, rule string) (reader.Done, error)
	IgnoredBlocks(ctx context.Context, id reader.FeedID) ([]reader.Ignored, error)
	ReportBlock(ctx context.Context, id reader.FeedID, p *reader.Ignored) (reader.Done, error)
	Watch(ctx context.Context, address string, o reader.WatchOptions) (reader.Watched, error)
	SecondFetch(ctx context.Context, w reader.Watched) (reader.Second, error)
	Suggestions(ctx context.Context) ([]reader.Suggestion, error)
	AnswerSuggestion(ctx context.Context, s reader.Suggestion, accept bool) (reader.Done, error)
}

// Config is what config.toml and the environment may say about the screen. The
// zero value is right for most people.
type Config = view.Config

// FoundHere is a subscription list found on this machine, offered by the empty
// library.
type FoundHere = add.Choice

// Options of the screen.
type Options struct {
	Version  string
	DataDir  string // where everything is kept, as people write it (~/.local/share/diurna)
	Config   Config
	Found    []FoundHere
	Demo     bool          // the library is the demo's: the empty one does not offer it again
	Keys     string        // what stands in keys.toml
	Shell    command.Shell // the shell's commands for the command line; nil: it has its own words alone
	Commands []string      // their names, for macros
	Notice   string        // stands in the last row until the first key: what was wrong with config.toml
	In       io.Reader     // nil: the terminal
	Out      io.Writer     // nil: the terminal
	Err      io.Writer     // for what is said after leaving; nil: nothing is said
	Environ  []string      // nil: the process's
	Linear   bool          // sentences instead of a screen: no redraw, no cursor addressing
	Idle     bool          // fetch nothing by itself

	// Watch reports other processes' commits, while another one fetches too; nil: only what
	// this process's fetcher notices.
	Watch func(context.Context) (<-chan uint64, error)

	// Stops receives when the process is asked to stop for a while (kill -TSTP), and Stop
	// stops it, the whole process group or this process alone, once nothing is being
	// fetched; false: nothing stopped it. nil: ^z cannot.
	Stops <-chan os.Signal
	Stop  func(whole bool) bool

	// Unhold puts a terminal that was held back into the modes it had before, for
	// another program that gets it; nil: it is not held.
	Unhold func()

	// Continued receives when the process was continued after another process had stopped
	// it (kill -STOP), and Foreground whether it has the terminal then.
	Continued  <-chan struct{}
	Foreground func() bool

	clock func() time.Time // tests only
	width int              // tests only: the size when there is no terminal
	high  int
	wait  time.Duration // tests only: how long acts are collected
}

// ErrDemo is returned by Run when the user chose "try the demo" in an empty
// library: the caller runs it.
var ErrDemo = errors.New("the demo was chosen")

// Run shows the screen until the user leaves. It returns nil then, ErrDemo
// when they chose the demo, the context's error when it ended first, and the
// library's error when it could not be read: in that case the terminal was not
// touched. Whatever was marked is kept before Run returns, and nothing is
// fetched any more. When the terminal goes away Run returns nil within a second.
func Run(ctx context.Context, r Library, o Options) error { return run(ctx, r, o) }

// Frame is one view drawn once.
type Frame struct {
	Name string // "River"
	Text string // h lines of w cells, plain
}

// Frames draws every view of the library once in w by h cells, as plain text
// without escape sequences. Views that fail to load say so where they stand.
func Frames(ctx context.Context, r Library, w, h int, o Options) []Frame {
	return frames(ctx, r, w, h, o)
}

// Keys lists every key and what it does, as the screen would take them with
// these options. The error is what is wrong with the user's own keys, of
// which the list then holds none but those of the keymap.
func Keys(o Options) ([]keymap.Key, error) {
	m, err := keymap.New(partsOfHelp(&parts{}), o.Config.Keymap, o.Keys, commandNames(o.Commands))
	return m.List(), err
}

// firstRows is how many rows of River the first frame asks for; screens with
// more rows get them from the complete list a moment later.
const firstRows = 100

func run(ctx context.Context, r Library, o Options) error {
	// The first screen is read before the terminal is touched: an error then
	// is a sentence in the shell, and the first frame already holds rows.
	snapshot, err := r.Snapshot(ctx, firstRows)
	if err != nil {
		return err
	}
	if o.Linear {
		return runLinear(ctx, r, o, snapshot)
	}
	outer := ctx
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	in, err := term.Input(o.In, hangUp)
	if err != nil {
		return err
	}
	m := newModel(ctx, r, o, snapshot)
	m.Scene.W, m.Scene.H = term.Size(o.Out)
	m.eff.out.TTY, _ = term.File(in)
	if o.Watch != nil && !snapshot.Empty {
		m.eff.seen, _ = o.Watch(ctx) // without it the screen is right, only later
	}
	m.pause.Halt = o.Stop
	prog := tea.NewProgram(m, o.program(in)...)
	go m.fetch.Plan.ObeyStops(o.Stops, m.eff.out.Suspended, o.Stop, func() { prog.Send(pausing.StopMsg{}) })
	if o.Continued != nil {
		go m.fetch.Plan.Retakes(o.Continued, m.eff.out.Suspended, o.Foreground, o.Stop, func() { prog.Send(pausing.RetakeMsg{}) })
	}
	err = play(ctx, prog)
	m.fetch.Plan.Stop()
	// What was marked in the last moments is still on its way.
	lost := m.marks.Drain()
	killed := ctx.Err() != nil
	if killed {
		m.notes.KeepNow(greeting.PlaceName, m.present())
	}
	m.eff.stop()
	m.files.Drain()
	switch {
	case killed && outer.Err() != nil:
		return outer.Err()
	case killed:
		return nil // the terminal is gone, and nobody reads an error
	case err != nil:
		return fmt.Errorf("screen: %w", err)
	case len(lost) > 0:
		return lost[0].Err
	case m.adding.DemoChosen():
		return ErrDemo
	}
	return m.farewell()
}

// hangUpAfter is how long an orderly end may take before the program ends without it: a
// terminal that hangs must not keep it.
const hangUpAfter = 700 * time.Millisecond

// play runs the program until it ends by itself or ctx does. Bubble Tea's own handling of a
// context closes the reader of keys while it is in use; ending it as a key would is
// orderly.
func play(ctx context.Context, p *tea.Program) error {
	stop := context.AfterFunc(ctx, func() {
		late := time.AfterFunc(hangUpAfter, p.Kill)
		p.Quit()
		p.Wait()
		late.Stop()
	})
	defer stop()
	_, err := p.Run()
	return err
}

// program is how the terminal is driven.
func (o *Options) program(in io.Reader) []tea.ProgramOption {
	// Signals end ctx. Bubble Tea's own handler would send a message as well, and its
	// shutdown would never return if the loop has ended first.
	opts := append(term.Paced(), tea.WithInput(in), tea.WithoutSignalHandler())
	out := o.Out
	if out == nil {
		out = os.Stdout
	}
	opts = append(opts, tea.WithOutput(term.Screen(out, o.env("TERM"))))
	if o.Environ != nil {
		opts = append(opts, tea.WithEnvironment(o.Environ))
	}
	if o.width > 0 {
		opts = append(opts, tea.WithWindowSize(o.width, o.high))
	}
	return opts
}

// farewell says once in a library's life that leaving ends fetching.
func (m *model) farewell() error {
	if m.places.Starts > 0 || m.opts.Demo || m.opts.Err == nil || !m.fetch.Plan.Fetches() {
		return nil
	}
	_, err := fmt.Fprintln(m.opts.Err, "diurna: nothing is fetched now. Leave it open in tmux, or: diurna run")
	return err
}
