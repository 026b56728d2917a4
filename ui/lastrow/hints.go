package lastrow

import "diurna/ui/view"

// Place is where the reader is, as far as the last row cares.
type Place uint8

const (
	Elsewhere Place = iota // boxes, help, sheets: they say themselves what they are
	River
	Feeds
	Ranked
	Saved
	Pages
	Rhythm
	Trends
	Search
	Items // a list that lies over a view: of a feed, a folder, a search
	Article
	Diff
	places
)

// hint says on the first visit what can be done in a place, in one line: short where
// the screen has fewer than 80 cells.
type hint struct {
	name        string // under which it is kept that it was read
	long, short string
}

// hints are of the places that have one. Keys are named as they are without a keymap of
// the reader's own, like everywhere in the last row.
var hints = [places]hint{
	River:   {"River", "Unread items, newest first. Enter opens, n next unread, m read, ? all keys.", "Enter opens, m marks read, ? all keys"},
	Feeds:   {"Feeds", "Your feeds by folder. Enter shows the items, h folds, a adds a feed.", "Enter items, h folds, a adds"},
	Ranked:  {"Ranked", "What you are likely to open comes first. w says why, + and - teach it.", "w says why, + and - teach"},
	Saved:   {"Saved", "Items you saved with s. s unsaves, t tags, & narrows to a word or tag.", "s unsaves, t tags, & narrows"},
	Pages:   {"Pages", "Watched web pages. a adds an address, Enter shows what changed.", "a adds, Enter shows what changed"},
	Rhythm:  {"Rhythm", "When you read and when feeds post. / chooses a feed, B sets the budget.", "/ chooses a feed, B sets the budget"},
	Trends:  {"Trends", "What several feeds talk about. Enter lists the items, < > changes the period.", "Enter items, < > period"},
	Search:  {"Search", "Search results, best match first. / edits the query, & narrows the rows.", "/ edits the query, & narrows"},
	Items:   {"list", "A list of results: & narrows it, M marks part of it read, q goes back.", "& narrows, M marks read, q goes back"},
	Article: {"article", "space pages on to the next unread, o opens the browser, f links, q back.", "space on, o browser, f links, q back"},
	Diff:    {"diff", "n and N go from change to change, c sets columns, w the score, q back.", "n and N changes, w score, q back"},
}

// Name is the name of the hint of a place, Hint what it says on a screen of w cells.
func (p Place) Name() string { return hints[p].name }

func (p Place) Hint(w int) string { return hints[p].fitting(w) }

// fitting is the hint for a screen of w cells.
func (h hint) fitting(w int) string {
	if w < 80 {
		return h.short
	}
	return h.long
}

// Over is the place of a view that lies over another one, by the keys that it has.
func Over(c view.Context) Place {
	switch c {
	case view.CtxItems:
		return Items
	case view.CtxArticle:
		return Article
	case view.CtxDiff:
		return Diff
	}
	return Elsewhere
}

// ofItems reports whether items are listed in a place, ofLists whether the keys of the
// views work there, such as 3.
func (p Place) ofItems() bool {
	return p == River || p == Ranked || p == Saved || p == Search || p == Items
}
func (p Place) ofLists() bool { return p >= River && p <= Items }
