package watch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/store"
)

// Attention is how a change of a page was handled.
type Attention string

// The steps of attention.
const (
	Reported   Attention = "reported"   // a row of its own
	Suppressed Attention = "suppressed" // seen, and no row
	Volatile   Attention = "volatile"   // changes by itself, or is only a count or an age
)

var ladder = []Attention{Reported, Suppressed, Volatile}

// Seen is the last change of a page that one step of the ladder took.
type Seen struct {
	Attention Attention `json:"attention"`
	At        time.Time `json:"at"`
	Class     string    `json:"class"`
	Score     float64   `json:"score"`
	Rule      string    `json:"rule"` // why it is on this step, a sentence
	Places    []Place   `json:"places"`
	More      int       `json:"more"` // places that are not listed
}

// Place is a place of a page that changed.
type Place struct {
	Under string  `json:"under"` // the headings it stands under
	Text  string  `json:"text"`  // with [-old-] and {+new+}
	Class string  `json:"class"`
	Rule  string  `json:"rule"`  // why it counts as that
	Score float64 `json:"score"` // what it would score alone
}

// maxPlaces places of a change are kept with it, maxPlaceText characters of each.
const (
	maxPlaces    = 5
	maxPlaceText = 160
)

// noteSeen keeps how a change was handled, and why.
func (l *watchTarget) noteSeen(threshold float64) {
	if l.first || l.diff.Class == page.None || l.diff.Class == "" {
		return
	}
	s := Seen{At: l.h.At, Class: string(l.diff.Class), Score: l.diff.Score, Attention: Suppressed}
	limit := max(cmp.Or(threshold, page.DefaultThreshold), 0)
	switch {
	case l.reported && l.says != "":
		s.Attention, s.Rule = Reported, l.says
	case l.reported:
		s.Attention, s.Rule = Reported, fmt.Sprintf("its score is above the threshold of %s", score(limit))
	case l.held != "":
		s.Rule = l.held
	case l.diff.Class == page.Volatile:
		s.Attention, s.Rule = Volatile, "nothing else changed"
	default:
		s.Rule = quietRule(s.Score, limit)
	}
	s.Places, s.More = loudest(&l.diff)
	l.note.Seen = slices.DeleteFunc(l.note.Seen, func(o Seen) bool { return o.Attention == s.Attention })
	l.note.Seen = append(l.note.Seen, s)
}

// quietRule says why a change that no rule held back was not reported.
func quietRule(points, limit float64) string {
	if points > limit {
		return "only menus, footers and the like changed"
	}
	return fmt.Sprintf("its score is not above the threshold of %s", score(limit))
}

// loudest lists the changed places of a diff that score most, in that order, and
// how many others there are.
func loudest(d *page.Diff) (out []Place, more int) {
	all := byScore(d)
	for _, f := range all[:min(len(all), maxPlaces)] {
		out = append(out, Place{plain.Line(strings.Join(f.path, " > "), 80), plain.Line(f.row.Mono(), maxPlaceText),
			string(f.row.Class), f.row.Reason(), f.row.Alone()})
	}
	return out, len(all) - len(out)
}

// placed is a row of a diff under its headings.
type placed struct {
	path []string
	row  *page.Row
}

// byScore lists the changed rows of a diff, those first that score most.
func byScore(d *page.Diff) (all []placed) {
	for _, h := range d.Hunks {
		for i := range h.Rows {
			if h.Rows[i].Kind != page.Same {
				all = append(all, placed{h.Path, &h.Rows[i]})
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].row.Alone() > all[j].row.Alone() })
	return all
}

// onlyQuiet names what changed where that was nothing but volatile; "" otherwise.
func onlyQuiet(d *page.Diff) string {
	all := byScore(d)
	if d.Class != page.Volatile || len(all) == 0 {
		return ""
	}
	row := all[0].row
	say := fmt.Sprintf("only %s, %s", quoted(cmp.Or(row.New(), row.Old())), row.Reason())
	if len(all) > 1 {
		say += fmt.Sprintf("; and %s", wording.Plural(len(all)-1, "more place"))
	}
	return plain.Line(say, 200)
}

func score(v float64) string {
	if v == 0 {
		return "0"
	}
	return formatScore(v)
}

// LastChanges lists the last change of a page that was reported, the last one that
// was suppressed and the last volatile one, each with its places and the rule that
// put it there.
func (ps *Pages) LastChanges(ctx context.Context, id store.FeedID) ([]Seen, error) {
	if _, err := ps.pageFeed(ctx, id); err != nil {
		return nil, err
	}
	notes, err := ps.notesOf(ctx, id)
	if err != nil {
		return nil, err
	}
	list := slices.Clone(notes[0].Seen)
	for i := range list {
		list[i].At = list[i].At.Local().Truncate(time.Second) // in JSON as every time
	}
	sort.Slice(list, func(i, j int) bool {
		return slices.Index(ladder, list[i].Attention) < slices.Index(ladder, list[j].Attention)
	})
	return list, nil
}
