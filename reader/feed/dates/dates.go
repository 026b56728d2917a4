// Package dates reads the dates of feeds, which are in more forms than any
// standard knows.
package dates

import (
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// MaxLen is how many bytes of a date are read.
const MaxLen = 64

// Weekday returns the day that an English name in lower case stands for.
func Weekday(name string) (day time.Weekday, ok bool) {
	day, ok = weekdays[name]
	return day, ok
}

var weekdays = map[string]time.Weekday{
	"sunday": time.Sunday, "monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday,
	"thursday": time.Thursday, "friday": time.Friday, "saturday": time.Saturday,
}

// names are what dates are written with.
type names struct {
	// The offsets, in minutes, of the zone names found in feeds. A name with several
	// meanings has the one that feeds in that zone's language mean.
	zones map[string]int

	// The beginnings of month names. Three letters are enough for English; other
	// languages are listed where they differ. A longer entry wins over a shorter one.
	months map[string]time.Month
}

// known is made when it is first asked for.
var known = sync.OnceValue(func() *names {
	m := &names{months: map[string]time.Month{}, zones: map[string]int{
		"z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 60, "bst": 60, "ist": 330, "cet": 60, "mez": 60, "met": 60,
		"cest": 120, "mesz": 120, "mest": 120, "eet": 120, "eest": 180, "msk": 180, "msd": 240, "trt": 180, "sast": 120,
		"jst": 540, "kst": 540, "hkt": 480, "sgt": 480, "awst": 480, "acst": 570, "acdt": 630, "aest": 600, "aedt": 660,
		"nzst": 720, "nzdt": 780, "pkt": 300, "wib": 420, "ict": 420, "pht": 480, "brt": -180, "brst": -120, "art": -180, "clt": -240, "clst": -180,
		"nst": -210, "ndt": -150, "ast": -240, "adt": -180, "at": -240, "est": -300, "edt": -240, "et": -300, "cst": -360,
		"cdt": -300, "ct": -360, "mst": -420, "mdt": -360, "mt": -420, "pst": -480, "pdt": -420, "pt": -480, "akst": -540,
		"akdt": -480, "hst": -600, "a": -60, "n": 60, "m": -720, "y": 720,
	}}
	for i, names := range [...]string{
		"jan jän ene gen janv leden led sty styczeń ocak ιαν янв januar január tammi ian jaan січ яну јан ينا",
		"feb fév febr févr únor úno lut luty şub φεβ фев helmi fev vee лют فبر شباط",
		"mar mär mrz maart mrt březen bře mars márc μαρ μάρ мар maalis μάώ μαώ берез مار آذار",
		"apr avr abr avril duben dub kwi nis απρ апр ápr huhti квіт أبر ابر نيسان",
		"may mai mei maj maio mag květen kvě máj mayıs μαϊ μάι мая май touko máy máu μαι μαΐ maí трав мај ماي أيار",
		"jun juin giu červen čvn cze haz ιουν ιούν июн jún kesä ιον iun juun jūn черв юни јун يوني حزيران",
		"jul juil juillet lug červenec čvc lip tem ιουλ ιούλ июл júl heinä ιολ iul juul jūl лип юли јул يولي تموز",
		"aug août aoû ago srpen srp sie ağu αυγ αύγ авг elo agu avg серп أغس اغس آب",
		"sep set sept září zář wrz eyl σεπ сен szept syys верес сеп سبتم أيلول",
		"oct okt ott out říjen říj paź eki οκτ окт lokak loka жовт أكت اكت",
		"nov listopad lis kas νοε νοέ ноя marras noi листоп ное нов نوف",
		"dec dez dic déc prosinec pro gru ara δεκ дек joulu des det груд дец ديس",
	} {
		for _, n := range strings.Fields(names) {
			m.months[n] = time.Month(i + 1)
		}
	}
	return m
})

// monthOf finds the month a lower-case word begins with.
func monthOf(w string) (time.Month, bool) {
	for end := len(w); end >= 3; end-- {
		if end < len(w) && !utf8.RuneStart(w[end]) {
			continue
		}
		if m, ok := known().months[w[:end]]; ok {
			return m, true
		}
	}
	return 0, false
}

// dateParts is what a date's tokens have said so far; -1: nothing.
type dateParts struct {
	year, month, day   int
	hour, min, sec, ns int
	offset             int // minutes
	zoned              bool
	pm                 int // 0: 24 hours, 1: am, 2: pm
	numbers            []int
	dayFirst           bool // 6.9.2021
}

// Parse reads a date in any of the forms found in feeds: RFC 822 to 5322,
// RFC 3339 and ISO 8601 (also basic, ordinal and partial forms), the C
// library's, those of databases and content systems, with month names of a
// dozen languages and zone names. Only the first MaxLen bytes are read. A date
// without a zone is taken as UTC and zoned is false. The moment has the zone of
// the text.
func Parse(s string) (at time.Time, zoned, ok bool) {
	if len(s) > MaxLen {
		s = s[:MaxLen]
	}
	s = strings.TrimSpace(s)
	if n := len(s); (n == 10 || n == 13) && strings.Trim(s, "0123456789") == "" {
		v, _ := strconv.ParseInt(s[:10], 10, 64) // seconds, or milliseconds, since 1970
		return time.Unix(v, 0).UTC(), true, true
	}
	s = strings.ReplaceAll(s, "\u2212", "-") // the minus sign of mathematics
	d := dateParts{year: -1, month: -1, day: -1, hour: -1}
	if !d.iso(s) {
		d = dateParts{year: -1, month: -1, day: -1, hour: -1}
		if !d.words(s) {
			return time.Time{}, false, false
		}
	}
	return d.time()
}

// time checks the parts and puts them together. Small overflows ("25:51",
// "June 31") roll over: a date near the right one is better than none.
func (d *dateParts) time() (time.Time, bool, bool) {
	d.month, d.day = max(d.month, 1), max(d.day, 1)
	if d.hour < 0 {
		d.hour = 0
	}
	switch {
	case d.pm == 2 && d.hour < 12:
		d.hour += 12
	case d.pm == 1 && d.hour == 12:
		d.hour = 0
	}
	// What is centuries away is a program's way of saying that it knows no date.
	if d.year < 100 || d.year > 9999 || d.month > 12 || d.day > 35 || d.hour > 47 || d.min > 99 || d.sec > 99 ||
		d.offset < -24*60 || d.offset > 24*60 {
		return time.Time{}, false, false
	}
	zone := time.UTC
	if d.offset != 0 {
		zone = time.FixedZone("", d.offset*60)
	}
	return time.Date(d.year, time.Month(d.month), d.day, d.hour, d.min, d.sec, d.ns, zone), d.zoned, true
}

// digits reads up to n digits and returns the value and how many there were.
func digits(s string, n int) (v, got int) {
	for got < n && got < len(s) && s[got] >= '0' && s[got] <= '9' {
		v = v*10 + int(s[got]-'0')
		got++
	}
	return v, got
}

// century completes a year of two digits.
func century(y, got int) int {
	switch {
	case got > 3:
		return y
	case got == 3, y >= 100: // counted from 1900, as C does
		return y + 1900
	case y < 70:
		return y + 2000
	}
	return y + 1900
}

// iso reads dates that begin with a year of four digits, or of two in ISO's
// own order with dashes.
func (d *dateParts) iso(s string) bool {
	switch _, n := digits(s, 9); {
	case n == 5 || n == 6: // YYDDD, YYMMDD
		y, _ := digits(s, 2)
		d.year = century(y, 2)
		s = s[2:]
	case n == 7: // YYYYDDD
		d.year, _ = digits(s, 4)
		s = s[4:]
	default:
		return d.isoYear(s)
	}
	if _, n := digits(s, 4); n == 3 {
		s = "-" + s
	}
	return d.isoAfterYear(s)
}

// isoYear reads a year and what follows it.
func (d *dateParts) isoYear(s string) bool {
	y, n := digits(s, 4)
	if n != 4 && !(n == 2 && len(s) > 2 && s[2] == '-' && (len(s) >= 8 && s[5] == '-' || len(s) == 6)) {
		return false
	}
	if n == 2 && len(s) >= 10 {
		if _, last := digits(s[6:], 3); last == 3 { // day, month and a whole year
			return false
		}
	}
	d.year = century(y, n)
	return d.isoAfterYear(s[n:])
}

// isoAfterYear reads the day and the clock.
func (d *dateParts) isoAfterYear(s string) bool {
	if s == "" {
		return true
	}
	rest, ok := d.isoDay(s)
	if !ok {
		return false
	}
	rest = strings.TrimLeft(rest, " ")
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "T"), "t")
	rest = strings.TrimLeft(rest, " ,")
	if rest == "" {
		return true
	}
	if rest[0] == '+' || rest[0] == '-' { // a day in a zone
		return d.after(rest)
	}
	return d.clock(rest)
}

// isoWeek reads "Www-D" or "WwwD"; without a day it is Monday. The week with the
// year's first Thursday is its first (ISO 8601).
func (d *dateParts) isoWeek(s string) (rest string, ok bool) {
	week, n := digits(s[1:], 2)
	if n != 2 || week < 1 || week > 53 {
		return "", false
	}
	s = strings.TrimPrefix(s[3:], "-")
	day, n := digits(s, 1)
	if n == 0 {
		day = 1
	}
	first := time.Date(d.year, 1, 4, 0, 0, 0, 0, time.UTC)
	at := first.AddDate(0, 0, 7*(week-1)+day-1-(int(first.Weekday())+6)%7)
	d.year, d.month, d.day = at.Year(), int(at.Month()), at.Day()
	return s[n:], day >= 1 && day <= 7
}

// isoDay reads "-MM-DD", "-MM", "-DDD", "MMDD", weeks, and the same with other
// marks.
func (d *dateParts) isoDay(s string) (rest string, ok bool) {
	if w := strings.TrimPrefix(s, "-"); w != "" && w[0] == 'W' {
		return d.isoWeek(w)
	}
	mark := s[0]
	if mark != '-' && mark != '/' && mark != '.' {
		v, n := digits(s, 4)
		if n == 3 || n < 2 || n == 4 && v/100 > 12 {
			return "", false
		}
		if n == 2 {
			d.month = v
			return s[n:], v >= 1 && v <= 12
		}
		d.month, d.day = v/100, v%100
		return s[n:], d.month >= 1
	}
	v, n := digits(s[1:], 3)
	s = s[1+n:]
	if n == 3 {
		if v < 1 || v > 366 {
			return "", false
		}
		t := time.Date(d.year, 1, v, 0, 0, 0, 0, time.UTC)
		d.month, d.day = int(t.Month()), t.Day()
		return s, true
	}
	if n == 0 || v < 1 || v > 12 {
		return "", false
	}
	d.month = v
	if s == "" || s[0] != mark {
		return s, true
	}
	v, n = digits(s[1:], 2)
	if n == 0 || v == 0 {
		return "", false
	}
	d.day = v
	return s[1+n:], true
}

// clock reads "hh:mm[:ss[.fff]]" with what may follow: am or pm and a zone.
func (d *dateParts) clock(s string) bool {
	v, n := digits(s, 2)
	if n == 0 {
		return false
	}
	d.hour = v
	s = s[n:]
	for i, part := range []*int{&d.min, &d.sec} {
		sep := len(s) > 0 && (s[0] == ':' || s[0] == '.' && i == 0)
		v, got := 0, 0
		if sep {
			v, got = digits(s[1:], 2)
			got++
		} else if n == 2 {
			v, got = digits(s, 2)
			if got != 2 {
				break
			}
		} else {
			break
		}
		if sep && got == 1 {
			break
		}
		*part = v
		s = s[got:]
	}
	if len(s) > 1 && (s[0] == '.' || s[0] == ',' || s[0] == ':') && s[1] >= '0' && s[1] <= '9' {
		scale := int(time.Second)
		s = s[1:]
		for len(s) > 0 && s[0] >= '0' && s[0] <= '9' {
			scale /= 10
			d.ns += int(s[0]-'0') * scale
			s = s[1:]
		}
	}
	return d.after(strings.TrimSpace(s))
}

// after reads what follows a clock time.
func (d *dateParts) after(s string) bool {
	for s != "" {
		s = strings.TrimLeft(s, " ,")
		if rest, ok := d.zone(s); ok {
			s = rest
			continue
		}
		w := leadingWord(s)
		if w == "" {
			return s == "" || s[0] == '('
		}
		lower := strings.ToLower(w)
		switch {
		case halfOf(lower) > 0:
			d.pm = halfOf(lower)
		default:
			if off, ok := known().zones[lower]; ok && !d.zoned {
				d.offset, d.zoned = off, true
			}
		}
		s = s[len(w):]
	}
	return true
}

// zone reads "Z" or a signed offset such as +01:00, -0800, +1, GMT+2.
func (d *dateParts) zone(s string) (rest string, ok bool) {
	if s == "" {
		return s, false
	}
	if s[0] != '+' && s[0] != '-' {
		return s, false
	}
	sign := 1
	if s[0] == '-' {
		sign = -1
	}
	s = strings.TrimLeft(s[1:], " ")
	v, n := digits(s, 4)
	if n == 0 {
		return s, false
	}
	h, m := v, 0
	if n > 2 {
		h, m = v/100, v%100
	}
	s = s[n:]
	if n <= 2 && len(s) > 2 && s[0] == ':' {
		if v, n = digits(s[1:], 2); n == 2 {
			m = v
			s = s[1+n:]
		}
	}
	d.offset, d.zoned = sign*(h*60+m), true
	return s, true
}

func leadingWord(s string) string {
	for i, r := range s {
		if !unicode.IsLetter(r) && r != '\'' || r == '\'' && i == 0 {
			return s[:i]
		}
	}
	return s
}
