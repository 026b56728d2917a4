package query

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"diurna/reader/model"
	"diurna/store"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func row(title, author string, age time.Duration, flags store.Flags, tags ...string) *store.Row {
	return &store.Row{ID: store.MakeItemID(1, 41), Title: title, Author: author, At: noon.Add(-age).Unix(), Flags: flags, Tags: tags}
}

func TestQueryMatches(t *testing.T) {
	harbour := &model.Feed{Key: 1, Title: "Harbour Gazette", Folder: "sea/news", Tags: []string{"local"}}
	day := 24 * time.Hour
	ferry := row("Ferry 3 out of service until Monday", "Ann Quay", 2*time.Hour, 0, "later")
	read := row("Über das Meer", "", 9*day, store.FlagRead|store.FlagSaved)
	for _, c := range []struct {
		query string
		row   *store.Row
		want  bool
	}{
		{"", ferry, true},
		{"ferry", ferry, true},
		{"FERRY monday", ferry, true},
		{"ferry tuesday", ferry, false},
		{`"out of service"`, ferry, true},
		{`"service out"`, ferry, false},
		{"gazette", ferry, true}, // the feed's title
		{"quay", ferry, true},    // the author
		{"-ferry", ferry, false},
		{`-"until monday"`, ferry, false},
		{"unread", ferry, true}, {"-unread", ferry, false}, {"read", ferry, false},
		{"read saved", read, true}, {"unread saved", read, false},
		{"über", read, true}, {"ÜBER", read, true},
		{"changed", ferry, false},
		{"today", ferry, true}, {"today", read, false},
		{"newer:1d", ferry, true}, {"newer:1h", ferry, false}, {"older:1w", read, true}, {"older:1w", ferry, false},
		{"newer:2026-11-20", ferry, true}, {"older:2026-11-12", read, true},
		{"feed:harbour", ferry, true}, {"feed:kernel", ferry, false}, {`feed:"harbour gaz"`, ferry, true},
		{"folder:sea", ferry, true}, {"folder:news", ferry, true}, {"folder:sea/news", ferry, true}, {"folder:se", ferry, false},
		{"#later", ferry, true}, {"#local", ferry, true}, {"#other", ferry, false}, {"-#later", ferry, false}, {"tag:later", ferry, true},
		{ferry.ID.String(), ferry, true}, {store.MakeItemID(1, 40).String(), ferry, false},
		{store.MakeItemID(1, 40).String() + " " + ferry.ID.String(), ferry, true}, // ids are any of them
		{"note:well", row("Note: well, note:well", "", 0, 0), true},
	} {
		q, err := Parse(c.query, noon)
		if err != nil {
			t.Errorf("%q: %v", c.query, err)
			continue
		}
		if got := q.Match(c.row, harbour); got != c.want {
			t.Errorf("%q fits %q: %v, want %v", c.query, c.row.Title, got, c.want)
		}
	}
}

// Who names an item says what stands in its title.
func TestInTitles(t *testing.T) {
	harbour := &model.Feed{Key: 1, Title: "Harbour Gazette"}
	r := row("Ferry delays", "Ann Harbour", 0, 0)
	for text, want := range map[string]bool{"ferry": true, "delays ferry": true, "harbour": false, "ann": false, "-harbour ferry": true,
		"unread ferry": true, "read ferry": false, "feed:harbour ferry": true} {
		q, err := Parse(text, noon)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.InTitles().Match(r, harbour); got != want {
			t.Errorf("%q names the item: %v, want %v", text, got, want)
		}
	}
}

func TestQueryErrorsPointAtThePlace(t *testing.T) {
	for _, c := range []struct{ query, mark string }{
		{"feed:kernel older:", "feed:kernel older:\n                  ^ older: needs a time, such as 2d or 1w"},
		{"newer:soon", "newer:soon\n      ^ newer: needs a time, such as 2d or 1w"},
		{`ferry "out of`, "ferry \"out of\n      ^ this \" has no other end"},
		{"feed:", "feed:\n^ feed: needs a name"},
		{"fede:kernel", "fede:kernel\n^ fede: is not known. Nearest: feed:"},
		{"a #", "a #\n  ^ # needs a tag, such as #later"},
		{"a -", "a -\n  ^ - needs something to leave out"},
		{"older:99999999999d", "older:99999999999d\n      ^ older: needs a time, such as 2d or 1w"},
	} {
		_, err := Parse(c.query, noon)
		var qe *Error
		if !errors.As(err, &qe) {
			t.Errorf("%q: error %v, want an *Error", c.query, err)
			continue
		}
		if got := qe.Mark(); got != c.mark {
			t.Errorf("%q:\n%s\nwant\n%s", c.query, got, c.mark)
		}
	}
}

func TestQueryWithout(t *testing.T) {
	q, err := Parse("tide  older:1w", noon)
	if err != nil {
		t.Fatal(err)
	}
	less, last := q.Without()
	if last != "older:1w" || less.String() != "tide" || q.String() != "tide older:1w" {
		t.Errorf("without the last word: %q, %q of %q", less, last, q)
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{"", `a "b c" -d`, "feed:x older:2d", "-#x", `"`, "older:", "\xff:\x00", "b7q-41"} {
		f.Add(s)
	}
	r := row("Ferry", "", 0, 0)
	f.Fuzz(func(t *testing.T, s string) {
		q, err := Parse(s, noon)
		var qe *Error
		if errors.As(err, &qe) {
			if qe.At < 0 || qe.At > len(s) || !strings.HasPrefix(qe.Mark(), s) {
				t.Fatalf("%q: the mark lies outside: %+v", s, qe)
			}
			return
		}
		if err != nil {
			t.Fatalf("%q: %v is no *Error", s, err)
		}
		q.Match(r, nil)
		if again, err := Parse(q.String(), noon); err != nil || len(again.parts) != len(q.parts) {
			t.Fatalf("%q does not read back from %q: %v", s, q, err)
		}
	})
}

// Folding without a copy must find what folding a copy finds.
func TestContainsFoldEqualsLowering(t *testing.T) {
	letters := []rune("aAkKsSiIßÜü三ſKİ 1é")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.SampledFrom(letters), 0, 12, -1).Draw(t, "s")
		w := strings.ToLower(rapid.StringOfN(rapid.SampledFrom(letters[:14]), 0, 3, -1).Draw(t, "word"))
		if got, want := containsFold(s, w), strings.Contains(lowerRunes(s), w); got != want {
			t.Fatalf("%q in %q: %v, want %v", w, s, got, want)
		}
	})
}

func lowerRunes(s string) string { return strings.Map(unicode.ToLower, s) }

func BenchmarkFind100k(b *testing.B) {
	rows := make([]store.Row, 100_000)
	for i := range rows {
		rows[i].Title = "A title of usual length about nothing in particular, number"
		if i%2 == 0 {
			rows[i].Title = "港の便り: 三月の潮と港の工事について, with Ümläuts and more"
		}
	}
	feed := &model.Feed{Title: "Some Feed"}
	for b.Loop() {
		n := 0
		for i := range rows {
			if Find(&rows[i], feed, "harbour") {
				n++
			}
		}
		if n != 0 {
			b.Fatal(n)
		}
	}
}

// TestHiddenFeeds: a query reaches into them when it says what to look in or
// for, and not when it names only states and times.
func TestHiddenFeeds(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	f := &model.Feed{Key: 7, Title: "Old Harbour", Folder: "sea", Tags: []string{"quiet"}, Hidden: true}
	row := &store.Row{ID: 0, At: now.Unix() - 60, Title: "Ferry", Flags: store.FlagSaved}
	for query, fits := range map[string]bool{
		"": false, "unread": false, "today": false, "newer:1d unread": false, "-feed:other": false, "-ferry-boat": false,
		"ferry": true, "feed:harbour": true, "folder:sea": true, "#quiet": true, "saved": true, "unread ferry": true, "feed:other": false,
	} {
		q, err := Parse(query, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Match(row, f); got != fits {
			t.Errorf("%q fits: %v", query, got)
		}
		shown := *f
		shown.Hidden = false
		if q.WithHidden().Match(row, f) != q.Match(row, &shown) {
			t.Errorf("%q with hidden ones is not as if the feed were not hidden", query)
		}
	}
}

// exploding are patterns on which matchers that try every way take for ever, and
// queries that are merely very long.
func exploding() []string {
	many := strings.Repeat
	return []string{`(a+)+$`, `(a|a)*b`, `(.*)*x`, `^(([a-z])+.)+[A-Z]([a-z])+$`, `(a?){64}a{64}`, `a{1000}{1000}`, `.*.*.*.*.*=.*`, `(?=a*)*b`, `[a-`, `\1\2`, `((((((`, `*****a*****b`, `%s%n%`,
		many("a", 511) + "b", many("ab", 256) + "a", many("İ", 200), many("-a ", 2000), many("a ", 5000), many(`"a a" `, 1000), many("feed:a ", 500), many("#", 1000), many(`"`, 999), many("older:1w ", 500)}
}

// TestPatternsExplodeNot is row P5: what a person types and what a feed writes
// are words, never patterns, and no item takes 10 ms to be held against a query.
func TestPatternsExplodeNot(t *testing.T) {
	for _, title := range []string{strings.Repeat("a", 1024), strings.Repeat("ab", 512), strings.Repeat("İ", 512), `(a+)+$`} {
		r, f := row(title, title, time.Hour, 0, "a"), &model.Feed{Key: 1, Title: title, Folder: title}
		for _, pattern := range exploding() {
			best := time.Hour
			q, err := Parse(pattern, noon)
			for range 9 { // neighbours of the test are no cost of the query's
				began := time.Now()
				if err == nil {
					q.Match(r, f)
				}
				Find(r, f, strings.ToLower(pattern))
				best = min(best, time.Since(began))
			}
			if best > 10*time.Millisecond {
				t.Errorf("%.40q in %.20q: %v", pattern, title, best)
			}
			if strings.HasPrefix(pattern, "(a+)") && q.Match(r, f) != (title == pattern) {
				t.Errorf("%q is no word in %.20q", pattern, title)
			}
		}
	}
	// A matcher that tries every way takes millions of steps for the first of them
	// on 26 letters.
	steps := 0
	var plus func(s string) bool
	plus = func(s string) bool { // (a+)+$
		for n := 1; n <= len(s) && s[n-1] == 'a'; n++ {
			if steps++; n == len(s) || plus(s[n:]) {
				return true
			}
		}
		return false
	}
	if plus(strings.Repeat("a", 22)+"!") || steps < 1<<21 {
		t.Errorf("only %d steps: this test could not fail", steps)
	}
}
