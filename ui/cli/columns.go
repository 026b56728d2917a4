package cli

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cells"
)

// column is one column of a list. Pipes get every column that has a field, in
// the order of the table and named in the help; terminals those with a cell.
// Columns are only ever added at the end of a table.
type column[T any] struct {
	name  string                          // in a pipe
	field func(T) string                  // nil: not in a pipe
	head  string                          // above the column on a terminal
	cell  func(v T, now time.Time) string // nil: not on a terminal
	most  int                             // cells it may take there, 0: no limit
	right bool                            // numbers stand at the right
	spare int                             // columns left out where the terminal is too narrow, 1 first; 0: never
}

// feedColumns is how `list` prints. The terminal's columns stand in the order
// in which one looks: which, how much, alive, looked after, trouble, name.
var feedColumns = []column[reader.Feed]{
	{name: "id", field: func(f reader.Feed) string { return f.Key.String() }, head: "ID", cell: func(f reader.Feed, _ time.Time) string { return f.Key.String() }},
	{name: "url", field: func(f reader.Feed) string { return f.Address() }},
	{name: "title", field: func(f reader.Feed) string { return f.Title }},
	{name: "folder", field: func(f reader.Feed) string { return f.Folder }},
	{name: "tags", field: func(f reader.Feed) string { return strings.Join(f.Tags, ",") }},
	{name: "unread", field: func(f reader.Feed) string { return strconv.Itoa(f.Unread) }, head: "UNREAD", right: true, cell: func(f reader.Feed, _ time.Time) string { return strconv.Itoa(f.Unread) }},
	{name: "saved", field: func(f reader.Feed) string { return strconv.Itoa(f.Saved) }},
	{name: "last_post", field: func(f reader.Feed) string { return stamp(f.LastPost) }, head: "LAST POST", spare: 2, cell: func(f reader.Feed, now time.Time) string { return when(f.LastPost, now) }},
	{name: "last_fetch", field: func(f reader.Feed) string { return stamp(f.LastFetch) }},
	{name: "next_fetch", field: func(f reader.Feed) string { return stamp(f.NextFetch) }, head: "NEXT FETCH", spare: 1, cell: func(f reader.Feed, now time.Time) string { return due(f.NextFetch, now) }},
	{name: "state", field: func(f reader.Feed) string { return f.State.String() }, head: "STATE", most: 32, spare: 3, cell: feedState},
	{name: "since", field: func(f reader.Feed) string { return stamp(f.Since) }},
	{name: "error", field: func(f reader.Feed) string { return f.Error }, head: "FEED", cell: func(f reader.Feed, _ time.Time) string { return feedName(f) }},
}

// feedState is "ok", or what is wrong and since when.
func feedState(f reader.Feed, now time.Time) string {
	switch {
	case f.Error == "":
		return f.State.String()
	case f.State == reader.FeedMoved, f.Since.IsZero():
		return f.Error
	}
	return f.Error + ", " + wording.Day(f.Since, now)
}

// feedName is the title with its folder in front, as people say it.
func feedName(f reader.Feed) string {
	if f.Folder == "" {
		return f.Title
	}
	return f.Folder + "/" + f.Title
}

// itemColumns is how `items` prints.
var itemColumns = []column[reader.Item]{
	{name: "id", field: func(it reader.Item) string { return it.Key.String() }, head: "ID", cell: func(it reader.Item, _ time.Time) string { return it.Key.String() }},
	{head: "", cell: func(it reader.Item, _ time.Time) string { return itemSigns(it) }},
	{head: "WHEN", spare: 1, cell: func(it reader.Item, now time.Time) string { return when(itemTime(it), now) }},
	{name: "feed_id", field: func(it reader.Item) string { return it.FeedKey.String() }},
	{name: "feed", field: func(it reader.Item) string { return it.Feed }, head: "FEED", most: 16, spare: 2, cell: func(it reader.Item, _ time.Time) string { return it.Feed }},
	{name: "title", field: func(it reader.Item) string { return it.Title }, head: "TITLE", cell: func(it reader.Item, _ time.Time) string { return titleOf(it) }},
	{name: "link", field: func(it reader.Item) string { return it.Link }},
	{name: "author", field: func(it reader.Item) string { return it.Author }},
	{name: "published", field: func(it reader.Item) string { return stamp(it.Published) }},
	{name: "first_seen", field: func(it reader.Item) string { return stamp(it.FirstSeen) }},
	{name: "unread", field: func(it reader.Item) string { return strconv.FormatBool(it.Unread) }},
	{name: "saved", field: func(it reader.Item) string { return strconv.FormatBool(it.Saved) }},
	{name: "changed", field: func(it reader.Item) string { return strconv.FormatBool(it.Changed) }},
	{name: "tags", field: func(it reader.Item) string { return strings.Join(it.Tags, ",") }},
	{name: "words", field: func(it reader.Item) string { return strconv.Itoa(it.Words) }},
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

// itemTime is what rows are sorted by: published, or first seen if that was
// earlier or nothing was said.
func itemTime(it reader.Item) time.Time {
	if it.Published.IsZero() || !it.FirstSeen.IsZero() && it.FirstSeen.Before(it.Published) {
		return it.FirstSeen
	}
	return it.Published
}

func titleOf(it reader.Item) string {
	if it.Title == "" {
		return "(no title)"
	}
	return it.Title
}

// stepColumns is how `log` prints.
var stepColumns = []column[reader.Step]{
	{name: "no", field: func(s reader.Step) string { return strconv.FormatUint(s.No, 10) }, head: "NO", right: true, cell: func(s reader.Step, _ time.Time) string { return strconv.FormatUint(s.No, 10) }},
	{name: "at", field: func(s reader.Step) string { return stamp(s.At) }, head: "WHEN", cell: func(s reader.Step, now time.Time) string { return when(s.At, now) }},
	{name: "undone", field: func(s reader.Step) string { return strconv.FormatBool(s.Undone) }},
	{name: "what", field: func(s reader.Step) string { return s.What }, head: "WHAT", cell: stepWords},
}

func stepWords(s reader.Step, _ time.Time) string {
	if s.Undone {
		return s.What + " (taken back)"
	}
	return s.What
}

// names lists a table's columns in a pipe, for the help.
func names[T any](table []column[T]) string {
	var list []string
	for i := range table {
		if table[i].field != nil {
			list = append(list, table[i].name)
		}
	}
	return strings.Join(list, " ")
}

// printList prints a list in the form that its reader takes: JSON lines, a
// table cut to the terminal, or tab-separated lines.
func printList[T any](s *session, table []column[T], list []T) error {
	switch {
	case s.json:
		for i := range list {
			if err := s.printJSON(asJSON(list[i])); err != nil {
				return err
			}
		}
	case s.terminal():
		printTable(s, table, list)
	default:
		printTabs(s, table, list)
	}
	return nil
}

// asJSON gives rows that have no form of their own the one that scripts get.
func asJSON(row any) any {
	if f, ok := row.(reader.FeedStats); ok {
		return statJSON{&f}
	}
	return row
}

// printJSON prints one value on one line. Strings have been made plain by the
// types' own methods; < and & stay readable.
func (s *session) printJSON(v any) error {
	e := json.NewEncoder(s.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

func printTabs[T any](s *session, table []column[T], list []T) {
	for i := range list {
		first := true
		for c := range table {
			if table[c].field == nil {
				continue
			}
			if !first {
				s.out.WriteByte('\t')
			}
			first = false
			s.out.WriteString(plain.Line(table[c].field(list[i]), 0))
		}
		s.out.WriteByte('\n')
	}
}

// leastName is how many cells the last column, which names the row, has at
// least before others make room for it.
const leastName = 16

// shape is how a column stands on a terminal, whatever its rows are.
type shape struct {
	head        string
	most, spare int
	right       bool
}

// printTable writes a heading and rows, never wider than the terminal. Each
// column is as wide as its widest cell; the last one takes what is left.
func printTable[T any](s *session, table []column[T], list []T) {
	now := time.Now()
	var shown []shape
	text := make([][]string, len(list)+1)
	for i := range table {
		c := &table[i]
		if c.cell == nil {
			continue
		}
		shown = append(shown, shape{c.head, c.most, c.spare, c.right})
		text[0] = append(text[0], c.head)
		for r := range list {
			text[r+1] = append(text[r+1], c.cell(list[r], now))
		}
	}
	s.drawTable(shown, text)
}

// drawTable is printTable with the texts at hand, the heading first.
func (s *session) drawTable(shown []shape, text [][]string) {
	if len(text) == 1 {
		return
	}
	width := make([]int, len(shown))
	for c := range shown {
		for r, row := range text {
			if r > 0 && shown[c].head != "" { // signs are our own, and their blanks count
				row[c] = plain.Line(row[c], 0)
			}
			width[c] = max(width[c], cells.Width(row[c]))
		}
		if shown[c].most > 0 {
			width[c] = min(width[c], shown[c].most)
		}
	}
	last := len(shown) - 1
	width[last] = roomFor(s.env.Width, shown, width)
	for _, row := range text {
		line := ""
		for c := range row {
			switch {
			case width[c] < 0: // left out
			case c == last:
				line += cells.Cut(row[c], width[c])
			case shown[c].right:
				line += cells.PadLeft(row[c], width[c]) + "  "
			default:
				line += cells.Fit(row[c], width[c]) + "  "
			}
		}
		s.out.WriteString(strings.TrimRight(cells.Cut(line, s.env.Width), " "))
		s.out.WriteByte('\n')
	}
}

// roomFor gives what is left of the terminal to the last column. Where that is
// too little, long columns are cut, then columns that can be spared get the width -1 until it is enough.
func roomFor(terminal int, shown []shape, width []int) int {
	last := len(shown) - 1
	left := terminal
	for c := range width[:last] {
		left -= width[c] + 2
	}
	for c := range shown[:last] { // long states are cut before a whole column goes
		if need := min(width[last], leastName) - left; need > 0 && shown[c].most > leastName && width[c] > leastName {
			less := min(need, width[c]-leastName)
			width[c], left = width[c]-less, left+less
		}
	}
	for n := 1; n <= len(shown) && left < min(width[last], leastName); n++ {
		for c := range shown[:last] {
			if shown[c].spare == n {
				left += width[c] + 2
				width[c] = -1
			}
		}
	}
	return max(left, 1)
}
