// Diurna reads feeds in a terminal.
//
// This file finds the paths, reads the config and wires the parts: the store
// below the reader, the reader below the commands and the screen. The commands
// stand in ui/cli, the screen in ui; docs/architecture.md has the picture.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/adrg/xdg"

	"diurna/reader"
	"diurna/reader/retention"
	"diurna/reader/rules"
	"diurna/reader/wording"
	"diurna/store"
	"diurna/ui"
	"diurna/ui/argv"
	"diurna/ui/cli"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/feeds"
	"diurna/ui/cli/fetch"
	"diurna/ui/cli/library"
	"diurna/ui/cli/session"
	"diurna/ui/keymap"
	"diurna/ui/term"
	"diurna/ui/theme"
	"diurna/ui/toml"
)

// version is the one place that names it; the release takes it from the program.
var version = "0.2.0"

// home is the address that publishers find in the User-Agent. Who packages the program sets
// their own: -ldflags '-X main.home=https://…'.
var home string

// config is config.toml. Nothing in it is kept in the library, and the other
// way round.
type config struct {
	Theme   string   `toml:"theme"`
	Width   int      `toml:"width"`
	Counts  *bool    `toml:"counts"`
	ASCII   bool     `toml:"ascii"`
	Keymap  string   `toml:"keymap"`
	Links   string   `toml:"hyperlinks"`
	Linear  bool     `toml:"linear"`
	Mouse   bool     `toml:"mouse"`
	Browser []string `toml:"browser"`
	Player  []string `toml:"player"`
	Files   string   `toml:"downloads"`
	Notify  []string `toml:"notify"`
	Command []string `toml:"notify_command"`
	PlanFor string   `toml:"plan_for"`
	Novel   bool     `toml:"plan_novel"`
	Net     struct {
		AllowPrivate    []network `toml:"allow_private"`
		PerHost         int       `toml:"per_host"`
		MinHostInterval wait      `toml:"per_host_every"`
		HostsAtOnce     int       `toml:"hosts_at_once"`
		MinPoll         wait      `toml:"min_poll"`
		MinManual       wait      `toml:"min_manual"`
		MinRetry        wait      `toml:"min_retry"`
		SecondFetch     wait      `toml:"second_fetch"`
	} `toml:"net"`
	Retention struct {
		Text age `toml:"text"`
		Rows age `toml:"rows"`
	} `toml:"retention"`
	Rules       []rule        `toml:"rule"`
	Credentials []credentials `toml:"credentials"`

	own *theme.Palette // of the file that theme names; nil: it comes with the program
}

var configKeys = []string{"theme", "width", "counts", "ascii", "keymap", "hyperlinks", "linear", "mouse", "browser", "player", "downloads", "notify", "notify_command", "plan_for", "plan_novel", "net", "allow_private", "per_host",
	"per_host_every", "hosts_at_once", "min_poll", "min_manual", "min_retry", "second_fetch", "retention", "text", "rows", "rule", "query", "read", "save",
	"tag", "mute", "hide", "run", "credentials", "host", "command"}

// rule is a rule of the config; docs/rules.md describes them.
type rule struct {
	Query  string   `toml:"query"`
	Read   bool     `toml:"read"`
	Save   bool     `toml:"save"`
	Tag    []string `toml:"tag"`
	Mute   bool     `toml:"mute"`
	Hide   bool     `toml:"hide"` // the same
	Notify bool     `toml:"notify"`
	Run    []string `toml:"run"`
}

// credentials is a command that prints the headers for a host; docs/files.md describes it.
type credentials struct {
	Host    string   `toml:"host"`
	Command []string `toml:"command"`
}

// hosts maps a host to the command for its credentials.
func (c *config) hosts() *argv.Credentials {
	out := &argv.Credentials{}
	for _, one := range c.Credentials {
		out.List = append(out.List, argv.Credential(one))
	}
	return out
}

// ruleList is the rules of the config as the reader takes them.
func (c *config) ruleList() []reader.Rule {
	var list []reader.Rule
	for _, r := range c.Rules {
		list = append(list, reader.Rule{Query: r.Query, Read: r.Read, Save: r.Save, Tags: slices.Clone(r.Tag), Mute: r.Mute || r.Hide, Notify: r.Notify, Run: r.Run, Config: true})
	}
	return list
}

// wait is a duration such as "60m"; "0s" means none, which the reader calls
// negative because its zero is the default.
type wait time.Duration

// age is how old something becomes: "12mo", "3y", "off".
type age string

// duration is negative for "off" and 0 for what was left out.
func (a age) duration() (time.Duration, error) { return retention.ParseAge(string(a)) }

// network is a range of addresses such as 192.168.1.0/24.
type network netip.Prefix

func (n *network) UnmarshalText(b []byte) error {
	p, err := netip.ParsePrefix(string(b))
	if err != nil {
		return fmt.Errorf("%q is not a network such as 192.168.1.0/24", b)
	}
	*n = network(p)
	return nil
}

func prefixes(list []network) []netip.Prefix {
	var out []netip.Prefix
	for _, n := range list {
		out = append(out, netip.Prefix(n))
	}
	return out
}

func (w *wait) UnmarshalText(b []byte) error {
	d, err := time.ParseDuration(string(b))
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a time such as 5s or 60m", b)
	}
	if *w = wait(d); d == 0 {
		*w = -1
	}
	return nil
}

func main() {
	term.Private()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(guarded(func() int { return run(os.Args[1:]) }))
}

// guarded turns a panic into a sentence and the exit code of a bug.
func guarded(do func() int) (code int) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("panic", "what", p, "stack", string(debug.Stack()))
			fmt.Fprintf(os.Stderr, "diurna: error: a bug in diurna: %v\ndiurna: hint: with --debug the log says where\n", p)
			code = exit.Bug
		}
	}()
	return do()
}

func run(args []string) int {
	suspended := new(atomic.Bool)
	ctx, stopped := untilSignal(suspended)
	a := &app{unhold: func() {}}
	width, high := term.SizeOf(os.Stdout)
	talks, _ := term.SizeOf(os.Stderr)
	env := session.Env{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Version: version, Width: width, High: high, Lively: talks > 0,
		Open: a.open, Screen: a.screen, Frames: a.frames, Places: places, Settings: settings, Browser: browser, Files: files, Keys: keyTable, Lend: suspended.Store, Notice: a.noticed, Quiesce: a.quiesce, HoldInput: a.holdInput,
	}
	a.env = env
	code := cli.Run(ctx, args, env)
	if a.demo {
		code = cli.Run(ctx, append(a.flags, "demo"), env)
	}
	if c := stopped.Load(); c != 0 {
		return int(c)
	}
	return code
}

// stopWithin is how long a signal that asks to stop waits for that: longer than an
// act that the screen shows as done may wait for the library.
const stopWithin = store.LockTimeout + 2*time.Second

// untilSignal ends the context at the first signal that asks to stop, and the
// program at the second. While another program has the terminal, an
// interrupt typed there is that program's.
func untilSignal(suspended *atomic.Bool) (context.Context, *atomic.Int32) {
	ctx, cancel := context.WithCancel(context.Background())
	code := new(atomic.Int32)
	got := make(chan os.Signal, 2)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range got {
			if s == os.Interrupt && suspended.Load() {
				continue
			}
			if n, ok := s.(syscall.Signal); ok && code.Swap(int32(128+n)) != 0 {
				os.Exit(128 + int(n))
			}
			cancel()
			// A read that waits for bytes (a pipe, a keyboard) ignores the context. What is
			// done by then is kept, as after kill -9.
			time.AfterFunc(stopWithin, func() { os.Exit(int(code.Load())) })
		}
	}()
	return ctx, code
}

// app keeps what opening the library found out, for the screen.
type app struct {
	dir, notice string
	rulesLost   bool   // config.toml is not understood and may have rules
	keys        string // what stands in keys.toml
	config      config
	files       session.Files
	demo        bool // the user chose it on the empty screen
	watch       func(context.Context) (<-chan uint64, error)
	quiet       func() (resume func())
	flags       []string // what goes on to the demo then
	env         session.Env
	unhold      func() // of HoldInput
}

// open finds the library that w names and builds a reader over it.
func (a *app) open(w session.Where) (*reader.Reader, func() error, error) {
	if needsHome(w) {
		return nil, nil, exit.ErrNoHome
	}
	at := places(w)
	closeLog, err := openLog(w.Debug, at.State)
	if err != nil {
		return nil, nil, err
	}
	a.dir, a.notice, a.rulesLost = at.Library, "", false
	if a.config, err = readConfig(w.Config); err != nil {
		a.config.Retention.Text, a.config.Retention.Rows = "off", "off" // the file may say so: what is removed does not come back
		a.notice = err.Error() + "."
		fmt.Fprintln(os.Stderr, "diurna: error:", a.notice)
		if a.rulesLost = mayHaveRules(w.Config); a.rulesLost {
			a.notice += " Nothing is fetched until it is fixed: its rules would miss new items."
		}
	}
	if keys, err := readSmall(keysPath(w.Config), false); err == nil {
		a.keys = string(keys)
	} else if !errors.Is(err, fs.ErrNotExist) {
		a.notice = err.Error() + "."
		fmt.Fprintln(os.Stderr, "diurna: error:", a.notice)
	}
	s, err := store.Open(store.Options{Dir: at.Library, CacheDir: at.Cache, Role: w.Role, Version: version, NoSync: w.NoSync})
	if err != nil {
		return nil, nil, errors.Join(err, closeLog())
	}
	if err := s.Cache().Refused(); err != nil {
		a.notice = strings.TrimPrefix(err.Error(), store.ErrUnsafe.Error()+": ") + "; diurna continues without it."
		fmt.Fprintln(os.Stderr, "diurna: error:", a.notice)
		fmt.Fprintln(os.Stderr, "diurna: hint: remove it; diurna rebuilds it")
	}
	a.files = a.config.files(w)
	n := a.config.Net
	o := reader.Options{Version: version, Home: home, Role: w.Role, Transport: w.Web, Net: reader.Net{
		AllowPrivate: prefixes(n.AllowPrivate), PerHost: n.PerHost, MinHostInterval: time.Duration(n.MinHostInterval), HostsAtOnce: n.HostsAtOnce,
		MinPoll: time.Duration(n.MinPoll), MinManual: time.Duration(n.MinManual), MinRetry: time.Duration(n.MinRetry),
		SecondFetch: time.Duration(n.SecondFetch)}}
	o.Credentials = a.config.hosts()
	o.Rules, o.RulesLost = a.config.ruleList(), a.rulesLost
	_ = rules.CheckAll(o.Rules, time.Now())                  // passed when it was read; it tidies the tags
	o.Retention.Text, _ = a.config.Retention.Text.duration() // checked when it was read
	o.Retention.Rows, _ = a.config.Retention.Rows.duration()
	o.PlanFor, _ = reader.ParsePlanFor(a.config.PlanFor) // checked when it was read
	o.NovelOnly = a.config.Novel
	if w.Web != nil {
		o.Net = reader.Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1, SecondFetch: -1} // nobody to be polite to inside the process
	}
	a.watch, a.quiet = s.Watch, s.Quiesce
	done := func() {}
	if w.Role != "screen" && w.Role != "run" && w.Role != "demo" { // those stop in their own way
		done = a.stopQuietly()
	}
	r := reader.New(s, o)
	return r, func() error { done(); return errors.Join(r.Close(), s.Close(), closeLog()) }, nil
}

// quiesce is Store.Quiesce of the library that is open.
func (a *app) quiesce() (resume func()) {
	if a.quiet == nil {
		return func() {}
	}
	return a.quiet()
}

// holdInput keeps what is typed from being echoed until the screen has the terminal.
func (a *app) holdInput() (back func()) {
	a.unhold = term.HoldInput(os.Stdin)
	return a.unhold
}

// stopQuietly has ^Z stop a command only while it has no lock of the library.
func (a *app) stopQuietly() (done func()) {
	stopper, ended := term.NewStopper(), make(chan struct{})
	go func() {
		for {
			select {
			case <-ended:
				return
			case <-stopper.Asked:
			}
			resume := a.quiesce()
			stopper.Stop(false)
			resume()
		}
	}()
	return func() { stopper.Close(); close(ended) }
}

// stopScreen stops the process while it has no lock, until it has its terminal
// again: a screen that is continued in the background has nothing to do there.
func (a *app) stopScreen(stopper *term.Stopper) func(whole bool) bool {
	return func(whole bool) bool {
		defer a.quiesce()()
		a.unhold()
		if !stopper.Stop(whole) {
			return false
		}
		for tries := 0; !term.InForeground(); tries++ {
			if tries < 20 { // some shells give the terminal a moment later
				time.Sleep(25 * time.Millisecond)
			} else if !stopper.Stop(false) {
				break
			}
		}
		return true
	}
}

// places are the usual ones, or what the flags say.
func places(w session.Where) session.Places {
	in := func(base string) string { return filepath.Join(base, "diurna") }
	p := session.Places{Home: xdg.Home, Library: in(xdg.DataHome), Cache: in(xdg.CacheHome), State: in(xdg.StateHome), Config: w.Config}
	if w.DataDir != "" {
		p.Library, p.Cache, p.State = w.DataDir, w.DataDir, w.DataDir
	}
	if p.Config == "" && !noConfig(w) {
		p.Config = filepath.Join(in(xdg.ConfigHome), "config.toml")
	}
	for _, path := range []*string{&p.Library, &p.Cache, &p.State, &p.Config} {
		if abs, err := filepath.Abs(*path); err == nil && *path != "" {
			*path = abs
		}
	}
	if !filepath.IsAbs(p.Home) {
		p.Home = ""
	}
	return p
}

// homeless reports whether one of these variables, which name folders, leaves its
// folder to HOME, and HOME is not an absolute path.
func homeless(names ...string) bool {
	if runtime.GOOS == "windows" || filepath.IsAbs(os.Getenv("HOME")) {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool { return !filepath.IsAbs(os.Getenv(name)) })
}

// noConfig reports whether there is no place for the config. It is not looked for
// in the root or in the current folder.
func noConfig(w session.Where) bool { return w.Config == "" && homeless("XDG_CONFIG_HOME") }

// needsHome reports whether a place that w asks for lies below the home folder while
// HOME is not an absolute path: it would lie in the root, or in whatever folder the
// command runs in.
func needsHome(w session.Where) bool {
	return w.DataDir == "" && (homeless("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME") || noConfig(w))
}

// keysPath is where keys.toml is, beside config.toml; "" if there is no place for it.
func keysPath(config string) string {
	if config = places(session.Where{Config: config}).Config; config == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(config), "keys.toml")
}

// maxText bounds config.toml and keys.toml, in bytes.
const maxText = 1 << 20

// readSmall reads a file that a user wrote. A pipe is read only where it was named
// (--config <(…)): in a file's place it would block every command.
func readSmall(path string, pipes bool) ([]byte, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() && (!pipes || fi.Mode()&fs.ModeNamedPipe == 0) {
		return nil, fmt.Errorf("%s is not a plain file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err == nil && len(text) > maxText {
		err = fmt.Errorf("%s is longer than 1 MB", path)
	}
	return text, err
}

// readConfig decodes config.toml. Whatever is wrong with it, the zero config
// is returned and the error is the sentence to show.
func readConfig(path string) (config, error) {
	named := path != ""
	path = places(session.Where{Config: path}).Config
	text, err := readSmall(path, named)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return config{}, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return config{}, fmt.Errorf("there is no file %s; the defaults are used", path)
	}
	if err != nil {
		return config{}, fmt.Errorf("%w; the file was ignored", err)
	}
	var c config
	doc, err := toml.Parse(text)
	if err == nil {
		err = doc.Decode(&c)
	}
	if err == nil {
		err = c.check()
	}
	if err == nil {
		c.own, err = ownTheme(c.Theme, path)
	}
	if err == nil {
		return c, nil
	}
	place := filepath.Base(path)
	if wrong := (*toml.Error)(nil); errors.As(err, &wrong) {
		place += fmt.Sprintf(" line %d", wrong.Line)
		if wrong.What == "" {
			return config{}, fmt.Errorf("%s: %q is not known.%s The file was ignored", place, wrong.Key, nearest(wrong.Key))
		}
	} else if at := (*keyError)(nil); errors.As(err, &at) {
		place += fmt.Sprintf(" line %d", doc.Line(at.table, at.key))
	}
	return config{}, fmt.Errorf("%s: %w; the file was ignored", place, err)
}

// nearest names the key that was meant by one that is not known, or the table that
// it belongs to.
func nearest(key string) string {
	last := key[strings.LastIndex(key, ".")+1:]
	switch n := wording.Nearest(last, configKeys); n {
	case "":
		return ""
	case last:
		return fmt.Sprintf(" %s belongs %s.", n, placeOf(n))
	default:
		return " Nearest: " + n + "."
	}
}

// placeOf says where a known key stands in the config.
func placeOf(key string) string {
	of := reflect.TypeFor[config]()
	for i := range of.NumField() {
		table, form := of.Field(i), "under [%s]"
		if table.Type.Kind() == reflect.Slice {
			table.Type, form = table.Type.Elem(), "under [[%s]]"
		}
		for j := 0; table.Type.Kind() == reflect.Struct && j < table.Type.NumField(); j++ {
			if table.Type.Field(j).Tag.Get("toml") == key {
				return fmt.Sprintf(form, table.Tag.Get("toml"))
			}
		}
	}
	return "above the first [table]"
}

var ruleTable = regexp.MustCompile(`(?m)^\s*(\[\[\s*)?rule\b`)

// mayHaveRules reports whether a config that is not understood may hold rules.
func mayHaveRules(path string) bool {
	named := path != ""
	text, err := readSmall(places(session.Where{Config: path}).Config, named)
	return err != nil && !errors.Is(err, fs.ErrNotExist) || ruleTable.Match(text)
}

// defaults are the values that hold for keys that the file leaves out.
func defaults() config {
	yes := true
	c := config{Theme: "16", Width: 72, Counts: &yes, Links: "auto", PlanFor: "opening"}
	c.Net.PerHost, c.Net.HostsAtOnce = 1, 8
	c.Net.MinHostInterval, c.Net.MinPoll = wait(5*time.Second), wait(time.Hour)
	c.Net.MinManual, c.Net.MinRetry, c.Net.SecondFetch = wait(10*time.Minute), wait(time.Hour), wait(5*time.Second)
	return c
}

// settings lists every key of the config, in the order of its struct, with the
// value that holds.
func settings(w session.Where) ([]session.Setting, error) {
	if noConfig(w) {
		return nil, exit.ErrNoConfig
	}
	c, err := readConfig(w.Config)
	if err != nil {
		return nil, err
	}
	return listSettings("", reflect.ValueOf(c), reflect.ValueOf(defaults())), nil
}

// browser is the argv of the browser that the config names.
func browser(w session.Where) ([]string, error) {
	if noConfig(w) {
		return nil, exit.ErrNoConfig
	}
	c, err := readConfig(w.Config)
	return c.Browser, err
}

// files says where enclosures go and what plays them: what the config says, else
// the folder for downloads and mpv, if it is there.
func files(w session.Where) (session.Files, error) {
	c, err := config{}, error(nil)
	if !noConfig(w) {
		c, err = readConfig(w.Config)
	}
	return c.files(w), err
}

func (c *config) files(w session.Where) session.Files {
	f := session.Files{Folder: c.Files, Player: c.Player}
	switch rest, below := strings.CutPrefix(c.Files, "~/"); {
	case below:
		f.Folder = filepath.Join(places(w).Home, rest)
	case c.Files == "" && w.DataDir != "":
		f.Folder = filepath.Join(places(w).Library, "downloads")
	case c.Files == "":
		f.Folder = filepath.Join(xdg.UserDirs.Download, "diurna")
	}
	if len(f.Player) == 0 {
		if mpv, err := exec.LookPath("mpv"); err == nil {
			f.Player = []string{mpv, "--", "%u"}
		}
	}
	return f
}

func listSettings(table string, have, or reflect.Value) []session.Setting {
	var list []session.Setting
	for i := range have.NumField() {
		key, v := have.Type().Field(i).Tag.Get("toml"), have.Field(i)
		if key == "" {
			continue
		}
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct && v.Type().Elem() != reflect.TypeFor[network]() {
			for i := range v.Len() {
				keys := listSettings("["+key+"]", v.Index(i), reflect.Zero(v.Type().Elem()))
				keys = slices.DeleteFunc(keys, func(s session.Setting) bool { return !s.Set })
				keys[0].Begins = true // a query or a host is always there
				list = append(list, keys...)
			}
			continue
		}
		if v.Kind() == reflect.Struct {
			list = append(list, listSettings(key, v, or.Field(i))...)
			continue
		}
		set := !v.IsZero() // a key set to its zero says the same as one left out
		if !set {
			v = or.Field(i)
		}
		list = append(list, session.Setting{Table: table, Key: key, Value: tomlValue(v), Set: set})
	}
	return list
}

// tomlValue writes a value as config.toml takes it.
func tomlValue(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case wait:
		text := max(time.Duration(x), 0).String()
		for _, nothing := range []string{"m0s", "h0m"} { // 1h0m0s is 1h
			if strings.HasSuffix(text, nothing) {
				text = text[:len(text)-2]
			}
		}
		return strconv.Quote(text)
	case *bool:
		return strconv.FormatBool(*x)
	case []network:
		words := make([]string, len(x))
		for i := range x {
			words[i] = netip.Prefix(x[i]).String()
		}
		return toml.List(words)
	case []string:
		return toml.List(x)
	case age:
		return strconv.Quote(string(x))
	case string:
		return strconv.Quote(x)
	}
	return fmt.Sprint(v.Interface())
}

// keyTable lists the keys of the screen as the config and keys.toml have them.
func keyTable(w session.Where) ([]session.Key, error) {
	if noConfig(w) {
		return nil, exit.ErrNoConfig
	}
	a := &app{}
	var err error
	if a.config, err = readConfig(w.Config); err == nil {
		var own []byte
		if own, err = readSmall(keysPath(w.Config), false); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		a.keys = string(own)
	}
	rows, wrong := ui.Keys(a.options(false))
	var list []session.Key
	for _, k := range rows {
		shown := make([]string, len(k.Keys))
		for i := range k.Keys {
			shown[i] = keymap.Label(k.Keys[i])
		}
		list = append(list, session.Key{Place: k.Place, Keys: k.Keys, Shown: strings.Join(shown, " "), Does: k.Does, Yours: k.Yours})
	}
	return list, cmp.Or(err, wrong)
}

// ownTheme reads the theme of a user's own that a name stands for, from the
// folder themes beside config.toml; nil for one that comes with the program.
func ownTheme(name, config string) (*theme.Palette, error) {
	if name == "" || slices.Contains(theme.Names, name) {
		return nil, nil
	}
	dir := filepath.Join(filepath.Dir(config), "themes")
	if filepath.IsLocal(name) && filepath.Base(name) == name {
		text, err := readSmall(filepath.Join(dir, name+".toml"), false)
		if err == nil {
			p, err := theme.Parse(filepath.Join("themes", name+".toml"), text)
			return &p, err
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the theme %q: %w", name, err)
		}
	}
	known := slices.Clone(theme.Names)
	own, _ := os.ReadDir(dir) // without the folder there are those of the program
	for _, f := range own {
		if base, ok := strings.CutSuffix(f.Name(), ".toml"); ok {
			known = append(known, base)
		}
	}
	near := ""
	if n := wording.Nearest(name, known); n != "" {
		near = " Nearest: " + n + "."
	}
	return nil, wrongKey("", "theme", "theme %q is not known.%s There are %s, and files in %s", name, near, strings.Join(known, ", "), short(dir))
}

// keyError is about the value of a key.
type keyError struct {
	table, key string
	error
}

func wrongKey(table, key, format string, args ...any) error {
	return &keyError{table, key, fmt.Errorf(format, args...)}
}

// check refuses values that are of the right kind and still make no sense: with a
// *keyError where it is one key.
func (c *config) check() error {
	for _, w := range [][3]string{{"keymap", c.Keymap, "is newsboat"}, {"hyperlinks", c.Links, "are auto, off"},
		{"plan_for", c.PlanFor, "are opening, both, looks"}} {
		if _, known, _ := strings.Cut(w[2], " "); w[1] != "" && !slices.Contains(strings.Split(known, ", "), w[1]) {
			return wrongKey("", w[0], "%s %q is not known; there %s", w[0], w[1], w[2])
		}
	}
	for _, program := range []struct {
		key  string
		argv []string
	}{{"browser", c.Browser}, {"player", c.Player}} {
		if len(program.argv) > 0 {
			if err := argv.Check(program.argv); err != nil {
				return wrongKey("", program.key, "%s: %w", program.key, err)
			}
		}
	}
	if c.Files != "" && !filepath.IsAbs(c.Files) && !strings.HasPrefix(c.Files, "~/") {
		return wrongKey("", "downloads", "downloads: %q does not begin with / or ~/", c.Files)
	}
	if c.Width != 0 && (c.Width < 20 || c.Width > 1000) {
		return wrongKey("", "width", "width = %d is not a number of columns from 20 to 1000", c.Width)
	}
	for _, of := range []struct {
		key string
		age age
	}{{"text", c.Retention.Text}, {"rows", c.Retention.Rows}} {
		if _, err := of.age.duration(); err != nil {
			return wrongKey("retention", of.key, "[retention] %s: %w", of.key, err)
		}
	}
	if err := rules.CheckAll(c.ruleList(), time.Now()); err != nil {
		return err
	}
	if err := c.hosts().Check(); err != nil {
		return err
	}
	for _, way := range c.Notify {
		if way != "bell" && way != "osc9" {
			return wrongKey("", "notify", "notify %q is not known; there are \"bell\" and \"osc9\"", way)
		}
	}
	return nil
}

// openLog starts the log that --debug asks for; without it nothing is written.
func openLog(on bool, state string) (func() error, error) {
	if !on {
		return func() error { return nil }, nil
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, fmt.Errorf("make the log's folder: %w", err)
	}
	root, err := os.OpenRoot(state) // a link in the log's place leads nowhere else
	if err != nil {
		return nil, fmt.Errorf("open the log's folder: %w", err)
	}
	defer root.Close()
	// A pipe would have us wait for somebody at its other end.
	f, err := root.OpenFile("diurna.log", os.O_WRONLY|os.O_CREATE|os.O_APPEND|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: slog.LevelDebug})))
	slog.Info("start", "version", version, "args", len(os.Args)-1)
	return f.Close, nil
}

func (a *app) options(demo bool) ui.Options {
	c := a.config
	return ui.Options{
		Version: version, DataDir: short(a.dir), Demo: demo, Notice: a.notice, Keys: a.keys, Commands: cli.Commands(), Linear: c.Linear, Err: os.Stderr, Watch: a.watch,
		Config: ui.Config{Theme: c.Theme, Own: c.own, Width: c.Width, NoCounts: c.Counts != nil && !*c.Counts, ASCII: c.ASCII,
			Keymap: c.Keymap, Links: c.Links, Mouse: c.Mouse, Browser: c.Browser, Player: a.files.Player, Downloads: a.files.Folder,
			Bell: slices.Contains(c.Notify, "bell"), Toast: slices.Contains(c.Notify, "osc9")}}
}

// noticed is how changes of pages are reported, as the config of the library that is
// open says.
func (a *app) noticed() term.Notice {
	return term.Notice{Bell: slices.Contains(a.config.Notify, "bell"), Toast: slices.Contains(a.config.Notify, "osc9"), Command: a.config.Command}
}

func (a *app) screen(ctx context.Context, r *reader.Reader, w session.Where) error {
	o := a.options(w.Web != nil)
	if o.Linear = o.Linear || w.Linear; o.Linear {
		a.unhold()
	}
	if !r.Exists() {
		o.Notice = cmp.Or(o.Notice, library.Gone(ctx, r.Maintenance(), a.dir))
		for _, l := range feeds.Lists(xdg.Home) {
			detail := fmt.Sprintf("%s · %s, %s", short(l.Path), wording.Plural(l.Feeds, "feed"), wording.Plural(l.Tags, "tag"))
			if l.Queries > 0 {
				detail += ", " + wording.Plural(l.Queries, "query")
			}
			if l.Cache != "" {
				detail += "\n" + short(l.Cache) + " · what you have read"
			}
			o.Found = append(o.Found, ui.FoundHere{Label: "import " + l.Program, Path: l.Path, Detail: detail})
		}
	}
	f := &fetch.Fetcher{Reader: r, Dir: a.dir, Notice: a.noticed(), Screen: true, Had: r.Exists()}
	if w.NoSync || w.Web != nil {
		f.Dir = "" // thrown away at the end: no backup of it
	}
	o.Shell = cli.NewInside(a.env, r, w)
	stopper := term.NewStopper()
	defer stopper.Close()
	o.Stops, o.Stop, o.Continued, o.Foreground = stopper.Asked, a.stopScreen(stopper), stopper.Continued, term.InForeground
	o.Unhold = a.unhold
	defer a.unhold()
	s := &screenReader{f, a.env.Places(w).Config}
	err := ui.Run(ctx, ui.LibraryOf(r, s, s), o)
	if errors.Is(err, ui.ErrDemo) {
		a.demo, a.flags = true, []string{"--config=" + w.Config, "--linear=" + strconv.FormatBool(w.Linear)}
		return nil
	}
	return cmp.Or(err, f.Lost())
}

// screenReader imports all of a newsboat where its urls file is to be imported.
type screenReader struct {
	*fetch.Fetcher
	config string // where config.toml lies
}

// Import is that of the reader but for newsboat's.
func (s *screenReader) Import(ctx context.Context, doc []byte, o reader.ImportOptions, progress func(reader.Progress)) (reader.ImportReport, error) {
	if rep, there, err := feeds.MoveIn(ctx, s.Reader, xdg.Home, s.config, o.Path, progress); there {
		return rep, err
	}
	return s.Fetcher.Import(ctx, doc, o, progress)
}

func (a *app) frames(ctx context.Context, r *reader.Reader, w io.Writer) error {
	for _, f := range ui.Frames(ctx, ui.LibraryOf(r, r, r), 80, 24, a.options(true)) {
		if _, err := fmt.Fprintf(w, "[%s]\n%s\n", f.Name, strings.TrimRight(f.Text, "\n")); err != nil {
			return err
		}
	}
	return nil
}

// short writes a path below the home folder with a tilde.
func short(path string) string {
	if rest, ok := strings.CutPrefix(path, xdg.Home+string(filepath.Separator)); ok && xdg.Home != "" {
		return filepath.Join("~", rest)
	}
	return path
}
