// Package retention removes the texts that nobody is going to read again: those of
// items that were read, are not saved, have no tag and left their feed, once they are
// old enough. Start with New, then Run.
package retention

import (
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"slices"
	"strconv"
	"time"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/store"
)

// Library is what retention needs of the store.
type Library interface {
	Exists() bool
	Facts(ctx context.Context, after uint64, visit func(*store.Fact) error) (uint64, error)
	Feeds(ctx context.Context) ([]store.Feed, error)
	Rows(ctx context.Context, q store.RowQuery) ([]store.Row, error)
	RemoveTexts(ctx context.Context, now time.Time, ids []store.ItemID, lead func(store.ItemID, store.Body) store.Body) ([]store.ItemID, error)
	Meta(ctx context.Context, key string) ([]byte, error)
	SetMeta(ctx context.Context, key string, val []byte) error
	Path() string
	Cache() *store.Cache
}

const (
	// MinAge is the least age at which a text may go: what was done within it can be
	// taken back with the text there.
	MinAge = 30 * 24 * time.Hour
	// KeepNewest is how many items at the top of the lists keep their texts whatever
	// their age: Ranked learns its topics from so many.
	KeepNewest = 3000
	// LeadBytes of a removed text stay, as plain text: what Ranked knows of it.
	LeadBytes = 800
	// maxGap is how much a pause between two facts counts. Ages are counted in the time
	// in which the library was in use, so that a clock that is years ahead for an hour
	// makes nothing old.
	maxGap = 3 * 24 * time.Hour
	// everyDay is how often Run looks, and maxRun how many texts it then removes.
	everyDay = 20 * time.Hour
	maxRun   = 4096
)

const (
	bucket     = "retention"
	lastKey    = "last"
	offeredKey = "offered"
)

// offerAge is the age of which Offer speaks: that of new libraries.
const offerAge = 365 * 24 * time.Hour

// Retention removes the texts of one library.
type Retention struct {
	lib     Library
	age     time.Duration
	keep    int // the newest items, whose texts stay
	touched func(context.Context, []store.ItemID)
}

// New removes texts of lib that are older than age; 0: what the library was made
// with; negative: none. touched hears whose texts were removed.
func New(lib Library, age time.Duration, touched func(context.Context, []store.ItemID)) *Retention {
	return &Retention{lib, age, KeepNewest, touched}
}

// Age is how old texts become; 0: they are kept.
func (r *Retention) Age(ctx context.Context) (time.Duration, error) {
	switch {
	case r.age < 0 || !r.lib.Exists():
		return 0, nil
	case r.age > 0:
		return max(r.age, MinAge), nil
	}
	v, err := r.lib.Meta(ctx, store.RetentionKey)
	if err != nil || len(v) == 0 {
		return 0, err
	}
	days, err := strconv.Atoi(string(v))
	if err != nil || days <= 0 {
		return 0, nil
	}
	return max(time.Duration(days)*24*time.Hour, MinAge), nil
}

// Run removes what is due, at most some thousands of texts, once a day: dozens at a
// time, between which others have their turn. It returns how many.
func (r *Retention) Run(ctx context.Context, now time.Time) (int, error) {
	age, err := r.Age(ctx)
	if err != nil {
		return 0, err
	}
	if age == 0 {
		if some, err := r.someOwn(ctx); err != nil || !some {
			return 0, err
		}
	}
	if wait, err := r.lookedToday(ctx, lastKey, now); err != nil || wait {
		return 0, err
	}
	ids, err := r.due(ctx, now, age)
	if err != nil {
		return 0, err
	}
	gone, n := 0, 0
	for len(ids) > 0 && gone < maxRun && err == nil {
		group := ids[:min(512, len(ids))]
		ids = ids[len(group):]
		var some []store.ItemID
		some, err = r.lib.RemoveTexts(ctx, now, group, Lead)
		r.touched(ctx, some)
		gone, n = gone+len(some), n+len(group)
	}
	if err == nil && len(ids) == 0 {
		err = r.looked(ctx, lastKey, now)
	}
	return gone, err
}

// someOwn reports whether the texts of some feed go by a setting of that feed.
func (r *Retention) someOwn(ctx context.Context) (bool, error) {
	if !r.lib.Exists() {
		return false, nil
	}
	feeds, err := r.lib.Feeds(ctx)
	return slices.ContainsFunc(feeds, func(f store.Feed) bool { return ageOf(f.Attrs[model.SettingRetention], 0) > 0 }), err
}

// Offer says, once in a library's life, how large it is, how many texts could go, and the
// line of the config that has them go: where neither the config nor the library, which an
// older program made, says anything of it. "" when there is nothing to say.
func (r *Retention) Offer(ctx context.Context, now time.Time) (string, error) {
	if r.age != 0 || !r.lib.Exists() {
		return "", nil
	}
	for _, key := range []string{store.RetentionKey, store.RetentionKey + "-" + offeredKey} {
		if v, err := r.lib.Meta(ctx, key); err != nil || len(v) > 0 {
			return "", err
		}
	}
	if wait, err := r.lookedToday(ctx, offeredKey, now); err != nil || wait {
		return "", err
	}
	n, err := r.Due(ctx, now, offerAge)
	if err == nil {
		err = r.looked(ctx, offeredKey, now)
	}
	if err != nil || n == 0 {
		return "", err
	}
	st, err := os.Stat(r.lib.Path())
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`The library has %s: [retention] text = "12mo" in config.toml removes old texts. Up to %s are older than that and left their feeds; "off" keeps all.`,
		wording.Size(st.Size()), wording.Plural(n, "item")), r.lib.SetMeta(ctx, store.RetentionKey+"-"+offeredKey, strconv.AppendInt(nil, now.Unix(), 10))
}

// lookedToday reports whether what a key stands for was looked at within a day; looked
// notes it.
func (r *Retention) lookedToday(ctx context.Context, key string, now time.Time) (bool, error) {
	v, err := r.lib.Cache().Get(ctx, bucket, key)
	last, none := strconv.ParseInt(string(v), 10, 64)
	return none == nil && now.Sub(time.Unix(last, 0)).Abs() < everyDay, err
}

func (r *Retention) looked(ctx context.Context, key string, now time.Time) error {
	return r.lib.Cache().Put(ctx, bucket, map[string][]byte{key: strconv.AppendInt(nil, now.Unix(), 10)})
}

// Due is how many items are old enough for their texts to go, if they were read.
func (r *Retention) Due(ctx context.Context, now time.Time, age time.Duration) (int, error) {
	ids, err := r.due(ctx, now, age)
	return len(ids), err
}

// due are the items whose texts are old enough, left their feeds and were not touched
// of late, ascending. Which of them are read, the store says.
func (r *Retention) due(ctx context.Context, now time.Time, age time.Duration) ([]store.ItemID, error) {
	h := &history{items: map[store.FeedID][]item{}, steps: map[uint64]time.Duration{}}
	if _, err := r.lib.Facts(ctx, 0, h.add); err != nil {
		return nil, err
	}
	end := h.clock + gap(now.Sub(h.last))
	if err := h.turned(ctx, r.lib, end); err != nil {
		return nil, err
	}
	rows, err := r.lib.Rows(ctx, store.RowQuery{Which: store.All, Limit: r.keep})
	if err != nil {
		return nil, err
	}
	for i := range rows {
		h.touch(rows[i].ID, end)
	}
	feeds, err := r.lib.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	var ids []store.ItemID
	for i := range feeds {
		f := &feeds[i]
		age := ageOf(f.Attrs[model.SettingRetention], age)
		if f.Poll.Present == "" || age == 0 {
			continue // it is not known what is in it, or all is kept
		}
		present := store.ParseRuns(f.Poll.Present)
		for j, it := range h.items[f.ID] {
			n := uint32(j + 1)
			if it.since >= 0 && end-it.since > age && (it.touched == 0 || end-it.touched > MinAge) && !present.Has(n) {
				ids = append(ids, store.MakeItemID(f.ID, n))
			}
		}
	}
	return ids, nil
}

// item is what facts say of one: times are those of the library in use.
type item struct {
	since   time.Duration // its text is here; negative: its text was removed, or it is a change of a page
	touched time.Duration // somebody did something to it; 0: never
}

// history is a fold over the facts.
type history struct {
	items map[store.FeedID][]item
	clock time.Duration            // in which the library was in use
	last  time.Time                // of the fact before
	steps map[uint64]time.Duration // taken back or done again, and when
}

func gap(d time.Duration) time.Duration { return min(max(d, 0), maxGap) }

func (h *history) add(f *store.Fact) error {
	if !h.last.IsZero() {
		h.clock += gap(f.At.Sub(h.last))
	}
	h.last = f.At
	switch f.Kind {
	case store.Arrived:
		since := h.clock
		if f.IsPageChange() {
			since = -1 // watched pages have a setting of their own
		}
		for range f.Items {
			h.items[f.Feed] = append(h.items[f.Feed], item{since: since})
		}
	case store.Edited:
		for _, id := range f.Items {
			if it := h.at(id); it != nil && (it.since >= 0 || !f.IsPageChange()) {
				it.since = h.clock
			}
		}
	case store.TextRemoved:
		for _, id := range f.Items {
			if it := h.at(id); it != nil {
				it.since = -1
			}
		}
	case store.Undone, store.Redone:
		h.steps[f.Ref] = h.clock
	case store.Opened, store.MarkedRead, store.MarkedUnread, store.Saved, store.Unsaved, store.Tagged, store.Untagged, store.Forgotten:
		for _, id := range f.Items {
			h.touch(id, h.clock)
		}
	}
	return nil
}

func (h *history) at(id store.ItemID) *item {
	if of := h.items[id.Feed()]; int(id.N()) <= len(of) && id.N() > 0 {
		return &of[id.N()-1]
	}
	return nil
}

func (h *history) touch(id store.ItemID, at time.Duration) {
	if it := h.at(id); it != nil {
		it.touched = max(at, 1)
	}
}

// turned touches what steps that were taken back of late were about.
func (h *history) turned(ctx context.Context, lib Library, end time.Duration) error {
	first := uint64(0)
	for no, at := range h.steps {
		if end-at > MinAge {
			delete(h.steps, no)
		} else if first == 0 || no < first {
			first = no
		}
	}
	if len(h.steps) == 0 {
		return nil
	}
	_, err := lib.Facts(ctx, first-1, func(f *store.Fact) error {
		if at, ok := h.steps[f.Step]; ok && f.Step != 0 {
			for _, id := range f.Items {
				h.touch(id, at)
			}
		}
		return nil
	})
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	return err
}

// Lead is what stays of a text: its beginning without markup.
func Lead(_ store.ItemID, b store.Body) store.Body {
	return store.Body{Summary: html.EscapeString(plain.LeadText(b.HTML, b.Summary, LeadBytes))}
}
