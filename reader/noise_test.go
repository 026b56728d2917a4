package reader

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// editing serves a feed of items by turns: text says what item n holds at each.
// All are read before each fetch. It returns how many are unread after each.
func editing(t *testing.T, items int, step time.Duration, texts ...func(n int) string) []int {
	t.Helper()
	const address = "https://press.example/feed.xml"
	web := newFakeWeb()
	r := newLibrary(t, web)
	date := ago(time.Hour)
	var unread []int
	for turn, text := range texts {
		var all []string
		for n := range items {
			all = append(all, fmt.Sprintf("%d|Story %c|%s|%s", n, 'A'+n, date, text(n)))
		}
		web.serve(address, "application/rss+xml", rssOf("Press", all...))
		if turn == 0 {
			add(t, r, address, SubscribeOptions{AllUnread: true})
		} else {
			rep, err := later(r, time.Duration(turn)*step).Fetch(t.Context(), FetchRequest{All: true}, nil)
			if err != nil || rep.New != 0 || len(rep.Results) != 1 || rep.Results[0].Outcome != OutcomeEdited {
				t.Fatalf("turn %d: %+v, %v", turn, rep, err)
			}
			rows, _ := r.Rows(t.Context(), mustQuery(t, "unread"), 0)
			unread = append(unread, len(rows))
			rows, _ = r.Rows(t.Context(), Query{}, 0)
			seen := 0
			for _, row := range rows {
				if e, err := r.ItemChange(t.Context(), row.ID, 0); err == nil && e.Of > 0 && e.Item.Changed {
					seen++
				}
			}
			if seen == 0 || seen < rep.Results[0].Edited {
				t.Fatalf("turn %d: %d of %d edits are marked and kept", turn, seen, rep.Results[0].Edited)
			}
		}
		rows, err := r.Rows(t.Context(), Query{}, 0)
		if err != nil || len(rows) != items {
			t.Fatalf("turn %d: %d items, %v", turn, len(rows), err)
		}
		var ids []ItemID
		for _, row := range rows {
			ids = append(ids, row.ID)
		}
		if _, err := r.Mark(t.Context(), MarkRead, "Press", ids, ""); err != nil {
			t.Fatal(err)
		}
	}
	return unread
}

// pierText is a text of its own for item n, with more at its end.
func pierText(n int, add string) string {
	return fmt.Sprintf("&lt;p&gt;Of the %c pier %s&lt;/p&gt;%s", 'A'+n, strings.Repeat("it is told that boats come and go with the tide. ", 14), add)
}

func para(format string, a ...any) string {
	return "&lt;p&gt;" + fmt.Sprintf(format, a...) + "&lt;/p&gt;"
}

// TestEditsByMachines: what a publisher's program puts into the texts makes
// nothing unread, while what somebody wrote beside it does.
func TestEditsByMachines(t *testing.T) {
	counter := func(turn int) func(int) string {
		return func(n int) string { return pierText(n, para("%d comments, %d views", turn+n, 340*(n+1)+17*turn)) }
	}
	popular := []string{"The lighthouse is painted anew", "Why gulls steal chips from tourists", "Harbour master retires after decades"}
	for _, c := range []struct {
		name  string
		items int
		texts []func(int) string
		want  []int
	}{
		{"counters in all", 5, []func(int) string{counter(1), counter(2), counter(3)}, []int{0, 0}},
		{"counter in one", 5, []func(int) string{counter(1), func(n int) string { return counter(1 + max(0, n-3))(n) }}, []int{0}},
		{"one comment", 1, []func(int) string{
			func(n int) string { return pierText(n, para("1 comment")) },
			func(n int) string { return pierText(n, para("2 comments")) }}, []int{0}},
		{"a price", 1, []func(int) string{
			func(n int) string { return pierText(n, para("A ticket: €12")) },
			func(n int) string { return pierText(n, para("A ticket: €14")) }}, []int{1}},
		{"most read in three of eight", 8, []func(int) string{
			func(n int) string { return pierText(n, para("%s", popular[0])) },
			func(n int) string { return pierText(n, para("%s", popular[max(0, min(n-4, 1))])) }}, []int{0}},
		{"most read, and one real edit", 8, []func(int) string{
			func(n int) string { return pierText(n, para("%s", popular[0])) },
			func(n int) string {
				if n == 5 {
					return pierText(n, para("Correction: nobody was hurt when both ferries met")+para("%s", popular[1]))
				}
				return pierText(n, para("%s", popular[max(0, min(n-4, 1))]))
			}}, []int{1}},
		{"summary, then the whole", 4, []func(int) string{
			func(n int) string { return para("What pier %c says", 'A'+n) },
			func(n int) string { return pierText(n, strings.Repeat(string(rune('a'+n)), 9)) }}, []int{0}},
		{"two real edits of five", 5, []func(int) string{
			func(n int) string { return pierText(n, "") },
			func(n int) string {
				return pierText(n, []string{para("Correction: nobody was hurt when ferries met"), para("Later today she resigned from office"), "", "", ""}[n])
			}}, []int{2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := editing(t, c.items, 25*time.Hour, c.texts...); !slices.Equal(got, c.want) {
				t.Errorf("unread after each fetch: %v, want %v", got, c.want)
			}
		})
	}
}

// TestEditsOverAndOver: one item that is rewritten with every fetch is unread
// again once a day, three times in all.
func TestEditsOverAndOver(t *testing.T) {
	var texts []func(int) string
	for turn := range 14 {
		texts = append(texts, func(n int) string {
			words := ""
			for i := range 8 {
				words += fmt.Sprintf("w%cx%c ", 'a'+turn, 'a'+i)
			}
			return pierText(n, para("%s", words))
		})
	}
	got := editing(t, 1, 8*time.Hour, texts...)
	if want := []int{1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("unread after each fetch: %v, want %v", got, want)
	}
}
