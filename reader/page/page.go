// Package page says what changed between two versions of a page and how much it
// matters. Start with Compare.
//
// Pages come in as UTF-8 (Decode makes them so) and everything is a value: no
// clock, no network, no file. The order of a watch is Decode, Classify (a
// captcha is no revision), Compare with the last kept revision and the watch's
// Memory, Memory.After, and Pack for what is kept.
package page

import (
	"time"

	"diurna/reader/align"
	"diurna/reader/ignore"
	"diurna/reader/segment"
)

// The names of package align that a diff is made of.
type (
	OpKind = align.OpKind
	Engine = align.Engine
)

// The kinds of step, and the engine that is a baseline.
const (
	Equal   = align.Equal
	Delete  = align.Delete
	Insert  = align.Insert
	Loctags = align.Loctags
)

// Class names the kind of a change, of a row or of a whole page.
type Class string

// The classes, in the order in which one decides the class of a page.
const (
	Content  Class = "content"  // words a reader would want to know of
	Menu     Class = "menu"     // only navigation, footers and the like
	Order    Class = "order"    // the same blocks in another order
	Links    Class = "links"    // the same text, other link targets or media
	Date     Class = "date"     // only dates and times
	Volatile Class = "volatile" // counters, tokens, blocks that come and go
	None     Class = "none"     // nothing a reader could see
)

// Options say how two revisions are compared. The zero value compares all of
// two pages without history.
type Options struct {
	Engine       align.Engine
	Select       []string           // CSS: only inside these elements
	Ignore       []string           // CSS: not inside these
	IgnoreBlocks []string           // blocks that read so, see Row.Rule
	ReportBlocks []string           // such blocks are content, whatever is known of them; what IgnoreBlocks hides stays hidden
	Keywords     []string           // the reader's words, any case
	Weights      map[string]float64 // by category; those left out have their DefaultWeights
	Has, Not     []string           // only changes of blocks with one of these words in what changed, with none of those
	Threshold    float64            // a higher score is significant; 0 means DefaultThreshold, below 0 everything but the volatile is
	Memory       *Memory            // what earlier revisions held; nil without history
	NoRules      bool               // leave Row.Rule out: nobody will ignore a block
	OnlyText     bool               // leave Diff.Ops out, and keep what was read: the diff is printed as text at once
	Room         []byte             // zeroed memory for tables, as far as it suffices; nil: they come from the heap
	Host         string             // that serves the page, "" if unknown
	Fetched      [2]time.Time       // when the two pages were fetched, zero if unknown

	item bool // two versions of an item: whoever compares them counts its counters
}

// DefaultThreshold is the score above which a change is reported.
const DefaultThreshold = 1.0

// Everything is the threshold under which all but volatile changes are reported.
const Everything = -1.0

// The categories of a score.
const (
	CatKeywords   = "keywords"   // occurrences of the reader's keywords in changed text
	CatWords      = "words"      // words added and deleted
	CatLinks      = "links"      // link targets come or gone
	CatTargets    = "targets"    // links of the text that lead elsewhere now
	CatPictures   = "pictures"   // images in the place of others
	CatImages     = "images"     // images come or gone
	CatForms      = "forms"      // forms and their fields come or gone
	CatEmbeds     = "embeds"     // frames, videos, objects come or gone
	CatTitle      = "title"      // the page's title
	CatAppearance = "appearance" // kinds of appearance tag used more or less often
	CatMenu       = "menu"       // words in navigation and furniture
	CatOrder      = "order"      // blocks moved
	CatDates      = "dates"      // words of dates and times
	CatVolatile   = "volatile"   // words of counters, tokens, known blocks
)

// DefaultWeights returns the weight of each category, in points.
func DefaultWeights() map[string]float64 {
	return map[string]float64{
		CatKeywords: 2, CatWords: 1.2, CatLinks: .3, CatImages: .15, CatForms: .3, CatEmbeds: .3,
		CatTargets: 1.2, CatPictures: 1.2, CatTitle: .2, CatAppearance: .05, CatMenu: .15, CatOrder: .15, CatDates: .1, CatVolatile: .05,
	}
}

// Term is one part of a score: Points = Weight x log2(1 + Count), so that one
// word counts fully and a thousand do not drown a keyword. (Saeyor & Ishizuka,
// section 3.3, sum fixed values by category; the logarithm is ours.)
type Term struct {
	Category string  `json:"category"`
	Count    int     `json:"count"`
	Weight   float64 `json:"weight"`
	Points   float64 `json:"points"`
}

// Words counts visible words.
type Words struct {
	Added   int `json:"added"`
	Deleted int `json:"deleted"`
}

// Segment is a stretch of a changed block.
type Segment = segment.Segment

// RowKind says what a row of a diff shows.
type RowKind uint8

// The kinds of row, with the character that stands for them.
const (
	Same     RowKind = iota // "…": blocks without change, folded
	Changed                 // "~": a block with changed words
	Deleted                 // "-"
	Inserted                // "+"
	Moved                   // "m": came here from elsewhere, words unchanged
)

// Row is one block of a diff, or a run of unchanged ones.
type Row struct {
	Kind     RowKind
	Count    int       // Same: how many blocks are folded, see Diff.Unchanged
	Segments []Segment // otherwise: the block in parts
	From     []string  // Moved: the headings it came from
	Class    Class     // what the change counts as
	Words    Words     // changed words
	Rule     string    // what IgnoreBlocks takes to ignore this block
	A, B     [2]int32  // the bytes of the block, empty where it has no side

	Asked bool // content by a rule of ReportBlocks alone

	kinds   uint32 // of its changed stretches, a bit each
	learned bool   // some of them by their history
}

// Hunk is a part of a page under one heading.
type Hunk struct {
	Path []string // headings, outermost first; none above the first
	Rows []Row
}

// Existence lists what a page has come to hold and holds no more, as written.
type Existence struct {
	Added, Removed []string
}

// Retarget is a link whose text stayed and whose address changed, as written.
type Retarget struct{ Text, Old, New string }

// Mention is how often a keyword stands in changed text.
type Mention struct {
	Word  string
	Count int
}

// Counts counts the blocks of a diff.
type Counts struct {
	Changed  int // changed, deleted and inserted blocks
	Moved    int
	Same     int
	Ignored  int // changed blocks a rule hides
	Volatile int // changed blocks of the classes date and volatile
	Unshown  int // changed blocks beyond the 20,000 rows a diff holds
}

// Diff is what happened between two revisions.
type Diff struct {
	Ops         align.Script
	Score       float64
	Significant bool   // Score is above the threshold, not by furniture alone, and Has and Not let it pass
	Held        string // Score is above it, but they do not: why, a clause
	Terms       []Term
	Class       Class
	Words       Words // changed visible words, moved ones included, ignored ones not
	Blocks      Counts

	Hunks   []Hunk
	Ignored []Row // changed blocks that rules hide

	Keywords                     []Mention // of the reader's words in changed text
	Links, Images, Forms, Embeds Existence
	Retargets                    []Retarget // links with the same text and another address
	Title, Language              [2]string  // old and new, of the page

	Shrunk bool // most of the text is gone: fetch once more before believing it
	Dead   bool // Select matches nothing in the new page

	page []byte          // the new page, for Unchanged
	read *align.Document // it as it was read, nil unless OnlyText
}

// Unchanged returns the text of the blocks a row of kind Same folds.
func (d Diff) Unchanged(r Row) []string {
	b, from, to := d.folded(r)
	out := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, align.Clean(b.TextOf(i)))
	}
	return out
}

// Served is a page as it came: its bytes and what the header said of them.
type Served struct {
	Body        []byte
	ContentType string // "" if unknown
}

// Hit is what a rule that ignores blocks finds on a page.
type Hit struct {
	Blocks int
	Path   []string // of the first one: the headings above it, outermost first
	Text   string   // and what it says, "" without one
}

// Memory is what the last 60 revisions of a watch held: hashes of blocks,
// links and of the places whose numbers change. It is a value; store it with
// MarshalBinary.
type Memory struct {
	Revisions uint32 // how many were remembered
	blocks    map[uint64]seen
	slots     map[uint64]slot
	places    map[uint64]placeLog
}

// After returns the memory once page is remembered, under the selectors of o.
// Remember every revision fetched, significant or not.
func (m Memory) After(page []byte, o Options) (Memory, error) {
	d := align.Parse(page)
	sc, err := NewScope(o)
	if err != nil {
		return m, err
	}
	mask, _ := sc.Of(d)
	return m.remember(memoryMarks(d, mask)), nil
}

// Unified writes the diff as text: changed blocks under their headings, with
// up to context unchanged blocks around, then links and media. By word a
// changed block is one line with [-old-] {+new+} in it, else two lines.
func (d Diff) Unified(context int, byWord bool) string { return unified(d, context, byWord, false) }

// Numbered is Unified with the number of each change behind it that has a Rule.
func (d Diff) Numbered(context int, byWord bool) string { return unified(d, context, byWord, true) }

// Old returns the text of a row as it was.
func (r Row) Old() string { return r.side(align.Delete) }

// New returns the text of a row as it is now.
func (r Row) New() string { return r.side(align.Insert) }

// Ignores is what the rule of a row ignores: how that part of it reads, "" if it is all.
func (r Row) Ignores() string {
	if ignore.OfParts(r.Rule) {
		return r.Rule
	}
	return ""
}

// Mono writes a row's segments in one line, the changed ones as [-old-] and
// {+new+}: the form for screens without colour, and with it.
func (r Row) Mono() string { return segment.Mono(r.Segments) }

// Decode turns the served bytes of a page into UTF-8 and names the charset
// they were in. contentType is the header's value, "" if there was none.
// Bytes that are valid UTF-8 are taken as such whatever is said about them.
//
//go:noinline // 18 places
func Decode(body []byte, contentType string) (text []byte, charset string) {
	return align.Decode(body, contentType)
}

// Utilisation is U = (N-M)/M for n watches that m distinct requests serve
// (Saeyor & Ishizuka, section 4); 0 without requests.
func Utilisation(n, m int) float64 {
	if m <= 0 {
		return 0
	}
	return float64(n-m) / float64(m)
}

// Item is the text of a feed item.
type Item struct{ Title, HTML string }

// DefaultMinor is how many changed words an edit may have and still be minor.
const DefaultMinor = 4

// ItemChange is what an edit did to an item.
type ItemChange struct {
	Diff    Diff
	Words   Words
	Title   bool // the title changed
	Counted int  // changed words, links and media that count
	Minor   bool // at most the threshold and no number among them: not worth being unread again

	// Marks are the changed words and media that count, one by one, with the sign
	// of their side and "#" for numbers, which bear the word after them: edits of
	// the same kind in several items have the same marks. Idle says how many more
	// stand in short blocks of the text of which only numbers changed.
	Marks []string
	Idle  int
}
