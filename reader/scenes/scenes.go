// Package scenes holds pages of our own making with scripted changes, each
// labelled as news or noise, to measure what a watch reports. All reads the
// embedded ones; Play serves one. Only tests use it.
//
// The folders of fresh/ hold pages that were labelled before they were run, by
// somebody who had not read the rules: they measure new kinds of pages.
//
// A file is a scene: "lang XX", the page, a line "==", its steps.
// In the page {{name=text}} is a slot that steps set, {{name}} repeats it, and
// {{+3 1200}} (a count that goes on by 3), {{pick a|b|c}} (by turns),
// {{rand 5 40}}, {{hash 12}} and {{now 15:04}} read differently at each fetch.
// A step is one line, what comes after it stays:
//
//	news PLACE: slot=text && old text => new text
//	noise PLACE: ...
//	trouble STATE [STATUS]: the body that is served instead, once
//
// Each old text is exactly once in the page at that step. A noise step
// without edits is one more fetch.
package scenes

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strconv"
	"strings"
)

//go:embed pages/*.txt
var embedded embed.FS

// Kind says what a step does to its page.
type Kind uint8

// The kinds of step.
const (
	News    Kind = iota // a reader wants to know of it
	Noise               // a reader does not
	Trouble             // something else is served in the page's place, once
)

// String returns the word that opens such a step.
func (k Kind) String() string { return [...]string{"news", "noise", "trouble"}[k] }

// Step is one scripted change.
type Step struct {
	Kind  Kind
	Place string // what changes; of trouble: the state expected
	Line  int    // of its file

	status int
	body   string
	edits  [][2]string // old and new text; a slot is "{{name" and its text
}

// Scene is a page with its steps.
type Scene struct {
	Name, Lang string
	page       string
	Steps      []Step
}

// Address is where the scene's page is served: each has a host of its own.
func (s *Scene) Address() string { return "https://" + s.Name + ".example/" }

// All returns the embedded scenes by name.
func All() ([]Scene, error) {
	sub, err := fs.Sub(embedded, "pages")
	if err != nil {
		return nil, fmt.Errorf("open the embedded pages: %w", err)
	}
	return Read(sub)
}

// Read returns the scenes of the *.txt files of a folder, by name. It plays
// each once, so that a step whose text does not fit its page is an error.
func Read(files fs.FS) ([]Scene, error) {
	names, err := fs.Glob(files, "*.txt")
	if err != nil {
		return nil, fmt.Errorf("list the scenes: %w", err)
	}
	sort.Strings(names)
	var out []Scene
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read a scene: %w", err)
		}
		s, err := parse(strings.TrimSuffix(path.Base(name), ".txt"), string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		p := Play{Scene: &s}
		for p.Next() {
			if p.err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, p.Step.Line, p.err)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// parse reads one file.
func parse(name, text string) (Scene, error) {
	s := Scene{Name: name}
	in := bufio.NewScanner(strings.NewReader(text))
	in.Buffer(nil, 1<<20)
	line, steps := 0, false
	var page strings.Builder
	for in.Scan() {
		line++
		l := in.Text()
		lang, head := strings.CutPrefix(l, "lang ")
		switch {
		case s.Lang == "" && head:
			s.Lang = lang
		case !steps && l == "==":
			steps = true
		case !steps:
			page.WriteString(l + "\n")
		case strings.TrimSpace(l) != "" && !strings.HasPrefix(l, "#"):
			step, err := parseStep(l)
			if err != nil {
				return s, fmt.Errorf("line %d: %w", line, err)
			}
			step.Line = line
			s.Steps = append(s.Steps, step)
		}
	}
	s.page = page.String()
	if s.Lang == "" || len(s.Steps) == 0 {
		return s, fmt.Errorf("no language or no steps")
	}
	return s, in.Err()
}

func parseStep(line string) (Step, error) {
	head, rest, ok := strings.Cut(line, ":")
	kind, place, ok2 := strings.Cut(head, " ")
	s := Step{Place: place}
	if !ok || !ok2 {
		return s, fmt.Errorf("%q is not a step", line)
	}
	rest = strings.TrimSpace(rest)
	switch kind {
	case "news":
	case "noise":
		s.Kind = Noise
	case "trouble":
		s.Kind, s.status, s.body = Trouble, 200, rest
		if state, code, ok := strings.Cut(place, " "); ok {
			s.Place = state
			var err error
			if s.status, err = strconv.Atoi(code); err != nil {
				return s, fmt.Errorf("status: %w", err)
			}
		}
		return s, nil
	default:
		return s, fmt.Errorf("%q is not a kind of step", kind)
	}
	if rest == "" {
		return s, nil
	}
	for _, e := range strings.Split(rest, " && ") {
		if old, text, ok := strings.Cut(e, " =>"); ok {
			s.edits = append(s.edits, [2]string{old, strings.TrimPrefix(text, " ")})
			continue
		}
		slot, text, ok := strings.Cut(e, "=")
		if !ok {
			return s, fmt.Errorf("%q is not an edit", e)
		}
		s.edits = append(s.edits, [2]string{"{{" + slot, text})
	}
	return s, nil
}
