package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary the program as well: the scripts run it
// under its own name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"diurna": main})
}

// noRest stands in the environment of each program that a test starts: built with
// the race detector it would rest a second at its end, which adds up to minutes.
const noRest = "GORACE=atexit_sleep_ms=0"

// TestScripts runs testdata/script, which read like a manual page. Each has a
// publisher of its own on 127.0.0.1 at $URL.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: setUp,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"publish": publish, "requests": requests, "code": exitCode, "terminal": terminal, "interrupt": interrupt, "serve": serve},
		RequireExplicitExec: true,
	})
}

// publisher is the web of one script: feeds of a growing number of items under
// /NAME.xml, each in a mode that the script sets with `publish`.
type publisher struct {
	mu    sync.Mutex
	feeds map[string]feedMode
	seen  map[string]int // requests by path
	now   time.Time
	stop  chan struct{}
}

type feedMode struct {
	items int
	mode  string
	body  []byte // what `serve` gave, as it is
}

type scriptKey struct{}

// setUp gives a script its publisher and a home of its own, with a config that
// allows this machine and lifts the waits.
func setUp(env *testscript.Env) error {
	p := &publisher{feeds: map[string]feedMode{}, seen: map[string]int{}, now: time.Now(), stop: make(chan struct{})}
	plain, secure := httptest.NewServer(p), httptest.NewUnstartedServer(p)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // refused handshakes are what it is for
	secure.StartTLS()
	env.Defer(func() { close(p.stop); plain.Close(); secure.Close() })
	env.Values[scriptKey{}] = p
	for _, v := range [][2]string{{"URL", plain.URL}, {"TLS", secure.URL}, {"HOME", env.WorkDir},
		{"XDG_DATA_HOME", env.WorkDir + "/.local/share"}, {"XDG_CONFIG_HOME", env.WorkDir + "/.config"},
		{"XDG_STATE_HOME", env.WorkDir + "/.local/state"}, {"XDG_CACHE_HOME", env.WorkDir + "/.cache"},
		{"XDG_RUNTIME_DIR", env.WorkDir + "/.run"}, {"TZ", "UTC"}, {"TERM", "xterm"}, {"NO_PROXY", "127.0.0.1"},
		{"GORACE", strings.TrimPrefix(noRest, "GORACE=")}} {
		env.Setenv(v[0], v[1])
	}
	dir := filepath.Join(env.WorkDir, ".config", "diurna")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	const conf = "[net]\nallow_private = [\"127.0.0.0/8\"]\nper_host_every = \"0s\"\nmin_poll = \"0s\"\nmin_manual = \"0s\"\n"
	return os.WriteFile(filepath.Join(dir, "config.toml"), []byte(conf), 0o600)
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

// code N WORDS… runs a command that must end in exit code N; its output is
// there for stdout and stderr.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND ARGS…")
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
// /NAME.xml has been asked for; it must end within a second, in that code.
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
	for i := 0; i < 500 && asked() == before; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	sig := map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}[args[0]]
	ts.Check(cmd.Process.Signal(sig))
	late := time.AfterFunc(5*time.Second, func() { cmd.Process.Kill() })
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
	case "loop":
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
		return
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

// A bug is a sentence and a code of its own, never a stack on the screen.
func TestGuarded(t *testing.T) {
	old := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	defer slog.SetDefault(old)
	if code := guarded(func() int { return 3 }); code != 3 {
		t.Errorf("without a panic: %d, want 3", code)
	}
	if code := guarded(func() int { panic("on purpose") }); code != 70 {
		t.Errorf("after a panic: %d, want 70", code)
	}
}

// rooms says which of our packages each may import: house.md's table. Test
// files may use the same and the room itself. A package without a line has no
// sentence yet.
var rooms = map[string][]string{
	"":               {"ui", "ui/cli", "reader", "store"},
	"ui":             {"reader", "reader/page", "reader/plain", "reader/wording", "ui/prose", "ui/cells"},
	"ui/cells":       {},
	"ui/cli":         {"reader", "reader/page", "reader/plain", "reader/wording", "reader/replay", "reader/demo", "reader/corpus", "ui/prose", "ui/cells"},
	"ui/prose":       {"reader/plain", "ui/cells"},
	"reader":         {"store", "scheduler", "ranking", "ranking/topics", "reader/fetch", "reader/feed", "reader/page", "reader/opml", "reader/plain", "reader/wording"},
	"reader/fetch":   {},
	"reader/feed":    {"reader/plain"},
	"reader/page":    {"reader/plain", "reader/wording"},
	"reader/opml":    {"reader/plain"},
	"reader/plain":   {},
	"reader/wording": {},
	"reader/replay":  {"scheduler", "ranking", "ranking/topics"},
	"reader/demo":    {},
	"reader/corpus":  {"reader/feed", "reader/opml", "reader/plain"},
	"store":          {},
	"scheduler":      {},
	"ranking":        {"ranking/topics"},
	"ranking/topics": {},
}

// never lists packages of others that a room must not import.
var never = map[string][]string{
	"ui":            {"net", "net/http", "go.etcd.io/bbolt"},
	"ui/prose":      {"net", "net/http", "os"},
	"ui/cells":      {"net", "net/http", "os"},
	"reader/feed":   {"net", "net/http", "os"},
	"reader/page":   {"net", "net/http", "os"},
	"reader/opml":   {"net", "net/http", "os", "os/exec"},
	"reader/plain":  {"net", "net/http", "os"},
	"reader/replay": {"net", "net/http"},
	"reader/demo":   {"net", "os"},
	"reader/corpus": {"net", "net/http", "os/exec"},
	"store":         {"net", "net/http"},
}

// sourcePackage is what `go list -json` says of a package.
type sourcePackage struct {
	ImportPath, Dir                    string
	GoFiles                            []string
	Imports, TestImports, XTestImports []string
}

func listPackages(t *testing.T) map[string]sourcePackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,TestImports,XTestImports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	list := map[string]sourcePackage{}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p sourcePackage
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		list[strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "diurna"), "/")] = p
	}
	if len(list) < 10 {
		t.Fatalf("go list found %d packages only", len(list))
	}
	return list
}

// TestArrows holds the imports to the picture in docs/architecture.md.
func TestArrows(t *testing.T) {
	for room, p := range listPackages(t) {
		allowed, ok := rooms[room]
		if !ok {
			t.Errorf("%s has no line in the table: give the room its sentence first", room)
			continue
		}
		check := func(imports []string, tests bool) {
			for _, path := range imports {
				if slices.Contains(never[room], path) && !tests {
					t.Errorf("%s must never import %s", room, path)
				}
				ours, found := strings.CutPrefix(path, "diurna")
				if !found || ours != "" && ours[0] != '/' {
					continue
				}
				ours = strings.TrimPrefix(ours, "/")
				if slices.Contains(allowed, ours) || tests && (ours == room || ours == "reader/plain") {
					continue
				}
				t.Errorf("no arrow leads from %q to %q (in tests: %v)", room, ours, tests)
			}
		}
		check(p.Imports, false)
		check(p.TestImports, true)
		check(p.XTestImports, true)
	}
}

// pure are the packages that compute and do nothing else.
var pure = []string{"bytes", "cmp", "container/heap", "encoding/binary", "encoding/json", "errors", "fmt", "hash/crc32", "hash/fnv",
	"hash/maphash", "html", "iter", "maps", "net/url", "math", "math/bits", "math/rand/v2", "slices", "sort", "strconv", "strings", "time", "unicode", "unicode/utf8",
	"diurna/ranking/topics", "diurna/reader/plain", "diurna/reader/wording",
	"github.com/clipperhouse/uax29/v2/words", "github.com/blevesearch/snowballstem", "github.com/blevesearch/snowballstem/english",
	"github.com/andybalholm/cascadia", "github.com/klauspost/compress/zstd",
	"golang.org/x/net/html", "golang.org/x/net/html/atom"}

// pureTrees are modules of which every package computes and does nothing else.
var pureTrees = []string{"golang.org/x/text/", "gonum.org/v1/gonum/"}

func isPure(path string) bool {
	return slices.Contains(pure, path) || slices.ContainsFunc(pureTrees, func(t string) bool { return strings.HasPrefix(path, t) })
}

// clocks are the functions of time that ask what time it is, or wait.
var clocks = regexp.MustCompile(`^(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTicker|NewTimer)$`)

// TestGroundIsPure: arithmetic is given values and now, and gives values back.
// The store may touch its files and wait for its locks, but the time of a fact
// is always an argument.
func TestGroundIsPure(t *testing.T) {
	list := listPackages(t)
	for _, room := range []string{"scheduler", "ranking", "ranking/topics", "reader/page", "store"} {
		p, ok := list[room]
		if !ok {
			continue // not built yet; TestArrows knows its place already
		}
		for _, path := range p.Imports {
			if room != "store" && !isPure(path) {
				t.Errorf("%s imports %s, which is not on the list of pure packages", room, path)
			}
		}
		for _, name := range p.GoFiles {
			impure(t, room, filepath.Join(p.Dir, name))
		}
	}
}

// impure reports clocks, goroutines and unseeded chance in one file.
func impure(t *testing.T, room, path string) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if room != "store" {
				t.Errorf("%s: a goroutine in %s", set.Position(n.Pos()), room)
			}
		case *ast.SelectorExpr:
			pkg, ok := n.X.(*ast.Ident)
			if !ok || pkg.Obj != nil {
				return true
			}
			switch {
			case pkg.Name == "time" && n.Sel.Name == "Now", pkg.Name == "time" && room != "store" && clocks.MatchString(n.Sel.Name):
				t.Errorf("%s: time.%s in %s", set.Position(n.Pos()), n.Sel.Name, room)
			case pkg.Name == "rand" && !regexp.MustCompile(`^(New|NewPCG|NewChaCha8|NewZipf|Rand|Source|PCG|ChaCha8|Zipf)$`).MatchString(n.Sel.Name):
				t.Errorf("%s: rand.%s is not seeded by the caller", set.Position(n.Pos()), n.Sel.Name)
			}
		}
		return true
	})
}

// TestPins holds go.mod to the two versions that were measured: a newer Lip
// Gloss repaints whole lines with wide characters, an older runewidth builds
// its tables at every start.
func TestPins(t *testing.T) {
	b, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, msg := range unpinned(string(b)) {
		t.Error(msg)
	}
	for spoil, by := range map[string]string{"lipgloss/v2 v2.0.5\n": "lipgloss/v2 v2.0.6\n", "go-runewidth v0.0.31": "go-runewidth v0.0.30", "\ngo 1.26": "\ntoolchain go1.27.1\ngo 1.26", "go 1.26": "go 1.25"} {
		if msgs := unpinned(strings.Replace(string(b), spoil, by, 1)); len(msgs) != 1 {
			t.Errorf("with %q in place of %q: %v", by, spoil, msgs)
		}
	}
}

// unpinned says what of a go.mod is not as it must stay.
func unpinned(mod string) (msgs []string) {
	if !strings.Contains(mod, "charm.land/lipgloss/v2 v2.0.5\n") {
		msgs = append(msgs, "go.mod does not pin lipgloss v2.0.5")
	}
	m := regexp.MustCompile(`go-runewidth v0\.0\.(\d+)`).FindStringSubmatch(mod)
	if m == nil || len(m[1]) < 2 || m[1] < "31" {
		msgs = append(msgs, fmt.Sprintf("go.mod wants runewidth v0.0.31 at least, has %v", m))
	}
	if regexp.MustCompile(`(?m)^toolchain`).MatchString(mod) {
		msgs = append(msgs, "go.mod has a toolchain line")
	}
	if !regexp.MustCompile(`(?m)^go 1\.26(\.0)?$`).MatchString(mod) {
		msgs = append(msgs, "go.mod does not say go 1.26")
	}
	return msgs
}
