package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"time"

	"diurna/store/codec"
	"diurna/store/fold"
	"diurna/store/record"
)

// ByImport is the Field of facts about what another program knew of items that an import
// brought in.
const ByImport = record.ByImport

const rulesKey = "rules" // ruleHead

// RuleOf is the number of the rule that a field keeps; 0: none.
func RuleOf(field string) int { return record.RuleOf(field) }

// RuleField is the name of the library's value that keeps a rule.
func RuleField(rule int) string { return record.RuleField(rule) }

// MutedTag is the tag of items that a rule mutes.
func MutedTag(rule int) string { return record.MutedTag(rule) }

// MutedBy is the number of the rule whose MutedTag a tag is; 0: none.
func MutedBy(tag string) int { return record.MutedBy(tag) }

// RuleBook reads and makes the rules of a library.
type RuleBook struct{ Of *Store }

// Rules reads all rules. Text is nil if they are those of known, the At of a Rules
// before.
func (b *RuleBook) Rules(ctx context.Context, known uint64) (Rules, error) {
	var out Rules
	err := b.Of.read(ctx, func(t *txn) error {
		h, err := (ruleWriter{t}).head()
		out = Rules{At: h.at, Next: h.next, Fact: t.head.Facts}
		if err != nil || known != 0 && h.at == known {
			return err
		}
		if out.Text = map[int]string{}; h.at == 0 {
			return nil
		}
		prefix := []byte(ownPrefix + record.RulePrefix)
		return t.Scan(record.Meta, prefix, prefix, func(k, v []byte) error {
			if no := RuleOf(string(k[len(ownPrefix):])); no > 0 {
				out.Text[no] = string(v)
			}
			return nil
		})
	})
	return out, err
}

// ruleWriter writes what rules do in a transaction.
type ruleWriter struct{ t *txn }

// ruleHead is what is known of the rules as a whole.
type ruleHead struct {
	at   uint64 // number of the fact that last changed a rule; 0: there never was one
	next int    // number of the next rule: a number is never used again
}

func (w ruleWriter) head() (ruleHead, error) {
	h := ruleHead{next: 1}
	v, err := w.t.Get(record.Meta, []byte(rulesKey))
	if err != nil || v == nil {
		return h, err
	}
	r := codec.Reader{B: v}
	if h.at, h.next = r.Uvarint(), int(r.Uvarint()); !r.Done() {
		return h, record.Meta.Damage([]byte(rulesKey), "does not decode")
	}
	return h, nil
}

// note notes that the value of a name is being changed.
func (w ruleWriter) note(name string) error {
	no := RuleOf(name)
	h, err := w.head()
	if err != nil || no == 0 {
		return err
	}
	v := binary.AppendUvarint(nil, w.t.head.Facts+1)
	return w.t.Put(record.Meta, []byte(rulesKey), binary.AppendUvarint(v, uint64(max(h.next, no+1))))
}

// stale reports whether other rules hold than those that a filing asked.
func (w ruleWriter) stale(f *Filing) (bool, error) {
	if f.Rules == nil || len(f.New) == 0 {
		return false, nil
	}
	h, err := w.head()
	return h.at != f.Rules.At, err
}

// ruled makes the state of new item i what rules make of it.
func (f *Filing) ruled(i int, st *record.State) {
	if f.Rules == nil {
		return
	}
	for _, m := range f.Rules.Marks {
		if _, found := slices.BinarySearch(m.New, i); found {
			p, _ := fold.PropOf(&Fact{Kind: m.Kind, New: m.Value})
			st.Flags, st.Tags, _ = p.Apply(st.Flags, st.Tags)
		}
	}
}

// ruleFacts appends the facts of what rules did to new items, the first of which is
// first.
func (w *filer) ruleFacts(f *Filing, first uint32) error {
	if f.Rules == nil {
		return nil
	}
	for _, m := range f.Rules.Marks {
		fact := &Fact{Kind: m.Kind, At: w.now, Feed: f.Feed, Field: record.RuleField(m.Rule), New: m.Value}
		if m.Rule == 0 {
			fact.Field, fact.Ref = record.ByImport, f.Rules.Step
		}
		for _, i := range m.New {
			fact.Items = append(fact.Items, MakeItemID(f.Feed, first+uint32(i)))
		}
		if err := w.t.appendFact(fact); err != nil {
			return err
		}
	}
	return nil
}

// RuleAct changes a rule as one step and with it items that are there: Changes name
// items, and are facts of the rule and not of the step. Seen, if not zero, is the
// number of the newest fact when this was made up: ErrStale if there is a newer one.
type RuleAct struct {
	No      int
	Text    string // what the library keeps of the new rule; "" removes one, and nothing is muted by it any more
	Scope   string
	Seen    uint64
	Changes []Change
}

// ActRule does a RuleAct. Changed of Done counts items. ErrTaken: the number
// of a new rule was used before.
func (b *RuleBook) ActRule(ctx context.Context, now time.Time, a RuleAct) (Done, error) {
	var done Done
	err := b.Of.lib.do(ctx, &job{write: true, fn: func(t *txn) error {
		if a.Seen != 0 && a.Seen != t.head.Facts {
			return ErrStale
		}
		if h, err := (ruleWriter{t}).head(); err != nil || a.Text != "" && a.No < h.next {
			return cmp.Or(err, ErrTaken)
		}
		var facts []*Fact
		for _, c := range a.Changes {
			facts = append(facts, &Fact{Kind: c.Kind, Field: record.RuleField(a.No), New: c.Value, Items: record.SortedIDs(c.Items)})
		}
		if a.Text == "" {
			r := fold.NewRuleTurn(stepsOf{t}, a.No, 0, true)
			if _, err := t.visit(0, r.See); err != nil {
				return err
			}
			r.OnlyMuted()
			facts = append(facts, r.Facts(false)...)
		}
		var items, kept []ItemID
		for _, f := range facts {
			if f.ByRule() != a.No { // what another rule does too
				kept = append(kept, f.Items...)
				continue
			}
			items = append(items, f.Items...)
		}
		kept = record.SortedIDs(kept)
		items = slices.DeleteFunc(record.SortedIDs(items), func(id ItemID) bool {
			_, found := slices.BinarySearch(kept, id)
			return found
		})
		w := &stepWriter{t: t, now: now, scope: a.Scope}
		if err := w.adjustOwn(&Change{Field: record.RuleField(a.No), Value: a.Text}); err != nil || w.first == 0 {
			return err
		}
		w.rec.Count = len(items)
		if err := w.finish(); err != nil {
			return err
		}
		done = Done{Step: w.done.Step, Changed: len(items), Items: items}
		_, err := (ruleWriter{t}).set(now, done.Step, facts, a.Text == "")
		return err
	}})
	if err != nil {
		return Done{}, err
	}
	return done, nil
}

// set does what facts of rules say and appends them. Where a rule is turned,
// items that are so already are named too: they stay so when another rule is taken
// back.
func (w ruleWriter) set(now time.Time, step uint64, facts []*Fact, turn bool) (items []ItemID, err error) {
	t := w.t
	for _, f := range facts {
		p, ok := fold.PropOf(f)
		if !ok {
			return nil, fmt.Errorf("%w: %s by a rule", ErrInvalid, f.Kind)
		}
		changed, err := t.setProp(f.Items, p, false)
		if err != nil {
			return nil, err
		}
		if !turn {
			f.Items = changed
		}
		if len(f.Items) == 0 {
			continue
		}
		f.At, f.Ref, f.Feed = now, step, soleFeed(f.Items)
		if err := t.appendFact(f); err != nil {
			return nil, err
		}
		items = append(items, changed...)
	}
	return items, nil
}

// unmute takes items that a person marked out of what rules mute, as part of the step,
// and returns those that were muted.
func (w *stepWriter) unmute(ids []ItemID) ([]ItemID, error) {
	var st record.State
	by := map[string][]ItemID{}
	var muted []ItemID
	for _, id := range ids {
		if _, err := w.t.state(id, &st); err != nil {
			return nil, err
		}
		for _, tag := range st.Tags {
			if record.MutedBy(tag) != 0 {
				by[tag], muted = append(by[tag], id), append(muted, id)
			}
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(by)) {
		f := &Fact{Kind: Untagged, New: tag, Items: by[tag], Feed: soleFeed(by[tag])}
		p, _ := fold.PropOf(f)
		if _, err := w.t.setProp(f.Items, p, false); err != nil {
			return nil, err
		}
		if err := w.add(f); err != nil {
			return nil, err
		}
	}
	return slices.Compact(muted), nil
}

// turn is what turns what rules did since step no, which changed them: what a person
// did to an item since then stays, and what another rule does too.
func (w ruleWriter) turn(no uint64, facts []Fact, undo bool) ([]*Fact, error) {
	t := w.t
	var turned []*Fact
	for i := range facts {
		f := &facts[i]
		switch rule := RuleOf(f.Field); {
		case f.Kind == Adjusted && f.Feed == 0 && rule != 0:
			r := fold.NewRuleTurn(stepsOf{t}, rule, no, f.Old == "")
			if _, err := t.visit(no, r.See); err != nil {
				return nil, err
			}
			turned = append(turned, r.Facts((f.Old == "") != undo)...)
		case f.Kind == Untagged && record.MutedBy(f.New) != 0: // marked unread; muted again if that was taken back
			rule := record.MutedBy(f.New)
			if v, err := t.Get(record.Meta, []byte(ownPrefix+record.RuleField(rule))); err != nil {
				return nil, err
			} else if v != nil {
				continue
			}
			turned = append(turned, &Fact{Kind: Untagged, Field: record.RuleField(rule), New: f.New, Items: f.Items},
				&Fact{Kind: MarkedUnread, Field: record.RuleField(rule), Items: f.Items})
		}
	}
	return turned, nil
}

// stepsOf are the steps of a transaction's library.
type stepsOf struct{ t *txn }

// StepFacts is for a fold.RuleTurn.
func (s stepsOf) StepFacts(no uint64) ([]Fact, bool, error) {
	rec, err := s.t.step(no)
	if err != nil {
		return nil, false, err
	}
	facts, err := s.t.stepFacts(no, rec)
	return facts, rec.Undone, err
}
