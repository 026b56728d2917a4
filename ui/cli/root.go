package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/feeds"
	"diurna/ui/cli/fetch"
	"diurna/ui/cli/items"
	"diurna/ui/cli/library"
	"diurna/ui/cli/pages"
	"diurna/ui/cli/queue"
	"diurna/ui/cli/rules"
	"diurna/ui/cli/session"
	"diurna/ui/cli/simulate"
	"diurna/ui/cli/trends"
)

// program is one run of it: all commands, and those about the program itself.
type program struct{ *session.Session }

func run(ctx context.Context, args []string, env session.Env) (code int) {
	s := &program{session.New(env)}
	care := library.New(s.Session)
	s.Opened = care.Lies
	root := s.tree(onlyOf(args))
	root.SetArgs(protectWords(args))
	err := care.SetAside(ctx, root.ExecuteContext(ctx))
	if cerr := s.Close(); err == nil {
		err = cerr // after another error, closing has nothing better to say
	}
	if ferr := s.Out.Flush(); ferr != nil && err == nil {
		err = fmt.Errorf("write the result: %w", ferr)
	}
	if err != nil {
		exit.Report(env.Err, err)
	}
	return exit.CodeOf(err)
}

// onlyOf is the command that is named first, if it does not look at the others: ""
// for all of them.
func onlyOf(args []string) string {
	if len(args) == 0 || slices.Contains([]string{"help", "man", "completion"}, args[0]) {
		return ""
	}
	return args[0]
}

// tree builds the commands, or only the one of a name if there is one. It is built
// again in each run, so there is no state that two runs could share.
func (s *program) tree(only string) *cobra.Command {
	root := &cobra.Command{
		Use:   "diurna [COMMAND]",
		Short: "read feeds in a terminal",
		Long:  "Without a command diurna opens the screen. ? there shows all keys.",
		Example: `  diurna add harbour.example     subscribe
  diurna                         read
  diurna demo                    look around, offline`,
		Annotations:       arguments.Exits("0 done · 1 not done · 2 wrong usage · 4 the library is busy · 5 damaged or newer"),
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              unknownCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			if s.Env.Inside {
				return exit.Usage("", "the screen is open")
			}
			if s.Where.Linear {
				return s.screen(c.Context())
			}
			if s.Env.Width == 0 {
				return exit.Usage("diurna items prints what the screen shows; diurna --help lists the commands", "the screen needs a terminal")
			}
			if dumb() {
				return exit.Usage("diurna --linear reads and marks in lines, without a cursor", "TERM=dumb has no cursor control")
			}
			return s.screen(c.Context())
		},
	}
	root.SetOut(s.Out)
	root.SetErr(s.Env.Err)
	root.SetIn(s.Env.In)
	root.DisableSuggestions = true // the hint says it in our form
	f := root.PersistentFlags()
	f.SortFlags = false
	f.BoolVar(&s.JSON, "json", false, "print JSON: one object per line for lists, one object for the rest")
	if !s.Env.Inside { // there they were given when it was opened
		f.StringVar(&s.Where.DataDir, "data-dir", "", "keep the library, its locks, cache and log in `FOLDER`")
		f.StringVar(&s.Where.Config, "config", "", "read `FILE` instead of config.toml")
		f.BoolVar(&s.Where.Debug, "debug", false, "write a log into the state folder")
		root.Flags().BoolVar(&s.Where.Linear, "linear", false, linearUsage)
	}
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { fmt.Fprint(c.OutOrStdout(), helpText(c)) })
	root.SetUsageFunc(func(c *cobra.Command) error {
		_, err := fmt.Fprint(c.OutOrStderr(), helpText(c))
		return err
	})
	root.SetFlagErrorFunc(flagError)
	all := slices.Concat(feeds.New(s.Session).All(), items.New(s.Session).All(), trends.New(s.Session).All(), rules.New(s.Session).All(), queue.New(s.Session).All(), pages.New(s.Session).All(),
		fetch.New(s.Session).All(), library.New(s.Session).All(), simulate.New(s.Session).All(), s.own())
	if n := slices.IndexFunc(all, func(c arguments.Command) bool { return c.Name == only }); n >= 0 {
		all = all[n : n+1]
	}
	for _, c := range all {
		root.AddCommand(c.Build())
	}
	root.SetHelpCommand(s.helpCommand())
	return root
}

// own are the commands about the program itself.
func (s *program) own() []arguments.Command {
	return []arguments.Command{
		{Name: "config", Build: s.configCommand},
		{Name: "keys", Build: s.keysCommand},
		{Name: "completion", Build: s.completionCommand},
		{Name: "man", Build: s.manCommand},
		{Name: "demo", Build: s.demoCommand},
		{Name: "version", Build: s.versionCommand},
	}
}

// dumb reports whether the terminal says that it cannot address the cursor.
// That alone does not choose sentences: somebody has to ask for them.
func dumb() bool { return os.Getenv("TERM") == "dumb" }

// screen shows the library until the user leaves.
func (s *program) screen(ctx context.Context) error {
	lib, err := s.Library("screen")
	if err != nil {
		return err
	}
	err = s.Env.Screen(ctx, lib, s.Where)
	if errors.Is(err, context.Canceled) {
		return exit.Reported(exit.INT) // whoever stopped the screen knows it
	}
	return err
}

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
const linearUsage = "sentences instead of a screen: one key or word per line, no redraw, no cursor"

func (s *program) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "help [COMMAND]",
		Short:       "explain a command",
		Example:     "  diurna help mark",
		Annotations: arguments.Exits("0 done · 2 wrong usage"),
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
			about, _, err := c.Root().Find(args)
			for _, k := range about.Commands() {
				if err == nil && k.IsAvailableCommand() {
					names = append(names, cobra.CompletionWithDesc(k.Name(), k.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
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
		return exit.Usage("diurna add "+plain.Argument(word), "%q is not a command", word)
	}
	var names []string
	for _, k := range c.Commands() {
		if k.IsAvailableCommand() {
			names = append(names, k.Name())
		}
	}
	if near := wording.Nearest(word, names); near != "" {
		return exit.Usage("nearest: diurna "+near, "%q is not a command", word)
	}
	return exit.Usage("diurna --help lists the commands", "%q is not a command", word)
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
			return exit.Usage(ask+" --help", "--%s: %s is too large", value.GetFlag().Name, value.GetValue())
		}
		return exit.Usage(ask+" --help", "--%s: %q is not %s", value.GetFlag().Name, value.GetValue(), valueWanted(value.GetFlag()))
	case errors.As(err, &none):
		return exit.Usage(ask+" --help", "--%s needs a value after it", none.GetFlag().Name)
	case !errors.As(err, &unknown):
		return exit.Usage(ask+" --help", "%w", err)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	word := unknown.GetSpecifiedName()
	if near := wording.Nearest(word, names); near != "" {
		return exit.Usage("nearest: --"+near, "%s has no flag %q", ask, word)
	}
	return exit.Usage(ask+" --help lists its flags", "%s has no flag %q", ask, word)
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
	case "intSlice":
		return "a list of whole numbers with commas between"
	case "float64Slice":
		return "a list of numbers with commas between"
	case "stringSlice":
		return "a list with commas between; words with quotes in them stand in quotes as a whole"
	}
	return "what it takes"
}

// queryCommands take words that may begin with "-": -unread, -#tag, and mark's
// -tag.
var queryCommands = map[string]bool{"items": true, "list": true, "mark": true, "queries": true, "unread": true, "query": true, "search": true}

// limitCommands take -n N too, which is a limit and not the query "not n and N".
var limitCommands = map[string]bool{"items": true, "search": true}

// valueFlags are the flags whose value may stand in the next word.
var valueFlags = map[string]bool{"--order": true, "--limit": true, "--data-dir": true, "--config": true}

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
		case a == "-n" && limitCommands[command] && i+1 < len(args) && isNumber(args[i+1]):
			i++
			flags = append(flags, a, args[i])
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

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" && s != "" }
