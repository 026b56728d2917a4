package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"diurna/store/storetest"
)

// TestMain makes this test binary the program as well: tests run it under its own
// name, or as a process that serves commands.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "diurna":
		main()
	case "diurna-serve":
		os.Exit(storetest.Main(serving{}))
	}
	// Most tests wait for programs, terminals and disks: more of them at once than
	// there are processors. A -parallel on the command line still counts.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	remove, err := asPrograms("diurna", "diurna-serve")
	if err != nil {
		panic(err)
	}
	code := storetest.Main(m)
	for _, do := range append(atEnd, remove) {
		do()
	}
	os.Exit(code)
}

// atEnd is what is done after the last test, with what tests built together.
var atEnd []func()

// noRest stands in the environment of each program that a test starts: built with
// the race detector it would rest a second at its end, which adds up to minutes.
const noRest = "GORACE=atexit_sleep_ms=0"

// TestScripts runs testdata/script, which read like a manual page. Each has a
// publisher of its own on 127.0.0.1 at $URL. `diurna …` shares a process with the
// script's other commands, `exec diurna …` has one of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: setUp,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"diurna": diurna, "publish": publish, "requests": requests, "code": exitCode, "terminal": terminal, "interrupt": interrupt, "serve": serve,
			"rotate": rotate, "stopat": stopAt, "newsboat": newsboatCache},
		RequireExplicitExec: true,
	})
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
	env.Defer(func() {
		if err := p.commands.close(); err != nil {
			env.T().Fatal("its commands: ", err)
		}
	})
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
	const conf = "[net]\nallow_private = [\"127.0.0.0/8\"]\nper_host_every = \"0s\"\nsecond_fetch = \"0s\"\nmin_poll = \"0s\"\nmin_manual = \"0s\"\n"
	return os.WriteFile(filepath.Join(dir, "config.toml"), []byte(conf), 0o600)
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

// packages says which of our packages each of them may import. Test files may use
// the same and the package itself. docs/architecture.md has the same packages with
// a sentence each.
var packages = map[string][]string{
	"":                       {"ui", "ui/argv", "ui/cli", "ui/cli/exit", "ui/cli/feeds", "ui/cli/fetch", "ui/cli/library", "ui/cli/past", "ui/cli/session", "ui/keymap", "ui/term", "ui/theme", "ui/toml", "reader", "reader/demo", "reader/retention", "reader/rules", "reader/wording", "store", "store/archive", "reader/query", "reader/sqlite/sqlitetest"}, // store/archive in its tests
	"ui":                     {"reader", "reader/downloads", "reader/stories", "reader/page", "reader/pagestate", "reader/plain", "reader/wording", "ui/prose", "ui/cells", "ui/theme", "ui/view", "ui/rhythm", "ui/article", "ui/list", "ui/diff", "ui/feeds", "ui/info", "ui/help", "ui/outside", "ui/pages", "ui/panes", "ui/add", "ui/history", "ui/search", "ui/queries", "ui/keymap", "ui/lastrow", "ui/term", "ui/term/termtest", "ui/command", "ui/macro", "reader/query", "ui/bindkeys", "ui/trends", "reader/trends", "ui/files", "ui/editall", "ui/impressions", "ui/jobs", "ui/linear", "ui/rounds", "ui/stack", "ui/header", "ui/boxes", "ui/finding", "ui/notes", "reader/advice", "ui/marks", "ui/opening", "ui/fetching", "ui/adding", "ui/ranked", "ui/greeting", "ui/pausing", "ui/places"},
	"ui/cells":               {},
	"ui/cli":                 {"ui/argv", "reader", "reader/demo", "reader/plain", "reader/wording", "ui/cells", "ui/cli/arguments", "ui/cli/exit", "ui/cli/feeds", "ui/cli/fetch", "ui/cli/items", "ui/cli/rules", "ui/cli/library", "ui/cli/pages", "ui/cli/past", "ui/cli/queue", "ui/cli/session", "ui/cli/simulate", "ui/cli/table", "ui/cli/trends", "reader/query"},
	"ui/cli/past":            {"reader", "reader/demo", "reader/query"},
	"ui/cli/arguments":       {"reader/wording", "ui/cli/exit"},
	"ui/cli/exit":            {"reader", "reader/plain", "reader/query"},
	"ui/cli/table":           {"reader", "reader/plain", "reader/wording", "ui/cells"},
	"ui/cli/session":         {"reader", "reader/plain", "reader/wording", "ui/cli/exit", "ui/cli/table", "ui/prose", "ui/term", "reader/query"},
	"ui/cli/simulate":        {"reader/papers", "reader/replay", "ui/cli/arguments", "ui/cli/exit", "ui/cli/session"},
	"ui/cli/library":         {"reader", "reader/plain", "reader/trends", "reader/wording", "ui/cells", "ui/cli/arguments", "ui/cli/exit", "ui/cli/session", "ui/cli/table"},
	"ui/cli/pages":           {"reader", "reader/page", "reader/condition", "reader/plain", "reader/wording", "ui/cells", "ui/cli/arguments", "ui/cli/exit", "ui/cli/session", "ui/cli/table", "reader/advice"},
	"ui/cli/queue":           {"reader", "reader/downloads", "reader/plain", "reader/wording", "ui/argv", "ui/cli/arguments", "ui/cli/exit", "ui/cli/session", "ui/cli/table"},
	"ui/cli/rules":           {"docs", "reader", "reader/query", "reader/rules", "reader/wording", "ui/cli/arguments", "ui/cli/exit", "ui/cli/session", "ui/cli/table"},
	"ui/cli/items":           {"docs", "reader", "reader/plain", "reader/wording", "ui/cells", "ui/cli/arguments", "ui/cli/exit", "ui/cli/pages", "ui/cli/session", "ui/cli/table", "reader/query", "reader/stories"},
	"ui/cli/trends":          {"reader", "reader/plain", "reader/query", "reader/trends", "reader/wording", "ui/cli/arguments", "ui/cli/exit", "ui/cli/session", "ui/cli/table"},
	"ui/cli/fetch":           {"ui/argv", "reader", "reader/plain", "reader/trends", "reader/wording", "reader/replay", "ui/cells", "ui/cli/arguments", "ui/cli/exit", "ui/cli/library", "ui/cli/pages", "ui/cli/session", "ui/cli/simulate", "ui/cli/table", "ui/term"},
	"ui/cli/feeds":           {"reader", "reader/history", "reader/newsboat", "ui/bindkeys", "reader/plain", "reader/wording", "ui/cells", "ui/cli/arguments", "ui/cli/exit", "ui/cli/fetch", "ui/cli/library", "ui/cli/pages", "ui/cli/session", "ui/cli/table", "reader/query", "reader/discover"},
	"ui/keymap":              {"ui/bindkeys", "ui/macro", "ui/toml", "ui/view"},
	"ui/toml":                {},
	"ui/lastrow":             {"reader/plain", "ui/cells", "ui/theme", "ui/view", "reader", "reader/wording"}, // ui/cells, ui/theme in its tests
	"ui/feeds":               {"reader", "reader/query", "reader/wording", "reader/words", "ui/cells", "ui/prose", "ui/queries", "ui/view"},
	"ui/argv":                {"reader/plain"},
	"ui/bindkeys":            {},
	"ui/macro":               {"reader/wording", "ui/argv", "ui/view"},
	"ui/command":             {"ui/argv", "reader", "reader/query", "reader/words", "reader/plain", "reader/wording", "ui/outside", "ui/prose", "ui/view"},
	"ui/panes":               {"reader", "ui/article", "ui/view"},
	"ui/outside":             {"ui/argv", "reader", "reader/plain", "reader/wording", "ui/view"},
	"ui/editall":             {"reader", "reader/wording", "ui/outside", "ui/view"},
	"ui/linear":              {"ui/add", "ui/keymap", "ui/view"},
	"ui/stack":               {"ui/lastrow", "ui/list", "ui/panes", "ui/view"},
	"ui/header":              {"ui/stack", "ui/view"},
	"ui/marks":               {"reader", "ui/history", "ui/jobs", "ui/lastrow", "ui/list", "ui/panes", "ui/stack", "ui/view"},
	"ui/opening":             {"reader", "reader/query", "ui/article", "ui/diff", "ui/files", "ui/info", "ui/jobs", "ui/list", "ui/marks", "ui/outside", "ui/stack", "ui/view"},
	"ui/fetching":            {"reader", "reader/wording", "ui/lastrow", "ui/rounds", "ui/stack", "ui/term", "ui/view"},
	"ui/adding":              {"reader", "reader/wording", "ui/add", "ui/editall", "ui/fetching", "ui/list", "ui/opening", "ui/stack", "ui/view"},
	"ui/ranked":              {"reader", "reader/wording", "ui/lastrow", "ui/list", "ui/notes", "ui/stack", "ui/view"},
	"ui/greeting":            {"reader", "ui/lastrow", "ui/notes", "ui/ranked", "ui/stack", "ui/view"},
	"ui/pausing":             {"ui/fetching", "ui/impressions", "ui/jobs", "ui/marks", "ui/term", "ui/view"},
	"ui/places":              {"reader", "ui/article", "ui/feeds", "ui/greeting", "ui/impressions", "ui/list", "ui/notes", "ui/opening", "ui/pages", "ui/stack", "ui/view"},
	"ui/boxes":               {"ui/notes", "ui/stack", "ui/view"},
	"ui/finding":             {"reader/query", "reader/wording", "ui/list", "ui/view"},
	"ui/notes":               {"ui/view"},
	"ui/impressions":         {"reader", "ui/view"},
	"ui/jobs":                {"reader", "reader/wording", "ui/view"},
	"ui/rounds":              {"reader", "reader/wording", "ui/view"},
	"ui/pages":               {"reader", "ui/cells", "reader/page", "reader/pagestate", "reader/plain", "reader/wording", "ui/article", "ui/diff", "ui/view", "reader/advice"},
	"ui/add":                 {"reader", "reader/plain", "reader/wording", "ui/view"},
	"ui/search":              {"reader", "reader/query", "reader/wording", "ui/list", "ui/view"},
	"ui/queries":             {"reader", "reader/plain", "reader/queries", "reader/query", "ui/list", "ui/view"},
	"ui/trends":              {"reader", "reader/plain", "reader/query", "reader/stories", "reader/trends", "reader/wording", "ui/list", "ui/queries", "ui/view"},
	"ui/history":             {"reader", "ui/theme", "ui/view"}, // ui/theme in its tests
	"ui/help":                {"reader/wording", "ui/keymap", "ui/theme", "ui/view"},
	"ui/prose":               {"reader/plain", "ui/cells"},
	"ui/term":                {"ui/argv", "reader", "reader/plain", "ui/cells", "ui/term/termtest"}, // in its tests
	"ui/term/termtest":       {},                                                                    // for tests
	"ui/theme":               {"reader/plain", "reader/wording", "ui/prose", "ui/cells", "ui/toml"},
	"ui/view":                {"reader", "reader/query", "reader/plain", "reader/wording", "ui/cells", "ui/theme"},
	"ui/rhythm":              {"reader", "reader/plain", "reader/wording", "ui/view"},
	"ui/list":                {"reader", "reader/query", "reader/stories", "reader/wording", "ui/cells", "ui/prose", "ui/theme", "ui/view"}, // ui/theme in its tests
	"ui/files":               {"reader", "reader/downloads", "reader/wording", "ui/view"},
	"ui/article":             {"reader", "reader/wording", "ui/cells", "ui/prose", "ui/view"},
	"ui/diff":                {"reader", "reader/page", "reader/plain", "reader/wording", "ui/cells", "ui/prose", "ui/theme", "ui/view"},
	"ui/info":                {"reader", "reader/plain", "reader/trends", "reader/wording", "ui/view"},
	"reader":                 {"store", "scheduler", "reader/fetch", "reader/feed", "reader/feed/atom", "reader/page", "reader/pagestate", "reader/revision", "reader/opml", "reader/plain", "reader/wording", "reader/model", "reader/interest", "reader/doctor", "reader/match", "reader/poll", "reader/plan", "reader/web", "reader/query", "reader/stats", "reader/subscriptions", "reader/align/aligntest", "reader/watch", "reader/discover", "reader/search", "reader/queries", "reader/texts", "reader/fulltext", "reader/retention", "reader/newsboat", "reader/rules", "reader/settings", "reader/stories", "reader/trends", "reader/downloads", "reader/history", "reader/advice", "reader/sweep"},
	"reader/advice":          {},
	"reader/match":           {"store", "reader/feed", "reader/model", "reader/page", "reader/plain"},
	"reader/poll":            {"store", "reader/feed", "reader/fetch", "reader/match", "reader/model", "reader/wording"},
	"reader/downloads":       {"reader/fetch", "reader/model", "reader/plain", "reader/web", "store/lock"},
	"reader/fulltext":        {"store", "reader/fetch", "reader/feed", "reader/model", "reader/revision", "reader/web", "reader/markup", "reader/page", "reader/pagestate", "reader/plain"},
	"reader/discover":        {"store", "reader/feed", "reader/fetch", "reader/match", "reader/model", "reader/opml", "reader/plain", "reader/poll", "reader/web"},
	"reader/subscriptions":   {"store", "reader/model", "reader/opml", "reader/plain", "reader/queries", "reader/query", "reader/web", "reader/wording"},
	"reader/settings":        {"reader/interest", "reader/model", "reader/plain", "reader/retention", "reader/watch", "reader/web"},
	"reader/stats":           {"store", "scheduler", "reader/model", "reader/page", "reader/plan"},
	"reader/links":           {"reader/feed", "reader/markup", "reader/plain"},
	"reader/query":           {"store", "reader/links", "reader/model", "reader/wording", "reader/words"},
	"reader/queries":         {"store", "reader/model", "reader/plain", "reader/query"},
	"reader/words":           {},
	"reader/search":          {"store", "reader/model", "reader/plain", "reader/query", "reader/texts", "reader/words", "reader/revision", "reader/fulltext", "store/codec"},
	"reader/trends":          {"store", "ranking/topics", "reader/links", "reader/model", "reader/plain", "reader/stories", "reader/wording", "reader/words", "store/codec"},
	"reader/texts":           {"store", "reader/fulltext", "reader/links", "reader/model", "reader/page", "reader/plain", "reader/query", "reader/revision"},
	"docs":                   {},
	"reader/watch":           {"reader/rules", "reader/align/aligntest", "reader/condition", "reader/fetch", "reader/model", "reader/page", "reader/pagestate", "reader/plain", "reader/poll", "reader/query", "reader/revision", "reader/web", "reader/wording", "store", "reader/advice", "store/codec"},
	"reader/web":             {"store", "reader/feed", "reader/fetch", "reader/model", "reader/plain", "reader/poll"},
	"reader/model":           {"store", "reader/plain", "reader/wording"},
	"reader/doctor":          {"store", "reader/model", "reader/plain", "reader/revision", "reader/wording"},
	"reader/plan":            {"store", "scheduler", "ranking/topics", "reader/model", "reader/poll", "reader/plain", "reader/wording"},
	"reader/rules":           {"store", "reader/links", "reader/model", "reader/plain", "reader/query", "reader/words", "reader/wording"},
	"reader/stories":         {"store", "store/codec", "ranking/topics", "reader/links", "reader/model", "reader/plain"},
	"reader/interest":        {"store", "ranking", "ranking/topics", "reader/model", "reader/plain", "reader/sweep", "reader/wording", "store/codec"},
	"reader/fetch":           {},
	"reader/feed":            {"reader/feed/charset", "reader/feed/dates", "reader/feed/jsonscan", "reader/feed/xmlscan", "reader/plain"},
	"reader/markup":          {},
	"reader/align":           {"reader/align/aligntest", "reader/kind", "reader/markup", "reader/plain", "reader/room"},
	"reader/room":            {},
	"reader/sweep":           {},
	"reader/kind":            {},
	"reader/condition":       {"reader/align", "reader/kind", "reader/page"},
	"reader/align/aligntest": {}, // for tests
	"reader/pagestate":       {"reader/align", "reader/align/aligntest", "reader/kind", "reader/markup", "reader/page", "reader/things"},
	"reader/revision":        {"reader/align", "reader/align/aligntest"},
	"reader/segment":         {"reader/align"},
	"reader/page":            {"reader/align", "reader/align/aligntest", "reader/feed/dates", "reader/field", "reader/ignore", "reader/kind", "reader/markup", "reader/plain", "reader/segment", "reader/things", "reader/wording", "store/codec"},
	"reader/ignore":          {"reader/align", "reader/field", "reader/kind", "reader/markup"},
	"reader/things":          {"reader/align", "reader/kind", "reader/markup"},
	"reader/field":           {"reader/align", "reader/kind", "reader/markup"},
	"reader/opml":            {"reader/plain"},
	"reader/sqlite":          {"reader/sqlite/sqlitetest"}, // in its tests
	"reader/history":         {"store", "reader/model", "reader/plain", "reader/wording"},
	"reader/newsboat":        {"reader/downloads", "reader", "store", "reader/feed", "reader/match", "reader/model", "reader/opml", "reader/plain", "reader/query", "reader/rules", "reader/sqlite", "reader/sqlite/sqlitetest", "reader/subscriptions", "reader/web"}, // reader and sqlitetest in its tests
	"reader/plain":           {},
	"reader/wording":         {},
	"reader/replay":          {"scheduler", "ranking", "ranking/topics"},
	"reader/papers":          {"ranking/aggregate", "ranking/topics", "reader/page", "reader/plain", "reader/replay", "reader/wording", "scheduler", "scheduler/online", "reader/advice"},
	"reader/demo":            {},
	"reader/scenes":          {"reader", "reader/page", "reader/pagestate", "store"}, // its tests only
	"store":                  {"store/acts", "store/archive", "store/backups", "store/blocks", "store/bodies", "store/check", "store/codec", "store/db", "store/filing", "store/fold", "store/hosts", "store/library", "store/lists", "store/lock", "store/pages", "store/record", "store/salvage", "store/secrets", "store/webpages"},
	"store/acts":             {"store/db", "store/fold", "store/library", "store/record"},
	"store/backups":          {"store/archive", "store/check", "store/db", "store/library", "store/lock", "store/pages", "store/record"},
	"store/blocks":           {"store/codec", "store/db", "store/record"},
	"store/bodies":           {"store/codec", "store/db", "store/record"},
	"store/check":            {"store/blocks", "store/codec", "store/db", "store/fold", "store/library", "store/lists", "store/record", "store/secrets", "store/webpages"},
	"store/filing":           {"store/blocks", "store/bodies", "store/fold", "store/library", "store/lists", "store/record", "store/webpages"},
	"store/journal":          {"store/db", "store/record"},
	"store/library":          {"store/blocks", "store/bodies", "store/codec", "store/db", "store/fold", "store/journal", "store/lists", "store/pages", "store/record", "store/secrets"},
	"store/lists":            {"store/blocks", "store/codec", "store/db", "store/pages", "store/record"},
	"store/secrets":          {"store/db", "store/record"},
	"store/webpages":         {"store/db", "store/library", "store/record"},
	"store/archive":          {"store/codec"},
	"reader/retention":       {"reader/interest", "reader/model", "reader/plain", "reader/wording", "store"},
	"store/codec":            {},
	"store/lock":             {},
	"store/hosts":            {"store/lock"},
	"store/pages":            {},
	"store/record":           {"store/codec", "store/pages"},
	"store/db":               {"store/codec", "store/lock", "store/pages", "store/record"},
	"store/fold":             {"store/record"},
	"store/salvage":          {"store/lock", "store/pages", "store/record"},
	"scheduler":              {},
	"scheduler/online":       {},
	"ranking":                {"ranking/topics", "store/codec"},
	"ranking/aggregate":      {},
	"ranking/topics":         {"store/codec"},

	// For tests; those of every package may import store/storetest.
	"reader/sqlite/sqlitetest": {},
	"store/storetest":          {},

	// Parts of reader/feed.
	"reader/feed/atom":     {"reader/feed", "reader/plain"},
	"reader/feed/charset":  {"reader/feed/xmlscan", "reader/plain"},
	"reader/feed/dates":    {},
	"reader/feed/jsonscan": {},
	"reader/feed/xmlscan":  {"reader/plain"},
}

// TestToolsStandApart: what measures the program shares no code with it.
func TestToolsStandApart(t *testing.T) {
	c := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}} {{join .TestImports \" \"}}", "./...")
	c.Dir = "tools"
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, path := range strings.Fields(string(out)) {
		if strings.HasPrefix(path, "diurna/") && !strings.HasPrefix(path, "diurna/tools/") {
			t.Errorf("tools imports %s", path)
		}
	}
}

// never lists packages of others that a package must not import.
var never = map[string][]string{
	"ui":            {"net", "net/http", "go.etcd.io/bbolt"},
	"ui/prose":      {"net", "net/http", "os"},
	"ui/cells":      {"net", "net/http", "os"},
	"reader/feed":   {"net", "net/http", "os"},
	"reader/markup": {"net", "net/http", "os"},
	"reader/align":  {"net", "net/http", "os"},
	"reader/kind":   {"net", "net/http", "os"},
	"reader/page":   {"net", "net/http", "os"},
	"reader/things": {"net", "net/http", "os"},
	"reader/field":  {"net", "net/http", "os"},
	"reader/ignore": {"net", "net/http", "os"},
	"reader/opml":   {"net", "net/http", "os", "os/exec"},
	"reader/plain":  {"net", "net/http", "os"},
	"reader/replay": {"net", "net/http"},
	"reader/demo":   {"net", "os"},
	"store":         {"net", "net/http"},
	"store/codec":   {"net", "net/http", "os", "go.etcd.io/bbolt"},
	"store/lock":    {"net", "net/http", "go.etcd.io/bbolt"},
	"store/pages":   {"net", "net/http"},
	"store/record":  {"net", "net/http", "os", "go.etcd.io/bbolt"},
	"store/fold":    {"net", "net/http", "os", "go.etcd.io/bbolt"},
	"store/db":      {"net", "net/http"},
	"store/salvage": {"net", "net/http", "go.etcd.io/bbolt"},
	"store/library": {"net", "net/http", "os", "go.etcd.io/bbolt"},
	"store/acts":    {"net", "net/http", "os", "go.etcd.io/bbolt"},
	"store/filing":  {"net", "net/http", "os", "go.etcd.io/bbolt"},
	"store/backups": {"net", "net/http"},

	"reader/feed/charset":  {"net", "net/http", "os"},
	"reader/feed/dates":    {"net", "net/http", "os"},
	"reader/feed/jsonscan": {"net", "net/http", "os"},
	"reader/feed/xmlscan":  {"net", "net/http", "os"},
	"reader/feed/atom":     {"net", "net/http", "os"},
}

// sourcePackage is what `go list -json` says of a package.
type sourcePackage struct {
	ImportPath, Dir                    string
	GoFiles                            []string
	Imports, TestImports, XTestImports []string
}

func listPackages(t *testing.T) map[string]sourcePackage {
	t.Helper()
	list, err := listed()
	if err != nil || len(list) < 10 {
		t.Fatalf("go list found %d packages only: %v", len(list), err)
	}
	return list
}

var listed = sync.OnceValues(func() (map[string]sourcePackage, error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,TestImports,XTestImports", "./...").Output()
	list := map[string]sourcePackage{}
	for d := json.NewDecoder(strings.NewReader(string(out))); err == nil && d.More(); {
		var p sourcePackage
		err = d.Decode(&p)
		list[strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "diurna"), "/")] = p
	}
	return list, err
})

// TestArrows holds the imports to the picture in docs/architecture.md, and that page
// to the tree.
func TestArrows(t *testing.T) {
	list := listPackages(t)
	describes(t, list)
	for name, p := range list {
		allowed, ok := packages[name]
		if !ok {
			t.Errorf("%s has no line in packages; give it one here and a sentence in docs/architecture.md", name)
			continue
		}
		check := func(imports []string, tests bool) {
			for _, path := range imports {
				if slices.Contains(never[name], path) && !tests {
					t.Errorf("%s must never import %s", name, path)
				}
				ours, found := strings.CutPrefix(path, "diurna")
				if !found || ours != "" && ours[0] != '/' {
					continue
				}
				ours = strings.TrimPrefix(ours, "/")
				if slices.Contains(allowed, ours) || tests && (ours == name || ours == "reader/plain" || ours == "store/storetest") {
					continue
				}
				t.Errorf("no arrow leads from %q to %q (in tests: %v)", name, ours, tests)
			}
		}
		check(p.Imports, false)
		check(p.TestImports, true)
		check(p.XTestImports, true)
	}
}

// pure are the packages that compute and do nothing else; sync is there for tables
// that are read when first asked for (sync.OnceValue).
var pure = []string{"bytes", "cmp", "container/heap", "encoding/binary", "encoding/json", "errors", "fmt", "hash/crc32", "hash/fnv",
	"hash/maphash", "html", "iter", "maps", "net/url", "math", "math/bits", "math/rand/v2", "regexp", "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "time", "unicode", "unicode/utf8",
	"diurna/ranking/topics", "diurna/store/codec", "diurna/reader/align", "diurna/reader/feed/dates", "diurna/reader/field", "diurna/reader/ignore", "diurna/reader/kind", "diurna/reader/markup", "diurna/reader/page", "diurna/reader/room", "diurna/reader/segment", "diurna/reader/things", "diurna/reader/plain", "diurna/reader/wording",
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

// isStore tells the store and the parts of it that touch the library from what only computes.
func isStore(name string) bool {
	return name == "store" || strings.HasPrefix(name, "store/") && name != "store/codec"
}

// TestGroundIsPure: arithmetic is given values and now, and gives values back.
// The store may touch its files and wait for its locks, but the time of a fact
// is always an argument.
func TestGroundIsPure(t *testing.T) {
	list := listPackages(t)
	for _, name := range []string{"scheduler", "scheduler/online", "ranking", "ranking/aggregate", "ranking/topics", "reader/align", "reader/kind", "reader/markup", "reader/page", "reader/pagestate", "reader/segment", "reader/things", "reader/field", "reader/ignore", "reader/condition", "reader/revision", "store", "store/acts", "store/backups", "store/codec", "store/filing", "store/library"} {
		p, ok := list[name]
		if !ok {
			continue // not built yet; TestArrows knows its place already
		}
		for _, path := range p.Imports {
			if !isStore(name) && !isPure(path) {
				t.Errorf("%s imports %s, which is not on the list of pure packages", name, path)
			}
		}
		for _, file := range p.GoFiles {
			impure(t, name, filepath.Join(p.Dir, file))
		}
	}
}

// impure reports clocks, goroutines and unseeded chance in one file.
func impure(t *testing.T, name, path string) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if !isStore(name) {
				t.Errorf("%s: a goroutine in %s", set.Position(n.Pos()), name)
			}
		case *ast.SelectorExpr:
			pkg, ok := n.X.(*ast.Ident)
			if !ok || pkg.Obj != nil {
				return true
			}
			switch {
			case pkg.Name == "time" && n.Sel.Name == "Now", pkg.Name == "time" && !isStore(name) && clocks.MatchString(n.Sel.Name):
				t.Errorf("%s: time.%s in %s", set.Position(n.Pos()), n.Sel.Name, name)
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
