package wording

import "strings"

// Nearest returns the one of names with the fewest letters to change, which word
// was probably meant to be; "" when even that one is something else: more than a
// third of the word.
func Nearest(word string, names []string) string {
	best, at := "", max(1, (len(word)+1)/3)+1
	for _, n := range names {
		d := Distance(strings.ToLower(word), n)
		if strings.HasPrefix(n, strings.ToLower(word)) && len(word) > 1 {
			d = min(d, 1)
		}
		if d < at {
			best, at = n, d
		}
	}
	return best
}

// Distance counts the letters to change, add, leave out or swap with their
// neighbour (optimal string alignment), because swaps are the commonest slip.
func Distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	prev2, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev, row = prev, row, prev2
	}
	return prev[len(b)]
}
