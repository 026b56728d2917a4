package reader

import (
	"context"
	"fmt"
)

// notWatched says that something is not a watched page.
func notWatched(what fmt.Stringer) error {
	return &said{fmt.Sprintf("%s is not a watched page", what), ErrNotWatched}
}

func (r *Reader) pages(ctx context.Context) ([]Page, error) { return nil, nil }

func (r *Reader) findPage(ctx context.Context, s string) (Page, error) {
	f, err := r.findFeed(ctx, s)
	if err != nil {
		return Page{}, err
	}
	return Page{}, notWatched(f.Key)
}

func (r *Reader) pageRevisions(_ context.Context, id FeedID) ([]Revision, error) {
	return nil, notWatched(id)
}

func (r *Reader) revisionRaw(_ context.Context, id FeedID, _ int) ([]byte, string, error) {
	return nil, "", notWatched(id)
}

func (r *Reader) change(_ context.Context, id FeedID, _, _ int) (Change, error) {
	return Change{}, notWatched(id)
}

func (r *Reader) changeOf(_ context.Context, id ItemID) (Change, error) {
	return Change{}, notWatched(id)
}

func (r *Reader) previewIgnore(_ context.Context, id FeedID, _ string) (now, then int, err error) {
	return 0, 0, notWatched(id)
}

func (r *Reader) ignoreBlock(_ context.Context, id FeedID, _ string) (Done, error) {
	return Done{}, notWatched(id)
}

func (r *Reader) watchPage(context.Context, string, WatchOptions) (Watched, error) {
	return Watched{}, &said{"pages cannot be watched yet", ErrNoFeed}
}

func (r *Reader) suggestions(context.Context) ([]Suggestion, error) { return nil, nil }

func (r *Reader) answerSuggestion(_ context.Context, s Suggestion, _ bool) (Done, error) {
	return Done{}, notWatched(s.Page)
}
