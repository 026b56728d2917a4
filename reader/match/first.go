package match

import (
	"time"

	"diurna/store"
)

// freshDays is how old items come unread on a first fetch at most.
const freshDays = 7

// FirstUnread marks what of a first fetch comes unread: the items of the last
// seven days, at least the newest. An item without a date counts as old, or
// a feed that gives none would come with all of its past.
func FirstUnread(items []store.NewItem, now time.Time) {
	newest := -1
	since := now.AddDate(0, 0, -freshDays)
	for i := range items {
		items[i].Unread = items[i].Published.After(since)
		if newest < 0 || !items[i].Published.Before(items[newest].Published) {
			newest = i
		}
	}
	if newest >= 0 {
		items[newest].Unread = true
	}
}
