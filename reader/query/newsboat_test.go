package query

import (
	"errors"
	"strings"
	"testing"
	"time"

	"diurna/reader/model"
)

func TestTranslateNewsboat(t *testing.T) {
	for expr, want := range map[string]string{
		`title = "Ferry"`:                           `title:/^Ferry$/`,
		`title == "a/b (c)"`:                        `title:/^a\/b \(c\)$/`,
		`title != "Ferry"`:                          `-title:/^Ferry$/`,
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
		`titel = "x"`:                  "^ titel is no attribute of newsboat. Nearest: title",
		`age between 0:n`:              "            ^ age needs a number of days, and between two of them: 2:5",
		`age < 3 x`:                    "        ^ and, or or the end is expected here",
		`age between 0:`:               "            ^ age needs a number of days, and between two of them: 2:5",
		`age < "3:4"`:                  "      ^ age needs a number of days, and between two of them: 2:5",
		`title < "x"`:                  "      ^ title < has no counterpart",
		`tags = "a b"`:                 "     ^ tags = has no counterpart",
		`unread = "maybe"`:             `         ^ unread is "yes" or "no"`,
		`title =~ "("`:                 `         ^ missing closing ) in the pattern`,
		`title =~ "x`:                  `         ^ this " has no other end`,
		`(title =~ "x"`:                "^ this ( has no other end",
		`title "x"`:                    "      ^ =, !=, =~, !~, <, >, <=, >=, #, !# or between is expected here",
		``:                             `^ a condition such as title =~ "ferry" is expected here`,
		`unread = "yes" and`:           `                  ^ a condition such as title =~ "ferry" is expected here`,
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
