// Package texts reads the texts of items: all that words are looked for in, beside
// titles and names.
package texts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"strings"

	"diurna/reader/fulltext"
	"diurna/reader/links"
	"diurna/reader/model"
	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/reader/revision"
	"diurna/store"
)

// Store is what Of needs of the store.
type Store interface {
	fulltext.Notes
	Bodies(ctx context.Context, ids []store.ItemID, visit func(store.ItemID, store.Body)) error
	PageHeads(ctx context.Context) (map[store.FeedID]store.PageHead, error)
	PageRevisions(ctx context.Context, feed store.FeedID) ([]store.PageRevision, error)
	PageChain(ctx context.Context, feed store.FeedID, no uint32) ([]store.PageRevision, error)
}

// maxBytes bounds what is read of the revisions that an item tells of.
const maxBytes = 1 << 20

// Of calls visit with the texts of each of ids, in their order, which ascending ids
// have read fastest: what the feed gave, and for an item of a watched page each block
// of the revisions that it tells of, once, and the whole text where its page was
// fetched. A phrase stands in one of the texts, never
// across two. visit must not block, nor call the store; it may be called again for
// an item.
func Of(ctx context.Context, lib Store, ids []store.ItemID, visit func(id store.ItemID, texts []string)) error {
	return new(Recent).Of(ctx, lib, ids, visit)
}

// Of is the function Of, by texts that are kept.
func (r *Recent) Of(ctx context.Context, lib Store, ids []store.ItemID, visit func(id store.ItemID, texts []string)) error {
	pages, err := ofPages(ctx, lib, ids)
	if err != nil {
		return fmt.Errorf("read the revisions: %w", err)
	}
	return markups(ctx, lib, ids, func(id store.ItemID, html, whole string) {
		list := append([]string{r.take(html)}, pages[id]...)
		if whole != "" {
			list = append(list, plain.FromHTML(whole, 0))
		}
		visit(id, list)
	})
}

// markups calls visit with what the feed gave and the whole text, where its page was fetched.
func markups(ctx context.Context, lib Store, ids []store.ItemID, visit func(id store.ItemID, html, whole string)) error {
	whole, err := fulltext.HTMLOf(ctx, lib, ids)
	if err != nil {
		return fmt.Errorf("read the whole texts: %w", err)
	}
	err = lib.Bodies(ctx, ids, func(id store.ItemID, body store.Body) { visit(id, cmp.Or(body.HTML, body.Summary), whole[id]) })
	if err != nil {
		return fmt.Errorf("read the texts: %w", err)
	}
	return nil
}

// Library is what Deep needs of the store.
type Library interface {
	Store
	Items(ctx context.Context, ids []store.ItemID) ([]store.Item, error)
}

// Deep calls visit with what a query asks of each of ids, by its place, beyond their rows, in any
// order. visit is as that of Of.
func Deep(ctx context.Context, lib Library, q query.Query, ids []store.ItemID, visit func(i int, deep *query.Deep)) error {
	found, at := make([]query.Deep, len(ids)), make(map[store.ItemID]int, len(ids))
	for i, id := range ids {
		at[id] = i
	}
	if q.Needs(query.Link) || q.Needs(query.LinksTo) {
		items, err := lib.Items(ctx, ids)
		if err != nil {
			return fmt.Errorf("read the items: %w", err)
		}
		for i := range items {
			found[i].Link = model.ShownLink(items[i].Link)
		}
	}
	if q.Needs(query.LinksTo) {
		err := markups(ctx, lib, ids, func(id store.ItemID, html, whole string) {
			deep := &found[at[id]]
			deep.Links = links.Of(deep.Link, html, whole)
		})
		if err != nil {
			return err
		}
	}
	if q.Needs(query.Text) {
		return Of(ctx, lib, ids, func(id store.ItemID, list []string) {
			i := at[id]
			found[i].Texts = list
			visit(i, &found[i])
		})
	}
	for i := range found {
		visit(i, &found[i])
	}
	return nil
}

// Lead gives items without a title the first words of their texts. Who reads can do
// without: an error leaves the others as they are.
func Lead(ctx context.Context, lib Store, items []model.Item) {
	var ids []store.ItemID
	at := make(map[store.ItemID]int)
	for i := range items {
		if items[i].Title == "" && !items[i].Gone {
			ids = append(ids, items[i].Key)
			at[items[i].Key] = i
		}
	}
	_ = lib.Bodies(ctx, ids, func(id store.ItemID, b store.Body) {
		items[at[id]].Lead = model.LeadOf(cmp.Or(b.HTML, b.Summary))
	})
}

// Owners says by number which item tells of each of a page's revisions, which are in
// order: the first reported one from it on, else the last one before. Where no change was
// reported yet there is no item.
func Owners(list []store.PageRevision) map[uint32]uint32 {
	owners := make(map[uint32]uint32, len(list))
	from := 0
	last := uint32(0)
	for i := range list {
		if list[i].Item == 0 {
			continue
		}
		for ; from <= i; from++ {
			owners[list[from].No] = list[i].Item
		}
		last = list[i].Item
	}
	for ; from < len(list) && last != 0; from++ {
		owners[list[from].No] = last
	}
	return owners
}

// ofPages reads the blocks of those of ids that are changes of watched pages.
func ofPages(ctx context.Context, lib Store, ids []store.ItemID) (map[store.ItemID][]string, error) {
	heads, err := lib.PageHeads(ctx)
	if err != nil || len(heads) == 0 {
		return nil, err
	}
	wanted := map[store.FeedID]map[uint32]*blocks{}
	for _, id := range ids {
		if f := id.Feed(); heads[f].Count > 0 {
			if wanted[f] == nil {
				wanted[f] = map[uint32]*blocks{}
			}
			wanted[f][id.N()] = &blocks{seen: map[string]bool{}, left: maxBytes}
		}
	}
	out := map[store.ItemID][]string{}
	for feed, items := range wanted {
		list, err := lib.PageRevisions(ctx, feed)
		if err != nil {
			return nil, err
		}
		owners := Owners(list)
		for i := range list {
			b := items[owners[list[i].No]]
			if b == nil || b.left == 0 {
				continue
			}
			if err := b.read(ctx, lib, feed, &list[i]); err != nil {
				return nil, err
			}
		}
		for n, b := range items {
			out[store.MakeItemID(feed, n)] = b.list
		}
	}
	return out, nil
}

// blocks are the different blocks of some revisions.
type blocks struct {
	list []string
	seen map[string]bool
	left int // bytes
}

func (b *blocks) read(ctx context.Context, lib Store, feed store.FeedID, rev *store.PageRevision) error {
	chain, err := lib.PageChain(ctx, feed, rev.No)
	if errors.Is(err, store.ErrUnknown) {
		return nil // dropped meanwhile
	}
	if err != nil {
		return err
	}
	body, damaged, err := revision.Restore(len(chain), func(i int) []byte { return chain[i].Packed })
	if err != nil {
		return &store.DamagedError{What: err.Error(), Record: fmt.Sprintf("revision %d of %s", chain[damaged].No, feed)}
	}
	text, _ := page.Decode(body, rev.ContentType)
	whole, end := plain.Text(string(text), 0), "\n\n"
	if isHTML(rev.ContentType) {
		whole, end = plain.FromHTML(string(text), 0), "\n"
	}
	for block := range strings.SplitSeq(whole, end) {
		block = strings.TrimSpace(block)
		if block == "" || b.seen[block] {
			continue
		}
		if b.left -= len(block); b.left < 0 {
			b.left = 0
			break
		}
		b.seen[block] = true
		b.list = append(b.list, block)
	}
	return nil
}

func isHTML(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err != nil || strings.Contains(kind, "html")
}
