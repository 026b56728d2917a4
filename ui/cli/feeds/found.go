package feeds

import (
	"os"
	"path/filepath"
	"strings"

	"diurna/ui/cli/session"
)

// A List is a subscription list of another program, found on this machine.
type List struct {
	Program string // "newsboat"
	Path    string
	Feeds   int // lines with an address
	Tags    int // different ones
}

// Lists looks below a home folder where newsboat and its forerunner keep their
// subscription lists. It only reads.
func Lists(home string) []List {
	if home == "" {
		return nil // the current folder's are not meant
	}
	var found []List
	for _, place := range []struct{ program, path string }{
		{"newsboat", ".newsboat/urls"}, {"newsboat", ".config/newsboat/urls"}, {"newsbeuter", ".newsbeuter/urls"},
	} {
		path := filepath.Join(home, filepath.FromSlash(place.path))
		st, err := os.Stat(path)
		if err != nil || !st.Mode().IsRegular() || st.Size() > session.MaxList {
			continue
		}
		doc, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		l := List{Program: place.program, Path: path}
		tags := map[string]bool{}
		for line := range strings.Lines(string(doc)) {
			words := strings.Fields(line)
			if len(words) == 0 || !strings.HasPrefix(words[0], "http") {
				continue
			}
			l.Feeds++
			for _, tag := range words[1:] {
				if title := strings.Trim(tag, `"`); !strings.HasPrefix(title, "~") && title != "!" {
					tags[tag] = true
				}
			}
		}
		l.Tags = len(tags)
		if l.Feeds > 0 {
			found = append(found, l)
		}
	}
	return found
}
