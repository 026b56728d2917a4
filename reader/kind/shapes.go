package kind

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Everything here tells by shape: digits, separators, mixtures of letters and
// digits. No word of a language and no site's name may appear.

// HasDigit reports whether w holds a decimal digit of any script.
func HasDigit(w string) bool {
	for i := range len(w) {
		switch c := w[i]; {
		case c >= '0' && c <= '9':
			return true
		case c >= utf8.RuneSelf:
			return strings.IndexFunc(w[i:], unicode.IsDigit) >= 0
		}
	}
	return false
}

// Bare reports whether w is a plain count: digits, with . , ' between.
func Bare(w string) bool {
	for i, r := range w {
		if !unicode.IsDigit(r) && (i == 0 || r != '.' && r != ',' && r != '\'') {
			return false
		}
	}
	return w != ""
}

// ShortNumber returns the value of a plain decimal count up to 9999, or -1.
func ShortNumber(w string) int {
	n := 0
	if w == "" || len(w) > 4 {
		return -1
	}
	for _, r := range w {
		if r < '0' || r > '9' {
			return -1
		}
		n = 10*n + int(r-'0')
	}
	return n
}

// Priced reports whether w is an amount of money.
func Priced(w string) bool {
	if at := strings.IndexFunc(w, unicode.IsDigit); at > 0 && Bare(w[at:]) && Currencies.HasEntry(strings.ToLower(w[:at])) {
		return true // Rp3.000
	}
	return HasDigit(w) && strings.IndexFunc(w, func(r rune) bool { return unicode.Is(unicode.Sc, r) }) >= 0
}

// AmountLike reports whether w is an amount by its sign or its two decimals.
func AmountLike(w string) bool {
	at := len(w) - 3
	return Priced(w) || Bare(w) && at > 0 && (w[at] == '.' || w[at] == ',')
}

// Measured reports whether w is a number with a short unit or part of the day
// behind it, as 20cm, 15p, 256GB and 4pm are: no identifier. A unit of time may be an
// age, a lone k or m is how counters are shortened, and other scripts than Latin
// write whole words behind a number.
func Measured(w string) bool {
	at := strings.IndexFunc(w, unicode.IsLetter)
	if at <= 0 || !Bare(w[:at]) || glued(w) {
		return false
	}
	unit := w[at:]
	return len(unit) <= 3 && strings.IndexFunc(unit, func(r rune) bool { return !unicode.Is(unicode.Latin, r) }) < 0 &&
		!strings.EqualFold(unit, "k") && !strings.EqualFold(unit, "m")
}

// Parts splits a number with separators: "28.01.2022" into 28 1 2022.
func Parts(w string, seps string) []int {
	if !strings.Contains(w, seps) {
		return nil
	}
	var out []int
	for _, p := range strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune(seps, r) }) {
		n := ShortNumber(p)
		if n < 0 {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// IsClock reports whether w is a time of day: 7:30, 23:35:02, 2:05pm, or 14h05
// (h is the SI symbol of the hour).
func IsClock(w string) bool {
	if h, m, ok := strings.Cut(w, "h"); ok {
		return ShortNumber(h) >= 0 && ShortNumber(h) <= 24 && (m == "" || len(m) == 2 && ShortNumber(m) >= 0 && ShortNumber(m) < 60)
	}
	end := strings.TrimRightFunc(w, unicode.IsLetter)
	if len(w)-len(end) > 2 {
		return false
	}
	p := Parts(end, ":")
	return (len(p) == 2 || len(p) == 3) && p[0] <= 24 && p[1] < 60 && p[len(p)-1] < 61
}

// Quad reports whether w is an address of a machine: four numbers to 255.
func Quad(w string) bool {
	p := Parts(w, ".")
	for _, n := range p {
		if n > 255 {
			return false
		}
	}
	return len(p) == 4
}

// IsDate reports whether w is a date in digits: 28.01.2022, 2022-01-28, 1/28/22.
func IsDate(w string) bool {
	for _, sep := range []string{".", "-", "/"} {
		p := Parts(w, sep)
		if len(p) != 3 {
			continue
		}
		if IsYear(p[0]) && p[1] <= 12 && p[2] <= 31 && p[1]*p[2] > 0 ||
			p[0]*p[1] > 0 && (IsYear(p[2]) || p[2] < 100 && HasDigit(w[len(w)-2:len(w)-1])) && p[0] <= 31 && p[1] <= 31 && (p[0] <= 12 || p[1] <= 12) {
			return true
		}
	}
	day, clock, ok := strings.Cut(w, "T") // with a time of day
	return ok && len(day) == len("2022-01-28") && len(clock) > 4 && IsClock(clock[:5]) && IsDate(day)
}

// IsYear reports whether n is a year of our time.
func IsYear(n int) bool { return n >= 1900 && n < 2100 }

// YearIn reads the year in "2026", or "2026" with one letter of another script
// behind it, as Korean writes it; 0 if there is none.
func YearIn(w string) int {
	if len(w) > 4 && w[4] >= utf8.RuneSelf && utf8.RuneCountInString(w[4:]) == 1 {
		w = w[:4]
	}
	if n := ShortNumber(w); IsYear(n) {
		return n
	}
	return 0
}

// commitDigits is how many hexadecimal digits the short name of a commit has.
const commitDigits = 7

// Hashed reports whether w looks like a token nobody reads: eight or more
// letters and digits that change kind at least three times, or sixteen or more
// with both.
func Hashed(w string) bool {
	letters, digits, turns := 0, 0, 0
	last := rune(0)
	for _, r := range w {
		kind := rune(0)
		switch {
		case r >= '0' && r <= '9':
			digits++
			kind = 'd'
		case unicode.IsLetter(r):
			letters++
			kind = 'l'
		case r == '-' || r == '_' || r == '.' || r == '=' || r == '+' || r == '/':
			continue
		default:
			return false
		}
		if last != 0 && kind != last {
			turns++
		}
		last = kind
	}
	n := letters + digits
	if n >= commitDigits && len(w) == n && min(letters, digits) > 1 && strings.Trim(w, "0123456789abcdef") == "" {
		return true
	}
	return n >= 8 && letters > 0 && digits > 0 && (turns >= 3 || n >= 16) || n >= 24 && digits > 0
}

// IsFile reports whether a value of a query names a file: two to four letters end it
// behind a point.
func IsFile(v string) bool {
	at := strings.LastIndexByte(v, '.')
	return at > 0 && len(v)-at > 2 && len(v)-at < 6 && strings.IndexFunc(v[at+1:], func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// Hexish reports whether v is eight or more hexadecimal digits, both kinds present.
func Hexish(v string) bool {
	letters, digits := 0, 0
	for _, r := range v {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F':
			letters++
		default:
			return false
		}
	}
	return len(v) >= 8 && letters > 0 && digits > 0
}

// Mask replaces what varies in a word: every number, with its separators, and
// every token nobody reads, becomes "#".
func Mask(w string) string {
	if !HasDigit(w) {
		return w
	}
	if Hashed(w) {
		return "#"
	}
	var b strings.Builder
	in := false
	for i, r := range w {
		switch {
		case unicode.IsDigit(r):
			if !in {
				b.WriteByte('#')
			}
			in = true
		case in && strings.ContainsRune(".,:'/-", r) && i+1 < len(w) && unicode.IsDigit(rune(w[i+1])):
		default:
			in = false
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Renumbered reports whether two blocks that are not long differ in their numbers alone.
func Renumbered(a, b []string) bool {
	return len(a) == len(b) && len(a) <= AgeWords && MaskAll(a) == MaskAll(b)
}

// MaskAll masks the words of a block; it is the rule by which the reader
// ignores a block whatever its numbers are.
func MaskAll(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = Mask(w)
	}
	return strings.Join(out, " ")
}

// Fold strips w of everything a wrong charset can damage: only ASCII letters
// and digits stay.
func Fold(w string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, w)
}

// Misread reports whether two texts differ only by how their bytes were read:
// one of them holds characters beyond ASCII or replacement signs, and nothing
// else differs.
func Misread(x, y string) bool {
	if !damaged(x) && !damaged(y) {
		return false
	}
	fx, fy := Fold(x), Fold(y)
	return fx == fy && len(fx)*2 >= utf8.RuneCountInString(x)
}

// charmaps are the single-byte charsets UTF-8 is most often misread as.
var charmaps = []*charmap.Charmap{charmap.Windows1252, charmap.Windows1251, charmap.Windows1250,
	charmap.Windows1253, charmap.Windows1254, charmap.ISO8859_15, charmap.KOI8R}

// damaged reports signs of a wrong charset: replacement characters, C1
// controls, or text that, written in a single-byte charset, turns out to be
// UTF-8: genuine text of such a charset hardly ever does.
func damaged(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || r >= 0x80 && r < 0xA0 {
			return true
		}
	}
	for _, cm := range charmaps {
		if doubled(s, cm) {
			return true
		}
	}
	return false
}

// doubled reports whether at least half of the runs beyond ASCII in s are
// UTF-8 once written in cm.
func doubled(s string, cm *charmap.Charmap) bool {
	good, all := 0, 0
	var run []byte
	end := func() {
		if len(run) > 0 {
			all++
			// The last character of a run may have been a space and be lost.
			if r, n := utf8.DecodeRune(run); n > 1 && r != utf8.RuneError {
				good++
			}
		}
		run = run[:0]
	}
	for _, r := range s {
		b, ok := cm.EncodeRune(r)
		if !ok || b < 0x80 {
			end()
			continue
		}
		run = append(run, b)
	}
	end()
	return good > 0 && 2*good >= all
}

// DateSpans marks the words of a block that belong to a date or a time: a
// date in digits, a year with a day near it, and the words between. A clock
// counts beside a date or alone: in a row of a timetable it is what the page
// is read for.
func DateSpans(words []string) []bool {
	in := make([]bool, len(words))
	stamp := len(words) <= 2
	for i, w := range words {
		if HasDigit(w) && (IsDate(w) || YearIn(w) > 0) {
			in[i] = IsDate(w)
			stamp = markDay(words, in, i) || in[i] || stamp
		}
	}
	for i, w := range words {
		if stamp && HasDigit(w) && IsClock(w) {
			in[i] = true
			if i+1 < len(words) && halfOrZone(words[i+1]) {
				in[i+1] = true
			}
		}
	}
	markHours(words, in)
	return in
}

// halfOrZone reports whether w, behind a time of day, can be its half of the day
// or its zone: a few capitals.
func halfOrZone(w string) bool {
	return len(w) <= 4 && capitals(w)
}

// markHours marks a time of day that follows a date where hours, minutes and
// seconds each have a sign of one character behind them: 14時05分.
func markHours(words []string, in []bool) {
	single := func(i int) bool {
		return i < len(words) && words[i][0] >= utf8.RuneSelf && utf8.RuneCountInString(words[i]) == 1
	}
	for i := 2; i < len(words); i++ {
		if !in[i-2] || in[i] || !single(i-1) || !single(i+1) {
			continue
		}
		if n := ShortNumber(words[i]); n >= 0 && n < 60 {
			in[i-1], in[i] = true, true
		}
	}
}

// Weekdays takes a changed word before a date that changed for its day of the
// week, where a comma parts the two.
func Weekdays(dates []bool, match []int32, comma func(i int) bool) {
	for i := 0; i+1 < len(dates); i++ {
		if dates[i] || match[i] >= 0 || !dates[i+1] || !comma(i) {
			continue
		}
		for j := i + 1; j < len(dates) && dates[j]; j++ {
			if match[j] < 0 {
				dates[i] = true
				break
			}
		}
	}
}

// BesideDates takes the first word of a block for a day of the week where a comma
// parts it from a date, and a short last word behind a time of day for its zone:
// what such a block says is a date, in whatever language.
func BesideDates(dates []bool, words []string, comma func(i int) bool) {
	n := len(words)
	if n < 2 {
		return
	}
	if dates[1] && comma(0) {
		dates[0] = true
	}
	if dates[n-2] && IsClock(words[n-2]) && utf8.RuneCountInString(words[n-1]) <= 3 {
		dates[n-1] = true
	}
}

// Timed reports whether w, followed by next, is how long something took to
// make: a fraction of seconds, or milliseconds (the units' SI symbols).
func Timed(w, next string) bool {
	return Bare(w) && (next == "ms" || next == "s" && strings.ContainsAny(w, ".,"))
}

// Crept reports whether two counts are large and close: a counter went on. Of
// thousands that are parted by a sign, as no year and no room is, fewer will do, but
// not in a row, which may be one of prices.
func Crept(a, b string, row bool) bool {
	x, y := count(a), count(b)
	least := int64(largeCount)
	if !row && parted(a) && parted(b) {
		least = partedCount
	}
	return min(x, y) >= least && abs(x-y)*50 <= x
}

// Grouped is word i with the groups of digits before it, where blanks part them.
func Grouped(words []string, i int) string {
	from, _ := grouped(words, i, i+1)
	return strings.Join(words[from:i+1], ",")
}

// Counted reports whether a number that says how many there are of what follows
// grew by a tenth at most from at least a hundred. Behind a capital it may be a name.
func Counted(a string, words []string, i int) bool {
	if i+1 >= len(words) || len(words) > readingWords || IsSet(words, i, i+1) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(words[i+1])
	if i > 0 {
		if before, _ := utf8.DecodeRuneInString(words[i-1]); unicode.IsUpper(before) {
			return false
		}
	}
	x, y := count(a), count(words[i])
	return x >= 100 && y > x && (y-x)*10 <= x && !IsYear(int(y)) &&
		(Unspaced(r) || unicode.IsLetter(r) && !unicode.IsUpper(r) && utf8.RuneCountInString(words[i+1]) > 3)
}

// Grew reports whether one plain count became another that is larger by a quarter at
// most.
func Grew(a, b string) bool {
	x, y := count(a), count(b)
	return x >= 0 && y > x && 4*(y-x) <= x
}

// largeCount and partedCount are where a number that creeps is a counter rather
// than a fact.
const (
	largeCount  = 10_000
	partedCount = 1_000
)

// parted reports whether thousands are parted by a sign.
func parted(w string) bool { return strings.ContainsAny(w, ".,'") }

// Jumped reports whether two numbers that a lone k or m shortens differ by half or
// more, as sizes do and counters do not.
func Jumped(a, b string) bool {
	x, unit := shortened(a)
	y, other := shortened(b)
	return unit != "" && unit == other && 2*abs(x-y) >= min(x, y)
}

// Shortened reports whether a lone k or m shortens a number.
func Shortened(w string) bool { _, unit := shortened(w); return unit != "" }

// shortened reads 2.1k or 64M in hundredths.
func shortened(w string) (n int64, unit string) {
	if len(w) < 2 {
		return 0, ""
	}
	switch unit = strings.ToLower(w[len(w)-1:]); unit {
	case "k", "m":
		if n = Hundredths(w[:len(w)-1]); n >= 0 {
			return n, unit
		}
	}
	return 0, ""
}

// IsCode reports whether w names a gate, a room or a line: up to three capitals and
// a number of up to four digits, or a number of up to three and a capital.
func IsCode(w string) bool {
	const digits = "0123456789"
	letters := strings.TrimRight(w, digits)
	if n := len(letters); n > 0 && utf8.RuneCountInString(letters) <= 3 && n < len(w) && len(w)-n <= 4 {
		return capitals(letters)
	}
	rest := strings.TrimLeft(w, digits)
	return utf8.RuneCountInString(rest) == 1 && len(rest) < len(w) && len(w)-len(rest) < 4 && capitals(rest) && rest != "K" && rest != "M"
}

func capitals(w string) bool {
	return strings.TrimFunc(w, unicode.IsUpper) == ""
}

func abs(n int64) int64 { return max(n, -n) }

// count reads a plain count, with separators of thousands or without, -1 if w is
// none. Groups of two, as India writes them, stand before the last comma.
func count(w string) int64 {
	if !Bare(w) {
		return -1
	}
	n, group, sep := int64(0), 0, rune(0)
	for _, r := range w {
		switch {
		case r >= '0' && r <= '9':
			if n > 1<<50 {
				return -1
			}
			n, group = 10*n+int64(r-'0'), group+1
		case group > 3 || sep != 0 && (r != sep || group != 3 && (sep != ',' || group != 2)):
			return -1
		default:
			sep, group = r, 0
		}
	}
	if sep != 0 && group != 3 {
		return -1
	}
	return n
}

// Hundredths reads a number in hundredths, -1 if w is none: what follows the last
// point or comma are its decimals where they are two or one. Signs of money
// beside it do not count.
func Hundredths(w string) int64 {
	w = strings.TrimFunc(w, func(r rune) bool { return unicode.Is(unicode.Sc, r) || unicode.IsSpace(r) })
	if !Bare(w) || len(w) > 15 {
		return -1
	}
	n := int64(0)
	for _, r := range w {
		if r >= '0' && r <= '9' {
			n = 10*n + int64(r-'0')
		}
	}
	switch at := strings.LastIndexAny(w, ".,"); {
	case at > 0 && at == len(w)-3:
		return n
	case at > 0 && at == len(w)-2:
		return 10 * n
	}
	return 100 * n
}

// TheNumber is the only number of a block, see amount; -1 if there are others.
func TheNumber(words []string) int64 {
	n := int64(-1)
	for _, w := range words {
		if !HasDigit(w) {
			continue
		}
		if n >= 0 {
			return -1
		}
		if n = Hundredths(w); n < 0 {
			return -1
		}
	}
	return n
}

// markDay looks for a day of the month near the year, date or clock at i and
// marks everything from one to the other. A day stands up to four words before
// ("3 de marzo de 2022"), with no other number or word for a count between; after it
// only where single characters part them. "March" in "March 3, 2022" stands beside.
func markDay(words []string, in []bool, i int) (found bool) {
	mark := func(j int) bool {
		n := LeadingNumber(words[j])
		if n < 1 || n > 31 {
			return false
		}
		for k := min(i, j); k <= max(i, j); k++ {
			in[k] = true
		}
		found = true
		return true
	}
	for j := i - 1; j >= max(0, i-4); j-- {
		if !HasDigit(words[j]) {
			continue
		}
		if j == i-2 && unitOfTwo(words[j+1]) {
			break // 12 MB, 1944 downloads
		}
		if j < i-1 && YearIn(words[i]) > 0 && Counts.Has(words[j+1:i]) {
			break // page 1 of 3, views: 1944
		}
		if mark(j) && j == i-1 && j > 0 && (!HasDigit(words[j-1]) || LeadingNumber(words[j]) <= 12 && LeadingNumber(words[j-1]) > 0 && LeadingNumber(words[j-1]) <= 31) {
			in[j-1] = true // 3. 11. 2026
		}
		break
	}
	if found && i+1 < len(words) && HasDigit(words[i+1]) {
		return true // what follows is another number
	}
	for j := i + 1; j < min(len(words), i+5); j++ {
		if HasDigit(words[j]) && !mark(j) || !HasDigit(words[j]) && utf8.RuneCountInString(words[j]) > 1 {
			break
		}
	}
	return found
}

// unitOfTwo reports whether w is two Latin letters and no Roman number: a unit, for
// names of months are longer or numbers.
func unitOfTwo(w string) bool {
	return len(w) == 2 && unicode.IsLetter(rune(w[0])) && unicode.IsUpper(rune(w[1])) && strings.Trim(w, "IVX") != ""
}

// LeadingNumber reads "3", "3rd" or "14e"; -1 if w does not begin with one.
func LeadingNumber(w string) int {
	i := 0
	for i < len(w) && w[i] >= '0' && w[i] <= '9' {
		i++
	}
	if i == 0 || i > 2 || utf8.RuneCountInString(w[i:]) > 2 || HasDigit(w[i:]) {
		return -1
	}
	return ShortNumber(w[:i])
}
