//go:build unix

package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"diurna/store"
)

// pictures stand in every article, after its links.
const pictures = `<p><img src="/a.png" alt="a"></p><p><img src="/b.png" alt="b"></p><p><img src="/c.png" alt="c"></p>`

// harbourWeb serves the feeds of the ten tasks: /NAME.xml with items a few
// hours old and items of last month, and the site of a feed to be found.
type harbourWeb struct {
	now  time.Time
	mu   sync.Mutex
	gone map[string]bool // answered with 404
}

func (p *harbourWeb) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimSuffix(strings.Trim(r.URL.Path, "/"), ".xml")
	p.mu.Lock()
	gone := p.gone[name]
	p.mu.Unlock()
	switch {
	case gone || !strings.HasSuffix(r.URL.Path, ".xml") && name != "site":
		http.NotFound(w, r)
		return
	case name == "site":
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<html><head><title>Gazette</title><link rel="alternate" type="application/rss+xml" title="News" href="/gazette.xml"></head></html>`)
		return
	}
	w.Header().Set("Content-Type", "application/rss+xml")
	fmt.Fprintf(w, `<rss version="2.0"><channel><title>%s</title>`, strings.ToUpper(name[:1])+name[1:])
	for i, age := range []time.Duration{2, 26, 24 * 30, 24 * 31} {
		// Each feed a little older than the one before, so that River has one order.
		at := p.now.Add(-age*time.Hour - time.Duration(name[0])*time.Minute)
		fmt.Fprintf(w, `<item><title>%s item %d</title><link>http://%s.example/%d</link><guid>%s-%d</guid><pubDate>%s</pubDate>`+
			`<description><![CDATA[<p>Text of %s number %d. See <a href="/a">one</a>, <a href="/b">two</a> and <a href="/data.csv">three</a>.</p>%s]]></description></item>`,
			name, i, name, i, name, i, at.Format(time.RFC1123Z), name, i, pictures)
	}
	io.WriteString(w, "</channel></rss>")
}

func (p *harbourWeb) lose(name string, gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone[name] = gone
}

// person sits at the program in a pseudo-terminal, with a home of their own.
type person struct {
	t      *testing.T
	home   string
	env    []string
	tty    *os.File
	screen *exec.Cmd
	mu     sync.Mutex
	drawn  []byte

	commands *commands
}

// diurna runs a command beside the screen and gives what it printed.
func (p *person) diurna(args ...string) string {
	p.t.Helper()
	a := p.run(args...)
	if a.Code != 0 {
		p.t.Fatalf("diurna %v: exit code %d\n%s", args, a.Code, a.Talk)
	}
	return string(a.Out)
}

// run runs a command to its end.
func (p *person) run(args ...string) answered {
	p.t.Helper()
	if p.commands == nil {
		p.commands = &commands{}
		p.t.Cleanup(func() {
			if err := p.commands.close(); err != nil {
				p.t.Errorf("its commands: %v", err)
			}
		})
	}
	a, err := p.commands.run(p.env, p.home, args...)
	if err != nil {
		p.t.Fatalf("diurna %v: %v", args, err)
	}
	return a
}

// json runs a list command with --json and decodes its lines.
func (p *person) json(args ...string) []map[string]any {
	p.t.Helper()
	var list []map[string]any
	for line := range strings.Lines(p.diurna(append(args, "--json")...)) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			p.t.Fatalf("diurna %v: %v in %q", args, err, line)
		}
		list = append(list, one)
	}
	return list
}

// titles are the titles of the items that fit a query.
func (p *person) titles(query ...string) string {
	p.t.Helper()
	var titles []string
	for _, it := range p.json(append([]string{"items"}, query...)...) {
		titles = append(titles, it["title"].(string))
	}
	return strings.Join(titles, ", ")
}

// sit opens the screen and waits until it shows the library.
func (p *person) sit() { p.t.Helper(); p.sitAt(exec.Command("diurna")) }

// sitAt is sit with a command that shows the screen.
func (p *person) sitAt(command *exec.Cmd) {
	p.t.Helper()
	p.screen = command
	p.screen.Env, p.screen.Dir = p.env, p.home
	tty, err := pty.StartWithSize(p.screen, &pty.Winsize{Cols: 80, Rows: 24})
	if err != nil {
		p.t.Skipf("no pseudo-terminal here: %v", err)
	}
	p.tty = tty
	go func() {
		buf := make([]byte, 1<<16)
		for {
			n, err := tty.Read(buf)
			p.mu.Lock()
			p.drawn = append(p.drawn, buf[:n]...)
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	p.t.Cleanup(func() {
		p.screen.Process.Signal(syscall.SIGTERM)
		late := time.AfterFunc(time.Minute, func() { p.screen.Process.Kill() })
		_ = p.screen.Wait() // it was told to stop, and says so
		late.Stop()
		tty.Close()
	})
	p.until("River is shown", func() bool { return strings.Contains(p.text(0), "1River") })
	p.calm(0)
}

// text is what was drawn after the first n bytes, without escape sequences.
func (p *person) text(n int) string {
	return ansi.Strip(skips.ReplaceAllString(p.raw(n), " "))
}

// wantMouse sets what the mouse is asked for with.
func (p *person) wantMouse() {
	p.t.Helper()
	name := filepath.Join(p.home, ".config/diurna/config.toml")
	conf, err := os.ReadFile(name)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, append([]byte("mouse = true\n"), conf...), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// raw is what was written from a byte on.
func (p *person) raw(n int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.drawn[n:])
}

// skips are the ways in which the renderer passes over blanks.
var skips = regexp.MustCompile(`\x1b\[\d*[CX]|\x1b\[\d*b|\x1b\[\d*;?\d*H|\x1b\[\d*[Gd]`)

func (p *person) bytes() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.drawn)
}

// calm waits until something was drawn after the first n bytes and nothing more comes.
func (p *person) calm(n int) {
	last := -1
	for i := 0; i < 200; i++ {
		now := p.bytes()
		if now > n && now == last {
			return
		}
		last = now
		time.Sleep(60 * time.Millisecond)
	}
}

// until waits for something that has to become true.
func (p *person) until(what string, is func() bool) {
	p.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if is() {
			return
		}
	}
	p.t.Fatalf("%s: not within a minute. The screen:\n%s", what, p.look())
}

// press sends one key, or one paste, and waits for what it draws.
func (p *person) press(key string) {
	p.t.Helper()
	n := p.bytes()
	if _, err := p.tty.WriteString(key); err != nil {
		p.t.Fatal(err)
	}
	p.calm(n)
}

// look has the whole screen drawn again and gives its text. That key belongs to
// the test and is not counted.
func (p *person) look() string {
	n := p.bytes()
	p.tty.WriteString("\x0c")
	p.calm(n)
	return p.text(n)
}

// names of the keys that are no letters.
var bytesOf = map[string]string{"enter": "\r", "esc": "\x1b", "tab": "\t", "space": " "}

// newPerson gives somebody a home with a config that allows this machine, a
// browser that writes down what it is started with, and a subscribed library.
func newPerson(t *testing.T, url string) *person {
	home := t.TempDir()
	p := &person{t: t, home: home}
	dir := filepath.Join(home, ".config", "diurna")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const conf = "[net]\nallow_private = [\"127.0.0.0/8\"]\nper_host_every = \"0s\"\nsecond_fetch = \"0s\"\nmin_poll = \"0s\"\nmin_manual = \"0s\"\n"
	p.write(".config/diurna/config.toml", conf, 0o600)
	p.write("browser", "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" > '"+home+"/argv.new' && mv '"+home+"/argv.new' '"+home+"/argv'\n", 0o700)
	p.write("feeds.opml", `<opml version="2.0"><body>
<outline text="land"><outline text="Kernel" xmlUrl="`+url+`/kernel.xml"/></outline>
<outline text="sea"><outline text="Harbour" xmlUrl="`+url+`/harbour.xml"/><outline text="Tides" xmlUrl="`+url+`/tides.xml"/></outline>
</body></opml>`, 0o600)
	p.env = []string{noRest, "HOME=" + home, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "TERM=xterm-256color", "BROWSER=" + filepath.Join(home, "browser"),
		"XDG_DATA_HOME=" + home + "/.local/share", "XDG_CONFIG_HOME=" + home + "/.config", "XDG_STATE_HOME=" + home + "/.local/state",
		"XDG_CACHE_HOME=" + home + "/.cache", "XDG_RUNTIME_DIR=" + home + "/.run", "NO_PROXY=127.0.0.1"}
	p.diurna("import", "feeds.opml")
	p.diurna("mark", "unread", "older:1w")
	return p
}

// moved files that a feed's server has named another address for eight days, too
// long for a test to wait for: the move is the user's to accept.
func (p *person) moved(name, to string) {
	p.t.Helper()
	s, err := store.Open(store.Options{Dir: filepath.Join(p.home, ".local/share/diurna"), CacheDir: filepath.Join(p.home, ".cache/diurna"), Wait: time.Minute})
	if err != nil {
		p.t.Fatal(err)
	}
	defer s.Close()
	feeds, err := s.Feeds(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	now := time.Now()
	for _, f := range feeds {
		if !strings.HasSuffix(f.URL, "/"+name+".xml") {
			continue
		}
		f.Poll.MovedTo, f.Poll.MovedSince, f.Poll.MovedSeen, f.Poll.MoveWaits = to, now.AddDate(0, 0, -8), 6, true
		if _, err := s.File(p.t.Context(), now, []store.Filing{{Feed: f.ID, Poll: &f.Poll}}); err != nil {
			p.t.Fatal(err)
		}
	}
}

// atHarbour is a user with a publisher of their own.
func atHarbour(t *testing.T) *person {
	server := httptest.NewServer(&harbourWeb{now: time.Now()})
	t.Cleanup(server.Close)
	return newPerson(t, server.URL)
}

func (p *person) write(name, text string, mode os.FileMode) {
	if err := os.WriteFile(filepath.Join(p.home, name), []byte(text), mode); err != nil {
		p.t.Fatal(err)
	}
}

// sent are the texts that the program gave to the clipboard (OSC 52).
func (p *person) sent() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var texts []string
	for _, m := range regexp.MustCompile(`\x1b\]52;c;([A-Za-z0-9+/=]+)(?:\a|\x1b\\)`).FindAllSubmatch(p.drawn, -1) {
		if text, err := base64.StdEncoding.DecodeString(string(m[1])); err == nil {
			texts = append(texts, string(text))
		}
	}
	return texts
}

// task is one of the ten things that people do most.
type task struct {
	name   string
	before func(p *person)
	at     string // keys that lead to where it begins, not counted
	paste  string // counts as one key
	keys   string
	shown  string // what the second key waits for: it has to be read or fetched first
	most   int
	proven func(p *person)
}

// TestTenTasks does each of them in the real program, from River, with as many
// keys as it may cost at most, and asks a second process what came of it.
func TestTenTasks(t *testing.T) {
	for i, k := range tenTasks("", nil) {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			web := &harbourWeb{now: time.Now(), gone: map[string]bool{}}
			server := httptest.NewServer(web)
			defer server.Close()
			k := tenTasks(server.URL, web)[i]
			p := newPerson(t, server.URL)
			if k.before != nil {
				k.before(p)
			}
			p.sit()
			for _, key := range strings.Fields(k.at) {
				p.press(key1(key))
			}
			n := 0
			if k.paste != "" {
				p.press("\x1b[200~" + k.paste + "\x1b[201~")
				n++
			}
			keys := strings.Fields(k.keys)
			for i, key := range keys {
				if i == 1 && k.shown != "" {
					p.until(k.shown, func() bool { return strings.Contains(p.look(), k.shown) })
				}
				p.press(key1(key))
				n++
			}
			if n > k.most {
				t.Errorf("%d keys, at most %d are allowed", n, k.most)
			}
			k.proven(p)
			t.Logf("%d keys of at most %d: %s", n, k.most, strings.TrimSpace(k.paste+" "+k.keys))
		})
	}
}

// key1 are the bytes of a key, or of a text that is typed ('text): that counts as
// one too.
func key1(name string) string {
	if text, typed := strings.CutPrefix(name, "'"); typed {
		return text
	}
	if b, ok := bytesOf[name]; ok {
		return b
	}
	return name
}

func tenTasks(url string, web *harbourWeb) []task {
	shows := func(p *person, want string) {
		p.t.Helper()
		p.until("the screen shows "+want, func() bool { return strings.Contains(p.look(), want) })
	}
	browses := func(p *person, want string) {
		p.t.Helper()
		var argv []byte
		p.until("the browser is started", func() bool {
			var err error
			argv, err = os.ReadFile(filepath.Join(p.home, "argv"))
			return err == nil
		})
		if got := string(argv); got != "1\n"+want+"\n" {
			p.t.Errorf("the browser was given %q", got)
		}
	}
	return []task{
		{name: "mark everything older than a week in a folder", keys: "2 } } M w", most: 6, proven: func(p *person) {
			p.until("the folder's old items are read", func() bool {
				return p.titles("unread", "older:1w") == "kernel item 2, kernel item 3"
			})
			if got := p.diurna("unread"); got != "8\n" { // of 12, four are old and in the folder
				p.t.Errorf("unread %q", got)
			}
		}},
		{name: "open the third link of the article in the browser", keys: "enter 3 o", shown: "three", most: 3, proven: func(p *person) {
			browses(p, url+"/data.csv")
		}},
		{name: "open the third image of the article in the browser", keys: "enter 6 o", shown: "[image: c][6]", most: 3, proven: func(p *person) {
			browses(p, url+"/c.png")
		}},
		{name: "copy an article's link", at: "enter", keys: "y", most: 1, proven: func(p *person) {
			p.until("the link is copied", func() bool { return len(p.sent()) > 0 })
			if got := p.sent(); len(got) != 1 || got[0] != "http://harbour.example/0" {
				p.t.Errorf("copied %q", got)
			}
		}},
		{name: "subscribe to a pasted address", paste: url + "/site", keys: "enter enter", shown: "Enter subscribe", most: 3, proven: func(p *person) {
			p.until("the feed is there", func() bool { return strings.Contains(p.diurna("list"), "/gazette.xml\t") })
			p.until("with its items", func() bool { return p.titles("feed:Gazette", "unread") == "gazette item 0, gazette item 1" })
		}},
		{name: "go to the feed in trouble and read why", before: func(p *person) {
			web.lose("tides", true)
			defer web.lose("tides", false)
			p.diurna("fetch", "--all")
		}, keys: "2 ! w", most: 3, proven: func(p *person) {
			shows(p, "Tides: 404 not found since")
			if got := p.json("list", "tides"); len(got) != 1 || got[0]["error"] != "404 not found" {
				p.t.Errorf("list says %v", got)
			}
		}},
		{name: "accept the move of a feed", before: func(p *person) {
			p.moved("tides", url+"/quay.xml")
		}, keys: "2 ! w a", most: 4, proven: func(p *person) {
			p.until("it is fetched from there", func() bool {
				return slices.ContainsFunc(p.json("list"), func(f map[string]any) bool { return f["url"] == url+"/quay.xml" && f["state"] == "ok" })
			})
			if got := p.json("log"); got[0]["undone"] == true || !strings.Contains(got[0]["what"].(string), "/quay.xml") {
				p.t.Errorf("the log says %v", got)
			}
		}},
		{name: "undo a mass mark", at: "A", keys: "u", most: 1, proven: func(p *person) {
			p.until("everything is unread again", func() bool { return p.diurna("unread") == "12\n" })
			got := p.json("log")
			if got[0]["what"] != "12 marked read in River" || got[0]["undone"] != true {
				p.t.Errorf("the log says %v", got)
			}
		}},
		{name: "next unread from inside an article", at: "enter", keys: "n", most: 1, proven: func(p *person) {
			p.until("two items are read", func() bool { return p.titles("read") == "harbour item 0, kernel item 0" })
			shows(p, "Text of kernel number 0.")
		}},
		{name: "save and tag", keys: "s t l a t e r enter", most: 4 + len("later"), proven: func(p *person) {
			p.until("the item is saved and tagged", func() bool { return p.titles("saved", "#later") == "harbour item 0" })
		}},
		{name: "read a feed's unread only", keys: "& 'feed:tides enter", most: 3, proven: func(p *person) {
			shows(p, "feed:tides: 4 of 12")
			p.press("\r") // the first of them, and on within the feed: what follows in River is another's
			shows(p, "Text of tides number 0.")
			p.press("n")
			p.until("its next is read", func() bool { return p.titles("read") == "tides item 0, tides item 1" })
		}},
		{name: "full help", keys: "?", most: 1, proven: func(p *person) {
			shows(p, "mark all here read")
			shows(p, "Signs in the first columns")
		}},
		{name: "full help on one key", keys: "? ? M", most: 3, proven: func(p *person) {
			shows(p, "M in a list: mark read")
			shows(p, "than a month")
		}},
	}
}

// TestCopyingInTmux: tmux is given the link, which it passes on to the terminal
// around it; the escape sequence that tmux would swallow is not sent.
func TestCopyingInTmux(t *testing.T) {
	t.Parallel()
	p := atHarbour(t)
	p.write("tmux", "#!/bin/sh\necho \"$*\" > '"+p.home+"/given.new' && cat >> '"+p.home+"/given.new' && mv '"+p.home+"/given.new' '"+p.home+"/given'\n", 0o700)
	p.env = append(p.env, "TMUX=/nowhere,1,0", "PATH="+p.home+":"+os.Getenv("PATH"))
	p.sit()
	p.press("y")
	p.until("tmux is given the link", func() bool {
		got, err := os.ReadFile(filepath.Join(p.home, "given"))
		return err == nil && string(got) == "load-buffer -w -\nhttp://harbour.example/0"
	})
	p.until("it is said", func() bool { return strings.Contains(p.look(), "Copied: http://harbour.example/0") })
	if got := p.sent(); len(got) != 0 {
		t.Errorf("and to the terminal: %q", got)
	}
}
