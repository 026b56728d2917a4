package record

import (
	"slices"
	"strconv"
	"strings"
)

// maxRuns bounds how long the numbers of one document may be written.
const maxRuns = 16 << 10

// Runs writes numbers as runs: "3-17 40". "" for none, or for too many to be kept.
func Runs(numbers []uint32) string {
	list := slices.Clone(numbers)
	slices.Sort(list)
	list = slices.Compact(list)
	var b []byte
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if b = strconv.AppendUint(append(b, ' '), uint64(list[i]), 10); j > i {
			b = strconv.AppendUint(append(b, '-'), uint64(list[j]), 10)
		}
		i = j + 1
	}
	if len(b) == 0 || len(b) > maxRuns {
		return ""
	}
	return string(b[1:])
}

// RunSet are the numbers that Runs wrote.
type RunSet [][2]uint32

// ParseRuns reads what Runs wrote. From a word that is none on, all numbers count as
// there: what cannot be read must not look absent.
func ParseRuns(words string) RunSet {
	var set RunSet
	for word := range strings.FieldsSeq(words) {
		from, to, ranged := strings.Cut(word, "-")
		a, err := strconv.ParseUint(from, 10, 32)
		b := a
		if err == nil && ranged {
			b, err = strconv.ParseUint(to, 10, 32)
		}
		if err != nil {
			return RunSet{{0, 1<<32 - 1}}
		}
		set = append(set, [2]uint32{uint32(a), uint32(b)})
	}
	return set
}

// Has tells whether n is one of them.
func (s RunSet) Has(n uint32) bool {
	return slices.ContainsFunc(s, func(r [2]uint32) bool { return r[0] <= n && n <= r[1] })
}
