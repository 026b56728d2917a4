package feeds

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// Library is what the view asks of the library.
type Library interface {
	Rows(ctx context.Context, q reader.Query, most int) ([]reader.Row, error)
	Adjust(ctx context.Context, id reader.FeedID, field, value string) (reader.Done, error)
	TagFeeds(ctx context.Context, ids []reader.FeedID, tags []string) (reader.Done, error)
	Unsubscribe(ctx context.Context, ids []reader.FeedID) (reader.Done, error)
}

// Desk is what it asks of the screen, beside what every view does.
type Desk struct {
	Lists
	Marker
	Awaiter
}

// Lists opens lists of items.
type Lists interface {
	// OpenFeed lists the items of a feed, OpenFeeds those of several under a name;
	// nil stands for all; saved is what of them stands in a query that is saved.
	OpenFeed(id reader.FeedID) tea.Cmd
	// OpenTrouble says what is wrong with a feed.
	OpenTrouble(id reader.FeedID) tea.Cmd
	OpenFeeds(name string, only map[reader.FeedID]bool, saved reader.Query) tea.Cmd
	// Newest lists the newest items of some feeds, of one alone or of several, and
	// asks for them; it is not shown by that.
	Newest(name string, only map[reader.FeedID]bool, one bool) (view.View, tea.Cmd)
}

// Marker marks items read wherever they are shown, as one step.
type Marker interface {
	MarkRead(scope string, ids []reader.ItemID) tea.Cmd
}

// Awaiter lets the next key mean what it does in a place; Awaits reports whether that
// key is still to come.
type Awaiter interface {
	Await(c view.Context, question string)
	Awaits(c view.Context) bool
}

// Planner says when a feed is fetched, and why.
type Planner interface {
	AskPlan(h view.Host, feed reader.FeedID, sums bool) tea.Cmd
}
