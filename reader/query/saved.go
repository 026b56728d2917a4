package query

import (
	"slices"
	"strings"

	"diurna/reader/wording"
	"diurna/reader/words"
)

// Named is a query that was saved under a name: query:NAME stands for it.
type Named struct {
	Name  string `json:"name"`
	Query string `json:"query"`
}

// Key is what two spellings of one name share: letter case and accents make no
// difference, and a dash is a space, so that no name needs quotes in a shell.
func Key(name string) string {
	return strings.Join(strings.FieldsFunc(words.Fold(name), func(r rune) bool { return r == ' ' || r == '-' }), "-")
}

// Find returns the saved query of a name, nil if there is none.
func Find(names []Named, name string) *Named {
	key := Key(name)
	for i := range names {
		if Key(names[i].Name) == key {
			return &names[i]
		}
	}
	return nil
}

// Reference is the part of a query that asks for a saved one.
func Reference(name string) string {
	if plainValue(name) {
		return savedName + ":" + name
	}
	return savedName + ":" + quoted(name)
}

// Mentions reports whether a text may ask for a saved query, so that Parse needs the
// names.
func Mentions(text string) bool { return strings.Contains(strings.ToLower(text), savedName+":") }

// savedName is the word before the colon.
const savedName = "query"

// maxSaved bounds how many saved queries are read for one: they may stand in each
// other.
const maxSaved = 100

// saved is what a parser knows of saved queries.
type saved struct {
	names  []Named
	within []string // keys of those that are being read, the outermost first
	read   int      // how many were
	asked  []part   // where the text itself asks for one
	any    bool     // every name will do
}

// part is where query:NAME stands.
type part struct {
	from, to int
	name     string
}

// namesSaved reports whether query: follows.
func (p *parser) namesSaved() bool {
	name, ok := fieldName(p.s[p.at:])
	return ok && strings.EqualFold(name, savedName)
}

// savedQuery reads query:NAME, and what it stands for.
func (p *parser) savedQuery() (*node, error) {
	at := p.at
	p.at += len(savedName) + 1
	name := ""
	if p.at < len(p.s) && p.s[p.at] == '"' {
		var t term
		if err := p.phrase(&t); err != nil {
			return nil, err
		}
		name = t.text
	} else {
		from := p.at
		p.at = wordEnd(p.s, p.at)
		name = p.s[from:p.at]
	}
	if Key(name) == "" {
		return nil, p.unfinished(at, "query: needs the name of a saved query")
	}
	p.saved.asked = append(p.saved.asked, part{at, p.at, name})
	if p.saved.any {
		return Unread().root, nil
	}
	q := Find(p.saved.names, name)
	if q == nil {
		return nil, p.noSaved(at, name)
	}
	return p.expand(q, at)
}

// noSaved refuses a name that no saved query has.
func (p *parser) noSaved(at int, name string) error {
	keys, of := []string{}, map[string]string{}
	for _, n := range p.saved.names {
		keys, of[Key(n.Name)] = append(keys, Key(n.Name)), n.Name
	}
	if near := wording.Nearest(Key(name), keys); near != "" {
		return p.unfinished(at, "there is no saved query %s. Nearest: %s", quoted(name), Reference(of[near]))
	}
	return p.unfinished(at, "there is no saved query %s", quoted(name))
}

// expand reads a saved query in the place of its name.
func (p *parser) expand(q *Named, at int) (*node, error) {
	key := Key(q.Name)
	if slices.Contains(p.saved.within, key) {
		return nil, p.wrong(at, "%s refers to itself", Reference(q.Name))
	}
	if p.saved.read++; p.saved.read > maxSaved {
		return nil, p.wrong(at, "a query may refer to at most %d saved queries, nested ones included", maxSaved)
	}
	inner := parser{s: q.Query, now: p.now, depth: p.depth, patterns: p.patterns, saved: p.saved}
	inner.saved.within, inner.saved.asked = append(slices.Clip(p.saved.within), key), nil
	root, err := inner.whole()
	p.patterns, p.saved.read = inner.patterns, inner.saved.read
	switch {
	case err != nil && len(p.saved.within) > 0:
		return nil, err // the outermost is named with the reason
	case err != nil:
		return nil, p.wrong(at, "%s: %s", Reference(q.Name), err)
	}
	if root == nil {
		return nil, p.wrong(at, "%s is empty", Reference(q.Name))
	}
	return root, nil
}

// Renamed returns a query in which a saved one has another name; asks is false where it
// asks for none of that name. What is not understood stays as it is.
func Renamed(text, old, name string) (out string, asks bool) {
	p := parser{s: text, saved: saved{any: true}}
	if _, err := p.whole(); err != nil {
		return text, false
	}
	for _, at := range slices.Backward(p.saved.asked) {
		if Key(at.name) == Key(old) {
			text, asks = text[:at.from]+Reference(name)+text[at.to:], true
		}
	}
	return text, asks
}
