package ui

import (
	"time"

	"diurna/reader"
	"diurna/ui/add"
	"diurna/ui/editall"
	"diurna/ui/list"
	"diurna/ui/opening"
	"diurna/ui/queries"
	"diurna/ui/rhythm"
	"diurna/ui/search"
)

// emptyFake has nothing but an address that brings two feeds.
func emptyFake() *fake {
	f := newFake()
	f.feeds, f.rows = nil, nil
	news := reader.Candidate{URL: "https://harbour.example/news.xml", Title: "Harbour Gazette", Fetched: true, PerDay: 9, Fresh: 2}
	for i := range 20 {
		news.Items = append(news.Items, reader.Item{Title: []string{"Ferry 3 out of service until Monday", "Council votes for the second breakwater",
			"Fish market: prices of the week"}[i%3], Published: noon.Add(-time.Duration(i*i) * time.Hour)})
	}
	f.found["harbour.example"] = reader.Found{Address: "https://harbour.example", Candidates: []reader.Candidate{news,
		{URL: "https://harbour.example/comments.xml", Title: "Comments", Comments: true}}}
	return f
}

func withFound(o *Options) {
	o.Found = []FoundHere{{Label: "import newsboat", Path: "testdata/urls",
		Detail: "~/.newsboat/urls · 287 feeds, 14 tags, 6 queries\n~/.newsboat/cache.db · what you have read"}}
}

// everything is a library whose parts are one, as the fake's are.
type everything interface {
	Reader
	Subscriber
	Ranker
	rhythm.Planner
	Stats
	editall.Library
	Pages
	add.Finder
	search.Library
	queries() queries.Library
	rules() Rules
	storyLib() list.Stories
	opening.Texts
}

func partsOf(lib everything) Library {
	return Library{Reader: lib, Subscriber: lib, Ranker: lib, Planner: lib, Stats: lib, Subscriptions: lib, Pages: lib, Finder: lib, Searcher: lib, Queries: lib.queries(), Texts: lib, Stories: lib.storyLib(), Trends: newTrends(), Rules: lib.rules(), Files: noFiles{}}
}
