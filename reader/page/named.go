package page

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"diurna/reader/align"
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

// mentionsAny reports whether one of the words stands in the changed text of a row,
// or came or went because a part of it changed: "in stock" of "in store".
func (r *Row) mentionsAny(words []string) bool {
	var changed strings.Builder
	for _, s := range r.Segments {
		if s.Kind != align.Equal {
			changed.WriteString(s.Text + " | ")
		}
	}
	text, old, now := foldText(changed.String()), foldText(r.Old()), foldText(r.New())
	for _, w := range words {
		if occurrences(text, w) > 0 || occurrences(old, w) != occurrences(now, w) {
			return true
		}
	}
	return false
}

func folded(words []string) (out []string) {
	for _, w := range words {
		if w = foldText(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// foldText makes texts that differ in case, width of spaces or composition of
// letters the same, as Unicode's full case folding does (CaseFolding.txt, C and F).
func foldText(s string) string {
	folded := strings.Map(foldLetter, foldsToSeveral.Replace(norm.NFD.String(s)))
	return strings.Join(strings.Fields(norm.NFC.String(folded)), " ")
}

// foldLetter goes by way of the capital, since σ and ς share theirs.
func foldLetter(r rune) rune {
	if r == 'ı' {
		return r // i to Turks only
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

// foldsToSeveral are the letters that fold to several and don't decompose into them.
var foldsToSeveral = strings.NewReplacer("ß", "ss", "ẞ", "ss", "ŉ", "ʼn", "ẚ", "aʾ", "և", "եւ", "ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl",
	"ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st", "ﬓ", "մն", "ﬔ", "մե", "ﬕ", "մի", "ﬖ", "վն", "ﬗ", "մխ")
