package feeds

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/newsboat"
	"diurna/ui/cli/session"
)

// A List is a subscription list of another program, found on this machine.
type List struct {
	Program string // "newsboat"
	Path    string
	Feeds   int    // lines with an address
	Tags    int    // different ones
	Queries int    // query feeds
	Cache   string // what was read there; "": nothing says so
}

// findNewsboat looks in the usual places below a home folder.
func findNewsboat(home string) (newsboat.Folder, bool) {
	return newsboat.Find(home, os.Getenv("XDG_CONFIG_HOME"), os.Getenv("XDG_DATA_HOME"))
}

// Lists looks below a home folder where newsboat and its forerunner keep their
// subscription lists. It only reads.
func Lists(home string) []List {
	if home == "" {
		return nil // the current folder's are not meant
	}
	f, _ := findNewsboat(home)
	var found []List
	for _, l := range []List{{Program: "newsboat", Path: f.URLs, Cache: f.Cache}, {Program: "newsbeuter", Path: filepath.Join(home, ".newsbeuter", "urls")}} {
		st, err := os.Stat(l.Path)
		if err != nil || !st.Mode().IsRegular() || st.Size() > session.MaxList {
			continue
		}
		doc, err := os.ReadFile(l.Path)
		if err != nil {
			continue
		}
		if l.count(string(doc)); l.Feeds > 0 {
			found = append(found, l)
		}
	}
	return found
}

func (l *List) count(doc string) {
	tags := map[string]bool{}
	for line := range strings.Lines(doc) {
		var words []string
		for i, part := range strings.Split(line, `"`) { // every second part stands in quotes
			if i%2 == 0 {
				words = append(words, strings.Fields(part)...)
			} else {
				words = append(words, part)
			}
		}
		if len(words) > 0 && strings.HasPrefix(words[0], "query:") {
			l.Queries++
		}
		if len(words) == 0 || !strings.HasPrefix(words[0], "http") {
			continue
		}
		l.Feeds++
		for _, tag := range words[1:] {
			if !strings.HasPrefix(tag, "~") && tag != "!" {
				tags[tag] = true
			}
		}
	}
	l.Tags = len(tags)
}

// MoveIn imports the newsboat of a home folder if path is its urls file, as import does.
// config is where config.toml lies.
func MoveIn(ctx context.Context, lib *reader.Reader, home, config, path string, progress func(reader.Progress)) (rep reader.ImportReport, there bool, err error) {
	f, ok := findNewsboat(home)
	if !ok || f.URLs != path {
		return rep, false, nil
	}
	setup, err := newsboat.Read(f)
	if err != nil {
		return rep, true, cacheError(err, &f, "")
	}
	defer setup.Close()
	all, err := reader.NewsboatMover(lib).Import(ctx, setup, reader.ImportOptions{Name: importName}, time.Now(), nil)
	keys, _ := keysOf(all.Keys)
	_, _, kerr := keepKeys(keys.Text(), config, false)
	if err = cmp.Or(err, kerr); err == nil && len(all.List.Added) > 0 {
		_, err = lib.Fetch(ctx, reader.FetchRequest{Feeds: all.List.Added}, progress)
	}
	return all.List, true, err
}

// importName is what the step of a whole import is called.
const importName = "import of newsboat"
