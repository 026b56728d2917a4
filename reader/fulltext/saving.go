package fulltext

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"diurna/reader/feed"
	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/web"
	"diurna/store"
)

// Save keeps the page at an address that a user typed as an item of the feed
// model.SavedPages, marked saved, with one request. A page that already exists is asked
// for again only if its text is not. Of one that gives no text the title, if it says
// one, and the address are kept. With private its address may be private. done is the step
// that undo takes back.
func (x *Texts) Save(ctx context.Context, typed string, private bool) (id store.ItemID, done store.Done, err error) {
	address, _, err := web.Parse(typed)
	if err != nil {
		return 0, done, err
	}
	address = x.web.Hide(address)
	sub := store.Subscription{URL: model.PipedScheme + model.SavedPages, Title: model.SavedPages}
	if _, err = x.lib.Act(ctx, x.now(), "", store.Change{Kind: store.Subscribed, Sub: &sub}); err != nil {
		return 0, done, fmt.Errorf("save a page: %w", err)
	}
	feeds, err := x.lib.Feeds(ctx)
	if err != nil {
		return 0, done, err
	}
	for i := range feeds {
		if f := &feeds[i]; f.URL == sub.URL {
			if id, err = x.savePage(ctx, f, address, private); err != nil {
				return 0, done, err
			}
		}
	}
	done, err = x.lib.Act(ctx, x.now(), "", store.Change{Kind: store.Saved, Items: []store.ItemID{id}})
	return id, done, err
}

// savePage files the page at an address, as read: it is no news to who names it.
func (x *Texts) savePage(ctx context.Context, f *store.Feed, address string, private bool) (store.ItemID, error) {
	it := store.NewItem{Item: store.Item{IDRaw: web.Key(address), Link: address}}
	it.Keys = []uint64{feed.Identity{ID: it.IDRaw}.Keys()[0]}
	known, err := x.lib.Match(ctx, f.ID, it.Keys)
	if err != nil {
		return 0, err
	}
	m, there := known.ByKey[it.Keys[0]]
	id := store.MakeItemID(f.ID, m.N)
	var old Text
	if there {
		ok := false
		if old, ok, err = Of(ctx, x.lib, id); err != nil || ok && old.stands(x.now()) {
			return id, err
		}
	}
	t, err := Fetch(ctx, x.web, fetch.Request{URL: address, AllowPrivate: private})
	if err != nil {
		return 0, err
	}
	shown := model.ShownLink(address)
	it.Title = cmp.Or(t.Title, m.Title, plain.Line(shown[strings.Index(shown, "//")+2:], maxTitle))
	filing := store.Filing{Feed: f.ID, Next: known.Next, Outcome: &store.Outcome{Kind: store.AnswerNew, Status: 200}}
	switch {
	case !there:
		filing.New = []store.NewItem{it}
	case it.Title != m.Title:
		filing.Corrected = []store.Correction{{N: m.N, Item: it.Item, Retitled: true}}
	}
	if len(filing.New)+len(filing.Corrected) > 0 {
		filed, err := x.lib.File(ctx, x.now(), []store.Filing{filing})
		if err == nil {
			err = filed[0].Err
		}
		if err != nil {
			return 0, fmt.Errorf("save a page: %w", err)
		}
		if !there {
			id = filed[0].Items[0]
		}
		x.changed(ctx, []store.ItemID{id})
	}
	return id, x.keep(ctx, id, &t, old.Tries)
}
