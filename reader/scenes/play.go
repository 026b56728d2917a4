package scenes

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Play is a scene in the course of its steps. Start with its Scene set; Now
// may be set before each fetch.
type Play struct {
	Scene *Scene
	Step  Step      // the step that the page is at
	Now   time.Time // what {{now}} shows

	page    string // with the edits so far; "" before the first step
	slots   map[string]string
	news    []string // words that news steps brought or took
	done    int
	fetches int
	err     error
}

// Next takes the next step; false after the last one.
func (p *Play) Next() bool {
	p.start()
	if p.done == len(p.Scene.Steps) {
		p.Step = Step{Kind: Noise, Place: "after the end"}
		return false
	}
	p.Step = p.Scene.Steps[p.done]
	p.done++
	for _, e := range p.Step.edits {
		if name, slot := strings.CutPrefix(e[0], "{{"); p.Step.Kind == News && slot {
			p.news = append(p.news, p.slots[name], e[1])
		} else if p.Step.Kind == News {
			p.news = append(p.news, tags.ReplaceAllString(e[0], " "), tags.ReplaceAllString(e[1], " "))
		}
		p.edit(e[0], e[1])
	}
	return true
}

func (p *Play) start() {
	if p.slots != nil {
		return
	}
	p.slots, p.page = map[string]string{}, p.Scene.page
	for _, m := range braces.FindAllStringSubmatch(p.page, -1) {
		if name, text, ok := strings.Cut(m[1], "="); ok {
			p.slots[name] = text
		}
	}
}

func (p *Play) edit(old, text string) {
	if name, ok := strings.CutPrefix(old, "{{"); ok {
		was, ok := p.slots[name]
		if !ok || was == text {
			p.err = fmt.Errorf("slot %q is missing or says %q already", name, text)
		}
		p.slots[name] = text
		return
	}
	if n := strings.Count(p.page, old); n != 1 {
		p.err = fmt.Errorf("%q stands %d times in the page", old, n)
		return
	}
	p.page = strings.Replace(p.page, old, text, 1)
}

// Serve is the answer to one fetch: a status and a body.
func (p *Play) Serve() (status int, body string) {
	p.start()
	p.fetches++
	if p.Step.Kind == Trouble {
		return p.Step.status, p.Step.body
	}
	n := 0
	return 200, braces.ReplaceAllStringFunc(p.page, func(m string) string {
		n++
		return p.value(strings.Trim(m, "{}"), n)
	})
}

// News reports whether one of two versions of a text holds what a news step
// brought or took and the other does not.
func (p *Play) News(old, text string) bool {
	old, text = plainWords(old), plainWords(text)
	for _, n := range p.news {
		if n = plainWords(n); n != "  " && strings.Contains(old, n) != strings.Contains(text, n) {
			return true
		}
	}
	return false
}

// plainWords are the words of a text with one space around each.
func plainWords(s string) string {
	return " " + strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ") + " "
}

var tags = regexp.MustCompile(`<[^>]*>`)

var braces = regexp.MustCompile(`\{\{([^}]*)\}\}`)

// value is what the n-th pair of braces shows now.
func (p *Play) value(text string, n int) string {
	if name, _, ok := strings.Cut(text, "="); ok {
		text = name
	}
	if v, ok := p.slots[text]; ok {
		return v
	}
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case word == "pick":
		list := strings.Split(rest, "|")
		return list[p.fetches%len(list)]
	case word == "now":
		return p.Now.Format(rest)
	case word == "hash":
		size, _ := strconv.Atoi(rest)
		s := ""
		for i := 0; len(s) < size; i++ {
			s += strconv.FormatUint(p.chance(n, i), 36)
		}
		return s[:size]
	case word == "rand":
		var from, to uint64
		_, _ = fmt.Sscan(rest, &from, &to)
		return strconv.FormatUint(from+p.chance(n, 0)%(to-from+1), 10)
	case strings.HasPrefix(word, "+"), strings.HasPrefix(word, "-"):
		by, _ := strconv.Atoi(word)
		from, _ := strconv.Atoi(rest)
		return strconv.Itoa(from + by*p.fetches)
	}
	return "?" + text
}

// chance is a number that follows from the scene, the fetch and the place.
func (p *Play) chance(n, i int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d %d %d", p.Scene.Name, p.fetches, n, i)
	return h.Sum64()
}
