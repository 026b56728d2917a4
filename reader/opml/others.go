package opml

import (
	"bytes"
	"slices"
	"strings"

	"diurna/reader/plain"
)

// The lists of readers that are neither OPML nor newsboat's. What would run a program
// or needs a shell to be understood is refused.

const (
	whyShell   = "it contains a variable or a command substitution, and diurna runs no shell"
	ownPeriods = "periods of reloading are not taken: diurna plans its fetches itself"
)

// sniffOther tells newsraft's list of feeds and sfeed's sfeedrc from the rest.
func sniffOther(head []byte) string {
	section, feed := false, false
	for raw := range bytes.Lines(head) {
		line := strings.TrimSpace(string(raw))
		first, _, _ := strings.Cut(line, " ")
		section = section || strings.HasPrefix(line, "@")
		feed = feed || strings.HasPrefix(line, "http")
		switch {
		case section && feed, strings.HasPrefix(line, "$("):
			return "newsraft"
		case first == "feeds()", first == "feed" && strings.Contains(line, "://"):
			return "sfeed"
		}
	}
	return ""
}

// ParseNewsraft reads newsraft's list: an address or a command on each line, a name in
// quotes behind it, and sections that begin with @. The error is ErrTooLarge.
func ParseNewsraft(b []byte) (List, error) {
	if len(b) > MaxBytes {
		return List{}, ErrTooLarge
	}
	var l List
	folder, n, left, periods := "", 0, 0, false
	for raw := range bytes.Lines(decode(b)) {
		n++
		text := strings.TrimSpace(string(raw))
		switch {
		case text == "" || text[0] == '#':
			continue
		case text[0] == '@':
			name, _, more := cutAny(text[1:], "{<")
			periods = periods || more
			if folder = strings.ReplaceAll(line(strings.TrimSpace(name)), "/", "∕"); folder == "Global" {
				folder = ""
			}
			continue
		}
		if l.full() {
			left++
			continue
		}
		end := strings.IndexAny(text, " \t")
		if strings.HasPrefix(text, "$(") {
			end = strings.LastIndexByte(text, ')') + 1
		}
		if end <= 0 {
			end = len(text)
		}
		address, rest := text[:end], text[end:]
		title, set := "", rest
		if _, quoted, ok := strings.Cut(rest, `"`); ok {
			title, set, _ = strings.Cut(quoted, `"`)
		}
		periods = periods || strings.ContainsAny(set, "{<")
		if command, ok := strings.CutPrefix(address, "$("); ok {
			l.Refused = append(l.Refused, Refused{Line: n, Text: line(address), Why: whyCommand, Command: line(strings.TrimSuffix(command, ")")), Title: line(title)})
			continue
		}
		l.add(Outline{URL: address, Title: line(title), Folder: folder, Line: n})
	}
	if periods {
		l.Problems = append(l.Problems, ownPeriods)
	}
	return l.ended(left), nil
}

// ParseSfeed reads the calls of feed in sfeed's sfeedrc, which is a shell's script: name,
// address and, as the site, the base of links. The error is ErrTooLarge.
func ParseSfeed(b []byte) (List, error) {
	if len(b) > MaxBytes {
		return List{}, ErrTooLarge
	}
	var l List
	n, left, other := 0, 0, ""
	var long string // of lines that end in a backslash
	for raw := range bytes.Lines(decode(b)) {
		n++
		text := strings.TrimRight(string(raw), "\r\n")
		if cut, ok := strings.CutSuffix(text, `\`); ok && len(long) < 1<<16 {
			long += cut
			continue
		}
		text, long = strings.TrimSpace(long+text), ""
		words, open := shellWords(text)
		switch {
		case len(words) == 0:
		case other != "":
			if words[0].text == "}" {
				other = ""
			}
		case strings.HasSuffix(words[0].text, "()"):
			if words[0].text != "feeds()" {
				if !strings.HasSuffix(text, "}") {
					other = words[0].text
				}
				l.Problems = append(l.Problems, "its function "+line(words[0].text)+" is not taken: diurna runs no shell")
			}
		case words[0].text != "feed":
		case l.full():
			left++
		case open || len(words) < 3 || slices.ContainsFunc(words, func(w word) bool { return w.expands }):
			why := whyShell
			if open || len(words) < 3 {
				why = "feed needs a name and an address"
			}
			l.Refused = append(l.Refused, Refused{Line: n, Text: line(text), Why: why})
		default:
			f := Outline{URL: words[2].text, Title: line(words[1].text), Line: n}
			if len(words) > 3 {
				f.Site, _ = plain.URL(words[3].text)
			}
			l.add(f)
		}
	}
	return l.ended(left), nil
}

func (l *List) full() bool { return len(l.Feeds)+len(l.Refused) >= MaxFeeds }

// add takes a feed, or refuses what has no address of one.
func (l *List) add(f Outline) {
	address, ok := plain.URL(f.URL)
	if !ok {
		l.Refused = append(l.Refused, Refused{Line: f.Line, Text: line(f.URL), Why: whyAddress, Title: f.Title})
		return
	}
	f.URL = address
	l.Feeds = append(l.Feeds, f)
}

// ended is the list with what is said of entries that were left out.
func (l *List) ended(left int) List {
	if left > 0 {
		l.Problems, l.Cut = append(l.Problems, tooMany(left)), true
	}
	return *l
}

// cutAny is strings.Cut at the first of some characters.
func cutAny(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// word is one of a shell's; expands: the shell would put something else in its place.
type word struct {
	text    string
	expands bool
}

// shellWords splits a line as a shell does, to the first ; or &; open: a quote has no end.
func shellWords(s string) (words []word, open bool) {
	for {
		s = strings.TrimLeft(s, " \t")
		if s == "" || strings.IndexByte("#;&|", s[0]) >= 0 {
			return words, false
		}
		var w word
		var b strings.Builder
		quote := byte(0)
		i := 0
		for ; i < len(s); i++ {
			c := s[i]
			if quote == 0 && strings.IndexByte(" \t;&|", c) >= 0 {
				break
			}
			switch {
			case c == quote:
				quote = 0
			case quote == '\'':
				b.WriteByte(c)
			case c == '\\' && i+1 < len(s):
				i++
				b.WriteByte(s[i])
			case quote == 0 && (c == '"' || c == '\''):
				quote = c
			default:
				w.expands = w.expands || c == '$' || c == '`' || quote == 0 && (c == '*' || c == '>' || c == '<')
				b.WriteByte(c)
			}
		}
		w.text, s = b.String(), s[i:]
		if words = append(words, w); quote != 0 {
			return words, true
		}
	}
}
