package match

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestSameWordsAgain: a post in the words of the last one, with id, link and date
// of its own, is another post; a publisher that renames what it published tells
// nothing new.
func TestSameWordsAgain(t *testing.T) {
	text := "<description>" + strings.Repeat("Dial in at ten, bring your questions and a cup of tea. ", 15) + "</description>"
	day := func(n int) string { return time.Date(2026, 2, 6+7*n, 9, 0, 0, 0, time.UTC).Format(time.RFC1123Z) }
	call := func(n int) string {
		return fmt.Sprintf(`<title>Weekly call for the helpers</title><guid isPermaLink="false">call-%d</guid><link>https://x.example/call/%d</link><pubDate>%s</pubDate>%s`, n, n, day(n), text)
	}
	post := func(name string, n, date int) string {
		return fmt.Sprintf(`<title>Story %d</title><guid isPermaLink="false">%s-%d</guid><link>https://x.example/%s/%d</link><pubDate>%s</pubDate>`, n, name, n, name, n, day(date)) +
			strings.Replace(text, "Dial", fmt.Sprintf("Story %d: dial", n), 1)
	}
	one := func(name, host, query string, date int) string {
		return fmt.Sprintf(`<title>The call</title><guid isPermaLink="false">%s</guid><link>%s/call%s</link><pubDate>%s</pubDate>%s`, name, host, query, day(date), text)
	}
	for name, c := range map[string]struct {
		turns [][]string
		want  []int
	}{
		"one a week":                {[][]string{{call(1)}, {call(2)}, {call(3)}, {call(3)}}, []int{1, 1, 1, 0}},
		"the last two":              {[][]string{{call(2), call(1)}, {call(4), call(3)}, {call(5), call(4)}}, []int{2, 2, 1}},
		"the last three":            {[][]string{{call(3), call(2), call(1)}, {call(6), call(5), call(4)}}, []int{3, 3}},
		"renamed, old dates":        {[][]string{{post("a", 1, 1), post("a", 2, 2)}, {post("b", 1, 1), post("b", 2, 2)}}, []int{2, 0}},
		"renamed, one date":         {[][]string{{post("a", 1, 1), post("a", 2, 2)}, {post("b", 1, 9), post("b", 2, 9)}}, []int{2, 0}},
		"renamed, three":            {[][]string{{post("a", 1, 1), post("a", 2, 2), post("a", 3, 3)}, {post("b", 1, 8), post("b", 2, 9), post("b", 3, 9)}}, []int{3, 0}},
		"one, host and query moved": {[][]string{{one("a", "http://x.example", "?s=1", 1)}, {one("b", "https://y.example", "?s=2", 2)}}, []int{1, 0}},
		"one, the old date":         {[][]string{{post("a", 1, 1)}, {post("b", 1, 1)}}, []int{1, 0}},
	} {
		f := newFiler(t, t.TempDir())
		for turn, items := range c.turns {
			if got := f.file(documentOf(t, items...)); got != c.want[turn] {
				t.Errorf("%s: turn %d brings %d new items, want %d", name, turn, got, c.want[turn])
			}
		}
		f.close()
	}
}

// TestOneTitleEveryWeek: the same title every week is another post each time.
func TestOneTitleEveryWeek(t *testing.T) {
	f := newFiler(t, t.TempDir())
	defer f.close()
	for turn := range 3 {
		at := f.now.AddDate(0, 0, 7*turn).Format(time.RFC1123Z)
		if got := f.file(documentOf(t, "<title>Market</title><pubDate>"+at+"</pubDate>")); got != 1 {
			t.Errorf("week %d: %d new items", turn, got)
		}
	}
}
