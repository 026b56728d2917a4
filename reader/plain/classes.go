package plain

import "unicode"

// class says what the cleaner does with a rune.
type class uint8

const (
	keep     class = iota // stands as it is and starts a new base
	drop                  // removed
	space                 // any horizontal white space
	newline               // any line break
	tab                   // the tabulator
	mark                  // combining mark, counted against its base
	joiner                // zero-width joiner, kept between pictographs
	parter                // zero-width non-joiner, kept where it parts letters that would join
	pict                  // pictograph: may be joined
	skin                  // emoji modifier: does not end a pictograph
	c1                    // C1 control: mapped through windows-1252
	escape                // ESC: starts a sequence
	carriage              // CR: a line break, one together with LF
)

// maxMarks is how many combining marks one base keeps: no living orthography
// needs more, and stacks of hundreds paint over other rows of a terminal.
const maxMarks = 8

// cp1252 gives the glyphs of windows-1252 at 0x80-0x9F; 0 where it has none.
var cp1252 = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

// asciiClass is classOf for the first 128 code points.
var asciiClass = [128]class{
	0: drop, 1: drop, 2: drop, 3: drop, 4: drop, 5: drop, 6: drop, 7: drop, 8: drop,
	'\t': tab, '\n': newline, '\v': newline, '\f': newline, '\r': carriage,
	14: drop, 15: drop, 16: drop, 17: drop, 18: drop, 19: drop, 20: drop, 21: drop,
	22: drop, 23: drop, 24: drop, 25: drop, 26: drop, 27: escape, 28: drop, 29: drop,
	30: drop, 31: drop, ' ': space, 127: drop,
}

// classOf returns the class of a rune. The ranges tested first hold nearly all
// text of real feeds and need no table search.
func classOf(r rune) class {
	switch {
	case r < 0x80:
		return asciiClass[r]
	case r < 0xA0:
		return c1
	case r < 0x300:
		return classLatin(r)
	case r >= 0x370 && r <= 0x3FF, r >= 0x400 && r <= 0x482, r >= 0x48A && r <= 0x52F,
		r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FF,
		r >= 0x4E00 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7A3:
		return keep
	}
	return classRare(r)
}

func classLatin(r rune) class {
	switch r {
	case 0xA0:
		return space
	case 0xAD:
		return drop
	case 0xA9, 0xAE:
		return pict
	}
	return keep
}

func classRare(r rune) class {
	switch {
	case r == 0x200D:
		return joiner
	case r == nonJoiner:
		return parter
	case r == 0x2028 || r == 0x2029:
		return newline
	case r == 0x1680, r >= 0x2000 && r <= 0x200A, r == 0x202F, r == 0x205F, r == 0x2800, r == 0x3000:
		return space
	case r >= 0x1F3FB && r <= 0x1F3FF:
		return skin
	// Invisible though not of category Cf: grapheme joiner, Hangul fillers,
	// reserved default-ignorables, and the whole plane of tags and supplementary
	// variation selectors.
	case r == 0x34F, r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r == 0x2065, r >= 0xFFF0 && r <= 0xFFF8,
		r >= 0xE0000 && r <= 0xE0FFF, isNoncharacter(r), unicode.Is(unicode.Cf, r):
		return drop
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.Is(pictographs, r):
		return pict
	}
	return keep
}

// nonJoiner is spelling in Persian and other languages in Arabic letters, and in
// Indic ones.
const nonJoiner = 0x200C

// parts reports whether a non-joiner after a base, whose last rune is last (its marks
// included), changes how the letter next is drawn. Everywhere else nobody would see it:
// words that look alike would differ. It follows RFC 5892, A.1, narrowed to the letters
// of the blocks Arabic and Arabic Supplement, and to the viramas of the scripts from
// Devanagari to Sinhala.
func parts(base, last, next rune) bool {
	if virama := last >= 0x900 && last < 0xD80 && last&0x7F == 0x4D || last == 0xDCA; virama {
		return last>>7 == next>>7 && unicode.Is(unicode.Lo, next)
	}
	return unicode.Is(joiningOn, base) && unicode.Is(unicode.Lo, next) && (next > 0x620 && next < 0x700 || next >= 0x750 && next < 0x780) &&
		next != 0x621 && next != 0x674 // hamza joins nothing
}

// joiningOn are the letters of the blocks Arabic and Arabic Supplement that join the
// one after them: Joining_Type=D of Unicode's ArabicShaping.txt.
var joiningOn = &unicode.RangeTable{R16: []unicode.Range16{
	{0x620, 0x620, 1}, {0x626, 0x628, 2}, {0x62a, 0x62e, 1}, {0x633, 0x63f, 1}, {0x641, 0x647, 1}, {0x649, 0x64a, 1}, {0x66e, 0x66f, 1},
	{0x679, 0x687, 1}, {0x69a, 0x6bf, 1}, {0x6c1, 0x6c2, 1}, {0x6cc, 0x6ce, 2}, {0x6d0, 0x6d1, 1}, {0x6fa, 0x6fc, 1}, {0x6ff, 0x6ff, 1},
	{0x750, 0x758, 1}, {0x75c, 0x76a, 1}, {0x76d, 0x770, 1}, {0x772, 0x772, 1}, {0x775, 0x777, 1}, {0x77a, 0x77f, 1},
}}

// isNoncharacter reports whether r is one of the 66 code points Unicode will
// never assign.
func isNoncharacter(r rune) bool {
	return r&0xFFFE == 0xFFFE || r >= 0xFDD0 && r <= 0xFDEF
}

// pictographs is the property Extended_Pictographic of Unicode Technical
// Standard 51, without the emoji modifiers.
var pictographs = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00a9, 0x00a9, 1}, {0x00ae, 0x00ae, 1}, {0x203c, 0x203c, 1}, {0x2049, 0x2049, 1},
		{0x2122, 0x2122, 1}, {0x2139, 0x2139, 1}, {0x2194, 0x2199, 1}, {0x21a9, 0x21aa, 1},
		{0x231a, 0x231b, 1}, {0x2328, 0x2328, 1}, {0x2388, 0x2388, 1}, {0x23cf, 0x23cf, 1},
		{0x23e9, 0x23f3, 1}, {0x23f8, 0x23fa, 1}, {0x24c2, 0x24c2, 1}, {0x25aa, 0x25ab, 1},
		{0x25b6, 0x25b6, 1}, {0x25c0, 0x25c0, 1}, {0x25fb, 0x25fe, 1}, {0x2600, 0x2605, 1},
		{0x2607, 0x2612, 1}, {0x2614, 0x2685, 1}, {0x2690, 0x2705, 1}, {0x2708, 0x2712, 1},
		{0x2714, 0x2714, 1}, {0x2716, 0x2716, 1}, {0x271d, 0x271d, 1}, {0x2721, 0x2721, 1},
		{0x2728, 0x2728, 1}, {0x2733, 0x2734, 1}, {0x2744, 0x2744, 1}, {0x2747, 0x2747, 1},
		{0x274c, 0x274c, 1}, {0x274e, 0x274e, 1}, {0x2753, 0x2755, 1}, {0x2757, 0x2757, 1},
		{0x2763, 0x2767, 1}, {0x2795, 0x2797, 1}, {0x27a1, 0x27a1, 1}, {0x27b0, 0x27b0, 1},
		{0x27bf, 0x27bf, 1}, {0x2934, 0x2935, 1}, {0x2b05, 0x2b07, 1}, {0x2b1b, 0x2b1c, 1},
		{0x2b50, 0x2b50, 1}, {0x2b55, 0x2b55, 1}, {0x3030, 0x3030, 1}, {0x303d, 0x303d, 1},
		{0x3297, 0x3297, 1}, {0x3299, 0x3299, 1},
	},
	R32: []unicode.Range32{
		{0x1f000, 0x1f0ff, 1}, {0x1f10d, 0x1f10f, 1}, {0x1f12f, 0x1f12f, 1}, {0x1f16c, 0x1f171, 1},
		{0x1f17e, 0x1f17f, 1}, {0x1f18e, 0x1f18e, 1}, {0x1f191, 0x1f19a, 1}, {0x1f1ad, 0x1f1e5, 1},
		{0x1f201, 0x1f20f, 1}, {0x1f21a, 0x1f21a, 1}, {0x1f22f, 0x1f22f, 1}, {0x1f232, 0x1f23a, 1},
		{0x1f23c, 0x1f23f, 1}, {0x1f249, 0x1f3fa, 1}, {0x1f400, 0x1f53d, 1}, {0x1f546, 0x1f64f, 1},
		{0x1f680, 0x1f6ff, 1}, {0x1f774, 0x1f77f, 1}, {0x1f7d5, 0x1f7ff, 1}, {0x1f80c, 0x1f80f, 1},
		{0x1f848, 0x1f84f, 1}, {0x1f85a, 0x1f85f, 1}, {0x1f888, 0x1f88f, 1}, {0x1f8ae, 0x1f8ff, 1},
		{0x1f90c, 0x1f93a, 1}, {0x1f93c, 0x1f945, 1}, {0x1f947, 0x1faff, 1}, {0x1fc00, 0x1fffd, 1},
	},
	LatinOffset: 2,
}
