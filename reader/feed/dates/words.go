package dates

import (
	"strings"
	"unicode/utf8"
)

// words reads dates made of words and numbers in any order: weekdays are passed
// over, names of months and zones recognised, what has colons is a time, and
// the remaining numbers are day and year in the order the month's place tells.
func (d *dateParts) words(s string) bool {
	lastClock, dashed := false, false
	for s != "" {
		c := s[0]
		between := dashed && c == '-' // of a day, a month and a year
		dashed = false
		switch {
		case between:
			s = s[1:]
			continue
		case c == ' ' || c == ',' || c == '/' || c == '.':
			s = s[1:]
			continue
		case (c == '+' || c == '-') && (d.hour >= 0 || lastClock):
			if rest, ok := d.zone(s); ok && len(rest) < len(s) {
				s = rest
				continue
			}
			s = s[1:]
			continue
		case c >= '0' && c <= '9':
			had := len(d.numbers)
			n, ok := d.number(s)
			if !ok {
				return false
			}
			lastClock, dashed = d.hour >= 0, len(d.numbers) > had && d.year < 0
			s = s[n:]
			continue
		}
		w := leadingWord(s)
		if len(w) == 1 && len(s) > 3 && strings.EqualFold(s[1:4], ".m.") { // a.m.
			d.word(strings.ToLower(w) + "m")
			s = s[4:]
			continue
		}
		if w == "" {
			_, n := utf8.DecodeRuneInString(s)
			s = s[n:]
			continue
		}
		d.word(strings.ToLower(w))
		s = s[len(w):]
	}
	return d.assign()
}

// halfOf tells the word for the first half of the day, 1, from that for the
// second, 2; 0: it is neither.
func halfOf(w string) int {
	switch w {
	case "am", "오전", "πμ", "上午", "午前", "ص":
		return 1
	case "pm", "오후", "μμ", "下午", "午後", "م":
		return 2
	}
	return 0
}

// word takes over a word: a month, half of the day, or a zone.
func (d *dateParts) word(w string) {
	if half := halfOf(w); half > 0 {
		d.pm = half
		return
	}
	if off, ok := known().zones[w]; ok && !d.zoned && (d.hour >= 0 || len(w) == 3 && d.year >= 0) {
		// After the time; "Mar" and "Sat" are no zones, and "at" before it is a word.
		d.offset, d.zoned = off, true
		return
	}
	if m, ok := monthOf(w); ok && d.month < 0 && !(d.isWeekday(w)) {
		d.month = int(m)
	}
}

// isWeekday tells weekday names that begin like a month from months: "mar" is
// Tuesday in Spanish and Italian only before the day's number.
func (d *dateParts) isWeekday(w string) bool {
	if len(d.numbers) > 0 {
		return false
	}
	for _, day := range []string{"martes", "martedì", "mardi", "marți", "mercoledì", "miércoles"} {
		if w == day {
			return true
		}
	}
	return false
}

// number takes over the number at the start of s and returns its length.
func (d *dateParts) number(s string) (int, bool) {
	v, n := digits(s, 9)
	rest := s[n:]
	switch {
	case len(rest) > 1 && d.hour < 0 && n <= 2 && (rest[0] == ':' || d.otherClock(rest)):
		return d.clockIn(s), true
	case n == 8 && d.year < 0: // 20040102
		d.year, d.month, d.day = v/10000, v/100%100, v%100
		return n, d.month >= 1 && d.month <= 12
	case n > 4:
		return 0, false
	case n >= 3 && d.year < 0:
		d.year = century(v, n)
		// "2004年1月2日" and "2004 March 2" go on in the same order.
		d.numbers = append(d.numbers, -1)
	default:
		d.dayFirst = d.dayFirst || len(rest) > 1 && (rest[0] == '.' || rest[0] == '-') && rest[1] >= '0' && rest[1] <= '9'
		d.numbers = append(d.numbers, v)
	}
	return n, len(d.numbers) <= 6
}

// otherClock tells whether what follows an hour is minutes, though no colon stands
// between: "10h30", and "10.30" where the day is known.
func (d *dateParts) otherClock(rest string) bool {
	if _, n := digits(rest[1:], 3); n != 2 {
		return false
	}
	return rest[0] == 'h' || rest[0] == '.' && d.year >= 0 && (d.month > 0 || len(d.numbers) > 2)
}

// clockIn reads the time at the start of s and returns its length.
func (d *dateParts) clockIn(s string) int {
	hour, n := digits(s, 2)
	mark, i := s[n], n+1
	d.hour = hour
	v, n := digits(s[i:], 2)
	d.min = v
	i += n
	if i+1 < len(s) && s[i] == mark {
		if v, n = digits(s[i+1:], 2); n > 0 {
			d.sec = v
			i += 1 + n
		}
	}
	if i+1 < len(s) && s[i] == '.' {
		if _, n = digits(s[i+1:], 9); n > 0 {
			i += 1 + n
		}
	}
	return i
}

// assign gives the numbers that are left their places.
func (d *dateParts) assign() bool {
	var rest []int
	yearFirst := false
	for i, v := range d.numbers {
		if v < 0 {
			yearFirst = i == 0
			continue
		}
		rest = append(rest, v)
	}
	switch {
	case d.year >= 0 && d.month > 0 && d.day > 0:
	case d.month > 0 && len(rest) > 0: // 2 Jan [20]04, Jan 2 2004
		d.day = rest[0]
		if d.year < 0 && len(rest) > 1 {
			d.year = century(rest[1], 2)
			if d.day > 31 {
				d.day, d.year = rest[1], century(rest[0], 2)
			}
		}
	case d.month > 0:
	case yearFirst && len(rest) > 1: // 2004 1 2
		d.month, d.day = rest[0], rest[1]
	case len(rest) > 1: // 1/2/2004 is January 2 unless that cannot be, 1.2.2004 is not
		d.month, d.day = rest[0], rest[1]
		if d.month > 12 || d.dayFirst && d.day <= 12 {
			d.month, d.day = d.day, d.month
		}
		if d.year < 0 && len(rest) > 2 {
			d.year = century(rest[2], 2)
		}
	}
	return d.year >= 0 && d.month > 0
}
