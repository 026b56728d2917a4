package model

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// FromSearch in an Opened fact's field: it was found, not chosen from a list, and
// says nothing about what a list should show first, nor about its feed.
const FromSearch = "search"

// The settings of a feed by the names that its record and the facts have for
// them. The dot keeps those of a watched page apart from what an outline of another
// program may bring along.
const (
	SettingInterval = "interval"
	SettingLearning = "learning"
	SettingByTitles = "by_titles"
	SettingSite     = "site"
	SettingTitle    = "first_title" // of an imported feed, in the same way
	SettingFull     = "full"        // "true": the whole texts of new items are fetched from their pages
	// SettingRetention is after which age the feed's texts go, as in config.toml.
	SettingRetention = "retention"

	SettingPage         = "page" // "yes": the feed is a watched page
	SettingSelect       = "page.select"
	SettingIgnore       = "page.ignore"
	SettingKeywords     = "page.keywords"
	SettingIgnoreBlocks = "page.ignore_blocks"
	SettingReportBlocks = "page.report_blocks"
	SettingThreshold    = "page.threshold"
	SettingDepth        = "page.depth"
	SettingKeep         = "page.keep"
	SettingHas          = "page.has"
	SettingNot          = "page.not"
	SettingWhen         = "page.when"
	SettingAdvice       = "page.advice"
	SettingAlways       = "page.always"
)

// MinInterval is the shortest interval between fetches that may be set by hand.
const MinInterval = 15 * time.Minute

// OwnSetting reports whether a name is one of ours, not an attribute that an
// outline of another program brought along.
func OwnSetting(name string) bool {
	switch name {
	case SettingInterval, SettingLearning, SettingByTitles, SettingSite, SettingTitle, SettingFull, SettingRetention:
		return true
	}
	return PageSetting(name)
}

// PageSetting reports whether a name is that of a setting of watched pages.
func PageSetting(name string) bool {
	return name == SettingPage || strings.HasPrefix(name, SettingPage+".")
}

// Learning is how a feed stands to Ranked.
type Learning uint8

// The ways.
const (
	LearnedFrom Learning = iota
	Pinned               // it stands above all others
	Excluded             // it is left out: its items teach nothing
)

var learnings = [...]string{"", "pinned", "left out"}

// String returns the word that lies in the library, "" for LearnedFrom.
func (l Learning) String() string { return learnings[l] }

// ParseLearning reads such a word; ok is false for any other, which means nothing.
func ParseLearning(word string) (l Learning, ok bool) {
	i := slices.Index(learnings[:], word)
	return Learning(max(i, 0)), i >= 0
}

// Settings are what a user set of one feed. The library keeps them as words by
// their names, for its facts name what was changed; SettingsOf is where the words
// are read.
type Settings struct {
	Interval time.Duration // between fetches, MinInterval at least; 0: by the plan
	Learning Learning
	ByTitles bool   // ranked by titles, not by texts
	Full     bool   // the whole texts of new items are fetched from their pages
	Site     string // of an imported feed, until a fetch tells the publisher's own word
	Page     PageSettings

	words map[string]string
}

// PageSettings are those of a watched page.
type PageSettings struct {
	Watched                    bool
	Select, Ignore             []string // CSS selectors
	Keywords, Has, Not         []string
	IgnoreBlocks, ReportBlocks []string // rules of places that are hidden, and of those reported whatever is known of them
	Threshold                  float64  // 0: the usual one; below 0: every change is reported
	Depth, Keep                int      // of links that are followed; revisions kept, 0: all
	When                       string   // a condition
	Advice                     string   // the last answer to advice
	Always                     bool     // the user knows that it always changes
}

// SettingsOf reads the settings of a feed as its record has them. A word that makes
// no sense counts as absent.
func SettingsOf(words map[string]string) Settings {
	if len(words) == 0 {
		return Settings{}
	}
	s := Settings{Interval: interval(words[SettingInterval]), ByTitles: words[SettingByTitles] == "true", Full: words[SettingFull] == "true", Site: words[SettingSite], words: words}
	s.Learning, _ = ParseLearning(words[SettingLearning])
	if words[SettingPage] != "" {
		s.Page = PageSettingsOf(words)
	}
	return s
}

// PageSettingsOf reads those of a watched page alone.
func PageSettingsOf(words map[string]string) PageSettings {
	p := PageSettings{
		Watched: words[SettingPage] != "", Select: lines(words[SettingSelect]), Ignore: lines(words[SettingIgnore]), Keywords: lines(words[SettingKeywords]),
		IgnoreBlocks: lines(words[SettingIgnoreBlocks]), ReportBlocks: lines(words[SettingReportBlocks]), Has: lines(words[SettingHas]), Not: lines(words[SettingNot]),
		Depth: count(words[SettingDepth]), Keep: count(words[SettingKeep]),
		When: words[SettingWhen], Advice: words[SettingAdvice], Always: words[SettingAlways] != "",
	}
	if t, err := strconv.ParseFloat(words[SettingThreshold], 64); err == nil && t > 0 {
		p.Threshold = t
	} else if err == nil && t == 0 {
		p.Threshold = -1
	}
	return p
}

// Text is one setting as it was typed: for lists, and for the box that edits it.
func (s *Settings) Text(name string) string { return s.words[name] }

// Foreign are the attributes that an outline of another program brought along.
func (s *Settings) Foreign() map[string]string { return Foreign(s.words) }

// Foreign leaves our own out of the attributes of an outline.
func Foreign(attrs map[string]string) map[string]string {
	out := map[string]string{}
	for name, v := range attrs {
		if !OwnSetting(name) {
			out[name] = v
		}
	}
	return out
}

func interval(word string) time.Duration {
	if word == "" {
		return 0
	}
	d, err := time.ParseDuration(word)
	if err != nil || d <= 0 {
		return 0
	}
	return max(d, MinInterval)
}

// lines are a list as it is kept.
func lines(s string) []string {
	return slices.DeleteFunc(strings.Split(s, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
}

func count(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		return 0
	}
	return min(max(n, 0), 1<<30)
}
