package view

import (
	"strings"
	"time"

	"diurna/reader"
	"diurna/ui/theme"
)

// Scene is what parts need to draw themselves besides their own state. It is
// read by them and written by Update only.
type Scene struct {
	Th      theme.Theme
	Now     time.Time // of the last event: nothing on the screen ages by itself
	Zone    *time.Location
	Feeds   map[reader.FeedID]*reader.Feed
	Order   []reader.Feed            // by folder and title
	Names   map[reader.FeedID]string // of every feed there was: what it brought may stand on the screen still
	Queries []reader.SavedQuery      // in their order
	Pages   []reader.Page            // those of them that are watched pages, with what is known of them
	Cfg     Config
	Dir     string // where the library is, as people write it
	W, H    int    // cells and lines of the screen
	// Still is set where a view is drawn beside the one that has the keys: no row of
	// it is chosen.
	Still bool
	// Key is the key that does in a place what a key of ours does, "" for none.
	Key func(of Context, key string) string
	// Longest is how many cells the longest name of a feed takes.
	Longest int
	opened  int // how many openings there were
}

// NewOpening numbers what is opened from a list, for undo.
func (s *Scene) NewOpening() int {
	s.opened++
	return s.opened
}

// SetFeeds takes a fresh list of subscriptions.
func (s *Scene) SetFeeds(feeds []reader.Feed) {
	s.Order = feeds
	s.Feeds = make(map[reader.FeedID]*reader.Feed, len(feeds))
	if s.Names == nil {
		s.Names = make(map[reader.FeedID]string, len(feeds))
	}
	s.Longest = 0
	for i := range feeds {
		s.Longest = max(s.Longest, s.Th.Measure.Width(feeds[i].Title))
		s.Feeds[feeds[i].Key] = &feeds[i]
		s.Names[feeds[i].Key] = feeds[i].Title
	}
}

// Watched finds a watched page, nil where it is none.
func (s *Scene) Watched(id reader.FeedID) *reader.Page {
	for i := range s.Pages {
		if s.Pages[i].Key == id {
			return &s.Pages[i]
		}
	}
	return nil
}

// FeedTitle is how a feed is called, or was; its short id when it was never in
// the library.
//
//go:noinline // 17 places
func (s *Scene) FeedTitle(id reader.FeedID) string {
	if name, ok := s.Names[id]; ok {
		return name
	}
	return id.String()
}

// Local is a stored time in the zone of the user.
func (s *Scene) Local(unix int64) time.Time { return time.Unix(unix, 0).In(s.Zone) }

// Tiny reports whether the screen is too small to read in.
func (s *Scene) Tiny() bool { return s.W < 40 || s.H < 8 }

// Fill adds empty lines up to h and cuts what is beyond.
func (s *Scene) Fill(lines []string, w, h int) []string {
	if h < 0 {
		h = 0
	}
	if len(lines) > h {
		return lines[:h]
	}
	blank := s.Th.Fit("", w)
	for len(lines) < h {
		lines = append(lines, blank)
	}
	return lines
}

// Wrap breaks plain words into lines of at most w cells, indented by in.
func (s *Scene) Wrap(text string, in, w int) []string {
	pad := s.Th.Fit("", in)
	room := max(1, w-in)
	var lines []string
	line := ""
	for len(text) > 0 {
		word := text
		for i := range len(text) {
			if text[i] == ' ' {
				word = text[:i]
				break
			}
		}
		if n := s.Th.Measure.Width(word); n > room {
			word = s.head(word, room) // no blank to break it at
			text = text[len(word):]
		} else {
			text = text[min(len(text), len(word)+1):]
		}
		joined := word
		if line != "" {
			joined = line + " " + word
		}
		if line != "" && s.Th.Measure.Width(joined) > room {
			lines = append(lines, s.Th.Fit(pad+line, w))
			joined = word
		}
		line = joined
	}
	return append(lines, s.Th.Fit(pad+line, w))
}

// head is the beginning of a word that has room in w cells, at least a character.
func (s *Scene) head(word string, w int) string {
	n, used := 0, 0
	for n < len(word) {
		cluster, width := s.Th.Measure.Next(word[n:])
		if used += width; used > w && n > 0 {
			break
		}
		n += len(cluster)
	}
	return word[:n]
}

// Config is what config.toml and the environment may say about the screen. The
// zero value is right for most people.
type Config struct {
	Theme    string         // "" or "16": the terminal's colours; else one of theme.Names
	Own      *theme.Palette // a theme from the user's own file; nil: Theme names it
	Links    string         // "off": addresses are not made clickable (OSC 8)
	Width    int            // of an article's text, in cells; 0: 72
	NoCounts bool           // no numbers of unread in Feeds
	ASCII    bool           // signs outside ASCII are written in it
	Keymap   string         // "" or "newsboat"
	Mouse    bool           // the terminal reports clicks and the wheel
	Bell     bool           // the terminal's bell when a watched page changed by more than its threshold
	Toast    bool           // the same as a notification of the terminal (OSC 9)
	Browser  []string       // argv of the browser; %u stands for the link, else it is appended; nil: $BROWSER, then what the desktop offers

	Downloads string   // the folder of downloaded enclosures
	Player    []string // argv of what plays them, %u stands for the file or its address; nil: the browser
}

// FitAll gives every line exactly w cells; wrapped text may be narrower.
func (s *Scene) FitAll(lines []string, w int) []string {
	for i, l := range lines {
		if s.Th.Measure.Width(l) < w {
			lines[i] = s.Th.Fit(l, w)
		}
	}
	return lines
}

// Wide is from how many cells on a row has room for more than one column,
// Beside from where on two views stand side by side.
const (
	Wide   = 60
	Beside = 120
)

// LinearWidth is how wide sentences and articles are broken in the linear form.
const LinearWidth = 72

// DefaultWidth is the widest text that is read with ease.
const DefaultWidth = 72

// TrimAll takes the blanks off the ends of lines.
func TrimAll(lines []string) []string {
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// RowOf is an item as lists draw it.
func RowOf(it *reader.Item) reader.Row {
	r := reader.Row{ID: it.Key, Title: it.Title, Author: it.Author, Tags: it.Tags, Words: uint32(max(0, it.Words))}
	if at := it.Published; !at.IsZero() {
		r.At = at.Unix()
	} else if !it.FirstSeen.IsZero() {
		r.At = it.FirstSeen.Unix()
	}
	if !it.Unread {
		r.Flags |= reader.FlagRead
	}
	if it.Saved {
		r.Flags |= reader.FlagSaved
	}
	if it.Changed {
		r.Flags |= reader.FlagChanged
	}
	return r
}
