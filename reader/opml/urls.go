package opml

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"diurna/reader/plain"
)

// parseURLs reads newsboat's urls grammar.
func parseURLs(src []byte) List {
	var l List
	left := 0
	for n := 1; len(src) > 0; n++ {
		var raw []byte
		raw, src, _ = bytes.Cut(src, []byte{'\n'})
		tokens, open := tokenize(string(raw))
		if len(tokens) == 0 {
			continue
		}
		if len(l.Feeds)+len(l.Queries)+len(l.Refused) >= MaxFeeds {
			left++
			continue
		}
		l.Cut = l.Cut || open
		if rest, ok := strings.CutPrefix(tokens[0], "query:"); ok {
			name, expr, _ := strings.Cut(rest, ":")
			l.Queries = append(l.Queries, Query{Name: line(name), Expr: line(expr), Line: n, Open: open})
			continue
		}
		f, r := urlsLine(tokens)
		f.Line, r.Line = n, n
		switch {
		case r.Why != "" && open: // what is wrong with a line is said once
			r.Why += ", and " + NotClosed
			fallthrough
		case r.Why != "":
			r.Text = line(tokens[0])
			l.Refused = append(l.Refused, r)
		default:
			if open {
				l.Problems = append(l.Problems, fmt.Sprintf("line %d: %s", n, NotClosed))
			}
			l.Feeds = append(l.Feeds, f)
		}
	}
	if left > 0 {
		l.Problems, l.Cut = append(l.Problems, tooMany(left)), true
	}
	return l
}

// urlsLine reads the words of one line. Refused.Why is set when it is no feed.
func urlsLine(tokens []string) (f Outline, r Refused) {
	for _, t := range tokens[1:] {
		switch {
		case strings.HasPrefix(t, "~"):
			if f.Title == "" {
				f.Title = line(t[1:])
			}
			continue
		case strings.HasPrefix(t, "!"):
			f.Hidden = true
			// "!" and "!hidden" say no more than that; "!work" is also a name.
			if t = t[1:]; t == "hidden" {
				continue
			}
		}
		if t = tagName(t); t != "" && len(f.Tags) < maxTags && !slices.Contains(f.Tags, t) {
			f.Tags = append(f.Tags, t)
		}
	}
	r.Title, r.Tags = f.Title, f.Tags
	if r.Why, r.Command, r.URL = programOf(tokens[0]); r.Why != "" {
		return f, r
	}
	if rest, ok := strings.CutPrefix(tokens[0], "|"); ok {
		r.Why, r.Command = whyCommand, line(rest)
		return f, r
	}
	var ok bool
	if f.URL, ok = plain.URL(tokens[0]); !ok {
		r.Why = whyAddress
	}
	return f, r
}

// tokenize splits a line into words as newsboat does: at blanks, "" around words
// with blanks in them, backslashes meaning something only there, and # beginning a
// comment where a word would begin. open tells that the last quote has no end.
func tokenize(s string) (tokens []string, open bool) {
	const blanks = " \t\r\n\f\v"
	s = strings.TrimPrefix(s, "\ufeff")
	for {
		s = strings.TrimLeft(s, blanks)
		switch {
		case s == "" || s[0] == '#':
			return tokens, false
		case s[0] != '"':
			end := strings.IndexAny(s, blanks)
			if end < 0 {
				end = len(s)
			}
			tokens, s = append(tokens, s[:end]), s[end:]
			continue
		}
		var t string
		if t, s, open = unquote(s[1:]); open {
			return append(tokens, t), true
		}
		tokens = append(tokens, t)
	}
}

// unquote reads up to the closing quote and gives what is behind it.
func unquote(s string) (t, rest string, open bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:], false
		case '\\':
			if i++; i == len(s) {
				return b.String(), "", true
			}
			switch s[i] {
			case 'n', 'r', 't':
				b.WriteByte(' ')
			default:
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), "", true
}

// looksLikeURLs tells whether the first line that says anything is one of newsboat's.
func looksLikeURLs(head []byte) bool {
	for len(head) > 0 {
		var raw []byte
		raw, head, _ = bytes.Cut(head, []byte{'\n'})
		tokens, _ := tokenize(string(raw))
		if len(tokens) == 0 {
			continue
		}
		for _, scheme := range []string{"http://", "https://", "query:", "exec:", "filter:", "file://"} {
			if strings.HasPrefix(strings.ToLower(tokens[0]), scheme) {
				return true
			}
		}
		return false
	}
	return false
}

// appendURLs writes l in newsboat's grammar.
func appendURLs(out []byte, l List) []byte {
	for _, q := range l.Queries {
		if q.Own {
			continue
		}
		name := strings.ReplaceAll(line(q.Name), ":", " ")
		out = appendToken(out, "query:"+name+":"+line(q.Expr), true)
		out = append(out, '\n')
	}
	for _, f := range l.Feeds {
		address, ok := plain.URL(f.URL)
		if !ok { // never pass on what newsboat might run
			continue
		}
		out = appendToken(out, address, false)
		tags := f.Tags
		if f.Folder != "" && !slices.Contains(tags, f.Folder) {
			tags = append([]string{f.Folder}, tags...)
		}
		for _, t := range tags {
			// ~ and ! in front would make it a title or a mark.
			if t = strings.TrimLeft(tagName(t), "~! "); t != "" {
				out = appendToken(append(out, ' '), t, false)
			}
		}
		if t := line(f.Title); t != "" {
			out = appendToken(append(out, ' '), "~"+t, true)
		}
		if f.Hidden {
			out = append(out, ` "!hidden"`...)
		}
		out = append(out, '\n')
	}
	return out
}

// appendToken writes one word, quoted where it must be or where always says so.
func appendToken(out []byte, s string, always bool) []byte {
	if !always && !strings.ContainsAny(s, " \t\"\\") && !strings.HasPrefix(s, "#") {
		return append(out, s...)
	}
	out = append(out, '"')
	for i := 0; i < len(s); i++ {
		if s[i] == '"' || s[i] == '\\' {
			out = append(out, '\\')
		}
		out = append(out, s[i])
	}
	return append(out, '"')
}

// Words splits a line of newsboat's files into its words, as newsboat does.
func Words(line string) []string {
	tokens, _ := tokenize(line)
	return tokens
}
