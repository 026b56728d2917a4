// Package opml reads and writes subscription lists: OPML, newsboat `urls`; it reads those of
// newsraft and sfeed.
//
// Call [Sniff] first, then [ParseOPML] or [ParseURLs]; both give a [List] that
// [WriteOPML] and [WriteURLs] write out again. Reading is tolerant, because a third
// of the OPML in the world is not well-formed XML, and loses nothing silently: what
// cannot be a feed is in List.Refused with the reason. Nothing that is read is ever
// run, included or expanded.
package opml

import (
	"bytes"
	"errors"
	"io"
	"time"
)

// What one list may be.
const (
	MaxBytes = 10 << 20 // longer input is refused
	MaxFeeds = 20000    // feeds beyond are left out, with a problem saying so
	MaxDepth = 32       // folders deeper than this are one folder
)

// ErrTooLarge is returned for more than MaxBytes.
var ErrTooLarge = errors.New("the list is larger than 10 MB")

// ErrNotOPML is returned by ParseOPML for a document with neither an opml tag nor
// an outline.
var ErrNotOPML = errors.New("not OPML: it contains no outline")

// Outline is one subscription, as a list has it.
type Outline struct {
	// URL is an http or https address, made plain.
	URL string
	// Title is what the list calls the feed (OPML text, newsboat "~Title"), "" when
	// it gives none. Site is the address of its web page, "" or http(s).
	Title, Site string
	// Folder is the path of enclosing outlines, "a/b". A slash inside a name
	// becomes U+2215 and is a slash again when written.
	Folder string
	// Tags are labels in the order of the list, without repetitions.
	Tags []string
	// Hidden is newsboat's "!" mark.
	Hidden bool
	// Attrs are the outline attributes that have no field here, by their name as
	// written; "xmlns:p" goes with names in namespace p. OPML's title is among
	// them when it differs from Title, and category when it is not how Tags are
	// written. nil when there are none.
	Attrs map[string]string
	// Watch is set for a watched page: its settings by name, perhaps none. It is
	// written as a link, which other readers leave alone. nil for a feed.
	Watch map[string]string
	// Line is where the feed stands, from 1.
	Line int
}

// Refused is an entry that was not taken.
type Refused struct {
	Line int
	// Text is the entry in plain, Why the reason, a lower-case sentence.
	Text, Why string
	// Command is the program that the entry wanted to be run, "" when it is refused
	// for something else; URL is what a filter would have been fed with. They are
	// for telling the user how to go on, never for running.
	Command, URL string
	// Title and Tags are as in Outline.
	Title string
	Tags  []string
}

// Page is an entry that names a web page and no feed: one may be announced there.
type Page struct {
	Title, URL string
	Line       int
}

// Query is a saved query: one of newsboat's query feeds, whose Expr is in newsboat's own
// language, or if Own is true one of diurna's.
type Query struct {
	Name, Expr string
	Own        bool
	Line       int
	Open       bool // its line has a quote without an end: NotClosed
}

// NotClosed is what is wrong with a line of urls that ends within a quote.
const NotClosed = "a quote is not closed"

// List is a whole subscription list, in its own order. One URL may stand in it
// more than once, with different folders.
type List struct {
	Title string
	// Version is what an OPML document says of itself, "" if nothing.
	Version string
	// Head is what else stands in an OPML's head, by its names in lower case:
	// ownername, ownerid, datecreated, ...
	Head    map[string]string
	Feeds   []Outline
	Queries []Query
	Refused []Refused
	// Pages are entries that name a web page and no feed.
	Pages []Page
	// Problems are remarks for a user about what had to be guessed or left out.
	Problems []string

	// Cut tells that what was read may not be all of the list: it ends before its
	// end, holds more than is taken, or a line of it could not be read to its end.
	Cut bool
}

// Sniff tells what b is: "opml", "urls", "newsraft", "sfeed", or "" for none of them. It
// looks at the beginning only.
func Sniff(b []byte) string {
	head := decode(b[:min(len(b), 64<<10)])
	trimmed := bytes.TrimSpace(head)
	if len(trimmed) > 0 && trimmed[0] == '<' {
		if low := bytes.ToLower(trimmed); findTag(low, "opml") >= 0 || findTag(low, "outline") >= 0 || isFOAF(low) {
			return "opml"
		}
		return ""
	}
	if other := sniffOther(head); other != "" {
		return other
	}
	if looksLikeURLs(head) {
		return "urls"
	}
	return ""
}

// ParseOPML reads OPML of any version, well-formed or not, in any charset. The
// error is ErrTooLarge or ErrNotOPML.
//
// A feed is an outline with an xmlUrl (any letter case), or with a url and a type
// that says so; a link that carries our mark is a watched page. Outlines without
// are folders; feeds inside a feed lie in its folder. category is split at commas
// into tags, "/a/b" giving "a/b". The FOAF lists of planets are read too, their
// groups as tags.
func ParseOPML(b []byte) (List, error) {
	if len(b) > MaxBytes {
		return List{}, ErrTooLarge
	}
	p := parser{scanner: scanner{src: decode(b), line: 1}}
	l, err := p.parse()
	if err != nil && isFOAF(p.src) {
		return parseFOAF(p.src), nil
	}
	return l, err
}

// ParseURLs reads newsboat's urls file: a URL and its tags on each line, quoted
// with "" where they hold spaces, "~Title", "!hidden", # comments and
// query:Name:Expression. exec:, filter: and file: lines are refused. The error is
// ErrTooLarge.
func ParseURLs(b []byte) (List, error) {
	if len(b) > MaxBytes {
		return List{}, ErrTooLarge
	}
	return parseURLs(decode(b)), nil
}

// Label is one of the labels of a category attribute: as it stands there, up to
// the next one, and as a tag, "" if nothing is left of it.
type Label struct{ Text, Tag string }

// WriteOPML writes l as OPML 2.0, dated created: feeds in their order in nested
// outlines, one for each run of feeds that lie in one folder, tags in category
// unless Attrs has one, Attrs as they were, and of Head whom the list belongs to. Equal lists give equal
// bytes. Queries of diurna's own come first; newsboat's, pages and refused entries have
// no place and are left out.
func WriteOPML(w io.Writer, l List, created time.Time) error {
	_, err := w.Write(appendOPML(nil, l, created))
	return err
}

// WriteURLs writes l in newsboat's grammar, queries first. Folders come as the
// first tag of a feed, because newsboat has no folders.
func WriteURLs(w io.Writer, l List) error {
	_, err := w.Write(appendURLs(nil, l))
	return err
}
