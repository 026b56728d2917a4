package page

import (
	"strings"

	"diurna/reader/align"
	"diurna/reader/kind"
)

// named reports whether a change is one that Has and Not ask for: a block that
// changed, and not only by what is volatile, has one of the words of Has in what
// came or went, and none of Not. Without Has, what is no text counts as well.
func (n *analysis) named() bool {
	has, not := folded(n.o.Has), folded(n.o.Not)
	if len(has)+len(not) == 0 || n.d.Blocks.Unshown > 0 {
		return true // a page with more changes than a diff holds is not judged by its words
	}
	rows := 0
	for _, h := range n.d.Hunks {
		for i := range h.Rows {
			r := &h.Rows[i]
			if r.Kind == Same || r.Kind == Moved || r.Class == Volatile {
				continue
			}
			rows++
			if (len(has) == 0 || r.mentionsAny(has)) && !r.mentionsAny(not) {
				return true
			}
		}
	}
	return rows == 0 && len(has) == 0
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
