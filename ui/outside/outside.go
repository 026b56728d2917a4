// Package outside starts the programs of others and hands them what is chosen: the
// browser, the clipboard, the editor, a command of the user's own. What is opened
// is an http or https address and never goes through a shell.
package outside

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/argv"
	"diurna/ui/view"
)

// Library is what is asked of the library: addresses may be without their secrets.
type Library interface {
	Reveal(ctx context.Context, address string) (string, error)
	Items(ctx context.Context, ids []reader.ItemID) ([]reader.Item, error)
}

// Programs starts programs for the screen, which learns from OnMsg how they ended.
type Programs struct {
	ctx context.Context
	lib Library

	Env     func(name string) string
	Browser []string // the argv of the config; nil: the environment's
	Player  []string // the argv of what plays files
	Calm    bool     // the linear form: the terminal is not drawn on
	TTY     *os.File // the terminal's input; nil: not a file
	Unhold  func()   // puts a terminal that was held into its own modes; may be nil

	copied    uint64      // the newest copy: that is to be pasted
	suspended atomic.Bool // another program has the terminal
}

// New makes Programs that end with ctx, but for a browser.
func New(ctx context.Context, lib Library) *Programs { return &Programs{ctx: ctx, lib: lib} }

// Open opens a web address in the browser.
func (p *Programs) Open(h view.Host, addr string) tea.Cmd {
	if !plain.WebAddress(addr) {
		h.Say("Only http and https addresses are opened: " + addr)
		return nil
	}
	return p.openAddress(p.browser(), addr)
}

// Plays reports whether there is a player.
func (p *Programs) Plays() bool { return len(p.Player) > 0 }

// Play hands the path of a file, or its address, to the player, which has the
// terminal until it ends.
func (p *Programs) Play(_ view.Host, file string) tea.Cmd {
	return func() tea.Msg {
		if plain.WebAddress(file) {
			whole, err := p.lib.Reveal(p.ctx, file)
			if err != nil {
				return failedMsg{err}
			}
			file = whole
		}
		words, err := argv.Playing(p.Player, file)
		if err != nil {
			return failedMsg{err}
		}
		name := base(words[0])
		return nextMsg{p.TakeTerminal(exec.Command(words[0], words[1:]...), func(err error) tea.Msg { return endedMsg{name: name, err: err} })}
	}
}

// Copy copies an address, with a title before it if there is one.
func (p *Programs) Copy(h view.Host, addr, title string) tea.Cmd {
	p.copied = h.Gen()
	return p.copyText(p.copied, addr, title, p.Env("TMUX") != "")
}

// browser is the argv of the browser, nil if there is none here.
func (p *Programs) browser() []string {
	if len(p.Browser) > 0 {
		return p.Browser
	}
	if b := p.Env("BROWSER"); b != "" {
		// The custom is a list of commands with colons; the first that is there.
		for _, command := range strings.Split(b, ":") {
			argv := strings.Fields(command)
			if len(argv) == 0 {
				continue
			}
			if _, err := exec.LookPath(argv[0]); err == nil {
				return argv
			}
		}
		return nil
	}
	// Over ssh a desktop's browser would open where nobody sits.
	switch remote := p.Env("SSH_CONNECTION") != ""; {
	case runtime.GOOS == "darwin" && !remote:
		return []string{"open"}
	case !remote && (p.Env("DISPLAY") != "" || p.Env("WAYLAND_DISPLAY") != ""):
		return []string{"xdg-open"}
	}
	return nil
}

// argvFor puts an address where %u stands, in $BROWSER also where %s does, or at
// the end.
func argvFor(browser []string, addr string) ([]string, error) {
	if addr = argv.Address(addr); addr == "" {
		return nil, argv.ErrNoAddress
	}
	words, put, err := argv.Values{URL: addr}.Fill(browser)
	if err != nil || put {
		return words, err
	}
	if words, put = argv.Within(browser, []string{"%s", addr}, argv.Plain); !put {
		words = append(words, addr)
	}
	return words, nil
}

// inTerminal are browsers that need the terminal for themselves.
var inTerminal = []string{"lynx", "w3m", "links", "links2", "elinks", "browsh", "carbonyl", "chawan", "cha"}

// openAddress opens an address that may be without its secrets.
func (p *Programs) openAddress(browser []string, addr string) tea.Cmd {
	return func() tea.Msg {
		whole, err := p.lib.Reveal(p.ctx, addr)
		if err != nil {
			return failedMsg{err}
		}
		return nextMsg{p.openURL(browser, whole)}
	}
}

// openURL starts the browser. One that draws in the terminal gets it until it
// ends; any other goes its own way.
func (p *Programs) openURL(browser []string, addr string) tea.Cmd {
	if len(browser) == 0 {
		return func() tea.Msg { return openedMsg{url: addr, none: true, copied: p.toTmux(addr)} }
	}
	argv, err := argvFor(browser, addr)
	if err != nil {
		return func() tea.Msg { return openedMsg{url: addr, err: err} }
	}
	name := base(argv[0])
	cmd := exec.Command(argv[0], argv[1:]...) // not bound to the program: it outlives it
	if slices.Contains(inTerminal, name) {
		return p.TakeTerminal(cmd, func(err error) tea.Msg { return openedMsg{url: addr, err: err} })
	}
	return func() tea.Msg {
		if err := cmd.Start(); err != nil {
			return openedMsg{url: addr, err: err}
		}
		go cmd.Wait() // nobody asks how it ended, but it must not stay a zombie
		return openedMsg{url: addr}
	}
}

// nextMsg carries a command that has to go on in the event loop, because it
// may take the terminal.
type nextMsg struct{ cmd tea.Cmd }

func (p *Programs) copyText(gen uint64, addr, title string, tmux bool) tea.Cmd {
	return func() tea.Msg {
		text, err := p.lib.Reveal(p.ctx, addr)
		if err != nil {
			return failedMsg{err}
		}
		if title != "" {
			text = strings.TrimSpace(title + " " + text)
		}
		if text == "" {
			return failedMsg{fmt.Errorf("this item has no link to copy")}
		}
		return copiedMsg{gen, text, tmux && p.toTmux(text)}
	}
}

// toTmux hands a text to tmux, which passes it on to the terminal around it
// (-w); false where there is no tmux or it did not take it.
func (p *Programs) toTmux(text string) bool {
	if os.Getenv("TMUX") == "" {
		return false
	}
	cmd := exec.CommandContext(p.ctx, "tmux", "load-buffer", "-w", "-")
	cmd.Stdin = strings.NewReader(text)
	return cmd.Run() == nil
}

// OnMsg tells how it went with browser and clipboard. What tmux did not
// take is written to the terminal raw (OSC 52), which does not answer.
func (p *Programs) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case nextMsg:
		return msg.cmd
	case endedMsg:
		if say := msg.says(); say != "" {
			h.Say(say)
		}
	case failedMsg:
		h.Say(view.Sentence(msg.err))
	case copiedMsg:
		if msg.gen != p.copied {
			return nil // what was copied last is to be pasted
		}
		h.Say("Copied: " + msg.text)
		if p.Calm && !msg.tmux {
			h.Say("Link: " + msg.text) // a terminal without a cursor has no clipboard either
			return nil
		}
		if n := strings.Count(msg.text, "\n"); n > 0 {
			h.Say("Copied: " + wording.Plural(n+1, "line") + ".")
		}
		if !msg.tmux {
			return tea.SetClipboard(msg.text)
		}
	case openedMsg:
		switch {
		case msg.err != nil:
			h.Say(view.Sentence(fmt.Errorf("the browser did not start: %w", msg.err)))
		case msg.none && msg.copied:
			h.Say("No browser on this machine. The link is copied: " + msg.url)
		case msg.none:
			h.Say("No browser on this machine. The link (copying may not reach your terminal, see doctor): " + msg.url)
			return tea.SetClipboard(msg.url)
		default:
			h.Say("Opened in the browser: " + msg.url)
		}
	}
	return nil
}

// OpenItem reads an item's link, then opens it.
func (p *Programs) OpenItem(id reader.ItemID) tea.Cmd {
	browser := p.browser()
	return func() tea.Msg {
		items, err := p.lib.Items(p.ctx, []reader.ItemID{id})
		if err != nil {
			return failedMsg{err}
		}
		if len(items) == 0 || !plain.WebAddress(items[0].Address()) {
			return failedMsg{fmt.Errorf("this item has no link to open")}
		}
		return p.openAddress(browser, items[0].Address())()
	}
}

// CopyItems copies the links of items, a line each, with their titles if both.
func (p *Programs) CopyItems(h view.Host, ids []reader.ItemID, both bool) tea.Cmd {
	p.copied = h.Gen()
	gen, tmux := p.copied, p.Env("TMUX") != ""
	return func() tea.Msg {
		items, err := p.lib.Items(p.ctx, ids)
		if err != nil {
			return failedMsg{err}
		}
		if len(items) == 0 {
			return failedMsg{fmt.Errorf("this item is gone")}
		}
		var lines []string
		for i := range items {
			line := items[i].Address()
			if both {
				line = strings.TrimSpace(view.TitleOr(items[i].Title, items[i].Lead) + " " + line)
			}
			if line != "" {
				lines = append(lines, line)
			}
		}
		return p.copyText(gen, strings.Join(lines, "\n"), "", tmux)()
	}
}

// failedMsg: the library could not say what to open or copy.
type failedMsg struct{ err error }

// openedMsg tells how it went with the browser.
type openedMsg struct {
	url    string
	none   bool // there is no browser here
	copied bool // the terminal was asked to copy it instead, through tmux
	err    error
}

// copiedMsg: tmux took the text (or there is none and the terminal gets it).
type copiedMsg struct {
	gen  uint64
	text string
	tmux bool
}
