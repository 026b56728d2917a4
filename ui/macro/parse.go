// Package macro reads and plays macros: keys, words of the command line, and
// programs with arguments, one after the other. Call Parse for a value of
// keys.toml, and Player.Play for what it gives.
package macro

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"diurna/reader/wording"
	"diurna/ui/argv"
)

// Kind is what a step does.
type Kind uint8

const (
	Key     Kind = iota // presses a key
	Line                // does what a line of the command line does
	Shell               // hands its text to $SHELL, as it was written
	Program             // starts a program
)

// Step is one step of a macro.
type Step struct {
	Kind Kind
	Text string   // of a key its name; of a line or a shell's command all of it
	Argv []string // of a program: see argv.Values
}

// Macro is what one name stands for.
type Macro struct {
	Steps []Step
	Text  string // as people read it
}

// Names are the words that a step may begin with.
type Names struct {
	Key   func(name string) (key string, ok bool)
	Words []string // of the command line
}

// Keys makes steps of keys.
func Keys(keys []string) []Step {
	steps := make([]Step, len(keys))
	for i, key := range keys {
		steps[i] = Step{Text: key}
		switch {
		case len(key) < 2:
		case key[0] == ':':
			steps[i] = Step{Kind: Line, Text: key[1:]}
		case key[0] == '|':
			steps[i] = Step{Kind: Shell, Text: key[1:]}
		}
	}
	return steps
}

// Parse reads a macro: a text of keys with blanks between, a text of words with
// semicolons between, or a list of keys, words and lists, each the name of a
// program and its arguments. A word that begins with ! is the shell's, to the end
// of the text. The error says what is wrong and what is nearest to it.
func Parse(value any, names Names) (Macro, error) {
	var m Macro
	var err error
	switch v := value.(type) {
	case string:
		m, err = text(v, names)
	case []any:
		m, err = list(v, names)
	default:
		return Macro{}, errors.New(`a macro is a string such as "save; open", or a list`)
	}
	if err == nil && len(m.Steps) == 0 {
		err = errors.New("it does nothing")
	}
	return m, err
}

// text reads keys, else words.
func text(s string, names Names) (Macro, error) {
	var keys []string
	wrong := ""
	for _, field := range strings.Fields(s) {
		key, ok := names.Key(field)
		if !ok && (len(field) == 1 || field[0] != '|' && (field[0] != ':' || !slices.Contains(names.Words, field[1:]))) {
			wrong = field
			break
		}
		keys = append(keys, key)
	}
	if wrong == "" {
		return Macro{Keys(keys), strings.Join(keys, " ")}, nil
	}
	if len(keys) > 0 && !strings.Contains(s, ";") && len(keys[0]) == 1 && keys[0][0] != '!' {
		return Macro{}, fmt.Errorf("%q is not a key", wrong) // keys up to there
	}
	return words(s, names)
}

// words reads what stands between semicolons; quotes hold them together.
func words(s string, names Names) (Macro, error) {
	m := Macro{Text: strings.TrimSpace(s)}
	for s != "" {
		part, rest := s, ""
		if first := strings.TrimLeft(s, " \t"); first == "" || first[0] != '!' && first[0] != '|' {
			part, rest = cut(s)
		}
		s = rest
		if strings.TrimSpace(part) == "" {
			continue
		}
		steps, err := word(part, names)
		if err != nil {
			return Macro{}, err
		}
		m.Steps = append(m.Steps, steps...)
	}
	return m, nil
}

// cut cuts a text at its first semicolon outside quotes.
func cut(s string) (part, rest string) {
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'' && (i == 0 || s[i-1] == ' '):
			quote = c
		case c == ';':
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// word reads what stands between two semicolons: a shell's command, a line of the
// command line, or keys.
func word(s string, names Names) ([]Step, error) {
	s = strings.TrimLeft(s, " \t")
	if len(s) > 1 && (s[0] == '!' || s[0] == '|') {
		if strings.TrimSpace(s[1:]) == "" {
			return nil, errors.New("! needs a command after it")
		}
		return []Step{{Kind: Shell, Text: s[1:]}}, nil
	}
	line := strings.TrimPrefix(strings.TrimSpace(s), ":")
	name, _, _ := strings.Cut(line, " ")
	if slices.Contains(names.Words, name) {
		return []Step{{Kind: Line, Text: line}}, nil
	}
	var keys []string
	for _, field := range strings.Fields(s) {
		if key, ok := names.Key(field); ok {
			keys = append(keys, key)
			continue
		}
		if near := wording.Nearest(name, names.Words); near != "" && len(keys) == 0 {
			return nil, fmt.Errorf("there is no command %q. Nearest: %s", name, near)
		}
		return nil, fmt.Errorf("%q is neither a key nor a command", field)
	}
	return Keys(keys), nil
}

// list reads keys, words and programs.
func list(values []any, names Names) (Macro, error) {
	var m Macro
	var said []string
	for _, v := range values {
		switch v := v.(type) {
		case string:
			steps, err := word(v, names)
			if err != nil {
				return Macro{}, err
			}
			m.Steps, said = append(m.Steps, steps...), append(said, v)
		case []any:
			step := Step{Kind: Program}
			for _, arg := range v {
				word, ok := arg.(string)
				if !ok {
					return Macro{}, fmt.Errorf("%v: the arguments of a program must be strings", arg)
				}
				step.Argv = append(step.Argv, word)
			}
			if err := argv.Check(step.Argv); err != nil {
				return Macro{}, err
			}
			m.Steps, said = append(m.Steps, step), append(said, strings.Join(step.Argv, " "))
		default:
			return Macro{}, fmt.Errorf("%v: a macro consists of strings and of lists of strings", v)
		}
	}
	m.Text = strings.Join(said, "; ")
	return m, nil
}
