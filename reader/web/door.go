package web

import (
	"diurna/reader/fetch"
	"diurna/store"
)

// Readdress are the changes that give a feed another address. The permission to
// be fetched from a private one is for the host and port it was given for, and
// stays behind with them; granted says whether the feed has it.
func Readdress(id store.FeedID, from, to string, granted bool) []store.Change {
	changes := []store.Change{{Kind: store.Adjusted, Feed: id, Field: "url", Value: to}}
	if granted && !fetch.SameDoor(from, to) {
		changes = append(changes, store.Change{Kind: store.Adjusted, Feed: id, Field: "allow_private", Value: ""})
	}
	return changes
}
