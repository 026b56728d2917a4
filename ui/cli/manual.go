package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"diurna/reader/plain"
	"diurna/ui/cells"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
)

func (s *program) configCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "print where the config is and every key with its value",
		Long: `What is printed is itself a config: every key, the defaults marked. Nothing of it
is stored in the library, and nothing of the library in it.`,
		Example:     "  diurna config\n  diurna config > ~/.config/diurna/config.toml",
		Annotations: arguments.Exits("0 done · 1 the config is not understood · 2 wrong usage"),
		Args:        arguments.AtMost(0),
		RunE: func(*cobra.Command, []string) error {
			list, err := s.Env.Settings(s.Where)
			if err != nil {
				return wrongConfig(err)
			}
			if s.JSON {
				return s.configJSON(list)
			}
			fmt.Fprintf(s.Out, "# %s\n", plain.Line(s.Places().Config, 0))
			table := ""
			for _, v := range list {
				if v.Table != table || v.Begins {
					table = v.Table
					fmt.Fprintf(s.Out, "\n[%s]\n", table)
				}
				line := plain.Line(v.Key+" = "+v.Value, 0)
				if !v.Set {
					line = cells.Fit(line, max(28, cells.Width(line))) + "  # default"
				}
				fmt.Fprintln(s.Out, line)
			}
			return nil
		},
	}
}

// wrongConfig is an error in the config or the keys, and not in the library.
func wrongConfig(err error) error {
	if errors.Is(err, exit.ErrNoConfig) {
		return err
	}
	return exit.With(exit.Error, err, "")
}

func (s *program) configJSON(list []session.Setting) error {
	type key struct {
		Key   string `json:"key"`
		Value string `json:"value"`
		Set   bool   `json:"set"`
	}
	keys := make([]key, 0, len(list))
	for _, v := range list {
		name := v.Key
		if v.Table != "" {
			name = strings.Trim(v.Table, "[]") + "." + name
		}
		keys = append(keys, key{name, v.Value, v.Set})
	}
	return s.PrintJSON(struct {
		Path string `json:"path"`
		Keys []key  `json:"keys"`
	}{s.Places().Config, keys})
}

func (s *program) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "print a shell's completion script",
		Example: `  diurna completion bash > ~/.local/share/bash-completion/completions/diurna
  diurna completion zsh > "${fpath[1]}/_diurna"
  diurna completion fish > ~/.config/fish/completions/diurna.fish
  diurna completion powershell >> $PROFILE`,
		Annotations: arguments.Exits("0 done · 2 wrong usage"),
		Args:        arguments.Exactly(1, "a shell: bash, zsh, fish or powershell"),
		ValidArgs:   shells,
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			switch args[0] {
			case "bash":
				var script strings.Builder
				err := root.GenBashCompletionV2(&script, true)
				fmt.Fprint(s.Out, strings.Replace(script.String(), fromPackage, withoutPackage, 1))
				return err
			case "zsh":
				return root.GenZshCompletion(s.Out)
			case "fish":
				return root.GenFishCompletion(s.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(s.Out)
			}
			return exit.Usage("there are scripts for bash, zsh, fish and powershell", "there is no completion for %q", args[0])
		},
	}
}

// The script for bash asks a function of the package bash-completion for the words of the line. Where
// that is not installed it takes the line apart at its spaces.
const (
	fromPackage    = `    _get_comp_words_by_ref "$@" cur prev words cword`
	withoutPackage = `    if declare -F _get_comp_words_by_ref >/dev/null; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
    [[ ${COMP_LINE:0:COMP_POINT} == *" " ]] && words+=("")
    cword=$((${#words[@]} - 1)); cur=${words[cword]}; prev=${words[cword - 1]}`
)

func (s *program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "man",
		Short:       "print the manual page, as roff",
		Example:     "  diurna man | man -l -\n  diurna man > ~/.local/share/man/man1/diurna.1",
		Annotations: arguments.Exits("0 done · 2 wrong usage"),
		Args:        arguments.AtMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			s.printMan(c.Root())
			return nil
		},
	}
}

// roff makes text safe to stand in a manual page: no line of it is a request,
// and signs stay what they are.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`, "`", `\(ga`).Replace(text)
	var b strings.Builder
	bol := true
	for _, r := range text {
		switch {
		case bol && r == '.':
			b.WriteString(`\&.`)
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r) // by number: not every roff reads UTF-8
		default:
			b.WriteRune(r)
		}
		bol = r == '\n'
	}
	return b.String()
}

// printMan writes the page from the tree of commands, so that it cannot say
// anything else than --help.
func (s *program) printMan(root *cobra.Command) {
	p := func(format string, args ...any) { fmt.Fprintf(s.Out, format+"\n", args...) }
	p(`.TH DIURNA 1 "" "diurna %s" "User Commands"`, roff(s.Env.Version))
	p(".SH NAME\ndiurna \\- %s", roff(root.Short))
	p(".SH SYNOPSIS\n.B diurna\n[\\fIcommand\\fR] [\\fIflags\\fR]")
	p(".SH DESCRIPTION\n%s", roff(root.Long))
	p(".PP\n.nf\n%s\n.fi", roff(root.Example))
	p(".SH COMMANDS")
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			s.manOf(c)
		}
	}
	p(".SH FLAGS OF EVERY COMMAND")
	root.PersistentFlags().VisitAll(s.manFlag)
	p(".SH EXIT STATUS")
	for _, e := range exitMeanings {
		p(".TP\n.B %d\n%s", e.code, roff(e.means))
	}
	p(".SH ENVIRONMENT\n%s", roff("BROWSER, VISUAL, EDITOR, PAGER, NO_COLOR, HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured."))
	p(".SH THE SCREEN'S COMMAND LINE\n%s", roff("A colon takes the commands above, with the same flags, on the library that is open: "+strings.Join(Commands(), ", ")+". Macros of keys.toml are made of keys, of these commands, and of programs, in whose arguments %u, %t and %f stand for the address, the title and the feed of what is chosen; after ! a shell finds them in DIURNA_URL, DIURNA_TITLE and DIURNA_FEED."))
	p(".SH FILES")
	for _, f := range [][2]string{{"$XDG_DATA_HOME/diurna/diurna.db", "the library, with its locks and three daily backups beside it"},
		{"$XDG_CONFIG_HOME/diurna/config.toml", "the config; diurna config prints every key"},
		{"$XDG_CONFIG_HOME/diurna/keys.toml", "keys and macros of your own; diurna keys prints all of them"},
		{"$XDG_CACHE_HOME/diurna/cache.db", "what can be rebuilt"},
		{"$XDG_STATE_HOME/diurna/", "what a command could not do, and a log with \\-\\-debug"}} {
		p(".TP\n.I %s\n%s", roff(f[0]), f[1])
	}
}

var exitMeanings = []struct {
	code  int
	means string
}{{exit.Done, "done"}, {exit.Error, "not done"}, {exit.WrongUsage, "wrong usage"}, {exit.Partly, "partly done, or doctor found feeds in trouble"},
	{exit.Busy, "the library is busy; nothing was changed"}, {exit.Damaged, "the library is damaged, or newer than the program"},
	{exit.Bug, "a bug in the program"}, {exit.INT, "stopped by SIGINT"}, {exit.TERM, "stopped by SIGTERM"}}

func (s *program) manOf(c *cobra.Command) {
	fmt.Fprintf(s.Out, ".SS diurna %s\n%s.\n", roff(c.Use), roff(strings.ToUpper(c.Short[:1])+c.Short[1:]))
	switch {
	case laidOut(c.Long):
		fmt.Fprintf(s.Out, ".PP\n.nf\n%s\n.fi\n", roff(c.Long))
	case c.Long != "":
		fmt.Fprintf(s.Out, ".PP\n%s\n", roff(c.Long))
	}
	if c.Example != "" {
		fmt.Fprintf(s.Out, ".PP\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	c.LocalNonPersistentFlags().VisitAll(s.manFlag)
	if e := c.Annotations["exits"]; e != "" {
		fmt.Fprintf(s.Out, ".PP\nExit codes: %s\n", roff(e))
	}
}

// laidOut reports whether lines of a text are indented: it is a table, or has some.
func laidOut(text string) bool {
	for line := range strings.Lines(text) {
		if line[0] == ' ' {
			return true
		}
	}
	return false
}

func (s *program) manFlag(f *pflag.Flag) {
	if f.Hidden || f.Name == "help" {
		return
	}
	value, text := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	fmt.Fprintf(s.Out, ".TP\n.B %s\n%s\n", strings.TrimSpace(roff(name+" "+value)), roff(text))
}
