package acts

import (
	"context"
	"fmt"
	"time"

	"diurna/store/fold"
	"diurna/store/library"
	"diurna/store/record"
)

// Note records Looked, Opened (which makes its items read), Shown, Asked and
// Trained facts. They are no steps. No and Step are filled in; a zero At is now.
func (a *Acts) Note(ctx context.Context, now time.Time, facts ...record.Fact) error {
	for i := range facts {
		switch facts[i].Kind {
		case record.Looked, record.Opened, record.Shown, record.Asked, record.Trained:
		default:
			return fmt.Errorf("%w: %s is not for Note", library.ErrInvalid, facts[i].Kind)
		}
	}
	return a.Lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) error {
		for i := range facts {
			f := facts[i].Clone() // the batch may run twice
			f.SortItems()
			f.Step, f.Ref, f.Scope = 0, 0, ""
			if f.At.IsZero() {
				f.At = now
			}
			if f.Kind == record.Opened {
				p, _ := fold.PropOf(&f)
				if _, err := t.SetProp(f.Items, p, false); err != nil {
					return err
				}
			}
			if err := t.Log.Append(&f); err != nil {
				return err
			}
		}
		return nil
	}})
}
