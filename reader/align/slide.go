package align

// maxSlide bounds how far one run is moved; on a page of one repeated word
// every run could otherwise travel through all of it.
const maxSlide = 256

// slide moves insertions and deletions that could stand in several places to
// the one a user would name. Inserting a row "x y" between "x y" and "x y"
// is the same number of words wherever it is put; at the start of a block it
// is a row, elsewhere the end of one row and the start of the next. The number
// of matched words does not change.
func (al *Alignment) slide() {
	slideRuns(al.B, al.Back, al.Match)
	slideRuns(al.A, al.Match, al.Back)
}

// slideRuns slides the unmatched runs of d. match leads from d's words to the
// other side's, back the other way; both are kept true.
func slideRuns(d *Document, match, back []int32) {
	for s := 0; s < len(match); s++ {
		if match[s] >= 0 {
			continue
		}
		e := s + 1
		for e < len(match) && match[e] < 0 {
			e++
		}
		// Left by n is possible while the word entering at the front equals
		// the word leaving at the end; to the right the other way round.
		left := 0
		for left < maxSlide && s-left > 0 && match[s-left-1] >= 0 && d.word(int32(s-left-1)) == d.word(int32(e-left-1)) {
			left++
		}
		right := 0
		for right < maxSlide && e+right < len(match) && match[e+right] >= 0 && d.word(int32(s+right)) == d.word(int32(e+right)) {
			right++
		}
		best, by := d.border(s)+d.border(e), 0
		for n := -left; n <= right; n++ {
			if v := d.border(s+n) + d.border(e+n); v > best {
				best, by = v, n
			}
		}
		for ; by < 0; by++ {
			s, e = s-1, e-1
			match[e], match[s] = match[s], -1
			back[match[e]] = int32(e)
		}
		for ; by > 0; by-- {
			match[s], match[e] = match[e], -1
			back[match[s]] = int32(s)
			s, e = s+1, e+1
		}
		s = e - 1
	}
}

func (d *Document) word(w int32) int32 { return d.ID(d.Words[w]) }

// border says how good a place the gap before word w is to cut: 3 between
// blocks, 2 between sentences, 1 at a tag, 0 elsewhere.
func (d *Document) border(w int) int {
	if w == 0 || w == len(d.Words) {
		return 3
	}
	best := 0
	for t := d.Next(d.Words[w-1]); t < d.Words[w]; t = d.Next(t) {
		switch {
		case d.kind[t]&flagBlock != 0:
			return 3
		case d.Is(t) == Sign:
			if c := d.Src[t]; c == '.' || c == '!' || c == '?' || c == ';' {
				best = 2
			}
		case d.Is(t) == Tag:
			best = max(best, 1)
		}
	}
	return best
}
