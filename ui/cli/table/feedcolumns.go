package table

import (
	"strconv"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/wording"
)

// Feeds is how `list` prints. The terminal's columns stand in the order
// in which one looks: which, how much, alive, looked after, trouble, name.
var Feeds = []Column[reader.Feed]{
	{Name: "id", Field: func(f reader.Feed) string { return f.Key.String() }, Head: "ID", Cell: func(f reader.Feed, _ time.Time) string { return f.Key.String() }},
	{Name: "url", Field: func(f reader.Feed) string { return f.Address() }},
	{Name: "title", Field: func(f reader.Feed) string { return f.Title }},
	{Name: "folder", Field: func(f reader.Feed) string { return f.Folder }},
	{Name: "tags", Field: func(f reader.Feed) string { return strings.Join(f.Tags, ",") }},
	{Name: "unread", Field: func(f reader.Feed) string { return strconv.Itoa(f.Unread) }, Head: "UNREAD", Right: true, Cell: func(f reader.Feed, _ time.Time) string { return strconv.Itoa(f.Unread) }},
	{Name: "saved", Field: func(f reader.Feed) string { return strconv.Itoa(f.Saved) }},
	{Name: "last_post", Field: func(f reader.Feed) string { return Stamp(f.LastPost) }, Head: "LAST POST", Spare: 2, Cell: func(f reader.Feed, now time.Time) string { return When(f.LastPost, now) }},
	{Name: "last_fetch", Field: func(f reader.Feed) string { return Stamp(f.LastFetch) }},
	{Name: "next_fetch", Field: func(f reader.Feed) string { return Stamp(f.NextFetch) }, Head: "NEXT FETCH", Spare: 1, Cell: func(f reader.Feed, now time.Time) string { return Due(f.NextFetch, now) }},
	{Name: "state", Field: func(f reader.Feed) string { return f.State.String() }, Head: "STATE", Most: 32, Spare: 3, Cell: FeedState},
	{Name: "since", Field: func(f reader.Feed) string { return Stamp(f.Since) }},
	{Name: "error", Field: func(f reader.Feed) string { return f.Error }, Head: "FEED", Cell: func(f reader.Feed, _ time.Time) string { return FeedName(f) }},
}

// FeedState is "ok", or what is wrong and since when.
func FeedState(f reader.Feed, now time.Time) string {
	switch {
	case f.Error == "":
		return f.State.String()
	case f.State == reader.FeedMoved, f.Since.IsZero():
		return f.Error
	}
	return f.Error + ", " + wording.Day(f.Since, now)
}

// FeedName is the title with its folder in front, as people say it.
func FeedName(f reader.Feed) string {
	if f.Folder == "" {
		return f.Title
	}
	return f.Folder + "/" + f.Title
}

// TitleOf is an item's title, or the first words of its text behind "(no title)".
func TitleOf(it reader.Item) string {
	if it.Title == "" {
		return strings.TrimSpace("(no title) " + it.Lead)
	}
	return it.Title
}
