package session

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/ui/term"
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
	// Inside is true for a command that runs in a screen: nothing can be typed
	// into it, and the terminal is not its own.
	Inside bool
	// Open opens the library and returns what closes it again. It makes
	// nothing on disk.
	Open func(Where) (*reader.Reader, func() error, error)
	// Screen shows the library until the reader leaves it.
	Screen func(context.Context, *reader.Reader, Where) error
	// Places says where things lie. It makes nothing on disk.
	Places func(Where) Places
	// Settings reads the config: every key with the value that holds.
	Settings func(Where) ([]Setting, error)
	// Browser is the argv of the config's browser; nil: it names none.
	Browser func(Where) ([]string, error)
	// Files says where enclosures go and what plays them.
	Files func(Where) (Files, error)
	// Keys lists the keys of the screen; the error is what is wrong with the
	// user's own.
	Keys func(Where) ([]Key, error)
	// Notice is how changes of watched pages are reported; read after Open.
	Notice func() term.Notice
	// Lend is told true before another program gets the terminal and false when
	// it gives it back: in between an interrupt is that program's.
	Lend func(bool)
	// HoldInput keeps what is typed before Screen takes the terminal from being
	// echoed, until back, or another program gets the terminal. nil: it cannot.
	HoldInput func() (back func())
	// Frames prints every view of the screen once as plain text.
	Frames func(context.Context, *reader.Reader, io.Writer) error

	// Quiesce waits for the transactions under way in the library that is open and
	// holds back others until resume is called; nil: there is none.
	Quiesce func() (resume func())
}

// Places are where a library and what belongs to it lie, as absolute paths.
type Places struct {
	Home    string // of the user
	Library string // folder of diurna.db, its locks and its backups
	Cache   string
	State   string // folder of logs and of what a command could not do
	Config  string // config.toml, there or not
}

// Files are where the files of items go, an absolute path, and the argv of what
// plays them, in which %u stands for the file or its address; nil: nothing does.
type Files struct {
	Folder string
	Player []string
}

// Key is a row of the screen's key table.
type Key struct {
	Place string   // where the keys mean it: "a list", "everywhere"
	Keys  []string // as keys.toml names them: "ctrl+d"
	Shown string   // the same as people write them: "^d"
	Does  string
	Yours bool // of the user's own
}

// Setting is one key of the config with the value that holds, both as TOML
// writes them. Table is "" for keys at the top, "[rule]" for one of several tables.
type Setting struct {
	Table, Key, Value string
	Set               bool // in the file; else it is the default
	Begins            bool // another table of the same name
}

// MarshalJSON gives a key to scripts, with the names that keys.toml takes.
func (k Key) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Place string   `json:"place"`
		Keys  []string `json:"keys"`
		Does  string   `json:"does"`
		Yours bool     `json:"yours"`
	}{k.Place, k.Keys, plain.Line(k.Does, 0), k.Yours})
}
