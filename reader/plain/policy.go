package plain

import (
	"html"
	"strings"
)

// safe drops from markup what could act, load or hide something where it is
// shown later: elements that are no text, attributes that are not known to be
// harmless (no handler is), addresses of other schemes than those that name
// something, styles that reach outside. It walks over tags as browsers do
// (HTML Living Standard, 13.2.5) and touches no byte of what it keeps.
func safe(s string) string {
	w := policy{s: s}
	for i := 0; ; {
		j := strings.IndexByte(s[i:], '<')
		if j < 0 {
			break
		}
		i = w.construct(i + j)
	}
	if w.out == nil {
		return s
	}
	return string(append(w.out, s[w.done:]...))
}

// policy copies markup with pieces left out.
type policy struct {
	s    string
	out  []byte // nil until something was left out
	done int    // s[:done] is in out
}

// replace puts with in the place of s[from:to].
func (w *policy) replace(from, to int, with string) {
	if w.out == nil {
		w.out = make([]byte, 0, len(w.s))
	}
	w.out = append(append(w.out, w.s[w.done:from]...), with...)
	w.done = to
}

// construct deals with what begins at the "<" at i and returns where to go on.
func (w *policy) construct(i int) int {
	s := w.s
	next := byte(0)
	if i+1 < len(s) {
		next = s[i+1]
	}
	switch {
	case strings.HasPrefix(s[i:], "<!--"):
		return w.drop(i, "-->", 4)
	case next == '!' || next == '?':
		return w.drop(i, ">", 2)
	case next == '/' && i+2 < len(s) && latin(s[i+2]):
		return w.tag(i, i+2)
	case next == '/':
		return w.drop(i, ">", 2)
	case latin(next):
		return w.tag(i, i+1)
	}
	// A bare "<": escaped, so that it cannot become a tag with what follows
	// once something between them is gone.
	w.replace(i, i+1, "&lt;")
	return i + 1
}

// drop leaves out what begins at i and ends with end, searched for from skip
// bytes on; all that is left where there is no end.
func (w *policy) drop(i int, end string, skip int) int {
	to := len(w.s)
	// "<!-->" and "<!--->" are whole comments.
	if end == "-->" {
		skip = 2
	}
	if j := strings.Index(w.s[min(i+skip, to):], end); j >= 0 {
		to = i + skip + j + len(end)
	}
	w.replace(i, to, "")
	return to
}

func latin(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// tag deals with the tag at i, whose name begins at from.
func (w *policy) tag(i, from int) int {
	s := w.s
	to := from
	for to < len(s) && !blank(s[to]) && s[to] != '/' && s[to] != '>' {
		to++
	}
	end, whole := w.attributes(to, len(w.s), nil)
	if !whole { // a tag that is cut short is none
		w.replace(i, len(s), "")
		return len(s)
	}
	var buf [24]byte
	kind := elements[string(lower(buf[:], s[from:to]))]
	closing := s[i+1] == '/'
	switch {
	case kind == known && closing, kind == known && to+1 == end:
	case kind == known:
		w.attributes(to, end, w)
	case kind == swallowed && !closing:
		j := endTag(s[end:], s[from:to])
		w.replace(i, end+j, "")
		return end + j
	default:
		w.replace(i, end, "")
	}
	return end
}

// endTag returns where in s the end tag of a name begins, len(s) if there is
// none: what is inside is not looked at.
func endTag(s, name string) int {
	for at := 0; ; {
		j := strings.Index(s[at:], "</")
		if j < 0 || at+j+2+len(name) > len(s) {
			return len(s)
		}
		at += j
		if strings.EqualFold(s[at+2:at+2+len(name)], name) {
			return at
		}
		at += 2
	}
}

// lower is a name in lower case, cut to what buf holds.
func lower(buf []byte, name string) []byte {
	n := min(len(name), len(buf))
	for i := range n {
		c := name[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	return buf[:n]
}

// attributes walks over the attributes of a tag from i on and returns where it
// ends and whether it does. With into, those that are not allowed are left out.
func (w *policy) attributes(i, limit int, into *policy) (end int, whole bool) {
	s := w.s
	for i < limit {
		from := i
		for i < limit && (blank(s[i]) || s[i] == '/') {
			i++
		}
		if i >= limit || s[i] == '>' {
			return min(i+1, limit), i < limit
		}
		name := i
		for i++; i < limit && !blank(s[i]) && s[i] != '/' && s[i] != '>' && s[i] != '='; {
			i++
		}
		nameEnd := i
		for i < limit && blank(s[i]) {
			i++
		}
		value := ""
		if i < limit && s[i] == '=' {
			for i++; i < limit && blank(s[i]); {
				i++
			}
			if value, i, whole = unquoted(s, i, limit); !whole {
				return limit, false
			}
		} else {
			i = nameEnd
		}
		if into == nil {
			continue
		}
		switch with, ok := allowed(s[name:nameEnd], value); {
		case !ok:
			into.replace(from, i, "")
		case with != value:
			into.replace(name, i, s[name:nameEnd]+`="`+html.EscapeString(with)+`"`)
		}
	}
	return limit, false
}

// unquoted reads the value of an attribute at i; whole is false where its quote
// has no end.
func unquoted(s string, i, limit int) (value string, end int, whole bool) {
	if i < limit && (s[i] == '"' || s[i] == '\'') {
		j := strings.IndexByte(s[i+1:limit], s[i])
		if j < 0 {
			return "", limit, false
		}
		return s[i+1 : i+1+j], i + j + 2, true
	}
	from := i
	for i < limit && !blank(s[i]) && s[i] != '>' {
		i++
	}
	return s[from:i], i, true
}

// allowed says whether an attribute may stay, and with which value.
func allowed(name, value string) (with string, ok bool) {
	var buf [24]byte
	switch attributes[string(lower(buf[:], name))] {
	case plainly:
		return value, len(name) <= len(buf)
	case address:
		return value, harmless(value)
	case addresses:
		for _, part := range strings.Split(value, ",") {
			if !harmless(part) {
				return "", false
			}
		}
		return value, true
	case styles:
		return style(value)
	}
	return "", false
}

// harmless reports whether an address has no scheme or one that names
// something; of data only pictures, and no drawings, which may hold scripts.
func harmless(v string) bool {
	if strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "http://") {
		return true
	}
	if strings.IndexByte(v, '&') >= 0 {
		v = html.UnescapeString(v)
	}
	// Browsers pass over white space and controls in a scheme.
	v = strings.Map(func(r rune) rune {
		if r <= ' ' || r >= 0x7F && r <= 0xA0 || r == 0xAD || r >= 0x2000 && r <= 0x200F || r == 0xFEFF {
			return -1
		}
		return r
	}, v[:min(len(v), 256)])
	i := strings.IndexAny(v, ":/?#")
	if i < 0 || v[i] != ':' {
		return true
	}
	scheme := strings.ToLower(v[:i])
	if scheme == "data" {
		kind, _, _ := strings.Cut(strings.ToLower(v[5:]), ",")
		kind, _, _ = strings.Cut(kind, ";")
		return strings.HasPrefix(kind, "image/") && !strings.Contains(kind, "svg") && !strings.Contains(kind, "xml")
	}
	return schemes[scheme]
}

// style keeps the declarations that dress text where it stands.
func style(v string) (string, bool) {
	if strings.IndexByte(v, '&') >= 0 {
		v = html.UnescapeString(v)
	}
	if strings.ContainsAny(v, "\\<>{}@") || strings.Contains(v, "/*") {
		return "", false
	}
	var kept []string
	all := 0
	for _, d := range strings.Split(v, ";") {
		if strings.TrimSpace(d) == "" {
			continue
		}
		all++
		property, set, ok := strings.Cut(d, ":")
		property = strings.ToLower(strings.TrimSpace(property))
		family, _, _ := strings.Cut(property, "-")
		if !ok || !cssNames[property] && !cssFamilies[family] || !still(set) {
			continue
		}
		kept = append(kept, strings.TrimSpace(d))
	}
	switch len(kept) {
	case 0:
		return "", false
	case all:
		return v, true
	}
	return strings.Join(kept, "; ") + ";", true
}

// still reports whether a value is words, numbers and colours: no address, no
// expression.
func still(v string) bool {
	for i := range len(v) {
		c := v[i]
		if c >= 0x80 || !latin(c) && (c < '0' || c > '9') && strings.IndexByte(" \t\n#%.,-!'\"_+/()", c) < 0 {
			return false
		}
	}
	if i := strings.IndexByte(v, '('); i >= 0 {
		name := strings.ToLower(strings.TrimSpace(v[:i]))
		return strings.HasSuffix(name, "rgb") || strings.HasSuffix(name, "rgba") || strings.HasSuffix(name, "hsl") || strings.HasSuffix(name, "hsla") ||
			strings.HasSuffix(name, "calc") || strings.HasSuffix(name, "var")
	}
	return true
}
