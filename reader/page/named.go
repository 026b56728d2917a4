package page

import (
	"strings"

	"diurna/reader/align"
	"diurna/reader/kind"
)

// named says why a change is none that Has and Not ask for, "" where it is one: a block
// that changed, and not only by what is volatile, has one of the words of Has in what
// came or went, and none of Not. Without Has, what is no text counts as well.
func (n *analysis) named() (why string) {
	has, not := folded(n.o.Has), folded(n.o.Not)
	if len(has)+len(not) == 0 || n.d.Blocks.Unshown > 0 {
		return "" // a page with more changes than a diff holds is not judged by its words
	}
	why = "the change has none of the required words"
	if len(has) == 0 {
		why = "all that changed has one of the excluded words"
	}
	rows, excluded := 0, false
	for _, h := range n.d.Hunks {
		for i := range h.Rows {
			r := &h.Rows[i]
			if r.Kind == Same || r.Kind == Moved {
				continue
			}
			asked, barred := len(has) == 0 || r.mentionsAny(has), r.mentionsAny(not)
			if r.Class == Volatile {
				if len(has) > 0 && asked && !barred && !excluded {
					why = "the required words are only where nothing is reported, " + r.Reason()
				}
				continue
			}
			rows++
			switch {
			case asked && !barred:
				return ""
			case asked && len(has) > 0:
				why, excluded = "what has one of the required words has an excluded one as well", true
			}
		}
	}
	if rows == 0 && len(has) == 0 {
		return ""
	}
	return why
}

// asked reports whether a row has words that the reader named: no history makes those quiet.
func (r *Row) asked(o *Options) bool {
	return o.Memory != nil && len(o.Has) > 0 && r.mentionsAny(folded(o.Has)) && !r.mentionsAny(folded(o.Not))
}

// mentionsAny reports whether one of the words stands in the changed text of a row,
// or came or went because a part of it changed: "in stock" of "in store".
func (r *Row) mentionsAny(words []string) bool {
	var changed strings.Builder
	for _, s := range r.Segments {
		if s.Kind != align.Equal {
			changed.WriteString(s.Text + " | ")
		}
	}
	text, old, now := kind.CaseFold(changed.String()), kind.CaseFold(r.Old()), kind.CaseFold(r.New())
	for _, w := range words {
		if occurrences(text, w) > 0 || occurrences(old, w) != occurrences(now, w) {
			return true
		}
	}
	return false
}

func folded(words []string) (out []string) {
	for _, w := range words {
		if w = kind.CaseFold(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}
