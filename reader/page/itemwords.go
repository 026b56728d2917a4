package page

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// counted are the words beside which a number says how many readers did
// something. What changes there by itself is no edit.
var counted = map[string]bool{}

func init() {
	for w := range strings.FieldsSeq(`comment comments reply replies response responses like likes view views share
		shares vote votes upvote upvotes point points reaction reactions repost reposts boost boosts retweet retweets
		favorite favorites favourite favourites download downloads reader readers listen listens
		kommentar kommentare antwort antworten aufrufe stimmen commentaire commentaires réponses vues
		comentario comentarios respuestas vistas comentário comentários respostas commenti commento risposte
		reacties reactie komentarz komentarzy komentarze комментарий комментария комментариев`) {
		counted[w] = true
	}
}

// sides are the words of a row before and after.
func (r *Row) sides() (side [2][]string) {
	for _, s := range r.Segments {
		words := strings.Fields(s.Text)
		if s.Kind != Insert {
			side[0] = append(side[0], words...)
		}
		if s.Kind != Delete {
			side[1] = append(side[1], words...)
		}
	}
	return side
}

// counts reports whether every number that changed in an idle row counts what
// readers did.
func counts(r *Row) bool {
	side := r.sides()
	for i := range side {
		side[i] = slices.DeleteFunc(side[i], func(w string) bool { return bareWord(w) == "" })
	}
	words := side[1]
	if len(side[0]) != len(words) {
		return false
	}
	for i, w := range words {
		if w == side[0][i] || !hasDigit(w) && !hasDigit(side[0][i]) {
			continue
		}
		beside := false
		for _, k := range []int{i - 1, i, i + 1} {
			if k >= 0 && k < len(words) {
				beside = beside || counted[strings.ToLower(strings.Trim(words[k], "0123456789.,:;()[]#|·-–—"))]
			}
		}
		if !beside {
			return false
		}
	}
	return true
}

// rewritten reports whether fewer than half of the words of a sentence are still
// there, in any order, a corrected letter or two aside. One of two words is no
// sentence.
func rewritten(side [2][]string) bool {
	long := max(len(side[0]), len(side[1]))
	if min(len(side[0]), len(side[1])) < 2 || long < 3 {
		return false
	}
	left := make([]string, len(side[1]))
	for i, w := range side[1] {
		left[i] = bareWord(w)
	}
	kept := 0
	for _, w := range side[0] {
		w = bareWord(w)
		for i, v := range left {
			if v != "" && alike(w, v) {
				left[i] = ""
				kept++
				break
			}
		}
	}
	return 2*kept < long
}

func bareWord(w string) string {
	return strings.ToLower(strings.Trim(w, ".,:;!?#|·•-–—\"'()[]«»„“”‘’"))
}

// alike reports whether two words are one, or differ by a slip: at most two
// letters between a beginning and an end that they share, and most of the word.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	x, y := []rune(a), []rune(b)
	n := min(len(x), len(y))
	head := 0
	for head < n && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < n-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	return max(len(x), len(y))-head-tail <= 2 && head+tail >= 2
}

// wordsOf counts the words of a text.
func wordsOf(text string) int { return len(strings.Fields(anyTag.ReplaceAllString(text, " "))) }

var (
	anyTag   = regexp.MustCompile(`<[^<>]*>`)
	imageTag = regexp.MustCompile(`(?i)<img\b[^<>]*>`)
	tagSize  = regexp.MustCompile(`(?i)[\s"'](?:width|height)\s*=\s*["']?\s*(\d+)`)
)

// withoutPixels is the text less the images of a point or two, which only report
// that they were loaded.
func withoutPixels(text string) string {
	return imageTag.ReplaceAllStringFunc(text, func(tag string) string {
		for _, m := range tagSize.FindAllStringSubmatch(tag, -1) {
			if n, err := strconv.Atoi(m[1]); err == nil && n <= 2 {
				return ""
			}
		}
		return tag
	})
}
