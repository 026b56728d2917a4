package ui

import "diurna/reader"

// Messages are facts that commands bring back. Those that answer a request
// carry its generation; Update drops the ones nobody waits for any more: see
// stack.Questions.

type feedsMsg struct {
	gen   uint64
	feeds []reader.Feed
	pages []reader.Page
	saved []reader.SavedQuery
	err   error
}
