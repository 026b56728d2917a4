package kind

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A quotation is recognised by its signs: marks around it, or a dash and a name behind its
// last sentence.

const (
	quoteWords  = 60 // of a quotation at most
	sourceWords = 6  // of who said it
	marks       = "\"“”„«»「」『』‹›"
)

// Quotation reports whether a text is what somebody said, with or without the name.
func Quotation(text string) bool {
	if n := len(strings.Fields(text)); n > quoteWords || text == "" {
		return false
	}
	if r, n := utf8.DecodeRuneInString(text); strings.ContainsRune(marks, r) {
		at := strings.LastIndexAny(text[n:], marks)
		if at < 0 {
			return false
		}
		said, source := text[n:n+at], text[n+at:]
		least := 2
		if strings.ContainsFunc(source, unicode.IsLetter) {
			least = 1
		}
		return (len(strings.Fields(said)) > least || strings.ContainsFunc(said, Unspaced)) && len(strings.Fields(source)) <= sourceWords
	}
	for _, dash := range []string{" - ", " – ", " — ", "—", " ("} {
		said, source, ok := cutLast(text, dash)
		if dash == " (" {
			if source, ok = strings.CutSuffix(source, ")"); !ok {
				continue
			}
		}
		if !ok || source == "" || len(strings.Fields(source)) > sourceWords-2 || HasDigit(source) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(said))
		first, _ := utf8.DecodeRuneInString(source)
		return strings.ContainsRune(".!?…", last) && unicode.IsLetter(first)
	}
	return false
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
