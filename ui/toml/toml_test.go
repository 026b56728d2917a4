package toml

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	whole "github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"
)

// span reads its text itself.
type span time.Duration

func (s *span) UnmarshalText(b []byte) error {
	d, err := time.ParseDuration(string(b))
	*s = span(d)
	return err
}

type file struct {
	Name string   `toml:"name"`
	Wide int      `toml:"wide"`
	On   bool     `toml:"on"`
	Off  *bool    `toml:"off"`
	Run  []string `toml:"run"`
	Net  struct {
		Every span   `toml:"every"`
		Each  []span `toml:"each"`
	} `toml:"net"`
	Rules []struct {
		Query string   `toml:"query"`
		Tag   []string `toml:"tag"`
	} `toml:"rule"`
}

// lines are of what TOML has, and what is wrong in it.
var lines = []string{
	"name = \"a\"", "name = 'b'", "\"name\" = \"\"\"\nlong\ntext\"\"\"", "name = \"\\u00e9\\n\"", "NAME = \"x\"", "name = 3", "name = []",
	"wide = 5", "wide = -1_000", "wide = 0x1f", "wide = +7", "wide = 010", "wide = 3.5", "wide = \"5\"", "wide = 99999999999999999999", "wide = 1__0",
	"on = true", "on = 1", "off = false", "off = \"no\"", "run = []", "run = [\"a\", 'b',\n\n# why\n]", "run = \"a b\"", "run = [1]",
	"[net]", "[[net]]", "net.every = \"5s\"", "net = {every = \"1m\", each = [\"2s\"]}", "every = \"1h\"", "every = \"soon\"",
	"each = [\"1s\",\n\"2s\"]", "each = [\"1s\",\n\"x\"]", "every = 2026-01-01", "[rule]", "[[rule]]", "rule = [{query = \"q\"}, {tag = [\"t\"]}]",
	"query = \"x\"", "tag = [\"a\"]", "tag = \"a\"", "rule = 1", "other = 1", "[other]", "[net.every]", "[net", "= 1", "name", "name = ", "# only said", "",
}

// TestAsGoToml: what go-toml's own decoder takes is read as it reads it, and what it
// refuses is refused, with the same line where there is one mistake.
func TestAsGoToml(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, text string, one bool) {
		var want, got file
		refused := whole.NewDecoder(strings.NewReader(text)).DisallowUnknownFields().Decode(&want)
		doc, err := Parse([]byte(text))
		if err == nil {
			err = doc.Decode(&got)
		}
		if (err == nil) != (refused == nil) {
			t.Errorf("%q: %v, of go-toml: %v", text, err, refused)
			return
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, of go-toml: %+v", text, got, want)
		}
		var mine *Error
		if err != nil && !errors.As(err, &mine) {
			t.Errorf("%q: %#v is no *Error", text, err)
		}
		var theirs *whole.DecodeError
		if one && errors.As(refused, &theirs) {
			if line, _ := theirs.Position(); line != mine.Line {
				t.Errorf("%q: %v in line %d, of go-toml %v in line %d", text, err, mine.Line, refused, line)
			}
		}
	}
	for _, line := range lines {
		for _, before := range []string{"", "\n# before\n", "[net]\n", "on = true\n[[rule]]\n"} {
			check(t, before+line, true)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		check(r, strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 8).Draw(r, "lines"), "\n"), false)
	})
}

func TestValues(t *testing.T) {
	doc, err := Parse([]byte("[macro]\n\n\"b\" = [\"x\", [\"y\"], 3]\n\"a\" = \"z\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	in := doc["macro"].Table
	if got := in["b"].Any(); !reflect.DeepEqual(got, []any{"x", []any{"y"}, nil}) {
		t.Errorf("the list is %#v", got)
	}
	if got := in.Names(); !reflect.DeepEqual(got, []string{"b", "a"}) || doc.Line("macro", "a") != 4 || doc.Line("", "a") != 1 {
		t.Errorf("names %q, a on line %d", got, doc.Line("macro", "a"))
	}
	for text, want := range map[string]string{
		"run = \"vi -e\"":              `"run" takes no string but a list of words; write: run = ["vi", "-e"]`,
		"[[rule]]\ntag = \"a\"":        `"rule.tag" takes no string but a list of words; write: tag = ["a"]`,
		"[net]\nevery = \"soon\"":      `net.every: time: invalid duration "soon"`,
		"[net]\nevery = 2026-01-01":    `"net.every" takes no local date`,
		"[net]\nevery = 5":             `net.every: time: missing unit in duration "5"`, // go-toml takes 5 ns
		"run = [[\"a\"]]":              `"run" takes no array`,
		"[run]":                        `"run" takes no table`,
		"on = true\non = true":         `"on" stands on line 1 already`,
		"name = 1_0.5":                 `"name" takes no float`,
		"wide = 99999999999999999999":  `wide: 99999999999999999999 is too large a number`,
		"[net]\nsoon = 1\nevery = 3.5": "", // not known
	} {
		doc, err := Parse([]byte(text))
		if err == nil {
			err = doc.Decode(new(file))
		}
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
