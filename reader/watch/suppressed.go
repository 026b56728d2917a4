package watch

import (
	"cmp"
	"fmt"
	"time"

	"diurna/reader/page"
	"diurna/store"
)

// A change that is not reported is still shown where somebody asks: its bytes are
// dropped, its class and score stay with the poll.

// compared is the watchTarget whose comparison is noted: of several the one that
// changed most. nil: nothing came that could be compared.
func (g *Visit) compared() *watchTarget {
	var most *watchTarget
	for i := range g.targets {
		l := &g.targets[i]
		if l.h.Err != nil || l.h.Same || l.first || l.diff.Class == "" {
			continue
		}
		if most == nil || l.diff.Score > most.diff.Score {
			most = l
		}
	}
	return most
}

// unreportedWords name what a change that was not reported consists of.
var unreportedWords = map[page.Class]string{
	page.Menu: "menu only", page.Order: "order only", page.Links: "links only", page.Date: "dates only",
	page.Volatile: "only counters and flapping parts changed", page.Content: "below the threshold",
}

func (p *Page) unreported() string {
	if p.Compared.IsZero() || !p.Compared.After(p.Changed) {
		return ""
	}
	if p.held != "" {
		return p.held
	}
	return unreportedSentence(p.LastClass, p.LastScore)
}

// unreportedSentence is "" for a class that nobody would see.
func unreportedSentence(class page.Class, score float64) string {
	if class == "" || class == page.None {
		return ""
	}
	return fmt.Sprintf("%s (score %.1f)", cmp.Or(unreportedWords[class], string(class)+" only"), score)
}

// SuppressedAt is what a fetch at a time found and did not tell, as its line says it.
func SuppressedAt(p *store.Poll, at time.Time) string {
	if now := at.Unix(); p.Watch.LastAt != now || p.Watch.Changed == now {
		return ""
	}
	if held := p.Watch.Held; held != "" {
		return "changed, not reported: " + held
	}
	if say := unreportedSentence(page.Class(p.Watch.LastClass.String()), p.Watch.LastScore); say != "" {
		return "changed, not reported: " + say
	}
	return ""
}
