package newsboat

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"diurna/reader/opml"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/reader/rules"
)

// What a config may include.
const (
	maxIncludes = 64
	maxNested   = 10
	maxLines    = 100_000
)

// Line is a line of one of newsboat's files.
type Line struct {
	File string // its path
	No   int
	Text string // made plain, without secrets
	Why  string // why it is not taken; "": it is
}

// String is the line as a report has it.
func (l *Line) String() string {
	s := fmt.Sprintf("%s line %d: %s", filepath.Base(l.File), l.No, l.Text)
	if l.Why != "" {
		s += ": " + l.Why
	}
	return s
}

// Command is a line about keys: its words, and where it stands.
type Command struct {
	Words []string
	Line  Line
}

// Config is what of newsboat's config has a counterpart, and what has none.
type Config struct {
	Ignored  []Ignored
	Keys     []Command // bind-key, bind, unbind-key and macro lines
	NotTaken []Line
	Lines    int // that say anything

	atDisplay bool   // ignored articles are in the cache, but not shown
	cache     string // cache-file
	files     int
	open      map[string]bool // being read
}

// Ignored is an ignore-article line in diurna's language.
type Ignored struct {
	Query string
	Line  Line
}

// readConfig reads a config and what it includes. What cannot be read is among NotTaken.
func readConfig(path string) Config {
	c := Config{open: map[string]bool{}}
	c.file(path, Line{File: path}, 0)
	return c
}

// file reads one file, which the line at includes.
func (c *Config) file(path string, at Line, depth int) {
	refuse := func(why string) {
		at.Why = why
		c.NotTaken = append(c.NotTaken, at)
	}
	switch {
	case c.open[path]:
		refuse("the file includes itself")
		return
	case depth > maxNested || c.files >= maxIncludes:
		refuse("too many files are included")
		return
	}
	doc, err := read(path, 1<<20)
	if err != nil {
		refuse("the file cannot be read: " + plain.Line(err.Error(), 200))
		return
	}
	c.files++
	c.open[path] = true
	defer delete(c.open, path)
	var long string // of lines that end in a backslash
	first, no := 0, 0
	take := func(line string) {
		line, long = strings.ToValidUTF8(long+line, "�"), ""
		c.line(line, Line{File: path, No: first, Text: plain.Redact(plain.Line(line, 200))}, depth)
	}
	for raw := range bytes.Lines(doc) {
		if no++; no > maxLines {
			refuse("the file has too many lines")
			return
		}
		if long == "" {
			first = no
		}
		line := strings.TrimRight(string(raw), "\r\n")
		if rest, ok := strings.CutSuffix(line, `\`); ok && len(long) < 1<<16 {
			long += rest
			continue
		}
		take(line)
	}
	if long != "" { // the last line ends in a backslash
		take("")
	}
}

// line takes in one line.
func (c *Config) line(text string, at Line, depth int) {
	words := opml.Words(text)
	if len(words) == 0 {
		return
	}
	c.Lines++
	refuse := func(why string) {
		at.Why = why
		c.NotTaken = append(c.NotTaken, at)
	}
	if strings.Contains(text, "`") {
		refuse("it uses the output of a program, and diurna runs no programs from newsboat's config")
		return
	}
	switch words[0] {
	case "include":
		if len(words) != 2 {
			refuse("include needs a file")
			return
		}
		c.file(homed(words[1], filepath.Dir(at.File)), at, depth+1)
	case "ignore-article":
		q, err := ignored(words)
		if err != nil {
			refuse(plain.Line(err.Error(), 300))
			return
		}
		c.Ignored = append(c.Ignored, Ignored{q, at})
	case "bind-key", "bind", "unbind-key", "macro":
		c.Keys = append(c.Keys, Command{words, at})
	case "ignore-mode":
		c.atDisplay = len(words) == 2 && words[1] == "display"
	case "cache-file":
		if len(words) == 2 {
			c.cache = words[1]
		}
	default:
		refuse(whyNot(words[0]))
	}
}

// ignored is an ignore-article line as a query.
func ignored(words []string) (string, error) {
	if len(words) != 3 {
		return "", fmt.Errorf("ignore-article needs a feed and a condition")
	}
	expr := words[2]
	switch of := words[1]; {
	case of == "*":
	case strings.HasPrefix(of, "regex:"):
		expr = "rssurl =~ " + quoted(strings.TrimPrefix(of, "regex:")) + " and (" + expr + ")"
	default:
		expr = "rssurl = " + quoted(of) + " and (" + expr + ")"
	}
	q, err := query.TranslateNewsboat(expr, time.Now())
	if err == nil {
		err = rules.Checked(q)
	}
	if err != nil {
		return "", err
	}
	return q.Canonical(), nil
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// homed is a path of a config that stands in dir.
func homed(path, dir string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, _ := os.UserHomeDir()
		return filepath.Join(home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path)
}

// cachePath is the cache that the config names, "" for the usual one.
func (c *Config) cachePath(dir string) string {
	if c.cache == "" {
		return ""
	}
	return homed(c.cache, dir)
}

// whyNot says what there is in place of a setting of newsboat.
func whyNot(setting string) string {
	for _, w := range []struct{ prefix, why string }{
		{"browser", "set browser in config.toml"},
		{"html-renderer", "diurna renders articles itself"},
		{"pager", "diurna shows articles itself; | pipes one to a program"},
		{"editor", "diurna uses $VISUAL or $EDITOR"},
		{"bookmark", "| pipes an article to a program, and a macro in keys.toml can do it with one key"},
		{"color", "see docs/themes.md: theme in config.toml"},
		{"highlight", "see docs/themes.md: theme in config.toml"},
		{"reload", "diurna plans its fetches itself; see diurna plan"},
		{"auto-reload", "diurna plans its fetches itself; see diurna plan"},
		{"refresh-on-startup", "diurna plans its fetches itself; see diurna plan"},
		{"notify", "set notify in config.toml"},
		{"proxy", "set the variables http_proxy, https_proxy and no_proxy"},
		{"use-proxy", "set the variables http_proxy, https_proxy and no_proxy"},
		{"keep-articles-days", "set text in config.toml under [retention]"},
		{"max-items", "diurna keeps all items"},
		{"download-path", "set downloads in config.toml; see diurna queue"},
		{"download-filename", "diurna names downloaded files itself; see diurna queue"},
		{"download", "diurna fetches politely by itself; see [net] in config.toml"},
		{"player", "set player in config.toml"},
		{"podcast-auto-enqueue", "a rule with tag queue does it; see diurna queue"},
		{"max-downloads", "diurna queue run downloads one file after the other"},
		{"delete-played-files", "diurna keeps downloaded files"},
		{"urls-source", "diurna reads feeds itself and no server of others"},
	} {
		if strings.HasPrefix(setting, w.prefix) {
			return w.why
		}
	}
	return "no counterpart"
}

func filledLines(doc []byte) int {
	n := 0
	for l := range bytes.Lines(doc) {
		if len(bytes.TrimSpace(l)) > 0 {
			n++
		}
	}
	return n
}
