package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
)

// publisher is the web of one script: feeds of a growing number of items under
// /NAME.xml, each in a mode that the script sets with `publish`.
type publisher struct {
	mu    sync.Mutex
	feeds map[string]feedMode
	seen  map[string]int // requests by path
	now   time.Time
	stop  chan struct{}

	commands commands
}

type feedMode struct {
	items int
	mode  string
	body  []byte   // what `serve` gave, as it is
	later [][]byte // what `rotate` gave for the next requests; the last one stays
}

// publish NAME ITEMS [MODE] sets what /NAME.xml serves from now on.
func publish(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: publish NAME ITEMS [MODE]")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	m := feedMode{items: n}
	if len(args) == 3 {
		m.mode = args[2]
	}
	p := ts.Value(scriptKey{}).(*publisher)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.feeds[args[0]] = m
}

// requests NAME COUNT asserts how often /NAME.xml was asked for.
func requests(ts *testscript.TestScript, neg bool, args []string) {
	p := ts.Value(scriptKey{}).(*publisher)
	p.mu.Lock()
	defer p.mu.Unlock()
	if got := strconv.Itoa(p.seen["/"+args[0]+".xml"]); (got == args[1]) == neg {
		ts.Fatalf("%s was asked for %s times, want %s", args[0], got, args[1])
	}
}

// diurna ARGS… runs the program, beside the script's other commands; its output is
// there for stdout and stderr.
func diurna(ts *testscript.TestScript, neg bool, args []string) {
	if code := serveScript(ts, args); (code == 0) == neg {
		ts.Fatalf("exit code %d", code)
	}
}

// serveScript gives the exit code.
func serveScript(ts *testscript.TestScript, args []string) int {
	p := ts.Value(scriptKey{}).(*publisher)
	env := []string{"PWD=" + ts.MkAbs(".")}
	for _, name := range scriptNames() {
		if v := ts.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	a, err := p.commands.run(env, ts.MkAbs("."), args...)
	ts.Check(err)
	ts.Stdout().Write(a.Out)
	ts.Stderr().Write(a.Talk)
	return a.Code
}

// scriptNames are the variables that a script may have.
var scriptNames = sync.OnceValue(func() []string {
	names := []string{"HOME", "PATH", "TZ", "TERM", "TMPDIR", "NO_PROXY", "GORACE", "WORK", "URL", "TLS",
		"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"}
	files, _ := filepath.Glob("testdata/script/*.txt")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		for _, line := range regexp.MustCompile(`(?m)^env .*`).FindAllString(string(text), -1) {
			for _, m := range regexp.MustCompile(`(\w+)=`).FindAllStringSubmatch(line, -1) {
				names = append(names, m[1])
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
})

// code N [exec] WORDS… runs a command that must end in exit code N; its output is
// there for stdout and stderr.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N [exec] COMMAND ARGS…")
	}
	if args[1] == "diurna" {
		if got := strconv.Itoa(serveScript(ts, args[2:])); got != args[0] {
			ts.Fatalf("exit code %s, want %s", got, args[0])
		}
		return
	}
	if args[1] == "exec" {
		args = slices.Delete(args, 1, 2)
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// interrupt SIGNAL CODE NAME COMMAND ARGS… sends a running command a signal once
// /NAME.xml has been asked for; it must end in that code, which it would not if it
// waited for the answer.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	p := ts.Value(scriptKey{}).(*publisher)
	asked := func() int {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.seen["/"+args[2]+".xml"]
	}
	before := asked()
	cmd := command(ts, args[3], args[4:]...)
	ts.Check(cmd.Start())
	for i := 0; i < 6000 && asked() == before; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	sig := map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}[args[0]]
	ts.Check(cmd.Process.Signal(sig))
	late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer late.Stop()
	_ = cmd.Wait() // the code says it
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[1] {
		ts.Fatalf("after %s the exit code is %s, want %s", args[0], got, args[1])
	}
}

// command is a command in the script's folder and home.
func command(ts *testscript.TestScript, name string, args ...string) *exec.Cmd {
	bin, err := exec.LookPath(name)
	ts.Check(err)
	cmd := exec.Command(bin, args...)
	cmd.Dir = ts.Getenv("WORK")
	for _, k := range []string{"HOME", "PATH", "TZ", "TERM", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"} {
		cmd.Env = append(cmd.Env, k+"="+ts.Getenv(k))
	}
	return cmd
}

// terminal COLS FILE COMMAND ARGS… runs a command on a terminal that many
// columns wide and keeps what it prints in FILE.
func terminal(ts *testscript.TestScript, neg bool, args []string) {
	cols, err := strconv.Atoi(args[0])
	ts.Check(err)
	cmd := command(ts, args[2], args[3:]...)
	// Data on the terminal, talk aside: the file shows one of them.
	var talk bytes.Buffer
	cmd.Stderr = &talk
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: 24})
	ts.Check(err)
	out, _ := io.ReadAll(f) // ends with EIO once the program is gone
	f.Close()
	if err := cmd.Wait(); (err != nil) != neg {
		ts.Fatalf("%v: %s", err, talk.String())
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n")), 0o600))
}

func (p *publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), ".xml")
	p.mu.Lock()
	p.seen[r.URL.Path]++
	f, known := p.feeds[name]
	if len(f.later) > 0 {
		p.feeds[name] = feedMode{mode: f.mode, body: f.later[0], later: f.later[1:]}
	}
	p.mu.Unlock()
	if !known {
		http.NotFound(w, r)
		return
	}
	if f.body != nil {
		w.Header().Set("Content-Type", f.mode)
		w.Write(f.body)
		return
	}
	if n, err := strconv.Atoi(f.mode); err == nil {
		w.WriteHeader(n)
		return
	}
	p.serve(w, r, name, f)
}

// serve answers in the modes that are no bare status.
func (p *publisher) serve(w http.ResponseWriter, r *http.Request, name string, f feedMode) {
	body := p.rss(name, f.items)
	tag := fmt.Sprintf("%q", name+strconv.Itoa(f.items))
	switch f.mode {
	case "page": // a site that names two feeds
		body = `<html><head><title>Site</title><link rel="alternate" type="application/rss+xml" title="News" href="/news.xml">` +
			`<link rel="alternate" type="application/rss+xml" title="Comments" href="/comments.xml"></head><body>hello</body></html>`
		w.Header().Set("Content-Type", "text/html")
	case "watched": // a page whose words follow the number
		body = fmt.Sprintf("<!doctype html><title>The %s page</title><h1>Boats</h1><p>There are %d boats today, and the crew of %s.</p><h2>Notices</h2><p>All is as it was.</p>",
			name, f.items, strings.Repeat("a", f.items))
		w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
	case "html":
		body = "<!doctype html><html><head><title>Log in</title></head><body><form></form></body></html>"
		w.Header().Set("Content-Type", "text/html")
	case "empty":
		body = ""
	case "cut":
		body = body[:strings.LastIndex(body, "<item>")+30]
	case "huge":
		for i := 0; i < 9<<10; i++ { // 9 MB, past the limit of 8
			if _, err := io.WriteString(w, strings.Repeat(" ", 1<<10)); err != nil {
				return
			}
		}
		return
	case "hang":
		select {
		case <-r.Context().Done():
		case <-p.stop:
		}
		return
	case "redirect":
		http.Redirect(w, r, "/news.xml", http.StatusFound)
		return
	case "inwards":
		http.Redirect(w, r, "http://10.0.0.1/", http.StatusFound)
		return
	case "loop":
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
		return
	case "locked":
		if r.Header.Get("Authorization") != "Bearer s3cret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
	case "waits":
		w.Header().Set("Cache-Control", "max-age=3600")
	case "hostile":
		body = strings.Replace(body, "<title>"+name+" 1<", "<title>\u009b31mred&amp;#27;]0;gone\u0007 \u202eback\t1<", 1)
	}
	w.Header().Set("Etag", tag)
	if r.Header.Get("If-None-Match") == tag && f.mode == "" {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	io.WriteString(w, body)
}

// rss is a feed of n items, one an hour, the newest an hour before the script
// began plus what was published since.
func (p *publisher) rss(name string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0"?><rss version="2.0"><channel><title>The %s</title><link>http://%s.example/</link>`, name, name)
	for i := n; i >= 1; i-- {
		at := p.now.Add(-time.Hour).Add(time.Duration(i-20) * 12 * time.Hour)
		if i >= 20 {
			at = p.now.Add(-time.Hour).Add(time.Duration(i-20) * time.Minute)
		}
		fmt.Fprintf(&b, `<item><title>%s %d</title><link>http://%s.example/%d</link><guid>%s-%d</guid><pubDate>%s</pubDate>`+
			`<description><![CDATA[<p>Text of <b>%s</b> number %d, with <a href="/more">a link</a>.</p>]]></description></item>`,
			name, i, name, i, name, i, at.Format(time.RFC1123Z), name, i)
	}
	b.WriteString("</channel></rss>")
	return b.String()
}
