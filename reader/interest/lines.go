package interest

import (
	"diurna/ranking"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// WhyLine is a line of an explanation as people read it.
type WhyLine struct {
	What string // "feed Lighthouse Log"
	Feed bool   // it is about the item's feed
	Seen string // "1 of 3", or why nothing is counted
	Note string // in brackets: what else is worth knowing
	Move string // "up to"
	To   string // "14.9 %"
	Last bool   // of those that close it, and stay where there is no room for all
}

// Lines are the explanation line by line: the reader's own rate, what counts with
// the largest effect first, and what the bonus for learning did, in places.
func (w *ItemWhy) Lines() []WhyLine {
	lines := []WhyLine{{What: "you, overall", Seen: seen(w.Opened, w.Shown) + " shown", Move: "start", To: percent(w.Start)}}
	var silent []string
	calibrated := WhyLine{What: ranking.Calibration, Seen: "what came of such chances", Last: true}
	blended := WhyLine{}
	if w.Passed != 0 {
		calibrated.Seen = "what came of such chances, shown before"
	}
	for _, s := range w.Steps {
		if s.Kind == ranking.Calibration {
			calibrated.Move, calibrated.To = moved(s.From, s.To)
			continue
		}
		if s.Kind == ranking.NaiveBayes {
			blended = WhyLine{What: "naive Bayes", Seen: fmt.Sprintf("a simpler model; your log gives it a weight of %.2f", s.Weight), Last: true}
			blended.Move, blended.To = moved(s.From, s.To)
			continue
		}
		if s.Weight == 0 && s.Kind != ranking.Folder.String() {
			if s.Kind == ranking.Word.String() {
				silent = append(silent, s.Name)
			}
			continue
		}
		l := WhyLine{What: s.Kind + " " + plain.Line(s.Name, 0), Feed: s.Kind == ranking.Feed.String(), Seen: seen(s.Opened, s.Shown)}
		l.Move, l.To = moved(s.From, s.To)
		if l.Feed && w.Pinned {
			l.Note = "pinned: above all others"
		}
		lines = append(lines, l)
	}
	if len(silent) > 0 {
		lines = append(lines, WhyLine{What: plain.Line("words "+strings.Join(silent, ", "), 0),
			Seen: fmt.Sprintf("too few to count (under %d)", ranking.WordsFrom), Move: "no effect"})
	}
	if w.Excluded {
		return append(lines, WhyLine{What: "its feed", Seen: "left out of learning", Move: "no effect"})
	}
	if calibrated.To != "" {
		lines = append(lines, calibrated)
	}
	if blended.To != "" {
		lines = append(lines, blended)
	}
	return append(lines, w.findingLine())
}

// findingLine says what the bonus did that an item has because what is rarely shown is
// worth learning about.
func (w *ItemWhy) findingLine() WhyLine {
	l := WhyLine{What: "learning bonus", Seen: "this feed was never shown", Move: "same row", Last: true}
	for _, t := range w.Terms {
		if t.Kind == ranking.Feed.String() && t.Shown > 0 {
			often := "times"
			if t.Shown == 1 {
				often = "time"
			}
			l.Seen = fmt.Sprintf("this feed was shown %s %s", wording.Count(t.Shown), often)
			if t.Shown < 10 {
				l.Seen = fmt.Sprintf("this feed was shown only %s %s", wording.Count(t.Shown), often)
			}
		}
	}
	if w.By > 0 && w.Plain > 0 && w.By != w.Plain {
		l.Move = fmt.Sprintf("row %s -> row %s", wording.Count(w.Plain), wording.Count(w.By))
	}
	return l
}

func seen(opened, shown int) string { return wording.Count(opened) + " of " + wording.Count(shown) }

func percent(p float64) string { return fmt.Sprintf("%.1f %%", 100*p) }

func moved(from, to float64) (move, value string) {
	switch a, b := math.Round(1000*from), math.Round(1000*to); {
	case b > a:
		return "up to", percent(to)
	case b < a:
		return "down to", percent(to)
	}
	return "no effect", ""
}

// Thousandths writes a chance as people read it here: ".114".
//
//go:noinline // 9 places
func Thousandths(p float64) string {
	s := fmt.Sprintf("%.3f", p)
	return strings.TrimPrefix(s, "0")
}

// Sum is the score in a line: "score .121, row 3 of Ranked = chance you open it
// .114 + learning bonus .007".
func (w *ItemWhy) Sum() string {
	row := ""
	if w.Place > 0 {
		row = fmt.Sprintf(", row %s of Ranked", wording.Count(w.Place))
	}
	return fmt.Sprintf("score %s%s = chance you open it %s + learning bonus %s", Thousandths(w.Score), row, Thousandths(w.Chance), Thousandths(w.Bonus))
}

// MarshalJSON makes the names plain again on the way out.
func (w ItemWhy) MarshalJSON() ([]byte, error) {
	type bare ItemWhy
	w.Title = plain.Line(w.Title, 0)
	terms := make([]Term, len(w.Terms))
	for i, t := range w.Terms {
		t.Name = plain.Line(t.Name, 0)
		terms[i] = t
	}
	w.Terms = terms
	return json.Marshal(bare(w))
}
