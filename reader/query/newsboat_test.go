package query

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"diurna/reader/model"
	"diurna/store"
)

func TestTranslateNewsboat(t *testing.T) {
	for expr, want := range map[string]string{
		`title = "Ferry"`:                           `title:/^Ferry$/`,
		`title == "a/b (c)"`:                        `title:/^a\/b \(c\)$/`,
		`title != "Ferry"`:                          `-title:/^Ferry$/`,
		`title =~ "[[:alpha:]_]+"`:                  `title:/[\pL_]+/i`,
		`title =~ "ferr(y|ies)"`:                    `title:/ferr(y|ies)/i`,
		`title !~ "x"`:                              `-title:/x/i`,
		`title =~ "\\<x\\>|\\\\<"`:                  `title:/\bx\b|\\</i`,
		`author # "Ann"`:                            `author:/(^| )Ann( |$)/`,
		`content =~ "radio"`:                        `text:/radio/i`,
		`link =~ "example\\.com"`:                   `link:/example\.com/i`,
		`feedtitle = "Harbour"`:                     `feed:/^Harbour$/`,
		`rssurl =~ "gazette"`:                       `address:/gazette/i`,
		`tags # "sea"`:                              `tag:sea`,
		`tags !# "sea"`:                             `-tag:sea`,
		`unread = "yes"`:                            `unread`,
		`unread != "yes"`:                           `read`,
		`unread="no"`:                               `read`,
		`age < 5`:                                   `newer:5d`,
		`age <= 5`:                                  `newer:6d`,
		`age > 5`:                                   `older:6d`,
		`age >= 5`:                                  `older:5d`,
		`age = 5`:                                   `newer:6d older:5d`,
		`age != 5`:                                  `not (newer:6d older:5d)`,
		`age between 2:5`:                           `newer:6d older:2d`,
		`age between 5:2`:                           `newer:6d older:2d`,
		`unread = "yes" and tags # "a"`:             `unread tag:a`,
		`age < 1 and tags # "a" or tags # "b"`:      `newer:1d (tag:a or tag:b)`,
		`age < 1 or tags # "a" and tags # "b"`:      `newer:1d or tag:a tag:b`,
		`(age < 1 and tags # "a") or age > 9`:       `newer:1d tag:a or older:10d`,
		` ( ( unread = "yes" ) ) `:                  `unread`,
		`title =~ "say \"hi\"" and age between 0:3`: `title:/say "hi"/i newer:4d older:0d`,
	} {
		q, err := TranslateNewsboat(expr, noon)
		if err != nil {
			t.Errorf("%s: %v", expr, err)
			continue
		}
		if q.Canonical() != want {
			t.Errorf("%s is %s, want %s", expr, q.Canonical(), want)
		}
		if again, err := Parse(q.Canonical(), noon); err != nil || !again.root.same(q.root) {
			t.Errorf("%s: %s reads back as %s (%v)", expr, q.Canonical(), again.Canonical(), err)
		}
	}
}

func TestTranslateNewsboatErrors(t *testing.T) {
	for expr, want := range map[string]string{
		`flags # "a"`:                  "^ flags has no counterpart: items have tags and saved here, no flags",
		`age < 3 and unread_count > 0`: "            ^ unread_count has no counterpart",
		`titel = "x"`:                  "^ titel is not a newsboat attribute. Nearest: title",
		`age between 0:n`:              "            ^ age needs a number of days, and between two of them: 2:5",
		`age < 3 x`:                    "        ^ expected and, or, or the end",
		`age between 0:`:               "            ^ age needs a number of days, and between two of them: 2:5",
		`age < "3:4"`:                  "      ^ age needs a number of days, and between two of them: 2:5",
		`title < "x"`:                  "      ^ title < has no counterpart",
		`tags = "a b"`:                 "     ^ tags = has no counterpart",
		`unread = "maybe"`:             `         ^ unread is "yes" or "no"`,
		`title =~ "("`:                 `         ^ missing closing ) in the pattern`,
		`title =~ "x`:                  `         ^ this " is not closed`,
		`(title =~ "x"`:                "^ this ( is not closed",
		`title "x"`:                    "      ^ expected =, !=, =~, !~, <, >, <=, >=, #, !# or between",
		``:                             `^ expected a condition such as title =~ "ferry"`,
		`unread = "yes" and`:           `                  ^ expected a condition such as title =~ "ferry"`,
	} {
		_, err := TranslateNewsboat(expr, noon)
		var qe *Error
		if !errors.As(err, &qe) {
			t.Errorf("%s: error %v, want an *Error", expr, err)
			continue
		}
		if _, mark, _ := strings.Cut(qe.Mark(), "\n"); mark != want {
			t.Errorf("%s:\n%s\nwant\n%s", expr, mark, want)
		}
	}
}

// TestTranslatedAges: an item of so many whole days fits as it does in newsboat.
func TestTranslatedAges(t *testing.T) {
	fits := map[string]func(age int) bool{
		`age < 3`: func(a int) bool { return a < 3 }, `age <= 3`: func(a int) bool { return a <= 3 }, `age > 3`: func(a int) bool { return a > 3 },
		`age >= 3`: func(a int) bool { return a >= 3 }, `age = 3`: func(a int) bool { return a == 3 }, `age between 1:3`: func(a int) bool { return a >= 1 && a <= 3 },
	}
	for expr, want := range fits {
		q, err := TranslateNewsboat(expr, noon)
		if err != nil {
			t.Fatal(err)
		}
		for age := range 7 {
			r := row("x", "", time.Duration(age)*24*time.Hour+time.Hour, 0)
			if got := q.Match(r, &model.Feed{}); got != want(age) {
				t.Errorf("%s fits %d days: %v", expr, age, got)
			}
		}
	}
}

// What is written for newsboat says the same when it is read back.
func TestToNewsboat(t *testing.T) {
	for text, want := range map[string]string{
		``:                              `age >= 0`,
		`ferry`:                         `title =~ "\\<ferry\\>" or author =~ "\\<ferry\\>" or feedtitle =~ "\\<ferry\\>"`,
		`-title:ferry`:                  `title !~ "\\<ferry\\>"`,
		`title:"the pilot-boat"`:        `title =~ "\\<the[^[:alnum:]]+pilot[^[:alnum:]]+boat\\>"`,
		`unread tag:sea newer:2w`:       `unread = "yes" and tags # "sea" and age < 14`,
		`not (unread or tag:sea)`:       `unread = "no" and tags !# "sea"`,
		`older:3d (read or author:ann)`: `age >= 3 and (unread = "no" or author =~ "\\<ann\\>")`,
		`title:/^A \(b\)$/`:             `title = "A (b)"`,
		`-title:/^A$/`:                  `title != "A"`,
		`author:/(^| )Ann( |$)/`:        `author # "Ann"`,
		`text:/ferr(y|ies)/i`:           `content =~ "ferr(y|ies)"`,
		`feed:harbour -address:gazette`: `feedtitle =~ "harbour" and rssurl !~ "\\<gazette\\>"`,
		`folder:sea`:                    `tags =~ "(^|[ /])sea([ /]|$)"`,
		`link:/"/i`:                     `link =~ "\""`,
	} {
		q, err := Parse(text, noon)
		if err != nil {
			t.Fatal(text, err)
		}
		if got, err := q.Newsboat(); got != want || err != nil {
			t.Errorf("%s is\n%s, %v, want\n%s", text, got, err, want)
		}
	}
	for _, text := range []string{"saved", "changed", "muted", "today", "newer:3h", "older:2026-01-02", "longer:20", "title:/a/", `title:/\d/i`, "title:/a+?/i", "title:/(?:a)/i", "folder:/x/i", "unread saved", "title:/[\\w.]/i", "title:\"\u6771 x\""} {
		q, err := Parse(text, noon)
		if err != nil {
			t.Fatal(text, err)
		}
		if got, err := q.Newsboat(); err == nil || got != "" {
			t.Errorf("%s is %s", text, got)
		}
	}
}

// TestToNewsboatFits: random queries find the same random items after they were written
// for newsboat and read back.
func TestToNewsboatFits(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	some := func(of ...string) string { return of[r.IntN(len(of))] }
	word := func() string {
		return some("ferry", "Ferries", "pilot", "boat", "ann", "sea", "caf\u00e9", "x1", "\u6771\u4eac")
	}
	word2 := func() string { return some("ferry", "pilot", "boat", "caf\u00e9") }
	var part func(depth int) string
	part = func(depth int) string {
		if depth > 0 && r.IntN(2) == 0 {
			return some("", "-") + "(" + part(depth-1) + some(" ", " or ") + part(depth-1) + ")"
		}
		return some("", "", "-") + some(word(), "title:"+word(), "author:"+word(), `"`+some("ferry", "sea", "x1")+" "+word2()+`"`, `title:"`+word2()+"-"+word2()+`"`, "text:"+word(), "link:"+word(),
			"tag:sea", "tag:b*", "folder:shore", "feed:harb", "address:gazette", "unread", "read", "newer:3d", "older:1w", "title:/fer+y|b.*t/i", "title:/^Ferry$/", "author:/(^| )Ann( |$)/", word()+"*")
	}
	asked, fits := 0, 0
	for range 4000 {
		text := part(2)
		q, err := Parse(text, noon)
		if err != nil {
			continue
		}
		expr, err := q.Newsboat()
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := TranslateNewsboat(expr, noon)
		if err != nil {
			t.Fatalf("%s\n%s: %v", text, expr, err)
		}
		asked++
		for range 20 {
			words := func() string { return word() + some(" ", "-", ", ", ": ", "/") + word() + some("", " "+word()) }
			it := row(some(words(), "Ferry"), some(words(), "Ann B"), time.Duration(r.IntN(12)*24+1)*time.Hour, store.Flags(r.IntN(2)))
			folder := some("", "shore", "water/shore", "quay")
			f := &model.Feed{Title: some("Harbour", "Gazette", words()), URL: "https://" + some("gazette", "sea") + ".example/f", Folder: folder, Tags: []string{some("boats", "sea", "land")}}
			if folder != "" { // as the list for newsboat has it
				f.Tags = append(f.Tags, folder)
			}
			deep := &Deep{Link: "https://a.example/" + word(), Texts: []string{words()}}
			want, got := q.Matcher().Answer(Item{it, f, deep}), again.Matcher().Answer(Item{it, f, deep})
			if got != want {
				t.Fatalf("%s\nis %s\nwhich is %s\n%q by %q in %+v: %v, want %v", text, expr, again.Canonical(), it.Title, it.Author, f, got, want)
			}
			if want == Yes {
				fits++
			}
		}
	}
	if asked < 3000 || fits < 10000 || fits > asked*20-10000 {
		t.Errorf("%d queries, %d of %d fit: that proves little", asked, fits, asked*20)
	}
}

func FuzzTranslateNewsboat(f *testing.F) {
	for _, s := range []string{`title =~ "a" and (age < 3 or tags !# "b")`, `age between 1:2`, `x`, `(((`, `title = ""`, `rssurl="\\"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := TranslateNewsboat(s, noon)
		var qe *Error
		if errors.As(err, &qe) {
			if qe.At < 0 || qe.At > len(s) || qe.Why == "" {
				t.Fatalf("%q: the mark lies outside: %+v", s, qe)
			}
			return
		}
		if again, err := Parse(q.Canonical(), noon); err != nil || !again.root.same(q.root) {
			t.Fatalf("%q is %q, which reads back as %q, %v", s, q.Canonical(), again.Canonical(), err)
		}
	})
}
