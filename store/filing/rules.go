package filing

import (
	"slices"

	"diurna/store/fold"
	"diurna/store/record"
)

// stale reports whether other rules hold than those that a filing asked.
func (w *filer) stale(f *Filing) (bool, error) {
	if f.Rules == nil || len(f.New) == 0 {
		return false, nil
	}
	h, err := w.t.RuleHead()
	return h.At != f.Rules.At, err
}

// ruled makes the state of new item i what rules make of it.
func (f *Filing) ruled(i int, st *record.State) {
	if f.Rules == nil {
		return
	}
	for _, m := range f.Rules.Marks {
		if _, found := slices.BinarySearch(m.New, i); found {
			p, _ := fold.PropOf(&record.Fact{Kind: m.Kind, New: m.Value})
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
		fact := &record.Fact{Kind: m.Kind, At: w.now, Feed: f.Feed, Field: record.RuleField(m.Rule), New: m.Value}
		if m.Rule == 0 {
			fact.Field, fact.Ref = record.ByImport, f.Rules.Step
		}
		for _, i := range m.New {
			fact.Items = append(fact.Items, record.MakeItemID(f.Feed, first+uint32(i)))
		}
		if err := w.t.Log.Append(fact); err != nil {
			return err
		}
	}
	return nil
}
