package match

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/reader/feed"
	"diurna/store/storetest"
)

// collection is where captures of real feeds lie, when they do.
const collection = "../../../shared/data/feeds"

// captures are the real feeds of the collection, by what they are captures of,
// in the order in which they were published.
func captures(t *testing.T) map[string][][]byte {
	t.Helper()
	f, err := os.Open(filepath.Join(collection, "manifest.tsv"))
	if err != nil {
		t.Skip("the collection of real feeds is not here")
	}
	defer f.Close()
	all := map[string][][]byte{}
	version := regexp.MustCompile(`\.[0-9a-f]{10}\.[a-z]+$`)
	for sc := bufio.NewScanner(f); sc.Scan(); {
		c := strings.Split(sc.Text(), "\t")
		if len(c) < 10 || c[9] == "" || c[9] == "publisher" {
			continue
		}
		body, err := os.ReadFile(filepath.Join(collection, c[1]))
		if err != nil {
			t.Fatal(err)
		}
		name := c[1]
		if strings.Contains(c[5], "series") {
			name = version.ReplaceAllString(name, "")
		}
		all[name] = append(all[name], body)
	}
	newest := func(body []byte) (at time.Time) {
		doc, _ := feed.Parse(feed.Input{Body: body}) // without items it is the oldest
		for i := range doc.Items {
			for _, d := range []time.Time{doc.Items[i].Published, doc.Items[i].Updated} {
				if d.After(at) {
					at = d
				}
			}
		}
		return at
	}
	for _, bodies := range all {
		slices.SortStableFunc(bodies, func(a, b []byte) int { return newest(a).Compare(newest(b)) })
	}
	return all
}

// renamings are what publishers do to all items at once.
var renamings = map[string]func(*feed.Entry, int){
	"ids": func(it *feed.Entry, n int) {
		if it.IDRaw != "" {
			it.IDRaw = fmt.Sprintf("v%d:%s", n, it.IDRaw)
		}
	},
	"links": func(it *feed.Entry, _ int) {
		it.Link = strings.Replace(strings.Replace(it.Link, "http://", "https://", 1), "://www.", "://", 1)
	},
	"links and ids": func(it *feed.Entry, n int) {
		it.IDRaw = fmt.Sprintf("https://new.example/%d/%s", n, it.IDRaw)
		it.Link = "https://new.example/" + it.Link
	},
	"dates": func(it *feed.Entry, n int) {
		it.PublishedRaw = fmt.Sprint("day ", n)
		if !it.Published.IsZero() {
			it.Published = it.Published.AddDate(0, 0, n)
		}
	},
}

// TestSeries replays the series of the collection: an item that came before is
// never new again and never reverts. Then every capture is taken in once more
// under other ids, links and dates: nothing of it is new.
func TestSeries(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of documents are filed, by one goroutine")
	}
	steps, renamed, empty, adds := 0, 0, 0, map[string]int{}
	checked := map[string]int{}
	for name, bodies := range captures(t) {
		if len(bodies) == 1 && len(name)%storetest.Size(8, 4) != 0 && os.Getenv("DIURNA_CORPUS") != "all" {
			continue // an eighth of the single captures will do, or a quarter
		}
		f := newFiler(t, t.TempDir())
		var last feed.Document
		seen := map[string]bool{}
		for _, body := range bodies {
			doc, err := feed.Parse(feed.Input{Body: body, URL: "https://x.example/feed", Now: f.now})
			if err != nil {
				continue
			}
			fresh, known := 0, map[string]bool{}
			for i := range doc.Items {
				// An independent count: by id where there is one of its own, else
				// by all it is called.
				it := &doc.Items[i]
				id := it.IDRaw
				if id == "" || it.IdentityLevel > 0 {
					id = it.IDRaw + "|" + it.Identity().Link + "|" + it.Title
				}
				if !seen[id] && !known[id] {
					fresh++
				}
				known[id] = true
			}
			flags := f.mark()
			if got := f.file(doc); len(bodies) > 1 && got > fresh {
				t.Errorf("%s: %d new items, %d new ids", name, got, fresh)
			}
			if msg := f.reverted(flags); msg != "" {
				t.Errorf("%s: %s", name, msg)
			}
			for id := range known {
				seen[id] = true
			}
			last = doc
			steps++
		}
		if len(last.Items) >= 3 {
			flags := f.mark()
			for _, what := range []string{"links and ids", "links", "dates", "ids"} {
				change := renamings[what]
				for n := 1; n < 3; n++ {
					var items []feed.Entry
					for _, it := range last.Items {
						if textKey(it.Title, it.ContentHTML) == 0 && (it.IdentityLevel > 1 || what == "links and ids") {
							empty++ // nothing is left by which anybody could know it
							continue
						}
						change(&it, n)
						items = append(items, it)
					}
					doc := last
					doc.Items = items
					checked[what]++
					if got := f.file(doc); got != 0 {
						adds[what]++
						row := f.rows()[0]
						for _, r := range f.rows() {
							if uint32(r.ID) > uint32(row.ID) {
								row = r
							}
						}
						t.Logf("%s: other %s make %d of %d items new: %q", name, what, got, len(items), row.Title)
					}
					renamed++
				}
			}
			if msg := f.reverted(flags); msg != "" {
				t.Errorf("%s: %s", name, msg)
			}
		}
		f.close()
	}
	t.Logf("%d documents replayed, %d bulk renames; with new items: %v of %v; %d items without any name or text left out", steps, renamed, adds, checked, empty)
	for what, n := range adds {
		if n > 0 {
			t.Errorf("other %s: new items in %d of %d", what, n, checked[what])
		}
	}
}
