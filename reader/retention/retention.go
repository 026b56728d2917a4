// Package retention removes the texts that nobody is going to read again: those of
// old items that were read, are not saved, have no tag and left their feed; and, if
// asked for, the whole items. Start with New, then Run.
package retention

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"slices"
	"strconv"
	"time"

	"diurna/reader/interest"
	"diurna/reader/model"
	"diurna/reader/wording"
	"diurna/store"
)

// Library is what retention needs of the store.
type Library interface {
	Exists() bool
	Facts(ctx context.Context, after uint64, visit func(*store.Fact) error) (uint64, error)
	Feeds(ctx context.Context) ([]store.Feed, error)
	Rows(ctx context.Context, q store.RowQuery) ([]store.Row, error)
	Remove(ctx context.Context, now time.Time, what store.Kind, ids []store.ItemID, lead func(store.ItemID, string, store.Body) (store.Body, bool)) ([]store.ItemID, error)
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

// Ages are how old things become.
type Ages struct {
	Text time.Duration // 0: what the library was made with; negative: texts stay
	Rows time.Duration // 0 or negative: rows stay
}

// Retention removes the texts and rows of one library.
type Retention struct {
	lib     Library
	age     Ages
	keep    int // the newest items, which stay as they are
	touched func(context.Context, []store.ItemID)
}

// New returns what removes from lib what is older than age. touched gets the items whose
// texts were removed.
func New(lib Library, age Ages, touched func(context.Context, []store.ItemID)) *Retention {
	return &Retention{lib, age, KeepNewest, touched}
}

// Age is how old texts become; 0: they are kept.
func (r *Retention) Age(ctx context.Context) (time.Duration, error) {
	switch {
	case r.age.Text < 0 || !r.lib.Exists():
		return 0, nil
	case r.age.Text > 0:
		return max(r.age.Text, MinAge), nil
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

// Run removes what is due once a day, at most some thousands of rows and as many texts,
// dozens at a time, so that others get their turn in between. It returns how many items
// lost something.
func (r *Retention) Run(ctx context.Context, now time.Time) (int, error) {
	age, err := r.Age(ctx)
	if err != nil {
		return 0, err
	}
	ages := Ages{Text: age}
	if r.age.Rows > 0 && r.lib.Exists() {
		ages.Rows = max(r.age.Rows, MinAge)
	}
	if ages == (Ages{}) {
		if some, err := r.someOwn(ctx); err != nil || !some {
			return 0, err
		}
	}
	if wait, err := r.lookedToday(ctx, lastKey, now); err != nil || wait {
		return 0, err
	}
	d, err := r.due(ctx, now, ages)
	if err != nil {
		return 0, err
	}
	rows, left, err := r.remove(ctx, now, store.RowRemoved, d.rows, d.lead)
	if err != nil {
		return rows, err
	}
	texts, more, err := r.remove(ctx, now, store.TextRemoved, d.texts, lead)
	if err == nil && !left && !more {
		err = r.looked(ctx, lastKey, now)
	}
	return rows + texts, err
}

// remove removes from ids, group by group. left reports whether some are left
// for the next run.
func (r *Retention) remove(ctx context.Context, now time.Time, what store.Kind, ids []store.ItemID, lead func(store.ItemID, string, store.Body) (store.Body, bool)) (gone int, left bool, err error) {
	for len(ids) > 0 && gone < maxRun && err == nil {
		group := ids[:min(512, len(ids))]
		ids = ids[len(group):]
		var some []store.ItemID
		some, err = r.lib.Remove(ctx, now, what, group, lead)
		r.touched(ctx, some)
		gone += len(some)
	}
	return gone, len(ids) > 0, err
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
	if r.age != (Ages{}) || !r.lib.Exists() {
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
	return fmt.Sprintf(`The library has %s: [retention] text = "12mo" in config.toml removes old texts, rows = "3y" whole items. Up to %s are older than 12 months and left their feeds; text = "off" keeps all.`,
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
	d, err := r.due(ctx, now, Ages{Text: age})
	return len(d.texts), err
}

// due are items that are old enough, left their feeds and were not touched of late,
// ascending. Which of them are read, the store says.
type due struct {
	texts, rows []store.ItemID
	learned     map[store.ItemID]bool // of rows, those that Ranked learns from
}

// lead is what stays of a text when its row goes: the words that Ranked knows of it.
func (d *due) lead(id store.ItemID, _ string, b store.Body) (store.Body, bool) {
	if !d.learned[id] {
		return store.Body{}, false
	}
	return interest.Kept(b), true
}

func (r *Retention) due(ctx context.Context, now time.Time, ages Ages) (due, error) {
	out := due{learned: map[store.ItemID]bool{}}
	h := &history{items: map[store.FeedID][]item{}, steps: map[uint64]time.Duration{}}
	if _, err := r.lib.Facts(ctx, 0, h.add); err != nil {
		return out, err
	}
	end := h.clock + gap(now.Sub(h.last))
	if err := h.turned(ctx, r.lib, end); err != nil {
		return out, err
	}
	rows, err := r.lib.Rows(ctx, store.RowQuery{Which: store.All, Limit: r.keep})
	if err != nil {
		return out, err
	}
	for i := range rows {
		h.touch(rows[i].ID, end)
	}
	feeds, err := r.lib.Feeds(ctx)
	if err != nil {
		return out, err
	}
	for i := range feeds {
		f := &feeds[i]
		text, row := agesOf(f.Attrs[model.SettingRetention], ages)
		if f.Poll.Present == "" || text == 0 && row == 0 {
			continue // it is not known what is in it, or all is kept
		}
		present := store.ParseRuns(f.Poll.Present)
		for j, it := range h.items[f.ID] {
			if it.gone || it.page || it.touched != 0 && end-it.touched <= MinAge || present.Has(uint32(j+1)) {
				continue
			}
			switch id := store.MakeItemID(f.ID, uint32(j+1)); {
			case row > 0 && end-it.since > row:
				out.rows = append(out.rows, id)
				if it.learned {
					out.learned[id] = true
				}
			case text > 0 && end-it.since > text && !it.bare:
				out.texts = append(out.texts, id)
			}
		}
	}
	return out, nil
}

// item is what facts say of one: times are those of the library in use.
type item struct {
	since   time.Duration // it came, or was edited
	touched time.Duration // somebody did something to it; 0: never
	page    bool          // it is a change of a watched page, which has a setting of its own
	bare    bool          // its text was removed
	gone    bool          // its row was removed
	learned bool          // Ranked learns from it
}

// history is a fold over the facts.
type history struct {
	items map[store.FeedID][]item
	made  interest.Imports
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
	if imported := h.made.Made(f); interest.Learns(f, imported) {
		for _, id := range f.Items {
			if it := h.at(id); it != nil {
				it.learned = true
			}
		}
	}
	switch f.Kind {
	case store.Arrived:
		for range f.Items {
			h.items[f.Feed] = append(h.items[f.Feed], item{since: h.clock, page: f.IsPageChange()})
		}
	case store.Edited, store.TextRemoved, store.RowRemoved:
		for _, id := range f.Items {
			if it := h.at(id); it != nil {
				if f.Kind == store.Edited {
					it.since = h.clock
				}
				it.bare, it.gone = f.Kind != store.Edited, f.Kind == store.RowRemoved
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

// turned touches the items of steps that were undone recently.
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

// lead is what stays of a text: the words that Ranked knows of it, and of an item without a title
// the first ones as they were written, which lists show.
func lead(_ store.ItemID, title string, b store.Body) (store.Body, bool) {
	kept := interest.Kept(b)
	if title == "" {
		kept.Summary = html.EscapeString(model.LeadOf(cmp.Or(b.HTML, b.Summary)))
	}
	return kept, true
}
