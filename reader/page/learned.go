package page

import (
	"diurna/reader/align"
	"diurna/reader/ignore"
	"diurna/reader/kind"
)

// Learned is a place of a page at which changes are quiet.
type Learned struct {
	Rule        string   // what ReportBlocks takes to report them
	Path        []string // the headings above it, outermost first
	Text        string   // what stands there
	Changed, Of int      // in how many of the last fetches it changed
	Why         string   // it is quiet, a clause
}

// maxLearned bounds a list of places.
const maxLearned = 200

const (
	whyHistory = "changes by itself"
	whyTwice   = "differed between two fetches within seconds"
	whyFlaps   = "comes and goes"
)

// Quiet lists the places of a page at which changes are quiet by the history that m
// has of them, and those that changed and are quiet by what they are. What a rule of
// o names is left out.
func Quiet(page []byte, m Memory, o Options) ([]Learned, error) {
	sc, err := NewScope(o)
	if err != nil {
		return nil, err
	}
	d := align.Parse(page)
	in, _ := sc.Of(d)
	outline, names, have := align.OutlineOf(d), ignore.NamesOf(d), map[string]bool{}
	hidden, shown := sc.rules.Parts(d), sc.reports.Parts(d)
	var out []Learned
	for b := range d.Blocks {
		if d.Blocks[b].Words() > align.LongLone || sc.Outside(d, b, in) || sc.reports.Hides(d, b) != "" {
			continue
		}
		q := quietBlock{m: &m, d: d, block: b, words: d.BlockWords(b), row: outline.At[b].Flags&align.InRow != 0}
		q.named = make([]bool, len(q.words))
		for _, parts := range [2][][]ignore.Part{hidden, shown} {
			for i := 0; parts != nil && i < len(parts[b]); i++ {
				for _, w := range parts[b][i].Words {
					q.named[w-d.Blocks[b].W0] = true
				}
			}
		}
		for part := range 3 {
			l := Learned{}
			if part < 2 {
				q.numbers(&l, names, part == 0)
			} else {
				q.whole(&l)
			}
			if l.Rule != "" && !have[l.Rule] && len(out) < maxLearned {
				have[l.Rule], l.Path, l.Text = true, headings(d, &outline, b), align.Clean(d.TextOf(b))
				out = append(out, l)
			}
		}
	}
	return out, nil
}

// quietBlock is a block whose history is looked at.
type quietBlock struct {
	m     *Memory
	d     *align.Document
	block int
	words []string
	named []bool // by word: a rule names it
	row   bool
}

// numbers is for the numbers that are quiet, of amounts, versions and dates or of others.
func (q *quietBlock) numbers(out *Learned, names *ignore.Names, facts bool) {
	dates, changed, some := kind.DateSpans(q.words), make([]bool, len(q.words)), false
	for i, w := range q.words {
		p, ok := q.m.places[numberPlace(q.d, q.block, q.words, i)]
		if !ok || q.named[i] || !kind.HasDigit(w) {
			continue
		}
		k, why := kind.Of(q.words, i, i+1, dates), whyHistory
		all, times := p.fetches()
		switch {
		case facts != (1<<k&factKinds != 0), facts && !p.restlessFact():
			continue
		case p.unsteady && all == 0:
			why = whyTwice
		case facts, p.volatile(), !k.Quiet() && len(q.words) > 1 && !q.row && p.restlessNumber():
		case k.Quiet() && times > 0:
			why = "a " + k.String() + " that changed"
		default:
			continue
		}
		if changed[i] = true; !some || times > out.Changed {
			out.Changed, out.Of, out.Why = times, all, why
		}
		some = true
	}
	if !some {
		return
	}
	if out.Rule = names.Rule(q.block, ignore.Numbers, changed); out.Rule == "" {
		if out.Rule = ignore.Of(q.d, q.block); !ignore.HasLetter(out.Rule) {
			out.Rule = ignore.Placed(q.d, q.block, out.Rule)
		}
	}
}

// whole is for a block whose words change, or that comes and goes.
func (q *quietBlock) whole(out *Learned) {
	is := placeLog.volatile
	if isFact(q.words) {
		is = placeLog.restlessFact
	}
	for i, key := range blockPlaces(q.d, q.block) {
		p, ok := q.m.places[key]
		if !ok || key == 0 || !is(p) {
			continue
		}
		out.Of, out.Changed = p.fetches()
		out.Why = whyHistory
		if p.unsteady && out.Of == 0 {
			out.Why = whyTwice
		}
		if out.Rule = ignore.Placed(q.d, q.block, "*"); i == 0 {
			out.Rule = ignore.Anywhere(q.d, q.block) // all that stands in such elements
		}
		return
	}
	if turns := turnsFor(q.words); q.m.flaps(q.d.Hash(q.block), turns) {
		out.Rule, out.Why, out.Of = ignore.Lone(q.d, q.block), whyFlaps, turns
		out.Changed = turns
	}
}
