package view

import (
	"fmt"

	"diurna/reader"
	"diurna/reader/wording"
)

// SayRiverEmpty is the sentence of a River without rows.
func SayRiverEmpty(s *Scene) string {
	if len(s.Order) == 0 {
		return SayNothingSubscribed
	}
	say := "Nothing unread in River."
	read := 0
	var due *reader.Feed
	for i := range s.Order {
		f := &s.Order[i]
		read += f.Items - f.Unread
		if !f.NextFetch.IsZero() && (due == nil || f.NextFetch.Before(due.NextFetch)) {
			due = f
		}
	}
	if read > 0 {
		say += fmt.Sprintf(" %s are here: . shows them.", wording.Plural(read, "read item"))
	}
	if due != nil {
		say += fmt.Sprintf(" Next fetch %s (%s).", wording.Due(due.NextFetch, s.Now), due.Title)
	}
	return say
}
