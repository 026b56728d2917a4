// Package feed turns a response's bytes into items: charset, repair, parsing,
// salvage, base URLs, dates, identity.
//
// Call Parse with the bytes of a response and what is known of where they came
// from. Sniff says cheaply what kind of document bytes are, Discover lists the
// feeds a web page announces, and Entry.Identity gives the keys by which an item
// is matched with one that was seen before. Package atom is the way out.
//
// Everything is pure: the time of the fetch is a field of Input, nothing reads
// the network, and no input, however broken or hostile, costs more than time
// linear in its length.
package feed

import (
	"errors"
	"time"

	"diurna/reader/feed/dates"
	"diurna/reader/feed/xmlscan"
)

// Errors of Parse, for errors.Is. Their messages are for people.
var (
	ErrEmpty    = errors.New("the document is empty")
	ErrWebPage  = errors.New("a web page instead of a feed")
	ErrOPML     = errors.New("this is a subscription list (OPML), not a feed")
	ErrNotFeed  = errors.New("this is not a feed")
	ErrFormat   = errors.New("this kind of feed is not supported")
	ErrTooDeep  = errors.New("the document is nested too deeply")
	ErrTooLarge = errors.New("the document is larger than 16 MB")
)

// Limits that hold before anything is parsed.
const (
	MaxBody       = 16 << 20              // bytes of a document after decompression
	MaxItems      = 2000                  // items of a document; the first ones are kept
	MaxItem       = 1 << 20               // bytes of an item's content
	MaxTitle      = 1 << 10               // bytes of a title
	MaxURL        = xmlscan.MaxURL        // bytes of an address
	MaxDate       = dates.MaxLen          // bytes of a date
	MaxCategories = 64                    // categories of an item
	MaxEnclosures = 64                    // enclosures of an item
	MaxAttributes = xmlscan.MaxAttributes // attributes of an element
	MaxDepth      = xmlscan.MaxDepth      // nested elements
)

// Input is a response's body and what is known of it.
type Input struct {
	Body            []byte    // as the HTTP client decoded it; gzip and zstd files are recognised
	ContentType     string    // the header, "" if none
	URL             string    // the address of the final response, base of relative addresses
	ContentLocation string    // the header, "" if none
	ContentLanguage string    // the header, "" if none: for documents that name no language
	Now             time.Time // the time of the fetch: later dates are moved to it; zero: none are
}

// Document is a parsed feed. All text is sanitised and bounded.
type Document struct {
	Format      string // "RSS 2.0", "Atom 1.0", "RSS 1.0", "JSON Feed 1.1", ...
	Title       string // one line of plain text
	Link        string // the site's address, absolute where a base is known
	Description string // plain text
	Language    string // as the feed writes it, "" if it does not
	Self        string // rel=self, feed_url
	Icon        string // image, logo or icon

	TTL         time.Duration  // RSS <ttl>; 0: none
	SkipHours   []int          // hours of the day, UTC, 0-23
	SkipDays    []time.Weekday // days of the week, UTC
	UpdateEvery time.Duration  // syndication module: period over frequency; 0: none
	Updated     time.Time      // the feed's own date, zero if none

	Items    []Entry
	Problems []string // whole lower-case sentences for a user
	LeftOut  int      // items beyond MaxItems
	Partial  bool     // the document ended early: absent items say nothing
	Open     bool     // its root is never closed: some publishers never do, else it ended between two items

	Charset string // the encoding the bytes were read in, by its name on the web: "utf-8", "windows-1252"
	Parser  Parser // which of the two read it
}

// Entry is one entry of a document, as its publisher wrote it; filed it is a store.Item.
type Entry struct {
	IDRaw  string // guid, id, rdf:about or dc:identifier, byte for byte; sanitise it at every way out
	Title  string // one line of plain text, at most MaxTitle bytes
	Link   string // absolute where a base is known; http(s) is not guaranteed, see plain.URL
	Author string

	Published    time.Time // zero: none or not readable; never after Input.Now
	Updated      time.Time // the same
	PublishedRaw string    // what the feed says, at most MaxDate bytes
	UpdatedRaw   string

	Categories []string
	Enclosures []Enclosure
	Comments   string // address of the comments page, "" if none

	ContentHTML string // the longest form there is; relative addresses resolved, control characters gone, markup kept
	SummaryHTML string // the short form; "" if there is none besides the content
	Words       int    // words of ContentHTML a user would read

	// IdentityLevel is the first step of the identity ladder (0 id, 1 link, 2 hash) that
	// tells this item from all others of its document. Items whose id another
	// item of the document bears too stand on a lower one.
	IdentityLevel int
}

// Enclosure is a file an entry brings along; filed it is a store.Enclosure.
type Enclosure struct {
	URL    string
	Type   string // media type, "" if not said
	Title  string
	Length int64 // bytes; 0: not said
	// Seconds is how long it plays; 0: not said.
	Seconds int32
}

// Candidate is a feed that a web page announces.
type Candidate struct {
	URL, Title, Type string
}

// Kind is what a document is, by its first bytes.
type Kind int

// Kinds of documents.
const (
	KindOther Kind = iota
	KindFeed
	KindPage // HTML
	KindOPML
)

// Parser is what read a document.
type Parser int

// Parsers. A document is read by one of them.
const (
	Scanner Parser = iota // this package's own, for what gofeed refuses or would lose something of
	Gofeed                // github.com/mmcdole/gofeed
)

func (p Parser) String() string {
	return [...]string{"scanner", "gofeed"}[p]
}

// Parse reads a feed: RSS 0.9x to 2.0, RSS 1.0 (RDF), Atom 0.3 and 1.0, JSON
// Feed 1.x. Broken documents give every item that is complete, and Problems
// says what was done. The error is one of the sentinels above, perhaps with
// detail; the Document is then empty.
func Parse(in Input) (Document, error) { return (&parser{in: in, maxItems: MaxItems}).parse() }

func (p *parser) parse() (Document, error) {
	body, err := unpack(p.in.Body)
	if err != nil {
		return Document{}, err
	}
	p.base = documentBase(p.in)
	text := p.decode(body)
	switch kind, head := sniff(text); {
	case len(head) == 0:
		return Document{}, ErrEmpty
	case head[0] == '{':
		err = jsonReader{p}.read(head)
	case kind == KindPage:
		err = ErrWebPage
	case kind == KindOPML:
		err = ErrOPML
	default:
		err = p.xml(head)
	}
	if err != nil {
		return Document{}, err
	}
	p.finish()
	return p.doc, nil
}

// Sniff says what kind of document the bytes are. The content type is only a
// hint: servers say text/html for feeds and application/xml for pages.
func Sniff(body []byte, contentType string) Kind {
	if unpacked, err := unpack(body); err == nil {
		body = unpacked
	}
	p := parser{in: Input{ContentType: contentType}}
	kind, _ := sniff(p.decode(body[:min(len(body), 1<<20)]))
	return kind
}

// Identity is what an item is known by, in the order in which to try.
type Identity struct {
	ID            string // IDRaw, byte for byte; "" if none
	Link          string // normalised link; "" if none
	Hash          uint64 // of title, date and enclosure, or of the body where all are missing; never 0
	Body          uint64 // of the content without white space and hosts; changes when the item was edited; never 0
	IdentityLevel int    // first of ID (0), Link (1), Hash (2) that is unique in the document
}

// documentBase is the address relative ones are resolved against before the
// document itself says anything: Content-Location against the response's own.
func documentBase(in Input) string {
	if len(in.ContentLocation) > 0 && len(in.ContentLocation) <= MaxURL {
		return xmlscan.NewBase(in.URL, in.ContentLocation)
	}
	return in.URL
}
