package watch

import (
	"context"
	"errors"
	"fmt"

	"diurna/reader/condition"
	"diurna/reader/model"
	"diurna/reader/page"
	"diurna/reader/query"
	"diurna/store"
)

// whenSetting checks a condition and gives the form it is kept in.
func whenSetting(value string) (string, error) {
	c, err := condition.ParseCondition(value)
	var wrong *condition.ConditionError
	if errors.As(err, &wrong) {
		return "", &query.Error{Query: value, At: wrong.At, Why: wrong.Why}
	}
	return c.String(), err
}

// decide says whether to report a change of a page that is watched for a condition:
// when it becomes true, and again after it was false. The revision in which it
// turned false is kept (turned), so that the next one that is reported has a side to
// differ from. Other watches and child pages are left as they are.
func (l *watchTarget) decide(when string, prev, text []byte, o page.Options) (turned bool, err error) {
	l.reading, l.says, l.held = condition.Reading{}, "", l.diff.Held
	if when == "" || l.key != 0 {
		l.note.When, l.note.Was = "", false
		return false, nil
	}
	c, err := condition.ParseCondition(when)
	if err != nil {
		return false, nil // kept by another version: the page is watched without it
	}
	if l.reading, err = c.Read(text, o); err != nil {
		return false, err
	}
	before, err := c.Read(prev, o)
	if err != nil {
		return false, err
	}
	was := l.note.Was
	if l.note.When != when {
		was = before.True
	}
	l.note.When = when
	l.reported = false
	switch {
	case !l.reading.Found:
		l.note.Was = was // it may only be hidden for a while
		l.held = fmt.Sprintf("the page has no %s", c.Subject())
		return false, nil
	case l.first:
	case l.reading.True && !was:
		l.reported = true
		l.says = fmt.Sprintf("%s %s, %s", c.Subject(), l.reading.Text, c.Words())
		if before.Found && before.Value != l.reading.Value {
			l.says += "; it was " + before.Text
		}
	case l.reading.True:
		l.held = fmt.Sprintf("%s %s, still %s", c.Subject(), l.reading.Text, c.Words())
	default:
		l.held = fmt.Sprintf("%s %s, not %s", c.Subject(), l.reading.Text, c.Words())
	}
	turned = !l.first && l.reading.True != was
	l.note.Was = l.reading.True
	return turned, nil
}

func noReading(what, when string) error {
	c, err := condition.ParseCondition(when)
	if err != nil {
		return err
	}
	return &model.UserError{Sentence: fmt.Sprintf("%s: the page has no %s, or its selected part", what, c.Subject()), Kind: ErrNoPage}
}

// ReadCondition is what a page's condition (Adjust "when") finds on the newest kept
// revision; not Found without one.
func (ps *Pages) ReadCondition(ctx context.Context, id store.FeedID) (condition.Reading, error) {
	f, err := ps.pageFeed(ctx, id)
	if err != nil {
		return condition.Reading{}, err
	}
	c, err := condition.ParseCondition(settingsOf(f).When)
	if err != nil || settingsOf(f).When == "" {
		return condition.Reading{}, err
	}
	last, err := ps.lastRevision(ctx, id, &watchTarget{})
	if err != nil || last == nil {
		return condition.Reading{}, err
	}
	text, _ := page.Decode(last.body, last.ContentType)
	return c.Read(text, pageOptions(f, false))
}
