package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"diurna/reader/interest"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/plan"
	"diurna/reader/queries"
	"diurna/reader/rules"
	"diurna/reader/settings"
	"diurna/reader/stories"
	"diurna/reader/watch"
	"diurna/reader/web"
	"diurna/reader/wording"
	"diurna/store"
)

// actKinds maps an act to the fact that records it.
var actKinds = map[Act]store.Kind{
	MarkRead: store.MarkedRead, MarkUnread: store.MarkedUnread,
	Save: store.Saved, Unsave: store.Unsaved, Tag: store.Tagged, Untag: store.Untagged,
}

// Mark does act to exactly ids, as one step. Scope says where ("River").
func (r *Reader) Mark(ctx context.Context, act Act, scope string, ids []ItemID, tag string) (Done, error) {
	kind, ok := actKinds[act]
	if !ok {
		return Done{}, fmt.Errorf("act %d is not known", act)
	}
	c := store.Change{Kind: kind, Items: ids}
	if act == Tag || act == Untag {
		c.Value = model.TagName(tag)
		if c.Value == "" {
			return Done{}, errors.New("a tag needs at least one letter")
		}
	}
	d, err := r.store.Act(ctx, r.now(), plain.Line(scope, 200), c)
	if err != nil {
		return Done{}, fmt.Errorf("%s: %w", actVerb(act), err)
	}
	return Done{Step: d.Step, Changed: d.Changed, Items: d.Items}, nil
}

func actVerb(a Act) string {
	return map[Act]string{MarkRead: "mark read", MarkUnread: "mark unread", Save: "save",
		Unsave: "take off the saved", Tag: "tag", Untag: "untag"}[a]
}

// resetPoll forgets how fetching went at an address that a feed has left.
func (r *Reader) resetPoll(ctx context.Context, ids ...FeedID) error {
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return fmt.Errorf("read the feeds: %w", err)
	}
	var filings []store.Filing
	for i := range feeds {
		if f := &feeds[i]; slices.Contains(ids, f.ID) {
			fresh := store.Poll{Days: f.Poll.Days, Checks: f.Poll.Checks, Window: f.Poll.Window, LastOK: f.Poll.LastOK}
			if watch.Is(f) {
				fresh.Watch, fresh.ReadAt, fresh.BusyRun, fresh.NoNetwork = f.Poll.Watch, f.Poll.ReadAt, f.Poll.BusyRun, f.Poll.NoNetwork // what was noted of it stays
				fresh.MoveWaits, fresh.Adopted, fresh.Self = f.Poll.MoveWaits, f.Poll.Adopted, f.Poll.Self
				fresh.TitlesTaken, fresh.SharedIDs, fresh.LeftOut, fresh.Lost = f.Poll.TitlesTaken, f.Poll.SharedIDs, f.Poll.LeftOut, f.Poll.Lost
			}
			fresh.Fetches = f.Poll.Fetches // the day's budget is not made again
			filings = append(filings, store.Filing{Feed: f.ID, Poll: &fresh})
		}
	}
	if _, err := r.store.File(ctx, r.now(), filings); err != nil {
		return fmt.Errorf("start again at the new address: %w", err)
	}
	r.refresh.nudge()
	return nil
}

// Undo takes back the step no (0: the newest that stands). With after > 0 only steps with a
// higher number are considered. ErrNothing: there is none.
func (r *Reader) Undo(ctx context.Context, no, after uint64) (Step, error) {
	if no == 0 {
		var none bool
		if no, none = ownStep(ctx, r.store, after); none {
			return Step{}, undoError(store.ErrNothing, "undo")
		}
	}
	s, err := r.store.Undo(ctx, r.now(), no, after)
	if err != nil {
		return Step{}, undoError(err, "undo")
	}
	r.refresh.nudge() // a budget or an interval may be another now
	return r.asStep(ctx, s), nil
}

// ownStep is the number of the newest step that the user made and did not undo, if a
// publisher's move or a rule of config.toml came after it; 0 if plain undo finds it. none:
// all steps that stand are of that kind.
func ownStep(ctx context.Context, s *store.Store, after uint64) (no uint64, none bool) {
	const far = 200 // moves in a row without an act of the user between them
	list, err := s.Steps(ctx, far)
	if err != nil {
		return 0, false // undo will meet the same error and tell it
	}
	moved := false
	for i := range list {
		switch {
		case list[i].Undone || list[i].No <= after:
		case list[i].Scope == movedScope, rules.OfConfig(&list[i]):
			moved = true
		case moved:
			return list[i].No, false
		default:
			return 0, false
		}
	}
	return 0, moved && len(list) < far
}

// Redo repeats what was undone last, as long as nothing was done since.
func (r *Reader) Redo(ctx context.Context) (Step, error) {
	s, err := r.store.Redo(ctx, r.now())
	if err != nil {
		return Step{}, undoError(err, "redo")
	}
	r.refresh.nudge()
	return r.asStep(ctx, s), nil
}

func undoError(err error, what string) error {
	switch {
	case errors.Is(err, store.ErrNothing), errors.Is(err, store.ErrNone):
		return &said{"there is nothing to " + what, store.ErrNothing}
	case errors.Is(err, store.ErrDepends):
		return &said{"a later change depends on this one; undo that one first", store.ErrDepends}
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Steps lists what was done, newest first.
func (r *Reader) Steps(ctx context.Context, limit int) ([]Step, error) {
	list, err := r.store.Steps(ctx, limit)
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what was done: %w", err)
	}
	feeds, err := r.feedsEver(ctx)
	if err != nil {
		return nil, err
	}
	steps := make([]Step, 0, len(list))
	for i := range list {
		steps = append(steps, describe(&list[i], feeds))
	}
	return steps, nil
}

func (r *Reader) asStep(ctx context.Context, s store.Step) Step {
	feeds, err := r.feedsEver(ctx)
	if err != nil {
		feeds = nil // the act is done; a missing name must not unsay it
	}
	return describe(&s, feeds)
}

// feedsEver lists all feeds, unsubscribed ones included.
func (r *Reader) feedsEver(ctx context.Context) (map[FeedID]*Feed, error) {
	all, err := r.store.FeedsAll(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the feeds: %w", err)
	}
	m := make(map[FeedID]*Feed, len(all))
	for i := range all {
		f := describeFeed(&all[i], r.now())
		m[f.Key] = &f
	}
	return m, nil
}

// describe says in words what a step did: "214 marked read in River".
func describe(s *store.Step, feeds map[FeedID]*Feed) Step {
	out := Step{No: s.No, At: s.At, Undone: s.Undone, Items: s.Items}
	name, came, went := "", "subscribed to ", "unsubscribed from "
	if s.Feed != 0 {
		out.Feeds = []FeedID{s.Feed}
		name = s.Feed.String()
		if f := feeds[s.Feed]; f != nil {
			name = f.Title
			if f.Watched && s.Count == 1 {
				came, went = "began to watch ", "stopped watching "
			}
		}
	}
	in := ""
	if s.Scope != "" {
		in = " in " + s.Scope
	}
	switch s.Kind {
	case store.MarkedRead:
		out.What = fmt.Sprintf("%s marked read%s", wording.Count(s.Count), in)
	case store.MarkedUnread:
		out.What = fmt.Sprintf("%s marked unread%s", wording.Count(s.Count), in)
	case store.Saved:
		out.What = fmt.Sprintf("%s saved%s", wording.Count(s.Count), in)
	case store.Unsaved:
		out.What = fmt.Sprintf("%s unsaved%s", wording.Count(s.Count), in)
	case store.Tagged:
		out.What = fmt.Sprintf("%s tagged #%s%s", wording.Count(s.Count), s.New, in)
	case store.Untagged:
		if rules.IsMuted(s.New) {
			out.What = fmt.Sprintf("%s marked read%s, muted before", wording.Count(s.Count), in)
			break
		}
		out.What = fmt.Sprintf("#%s taken off %s%s", s.New, wording.Count(s.Count), in)
	case store.Subscribed:
		out.What = came + manyFeeds(s.Count, name, s.Scope)
	case store.Unsubscribed:
		out.What = went + manyFeeds(s.Count, name, "")
	case store.Adjusted:
		if s.Scope == tagScope && s.Count > 1 {
			out.What = fmt.Sprintf("tags of %s feeds changed", wording.Count(s.Count))
			break
		}
		if store.RuleOf(s.Field) != 0 {
			out.What = rules.Describe(s)
			break
		}
		if s.Feed == 0 && s.Field == plan.BudgetField {
			out.What = describeBudget(s.New)
			break
		}
		if s.Feed == 0 && (s.Field == queries.Field || s.Field == stories.Field) {
			out.What = cmp.Or(s.Scope, "saved queries changed")
			break
		}
		if s.Field == watch.AdviceAttr {
			out.What = name + ": " + watch.DescribeAnswer(s.New)
			break
		}
		if s.Field == interest.LearningField {
			out.What = name + ": " + interest.LearningWords(s.New)
			break
		}
		out.What = name + ": " + settings.Changed(s.Field, s.New)
	case store.Trained:
		out.What = interest.FeedbackWords(s.New, func(id FeedID) (string, bool) {
			if f := feeds[id]; f != nil {
				return f.Title, true
			}
			return "", false
		})
		if s.Count > 1 {
			out.What = fmt.Sprintf("%s changes of the evidence", wording.Count(s.Count))
		}
	default:
		out.What = fmt.Sprintf("%d changes%s", s.Count, in)
	}
	out.What = plain.Redact(plain.Line(out.What, 400))
	return out
}

func manyFeeds(n int, name, scope string) string {
	if n == 1 {
		return name
	}
	if scope != "" {
		return fmt.Sprintf("%s feeds (%s)", wording.Count(n), scope)
	}
	return wording.Count(n) + " feeds"
}

// Unsubscribe unsubscribes from feeds, as one step; undo brings them back
// with everything that was in them.
func (r *Reader) Unsubscribe(ctx context.Context, ids []FeedID) (Done, error) {
	changes := make([]store.Change, 0, len(ids))
	for _, id := range ids {
		changes = append(changes, store.Change{Kind: store.Unsubscribed, Feed: id})
	}
	d, err := r.store.Act(ctx, r.now(), "", changes...)
	if err != nil {
		return Done{}, fmt.Errorf("unsubscribe: %w", err)
	}
	return Done{Step: d.Step, Changed: d.Changed}, nil
}

// Adjust changes one setting of a feed, as one step: "title", "folder", "tags"
// (with commas between them), "url", "interval" (such as 2h), "hidden",
// "allow_private", "by_titles" and "full" ("true"), "learning" ("pinned", "left out" or
// nothing).
func (r *Reader) Adjust(ctx context.Context, id FeedID, field, value string) (Done, error) {
	if watch.IsSetting(field) {
		return r.Pages().Set(ctx, id, field, value)
	}
	value, err := settings.Value(field, value)
	if err != nil {
		return Done{}, err
	}
	if field == "url" {
		value = r.web.Hide(value)
	}
	changes := []store.Change{{Kind: store.Adjusted, Feed: id, Field: field, Value: value}}
	if field == "url" {
		f, err := r.FindFeed(ctx, id.String())
		if err != nil {
			return Done{}, err
		}
		changes = web.Readdress(id, f.URL, value, f.AllowPrivate)
	}
	d, err := r.store.Act(ctx, r.now(), "", changes...)
	if err != nil {
		if errors.Is(err, store.ErrTaken) {
			return Done{}, &said{"another feed already has this address", ErrKnown}
		}
		return Done{}, fmt.Errorf("change %s: %w", field, err)
	}
	if field == "url" {
		if err := r.resetPoll(ctx, id); err != nil {
			return Done{}, err
		}
	}
	return Done{Step: d.Step, Changed: d.Changed}, nil
}

// tagScope is the scope of a step that changes the tags of several feeds.
const tagScope = "tags"

// TagFeeds changes the tags of feeds, as one step: each word is a tag to put on
// all of them, or with a leading "-" one to take off.
func (r *Reader) TagFeeds(ctx context.Context, ids []FeedID, words []string) (Done, error) {
	feeds, err := r.feedsByKey(ctx)
	if err != nil {
		return Done{}, err
	}
	var changes []store.Change
	for _, id := range ids {
		f := feeds[id]
		if f == nil {
			return Done{}, model.NoFeed(id.String())
		}
		tags := slices.Clone(f.Tags)
		for _, w := range words {
			name, off := strings.CutPrefix(w, "-")
			if name = model.TagName(name); off {
				tags = slices.DeleteFunc(tags, func(t string) bool { return t == name })
			} else {
				tags = append(tags, name)
			}
		}
		if value := model.TagLines(tags); value != model.TagLines(f.Tags) {
			changes = append(changes, store.Change{Kind: store.Adjusted, Feed: id, Field: "tags", Value: value})
		}
	}
	if len(changes) == 0 {
		return Done{}, nil
	}
	d, err := r.store.Act(ctx, r.now(), tagScope, changes...)
	if err != nil {
		return Done{}, fmt.Errorf("change tags: %w", err)
	}
	return Done{Step: d.Step, Changed: d.Changed}, nil
}
