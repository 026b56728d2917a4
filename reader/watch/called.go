package watch

import (
	"slices"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/rules"
	"diurna/store"
)

// CalledFor is what rules run commands for of what was filed, and reported with the items
// that rules notify of, once each.
func CalledFor(list []rules.Called, title string, f *store.Filing, done *store.Filed, reported []Notification) ([]rules.Call, []Notification) {
	var calls []rules.Call
	for _, c := range list {
		if c.New >= len(done.Items) {
			continue
		}
		id, n := done.Items[c.New], &f.New[c.New]
		if len(c.Rule.Run) > 0 {
			calls = append(calls, rules.Call{Rule: c.Rule, Item: id})
		}
		if c.Rule.Notify && !slices.ContainsFunc(reported, func(n Notification) bool { return n.Item == id }) {
			reported = append(reported, Notification{Item: id, Page: title, What: n.Title, Why: "rule: " + plain.Line(c.Rule.Query, 200), Link: model.ShownLink(n.Link), Rule: true})
		}
	}
	return calls, reported
}
