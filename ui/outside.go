package ui

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// The world outside the terminal: the browser and the clipboard. Never a
// shell, and never anything but an http or https address.

// link is the address that o and y mean: the chosen link of an article, else
// the item's own. The item of a list row has to be read for it first.
func (m *model) link() (addr, title string, ok bool) {
	if l, ok := m.Top().(view.Opened); ok {
		return l.Link()
	}
	return "", "", false
}

// browse opens the link; an item's own marks it read.
func (m *model) browse() tea.Cmd {
	if addr, _, ok := m.link(); ok {
		return m.OpenURL(addr)
	}
	r := m.chosenRow()
	if r == nil {
		return nil
	}
	cmd := m.eff.openItem(m.browser(), r.ID)
	if unread(r) {
		if l := m.topItems(); l != nil {
			l.moved = true
		}
		return tea.Batch(cmd, m.queue(&job{kind: jobOpen, ids: []reader.ItemID{r.ID}, found: m.items().isSearch()}))
	}
	return cmd
}

func (l *items) browseOn(m *model) tea.Cmd { return tea.Batch(m.browse(), l.nextUnread(m, 1)) }

func (a *article) browseOn(m *model) tea.Cmd { return tea.Batch(m.browse(), a.nextUnread(m, 1)) }

func (m *model) OpenURL(addr string) tea.Cmd {
	if !plain.WebAddress(addr) {
		m.Say("Only http and https addresses are opened: " + addr)
		return nil
	}
	return m.eff.openAddress(m.browser(), addr)
}

// browser is the argv of the browser, nil if there is none here.
func (m *model) browser() []string {
	if len(m.Cfg.Browser) > 0 {
		return m.Cfg.Browser
	}
	if b := m.Env("BROWSER"); b != "" {
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
	switch remote := m.Env("SSH_CONNECTION") != ""; {
	case runtime.GOOS == "darwin" && !remote:
		return []string{"open"}
	case !remote && (m.Env("DISPLAY") != "" || m.Env("WAYLAND_DISPLAY") != ""):
		return []string{"xdg-open"}
	}
	return nil
}

// argvFor puts an address where %u stands, or at the end. It is one argument
// whatever is in it.
func argvFor(browser []string, addr string) []string {
	argv := slices.Clone(browser)
	put := false
	for i := 1; i < len(argv); i++ {
		for _, mark := range []string{"%u", "%s"} {
			if strings.Contains(argv[i], mark) {
				argv[i], put = strings.ReplaceAll(argv[i], mark, addr), true
				break
			}
		}
	}
	if !put {
		argv = append(argv, addr)
	}
	return argv
}

// inTerminal are browsers that need the terminal for themselves.
var inTerminal = []string{"lynx", "w3m", "links", "links2", "elinks", "browsh", "carbonyl", "chawan", "cha"}

// openAddress opens an address that may be without its secrets.
func (e *effects) openAddress(browser []string, addr string) tea.Cmd {
	return func() tea.Msg {
		whole, err := e.lib.Reveal(e.ctx, addr)
		if err != nil {
			return errorMsg{err}
		}
		return nextMsg{e.openURL(browser, whole)}
	}
}

// openURL starts the browser. One that draws in the terminal gets it until it
// ends; any other goes its own way.
func (e *effects) openURL(browser []string, addr string) tea.Cmd {
	if len(browser) == 0 {
		return func() tea.Msg { return openedMsg{url: addr, none: true, copied: e.toTmux(addr)} }
	}
	argv := argvFor(browser, addr)
	name := argv[0][strings.LastIndexByte(argv[0], '/')+1:]
	cmd := exec.Command(argv[0], argv[1:]...) // not bound to the program: it outlives it
	if slices.Contains(inTerminal, name) {
		return e.takeTerminal(cmd, func(err error) tea.Msg { return openedMsg{url: addr, err: err} })
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

func (m *model) copyLink() tea.Cmd { return m.copyOf(false) }

func (m *model) copyBoth() tea.Cmd { return m.copyOf(true) }

// copyOf copies the link, or title and link; of every selected row.
func (m *model) copyOf(both bool) tea.Cmd {
	if addr, title, ok := m.link(); ok {
		if !both {
			title = ""
		}
		return m.Copy(addr, title)
	}
	rows := m.Top().Rows()
	if len(rows) == 0 {
		return nil
	}
	ids := make([]reader.ItemID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	m.unselect()
	m.copyGen = m.Gen()
	return m.eff.copyItems(m.copyGen, ids, both, m.Env("TMUX") != "")
}

func (m *model) Copy(addr, title string) tea.Cmd {
	m.copyGen = m.Gen()
	return m.eff.copyText(m.copyGen, addr, title, m.Env("TMUX") != "")
}

func (e *effects) copyText(gen uint64, addr, title string, tmux bool) tea.Cmd {
	return func() tea.Msg {
		text, err := e.lib.Reveal(e.ctx, addr)
		if err != nil {
			return errorMsg{err}
		}
		if title != "" {
			text = strings.TrimSpace(title + " " + text)
		}
		if text == "" {
			return errorMsg{fmt.Errorf("this item has no link to copy")}
		}
		return copiedMsg{gen, text, tmux && e.toTmux(text)}
	}
}

// toTmux hands a text to tmux, which passes it on to the terminal around it
// (-w); false where there is no tmux or it did not take it.
func (e *effects) toTmux(text string) bool {
	if os.Getenv("TMUX") == "" {
		return false
	}
	cmd := exec.CommandContext(e.ctx, "tmux", "load-buffer", "-w", "-")
	cmd.Stdin = strings.NewReader(text)
	return cmd.Run() == nil
}

// gotOutside tells how it went with browser and clipboard. What tmux did not
// take is written to the terminal raw (OSC 52), which does not answer.
func (m *model) gotOutside(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case copiedMsg:
		if msg.gen != m.copyGen {
			return nil // what was copied last is to be pasted
		}
		m.Say("Copied: " + msg.text)
		if m.eff.calm && !msg.tmux {
			m.Say("Link: " + msg.text) // a terminal without a cursor has no clipboard either
			return nil
		}
		if n := strings.Count(msg.text, "\n"); n > 0 {
			m.Say("Copied: " + wording.Plural(n+1, "line") + ".")
		}
		if !msg.tmux {
			return tea.SetClipboard(msg.text)
		}
	case openedMsg:
		switch {
		case msg.err != nil:
			m.Say(view.Sentence(fmt.Errorf("the browser did not start: %w", msg.err)))
		case msg.none && msg.copied:
			m.Say("No browser on this machine. The link is copied: " + msg.url)
		case msg.none:
			m.Say("No browser on this machine. The link (copying may not reach your terminal, see doctor): " + msg.url)
			return tea.SetClipboard(msg.url)
		default:
			m.Say("Opened in the browser: " + msg.url)
		}
	}
	return nil
}

func (f *files) open(m *model) tea.Cmd {
	if f.List.N == 0 {
		return nil
	}
	return m.OpenURL(f.files[f.List.Cur].URL)
}

func (f *files) copy(m *model) tea.Cmd {
	if f.List.N == 0 {
		return nil
	}
	return m.Copy(f.files[f.List.Cur].URL, "")
}
