package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"diurna/reader/model"
	"diurna/reader/query"
	"diurna/store"
)

// Checked says why a query cannot be that of a new rule, if it cannot.
func Checked(q query.Query) error {
	if part := q.FitsAllNew(); part != "" {
		return refused(model.ErrSetting, "a rule cannot use %q: it sees an item once, when it arrives, and every item is new and unread then", part)
	}
	return nil
}

func refused(kind error, format string, args ...any) error {
	return &model.UserError{Sentence: fmt.Sprintf(format, args...), Kind: kind}
}

// like finds the rule of the library that does the same as a new one to the same items, if
// there is one that holds. The error says that it does so for as long.
func like(r *Rule, known store.Rules, now time.Time) (have Rule, found bool, err error) {
	form := canonical(r.Query, now)
	for _, no := range slices.Sorted(maps.Keys(known.Text)) {
		have, err := Decode(no, known.Text[no])
		if err != nil {
			return have, false, err
		}
		if have.Config || !have.Holds(now) || have.Effects() != r.Effects() || canonical(have.Query, now) != form {
			continue
		}
		if have.Until.IsZero() || !r.Until.IsZero() && !have.Until.Before(r.Until) {
			return have, true, refused(model.ErrKnown, "rule %d already does that: %s: %s", no, have.Effects(), have.Query)
		}
		return have, true, nil
	}
	return Rule{}, false, nil
}

// canonical is the query as it is written by us, or as typed if it is not understood. The
// case of letters counts in patterns alone.
func canonical(text string, now time.Time) string {
	q, err := query.Parse(text, now)
	if err != nil {
		return text
	}
	form := q.Canonical()
	if !strings.Contains(form, "/") {
		form = strings.ToLower(form)
	}
	return form
}
