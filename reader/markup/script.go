package markup

import "bytes"

// scriptText is how the text of a script is read: in what looks like a comment an
// end tag may be part of a script within the script.
type scriptText uint8

const (
	plainScript  scriptText = iota
	escaped                 // in <!-- -->
	twiceEscaped            // in a script in it
)

// scriptEnd is where the text of a script ends that begins at i.
func scriptEnd(src []byte, i int) int {
	state, dashes := plainScript, 0
	for i < len(src) {
		if state == plainScript {
			n := bytes.IndexByte(src[i:], '<')
			if n < 0 {
				return len(src)
			}
			i += n
		}
		c := src[i]
		i++
		switch {
		case c == '-':
			dashes++
			continue
		case c == '>' && dashes >= 2:
			state = plainScript
		case c == '<' && i < len(src):
			var end bool
			if state, i, dashes, end = scriptTag(src, i, state); end {
				return i
			}
			continue
		}
		dashes = 0
	}
	return len(src)
}

// scriptTag reads on behind a "<" in a script. It returns how what follows is read,
// from where and behind how many dashes, and whether the script ends there.
func scriptTag(src []byte, i int, state scriptText) (next scriptText, at, dashes int, end bool) {
	c := src[i]
	switch {
	case c == '/' && !ends(src, i-1, Script):
		return state, i + 1, 0, false
	case c == '/' && state == twiceEscaped:
		return escaped, i - 1 + len("</script>"), 0, false
	case c == '/':
		return state, i - 1, 0, true
	case state == plainScript && c == '!':
		if bytes.HasPrefix(src[i+1:], doubleDash) {
			return escaped, i + 3, 2, false
		}
		return plainScript, i + 1, 0, false
	case state == escaped && !letter(c):
		return plainScript, i, 0, false
	case state == escaped && named(src, i, "script"):
		return twiceEscaped, i + len("script>"), 0, false
	}
	return state, i, 0, false
}
