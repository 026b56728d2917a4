package xmlscan

import (
	"bytes"
	"html"
	"strings"

	"diurna/reader/plain"
)

// NewBase is the base that a document names inside another: resolved, with the
// slash too many that some write taken out. What is no web address cannot be
// one.
func NewBase(base, s string) string {
	s = strings.Replace(Resolve(base, s), ":///", "://", 1)
	switch n := SchemeOf(s); strings.ToLower(s[:n]) {
	case "", "http:", "https:", "file:", "ftp:":
		return s
	}
	return base
}

// SchemeOf returns the length of the scheme at the start of s with its colon, 0
// if there is none.
func SchemeOf(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case IsLetter(c):
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// Resolve returns ref as an absolute address (RFC 3986, section 5.2), working
// on the characters as they are: nothing is encoded or decoded on the way, and
// an absolute ref or one without a usable base comes back unchanged.
func Resolve(base, ref string) string {
	ref = strings.Trim(ref, " \t\r\n")
	if len(ref) > MaxURL || SchemeOf(ref) > 0 {
		return ref
	}
	n := SchemeOf(base)
	if n == 0 || !strings.HasPrefix(base[n:], "//") {
		return ref
	}
	scheme, rest := base[:n], base[n+2:]
	i := strings.IndexAny(rest, "/?#")
	if i < 0 {
		i = len(rest)
	}
	root, rest := scheme+"//"+rest[:i], rest[i:]
	if f := strings.IndexByte(rest, '#'); f >= 0 {
		rest = rest[:f]
	}
	path, query, _ := strings.Cut(rest, "?")
	if query != "" {
		query = "?" + query
	}
	switch {
	case ref == "":
		return root + path + query
	case strings.HasPrefix(ref, "//"):
		return scheme + ref
	case ref[0] == '#':
		return root + path + query + ref
	case ref[0] == '?':
		return root + path + ref
	}
	tail := ""
	if j := strings.IndexAny(ref, "?#"); j >= 0 {
		ref, tail = ref[:j], ref[j:]
	}
	if ref[0] != '/' {
		ref = path[:strings.LastIndexByte(path, '/')+1] + ref
		if ref[0] != '/' {
			ref = "/" + ref
		}
	}
	return root + undot(ref) + tail
}

// Address is a field's address, absolute where a base is known: what is not said
// is none, though a reference without a character names its base.
func Address(base, ref string) string {
	if strings.Trim(ref, " \t\r\n") == "" {
		return ""
	}
	return plain.Line(Resolve(base, ref), MaxURL)
}

// undot removes the dot segments of an absolute path (RFC 3986, 5.2.4).
func undot(path string) string {
	if !strings.Contains(path, "/.") {
		return path
	}
	segments := strings.Split(path[1:], "/")
	out := make([]string, 0, len(segments))
	for i, s := range segments {
		last := i == len(segments)-1
		switch s {
		case ".", "..":
			if s == ".." && len(out) > 0 {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, s)
		}
	}
	return "/" + strings.Join(out, "/")
}

// Rebase returns the base address inside an element: xml:base if it has one.
func (d *Decoder) Rebase(base string, attrs []byte) string {
	if !bytes.Contains(attrs, []byte("base")) {
		return base
	}
	if b := d.Attr(attrs, "xml:base"); b != "" {
		return NewBase(base, b)
	}
	return base
}

// Rebase resolves the relative addresses in the attributes of markup. Bytes that
// need no change are not touched.
func Rebase(s, base string) string {
	if base == "" || SchemeOf(base) == 0 || !perhapsRelative(s) {
		return s
	}
	b := []byte(s)
	var out []byte
	done := 0
	sc := Scanner{B: b}
	in := bases{base: base}
	own := strings.Contains(s, "xml:base")
	for {
		t, ok := sc.Next()
		if !ok {
			break
		}
		at := in.base
		if own {
			at = in.at(t)
		}
		if t.Closing || len(t.Attrs) < 5 {
			continue
		}
		EachAttr(t.Attrs, func(name, value []byte) {
			with, ok := rebased(name, value, at)
			if !ok {
				return
			}
			at := cap(b) - cap(value) // value is a slice of b
			out = append(append(out, b[done:at]...), with...)
			done = at + len(value)
		})
	}
	if done == 0 {
		return s
	}
	return string(append(out, b[done:]...))
}

// bases are the elements of markup that are open and name a base of their own.
type bases struct {
	base string // in force
	open []ownBase
}

type ownBase struct {
	name   string
	around string // the base outside it
	depth  int    // elements of its name that are open in it
}

// at is the base in a tag, which it opens or closes.
func (in *bases) at(t Tag) string {
	base := ""
	if !t.Closing && bytes.Contains(t.Attrs, []byte("base")) {
		p := Decoder{}
		if base = p.Rebase(in.base, t.Attrs); t.Empty {
			return base
		}
	}
	if base != "" && base != in.base && len(in.open) < MaxDepth {
		in.open = append(in.open, ownBase{string(t.Name), in.base, 0})
		in.base = base
		return base
	}
	if n := len(in.open) - 1; n >= 0 && !t.Empty && string(t.Name) == in.open[n].name {
		switch top := &in.open[n]; {
		case !t.Closing:
			top.depth++
		case top.depth > 0:
			top.depth--
		default:
			in.base, in.open = top.around, in.open[:n]
		}
	}
	return in.base
}

// perhapsRelative reports whether markup may hold a relative address: nearly all
// holds none, and seeing that costs a tenth of walking over its tags.
func perhapsRelative(s string) bool {
	for i := 0; ; {
		j := strings.IndexByte(s[i:], '=')
		if j < 0 {
			return false
		}
		i += j
		end := i
		for end > 0 && IsSpace(s[end-1]) {
			end--
		}
		from := end
		for from > 0 && end-from < 16 && IsLetter(s[from-1]) {
			from--
		}
		i++
		if !holdsAddress(s[from:end]) {
			continue
		}
		if v := strings.TrimLeft(s[i:], " \t\r\n\"'"); !strings.HasPrefix(v, "https://") && !strings.HasPrefix(v, "http://") {
			return true
		}
	}
}

// holdsAddress reports whether an attribute's value is an address or a list of
// them.
func holdsAddress(name string) bool {
	switch strings.ToLower(name) {
	case "href", "src", "action", "poster", "cite", "longdesc", "background", "data", "formaction", "usemap", "classid", "codebase", "profile", "srcset":
		return true
	}
	return false
}

// rebased returns the new value of an attribute that holds a relative address.
func rebased(name, value []byte, base string) (string, bool) {
	if len(value) == 0 || len(value) > MaxURL || value[0] == '#' {
		return "", false
	}
	if bytes.HasPrefix(value, []byte("https://")) || bytes.HasPrefix(value, []byte("http://")) {
		return "", false // nearly all are, and looking costs less than naming
	}
	switch attr := string(name[:min(len(name), 16)]); {
	case strings.EqualFold(attr, "srcset"):
		return rebasedSet(string(value), base), true
	case !holdsAddress(attr):
		return "", false
	}
	v := string(value)
	if strings.IndexByte(v, '&') >= 0 {
		v = html.UnescapeString(v)
	}
	if SchemeOf(strings.TrimLeft(v, " \t\r\n")) > 0 {
		return "", false
	}
	return html.EscapeString(Resolve(base, v)), true
}

func rebasedSet(set, base string) string {
	if strings.Contains(set, "data:") { // commas separate nothing there
		return set
	}
	parts := strings.Split(set, ",")
	for i, part := range parts {
		if ref, size, _ := strings.Cut(strings.TrimSpace(part), " "); ref != "" {
			parts[i] = strings.TrimSpace(Resolve(base, ref) + " " + size)
		}
	}
	return strings.Join(parts, ", ")
}
