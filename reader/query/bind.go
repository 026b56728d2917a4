package query

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"diurna/reader/links"
	"diurna/reader/model"
	"diurna/reader/wording"
	"diurna/reader/words"
)

// bind makes what a term is asked with, and refuses what asks nothing.
func (p *parser) bind(t *term, at int) error {
	switch t.kind {
	case isToday:
		t.at = wording.Midnight(p.now).Unix()
	case isNewer, isOlder:
		t.at = t.when.time(p.now).Unix()
	case isPattern:
		return p.compile(t, at)
	case isWords:
		return p.bindWords(t, at)
	}
	return nil
}

func (p *parser) bindWords(t *term, at int) error {
	switch t.field {
	case Tag:
		for name := model.TagName(t.text); name != t.text; name = model.TagName(t.text) {
			t.text = name
		}
		if t.text == "" {
			return p.wrong(at, "%s is not a tag", quoted(p.s[at:p.at]))
		}
		t.folded = words.Fold(t.text)
		return nil
	case LinksTo:
		if t.sought = links.Seek(t.text, t.open); t.sought == "" {
			return p.unfinished(at, "%s: needs an address or a host, such as sea.example/ferries", fieldNames[t.field])
		}
		return nil
	case Feed:
		t.open = false // a part of a title is enough
		fallthrough
	case Folder:
		t.folded = strings.TrimSpace(words.Fold(t.text))
		if t.field == Folder {
			t.folded = strings.Trim(t.folded, "/")
		}
		if t.folded == "" {
			return p.wrong(at, "%s: needs a name", fieldNames[t.field])
		}
		return nil
	}
	if p.looked++; p.looked > maxPhrases {
		return p.wrong(at, "a query may have at most %d words and phrases", maxPhrases)
	}
	if t.phrase = words.PhraseOf(t.text, t.open); t.phrase.Empty() {
		if slices.Contains(newsboatSigns, p.s[at:p.at]) {
			return p.wrong(at, "%s is an operator of newsboat's filters; diurna query --newsboat translates one", p.s[at:p.at])
		}
		return p.wrong(at, "this has no letter or digit; /%s/ searches for punctuation", escapeSlashes(regexp.QuoteMeta(t.text)))
	}
	return nil
}

// Bounds of a pattern: each byte of a text may cost as much as there are states. Of
// one with more than freeStates only the first maxSteps / states bytes of a text are
// looked at.
const (
	maxPattern = 1000 // bytes
	maxStates  = 500
	freeStates = 40
	maxSteps   = 1_000_000
)

// patternTerm reads /PATTERN/ or /PATTERN/i.
func (p *parser) patternTerm(t *term) error {
	open := p.at
	for p.at++; p.at < len(p.s) && p.s[p.at] != '/'; p.at++ {
		if p.s[p.at] == '\\' && p.at+1 < len(p.s) {
			p.at++
		}
	}
	end := wordEnd(p.s, open)
	if p.at >= len(p.s) {
		p.at = len(p.s)
		return p.unfinished(open, "this / is not closed (as words: %s)", quoted(p.s[open:end]))
	}
	t.kind, t.text = isPattern, strings.ReplaceAll(p.s[open+1:p.at], `\/`, `/`)
	p.at++
	if p.at < len(p.s) && p.s[p.at] == 'i' {
		t.fold = true
		p.at++
	}
	switch {
	case t.text == "":
		return p.wrong(open, "there is nothing between the slashes")
	case p.at < len(p.s) && wordEnd(p.s, p.at) > p.at:
		return p.wrong(p.at, "only i may follow a pattern (as words: %s)", quoted(p.s[open:max(end, p.at)]))
	}
	return nil
}

// compile checks a pattern and its size.
func (p *parser) compile(t *term, at int) error {
	if p.patterns++; p.patterns > maxPatterns {
		return p.wrong(at, "a query may have at most %d patterns", maxPatterns)
	}
	if len(t.text) > maxPattern {
		return p.wrong(at, "a pattern may have at most %d bytes", maxPattern)
	}
	source := t.text
	if t.fold {
		source = "(?i)" + source
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		// The place within the query, if what is wrong stands there once.
		i := strings.Index(p.s[at:p.at], wrong.Expr)
		return p.wrong(at+max(0, i), "%s in the pattern", wrong.Code)
	}
	if err != nil {
		return p.wrong(at, "invalid pattern")
	}
	program, err := syntax.Compile(tree.Simplify())
	if err == nil {
		if p.states += len(program.Inst); p.states > maxStates {
			err = errors.ErrUnsupported
		}
		if n := len(program.Inst); n > freeStates {
			t.reach = maxSteps / n
		}
	}
	if err == nil {
		t.re, err = regexp.Compile(source)
	}
	if err != nil {
		return p.wrong(at, "the pattern is too large")
	}
	return nil
}

// escapeSlashes writes a pattern so that it can stand between slashes.
func escapeSlashes(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			b.WriteByte('\\')
			i++
			b.WriteByte(text[i])
		case text[i] == '/':
			b.WriteString(`\/`)
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// otherNames are what people call a field elsewhere.
var otherNames = map[string]string{
	"content": "text:", "body": "text:", "contains": "text:", "subject": "title:", "by": "author:", "from": "author:", "source": "feed:", "feedtitle": "feed:",
	"url": "link:, linksto: or address:", "href": "linksto:", "links": "linksto:", "to": "linksto:", "site": "address:", "rssurl": "address:", "feedurl": "address:", "label": "tag:", "tags": "tag:", "category": "tag: or folder:",
	"since": "newer:", "after": "newer:", "age": "newer: or older:", "date": "newer: or older:", "before": "older:", "until": "older:", "words": "longer: or shorter:", "length": "longer: or shorter:",
	"saved": "query: or saved", "filter": "query:",
	"is": "unread, read, saved, changed", "state": "unread, read, saved, changed",
}

// FieldNames are the words that may stand before a colon, in their order in the help.
func FieldNames() []string {
	names := []string{}
	for _, f := range []Field{Title, Author, Feed, Folder, Tag, Text, Link, LinksTo, Address} {
		names = append(names, fieldNames[f])
	}
	names = append(names, savedName)
	for _, k := range []termKind{isNewer, isOlder, isLonger, isShorter} {
		names = append(names, valueNames[k])
	}
	return names
}

// StateNames are the words that are states.
func StateNames() []string {
	names := []string{}
	for _, k := range []termKind{isUnread, isRead, isSaved, isChanged, isMuted, isToday} {
		names = append(names, stateNames[k])
	}
	return names
}

// unknown refuses a field that is none, with the one that was probably meant.
func (p *parser) unknown(name string, at, end int) error {
	near := otherNames[strings.ToLower(name)]
	if n := wording.Nearest(name, FieldNames()); near == "" && n != "" {
		near = n + ":"
	}
	if end < len(p.s) && p.s[end] == '"' {
		end = at + len(name) + 1
	}
	as := quoted(p.s[at:end])
	if near == "" {
		return p.wrong(at, "%s: is not a field (as words: %s)", name, as)
	}
	return p.wrong(at, "%s: is not a field. Nearest: %s (as words: %s)", name, near, as)
}
