package pages

import (
	"cmp"
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/diff"
	"diurna/ui/view"
)

// Library is what the view asks of the library.
type Library interface {
	diff.Library
	Adjust(ctx context.Context, id reader.FeedID, field, value string) (reader.Done, error)
	Unsubscribe(ctx context.Context, ids []reader.FeedID) (reader.Done, error)
}

// Watched is what the view asks of the watched pages.
type Watched interface {
	diff.Pages
	Suggestions(ctx context.Context) ([]reader.Suggestion, error)
	AnswerSuggestion(ctx context.Context, s reader.Suggestion, accept bool) (reader.Done, error)
	SecondFetch(ctx context.Context, w reader.Watched) (reader.Second, error)
}

// Desk is what the view asks of the screen, beside what every view does.
type Desk struct {
	Openings
	Feeds
	Troubles
}

// Openings marks an item read that was opened; again says that it was read before.
type Openings interface {
	Opened(id reader.ItemID, again bool) tea.Cmd
}

// Feeds marks all of a feed that are unread now, as one step.
type Feeds interface {
	MarkFeed(h view.Host, id reader.FeedID, title string) tea.Cmd
}

// Troubles shows what is wrong with a page.
type Troubles interface {
	OpenTrouble(id reader.FeedID) tea.Cmd
}

// tipsMsg brings the advice about watched pages.
type tipsMsg struct {
	gen  uint64
	tips []reader.Suggestion
	err  error
}

// newestText reads the last revision of a page as it was served.
func newestText(ctx context.Context, pages Watched, pg *reader.Page) (reader.Article, error) {
	revs, err := pages.Revisions(ctx, pg.Key)
	for i := len(revs) - 1; i >= 0 && err == nil; i-- {
		if !revs[i].Child {
			return diff.Rendered(ctx, pages, pg.Key, revs[i].No, cmp.Or(pg.Site, pg.URL), 0)
		}
	}
	if err == nil {
		err = errors.New("no revision of this page is stored yet")
	}
	return reader.Article{}, err
}

// secondMsg brings what the second fetch of a new page showed.
type secondMsg struct {
	title  string
	second reader.Second
	err    error
}
