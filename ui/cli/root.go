package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"diurna/reader"
	"diurna/reader/plain"
)

// session is one run of the program: the flags that every command knows, and
// the library once a command asked for it.
type session struct {
	env   Env
	where Where
	json  bool
	out   *bufio.Writer
	lib   *reader.Reader
	close func() error
	role  string // the command that opened it

	strict bool // fetch names what failed
}

func run(ctx context.Context, args []string, env Env) (code int) {
	s := &session{env: env, out: bufio.NewWriterSize(env.Out, 32<<10)}
	root := s.tree()
	root.SetArgs(protectWords(args))
	err := s.setAside(ctx, root.ExecuteContext(ctx))
	if s.close != nil {
		if cerr := s.close(); err == nil {
			err = cerr // after another error, closing has nothing better to say
		}
	}
	if ferr := s.out.Flush(); ferr != nil && err == nil {
		err = fmt.Errorf("write the result: %w", ferr)
	}
	if err != nil {
		report(env.Err, err)
	}
	return codeOf(err)
}

// library opens the library the first time a command needs it.
func (s *session) library(role string) (*reader.Reader, error) {
	if s.lib != nil {
		return s.lib, nil
	}
	w := s.where
	w.Role = role
	lib, done, err := s.env.Open(w)
	if err != nil {
		return nil, err
	}
	s.lib, s.close, s.role = lib, done, role
	if err := s.lies(); err != nil {
		return nil, err
	}
	return lib, nil
}

// talk says something to the person, beside the data.
func (s *session) talk(format string, args ...any) {
	fmt.Fprintf(s.env.Err, "diurna: %s\n", plain.Redact(plain.Line(fmt.Sprintf(format, args...), 0)))
}

// terminal reports whether people read what is printed.
func (s *session) terminal() bool { return s.env.Width > 0 && !s.json }

// tree builds the commands. It is built anew in each run: a few dozen small
// allocations, and no state that two runs could share.
func (s *session) tree() *cobra.Command {
	root := &cobra.Command{
		Use:   "diurna [COMMAND]",
		Short: "read feeds in a terminal",
		Long:  "Without a command diurna opens the screen. ? there shows all keys.",
		Example: `  diurna add harbour.example     subscribe
  diurna                         read
  diurna demo                    look around, offline`,
		Annotations:       exits("0 done · 1 not done · 2 wrong usage · 4 the library is busy · 5 damaged or newer"),
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              unknownCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			if s.where.Linear {
				return s.screen(c.Context())
			}
			if s.env.Width == 0 {
				return usage("diurna items prints what the screen shows; diurna --help lists the commands", "the screen needs a terminal")
			}
			if dumb() {
				return usage("diurna --linear reads and marks in lines, without a cursor", "TERM=dumb says that nothing can be drawn here")
			}
			return s.screen(c.Context())
		},
	}
	root.SetOut(s.out)
	root.SetErr(s.env.Err)
	root.SetIn(s.env.In)
	root.DisableSuggestions = true // the hint says it in our form
	f := root.PersistentFlags()
	f.SortFlags = false
	f.BoolVar(&s.json, "json", false, "print JSON: one object per line for lists, one object for the rest")
	f.StringVar(&s.where.DataDir, "data-dir", "", "keep the library, its locks, cache and log in `FOLDER`")
	f.StringVar(&s.where.Config, "config", "", "read `FILE` in place of config.toml")
	f.BoolVar(&s.where.Debug, "debug", false, "write a log into the state folder")
	root.Flags().BoolVar(&s.where.Linear, "linear", false, linearUsage)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { fmt.Fprint(c.OutOrStdout(), helpText(c)) })
	root.SetUsageFunc(func(c *cobra.Command) error {
		_, err := fmt.Fprint(c.OutOrStderr(), helpText(c))
		return err
	})
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		s.addCommand(), s.watchCommand(), s.rmCommand(), s.mvCommand(), s.editCommand(), s.listCommand(), s.itemsCommand(),
		s.showCommand(), s.markCommand(), s.undoCommand(), s.logCommand(), s.unreadCommand(), s.fetchCommand(),
		s.runCommand(), s.planCommand(), s.whyCommand(), s.evidenceCommand(), s.diffCommand(), s.takeCommand(), s.importCommand(), s.exportCommand(), s.previewCommand(), s.statsCommand(),
		s.doctorCommand(), s.backupCommand(), s.restoreCommand(), s.compactCommand(), s.configCommand(), s.keysCommand(),
		s.simulateCommand(), s.completionCommand(), s.manCommand(), s.demoCommand(), s.versionCommand())
	root.SetHelpCommand(s.helpCommand())
	return root
}

// dumb reports whether the terminal says that it cannot address the cursor.
// That alone does not choose sentences: somebody has to ask for them.
func dumb() bool { return os.Getenv("TERM") == "dumb" }

// screen shows the library until the person leaves.
func (s *session) screen(ctx context.Context) error {
	lib, err := s.library("screen")
	if err != nil {
		return err
	}
	err = s.env.Screen(ctx, lib, s.where)
	if errors.Is(err, context.Canceled) {
		return told(ExitINT) // whoever stopped the screen knows it
	}
	return err
}

func exits(s string) map[string]string { return map[string]string{"exits": s} }

// helpText is a command's help. It is written here and not as a template of
// cobra's: those link text/template, which calls methods by name, and then the
// linker must keep every method of the whole program.
func helpText(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\nusage:  %s\n", c.CommandPath(), c.Short, c.UseLine())
	if c.Long != "" {
		fmt.Fprintf(&b, "\n%s\n", c.Long)
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\ncommands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-10s %s\n", sub.Name(), sub.Short)
			}
		}
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nexample:\n%s\n", c.Example)
	}
	fmt.Fprintf(&b, "\nflags:\n%s\nexit codes:  %s\n", flagTable(c), c.Annotations["exits"])
	return b.String()
}

// flagTable lists a command's own flags, then those of every command.
func flagTable(c *cobra.Command) string {
	var sb strings.Builder
	add := func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, text := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value != "" {
			name += " " + value
		}
		fmt.Fprintf(&sb, "  %-22s %s\n", name, text)
	}
	c.LocalNonPersistentFlags().VisitAll(add)
	c.Root().PersistentFlags().VisitAll(add)
	return sb.String()
}

// linearUsage is the flag's line in the help.
const linearUsage = "sentences in place of a screen: a key or word a line, no redraw, no cursor"

func (s *session) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "help [COMMAND]",
		Short:       "say what a command does",
		Example:     "  diurna help mark",
		Annotations: exits("0 done · 2 wrong usage"),
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(c.Root(), args)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// unknownCommand refuses a first word that is no command and names the nearest.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	word := args[0]
	if strings.ContainsAny(word, "./:") {
		return usage("diurna add "+plain.Argument(word), "%q is not a command", word)
	}
	var names []string
	for _, k := range c.Commands() {
		if k.IsAvailableCommand() {
			names = append(names, k.Name())
		}
	}
	if near := Nearest(word, names); near != "" {
		return usage("nearest: diurna "+near, "%q is not a command", word)
	}
	return usage("diurna --help lists the commands", "%q is not a command", word)
}

// flagError names the nearest flag to one that is not known.
func flagError(c *cobra.Command, err error) error {
	name := strings.TrimSpace(strings.TrimPrefix(c.CommandPath(), "diurna") + " ")
	ask := strings.TrimSpace("diurna " + name)
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	var none *pflag.ValueRequiredError
	switch {
	case errors.As(err, &value):
		if errors.Is(err, strconv.ErrRange) {
			return usage(ask+" --help", "--%s: %s is too large", value.GetFlag().Name, value.GetValue())
		}
		return usage(ask+" --help", "--%s: %q is not %s", value.GetFlag().Name, value.GetValue(), valueWanted(value.GetFlag()))
	case errors.As(err, &none):
		return usage(ask+" --help", "--%s needs a value after it", none.GetFlag().Name)
	case !errors.As(err, &unknown):
		return usage(ask+" --help", "%w", err)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	word := unknown.GetSpecifiedName()
	if near := Nearest(word, names); near != "" {
		return usage("nearest: --"+near, "%s has no flag %q", ask, word)
	}
	return usage(ask+" --help lists its flags", "%s has no flag %q", ask, word)
}

// valueWanted says what a flag takes.
func valueWanted(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "uint", "int64", "uint64":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a time such as 90m or 2h"
	case "stringSlice":
		return "a list with commas between; words with quotes in them stand in quotes as a whole"
	}
	return "what it takes"
}

// wholeFlags refuses numbers below zero.
func wholeFlags(c *cobra.Command, names ...string) error {
	for _, name := range names {
		if n, err := c.Flags().GetInt(name); err == nil && n < 0 {
			return usage(c.CommandPath()+" --help", "--%s: %d is below zero", name, n)
		}
	}
	return nil
}

// closest returns the name with the fewest letters to change, "" when even
// that one is something else: more than a third of the word.
func closest(word string, names []string) string {
	best, at := "", max(1, (len(word)+1)/3)+1
	for _, n := range names {
		d := distance(strings.ToLower(word), n)
		if strings.HasPrefix(n, strings.ToLower(word)) && len(word) > 1 {
			d = min(d, 1)
		}
		if d < at {
			best, at = n, d
		}
	}
	return best
}

// distance counts the letters to change, add, leave out or swap with their
// neighbour (optimal string alignment), because swaps are the commonest slip.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	prev2, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev, row = prev, row, prev2
	}
	return prev[len(b)]
}

// queryCommands take words that may begin with "-": -unread, -#tag, and mark's
// -tag.
var queryCommands = map[string]bool{"items": true, "list": true, "mark": true, "unread": true}

// valueFlags are the flags whose value may stand in the next word.
var valueFlags = map[string]bool{"--order": true, "--data-dir": true, "--config": true}

// protectWords puts the words of a query behind "--", so that "-unread" leaves
// out unread items and is not read as six flags.
func protectWords(args []string) []string {
	var flags, words []string
	command := ""
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			words = append(words, args[i+1:]...)
			i = len(args)
		case strings.HasPrefix(a, "--"):
			flags = append(flags, a)
			if valueFlags[a] && i+1 < len(args) {
				i++
				flags = append(flags, args[i])
			}
		case a == "-h":
			flags = append(flags, a)
		case command == "":
			if !queryCommands[a] {
				return args // another command: its flags are its own
			}
			command = a
		default:
			words = append(words, a)
		}
	}
	if command == "" {
		return args
	}
	return append(append(append([]string{command}, flags...), "--"), words...)
}
