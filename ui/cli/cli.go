// Package cli runs one command and prints its result, for people or as JSON.
//
// Call Run with the words of the command line and an Env that knows how to open
// the library. Everything a command prints goes through three hands: columns
// cut to the width of a terminal, tab-separated lines in a pipe, or JSON. Data
// goes to Env.Out, talk to Env.Err.
package cli

import (
	"context"
	"io"
	"net/http"
	"os"
	"sync"

	"diurna/reader"
)

// Exit codes, the same for every command.
const (
	ExitDone    = 0  // done
	ExitError   = 1  // not done
	ExitUsage   = 2  // wrong usage
	ExitPartly  = 3  // partly done, or doctor found trouble
	ExitBusy    = 4  // the library is busy
	ExitDamaged = 5  // the library is damaged or newer than the program
	ExitBug     = 70 // a bug in the program
	ExitINT     = 130
	ExitTERM    = 143
)

// Where says which library a command works on, as the global flags name it.
type Where struct {
	DataDir string            // folder of the library and all beside it; "": the usual places
	Config  string            // path of config.toml; "": the usual place
	Debug   bool              // write a log into the state folder
	Role    string            // what the fetch lock says of its holder
	Web     http.RoundTripper // a publisher inside the process; nil: the net
	NoSync  bool              // the library is thrown away at the end: do not wait for the disk
	Linear  bool              // sentences in place of a screen
}

// Env is what a command meets of the world.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	Version  string
	// Width is the number of columns of the terminal behind Out, 0 if Out is a
	// pipe or a file; High that of its rows. SizeOf tells them.
	Width, High int
	// Lively is true when Err is a terminal, where a line of progress may be
	// drawn over.
	Lively bool
	// Open opens the library and returns what closes it again. It makes
	// nothing on disk.
	Open func(Where) (*reader.Reader, func() error, error)
	// Screen shows the library until the reader leaves it.
	Screen func(context.Context, *reader.Reader, Where) error
	// Places says where things lie. It makes nothing on disk.
	Places func(Where) Places
	// Settings reads the config: every key with the value that holds.
	Settings func(Where) ([]Setting, error)
	// Keys lists the keys of the screen; the error is what is wrong with the
	// person's own.
	Keys func(Where) ([]Key, error)
	// Notice is how changes of watched pages are told; read after Open.
	Notice func() Notice
	// Lend is told true before another program gets the terminal and false when
	// it gives it back: in between an interrupt is that program's.
	Lend func(bool)
	// Frames prints every view of the screen once as plain text.
	Frames func(context.Context, *reader.Reader, io.Writer) error

	// Quiesce waits for the transactions under way in the library that is open and
	// holds back others until resume is called; nil: there is none.
	Quiesce func() (resume func())
}

// Places are where a library and what belongs to it lie, as absolute paths.
type Places struct {
	Home    string // of the person
	Library string // folder of diurna.db, its locks and its backups
	Cache   string
	State   string // folder of logs and of what a command could not do
	Config  string // config.toml, there or not
}

// Key is a row of the screen's key table.
type Key struct {
	Place string   // where the keys mean it: "a list", "everywhere"
	Keys  []string // as keys.toml names them: "ctrl+d"
	Shown string   // the same as people write them: "^d"
	Does  string
	Yours bool // of the person's own
}

// Setting is one key of the config with the value that holds, both as TOML
// writes them. Table is "" for keys at the top.
type Setting struct {
	Table, Key, Value string
	Set               bool // in the file; else it is the default
}

// Run runs the command that args name, without the program's own name, and
// returns the exit code. Errors have been printed when it returns.
func Run(ctx context.Context, args []string, env Env) int { return run(ctx, args, env) }

// SizeOf is the number of columns and rows of the terminal that f is, 0 and 0
// if it is none.
func SizeOf(f interface{ Fd() uintptr }) (width, high int) { return sizeOf(f.Fd()) }

// Private keeps other people of the machine from reading what the program
// writes, whatever the shell's umask is.
func Private() { private() }

// Nearest returns the one of names that word was probably meant to be, "" when
// even the nearest is something else.
func Nearest(word string, names []string) string { return closest(word, names) }

// Stopper takes what asks the process to stop for a while (^Z, kill -TSTP) in
// place of the stop itself, so that what other processes wait for can be let
// go first: a stopped process keeps its locks.
type Stopper struct {
	Asked chan os.Signal // a value for each time it was asked; nil where nothing stops a process
	// Continued has a value for each time the process goes on after somebody else
	// has stopped it (kill -STOP); nil where nothing stops a process.
	Continued chan struct{}
	stopper
}

// InForeground reports whether the process has its terminal: a shell's job in the
// background must not touch it. True where there is no terminal.
func InForeground() bool { return inForeground() }

// NewStopper takes over; Close gives back.
func NewStopper() *Stopper { return newStopper() }

// Stop stops the process, or the whole of its process group as ^Z does, and
// returns once it is continued. It is false when nothing stopped it: there is
// no shell behind the terminal that could continue it.
func (s *Stopper) Stop(whole bool) bool { return s.stop(whole) }

// Close leaves the process to be stopped as any other.
func (s *Stopper) Close() { s.close() }

// A List is a subscription list of another program, found on this machine.
type List struct {
	Program string // "newsboat"
	Path    string
	Feeds   int // lines with an address
	Tags    int // different ones
}

// Lists looks for subscription lists below a home folder. It only reads.
func Lists(home string) []List { return findLists(home) }

// Fetcher is a reader that runs the plan and, when it has nothing to fetch,
// makes the library's daily backup: the screen fetches through it.
type Fetcher struct {
	*reader.Reader
	Dir      string // of the library; "": no backups
	Notice   Notice
	Terminal io.Writer // for its bell; nil: whoever draws the screen rings
	// Screen: a library that proves damaged is set aside at once, as at the end of a
	// command, and all that needs it says so from then on.
	Screen bool

	mu   sync.Mutex
	had  bool  // there was a library
	lost error // why there is none any more

	// Quiesce holds back whoever needs the library while the process is stopped;
	// nil: nobody.
	Quiesce func() (resume func())
}

// Notice says how a change of a watched page is told besides its row: by the
// terminal's bell, by its notification (OSC 9), by a command of the person's own.
// The command is a list of words, never a shell's line; in them {page}, {what},
// {why}, {score}, {link} and {item} stand for what changed.
type Notice struct {
	Bell, Toast bool
	Command     []string
}

// Run is the reader's Run with a backup a day, made while nothing is due.
func (f *Fetcher) Run(ctx context.Context, tell func(reader.Event)) error { return f.run(ctx, tell) }

// Fetch fetches what a person asks for. The command of Notice runs for what it
// brings as well, aside from the fetch and even when that is stopped.
func (f *Fetcher) Fetch(ctx context.Context, q reader.FetchRequest, progress func(reader.Progress)) (reader.FetchReport, error) {
	report, err := f.fetch(ctx, q, progress)
	return report, f.hurt(ctx, err)
}

// Lost is why the library that a screen was about is no longer there, if damage
// is the reason: what is said once more after leaving.
func (f *Fetcher) Lost() error { return f.gone() }

// Rows reads a list.
func (f *Fetcher) Rows(ctx context.Context, q reader.Query, limit int) ([]reader.Row, error) {
	rows, err := f.Reader.Rows(ctx, q, limit)
	return rows, f.hurt(ctx, err)
}

// Feeds reads the feeds.
func (f *Fetcher) Feeds(ctx context.Context) ([]reader.Feed, error) {
	feeds, err := f.Reader.Feeds(ctx)
	return feeds, f.hurt(ctx, err)
}

// Article reads an article.
func (f *Fetcher) Article(ctx context.Context, id reader.ItemID) (reader.Article, error) {
	a, err := f.Reader.Article(ctx, id)
	return a, f.hurt(ctx, err)
}

// Open reads an article and marks it read.
func (f *Fetcher) Open(ctx context.Context, id reader.ItemID) (reader.Article, error) {
	a, err := f.Reader.Open(ctx, id)
	return a, f.hurt(ctx, err)
}

// Mark does act to items.
func (f *Fetcher) Mark(ctx context.Context, act reader.Act, scope string, ids []reader.ItemID, tag string) (reader.Done, error) {
	done, err := f.Reader.Mark(ctx, act, scope, ids, tag)
	return done, f.hurt(ctx, err)
}
