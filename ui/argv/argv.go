// Package argv builds the commands that the program runs for a user: a list of
// words, never a shell's line, in which marks stand for values. Any value is
// (part of) one argument, has no control characters, and does not begin an
// option. Call Fill; Check says beforehand what is wrong with a list.
package argv

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"diurna/reader/plain"
)

// ErrNoAddress says that there is no address for %u.
var ErrNoAddress = errors.New("the chosen item has no web address")

// Values are the facts of the chosen item that a command gets.
type Values struct {
	URL   string // http or https, anything else counts as none
	Title string
	Feed  string
}

// maxValue bounds a value, in cells: a title may be of any length.
const maxValue = 1000

// Plain is a value as a command gets it: one line without control characters. A
// leading "-", which would make it an option, becomes a minus sign.
func Plain(value string) string {
	value = plain.Line(value, maxValue)
	if rest, ok := strings.CutPrefix(value, "-"); ok {
		return "\u2212" + rest
	}
	return value
}

// Address is a web address as a command gets it, "" for anything else: it begins
// with http, so it is not an option, and control characters in it are escaped.
func Address(url string) string {
	if !plain.WebAddress(url) {
		return ""
	}
	if !strings.ContainsFunc(url, unicode.IsControl) {
		return url
	}
	var b strings.Builder
	for _, r := range url {
		if !unicode.IsControl(r) {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// marks are the words that stand for values, each for a whole argument.
var marks = []string{"%u", "%t", "%f"}

// Fill puts values where %u, %t and %f stand as arguments of their own; filled
// reports whether there was one. ErrNoAddress: %u stands there and no web address.
func (v Values) Fill(command []string) (argv []string, filled bool, err error) {
	argv = slices.Clone(command)
	for i := 1; i < len(argv); i++ {
		switch argv[i] {
		case "%u":
			if argv[i] = Address(v.URL); argv[i] == "" {
				return nil, true, ErrNoAddress
			}
		case "%t":
			argv[i] = Plain(v.Title)
		case "%f":
			argv[i] = Plain(v.Feed)
		default:
			continue
		}
		filled = true
	}
	return argv, filled, nil
}

// Playing puts a file where %u stands in the argv of a player, or at its end: the
// absolute path of one that is here, or a web address. Neither begins an option.
func Playing(player []string, file string) ([]string, error) {
	if !filepath.IsAbs(file) {
		if file = Address(file); file == "" {
			return nil, ErrNoAddress
		}
	}
	argv, put := slices.Clone(player), false
	for i := 1; i < len(argv); i++ {
		if argv[i] == "%u" {
			argv[i], put = file, true
		}
	}
	if !put {
		argv = append(argv, file)
	}
	return argv, nil
}

// Environ is the environment of the program with the values added to it, for a
// command that goes through a shell: nothing of them stands in its text.
func (v Values) Environ() []string {
	return append(os.Environ(), "DIURNA_URL="+Address(v.URL), "DIURNA_TITLE="+Plain(v.Title), "DIURNA_FEED="+Plain(v.Feed))
}

// Within puts values where marks stand within arguments: pairs are marks and
// values. A value that begins an argument which did not begin with "-" begins none
// with it either: safe sees to that.
func Within(command, pairs []string, safe func(string) string) (argv []string, filled bool) {
	fill := strings.NewReplacer(pairs...)
	argv = slices.Clone(command)
	for i := 1; i < len(argv); i++ {
		got := fill.Replace(argv[i])
		if got == argv[i] {
			continue
		}
		if filled = true; !strings.HasPrefix(argv[i], "-") {
			got = safe(got)
		}
		argv[i] = got
	}
	return argv, filled
}

// Check says what is wrong with a list of words that Fill is to fill.
func Check(command []string) error {
	if len(command) == 0 || strings.TrimSpace(command[0]) == "" {
		return errors.New("a command needs the name of a program")
	}
	for i, word := range command {
		whole := slices.Contains(marks, word)
		switch {
		case whole && i == 0:
			return fmt.Errorf("%s cannot be the name of a program", word)
		case whole:
		case len(word) == 2 && word[0] == '%' && word != "%%" && word != "%s":
			return fmt.Errorf("%q is not a placeholder; use %s", word, strings.Join(marks, ", "))
		}
		for _, mark := range marks {
			if !whole && strings.Contains(word, mark) {
				program := strings.Fields(command[0])[0]
				if words := strings.Fields(word); len(words) > 1 { // a whole command in one text
					program = words[0]
				}
				return fmt.Errorf("%q: %s has to be an argument of its own, as in [%q, %q]", word, mark, program, mark)
			}
		}
	}
	return nil
}
