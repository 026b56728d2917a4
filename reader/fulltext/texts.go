package fulltext

import (
	"context"
	"errors"
	"time"

	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/store"
)

// Items is what is needed of the library to fetch the pages of items, and to file pages as items.
type Items interface {
	Store
	Cache() *store.Cache
	Items(ctx context.Context, ids []store.ItemID) ([]store.Item, error)
	Feeds(ctx context.Context) ([]store.Feed, error)
	Rows(ctx context.Context, q store.RowQuery) ([]store.Row, error)
	Match(ctx context.Context, feed store.FeedID, keys []uint64) (store.Matched, error)
	Act(ctx context.Context, now time.Time, scope string, changes ...store.Change) (store.Done, error)
}

// Texts fetches and keeps the full texts of items.
type Texts struct {
	lib     Items
	web     Web
	now     func() time.Time
	changed func(context.Context, []store.ItemID) // has the words of items looked for again
}

// New fetches by web and keeps in lib.
func New(lib Items, web Web, now func() time.Time, changed func(context.Context, []store.ItemID)) *Texts {
	return &Texts{lib, web, now, changed}
}

// Of is what is kept of the page of an item, nil if it was never fetched.
func (x *Texts) Of(ctx context.Context, id store.ItemID) (*model.FullText, error) {
	t, ok, err := Of(ctx, x.lib, id)
	if err != nil || !ok {
		return nil, err
	}
	return t.model(), nil
}

// FetchText fetches the page of an item, with one request, and keeps what came of it.
// Nothing is asked if the text already exists, or the server asked to wait. The
// error is the library's, or a *model.UserError: the item has no page.
func (x *Texts) FetchText(ctx context.Context, id store.ItemID) (*model.FullText, error) {
	items, err := x.lib.Items(ctx, []store.ItemID{id})
	if err != nil || len(items) == 0 {
		return nil, errors.Join(err, missing(id, len(items)))
	}
	feeds, err := x.lib.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	for i := range feeds {
		if feeds[i].ID == id.Feed() {
			t, err := x.fetch(ctx, &feeds[i], &items[0])
			if err != nil {
				return nil, err
			}
			return t.model(), nil
		}
	}
	return nil, missing(id, 0)
}

func missing(id store.ItemID, n int) error {
	if n > 0 {
		return nil
	}
	return model.NoItem(id)
}

func (x *Texts) fetch(ctx context.Context, f *store.Feed, it *store.Item) (*Text, error) {
	item := model.ItemOf(it)
	address := item.Address()
	if f.Attrs[model.SettingPage] != "" || !plain.WebAddress(address) {
		return nil, &model.UserError{Sentence: "this item has no page of its own", Kind: store.ErrUnknown}
	}
	old, ok, err := Of(ctx, x.lib, it.ID)
	if err != nil {
		return nil, err
	}
	if ok && old.stands(x.now()) {
		return &old, nil
	}
	own := fetch.SameDoor(f.URL, address) // what holds for the feed does for the page
	t, err := Fetch(ctx, x.web, fetch.Request{URL: address, AllowPrivate: f.AllowPrivate && own, Credentials: own})
	if err != nil {
		return nil, err
	}
	if t.Why == None && t.Words <= it.Words {
		t = Text{At: t.At, Why: Teaser}
	}
	return &t, x.keep(ctx, it.ID, &t, old.Tries)
}

// stands reports whether nothing is to be asked: the text is there, or the server
// asked to wait.
func (t *Text) stands(now time.Time) bool {
	return t.Why == None || now.Before(t.After) && now.After(t.At)
}

// keep keeps what came of the page of an item after so many tries without a text.
func (x *Texts) keep(ctx context.Context, id store.ItemID, t *Text, tries int) error {
	if t.Why != None {
		t.Tries = tries + 1
	}
	if err := Put(ctx, x.lib, x.now(), id, t); err != nil || t.Why != None {
		return err
	}
	x.changed(ctx, []store.ItemID{id})
	return nil
}

// model is the text as the screen and the commands know it.
func (t *Text) model() *model.FullText {
	return &model.FullText{At: t.At, Why: t.Why.String(), Sentence: t.Sentence(), HTML: t.HTML, Base: t.Base, Words: t.Words, Unasked: t.Why == Forbidden, Passes: t.Why.Passes()}
}
