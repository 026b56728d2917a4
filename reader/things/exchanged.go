package things

import (
	"sort"
	"strings"
)

// manyAlike is how many addresses must change in the same way to be the same ones.
const manyAlike = 3

// Exchanged lists the names of things that set b lacks and those that a lacks, and
// which of them are the same thing under an address written in another way.
func Exchanged(a, b map[string]string) (gone, come []string, same map[string]bool) {
	gone, come = missingFrom(b, a), missingFrom(a, b)
	return gone, come, tagged(gone, come)
}

// missingFrom lists the names in of that set lacks.
func missingFrom(set, of map[string]string) (out []string) {
	for k := range of {
		if _, ok := set[k]; !ok {
			out = append(out, k)
		}
	}
	sort.Strings(out)
	return out
}

// tagged finds the addresses that lead where they led, but for something every
// one of them got in its query: a campaign, a version, a session. At least
// manyAlike must have changed in the same way.
func tagged(gone, come []string) map[string]bool {
	old := map[string]string{} // by path; "": several
	for _, k := range gone {
		path, _, _ := strings.Cut(k, "?")
		if _, twice := old[path]; twice {
			k = ""
		}
		old[path] = k
	}
	alike := map[string][]string{}
	for _, k := range come {
		path, query, _ := strings.Cut(k, "?")
		if was := old[path]; was != "" {
			_, before, _ := strings.Cut(was, "?")
			how := retagged(before, query)
			alike[how] = append(alike[how], was, k)
		}
	}
	same := map[string]bool{}
	for _, pair := range alike {
		for _, k := range pair {
			same[k] = same[k] || len(pair) >= 2*manyAlike
		}
	}
	return same
}

// retagged says how one query becomes another: the names of what came and went,
// and the values of what is another now.
func retagged(before, after string) string {
	was := map[string]string{}
	params := func(q string) []string { return strings.FieldsFunc(q, func(r rune) bool { return r == '&' }) }
	for _, p := range params(before) {
		k, v, _ := strings.Cut(p, "=")
		was[k] = v
	}
	var how []string
	for _, p := range params(after) {
		k, v, _ := strings.Cut(p, "=")
		old, ok := was[k]
		delete(was, k)
		switch {
		case !ok:
			how = append(how, "+"+k)
		case old != v:
			how = append(how, k+"="+old+"="+v)
		}
	}
	for k := range was {
		how = append(how, "-"+k)
	}
	sort.Strings(how)
	return strings.Join(how, "&")
}
