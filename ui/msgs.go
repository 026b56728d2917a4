package ui

import "diurna/reader"

// Messages are what commands return. Those that answer a request carry its generation;
// Update drops the ones that are out of date: see stack.Questions.

type feedsMsg struct {
	gen   uint64
	feeds []reader.Feed
	pages []reader.Page
	saved []reader.SavedQuery
	err   error
}
