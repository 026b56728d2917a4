package library

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"diurna/reader/plain"
	"diurna/ui/cells"
)

// hint is one thing about the terminal: how it is, and what would be better.
type hint struct {
	Name   string `json:"name"`
	State  string `json:"state"`
	Better string `json:"better"` // a line of tmux.conf or the like, "" if all is well
	verb   string // how the better line is introduced
}

// terminalReport is what doctor says of the terminal. Nothing is asked of the
// terminal itself: the answer could come late, and as text into the shell.
type terminalReport struct {
	Is    string `json:"terminal"`
	Hints []hint `json:"hints"`
}

func (t *terminalReport) hints() int {
	n := 0
	for _, h := range t.Hints {
		if h.Better != "" {
			n++
		}
	}
	return n
}

// askTmux runs tmux and returns what it says, "" when it does not answer in
// time: a server that hangs must not hang doctor.
func askTmux(ctx context.Context, words ...string) string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "tmux", words...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// inspectTerminal looks at the environment and at tmux's settings.
func inspectTerminal(env func(string) string, tmux func(...string) string, browser []string, width, high int) terminalReport {
	size := ""
	if width > 0 {
		size = fmt.Sprintf(", %dx%d", width, high)
	}
	switch {
	case env("TMUX") != "":
		return inTmux(env, tmux, browser, size)
	case env("STY") != "":
		return terminalReport{"screen" + size + ", " + colours(env, ""), []hint{
			{Name: "copying", State: "screen keeps it for itself; tmux passes it on"},
			looksHint(false, ""), escHint(""), {Name: "links", State: "plain; screen cannot make them clickable"}, browserHint(env, browser)}}
	}
	t := terminalReport{termName(env) + size + ", " + colours(env, ""), []hint{
		{Name: "copying", State: "by OSC 52, if the terminal takes it"}, looksHint(true, ""), escHint("0"),
		{Name: "links", State: "clickable, if the terminal knows OSC 8"}, browserHint(env, browser)}}
	if term := env("TERM"); term == "dumb" || term == "" {
		t.Hints = []hint{{Name: "screen", State: "TERM says it has no cursor control", verb: "better with:", Better: "export TERM=xterm-256color"}}
	}
	return t
}

func termName(env func(string) string) string {
	name := env("TERM")
	if name == "" {
		name = "no TERM"
	}
	if env("SSH_CONNECTION") != "" {
		name += " over ssh"
	}
	return plain.Line(name, 60)
}

// colours says how many there are, as far as the environment tells.
func colours(env func(string) string, features string) string {
	term := env("TERM")
	switch {
	case env("NO_COLOR") != "":
		return "no colours (NO_COLOR)"
	case strings.Contains(features, "RGB"), features == "" && (env("COLORTERM") == "truecolor" || env("COLORTERM") == "24bit"):
		return "true colours"
	case strings.Contains(term, "256") || strings.Contains(features, "256"):
		return "256 colours"
	case term == "dumb" || term == "":
		return "no colours"
	}
	return "16 colours"
}

var tmuxVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\d+)\.(\d+)`)
})

// atLeast compares tmux's version; a development build ("next-3.6", "master")
// without a number is taken as new.
func atLeast(version string, major, minor int) bool {
	m := tmuxVersion().FindStringSubmatch(version)
	if m == nil {
		return true
	}
	a, _ := strconv.Atoi(m[1]) // digits, by the pattern
	b, _ := strconv.Atoi(m[2])
	return a > major || a == major && b >= minor
}

func inTmux(env func(string) string, tmux func(...string) string, browser []string, size string) terminalReport {
	version := tmux("-V")
	features := tmux("display-message", "-p", "#{client_termfeatures}")
	t := terminalReport{Is: strings.TrimSpace(plain.Line(version, 40)) + size + ", " + colours(env, features)}
	if version == "" {
		t.Is = "tmux, which does not answer" + size + ", " + colours(env, features)
		return t
	}
	option := func(scope, name string) string { return tmux("show-options", scope, name) }
	t.Hints = []hint{copyHint(version, option("-gsv", "set-clipboard"), features),
		looksHint(option("-gsv", "focus-events") == "on", "set -g focus-events on"),
		escHint(option("-gsv", "escape-time")), linkHint(version, features), browserHint(env, browser)}
	if name := env("TERM"); !strings.HasPrefix(name, "tmux") && !strings.HasPrefix(name, "screen") {
		t.Hints = append(t.Hints, hint{"TERM", plain.Line(name, 40) + ", which is not what tmux is", `set -g default-terminal "tmux-256color"`, "better with:"})
	}
	return t
}

// copyHint: tmux hands a copied text on to the terminal around it when it knows
// that one to take it (its Ms, the feature "clipboard").
func copyHint(version, setClipboard, features string) hint {
	h := hint{Name: "copying", verb: "better with:"}
	switch {
	case setClipboard == "off":
		h.State, h.Better = "stays in tmux", "set -s set-clipboard on"
	case features != "" && !strings.Contains(features, "clipboard"):
		h.State, h.Better = "stays in tmux", "set -as terminal-features ',*:clipboard'"
	case atLeast(version, 3, 2):
		h.State = "works (tmux load-buffer -w)"
	case setClipboard == "on":
		h.State = "works (OSC 52)"
	default:
		h.State, h.Better = "stays in tmux", "set -s set-clipboard on"
	}
	return h
}

func looksHint(focus bool, better string) hint {
	if focus {
		return hint{Name: "looks", State: "counted by focus and keys"}
	}
	return hint{"looks", "counted by keys only", better, "better with:"}
}

// escHint: tmux waits after Esc whether a key's sequence follows.
func escHint(milliseconds string) hint {
	n, err := strconv.Atoi(milliseconds)
	switch {
	case err != nil:
		return hint{Name: "Esc", State: "perhaps late; q, h and Left do the same"}
	case n > 50:
		return hint{"Esc", fmt.Sprintf("%d ms late", n), "set -s escape-time 20", "better with:"}
	}
	return hint{Name: "Esc", State: "at once"}
}

func linkHint(version, features string) hint {
	switch {
	case strings.Contains(features, "hyperlinks"):
		return hint{Name: "links", State: "clickable"}
	case atLeast(version, 3, 4):
		return hint{"links", "plain", "set -as terminal-features ',*:hyperlinks'", "clickable with:"}
	}
	return hint{Name: "links", State: "plain; tmux 3.4 or newer can make them clickable"}
}

func browserHint(env func(string) string, browser []string) hint {
	switch {
	case len(browser) > 0:
		return hint{Name: "browser", State: plain.Line(strings.Join(browser, " "), 60) + " (config.toml)"}
	case env("BROWSER") != "":
		return hint{Name: "browser", State: plain.Line(env("BROWSER"), 60)}
	case env("SSH_CONNECTION") != "":
		return hint{Name: "browser", State: "none here, over ssh: o copies the link"}
	case env("DISPLAY") == "" && env("WAYLAND_DISPLAY") == "":
		return hint{Name: "browser", State: "none here: o copies the link"}
	}
	return hint{Name: "browser", State: "the desktop's"}
}

// browser is the argv of the config's browser. A config that cannot be read is
// for the commands that need it to report.
func (s *Commands) browser() []string {
	if s.Env.Browser == nil {
		return nil
	}
	argv, _ := s.Env.Browser(s.Where)
	return argv
}

// terminalHere inspects the terminal that the program runs on.
func (s *Commands) terminalHere(ctx context.Context) terminalReport {
	return inspectTerminal(os.Getenv, func(words ...string) string { return askTmux(ctx, words...) }, s.browser(), s.Env.Width, s.Env.High)
}

func (s *Commands) printTerminal(t *terminalReport) {
	fmt.Fprintf(s.Out, "%-11s %s\n", "terminal", t.Is)
	wide := 0
	for _, h := range t.Hints {
		if h.Better != "" {
			wide = max(wide, cells.Width(h.State))
		}
	}
	for _, h := range t.Hints {
		line := fmt.Sprintf("  %-9s %s", h.Name, h.State)
		if h.Better != "" {
			line = fmt.Sprintf("  %-9s %s; %-15s %s", h.Name, h.State, cells.Fit(h.verb, 15+wide-cells.Width(h.State)), h.Better)
		}
		fmt.Fprintln(s.Out, strings.TrimRight(line, " "))
	}
}
