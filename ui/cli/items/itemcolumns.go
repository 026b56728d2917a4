package items

import (
	"strconv"
	"strings"
	"time"

	"diurna/reader"
	"diurna/ui/cells"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// itemColumns is how `items` prints.
var itemColumns = []table.Column[reader.Item]{
	{Name: "id", Field: func(it reader.Item) string { return it.Key.String() }, Head: "ID", Cell: func(it reader.Item, _ time.Time) string { return it.Key.String() }},
	{Head: "", Cell: func(it reader.Item, _ time.Time) string { return itemSigns(it) }},
	{Head: "WHEN", Spare: 1, Cell: func(it reader.Item, now time.Time) string { return table.When(session.ItemTime(it), now) }},
	{Name: "feed_id", Field: func(it reader.Item) string { return it.FeedKey.String() }},
	{Name: "feed", Field: func(it reader.Item) string { return it.Feed }, Head: "FEED", Most: 16, Spare: 2, Cell: func(it reader.Item, _ time.Time) string { return it.Feed }},
	{Name: "title", Field: func(it reader.Item) string { return it.Title }, Head: "TITLE", Cell: func(it reader.Item, _ time.Time) string { return table.TitleOf(it) }},
	{Name: "link", Field: func(it reader.Item) string { return it.Link }},
	{Name: "author", Field: func(it reader.Item) string { return it.Author }},
	{Name: "published", Field: func(it reader.Item) string { return table.Stamp(it.Published) }},
	{Name: "first_seen", Field: func(it reader.Item) string { return table.Stamp(it.FirstSeen) }},
	{Name: "unread", Field: func(it reader.Item) string { return strconv.FormatBool(it.Unread) }},
	{Name: "saved", Field: func(it reader.Item) string { return strconv.FormatBool(it.Saved) }},
	{Name: "changed", Field: func(it reader.Item) string { return strconv.FormatBool(it.Changed) }},
	{Name: "tags", Field: func(it reader.Item) string { return strings.Join(it.Tags, ",") }},
	{Name: "words", Field: func(it reader.Item) string { return strconv.Itoa(it.Words) }},
}

// itemSigns are the marks of the screen's rows: • unread, s saved, ~ changed.
func itemSigns(it reader.Item) string {
	s := " "
	if it.Unread {
		s = "•"
	}
	if it.Saved {
		s += "s"
	}
	if it.Changed {
		s += "~"
	}
	return cells.Fit(s, max(2, cells.Width(s)))
}

// stepColumns is how `log` prints.
var stepColumns = []table.Column[reader.Step]{
	{Name: "no", Field: func(s reader.Step) string { return strconv.FormatUint(s.No, 10) }, Head: "NO", Right: true, Cell: func(s reader.Step, _ time.Time) string { return strconv.FormatUint(s.No, 10) }},
	{Name: "at", Field: func(s reader.Step) string { return table.Stamp(s.At) }, Head: "WHEN", Cell: func(s reader.Step, now time.Time) string { return table.When(s.At, now) }},
	{Name: "undone", Field: func(s reader.Step) string { return strconv.FormatBool(s.Undone) }},
	{Name: "what", Field: func(s reader.Step) string { return s.What }, Head: "WHAT", Cell: stepWords},
}

func stepWords(s reader.Step, _ time.Time) string {
	if s.Undone {
		return s.What + " (taken back)"
	}
	return s.What
}
