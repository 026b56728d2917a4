package match

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"diurna/reader/feed"
	"diurna/store"
)

// documentOf is a document of items that are given whole.
func documentOf(t *testing.T, items ...string) feed.Document {
	t.Helper()
	doc, err := feed.Parse(feed.Input{URL: "https://x.example/feed",
		Body: []byte(`<rss version="2.0"><channel><title>P</title><item>` + strings.Join(items, "</item><item>") + `</item></channel></rss>`)})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestStormsThatNeverEnd: publishers who change names or dates with every fetch,
// for 90 fetches: no item comes twice, none is unread again, however
// many names they had (store.MostKeys bounds those that are kept).
func TestStormsThatNeverEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("90 fetches of ten publishers")
	}
	day := func(turn, n int) string {
		return time.Date(2026, 1, 1+n, 0, 0, 0, 0, time.UTC).AddDate(0, 0, turn).Format(time.RFC1123Z)
	}
	text := func(n int) string {
		return fmt.Sprintf("<description>What happened in story %d, at a length that tells it from all others.</description>", n)
	}
	for name, item := range map[string]func(turn, n int) string{
		"neither, re-dated": func(turn, n int) string {
			return fmt.Sprintf("<title>Story %d</title><pubDate>%s</pubDate>%s", n, day(turn, n), text(n))
		},
		"two of one title": func(turn, n int) string {
			return fmt.Sprintf("<title>Story</title><pubDate>%s</pubDate>%s", day(turn, n), text(n))
		},
		"a typo mended": func(turn, n int) string {
			return fmt.Sprintf("<title>Story %d%s</title><pubDate>%s</pubDate>%s", n, strings.Repeat("!", min(turn/40, 1)), day(0, n), text(n))
		},
		"no date, text only": func(turn, n int) string { return text(n) },
		"token in the guid": func(turn, n int) string {
			return fmt.Sprintf(`<title>Story %d</title><guid>https://x.example/%d?token=%d</guid><link>https://x.example/%d</link>%s`, n, n, turn, n, text(n))
		},
		"token in guid and link": func(turn, n int) string {
			return fmt.Sprintf(`<title>Story %d</title><guid>https://x.example/%d?token=%d</guid>%s`, n, n, turn, text(n))
		},
		"token and date": func(turn, n int) string {
			return fmt.Sprintf(`<title>Story %d</title><guid>https://x.example/%d?token=%d</guid><pubDate>%s</pubDate>%s`, n, n, turn, day(turn, n), text(n))
		},
		"scheme and host by turns": func(turn, n int) string {
			site := []string{"http://x.example", "https://x.example", "https://cdn.x.example"}[turn%3]
			return fmt.Sprintf(`<title>Story %d</title><guid>%s/%d</guid><link>%s/%d</link>%s`, n, site, n, site, n, text(n))
		},
		"one guid for all, re-dated": func(turn, n int) string {
			return fmt.Sprintf(`<title>Story %d</title><guid isPermaLink="false">x</guid><pubDate>%s</pubDate>%s`, n, day(turn, n), text(n))
		},
		"two versions by turns": func(turn, n int) string {
			return fmt.Sprintf(`<title>Story %d</title><guid isPermaLink="false">v%d-%d</guid><pubDate>%s</pubDate>%s`, n, turn%2, n, day(turn%2, n), text(n))
		},
	} {
		f := newFiler(t, t.TempDir())
		const stories = 6
		for turn := range 90 {
			items := make([]string, stories)
			for i := range items {
				items[i] = item(turn, (i+turn)%stories) // reshuffled too
			}
			if got := f.file(documentOf(t, items...)); turn > 0 && got != 0 {
				t.Fatalf("%s: turn %d brings %d new items", name, turn, got)
			}
			if turn == 0 {
				var ids []store.ItemID
				for _, row := range f.rows() {
					ids = append(ids, row.ID)
				}
				if _, err := f.s.Act(t.Context(), f.now, "test", store.Change{Kind: store.MarkedRead, Items: ids}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, row := range f.rows() {
			if row.Flags&store.FlagRead == 0 {
				t.Errorf("%s: %q is unread again", name, row.Title)
			}
		}
		if len(f.rows()) != stories {
			t.Errorf("%s: %d items of %d stories", name, len(f.rows()), stories)
		}
		f.close()
	}
}
