package watch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"diurna/reader/model"
	"diurna/reader/page"
	"diurna/store"
)

// previewRevisions is how many kept revisions a preview of a rule looks at, of
// large pages no more than previewBytes hold.
const (
	previewRevisions = 20
	previewBytes     = 16 << 20
)

// Revisions lists the kept revisions of a page and its child pages, oldest
// first.
func (ps *Pages) Revisions(ctx context.Context, id store.FeedID) ([]Revision, error) {
	if _, err := ps.pageFeed(ctx, id); err != nil {
		return nil, err
	}
	list, err := ps.store.PageRevisions(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read the revisions: %w", err)
	}
	return asRevisions(list), nil
}

func asRevisions(list []store.PageRevision) []Revision {
	out := make([]Revision, len(list))
	last := map[string]int{}
	for i := range list {
		p := &list[i]
		at := addressOf(p)
		out[i] = Revision{No: int(p.No), Base: last[at], At: p.At, Address: p.Address, Child: p.Child, Bytes: p.Size,
			Charset: p.Charset, Reported: p.Reported, Score: p.Score}
		last[at] = int(p.No)
	}
	return out
}

// addressOf is the child page that a revision is of, "" for the page itself,
// which may have moved.
func addressOf(p *store.PageRevision) string {
	if p.Child {
		return p.Address
	}
	return ""
}

// RevisionRaw returns a revision byte for byte as it was served, with the
// Content-Type it came with ("" if there was none).
func (ps *Pages) RevisionRaw(ctx context.Context, id store.FeedID, no int) ([]byte, string, error) {
	if _, err := ps.pageFeed(ctx, id); err != nil {
		return nil, "", err
	}
	k, err := ps.kept(ctx, id, no)
	if err != nil {
		return nil, "", err
	}
	return k.body, k.ContentType, nil
}

func (ps *Pages) kept(ctx context.Context, id store.FeedID, no int) (*kept, error) {
	if no < 1 || int64(no) > math.MaxUint32 {
		return nil, noRevision(id, no)
	}
	k, err := ps.restore1(ctx, id, uint32(no))
	if errors.Is(err, store.ErrUnknown) {
		return nil, noRevision(id, no)
	}
	return k, err
}

//go:noinline // 6 places
func noRevision(id store.FeedID, no int) error {
	return &model.UserError{Sentence: fmt.Sprintf("there is no revision %d of %s", no, id), Kind: model.ErrNotFound}
}

// Change compares two revisions of a page under the settings of today. With
// from 0 it is the one before to; with to 0 the last change that was reported.
func (ps *Pages) Change(ctx context.Context, id store.FeedID, from, to int) (Change, error) {
	f, err := ps.pageFeed(ctx, id)
	if err != nil {
		return Change{}, err
	}
	list, err := ps.store.PageRevisions(ctx, id)
	if err != nil {
		return Change{}, fmt.Errorf("read the revisions: %w", err)
	}
	revs := asRevisions(list)
	a, b, err := between(f, revs, from, to)
	if err != nil {
		return Change{}, err
	}
	out := Change{From: revs[a], To: revs[b], Of: revs[len(revs)-1].No}
	if out.Page, err = ps.Find(ctx, id.String()); err != nil {
		return Change{}, err
	}
	old, err := ps.kept(ctx, id, out.From.No)
	if err != nil {
		return Change{}, err
	}
	now, err := ps.kept(ctx, id, out.To.No)
	if err != nil {
		return Change{}, err
	}
	o := pageOptions(f, out.To.Child)
	o.Fetched = [2]time.Time{out.From.At, out.To.At}
	if err := ps.compareSem.Enter(ctx, true); err != nil {
		return Change{}, err
	}
	defer ps.compareSem.Leave()
	memories, err := ps.memoriesOf(ctx, id, list[:b], &list[b], out.From.No == out.To.Base, o)
	if err != nil {
		return Change{}, err
	}
	defer withMemoryLimit(len(old.body) + len(now.body))()
	for i := range memories {
		o.Memory = &memories[i]
		d, err := page.CompareServed(page.Served{Body: old.body, ContentType: old.ContentType}, page.Served{Body: now.body, ContentType: now.ContentType}, o)
		if err != nil {
			return out, err
		}
		if i == 0 || d.Significant {
			out.Diff = d
		}
		if d.Significant {
			break
		}
	}
	return out, nil
}

// memoriesOf is what may have been known of a page before revision to came, the
// likeliest first; the next one is for a comparison that the one before lets
// look insignificant. What the newest reported change was weighed with is kept. For
// the others it is what the kept revisions held, in which all that stood still
// between is missing: there, what was reported as it came may seem to change every
// time, and is compared without a memory then.
func (ps *Pages) memoriesOf(ctx context.Context, id store.FeedID, before []store.PageRevision, to *store.PageRevision, reported bool, o page.Options) ([]page.Memory, error) {
	reported = reported && to.Reported
	if reported {
		notes, err := ps.notesOf(ctx, id)
		if err != nil {
			return nil, err
		}
		for key, n := range notes {
			var m page.Memory
			if (key != 0) == to.Child && (key == 0 || n.Address == to.Address) && n.Reported == to.No && m.UnmarshalBinary(n.before) == nil {
				return []page.Memory{m}, nil
			}
		}
	}
	m, err := ps.replayed(ctx, id, before, addressOf(to), o)
	if err != nil || !reported {
		return []page.Memory{m}, err
	}
	return []page.Memory{m, {}}, nil
}

// between finds the two revisions to compare, as indices.
func between(f *store.Feed, revs []Revision, from, to int) (a, b int, err error) {
	at := map[int]int{}
	for i := range revs {
		at[revs[i].No] = i
	}
	find := func(no int) (int, error) {
		if i, ok := at[no]; ok {
			return i, nil
		}
		return 0, noRevision(f.ID, no)
	}
	b = -1
	switch {
	case to != 0:
		if b, err = find(to); err != nil {
			return 0, 0, err
		}
	case from != 0:
		if a, err = find(from); err != nil {
			return 0, 0, err
		}
		for i := range revs { // the newest of the same address
			if revs[i].Child == revs[a].Child && (!revs[i].Child || revs[i].Address == revs[a].Address) {
				b = i
			}
		}
	default:
		for i := range revs {
			if revs[i].Reported {
				b = i
			}
		}
	}
	if b < 0 {
		return 0, 0, &model.UserError{Sentence: fmt.Sprintf("%s has not changed since %s", cmpTitle(f), f.Subscribed.Format("2 Jan 15:04")), Kind: model.ErrNotFound}
	}
	if from == 0 {
		if from = revs[b].Base; from == 0 {
			return 0, 0, &model.UserError{Sentence: fmt.Sprintf("revision %d is the first that is kept of %s", revs[b].No, RequestAddress(revs[b].Address)), Kind: model.ErrNotFound}
		}
	}
	if a, err = find(from); err != nil {
		return 0, 0, err
	}
	if revs[a].Child != revs[b].Child || revs[a].Child && revs[a].Address != revs[b].Address {
		return 0, 0, &model.UserError{Sentence: fmt.Sprintf("revisions %d and %d are of two different pages", revs[a].No, revs[b].No), Kind: model.ErrNotFound}
	}
	return a, b, nil
}

func cmpTitle(f *store.Feed) string {
	if f.Title != "" {
		return f.Title
	}
	return model.Name(f.URL)
}

// replayed is the memory as it may have been before a change: what the kept
// revisions before it held. Twenty are enough to know what comes and goes, and
// few enough to read while somebody waits.
func (ps *Pages) replayed(ctx context.Context, id store.FeedID, before []store.PageRevision, address string, o page.Options) (page.Memory, error) {
	const maxBytes = 8 << 20
	var m page.Memory
	var of []store.PageRevision
	size := 0
	for i := len(before) - 1; i >= 0 && len(of) < previewRevisions; i-- {
		if addressOf(&before[i]) != address {
			continue
		}
		if size += before[i].Size; size > maxBytes && len(of) > 0 {
			break
		}
		of = append(of, before[i])
	}
	for i := len(of) - 1; i >= 0; i-- {
		k, err := ps.restore1(ctx, id, of[i].No)
		if err != nil {
			return m, err
		}
		text, _ := page.Decode(k.body, k.ContentType)
		if m, err = m.After(text, o); err != nil {
			return m, err
		}
	}
	return m, nil
}

// ChangeOf is the change that an item of a watched page tells of.
func (ps *Pages) ChangeOf(ctx context.Context, id store.ItemID) (Change, error) {
	if _, err := ps.pageFeed(ctx, id.Feed()); err != nil {
		return Change{}, err
	}
	list, err := ps.store.PageRevisions(ctx, id.Feed())
	if err != nil {
		return Change{}, fmt.Errorf("read the revisions: %w", err)
	}
	for i := range list {
		if list[i].Item == id.N() {
			return ps.Change(ctx, id.Feed(), 0, int(list[i].No))
		}
	}
	if _, err := ps.lib.Article(ctx, id); err != nil {
		return Change{}, err
	}
	return Change{}, &model.UserError{Sentence: fmt.Sprintf("the revision that %s reports is no longer kept", id), Kind: model.ErrNotFound}
}

// PreviewIgnore says how many of the changes between the last 20 kept revisions
// (of says how many there are)
// are significant without rule, and how many are with it.
func (ps *Pages) PreviewIgnore(ctx context.Context, id store.FeedID, rule string) (now, then, of int, err error) {
	f, err := ps.pageFeed(ctx, id)
	if err != nil {
		return 0, 0, 0, err
	}
	list, err := ps.store.PageRevisions(ctx, id)
	if err != nil {
		return 0, 0, 0, fmt.Errorf("read the revisions: %w", err)
	}
	if err := ps.compareSem.Enter(ctx, true); err != nil {
		return 0, 0, 0, err
	}
	defer ps.compareSem.Leave()
	var texts [][]byte
	size := 0
	for i := len(list) - 1; i >= 0 && len(texts) < previewRevisions; i-- {
		if list[i].Child {
			continue
		}
		if size += list[i].Size; size > previewBytes && len(texts) > 1 {
			break
		}
		k, err := ps.restore1(ctx, id, list[i].No)
		if err != nil {
			return 0, 0, 0, err
		}
		text, _ := page.Decode(k.body, k.ContentType)
		texts = append([][]byte{text}, texts...)
	}
	defer withMemoryLimit(size)()
	now, then, err = page.PreviewIgnore(texts, pageOptions(f, false), rule)
	return now, then, len(texts), err
}
