package stories

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"diurna/store"
)

// labelled are items with the number of their story.
type labelled struct {
	items []Item
	story map[store.ItemID]int
}

// readLabelled reads a file of testdata.
func readLabelled(t testing.TB, name string) labelled {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, feeds, alone, story := labelled{story: map[store.ItemID]int{}}, map[string]store.FeedID{}, false, 0
	counts := map[store.FeedID]uint32{}
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case line == "story" || line == "alone":
			alone = line == "alone"
			story++
		default:
			p := strings.Split(line, " | ")
			var day, hour, minute int
			if _, err := fmt.Sscanf(p[1], "%d %d:%d", &day, &hour, &minute); err != nil || len(p) != 4 {
				t.Fatalf("%s: %q: %v", name, line, err)
			}
			if feeds[p[0]] == 0 {
				feeds[p[0]] = store.FeedID(len(feeds) + 1)
			}
			feed := feeds[p[0]]
			counts[feed]++
			id := store.MakeItemID(feed, counts[feed])
			if alone {
				story++
			}
			out.story[id] = story
			out.items = append(out.items, Item{ID: id, At: 1_790_000_000/daySeconds*daySeconds + int64(day)*daySeconds + int64(hour*3600+minute*60),
				Link: fmt.Sprintf("https://f%d.example/%d", feed, counts[feed]), Title: p[2], Text: p[3]})
		}
	}
	return out
}

// inOrder are the items as they came.
func (l *labelled) inOrder() []Item {
	items := append([]Item(nil), l.items...)
	sortItems(items)
	return items
}

// measured says how good groups are: the share of pairs said to tell one story that do, and
// B-cubed F1 (Bagga and Baldwin 1998) over the items that stand in a group of two and more,
// said or written.
type measured struct {
	pairs, wrong              int
	precision, bp, br, bcubed float64
}

func (l *labelled) measure(t testing.TB, g *Groups, tell bool) (m measured) {
	t.Helper()
	title := map[store.ItemID]string{}
	for _, it := range l.items {
		title[it.ID] = it.Title
	}
	size := map[int]int{}
	for _, s := range l.story {
		size[s]++
	}
	var p, r float64
	np, nr := 0, 0
	for i, it := range l.items {
		said := g.Of(it.ID)
		right := 0
		for _, o := range said {
			if l.story[o.ID] == l.story[it.ID] {
				right++
			}
		}
		if len(said) > 1 {
			p += float64(right) / float64(len(said))
			np++
		}
		if size[l.story[it.ID]] > 1 {
			r += max(float64(right), 1) / float64(size[l.story[it.ID]])
			nr++
		}
		for _, o := range l.items[:i] {
			one := g.Number(it.ID) >= 0 && g.Number(it.ID) == g.Number(o.ID)
			if one {
				m.pairs++
			}
			switch is := l.story[it.ID] == l.story[o.ID]; {
			case one && !is:
				m.wrong++
				if !tell {
					break
				}
				t.Logf("said to be one story:\n  %s\n  %s", title[it.ID], title[o.ID])
			case is && !one && tell:
				t.Logf("not found to be one story:\n  %s\n  %s", title[it.ID], title[o.ID])
			}
		}
	}
	m.bp, m.br = p/float64(max(np, 1)), r/float64(max(nr, 1))
	m.precision, m.bcubed = 1-float64(m.wrong)/float64(max(m.pairs, 1)), 2*m.bp*m.br/(m.bp+m.br)
	return m
}

func group(t testing.TB, items []Item) *Groups {
	t.Helper()
	g, err := NewGrouper(func(string) ([]byte, error) { return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
	for i := range items {
		if err := g.Add(&items[i], false); err != nil {
			t.Fatal(err)
		}
	}
	return g.Groups()
}

// TestStories measures by items that were labelled by hand which are taken for one story.
func TestStories(t *testing.T) {
	for _, file := range []string{"tune.txt", "aside.txt", "aside2.txt"} {
		l := readLabelled(t, file)
		m := l.measure(t, group(t, l.inOrder()), file == "tune.txt")
		t.Logf("%s: %d items; of %d pairs said to tell one story %d do not: precision %.3f; B-cubed precision %.3f, recall %.3f, F1 %.3f",
			file, len(l.items), m.pairs, m.wrong, m.precision, m.bp, m.br, m.bcubed)
		if m.precision < .99 || m.bcubed < .80 {
			t.Errorf("%s: precision %.3f and F1 %.3f, want .99 and .80", file, m.precision, m.bcubed)
		}
	}
}
