package model

import (
	"reflect"
	"testing"
	"time"
)

// Settings are read from the words that libraries of schema 4 to 6 have for them.
func TestSettingsOf(t *testing.T) {
	words := map[string]string{
		"interval": "2h", "learning": "left out", "by_titles": "true", "site": "https://a.example/", "myattr": "kept", "pages": "2",
		"page": "yes", "page.select": "main\n#news", "page.ignore": "aside", "page.keywords": "price", "page.ignore_blocks": "one\n\ntwo", "page.report_blocks": "three",
		"page.threshold": "2.50", "page.depth": "1", "page.keep": "12", "page.has": "open", "page.not": "closed", "page.when": "price<44",
		"page.advice": "1732200000 accepted interval", "page.always": "yes",
	}
	got := SettingsOf(words)
	want := Settings{Interval: 2 * time.Hour, Learning: Excluded, ByTitles: true, Site: "https://a.example/", words: words,
		Page: PageSettings{Watched: true, Select: []string{"main", "#news"}, Ignore: []string{"aside"}, Keywords: []string{"price"},
			IgnoreBlocks: []string{"one", "two"}, ReportBlocks: []string{"three"}, Has: []string{"open"}, Not: []string{"closed"}, Threshold: 2.5, Depth: 1, Keep: 12,
			When: "price<44", Advice: "1732200000 accepted interval", Always: true}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read as\n%+v, want\n%+v", got, want)
	}
	if f := got.Foreign(); !reflect.DeepEqual(f, map[string]string{"myattr": "kept", "pages": "2"}) {
		t.Errorf("of others: %v", f)
	}
	if s := got.Text(SettingThreshold); s != "2.50" {
		t.Errorf("the threshold was typed as 2.50, not %s", s)
	}
}

func TestSettingsThatAreNone(t *testing.T) {
	if s := SettingsOf(nil); !reflect.DeepEqual(s, Settings{}) || s.Text("interval") != "" || len(s.Foreign()) != 0 {
		t.Errorf("of nothing: %+v", s)
	}
	for word, want := range map[string]time.Duration{"": 0, "soon": 0, "-2h": 0, "1m": MinInterval, "20m": 20 * time.Minute} {
		if s := SettingsOf(map[string]string{"interval": word}); s.Interval != want {
			t.Errorf("interval %q: %v, want %v", word, s.Interval, want)
		}
	}
	s := SettingsOf(map[string]string{"learning": "pinned?", "by_titles": "false", "page.threshold": "0"})
	if s.Learning != LearnedFrom || s.ByTitles || s.Page.Watched || s.Page.Threshold != 0 {
		t.Errorf("%+v", s)
	}
	s = SettingsOf(map[string]string{"page": "yes", "page.threshold": "0", "page.depth": "-1", "page.keep": "all", "learning": "pinned"})
	if s.Page.Threshold >= 0 || s.Page.Depth != 0 || s.Page.Keep != 0 || s.Learning != Pinned {
		t.Errorf("%+v", s)
	}
}
