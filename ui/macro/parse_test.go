package macro

import (
	"fmt"
	"strings"
	"testing"
)

// names knows single letters, enter and esc as keys.
var names = Names{Words: []string{"save", "open", "next", "tag", "mark", "fetch"}, Key: func(s string) (string, bool) {
	return strings.Replace(s, "^", "ctrl+", 1), len(s) == 1 && s != "~" || s == "enter" || s == "esc" || s == "^d"
}}

// said is a macro in short: k, l, s or p and what the step does.
func said(steps []Step) string {
	var parts []string
	for _, s := range steps {
		part := string("klsp"[s.Kind]) + "<" + s.Text + ">"
		if s.Kind == Program {
			part = fmt.Sprintf("p%q", s.Argv)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

func TestParse(t *testing.T) {
	list := func(v ...any) any { return v }
	for _, c := range []struct {
		value any
		want  string
	}{
		{"s t l a t e r enter", "k<s> k<t> k<l> k<a> k<t> k<e> k<r> k<enter>"},
		{"^d :next", "k<ctrl+d> l<next>"},
		{"save; open; next", "l<save> l<open> l<next>"},
		{" save ;open;; next; ", "l<save> l<open> l<next>"},
		{`tag "to; read"; next`, `l<tag "to; read"> l<next>`},
		{"m j; next; esc", "k<m> k<j> l<next> k<esc>"},
		{"enter; next", "k<enter> l<next>"},
		{":mark read feed:x; next", "l<mark read feed:x> l<next>"},
		{"save; !echo  a; echo \"$DIURNA_URL\" ; x", "l<save> s<echo  a; echo \"$DIURNA_URL\" ; x>"},
		{"! a | b;c ", "s< a | b;c >"},
		{"next; | wc -l", "l<next> s< wc -l>"},
		{"; j", "k<;> k<j>"},
		{list("save", list("mpv", "--", "%u"), "next"), `l<save> p["mpv" "--" "%u"] l<next>`},
		{list("s", "t", "l", "enter", ":next", "!x; y"), "k<s> k<t> k<l> k<enter> l<next> s<x; y>"},
	} {
		m, err := Parse(c.value, names)
		if got := said(m.Steps); err != nil || got != c.want {
			t.Errorf("%q is %s, %v, want %s", c.value, got, err, c.want)
		}
	}
}

func TestWrongMacros(t *testing.T) {
	list := func(v ...any) any { return v }
	for _, c := range []struct {
		value any
		want  string
	}{
		{"", "it does nothing"},
		{list(), "it does nothing"},
		{3, `a macro is a string such as "save; open", or a list`},
		{"svae; open", `there is no command "svae". Nearest: save`},
		{"save; opne", `there is no command "opne". Nearest: open`},
		{"s t l entr", `"entr" is not a key`},
		{"save; xyzzyx", `"xyzzyx" is neither a key nor a command`},
		{"save; ! ", "! needs a command after it"},
		{":fetsh", `there is no command "fetsh". Nearest: fetch`},
		{list("save", list("mpv", 3)), "3: the arguments of a program must be strings"},
		{list("save", list()), "a command needs the name of a program"},
		{list(list("mpv", "--url=%u")), `"--url=%u": %u has to be an argument of its own, as in ["mpv", "%u"]`},
		{list("save", 3), "3: a macro consists of strings and of lists of strings"},
		{list("sav"), `there is no command "sav". Nearest: save`},
	} {
		m, err := Parse(c.value, names)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, %v, want %s", c.value, m, err, c.want)
		}
	}
}
