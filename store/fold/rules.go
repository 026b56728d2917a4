package fold

import (
	"maps"
	"slices"

	"diurna/store/record"
)

// held is a property of an item that rules set and nobody else since.
type held struct {
	id record.ItemID
	Prop
}

// RuleTurn finds what turning a step turns of a rule's doings.
type RuleTurn struct {
	steps Steps
	rule  int
	after uint64                // the step
	last  map[held]bool         // by the rule: whether it set or took off
	made  bool                  // by the step
	by    map[held]map[int]bool // by others
}

// Steps has the steps of the log.
type Steps interface {
	// StepFacts returns the facts of a step, and whether it is taken back.
	StepFacts(no uint64) (facts []record.Fact, undone bool, err error)
}

// NewRuleTurn is for what a rule did from step after on, which made or removed it; 0:
// for all that it did.
func NewRuleTurn(steps Steps, rule int, after uint64, made bool) *RuleTurn {
	return &RuleTurn{steps: steps, rule: rule, after: after, made: made, last: map[held]bool{}, by: map[held]map[int]bool{}}
}

// OnlyMuted leaves what the rule mutes.
func (r *RuleTurn) OnlyMuted() {
	tag := Prop{What: 't', On: true, Tag: record.MutedTag(r.rule)}
	for h := range r.last {
		if h.Prop != tag && (h.What != 'r' || !r.last[held{h.id, tag}]) {
			delete(r.last, h)
		}
	}
}

// See takes in a fact after the step. Steps that are taken back count as if they had
// never been.
func (r *RuleTurn) See(f *record.Fact) error {
	turn := f.Kind == record.Undone || f.Kind == record.Redone
	no := f.Step
	if turn {
		no = f.Ref
	}
	if no == 0 || no <= r.after && !turn {
		r.touched(f)
		return nil
	}
	facts, undone, err := r.steps.StepFacts(no)
	if err != nil {
		return err
	}
	switch {
	case turn && (no > r.after || !undone), !turn && undone:
		return nil // as it was
	case !turn:
		r.touched(f)
		return nil
	}
	for i := range facts {
		r.touched(&facts[i])
	}
	return nil
}

func (r *RuleTurn) touched(f *record.Fact) {
	p, ok := PropOf(f)
	if !ok {
		return
	}
	on := p.On
	if p.On = true; p.What == 'o' {
		p.What = 'r'
	}
	rule := f.ByRule()
	for _, id := range f.Items {
		h := held{id, p}
		switch {
		case rule == 0:
			delete(r.last, h)
			delete(r.by, h)
			if p.What == 't' && !on && p.Tag == record.MutedTag(r.rule) { // the reader marked it: read stays read
				delete(r.last, held{id, Prop{What: 'r', On: true}})
			}
		case rule == r.rule && r.counts(f):
			r.last[h] = on
		case rule == r.rule:
		case on:
			if r.by[h] == nil {
				r.by[h] = map[int]bool{}
			}
			r.by[h][rule] = true
		default:
			delete(r.by[h], rule)
		}
	}
}

// counts reports whether what the rule did was of the step: done with it, turned with
// it, or done to what came later where the step made the rule.
func (r *RuleTurn) counts(f *record.Fact) bool {
	return r.after == 0 || f.Ref == r.after || f.Ref == 0 && r.made
}

// Facts are what sets the rule's doings, or takes them off, in the order of their
// numbers. What another rule does too is set again by that one.
func (r *RuleTurn) Facts(on bool) []*record.Fact {
	kinds := map[byte][2]record.Kind{'r': {record.MarkedUnread, record.MarkedRead}, 's': {record.Unsaved, record.Saved}, 't': {record.Untagged, record.Tagged}}
	all := map[string]*record.Fact{}
	add := func(rule int, h held, on bool) {
		kind := kinds[h.What][record.Bit(on)]
		name := string([]byte{byte(record.Bit(rule != r.rule)), h.What}) + record.RuleField(rule) + h.Tag
		if all[name] == nil {
			all[name] = &record.Fact{Kind: kind, Field: record.RuleField(rule), New: h.Tag}
		}
		all[name].Items = append(all[name].Items, h.id)
	}
	for h, was := range r.last {
		if was == on {
			continue
		}
		add(r.rule, h, on)
		if others := slices.Sorted(maps.Keys(r.by[h])); !on && len(others) > 0 {
			add(others[0], h, true)
		}
	}
	var out []*record.Fact
	for _, name := range slices.Sorted(maps.Keys(all)) {
		all[name].Items = record.SortedIDs(all[name].Items)
		out = append(out, all[name])
	}
	return out
}
