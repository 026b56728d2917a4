package plain

import (
	"html"
	"slices"
	"strings"
	"sync"
)

// safe drops from markup what could act, load or hide something where it is
// shown later: elements that are no text, attributes that are not known to be
// harmless (no handler is), addresses of other schemes than those that name
// something, styles that reach outside. It walks over tags as browsers do
// (HTML Living Standard, 13.2.5) and touches no byte of what it keeps.
//
// Where markup is broken, text is worth more than the tags around it: a comment
// without an end is over at the next ">", a section that XML would have opened
// loses its brackets only, and what no browser takes for a tag is text.
func safe(s string) string {
	if strings.Contains(s, "<![CDATA[") { // a wrapper put on twice
		s = strings.ReplaceAll(strings.ReplaceAll(s, "<![CDATA[", ""), "]]>", "")
	}
	w := policy{s: s}
	room, _ := rooms.Get().(*[]byte)
	if room == nil {
		room = new([]byte)
	}
	w.room = *room
	defer func() {
		if cap(w.room) <= maxRoom {
			*room = w.room
			rooms.Put(room)
		}
	}()
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
	w.out = append(w.out, s[w.done:]...)
	w.room = w.out[:0]
	return string(w.out)
}

// rooms holds *[]byte of up to maxRoom bytes in which markup is put together.
var rooms sync.Pool

const maxRoom = 64 << 10

// policy copies markup with pieces left out.
type policy struct {
	s    string
	out  []byte // nil until something was left out
	room []byte // for out
	done int    // s[:done] is in out

	endless bool // no comment ends from here on
	broken  int  // tags and declarations that never ended
	objects int  // open ones that were kept

	// Of the tag walked over last: whether it says by data what it holds, and
	// whether it ends with a slash.
	named, slash bool
}

// maxBroken bounds how often the end of what has none is searched for.
const maxBroken = 16

// replace puts with in the place of s[from:to].
func (w *policy) replace(from, to int, with string) {
	if w.out == nil {
		w.out = slices.Grow(w.room[:0], len(w.s))
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
		return w.comment(i)
	case next == '?', next == '!' && i+2 < len(s) && (latin(s[i+2]) || s[i+2] == '['), strings.HasPrefix(s[i:], "</>"):
		if w.broken <= maxBroken {
			if j := strings.IndexByte(s[i:], '>'); j >= 0 {
				w.replace(i, i+j+1, "")
				return i + j + 1
			}
			w.broken++
		}
	case next == '/' && i+2 < len(s) && latin(s[i+2]):
		return w.tag(i, i+2)
	case latin(next):
		return w.tag(i, i+1)
	}
	// A bare "<": escaped, so that it cannot become a tag with what follows
	// once something between them is gone.
	w.replace(i, i+1, "&lt;")
	return i + 1
}

// comment leaves out the comment at i.
func (w *policy) comment(i int) int {
	rest, n := w.s[i:], -1
	if !w.endless {
		if n = strings.Index(rest[2:], "-->"); n >= 0 { // "<!-->" and "<!--->" are whole
			n += 5
		}
	}
	if n < 0 {
		w.endless = true
		if n = strings.IndexByte(rest, '>') + 1; n == 0 {
			n = len(rest)
		}
	}
	w.replace(i, i+n, "")
	return i + n
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
	if !whole {
		return w.cutShort(i)
	}
	var buf [24]byte
	name := string(lower(buf[:], s[from:to]))
	kind := listed().elements[name]
	closing := s[i+1] == '/'
	switch {
	case name == "object":
		w.object(i, to, end)
	case kind == known && closing, kind == known && to+1 == end:
	case kind == known:
		w.start(name, to, end)
	case kind == swallowed && !closing:
		j := endTag(s[end:], s[from:to])
		w.replace(i, end+j, "")
		return end + j
	default:
		w.replace(i, end, "")
	}
	return end
}

// start keeps a start tag. One that ends with a slash is whole in XML, while HTML
// would take what follows for its content, and show none of it after a frame
// or a video: it is given its end tag. Elements without one, or that may do
// without, are what they are in both.
func (w *policy) start(name string, to, end int) (alone bool) {
	w.attributes(to, end, w)
	if !w.slash || listed().endless[name] {
		return false
	}
	w.replace(end-2, end, "></"+name+">")
	return true
}

// object keeps the tag of an <object> that says where what it holds lies, so
// that it can be opened. Of another there would be nothing to see, and what
// stands in it in its place would be hidden.
func (w *policy) object(i, to, end int) {
	before, out := *w, len(w.out)
	switch closing := w.s[i+1] == '/'; {
	case closing && w.objects > 0:
		w.objects--
		return
	case !closing:
		w.named = false
		alone := w.start("object", to, end)
		if w.named {
			if !alone {
				w.objects++
			}
			return
		}
		*w = before
		w.out = w.out[:out]
	}
	w.replace(i, end, "")
}

// cutShort deals with a tag that never ends. A quote left open ends with the
// tag; without any ">" it is what a cut left of a tag, or a sign between words.
func (w *policy) cutShort(i int) int {
	rest := w.s[i:]
	end := strings.IndexByte(rest, '>') + 1
	switch w.broken++; {
	case w.broken > maxBroken:
		end = len(rest)
	case end > 0:
	case strings.IndexByte(rest, '=') < 0 && len(strings.Fields(rest)) > 1:
		w.replace(i, i+1, "&lt;")
		return i + 1
	default:
		end = len(rest)
	}
	w.replace(i, i+end, "")
	return i + end
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
			if into != nil {
				into.slash = i > from && s[i-1] == '/'
			}
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
		with, ok := allowed(s[name:nameEnd], value)
		switch {
		case !ok:
			into.replace(from, i, "")
		case with != value:
			into.replace(name, i, s[name:nameEnd]+`="`+html.EscapeString(with)+`"`)
		}
		into.named = into.named || ok && strings.EqualFold(s[name:nameEnd], "data")
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
	switch listed().attributes[string(lower(buf[:], name))] {
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
	return listed().schemes[scheme]
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
		if !ok || !listed().cssNames[property] && !listed().cssFamilies[family] || !still(set) {
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
// expression, and no length that would push what follows out of sight.
func still(v string) bool {
	digits := 0
	for i := range len(v) {
		c := v[i]
		switch {
		case c >= '0' && c <= '9' && digits >= 0:
			if digits++; digits > 4 {
				return false
			}
		case c == '#':
			digits = -1 // a colour
		case c < '0' || c > '9' && !latin(c):
			digits = 0
		}
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
