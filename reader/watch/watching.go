package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/page"
	"diurna/reader/pagestate"
	"diurna/reader/plain"
	"diurna/reader/web"
	"diurna/store"
)

// The settings of a watch, as the library keeps them with its feed. The dot
// keeps them apart from what an outline of another program may bring along.
const (
	Attr          = model.SettingPage
	attrSelect    = model.SettingSelect
	attrIgnore    = model.SettingIgnore
	attrKeywords  = model.SettingKeywords
	attrBlocks    = model.SettingIgnoreBlocks
	attrReports   = model.SettingReportBlocks
	attrThreshold = model.SettingThreshold
	attrDepth     = model.SettingDepth
	attrKeep      = model.SettingKeep
	attrHas       = model.SettingHas
	attrNot       = model.SettingNot
	attrWhen      = model.SettingWhen
	AdviceAttr    = model.SettingAdvice
	attrAlways    = model.SettingAlways
)

// pageFields are the settings that Adjust takes, by its names for them.
var pageFields = map[string]string{
	"select": attrSelect, "ignore": attrIgnore, "keywords": attrKeywords, "ignore_blocks": attrBlocks, "report_blocks": attrReports,
	"threshold": attrThreshold, "depth": attrDepth, "keep": attrKeep, "has": attrHas, "not": attrNot, "when": attrWhen,
}

// IsSetting reports whether Set takes a field of that name.
func IsSetting(field string) bool { return pageFields[field] != "" }

// watchMark sets the second watch of one address apart from the first: a feed
// has its address to itself, and what follows # never leaves this machine.
const watchMark = "#watch-"

// RequestAddress is what is asked for to fetch a feed or page.
func RequestAddress(address string) string {
	before, _, _ := strings.Cut(address, watchMark)
	return before
}

// Is reports whether a feed is a watched page.
func Is(f *store.Feed) bool { return f.Attrs[Attr] != "" }

// settingsOf are what was set of a watched page.
//
//go:noinline // 19 places
func settingsOf(f *store.Feed) model.PageSettings { return model.PageSettingsOf(f.Attrs) }

// notWatched says that something is not a watched page.
func notWatched(what fmt.Stringer) error {
	return &model.UserError{Sentence: fmt.Sprintf("%s is not a watched page", what), Kind: ErrNotWatched}
}

// pageOptions are a watch's settings as the comparison takes them; of a child
// page the selectors of the page above mean nothing.
func pageOptions(f *store.Feed, child bool) page.Options {
	s := settingsOf(f)
	o := page.Options{
		Host:   model.Host(f.URL),
		Select: s.Select, Ignore: s.Ignore, Keywords: s.Keywords, IgnoreBlocks: s.IgnoreBlocks, ReportBlocks: s.ReportBlocks, Has: s.Has, Not: s.Not, Threshold: s.Threshold,
	}
	if child {
		o.Select = nil
	}
	return o
}

// split and join keep lists as lines.
func split(s string) []string {
	return slices.DeleteFunc(strings.Split(s, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
}

func join(list []string) string {
	var out []string
	for _, l := range list {
		if l = strings.Join(strings.Fields(l), " "); l != "" && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// List lists the watched pages by folder and title.
func (ps *Pages) List(ctx context.Context) ([]Page, error) {
	list, err := ps.store.Feeds(ctx)
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	byID := map[store.FeedID]*store.Feed{}
	for i := range list {
		if Is(&list[i]) {
			byID[list[i].ID] = &list[i]
		}
	}
	if len(byID) == 0 {
		return nil, nil
	}
	heads, err := ps.store.PageHeads(ctx)
	if err != nil {
		return nil, fmt.Errorf("count the revisions: %w", err)
	}
	feeds, err := ps.lib.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	pages := make([]Page, 0, len(byID))
	for i := range feeds {
		if s := byID[feeds[i].Key]; s != nil {
			pages = append(pages, asPage(feeds[i], s, heads[s.ID]))
		}
	}
	return pages, nil
}

func asPage(f model.Feed, s *store.Feed, head store.PageHead) Page {
	o, w := pageOptions(s, false), &s.Poll.Watch
	p := Page{Feed: f, Revisions: head.Count, Threshold: max(cmp.Or(o.Threshold, page.DefaultThreshold), 0), Interval: model.IntervalOf(s),
		Select: o.Select, Ignore: o.Ignore, Keywords: o.Keywords, IgnoreBlocks: o.IgnoreBlocks, ReportBlocks: o.ReportBlocks,
		Depth: min(f.Settings.Page.Depth, maxDepth), Keep: f.Settings.Page.Keep, Children: min(w.Children, maxChildren),
		Class: page.Class(w.Class.String()), Why: w.Why, Score: w.Score, LastScore: w.LastScore, State: watchState(s, f.State), Has: o.Has, Not: o.Not, When: f.Settings.Page.When}
	p.LastClass, p.held = page.Class(w.LastClass.String()), w.Held
	if w.LastAt != 0 {
		p.Compared = time.Unix(w.LastAt, 0)
	}
	if w.Changed != 0 {
		p.Changed = time.Unix(w.Changed, 0)
	}
	if w.Item > 0 {
		p.LastItem = store.MakeItemID(s.ID, w.Item)
	}
	return p
}

// watchState is the state of a watch whose feed is in state f.
func watchState(s *store.Feed, f model.FeedState) pagestate.State {
	switch f {
	case model.FeedFailing:
		if state, ok := pagestate.ParseState(s.Poll.Watch.State.String()); ok {
			return state
		}
		return pagestate.ErrorPage
	case model.FeedNew:
		return pagestate.NotFetched
	case model.FeedGone:
		return pagestate.GoneForGood
	case model.FeedMoved:
		return pagestate.MovedAway
	}
	return pagestate.Good
}

// Find finds the watched page that s names, as FindFeed finds feeds.
func (ps *Pages) Find(ctx context.Context, s string) (Page, error) {
	pages, err := ps.List(ctx)
	if err != nil {
		return Page{}, err
	}
	f, err := ps.lib.FindFeed(ctx, s)
	var many *model.AmbiguousError
	if errors.As(err, &many) {
		many.Feeds = slices.DeleteFunc(slices.Clone(many.Feeds), func(f model.Feed) bool { return !f.Watched })
		if len(many.Feeds) == 1 {
			f, err = many.Feeds[0], nil
		}
		if len(many.Feeds) == 0 {
			err = &model.UserError{Sentence: fmt.Sprintf("there is no watched page %q", s), Kind: ErrNotWatched}
		}
	}
	if errors.Is(err, model.ErrNotFound) {
		err = &model.UserError{Sentence: fmt.Sprintf("there is no watched page %q", s), Kind: model.ErrNotFound}
	}
	if err != nil {
		return Page{}, err
	}
	for i := range pages {
		if pages[i].Key == f.Key {
			return pages[i], nil
		}
	}
	return Page{}, &model.UserError{Sentence: fmt.Sprintf("%s is a feed, not a watched page", f.Title), Kind: ErrNotWatched}
}

// pageFeed reads the live page of an id.
func (ps *Pages) pageFeed(ctx context.Context, id store.FeedID) (*store.Feed, error) {
	list, err := ps.store.Feeds(ctx)
	if errors.Is(err, store.ErrNone) {
		return nil, notWatched(id)
	}
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	for i := range list {
		if list[i].ID == id && Is(&list[i]) {
			return &list[i], nil
		}
	}
	return nil, notWatched(id)
}

// CheckSetting says what is wrong with a value for a setting of a page; nil: nothing
// that can be checked without the page.
func CheckSetting(field, value string) error {
	_, err := pageSetting(field, plain.Text(value, 16<<10))
	return err
}

// pageSetting checks one setting of a page and gives the form it is kept in.
func pageSetting(field, value string) (string, error) {
	switch field {
	case "select", "ignore":
		list := join(strings.Split(value, "\n"))
		if _, err := page.Compare(nil, nil, page.Options{Select: split(list)}); err != nil {
			return "", &model.UserError{Sentence: fmt.Sprintf("%q is not a CSS selector: %v", value, err), Kind: model.ErrSetting}
		}
		return list, nil
	case "when":
		return whenSetting(value)
	case "keywords", "has", "not":
		return join(strings.FieldsFunc(value, func(c rune) bool { return c == ',' || c == '\n' })), nil
	case "ignore_blocks", "report_blocks":
		return join(strings.Split(value, "\n")), nil
	case "threshold":
		if t, err := strconv.ParseFloat(value, 64); value != "" && (err != nil || !(t >= 0) || t > 1000) {
			return "", &model.UserError{Sentence: fmt.Sprintf("%q is not a threshold of 0 or more, such as 2.5", value), Kind: model.ErrSetting}
		} else if value != "" && t == 0 {
			return "0", nil
		}
	case "depth":
		if n, err := strconv.Atoi(value); value != "" && (err != nil || n < 0 || n > maxDepth) {
			return "", &model.UserError{Sentence: fmt.Sprintf("%q is not a depth of 0, 1 or 2", value), Kind: model.ErrSetting}
		}
	case "keep":
		if n, err := strconv.Atoi(value); value != "" && value != "all" && (err != nil || n < 0) {
			return "", &model.UserError{Sentence: fmt.Sprintf("%q is not a number of revisions to keep, or all", value), Kind: model.ErrSetting}
		}
	}
	if value == "0" || value == "all" {
		value = ""
	}
	return value, nil
}

// Watch begins to watch the page at an address, as one step, and keeps its
// first revision, which is no change.
func (ps *Pages) Watch(ctx context.Context, typed string, o Options) (Watched, error) {
	address, guessed, err := web.Parse(strings.TrimSpace(typed))
	if err != nil {
		return Watched{}, err
	}
	address = ps.web.Hide(address)
	attrs, err := watchAttrs(&o)
	if err != nil {
		return Watched{}, err
	}
	f := store.Feed{URL: address, Attrs: attrs, AllowPrivate: o.AllowPrivate}
	h := ps.getPage(ctx, address, validators{}, o.AllowPrivate)
	if guessed && plainOnly(h.Err) {
		f.URL = "http" + strings.TrimPrefix(address, "https")
		h = ps.getPage(ctx, f.URL, validators{}, o.AllowPrivate)
	}
	if err := ps.watchedAlike(ctx, &f); err != nil {
		return Watched{}, err
	}
	l := watchTarget{h: h}
	if err := ps.weigh(ctx, &f, &l); err != nil {
		return Watched{}, err
	}
	if l.h.Err != nil {
		var t *pageTrouble
		if errors.As(l.h.Err, &t) || l.h.Answered() {
			return Watched{}, &model.UserError{Sentence: fmt.Sprintf("%s cannot be watched: %s", model.Host(f.URL), l.h.Err), Kind: ErrNoPage}
		}
		return Watched{}, web.Explain(typed, address, l.h.Err)
	}
	if o.When != "" && !l.reading.Found {
		return Watched{}, noReading(model.Host(f.URL), attrs[attrWhen])
	}
	asked := f.URL
	f.URL, err = ps.freeAddress(ctx, cmp.Or(ps.web.Hide(l.h.Moved), f.URL))
	if err != nil {
		return Watched{}, err
	}
	f.AllowPrivate = o.AllowPrivate && fetch.SameDoor(asked, f.URL)
	if part := cmp.Or(strings.Join(o.Select, ", "), strings.Join(o.Ignore, ", "), "page"); strings.Contains(f.URL, watchMark) && o.Title == "" {
		// Two watches of one page must be told apart by name.
		o.Title = fmt.Sprintf("%s (%s)", cmp.Or(plain.Line(l.diff.Title[1], 200), model.Name(f.URL)), plain.Line(part, 60))
	}
	out := Watched{Words: l.words, Reading: l.reading, sent: sentOf(&l.h)}
	out.Second, out.NoSecond = ps.secondWait(&l.h)
	if len(o.Select) == 0 {
		text, _ := page.Decode(l.h.Body, l.h.Result.ContentType)
		if part, ok := pagestate.MainPart(text); ok {
			out.Main = part
		}
	}
	if out.Step, err = ps.beginWatch(ctx, &f, &o, l); err != nil {
		return Watched{}, err
	}
	out.Page, err = ps.Find(context.WithoutCancel(ctx), f.ID.String()) // it is done: no stop hides that
	return out, err
}

// watchedAlike refuses a second watch of the same part of the same page.
func (ps *Pages) watchedAlike(ctx context.Context, f *store.Feed) error {
	feeds, err := ps.lib.Feeds(ctx)
	if err != nil {
		return err
	}
	for i := range feeds {
		o := &feeds[i]
		if o.Watched && web.Same(o.URL, f.URL) && o.Settings.Text(attrSelect) == f.Attrs[attrSelect] && o.Settings.Text(attrIgnore) == f.Attrs[attrIgnore] {
			return &model.UserError{Sentence: "already watched as " + o.KnownAs(), Kind: model.ErrKnown}
		}
	}
	return nil
}

// beginWatch subscribes and files what was fetched already.
func (ps *Pages) beginWatch(ctx context.Context, f *store.Feed, o *Options, l watchTarget) (step uint64, err error) {
	var tags []string
	for _, t := range o.Tags {
		if t = model.TagName(t); t != "" {
			tags = append(tags, t)
		}
	}
	changes, err := ps.SubscribeChanges(ctx, &store.Subscription{
		URL: f.URL, Title: plain.Line(o.Title, 300), Folder: strings.Trim(plain.Line(o.Folder, 300), "/ "), Tags: tags, AllowPrivate: f.AllowPrivate, Attrs: f.Attrs})
	if err != nil {
		return 0, err
	}
	done, err := ps.store.Act(ctx, ps.now(), "", changes...)
	if err != nil {
		return 0, fmt.Errorf("watch the page: %w", err)
	}
	if len(done.Feeds) != 1 {
		return 0, fmt.Errorf("watch %s: the library took %d pages", f.URL, len(done.Feeds))
	}
	s, err := ps.pageFeed(ctx, done.Feeds[0])
	if err == nil {
		*f = *s
		fresh := watchTarget{h: l.h, got: l.h, asked: true} // weighed again: the page may have been watched before
		if err = ps.weigh(ctx, s, &fresh); err == nil {
			err = ps.fetcher.FileVisit(ctx, &Visit{feed: s, h: fresh.h, targets: []watchTarget{fresh}}, true)
		}
	}
	if err != nil {
		if _, undo := ps.store.Undo(context.WithoutCancel(ctx), ps.now(), done.Step, 0); undo != nil {
			return 0, fmt.Errorf("%s is watched, but its text could not be stored (%v); diurna fetch gets it once that is fixed", model.Host(f.URL), err)
		}
		return 0, err
	}
	return done.Step, nil
}

// SubscribeChanges are the changes that subscribe. Where the address was watched or
// subscribed to before, no setting of a watch survives that was not named again: what
// was a page may be a feed now.
func (ps *Pages) SubscribeChanges(ctx context.Context, sub *store.Subscription) ([]store.Change, error) {
	changes := []store.Change{{Kind: store.Subscribed, Sub: sub}}
	all, err := ps.store.FeedsAll(ctx)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return nil, fmt.Errorf("read the feeds: %w", err)
	}
	for i := range all {
		f := &all[i]
		if !f.Removed || f.URL != sub.URL {
			continue
		}
		for name := range f.Attrs {
			if model.PageSetting(name) && sub.Attrs[name] == "" {
				changes = append(changes, store.Change{Kind: store.Adjusted, Feed: f.ID, Field: name})
			}
		}
	}
	return changes, nil
}

// freeAddress marks an address that another live feed has already.
func (ps *Pages) freeAddress(ctx context.Context, address string) (string, error) {
	all, err := ps.store.Feeds(ctx)
	if errors.Is(err, store.ErrNone) {
		return address, nil
	}
	if err != nil {
		return "", fmt.Errorf("read the feeds: %w", err)
	}
	free := address
	for n := 2; slices.ContainsFunc(all, func(f store.Feed) bool { return f.URL == free }); n++ {
		free = address + watchMark + strconv.Itoa(n)
	}
	return free, nil
}

// watchAttrs are the settings of a new watch, checked.
func watchAttrs(o *Options) (map[string]string, error) {
	attrs := map[string]string{Attr: "yes"}
	for field, value := range map[string]string{
		"select": strings.Join(o.Select, "\n"), "ignore": strings.Join(o.Ignore, "\n"), "keywords": strings.Join(o.Keywords, "\n"),
		"has": strings.Join(o.Has, "\n"), "not": strings.Join(o.Not, "\n"), "when": o.When,
		"threshold": formatScore(o.Threshold), "depth": strconv.Itoa(o.Depth), "keep": strconv.Itoa(o.Keep),
	} {
		v, err := pageSetting(field, value)
		if err != nil {
			return nil, err
		}
		if v != "" {
			attrs[pageFields[field]] = v
		}
	}
	if o.Every != 0 {
		if o.Every < 15*time.Minute {
			return nil, &model.UserError{Sentence: fmt.Sprintf("%s is not an interval of 15 minutes or more, such as 2h", o.Every), Kind: model.ErrSetting}
		}
		attrs["interval"] = o.Every.String()
	}
	return attrs, nil
}

func formatScore(v float64) string {
	switch {
	case v == 0:
		return ""
	case v < 0:
		return "0"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// Set changes one setting of a watch, by its name in Adjust. What is kept is compared again from
// then on; changing a setting tells of nothing by itself.
func (ps *Pages) Set(ctx context.Context, id store.FeedID, field, value string) (model.Done, error) {
	attr := pageFields[field]
	f, err := ps.pageFeed(ctx, id)
	if err != nil {
		return model.Done{}, err
	}
	value, err = pageSetting(field, plain.Text(value, 16<<10))
	if err != nil {
		return model.Done{}, err
	}
	if field == "select" && value != "" && value != f.Attrs[attr] {
		if err := ps.selects(ctx, f, value); err != nil {
			return model.Done{}, err
		}
	}
	d, err := ps.store.Act(ctx, ps.now(), "", store.Change{Kind: store.Adjusted, Feed: id, Field: attr, Value: value})
	if err != nil {
		return model.Done{}, fmt.Errorf("change %s: %w", field, err)
	}
	ps.fetcher.Nudge()
	return model.Done{Step: d.Step, Changed: d.Changed}, nil
}

// selects refuses selectors that match nothing on the newest kept revision, as a
// new watch does. A page in trouble may have been rebuilt, and what is kept of
// it says nothing then.
func (ps *Pages) selects(ctx context.Context, f *store.Feed, value string) error {
	last, err := ps.lastRevision(ctx, f.ID, &watchTarget{})
	if err != nil || last == nil || f.Poll.Err != "" {
		return err
	}
	text, _ := page.Decode(last.body, last.ContentType)
	o := pageOptions(f, false)
	o.Select = split(value)
	if state, why := pagestate.Classify(pagestate.Response{Status: 200, Body: text}, nil, o); state == pagestate.DeadSelector {
		return &model.UserError{Sentence: fmt.Sprintf("%s on revision %d of %s, the newest; nothing was changed", why, last.No, cmpTitle(f)), Kind: ErrNoPage}
	}
	return nil
}
