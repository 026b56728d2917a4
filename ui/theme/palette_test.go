package theme

import (
	"strings"
	"testing"
)

// Every theme that comes with the program is a file without mistakes.
func TestNames(t *testing.T) {
	for _, name := range Names {
		if name == Auto {
			continue
		}
		text, err := files.ReadFile("themes/" + name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		if p, err := Parse(name, text); err != nil || (p.Head.Color == nil) != (name == "mono") {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	if all, _ := files.ReadDir("themes"); len(all) != len(Names)-1 {
		t.Errorf("%d files, %d names", len(all), len(Names))
	}
}

// What is wrong with a theme is said with its line, and nothing of it is used.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"dim = \"8\"\npionter = \"1\"\n": `mine.toml line 2: "pionter" is not a field of a theme; nearest: pointer`,
		"\nhead = \"#12345\"\n":          `mine.toml line 2: head: "#12345" is not a colour such as`,
		"head = \"256\"\n":               `mine.toml line 1: head: "256" is not a colour`,
		"# mine\nhead = 3.5\n":           `mine.toml line 2: head: "3.5" is not a colour such as`,
		"text = 7\n\nhead = true # so":   `mine.toml line 3: head: "true" is not a colour`,
		"dim = 300":                      `mine.toml line 1: dim: "300" is not a colour`,
		"\nhead = [1, 2]\n":              `mine.toml line 2: "head" takes no array`,
		"head = 2026-01-01\n":            `mine.toml line 1: "head" takes no local date`,
		"head = true\n":                  `mine.toml`,
		"[head\n":                        `mine.toml`,
	} {
		if p, err := Parse("mine.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) || p != (Palette{}) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if p, err := Parse("mine.toml", []byte("head = \"#88c0d0\"\n")); err != nil || p.Head.Color == nil || p.Text.Color != nil {
		t.Errorf("a good one: %+v, %v", p, err)
	}
	th := Of(Palette{}, false, false)
	if got := th.In(th.Head, "x"); got != "x" || th.TrueColor() {
		t.Errorf("a heading without a colour is %q", got)
	}
}

// TestBarHasItsText: where a theme has a bar and a text of its own, each cell of the bar
// has both: a terminal may keep its own colour of text for the rest.
func TestBarHasItsText(t *testing.T) {
	th := New("nord", false)
	row := th.Row(th.In(th.Pointer, ">")+" title "+th.In(th.Head, "~")+" more", true)
	for _, part := range strings.Split(strings.TrimSuffix(row, "\x1b[m"), "\x1b[m") {
		if !strings.Contains(part, "48;2;59;66;82") || !strings.Contains(part, "38;2;216;222;233") {
			t.Errorf("%q in %q", part, row)
		}
	}
}
