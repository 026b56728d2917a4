package ui

import "diurna/reader"

// Messages are facts that commands bring back. Those that answer a request
// carry its generation; Update drops the ones nobody waits for any more: see
// answers.go.

type feedsMsg struct {
	gen   uint64
	feeds []reader.Feed
	pages []reader.Page
	saved []reader.SavedQuery
	err   error
}

type importedMsg struct {
	gen    uint64
	report reader.ImportReport
	failed []string // titles of feeds that could not be fetched
	err    error
}

// progressMsg tells how far a fetch is; its command is asked again until
// fetchedMsg ends it.
type progressMsg struct {
	gen uint64
	reader.Progress
}

type fetchedMsg struct {
	gen    uint64
	byHand []reader.FeedID
	report reader.FetchReport
	err    error
}

// itemsMsg brings what some items say now, after a step was taken back.
type itemsMsg struct {
	ids   []reader.ItemID
	acts  int                          // how many acts there were when they were asked for
	items map[reader.ItemID]reader.Row // flags and tags are filled
	err   error
}
