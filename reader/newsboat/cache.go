// Package newsboat brings the whole of a newsboat into a library: what its urls file
// names, the articles of its cache with what was read and flagged, and what of its
// config has a counterpart. Find or At say where its files lie, Read reads them, and a
// Mover imports what was read. Nothing of newsboat is ever written, and nothing that its
// files name is ever run.
package newsboat

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"diurna/reader/feed"
	"diurna/reader/opml"
	"diurna/reader/plain"
	"diurna/reader/sqlite"
)

// Errors of opening a cache, for errors.Is.
var (
	ErrRunning = errors.New("newsboat is running")
	ErrCache   = errors.New("the cache cannot be read") // damaged, of another program, of a newer newsboat
)

// newestSchema is the major number of newsboat's schema that is known here.
const newestSchema = 2

// Cache is newsboat's cache.db, open for reading.
type Cache struct {
	db      *sqlite.File
	items   *sqlite.Table
	cols    [columnCount]int
	sources map[string]*Source
	feeds   map[string][2]string // by address: title and site
	lately  int64                // the newest articles that were read are of then or later, unix s
}

// maxEvidence is of how many articles, the newest that were read, Ranked learns that
// they were: newsboat's mark says little, and there may be hundreds of thousands.
const maxEvidence = 2000

// Source is what a cache has of one feed.
type Source struct {
	// URL is the feed as newsboat's urls file has it. Unread ones that were deleted count as
	// deleted only.
	URL                                                string // as newsboat's urls file has it
	Articles, Read, Unread, Flagged, Deleted, Enqueued int
	ids                                                []int64
}

// The columns of rss_item that are read.
const (
	colGUID = iota
	colTitle
	colURL
	colFeedURL
	colDate
	colUnread
	colAuthor // and those that a cache need not have
	colContent
	colFileURL
	colFileType
	colFileTitle
	colEnqueued
	colFlags
	colDeleted
	colBase
	colMIME
	columnCount
)

var columnNames = [columnCount]string{"guid", "title", "url", "feedurl", "pubdate", "unread", "author", "content",
	"enclosure_url", "enclosure_type", "enclosure_description", "enqueued", "flags", "deleted", "base", "content_mime_type"}

// Article is an article of a cache.
type Article struct {
	Entry                     *feed.Entry // made plain
	Flags                     string      // letters, each once, in order
	Unread, Deleted, Enqueued bool
}

// OpenCache opens newsboat's cache.db and reads all of it once, so that damage is found
// before anything is imported. Errors: ErrRunning, ErrCache, those of the file system.
// Close it.
func OpenCache(path string) (*Cache, error) {
	if running, err := sqlite.Held(path + ".lock"); err != nil || running {
		return nil, cmp.Or(err, ErrRunning)
	}
	db, err := sqlite.Open(path)
	if errors.Is(err, sqlite.ErrLocked) {
		return nil, ErrRunning
	}
	if err != nil {
		return nil, asDamaged(err)
	}
	c := &Cache{db: db, sources: map[string]*Source{}, feeds: map[string][2]string{}}
	if err := c.scan(); err != nil {
		return nil, errors.Join(asDamaged(err), db.Close())
	}
	return c, nil
}

// asDamaged gives what is wrong with the file itself its kind.
func asDamaged(err error) error {
	var damaged *sqlite.DamagedError
	if errors.As(err, &damaged) || errors.Is(err, sqlite.ErrNotDatabase) || errors.Is(err, sqlite.ErrNoTable) || errors.Is(err, sqlite.ErrUnfinished) {
		return fmt.Errorf("%w: %w", ErrCache, err)
	}
	return err
}

// Close ends the use of the cache.
func (c *Cache) Close() error { return c.db.Close() }

func (c *Cache) scan() error {
	meta, err := c.db.Table("metadata")
	if err == nil {
		col := meta.Column("db_schema_version_major")
		err = meta.Rows(func(r *sqlite.Row) error {
			if n := r.Int(col); n > newestSchema {
				return fmt.Errorf("%w: it is of a newer newsboat (schema %d; this program knows %d)", ErrCache, n, newestSchema)
			}
			return nil
		})
	}
	if err != nil && !errors.Is(err, sqlite.ErrNoTable) { // old ones have none
		return err
	}
	if err := c.scanFeeds(); err != nil {
		return err
	}
	if c.items, err = c.db.Table("rss_item"); err != nil {
		return err
	}
	for i, name := range columnNames {
		if c.cols[i] = c.items.Column(name); c.cols[i] < 0 && i < colAuthor {
			return fmt.Errorf("%w: its table rss_item has no %q", ErrCache, name)
		}
	}
	var read []int64
	err = c.items.Rows(func(r *sqlite.Row) error {
		url := r.Text(c.cols[colFeedURL])
		s := c.sources[url]
		if s == nil {
			s = &Source{URL: url}
			c.sources[url] = s
		}
		s.ids = append(s.ids, r.ID)
		s.Articles++
		deleted := r.Int(c.cols[colDeleted]) != 0
		s.count(r.Int(c.cols[colUnread]) == 0, &s.Read)
		s.count(r.Int(c.cols[colUnread]) != 0 && !deleted, &s.Unread)
		if r.Int(c.cols[colUnread]) == 0 {
			read = append(read, r.Int(c.cols[colDate]))
		}
		s.count(flagsOf(r.Text(c.cols[colFlags])) != "", &s.Flagged)
		s.count(deleted, &s.Deleted)
		s.count(r.Int(c.cols[colEnqueued]) != 0, &s.Enqueued)
		return nil
	})
	if len(read) > maxEvidence {
		slices.Sort(read)
		c.lately = read[len(read)-maxEvidence]
	}
	return err
}

// scanFeeds reads what the feeds are called.
func (c *Cache) scanFeeds() error {
	t, err := c.db.Table("rss_feed")
	if errors.Is(err, sqlite.ErrNoTable) {
		return nil
	}
	if err != nil {
		return err
	}
	address, title, site := t.Column("rssurl"), t.Column("title"), t.Column("url")
	return t.Rows(func(r *sqlite.Row) error {
		if len(c.feeds) < opml.MaxFeeds {
			of := [2]string{plain.Line(r.Text(title), 300)}
			if u, ok := plain.URL(r.Text(site)); ok {
				of[1] = plain.Outside(u)
			}
			c.feeds[r.Text(address)] = of
		}
		return nil
	})
}

func (*Source) count(is bool, n *int) {
	if is {
		*n++
	}
}

// flagsOf are the letters of newsboat's flags, each once, in order.
func flagsOf(s string) string {
	var letters []byte
	for i := range min(len(s), 1000) {
		if c := s[i]; c|0x20 >= 'a' && c|0x20 <= 'z' && !slices.Contains(letters, c) {
			letters = append(letters, c)
		}
	}
	slices.Sort(letters)
	return string(letters)
}

// add adds the numbers of another source.
func (s *Source) add(o *Source) {
	s.Articles += o.Articles
	s.Read += o.Read
	s.Unread += o.Unread
	s.Flagged += o.Flagged
	s.Deleted += o.Deleted
	s.Enqueued += o.Enqueued
}

// What is read of a feed at once.
const (
	maxArticles = 2000
	maxText     = 16 << 20 // bytes
)

// articles reads articles of a feed from place from on, oldest first, and returns the
// place of the next.
func (c *Cache) articles(s *Source, from int, now time.Time) (all []Article, next int, err error) {
	var r sqlite.Row
	room := min(len(s.ids)-from, maxArticles)
	entries := make([]feed.Entry, room) // in one piece
	all = make([]Article, 0, room)
	for size := 0; from < len(s.ids) && len(all) < room && size < maxText; from++ {
		there, err := c.items.Row(s.ids[from], &r)
		if err != nil {
			return nil, from, asDamaged(err)
		}
		if there {
			e := &entries[len(all)]
			all = append(all, c.article(&r, s.URL, e, now))
			size += len(e.ContentHTML)
		}
	}
	slices.Reverse(all) // of one date the last comes first, as publishers list them
	sort.SliceStable(all, func(i, j int) bool { return all[i].Entry.Published.Before(all[j].Entry.Published) })
	return all, from, nil
}

func (c *Cache) article(r *sqlite.Row, address string, into *feed.Entry, now time.Time) Article {
	valid := func(s string) string {
		if !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, "�")
		}
		return s
	}
	text := func(col int) string { return valid(r.Text(c.cols[col])) }
	e := feed.Entry{IDRaw: strings.TrimSpace(text(colGUID)), Title: text(colTitle), Link: text(colURL), Author: text(colAuthor), ContentHTML: text(colContent)}
	if at := r.Int(c.cols[colDate]); at > 0 && at < 1<<40 {
		e.Published = time.Unix(at, 0).UTC()
		e.PublishedRaw = e.Published.Format(time.RFC1123Z) // as most feeds write it
	}
	if url := text(colFileURL); url != "" {
		e.Enclosures = []feed.Enclosure{{URL: url, Type: text(colFileType), Title: plain.FromHTML(text(colFileTitle), feed.MaxTitle)}}
	}
	*into = feed.Kept(e, cmp.Or(text(colBase), e.Link, strings.ToValidUTF8(address, "�")), text(colMIME) == "text/plain", now)
	return Article{into, flagsOf(text(colFlags)),
		r.Int(c.cols[colUnread]) != 0, r.Int(c.cols[colDeleted]) != 0, r.Int(c.cols[colEnqueued]) != 0}
}
