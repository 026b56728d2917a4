// Package kind says what sort of thing words are: a state, an amount, a version, a
// date, an age, a count. Of looks at a changed stretch of a block, OfBlock at a
// block that came or went, and the shapes behind them (dates, clocks, amounts,
// tokens) can be asked for one by one. The words of languages that tell a kind
// stand in kindwords.go alone; a Section is one list of them.
package kind

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what sort of thing a changed stretch of text is. It decides what a
// change counts as until the place it stands in has a history.
type Kind uint8

// The kinds. Those up to KindNumber are content, the others are not.
const (
	Text    Kind = iota // words, names
	State               // in stock, cancelled, open
	Amount              // a number with a currency
	Version             // 2.4.0
	Date                // a date or time that belongs to something
	Number              // a number with a label of its own
	Age                 // how long ago, or how long still
	Count               // of views, comments, stars and the like; reading time
	Stamp               // when the page itself was made or looked at
	Token               // build ids, hashes, addresses of machines
)

var kindNames = [...]string{"text", "state", "amount", "version", "date", "number", "age", "count", "timestamp", "token"}

// String names the kind as why shows it.
func (k Kind) String() string { return kindNames[k] }

// Quiet reports whether a kind is no content.
func (k Kind) Quiet() bool { return k >= Age }

// Near is how many words beside a number may say what it counts.
const Near = 3

// around returns words [i, j) with up to n words on either side.
func around(words []string, i, j, n int) []string {
	return words[max(0, i-n):min(len(words), j+n)]
}

// Of says what the words [i, j) of a block are; dates marks the words that
// belong to dates and times.
func Of(words []string, i, j int, dates []bool) Kind {
	changed := words[i:j]
	digits, dated, tokens := 0, 0, 0
	for k := i; k < j; k++ {
		w := words[k]
		switch {
		case dates[k]:
			dated++
		case Hashed(w) && !names(w), Quad(w), k+1 < len(words) && Timed(w, words[k+1]):
			tokens++
		case HasDigit(w):
			digits++
		}
	}
	switch wide := around(words, i, j, 2); {
	case tokens == len(changed):
		return Token
	case len(changed) == 1 && part(changed[0], true), States.Has(changed) || digits+dated == 0 && States.Has(wide) && !Ago.Has(wide):
		return State
	case dated == len(changed):
		return kindOfDate(words, i, j)
	case aged(words, i, j):
		return Age
	case digits == 0:
		return Text
	case Costs(words, i, j):
		if collected(words, i, j) || rate(words) {
			return Count
		}
		return Amount
	case Makers.Has(words[max(0, i-makerWords):i]):
		return Token
	case versioned(words, i, j):
		return Version
	case len(changed) == 1 && part(changed[0], false) && !IsSet(words, i, j):
		return Count
	case Identifies(words, i, j, dates):
		return Number
	case len(changed) <= Near && (countsVisits(words, i, j) || voted(words, i, j) || reading(words, i, j)):
		return Count
	case times(changed):
		return kindOfDate(words, i, j)
	}
	if digits == len(changed) {
		return Number
	}
	return Text
}

// stampWords is how far from a date the words stand that say the page was made
// then: a date takes up to ten words itself where each sign is one.
const stampWords = 12

// makerWords is how far before a version the words stand that say it is of what
// made the page.
const makerWords = 4

// times reports whether all words are times of day.
func times(words []string) bool {
	for _, w := range words {
		if !IsClock(w) || Bare(w) {
			return false
		}
	}
	return len(words) > 0
}

// kindOfDate tells the time a page was made from a time that belongs to what it
// says: by the words before, by seconds, and where nothing else stands in a block.
func kindOfDate(words []string, i, j int) Kind {
	if len(words) <= AgeWords && AsOf.Has(around(words, i, j, stampWords)) {
		return Stamp
	}
	for _, w := range words[i:j] {
		if len(Parts(w, ":")) == 3 {
			return Stamp
		}
	}
	return Date
}

// aged reports whether words [i, j) are an age or a countdown: numbers, units of
// time and words for days that are near, beside a word that says so.
func aged(words []string, i, j int) bool {
	if countedBack(words, j) {
		return false
	}
	if j == i+1 && i > 0 && j < len(words) && len(words) <= ShortNotice && Bare(words[i]) && Within.Has(words[i-1:i]) && Minutes.Has(words[j:j+1]) {
		return true // the next bus
	}
	if j == i+1 && (i > 0 && len(Parts(words[i-1], ":")) > 1 || j < len(words) && len(Parts(words[j], ":")) > 1) {
		return false // from when to when
	}
	if j < len(words) && Currencies.Has(words[j:j+1]) || i > 0 && Currencies.Has(words[i-1:i]) && (j == len(words) || !Units.Has(words[j:j+1])) && Bare(words[j-1]) {
		return false // an amount beside an age
	}
	relative := false
	for k := i; k < j; k++ {
		one := words[k : k+1]
		switch {
		case Bare(words[k]):
		case len(Parts(words[k], ":")) > 1:
		case Units.Has(one) || glued(words[k]) || Articles.Has(one):
		case Relatives.Has(one), Ago.Has(one):
			relative = true
		default:
			return false
		}
	}
	for j+2 < len(words) && Units.Has(words[j:j+1]) && Bare(words[j+1]) && Units.Has(words[j+2:j+3]) {
		j += 2 // the smaller units of the same time
	}
	for i > 1 && Units.Has(words[i-1:i]) && Bare(words[i-2]) {
		i -= 2 // the larger ones
	}
	wide := around(words, i, j, Near)
	if i > 2 && len(words) > ShortNotice && Ago.Has(words[i-1:i]) && Units.Has(words[i-2:i-1]) && Bare(words[i-3]) && !(j < len(words) && Units.Has(words[j:j+1])) {
		wide = words[i:min(len(words), j+Near)] // in a sentence the age before it has its word
	}
	return Ago.Has(wide) && (relative || Units.Has(wide) || hasGlued(wide) || hasParts(words[i:j])) ||
		relative && len(words) <= ShortNotice && j-i <= Near && !States.Has(words)
}

// countedBack reports whether a time that ends at word j, or with the unit there, is
// counted back from what follows: two days before the exam, which is no age.
func countedBack(words []string, j int) bool {
	for j < len(words) && Units.Has(words[j:j+1]) {
		j++
	}
	most := 1
	if j < len(words) && single(words[j]) {
		most = phraseWords
	}
	return j+1 < len(words) && Before.Has(words[j:min(len(words), j+most)])
}

func hasParts(words []string) bool {
	for _, w := range words {
		if len(Parts(w, ":")) > 1 {
			return true
		}
	}
	return false
}

// glued reports whether w is a number with a unit of time: 5m, 3h, 12min.
func glued(w string) bool {
	at := strings.IndexFunc(w, func(r rune) bool { return !unicode.IsDigit(r) })
	return at > 0 && Units.Has([]string{w[at:]})
}

func hasGlued(words []string) bool {
	for _, w := range words {
		if glued(w) {
			return true
		}
	}
	return false
}

// grouped widens words [i, j) by the other groups of digits of the same number, where
// blanks part them.
func grouped(words []string, i, j int) (from, to int) {
	for i > 0 && j > i && len(words[i]) == 3 && Bare(words[i]) && Bare(words[i-1]) {
		i--
	}
	for j > i && j < len(words) && len(words[j]) == 3 && Bare(words[j]) && Bare(words[j-1]) {
		j++
	}
	return i, j
}

// Costs reports whether a currency stands in or right beside words [i, j), or beside
// other groups of digits of the same number.
func Costs(words []string, i, j int) bool {
	i, j = grouped(words, i, j)
	for _, w := range around(words, i, j, 1) {
		if Priced(w) || strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Sc, r) }) {
			return true
		}
	}
	return Currencies.Has(around(words, i, j, 1))
}

// collected reports whether words [i, j) are a part of a larger amount that follows: what
// was given so far.
func collected(words []string, i, j int) bool {
	i, j = grouped(words, i, j)
	for k := j; k < min(len(words), j+2*Near); k++ {
		if HasDigit(words[k]) {
			_, to := grouped(words, k, k+1)
			part, whole := count(strings.Join(words[i:j], ",")), count(strings.Join(words[k:to], ","))
			return part >= 0 && part < whole && Wholes.Has(words[j:k])
		}
	}
	return false
}

// rate reports whether a block says what a unit of a currency costs: 1 EUR = 6.50.
func rate(words []string) bool {
	return len(words) > 2 && len(words) < 5 && (words[0] == "1" || words[0] == "100") && Currencies.Has(words[1:2]) && Bare(words[2])
}

// Hours reports whether words [i, j) belong to hours between which something is open:
// two numbers of at most 24, the later one second.
func Hours(words []string, i, j int) bool {
	for k := max(0, i-1); k < j && k+1 < len(words); k++ {
		from, to := ShortNumber(words[k]), ShortNumber(words[k+1])
		if from >= 0 && from < to && to <= 24 {
			return true
		}
	}
	return false
}

// Versioned reports whether one of some words is the number of a version by its shape.
func Versioned(words []string) bool { return versioned(words, 0, len(words)) }

// versioned reports whether words [i, j) are the number of a version.
func versioned(words []string, i, j int) bool {
	if i > 0 && Versions.Has(words[i-1:i]) {
		return true
	}
	for _, w := range words[i:j] {
		if v := strings.TrimLeft(strings.ToLower(w), "v"); len(v) < len(w) && v != "" && v[0] >= '0' && v[0] <= '9' {
			return true
		} else if number, _, _ := strings.Cut(v, "-"); len(number) < len(v) && !HasDigit(v[len(number)+1:min(len(v), len(number)+2)]) && len(Parts(number, ".")) >= 3 {
			return true // 2.4.0-beta1
		} else if p := Parts(v, "."); len(p) >= 3 && !IsDate(v) {
			return true
		}
	}
	return false
}

// unspacedNear is Near in scripts where each character is a word.
const unspacedNear = 8

// single reports whether w is one character of such a script.
func single(w string) bool {
	r, n := utf8.DecodeRuneInString(w)
	return n == len(w) && Unspaced(r)
}

// countsVisits reports whether a word for what people do with a page stands beside
// the number in words [i, j).
func countsVisits(words []string, i, j int) bool {
	if len(words) > AgeWords {
		return false
	}
	i, j = grouped(words, i, j)
	from, to := max(0, i-2), min(len(words), j+Near)
	for from > 0 && i-from < unspacedNear && single(words[from]) && single(words[from-1]) {
		from--
	}
	for to < len(words) && to-j < unspacedNear && single(words[to-1]) && single(words[to]) {
		to++
	}
	// Another number nearer to the word owns it.
	for k := j; k < to; k++ {
		if k-j < Near && (words[k] == "5" || words[k] == "10" || k > j && Wholes.Has(words[j:k]) && Hundredths(words[k]) >= Hundredths(words[i])) {
			to = min(len(words), k+1+Near) // 4.3 of 5 stars, 41 out of 48 liked it
			continue
		}
		if HasDigit(words[k]) {
			to = k
			break
		}
	}
	for k := i - 1; k >= from; k-- {
		if HasDigit(words[k]) {
			from = k + 1
			break
		}
	}
	return Counts.Has(words[from:to])
}

// voted reports whether words [i, j) are a number behind an answer, yes or no, in a block
// that gives two.
func voted(words []string, i, j int) bool {
	if i == 0 || j != i+1 || !Bare(words[i]) || !Answers.Has(words[i-1:i]) {
		return false
	}
	n := 0
	for k := range len(words) - 1 {
		if Answers.Has(words[k:k+1]) && Bare(words[k+1]) {
			n++
		}
	}
	return n == 2
}

// readingWords is the longest block in which the words before its first number, or
// all words beside its only one, say what that is.
const readingWords = ShortNotice + Near + 1

// reading reports whether words [i, j) are what was measured or counted just now:
// a quantity of that kind is named beside them, or they are a part of the number
// behind, and nothing says that the number was set.
func reading(words []string, i, j int) bool {
	if IsSet(words, i, j) {
		return false
	}
	if j+1 < len(words) && Wholes.Has(words[j:j+1]) && Hundredths(words[i]) <= Hundredths(words[j+1]) && Hundredths(words[i]) >= 0 {
		return true
	}
	from, to, short := i, j, len(words) <= readingWords
	for from > 0 && (short || i-from < Near) && !HasDigit(words[from-1]) {
		from--
	}
	for to < len(words) && (short && from == 0 || to-j < Near || single(words[to])) && !HasDigit(words[to]) {
		to++
	}
	return Gauges.Has(words[from:to])
}

// part reports whether w is a part and its whole, 17/40, and no date: all of it, which
// is a state, or some of it, which is a count.
func part(w string, all bool) bool {
	p := Parts(w, "/")
	return len(p) == 2 && p[0] > 0 && p[0] <= p[1] && all == (p[0] == p[1]) && (p[1] > 31 || p[0] > 12 && p[1] > 12)
}

// Quantity reports whether a name is that of a count or a reading.
func Quantity(name []string) bool {
	return len(name) > 0 && !Facts.Has(name) && (Counts.Has(name) || Gauges.Has(name) || Vacant.Has(name))
}

// Awaited reports whether words [i, j) are a time to wait in minutes or seconds: the
// unit follows in a short block, and nothing says that it was set.
func Awaited(words []string, i, j int) bool {
	most := readingWords
	if single(words[0]) {
		most *= 2
	}
	if len(words) > most {
		return false
	}
	return j == i+1 && j < len(words) && Bare(words[i]) && Minutes.Has(words[j:j+1]) && !IsSet(words, i, j) && !States.Has(words) && !pastHour(words, i)
}

// pastHour reports whether words[i] are the minutes of a time of day where hours and
// minutes each have one character behind them.
func pastHour(words []string, i int) bool {
	if i < 2 || !single(words[i-1]) || Minutes.Has(words[i-1:i]) {
		return false
	}
	hour := ShortNumber(words[i-2])
	return hour >= 0 && hour <= 24
}

// IsSet reports whether words beside a number say that it was set.
func IsSet(words []string, i, j int) bool {
	near := 2
	if i > 0 && single(words[i-1]) || j < len(words) && single(words[j]) {
		near = unspacedNear
	}
	return Facts.Has(around(words, i, j, near))
}

// Vacancies reports whether words [i, j) say how many are free now.
func Vacancies(words []string, i, j int) bool {
	near := Near
	if i > 0 && single(words[i-1]) || j < len(words) && single(words[j]) {
		near = unspacedNear
	}
	return j == i+1 && Bare(words[i]) && len(words) <= AgeWords && !IsSet(words, i, j) && Vacant.Has(around(words, i, j, near))
}

// Readings reports whether all that a short block says is how things are now: two
// quantities that are measured are named, or one at its beginning with its unit, and
// each of its numbers is a reading.
func Readings(words []string) bool {
	if len(words) > readingWords || States.Has(words) {
		return false
	}
	n, numbers := 0, 0
	for i := 0; i < len(words); i++ {
		if HasDigit(words[i]) {
			if numbers++; !reading(words, i, i+1) {
				return false
			}
		}
		if one := Gauges.Has(words[i : i+1]); one || Gauges.Has(words[i:min(len(words), i+2)]) {
			if n++; !one {
				i++
			}
		}
	}
	return n > 1 && (numbers > 1 || numbers > 0 && Gauges.Has(words[:min(len(words), 2)]))
}

// Rates reports whether a block says nothing but what several currencies cost.
func Rates(words []string) bool {
	seen := map[string]bool{}
	for i, w := range words {
		switch {
		case Currencies.Has(words[i : i+1]):
			seen[strings.ToLower(w)] = true
		case !HasDigit(w):
			return false
		}
	}
	return len(seen) > 1
}

// lastly reports whether words are nothing but one age of several words, as "last
// month" is.
func lastly(words []string) bool {
	return len(words) > 1 && Relatives.HasEntry(strings.ToLower(strings.Join(words, " ")))
}

// OfBlock says what a short block is that came or went as a whole; KindText
// for what is more than an age, a count or a time.
func OfBlock(words []string, dates []bool) Kind {
	if len(words) > ShortNotice+Near {
		return Text
	}
	others, digits, number := 0, 0, 0
	for i, w := range words {
		one := words[i : i+1]
		switch {
		case HasDigit(w):
			digits, number = digits+1, i
		case dates[i], Units.Has(one), Ago.Has(one), Relatives.Has(one), Articles.Has(one), AsOf.Has(one):
		default:
			others++
		}
	}
	short := utf8.RuneCountInString(strings.Join(words, "")) <= 60
	switch {
	case !short || States.Has(words):
		return Text
	case others <= 1 && Ago.Has(words) && (Units.Has(words) || hasGlued(words)):
		return Age
	case digits == 0 && Relatives.Has(words) && (others == 0 || lastly(words) || lastly(words[:len(words)-1])):
		return Age
	case others <= 2 && digits > 0 && AsOf.Has(words):
		return Stamp
	case digits == 1 && !Costs(words, 0, len(words)) && countsVisits(words, number, number+1):
		return Count
	}
	return Text
}

// ShortNotice is the longest block in which a year that changes by itself is a
// date ("© 2022 Harbour Office"), not a fact.
const ShortNotice = 8

// AgeWords is the longest block whose age is looked for; an age is at most
// ageRun words, the first a number, at one end of the block.
const (
	AgeWords = 40
	AgeRun   = 2
)
