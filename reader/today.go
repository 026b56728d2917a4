package reader

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"diurna/store"
)

// extraFetched names in Poll.Extra when a feed was fetched of late, tokens
// among it. Moments are kept, not a day's count: which day they belong to
// depends on where the reader is by now, and a reader who travels must neither
// be granted a day's fetches twice nor go without.
const extraFetched = "fetched"

// lately is how far back fetches are kept: the longest local day has 25 hours.
const lately = 26 * time.Hour

// fetchMark is n fetches of one feed at one moment. What redirects lead to is part
// of the same fetch; a page watched with what it leads to makes several.
type fetchMark struct {
	at     int64 // unix s
	n      int
	opened bool // because the screen was opened
}

// marksOf reads "1q2w3e*4!": a moment in base 36, how many, a token.
func marksOf(p *store.Poll) []fetchMark {
	var out []fetchMark
	for word := range strings.FieldsSeq(p.Extra[extraFetched]) {
		v := fetchMark{n: 1}
		word, v.opened = strings.CutSuffix(word, "!")
		at, many, several := strings.Cut(word, "*")
		var err error
		if v.at, err = strconv.ParseInt(at, 36, 64); err != nil {
			continue
		}
		if several {
			if v.n, err = strconv.Atoi(many); err != nil || v.n < 1 {
				continue
			}
		}
		out = append(out, v)
	}
	return out
}

// keepMarks writes them, without those that no day reaches back to and those
// that a clock gone wrong dated a day or more ahead.
func keepMarks(p *store.Poll, list []fetchMark, now time.Time) {
	var words []string
	for _, v := range list {
		if ago := now.Unix() - v.at; ago >= int64(lately/time.Second) || ago <= -int64(lately/time.Second) {
			continue
		}
		word := strconv.FormatInt(v.at, 36)
		if v.n != 1 {
			word += fmt.Sprintf("*%d", v.n)
		}
		if v.opened {
			word += "!"
		}
		words = append(words, word)
	}
	p.Extra = withExtra(p.Extra, extraFetched, strings.Join(words, " "))
}

// noteFetch counts n fetches at a moment.
func noteFetch(p *store.Poll, at time.Time, n int) {
	list := marksOf(p)
	if i := slices.IndexFunc(list, func(v fetchMark) bool { return v.at == at.Unix() }); i >= 0 {
		list[i].n += n
	} else {
		list = append(list, fetchMark{at: at.Unix(), n: n})
	}
	keepMarks(p, list, at)
}

// noteOpened says of the fetch at a moment that opening the screen caused it.
func noteOpened(p *store.Poll, at time.Time) {
	list := marksOf(p)
	for i := range list {
		if list[i].at == at.Unix() {
			list[i].opened = true
		}
	}
	keepMarks(p, list, at)
}

// fetchedToday is how often a feed was fetched since the reader's local midnight,
// and how many of these were tokens. A moment that lies ahead, because the clock
// was set back since, counts as well.
func fetchedToday(p *store.Poll, now time.Time) (fetched, opened int) {
	from, to := dayBegins(now).Unix(), now.Add(lately).Unix()
	for _, v := range marksOf(p) {
		if v.at < from || v.at >= to {
			continue
		}
		fetched += v.n
		if v.opened {
			opened++
		}
	}
	return fetched, opened
}

// dayBegins is the last midnight where the reader is, dayEnds the next one.
func dayBegins(now time.Time) time.Time {
	y, m, d := now.Date()
	return midnight(y, m, d, now.Location())
}

func dayEnds(now time.Time) time.Time {
	y, m, d := now.Date()
	return midnight(y, m, d+1, now.Location())
}

// midnight is the first moment of a day: where clocks are set forward at
// midnight there is no 0:00, and where they are set back there may be two.
func midnight(y int, m time.Month, d int, in *time.Location) time.Time {
	day := time.Date(y, m, d, 12, 0, 0, 0, in).Day()
	t := time.Date(y, m, d, 0, 0, 0, 0, in)
	if before := t.Add(-time.Hour); before.Day() == day {
		return before
	}
	if t.Day() != day {
		return t.Add(time.Hour)
	}
	return t
}
