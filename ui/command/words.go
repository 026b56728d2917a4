package command

import (
	"errors"
	"path/filepath"
	"strings"
)

// Split makes words of a line as a shell would: blanks part them, quotes and
// backslashes hold them together. Quotes within a word, as in feed:"The harbour",
// stay: they are the query's. "~/" at the start of a word is the folder home.
// Nothing else means anything: there are no variables, patterns or commands.
func Split(line, home string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote, before rune
	in, kept := false, false // in a word; the quotes that are open stay
	for _, r := range line {
		switch {
		case before == '\\':
			word.WriteRune(r)
			r = 0
		case r == '\\' && quote != '\'':
			in = true
		case quote != 0 && r == quote:
			if quote = 0; kept {
				word.WriteRune(r)
			}
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, kept = r, in && !strings.HasSuffix(word.String(), "=")
			if in = true; kept {
				if r == '\'' { // an apostrophe
					quote = 0
				}
				word.WriteRune(r)
			}
		case r == ' ' || r == '\t':
			if in {
				words = append(words, word.String())
			}
			word.Reset()
			in = false
		default:
			in = true
			word.WriteRune(r)
		}
		before = r
	}
	if quote != 0 {
		return nil, errors.New("a quote is open at the end of the line; nothing was done")
	}
	if in {
		words = append(words, word.String())
	}
	for i, w := range words {
		if rest, ok := strings.CutPrefix(w, "~/"); ok && home != "" {
			words[i] = filepath.Join(home, rest)
		}
	}
	return words, nil
}

// Quote writes a word so that Split gives it back.
func Quote(word string) string {
	if open := strings.IndexByte(word, '"'); open > 0 && word[open-1] != '=' && !strings.ContainsAny(word, `\'`) && !strings.Contains(word[:open], " ") &&
		strings.HasSuffix(word, `"`) && strings.Count(word, `"`) == 2 {
		return word // the quotes are the query's
	}
	if word != "" && !strings.ContainsAny(word, " \t\"'\\") {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word) + `"`
}
