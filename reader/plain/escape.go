package plain

import "strings"

// maxString is how many bytes an OSC, DCS, APC, PM or SOS string may have to be
// taken for one. Beyond that a stray ESC in honest text would swallow words.
const maxString = 4096

// escapeLen returns the length of the terminal escape sequence (ECMA-48) at the
// start of s, whose first byte is ESC. Only complete sequences are removed as a
// whole; of anything else just the ESC goes, which makes the rest inert text.
func escapeLen(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch b := s[1]; {
	case b == '[':
		return csiLen(s)
	case strings.IndexByte("]PX^_", b) >= 0:
		return stringLen(s)
	case b == '\\': // the terminator of a string whose start is gone
		return 2
	case b >= ' ' && b <= '/': // designations such as ESC ( B
		i := 1
		for i < len(s) && i < 8 && s[i] >= ' ' && s[i] <= '/' {
			i++
		}
		if i < len(s) && s[i] >= '0' && s[i] <= '~' && b != ' ' {
			return i + 1
		}
	}
	return 1
}

func csiLen(s string) int {
	i := 2
	for i < len(s) && i < 64 && s[i] >= '0' && s[i] <= '?' {
		i++
	}
	for i < len(s) && i < 64 && s[i] >= ' ' && s[i] <= '/' {
		i++
	}
	if i < len(s) && s[i] >= '@' && s[i] <= '~' {
		return i + 1
	}
	return 1
}

func stringLen(s string) int {
	for i := 2; i < len(s) && i < maxString; i++ {
		switch s[i] {
		case '\a':
			return i + 1
		case '\x1b':
			if i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
			return 1
		case 0xC2: // U+009C, the 8-bit string terminator
			if i+1 < len(s) && s[i+1] == 0x9C {
				return i + 2
			}
		case '\n', '\r':
			return 1
		}
	}
	return 1
}
