package search

import (
	"bytes"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"diurna/reader/words"
)

// What a pattern asks for is no word, but where it has letters in it, a text that fits has
// words with these letters. Of the texts that lack them none is read.

// Within asks for a word in which letters stand, in one of the fields. It does not count
// for the Score.
type Within struct {
	Letters string // of ASCII, folded
	In      Fields
}

// mustHave is what all texts have in which a pattern is found; nil if that is not known.
func mustHave(pattern string, in Fields) Expr {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	return mustHaveOf(re, in)
}

func mustHaveOf(re *syntax.Regexp, in Fields) Expr {
	switch re.Op {
	case syntax.OpLiteral:
		return ofLetters(string(re.Rune), in)
	case syntax.OpCapture, syntax.OpPlus:
		return mustHaveOf(re.Sub[0], in)
	case syntax.OpRepeat:
		if re.Min > 0 {
			return mustHaveOf(re.Sub[0], in)
		}
	case syntax.OpConcat:
		var all All
		for _, sub := range re.Sub {
			if e := mustHaveOf(sub, in); e != nil {
				all = append(all, e)
			}
		}
		if len(all) > 0 {
			return all
		}
	case syntax.OpAlternate:
		var anyOf Any
		for _, sub := range re.Sub {
			e := mustHaveOf(sub, in)
			if e == nil {
				return nil
			}
			anyOf = append(anyOf, e)
		}
		return anyOf
	}
	return nil
}

// ofLetters is what a text has in which characters stand side by side. Only those of ASCII
// are looked at: what they fold into, and where words end at them, hangs on nothing beside
// them.
func ofLetters(text string, in Fields) Expr {
	var all All
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		// The first word may begin before the part.
		inner := strings.TrimLeftFunc(part, isLetter)
		if head := part[:len(part)-len(inner)]; head != "" {
			all = append(all, Within{strings.ToLower(head), in})
		}
		if p := words.PhraseOf(inner, inner != "" && isLetter(rune(inner[len(inner)-1]))); !p.Empty() {
			all = append(all, Not{Not{&Phrase{p, in}}}) // so that it does not count for the Score
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

func isLetter(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

func (w Within) eval(f *finder, among set) (set, error) {
	out := make(set, len(among))
	if !slices.ContainsFunc(among, func(w uint64) bool { return w != 0 }) {
		return out, nil
	}
	letters := []byte(w.Letters)
	f.freqs.reset(f.v.table.len(), w.In)
	err := f.v.countTerms("", true, &f.freqs, func(term []byte) bool {
		return len(term) >= maxTerm || bytes.Contains(term, letters) // of the longest words not all letters are there
	})
	if err != nil {
		return nil, err
	}
	for doc := range f.freqs.any.each {
		if among.has(doc) {
			out.add(doc)
		}
	}
	return out, nil
}
