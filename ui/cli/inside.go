package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/ui/argv"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
)

// onScreen says of each command why it makes no sense on the screen's command
// line; "" for one that runs there. A test holds it against the commands there
// are.
var onScreen = map[string]string{
	"add": "", "backup": "", "compact": "", "config": "", "diff": "", "digest": "", "doctor": "", "evidence": "", "export": "", "fetch": "",
	"help": "", "import": "", "items": "", "keys": "", "list": "", "log": "", "mark": "", "mute": "", "mv": "", "plan": "", "preview": "", "queries": "", "query": "", "queue": "",
	"rm": "", "rules": "", "save": "", "search": "", "set": "", "show": "", "stats": "", "trends": "", "undo": "", "unread": "", "version": "", "watch": "", "why": "",

	"completion": "its script is for a shell",
	"demo":       "it is a screen with its own library",
	"edit":       "the editor needs the terminal, which only :edit and E hand over",
	"man":        "it prints roff for man, and :help COMMAND says the same",
	"restore":    "it replaces the library, which is open here",
	"run":        "the screen already fetches by the plan",
	"simulate":   "it reads traces, not the library, and computes for minutes",
	"take":       "it reads a feed from its input, and there is none here",
}

// Commands are those that run on the screen's command line.
func Commands() []string {
	var names []string
	for name, why := range onScreen {
		if why == "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Inside runs commands for a screen that shows a library: the same commands with
// the same flags, on the library that is open, with what they print captured.
type Inside struct {
	env   session.Env
	lib   *reader.Reader
	where session.Where
}

// NewInside makes the commands of a screen that shows lib, which lies at w.
func NewInside(env session.Env, lib *reader.Reader, w session.Where) *Inside {
	env.Inside, env.Lively, env.Quiesce = true, false, nil
	env.In = noInput{}
	return &Inside{env: env, lib: lib, where: w}
}

// Run runs the command that words name, for a screen of width by high cells, and
// gives what it printed, what it said beside that without the program's name, and
// its exit code. It ends soon after ctx does, and can run beside another one.
func (i *Inside) Run(ctx context.Context, words []string, width, high int) (out, said string, code int) {
	var data, talk argv.Output
	err := i.program(&data, &talk, width, high).inside(ctx, words)
	if err != nil {
		exit.Report(&talk, err)
	}
	if data.Cut {
		fmt.Fprintln(&talk, "it printed more than 1 MB, the limit of the screen; run it in a shell to get all of it")
	}
	return data.String(), unnamed(talk.String()), exit.CodeOf(err)
}

// program is the run of one command.
func (i *Inside) program(data, talk io.Writer, width, high int) *program {
	env := i.env
	env.Out, env.Err, env.Width, env.High = data, talk, width, high
	s := &program{session.New(env)}
	s.Lib, s.Where = i.lib, i.where
	return s
}

// inside runs a command in a screen.
func (s *program) inside(ctx context.Context, words []string) error {
	root := s.tree(onlyOf(words))
	if c, _, err := root.Find(words); err == nil && c != root {
		for c.HasParent() && c.Parent() != root {
			c = c.Parent()
		}
		if why := onScreen[c.Name()]; why != "" {
			return exit.With(exit.WrongUsage, fmt.Errorf("%s does not work inside the screen: %s", c.Name(), why), "in a shell: diurna "+strings.Join(words, " "))
		}
	}
	root.SetArgs(protectWords(words))
	err := root.ExecuteContext(ctx)
	if ferr := s.Out.Flush(); ferr != nil && err == nil {
		err = fmt.Errorf("write the result: %w", ferr)
	}
	return err
}

// unnamed takes the program's name off the lines that a command says, and names what
// else to do as it is done on the screen: by u, or by a command of its line.
func unnamed(talk string) string {
	var b strings.Builder
	for line := range strings.Lines(talk) {
		line = strings.TrimPrefix(line, "diurna: ")
		b.WriteString(strings.TrimPrefix(line, "error: "))
	}
	text := strings.ReplaceAll(strings.TrimRight(b.String(), "\n"), " diurna undo reverts it.", " u undoes.") // as the screen says it, which knows the key for it
	return regexp.MustCompile(`\bdiurna [a-z]+`).ReplaceAllStringFunc(text, func(said string) string {
		name := strings.TrimPrefix(said, "diurna ")
		switch why, known := onScreen[name]; {
		case name == "undo":
			return "u"
		case known && why == "":
			return ":" + name
		}
		return said
	})
}

// noInput is the input of a command that nobody can type into.
type noInput struct{}

func (noInput) Read([]byte) (int, error) {
	return 0, errors.New("nothing can be typed into a command of the screen; name a file, or run it in a shell")
}

// Knows reports whether there is a command of this name, be it only in a shell.
func (i *Inside) Knows(word string) bool {
	_, ok := onScreen[word]
	return ok
}

// Asks reports whether a command takes a query, after how many words.
func (i *Inside) Asks(word string) (words int, ok bool) {
	switch word {
	case "mark":
		words = 1
	case "queries": // what is wrong with its query it says itself: a name comes before
		words = 1 << 10
	}
	return words, queryCommands[word]
}

// Complete gives what the last of words may go on with, as "value" or "value TAB
// description"; the ones before it stand as they are.
func (i *Inside) Complete(ctx context.Context, words []string) []string {
	var data bytes.Buffer
	s := i.program(&data, io.Discard, 0, 0)
	root := s.tree("")
	root.SetArgs(append([]string{cobra.ShellCompRequestCmd}, words...))
	if err := root.ExecuteContext(ctx); err != nil || s.Out.Flush() != nil {
		return nil
	}
	var list []string
	for line := range strings.Lines(data.String()) {
		line = strings.TrimRight(line, "\n")
		value, _, _ := strings.Cut(line, "\t")
		switch {
		case strings.HasPrefix(line, ":"): // the last line is for shells
		case len(words) == 1 && onScreen[value] != "":
		default:
			list = append(list, line)
		}
	}
	return list
}
