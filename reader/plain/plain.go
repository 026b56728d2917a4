// Package plain makes foreign text plain and bounded; everybody may use it.
//
// Call Line for anything that is shown on one row (titles, names, addresses in
// messages), Text where lines matter, FromHTML where the source is markup, and
// HTML for markup that will be laid out later. Everything that came from
// outside passes through one of these when it is taken in, and again at every
// way out: text can be decoded once more in between, and the last decode is
// the one that counts.
//
// All functions are pure, safe for concurrent use, never panic and run in time
// linear in their input.
package plain

import (
	"net/url"
	"strings"
)

// Line returns s as one line of plain text of at most max bytes (max <= 0: no
// limit), cut at a grapheme boundary.
//
// White space of any kind (line and paragraph separators and the no-break space
// included) is folded to single spaces and trimmed. Terminal escape sequences,
// control characters, bidirectional overrides, embeddings and isolates, tag
// characters, zero-width characters, soft hyphens, byte order marks,
// noncharacters and invalid UTF-8 are removed. C1 controls become the glyph
// windows-1252 has at that place, because in honest feeds they are mis-decoded
// quotes and dashes. A zero-width joiner stays only between two pictographs, a
// zero-width non-joiner only between letters of Arabic and Indic scripts that would be
// drawn joined without it, and a base keeps at most 8 combining marks.
//
// Line is idempotent. Clean input is returned as it is, without allocating.
func Line(s string, max int) string {
	if !isClean(s, false) {
		s = clean(s, false)
	}
	return cut(s, max, true)
}

// Text is Line for text of several lines: "\n" and "\t" stay, every kind of
// line break becomes "\n", other white space becomes a space, and neither is
// folded or trimmed, so that indentation survives. It is idempotent and
// returns clean input as it is, without allocating.
func Text(s string, max int) string {
	if !isClean(s, true) {
		s = clean(s, true)
	}
	return cut(s, max, false)
}

// HTML returns markup of at most max bytes (max <= 0: no limit) in which
// nothing that Text removes is left, neither as a character nor as a numeric
// character reference that would become one after any number of decodes
// ("&amp;#27;", "&#x26;#27;", "&&#35;27;"), and nothing that would act where it
// is shown: no scripts, style sheets, drawings, comments or unknown elements, no
// event handlers or attributes that are not known to be harmless, no
// "javascript:" or other address that is none, no style that reaches outside.
// What is kept is kept byte for byte, but a "<" that begins no tag is escaped. A
// cut never falls inside a tag or a reference. HTML is idempotent.
func HTML(s string, max int) string {
	if !isClean(s, true) {
		s = clean(s, true)
	}
	return cutHTML(disarm(safe(s)), max)
}

// FromHTML returns the text a user would read in a piece of HTML, of at most
// max bytes (max <= 0: no limit). References are decoded once, scripts, styles
// and comments dropped, white space folded except in <pre>, blocks separated by
// line breaks, images replaced by their alternative text. The result is
// sanitised as Text does, after the decoding. Only a tokenizer runs over the
// input, never a tree builder, so that time is linear and nesting costs
// nothing; input beyond 4 MB is not read.
func FromHTML(s string, max int) string {
	text, _ := WholeFromHTML(s, max)
	return text
}

// WholeFromHTML is FromHTML, and says whether it is all of the text.
func WholeFromHTML(s string, max int) (text string, whole bool) {
	text = fromHTML(s, max)
	return cut(text, max, true), max <= 0 || len(text) <= max
}

// LeadText is the beginning of a text, most bytes of it, without markup. What it gives,
// escaped as HTML, gives the same again.
func LeadText(html, summary string, most int) string {
	if html == "" {
		html = summary
	}
	if len(html) > 8*most {
		html = html[:8*most] // markup is rarely more than that; the rest is not read
	}
	return FromHTML(html, most)
}

// Redacted reports whether a secret that Secrets has found is what Redact left of
// it, or ends in that.
func Redacted(secret string) bool {
	return strings.HasSuffix(secret, hidden) || strings.HasSuffix(strings.ToUpper(secret), url.QueryEscape(hidden))
}

// Argument returns s as a shell takes it for one word, and one that does nothing
// else: redacted, and quoted where it has more than the plainest characters. It is
// for the commands that are printed to be copied, with addresses of strangers in
// them. To redact it once more changes nothing.
func Argument(s string) string {
	s = Redact(s)
	for i := range len(s) {
		if b := s[i]; !isAlnum(b) && strings.IndexByte("%+,-./:@_~", b) < 0 || s[0] == '~' {
			return ShellQuote(s)
		}
	}
	return s
}

// ShellQuote returns s as one word of a shell, in single quotes.
func ShellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Lines makes each line of a list plain; an absent list is empty, not nil.
func Lines(list []string) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, Line(s, 0))
	}
	return out
}
