package rules

import (
	"fmt"
	"time"

	"diurna/reader/model"
	"diurna/reader/query"
	"diurna/store"
)

// Checked says why a query cannot be that of a new rule, if it cannot.
func Checked(q query.Query) error {
	if part := q.FitsAllNew(); part != "" {
		return refused(model.ErrSetting, "a rule cannot ask for %q: it looks at an item once, when it comes, and every item that comes is new and unread", part)
	}
	return nil
}

func refused(kind error, format string, args ...any) error {
	return &model.UserError{Sentence: fmt.Sprintf(format, args...), Kind: kind}
}

// unlike says which rule of the library does already all that a new one would do to
// items that come.
func unlike(r *Rule, known store.Rules, now time.Time) error {
	form := canonical(r.Query, now)
	for no, text := range known.Text {
		have, err := Decode(no, text)
		if err != nil {
			return err
		}
		lasts := have.Until.IsZero() || !r.Until.IsZero() && !have.Until.Before(r.Until)
		if lasts && !have.Config && have.Holds(now) && have.Effects() == r.Effects() && canonical(have.Query, now) == form {
			return refused(model.ErrKnown, "rule %d does that already: %s: %s", no, have.Effects(), have.Query)
		}
	}
	return nil
}

// canonical is the query as it is written by us, or as typed if it is not understood.
func canonical(text string, now time.Time) string {
	q, err := query.Parse(text, now)
	if err != nil {
		return text
	}
	return q.Canonical()
}
