package acts

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"diurna/store/fold"
	"diurna/store/library"
	"diurna/store/record"
)

// RuleBook reads and makes the rules of a library.
type RuleBook struct{ lib *library.Library }

// RuleBook reads and makes the rules of the library.
func (a *Acts) RuleBook() *RuleBook { return &RuleBook{a.Lib} }

// Rules reads all rules. Text is nil if they are those of known, the At of a Rules
// before.
func (b *RuleBook) Rules(ctx context.Context, known uint64) (record.Rules, error) {
	var out record.Rules
	err := b.lib.Read(ctx, func(t *library.Txn) error {
		h, err := t.RuleHead()
		out = record.Rules{At: h.At, Next: h.Next, Fact: t.Head.Facts}
		if err != nil || known != 0 && h.At == known {
			return err
		}
		if out.Text = map[int]string{}; h.At == 0 {
			return nil
		}
		prefix := []byte(library.OwnPrefix + record.RulePrefix)
		return t.Scan(record.Meta, prefix, prefix, func(k, v []byte) error {
			if no := record.RuleOf(string(k[len(library.OwnPrefix):])); no > 0 {
				out.Text[no] = string(v)
			}
			return nil
		})
	})
	return out, err
}

// RuleWriter writes what rules do in a transaction.
type RuleWriter struct{ T *library.Txn }

// RuleAct changes a rule as one step and with it items that are there: Changes name
// items, and are facts of the rule and not of the step. Seen, if not zero, is the
// number of the newest fact when this was made up: ErrStale if there is a newer one.
type RuleAct struct {
	No      int
	Text    string // what the library keeps of the rule; "" removes it, and nothing is muted by it any more
	Was     string // of a rule that is changed: what the library keeps of it (else ErrStale)
	Scope   string
	Seen    uint64
	Changes []Change
}

// ActRule does a RuleAct. Changed of Done counts items. ErrTaken: the number
// of a new rule was used before.
func (b *RuleBook) ActRule(ctx context.Context, now time.Time, a RuleAct) (Done, error) {
	var done Done
	err := b.lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) error {
		if a.Seen != 0 && a.Seen != t.Head.Facts {
			return library.ErrStale
		}
		if h, err := t.RuleHead(); err != nil || a.Text != "" && a.Was == "" && a.No < h.Next {
			return cmp.Or(err, library.ErrTaken)
		}
		var facts []*record.Fact
		for _, c := range a.Changes {
			facts = append(facts, &record.Fact{Kind: c.Kind, Field: record.RuleField(a.No), New: c.Value, Items: record.SortedIDs(c.Items)})
		}
		if a.Text == "" {
			r := fold.NewRuleTurn(stepsOf{t}, a.No, 0, true)
			if _, err := t.Log.Visit(0, r.See); err != nil {
				return err
			}
			r.OnlyMuted()
			facts = append(facts, r.Facts(false)...)
		}
		var items, kept []record.ItemID
		for _, f := range facts {
			if f.ByRule() != a.No { // what another rule does too
				kept = append(kept, f.Items...)
				continue
			}
			items = append(items, f.Items...)
		}
		kept = record.SortedIDs(kept)
		items = slices.DeleteFunc(record.SortedIDs(items), func(id record.ItemID) bool {
			_, found := slices.BinarySearch(kept, id)
			return found
		})
		w := &stepWriter{t: t, now: now, scope: a.Scope}
		c := Change{Field: record.RuleField(a.No), Value: a.Text}
		if a.Was != "" {
			c.Was = &a.Was
		}
		if err := w.adjustOwn(&c); err != nil || w.first == 0 {
			return err
		}
		w.rec.Count = len(items)
		if err := w.finish(); err != nil {
			return err
		}
		done = Done{Step: w.done.Step, Changed: len(items), Items: items}
		_, err := (RuleWriter{t}).set(now, done.Step, facts, a.Text == "")
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
func (w RuleWriter) set(now time.Time, step uint64, facts []*record.Fact, turn bool) (items []record.ItemID, err error) {
	t := w.T
	for _, f := range facts {
		p, ok := fold.PropOf(f)
		if !ok {
			return nil, fmt.Errorf("%w: %s by a rule", library.ErrInvalid, f.Kind)
		}
		changed, err := t.SetProp(f.Items, p, false)
		if err != nil {
			return nil, err
		}
		if !turn {
			f.Items = changed
		}
		if len(f.Items) == 0 {
			continue
		}
		f.At, f.Ref, f.Feed = now, step, record.SoleFeed(f.Items)
		if err := t.Log.Append(f); err != nil {
			return nil, err
		}
		items = append(items, changed...)
	}
	return items, nil
}

// unmute takes items that a user marked out of what rules mute, as part of the step,
// and returns those that were muted.
func (w *stepWriter) unmute(ids []record.ItemID) ([]record.ItemID, error) {
	var st record.State
	by := map[string][]record.ItemID{}
	var muted []record.ItemID
	for _, id := range ids {
		if _, err := w.t.State(id, &st); err != nil {
			return nil, err
		}
		for _, tag := range st.Tags {
			if record.MutedBy(tag) != 0 {
				by[tag], muted = append(by[tag], id), append(muted, id)
			}
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(by)) {
		f := &record.Fact{Kind: record.Untagged, New: tag, Items: by[tag], Feed: record.SoleFeed(by[tag])}
		p, _ := fold.PropOf(f)
		if _, err := w.t.SetProp(f.Items, p, false); err != nil {
			return nil, err
		}
		if err := w.add(f); err != nil {
			return nil, err
		}
	}
	return slices.Compact(muted), nil
}

// turn is what turns what rules did since step no, which changed them: what a user
// did to an item since then stays, and what another rule does too.
func (w RuleWriter) turn(no uint64, facts []record.Fact, undo bool) ([]*record.Fact, error) {
	t := w.T
	var turned []*record.Fact
	for i := range facts {
		f := &facts[i]
		switch rule := record.RuleOf(f.Field); {
		case f.Kind == record.Adjusted && f.Feed == 0 && rule != 0:
			r := fold.NewRuleTurn(stepsOf{t}, rule, no, f.Old == "")
			if _, err := t.Log.Visit(no, r.See); err != nil {
				return nil, err
			}
			turned = append(turned, r.Facts((f.New != "") != undo)...)
		case f.Kind == record.Untagged && record.MutedBy(f.New) != 0: // marked read or unread; muted again if that was taken back
			rule := record.MutedBy(f.New)
			if v, err := t.Get(record.Meta, []byte(library.OwnPrefix+record.RuleField(rule))); err != nil {
				return nil, err
			} else if v != nil {
				continue
			}
			kind := record.MarkedUnread
			if !undo && !slices.ContainsFunc(facts, func(g record.Fact) bool {
				return g.Kind == record.MarkedUnread && slices.Contains(g.Items, f.Items[0])
			}) {
				kind = record.MarkedRead // which the step need not say of items that were read by the rule
			}
			turned = append(turned, &record.Fact{Kind: record.Untagged, Field: record.RuleField(rule), New: f.New, Items: f.Items},
				&record.Fact{Kind: kind, Field: record.RuleField(rule), Items: f.Items})
		}
	}
	return turned, nil
}

// stepsOf are the steps of a transaction's library.
type stepsOf struct{ t *library.Txn }

// StepFacts is for a fold.RuleTurn.
func (s stepsOf) StepFacts(no uint64) ([]record.Fact, bool, error) {
	rec, err := step(s.t, no)
	if err != nil {
		return nil, false, err
	}
	facts, err := stepFacts(s.t, no, rec)
	return facts, rec.Undone, err
}
