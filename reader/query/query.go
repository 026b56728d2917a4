// Package query is the language in which people ask for items: Parse reads it, Match
// says whether an item of a feed fits. It reads no store and knows no clock.
package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"diurna/reader/model"
	"diurna/reader/wording"
	"diurna/store"
)

// Query is a parsed question to the library: parts that must all hold. The
// zero Query fits every item.
//
// The grammar is small: words and "phrases" are looked for in title, feed and
// author; unread, read, saved, changed and today name states; feed:NAME,
// folder:NAME, #tag, newer:TIME and older:TIME narrow, with times such as 2d,
// 1w, 3h, 2m (months), 1y or 2026-11-02; a leading - negates a part; an item id
// (b7q-41) names one item.
//
// A hidden feed (newsboat's "!") stands in no list of everything: its items fit
// only a query that says what to look in or for: a word, feed:, folder:, a tag,
// an item, or saved; see WithHidden.
type Query struct {
	parts  []part
	hidden bool // hidden feeds fit as any other
	titles bool // words are looked for in titles only
}

type partKind uint8

const (
	partWord partKind = iota
	partUnread
	partRead
	partSaved
	partChanged
	partToday
	partFeed
	partFolder
	partTag
	partNewer
	partOlder
	partItem
)

type part struct {
	kind   partKind
	text   string // folded, for comparing
	source string // as typed
	at     time.Time
	item   store.ItemID
	not    bool
}

// Error says where a query is not understood. At counts bytes from its
// start; Its text is the sentence that stands under the place.
type Error struct {
	Query string
	At    int
	Why   string
}

func (e *Error) Error() string { return e.Why }

// Mark returns the query and below it a mark under the place with the reason,
// as both the screen and the shell show it.
func (e *Error) Mark() string {
	pad := utf8.RuneCountInString(e.Query[:min(e.At, len(e.Query))])
	return e.Query + "\n" + strings.Repeat(" ", pad) + "^ " + e.Why
}

// Parse reads s. now dates what is relative (today, 2d). The error is a
// *Error.
func Parse(s string, now time.Time) (Query, error) {
	var q Query
	for at := 0; at < len(s); {
		if s[at] == ' ' || s[at] == '\t' || s[at] == '\n' {
			at++
			continue
		}
		end, err := tokenEnd(s, at)
		if err != nil {
			return Query{}, err
		}
		p, err := parsePart(s, at, end, now)
		if err != nil {
			return Query{}, err
		}
		q.parts = append(q.parts, p)
		at = end
	}
	return q, nil
}

// tokenEnd finds where the part that starts at `at` ends; quotes hold spaces.
func tokenEnd(s string, at int) (int, error) {
	open := -1
	for i := at; i < len(s); i++ {
		switch {
		case s[i] == '"' && open < 0:
			open = i
		case s[i] == '"':
			open = -1
		case open < 0 && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n'):
			return i, nil
		}
	}
	if open >= 0 {
		return 0, &Error{s, open, `this " has no other end`}
	}
	return len(s), nil
}

var stateWords = map[string]partKind{
	"unread": partUnread, "read": partRead, "saved": partSaved, "changed": partChanged, "today": partToday,
}

var partNames = map[string]partKind{
	"feed": partFeed, "folder": partFolder, "newer": partNewer, "older": partOlder, "tag": partTag,
}

func parsePart(s string, at, end int, now time.Time) (part, error) {
	raw := s[at:end]
	p := part{source: raw}
	if strings.HasPrefix(raw, "-") && len(raw) > 1 {
		p.not, raw, at = true, raw[1:], at+1
	}
	if raw == "-" {
		return p, &Error{s, at, "- needs something to leave out"}
	}
	if k, ok := stateWords[strings.ToLower(raw)]; ok {
		p.kind, p.at = k, startOfDay(now)
		return p, nil
	}
	if strings.HasPrefix(raw, "#") {
		p.kind, p.text = partTag, foldText(model.TagName(unquote(raw[1:])))
		if p.text == "" {
			return p, &Error{s, at, "# needs a tag, such as #later"}
		}
		return p, nil
	}
	if name, value, ok := strings.Cut(raw, ":"); ok && !strings.HasPrefix(raw, `"`) {
		if k, known := partNames[strings.ToLower(name)]; known {
			return namedPart(p, k, s, at, len(name)+1, unquote(value), now)
		}
		// A word with a colon in it is a word, but one that looks like a part
		// of the grammar is rather a slip of the finger: say so.
		if near := nearestPart(name); near != "" {
			return p, &Error{s, at, fmt.Sprintf("%s: is not known. Nearest: %s:", name, near)}
		}
	}
	if id, ok := store2item(raw); ok {
		p.kind, p.item = partItem, id
		return p, nil
	}
	p.kind, p.text = partWord, foldText(unquote(raw))
	if p.text == "" {
		return p, &Error{s, at, "there is nothing between the quotes"}
	}
	return p, nil
}

func namedPart(p part, k partKind, s string, at, skip int, value string, now time.Time) (part, error) {
	p.kind, p.text = k, foldText(value)
	switch k {
	case partNewer, partOlder:
		t, ok := ParseTime(value, now)
		if !ok {
			name := map[partKind]string{partNewer: "newer:", partOlder: "older:"}[k]
			return p, &Error{s, at + skip, name + " needs a time, such as 2d or 1w"}
		}
		p.at = t
	default:
		if p.text == "" {
			return p, &Error{s, at, s[at:at+skip] + " needs a name"}
		}
	}
	return p, nil
}

// ParseTime reads a date such as 2026-11-02, or 3h, 2d, 1w, 6m (months), 1y as so
// long before now.
func ParseTime(v string, now time.Time) (time.Time, bool) {
	if t, err := time.ParseInLocation("2006-01-02", v, now.Location()); err == nil {
		return t, true
	}
	if len(v) < 2 {
		return time.Time{}, false
	}
	n, err := strconv.Atoi(v[:len(v)-1])
	if err != nil || n < 0 || n > 100_000 {
		return time.Time{}, false
	}
	switch v[len(v)-1] {
	case 'h':
		return now.Add(-time.Duration(n) * time.Hour), true
	case 'd':
		return now.AddDate(0, 0, -n), true
	case 'w':
		return now.AddDate(0, 0, -7*n), true
	case 'm':
		return now.AddDate(0, -n, 0), true
	case 'y':
		return now.AddDate(-n, 0, 0), true
	}
	return time.Time{}, false
}

func startOfDay(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// nearestPart returns the known part name one letter away from s, if any.
func nearestPart(s string) string {
	s = strings.ToLower(s)
	best := ""
	for name := range partNames {
		if d := wording.Distance(s, name); d == 1 && len(s) >= 3 && (best == "" || name < best) {
			best = name
		}
	}
	return best
}

func unquote(s string) string { return strings.ReplaceAll(s, `"`, "") }

func store2item(s string) (store.ItemID, bool) {
	if !strings.Contains(s, "-") {
		return 0, false
	}
	return store.ParseItemID(s)
}

// Read is the query "read".
func Read() Query { return Query{parts: []part{{kind: partRead, source: "read"}}} }

// OfFeed is the query for the items of one feed.
func OfFeed(id store.FeedID) Query {
	return Query{parts: []part{{kind: partFeed, text: id.String(), source: "feed:" + id.String()}}}
}

// Empty reports whether the query has no part at all.
func (q Query) Empty() bool { return len(q.parts) == 0 }

// Without returns the query without its last part, and that part as typed; the
// screen offers it when nothing fits.
func (q Query) Without() (Query, string) {
	if len(q.parts) == 0 {
		return q, ""
	}
	n := len(q.parts) - 1
	source := q.parts[n].source
	q.parts = q.parts[:n:n]
	return q, source
}

// OnlyWords reports whether the query says no more than what to look for: it may
// as well be a name.
func (q Query) OnlyWords() bool {
	return !slices.ContainsFunc(q.parts, func(p part) bool { return p.kind != partWord || p.not })
}

// String is the query as typed, spaces evened.
func (q Query) String() string {
	s := make([]string, len(q.parts))
	for i, p := range q.parts {
		s[i] = p.source
	}
	return strings.Join(s, " ")
}

// WantsUnread reports whether only unread items can fit, so that the index of
// unread items is enough to answer.
func (q Query) WantsUnread() bool {
	return slices.ContainsFunc(q.parts, func(p part) bool { return p.kind == partUnread && !p.not })
}

// WantsSaved is the same of saved items.
func (q Query) WantsSaved() bool {
	return slices.ContainsFunc(q.parts, func(p part) bool { return p.kind == partSaved && !p.not })
}

// WholeList reports whether all rows of one list fit, of all items or of the unread
// or saved ones, but for those of hidden feeds: then no row need be matched.
func (q Query) WholeList() bool {
	return q.Empty() || len(q.parts) == 1 && (q.WantsUnread() || q.WantsSaved())
}

// named returns the items that the query names by id, if it consists of ids
// only: then they are any of them, not all at once.
func (q Query) named() []store.ItemID {
	var ids []store.ItemID
	for _, p := range q.parts {
		if p.kind != partItem || p.not {
			return nil
		}
		ids = append(ids, p.item)
	}
	return ids
}

// WithHidden returns the query for a list that somebody chose, as of one feed
// or folder: in it, hidden feeds are feeds as any other.
func (q Query) WithHidden() Query {
	q.hidden = true
	return q
}

// InTitles returns the query whose words fit the titles of items only: it is how
// an item is named, and a feed's name or an author would be all of theirs.
func (q Query) InTitles() Query {
	q.titles = true
	return q
}

// ReachesHidden reports whether items of hidden feeds may fit.
func (q Query) ReachesHidden() bool {
	return q.hidden || slices.ContainsFunc(q.parts, func(p part) bool {
		switch p.kind {
		case partWord, partFeed, partFolder, partTag, partItem, partSaved:
			return !p.not
		}
		return false
	})
}

// Match reports whether every part of the query holds for the row of a feed.
// Feed may be nil for a row whose feed is not known.
func (q Query) Match(row *store.Row, feed *model.Feed) bool {
	if ids := q.named(); len(ids) > 0 {
		return slices.Contains(ids, row.ID)
	}
	if feed != nil && feed.Hidden && !q.ReachesHidden() {
		return false
	}
	for i := range q.parts {
		p := &q.parts[i]
		fits := false
		if p.kind == partWord && q.titles {
			fits = containsFold(row.Title, p.text)
		} else {
			fits = p.holds(row, feed)
		}
		if fits == p.not {
			return false
		}
	}
	return true
}

func (p *part) holds(row *store.Row, feed *model.Feed) bool {
	switch p.kind {
	case partUnread:
		return row.Flags&store.FlagRead == 0
	case partRead:
		return row.Flags&store.FlagRead != 0
	case partSaved:
		return row.Flags&store.FlagSaved != 0
	case partChanged:
		return row.Flags&store.FlagChanged != 0
	case partToday, partNewer:
		return row.At >= p.at.Unix()
	case partOlder:
		return row.At < p.at.Unix()
	case partTag:
		return hasFold(row.Tags, p.text) || feed != nil && hasFold(feed.Tags, p.text)
	case partFeed:
		return feed != nil && (containsFold(feed.Title, p.text) || feed.Key.String() == p.text)
	case partFolder:
		return feed != nil && inFolder(feed.Folder, p.text)
	case partItem:
		return row.ID == p.item
	}
	return containsFold(row.Title, p.text) || containsFold(row.Author, p.text) ||
		feed != nil && containsFold(feed.Title, p.text)
}

// inFolder reports whether folder is name, lies in it, or has it as its last
// step: "sea" finds "sea", "sea/boats" and "water/sea".
func inFolder(folder, name string) bool {
	f := "/" + strings.ToLower(folder) + "/"
	return folder != "" && strings.Contains(f, "/"+strings.Trim(name, "/")+"/")
}

func hasFold(list []string, folded string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.ToLower(s) == folded })
}

// Find reports whether the folded words of text all stand in title, feed or
// author of the row; it is what / looks for on screen.
func Find(row *store.Row, feed *model.Feed, text string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		p := part{kind: partWord, text: w}
		if !p.holds(row, feed) {
			return false
		}
	}
	return true
}
