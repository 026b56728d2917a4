package feeds

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/reader"
	"diurna/reader/newsboat"
	"diurna/reader/wording"
	"diurna/ui/cells"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

func TestPreviewWords(t *testing.T) {
	articles := func(n, words int, newest time.Time, apart time.Duration) []reader.Article {
		var list []reader.Article
		for i := range n {
			list = append(list, reader.Article{Item: reader.Item{Title: "x", Words: words, Published: newest.Add(-time.Duration(i) * apart)}})
		}
		return list
	}
	for _, c := range []struct {
		articles []reader.Article
		want     string
	}{
		{nil, "RSS 2.0, 0 items"},
		{articles(20, 300, friday, 12*time.Hour), "RSS 2.0, 20 items, 10-20 Nov, about 2 a day, full text"},
		{articles(3, 20, friday, 7*24*time.Hour), "RSS 2.0, 3 items, 6-20 Nov, about 1 a week"},
		{articles(2, 20, friday, 60*24*time.Hour), "RSS 2.0, 2 items, 21 Sep - 20 Nov, about 6 a year"},
		{articles(1, 20, friday, 0), "RSS 2.0, 1 item, 20 Nov"},
		{articles(2, 20, friday, 365*24*time.Hour), "RSS 2.0, 2 items, 2025-11-20 - 20 Nov, about 1 a year"},
	} {
		p := reader.Preview{Feed: reader.Feed{Format: "RSS 2.0"}, Articles: c.articles}
		if got := previewFormat(&p, wording.Clock{Now: friday}); got != c.want {
			t.Errorf("previewFormat = %q, want %q", got, c.want)
		}
	}
	for _, c := range []struct {
		p    reader.Preview
		want string
	}{
		{reader.Preview{}, ""},
		{reader.Preview{Named: true}, " (named by the page)"},
		{reader.Preview{Named: true, Others: []reader.Candidate{{Title: "Comments"}, {URL: "https://a.example/b"}}}, " (named by the page; there is also: Comments, https://a.example/b)"},
	} {
		if got := named(&c.p); got != c.want {
			t.Errorf("named = %q, want %q", got, c.want)
		}
	}
}

// The lists of other programs are found below a home, and only read.
func TestLists(t *testing.T) {
	home := t.TempDir()
	if got := Lists(home); got != nil {
		t.Errorf("in an empty home: %v", got)
	}
	path := filepath.Join(home, ".newsboat", "urls")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	const urls = "# mine\nhttps://a.example/f kernel \"~A quiet title\" \"low level\"\n\nhttp://b.example/f kernel sea\nexec:~/x.sh\nquery:Q:unread = \"yes\"\n"
	if err := os.WriteFile(path, []byte(urls), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []List{{Program: "newsboat", Path: path, Feeds: 2, Tags: 3, Queries: 1}}
	if got := Lists(home); !slices.Equal(got, want) {
		t.Errorf("Lists = %v, want %v", got, want)
	}
	// A list of one feed is a list; one of none is not.
	path = filepath.Join(home, ".newsbeuter", "urls")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for text, feeds := range map[string]int{"https://a.example/f\n": 1, "# none\n": 0} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		all := want
		if feeds > 0 {
			all = append(all[:1:1], List{Program: "newsbeuter", Path: path, Feeds: feeds})
		}
		if got := Lists(home); !slices.Equal(got, all) {
			t.Errorf("%q: Lists = %v, want %v", text, got, all)
		}
	}
}

// A table is never wider than the terminal, whatever the names are made of.
func TestTableFits(t *testing.T) {
	feeds := []reader.Feed{
		{Key: 1, Title: "Harbour Gazette", Folder: "sea", Unread: 40, State: reader.FeedOK},
		{Key: 2, Title: strings.Repeat("港の便り", 20), Unread: 1234, State: reader.FeedFailing, Error: "404 not found", Since: friday},
		{Key: 3, Title: "tab\tand\nline\x1b[31m", State: reader.FeedMoved, Error: "moved, waits for you"},
	}
	for _, w := range []int{5, 20, 40, 72, 80, 120, 200} {
		for line := range strings.Lines(printed(w, false, feeds)) {
			line = strings.TrimSuffix(line, "\n")
			if cells.Width(line) > w {
				t.Errorf("%d columns: %d cells in %q", w, cells.Width(line), line)
			}
			if strings.ContainsAny(line, "\t\x1b") {
				t.Errorf("%d columns: not plain: %q", w, line)
			}
		}
	}
	if got := printed(40, false, feeds[:1]); !strings.Contains(got, "sea/Harbour Gaz") || strings.Contains(got, "NEXT") {
		t.Errorf("40 columns spare the wrong ones:\n%s", got)
	}
	got := printed(80, false, feeds[:1])
	if !strings.HasPrefix(got, "ID") || !strings.Contains(got, "sea/Harbour Gazette") || strings.Count(got, "\n") != 2 {
		t.Errorf("a table of one feed:\n%s", got)
	}
}

func printed(width int, asJSON bool, feeds []reader.Feed) string {
	var b bytes.Buffer
	s := session.New(session.Env{Out: &b, Width: width})
	s.JSON = asJSON
	if err := session.Print(s, table.Feeds, feeds); err != nil {
		return err.Error()
	}
	s.Out.Flush()
	return b.String()
}

// In a pipe each line has the columns that the help promises, in that order.
func TestTabs(t *testing.T) {
	got := strings.Split(strings.TrimSuffix(printed(0, false, []reader.Feed{{Key: 1, URL: "https://a.example/f", Title: "a\tb\nc", Tags: []string{"x", "y"}, State: reader.FeedOK}}), "\n"), "\t")
	want := []string{reader.FeedID(1).String(), "https://a.example/f", "a b c", "", "x,y", "0", "0", "", "", "", "ok", "", ""}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("tabs: %q, want %q", got, want)
	}
	if got := table.Names(table.Feeds); got != "id url title folder tags unread saved last_post last_fetch next_fetch state since error" {
		t.Errorf("feed columns: %s", got)
	}
}

var friday = time.Date(2026, 11, 20, 10, 49, 0, 0, time.FixedZone("", 3600))

// What to do about a newsboat that runs names the folder that was asked for.
func TestRunningHint(t *testing.T) {
	for dir, want := range map[string]string{"": "diurna import", "old boat": "diurna import --newsboat 'old boat'"} {
		_, hint := exit.Sentence(cacheError(newsboat.ErrRunning, &newsboat.Folder{}, dir))
		if !strings.HasSuffix(hint, "then: "+want) {
			t.Errorf("%q: %s", dir, hint)
		}
	}
}
