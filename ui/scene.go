package ui

import (
	"time"

	"diurna/reader"
	"diurna/ui/theme"
)

// scene is what parts need to draw themselves besides their own state. It is
// read by them and written by Update only.
type scene struct {
	th    theme.Theme
	now   time.Time // of the last event: nothing on the screen ages by itself
	zone  *time.Location
	feeds map[reader.FeedID]*reader.Feed
	order []reader.Feed            // by folder and title
	names map[reader.FeedID]string // of every feed there was: what it brought may stand on the screen still
	pages []reader.Page            // those of them that are watched pages, with what is known of them
	cfg   Config
	dir   string // where the library is, as people write it
}

// setFeeds takes a fresh list of subscriptions.
func (s *scene) setFeeds(feeds []reader.Feed) {
	s.order = feeds
	s.feeds = make(map[reader.FeedID]*reader.Feed, len(feeds))
	if s.names == nil {
		s.names = make(map[reader.FeedID]string, len(feeds))
	}
	for i := range feeds {
		s.feeds[feeds[i].Key] = &feeds[i]
		s.names[feeds[i].Key] = feeds[i].Title
	}
}

// watched finds a watched page, nil where it is none.
func (s *scene) watched(id reader.FeedID) *reader.Page {
	for i := range s.pages {
		if s.pages[i].Key == id {
			return &s.pages[i]
		}
	}
	return nil
}

// feedTitle is how a feed is called, or was; its short id when it was never on
// the shelf.
func (s *scene) feedTitle(id reader.FeedID) string {
	if name, ok := s.names[id]; ok {
		return name
	}
	return id.String()
}

// local is a stored time in the zone of the person.
func (s *scene) local(unix int64) time.Time { return time.Unix(unix, 0).In(s.zone) }

// fill adds empty lines up to h and cuts what is beyond.
func (s *scene) fill(lines []string, w, h int) []string {
	if h < 0 {
		h = 0
	}
	if len(lines) > h {
		return lines[:h]
	}
	blank := s.th.Fit("", w)
	for len(lines) < h {
		lines = append(lines, blank)
	}
	return lines
}

// wrap breaks plain words into lines of at most w cells, indented by in.
func (s *scene) wrap(text string, in, w int) []string {
	pad := s.th.Fit("", in)
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
		text = text[min(len(text), len(word)+1):]
		joined := word
		if line != "" {
			joined = line + " " + word
		}
		if line != "" && s.th.Measure.Width(joined) > room {
			lines = append(lines, s.th.Fit(pad+line, w))
			joined = word
		}
		line = joined
	}
	return append(lines, s.th.Fit(pad+line, w))
}
