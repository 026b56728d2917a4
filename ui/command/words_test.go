package command

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string]string{
		"":                                 "",
		"  mark   read  all ":              "mark|read|all",
		`rm "The harbour"`:                 "rm|The harbour",
		`rm 'The harbour' x`:               "rm|The harbour|x",
		`mark read feed:"The harbour" x`:   `mark|read|feed:"The harbour"|x`,
		`add x --folder="far sea"`:         "add|x|--folder=far sea",
		`backup ~/my\ copy`:                "backup|/home/me/my copy",
		`rm "a \"b\" \\"`:                  `rm|a "b" \`,
		`items it's`:                       "items|it's",
		`items "" x`:                       "items||x",
		"fetch $(x); `y` > w & *":          "fetch|$(x);|`y`|>|w|&|*", // nothing of it means anything
		`items "~/x"`:                      "items|/home/me/x",
		`items 'a\b'`:                      `items|a\b`,
		"items \u00e9\u00e8 \U0001f30a\tx": "items|\u00e9\u00e8|\U0001f30a|x",
	} {
		got, err := Split(line, "/home/me")
		joined := strings.Join(got, "|")
		if err != nil || joined != want {
			t.Errorf("%s: %q, %v, want %q", line, joined, err, want)
		}
	}
	for _, line := range []string{`rm "The`, `rm 'The`, `mark feed:"x`} {
		if got, err := Split(line, ""); err == nil {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// What Tab puts into a line is what the command gets.
func TestQuote(t *testing.T) {
	for _, word := range []string{"", "a", "The harbour", `say "x"`, `back\slash`, "it's", `feed:"The harbour"`, "--folder", "a\tb", `x y"z w"`, "港の便り", "~tilde", `"`, `''`, `"a b"`, `a"b c"d`} {
		got, err := Split("rm "+Quote(word)+" end", "")
		if err != nil || !slices.Equal(got, []string{"rm", word, "end"}) {
			t.Errorf("%q is quoted %s and read as %q, %v", word, Quote(word), got, err)
		}
	}
}
