package reader

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"diurna/ranking"
	"diurna/reader/plain"
	"diurna/store"
)

var subjects = map[string]ranking.Subject{"feed": ranking.Feed, "category": ranking.Category, "topic": ranking.Topic,
	"word": ranking.Word, "author": ranking.Author}

func (r *Reader) teach(ctx context.Context, lessons []Lesson) (Done, string, error) {
	in, err := r.loadInterest(ctx, bare)
	if err != nil {
		return Done{}, "", err
	}
	feeds, err := r.feedsByKey(ctx)
	if err != nil {
		return Done{}, "", err
	}
	var changes []store.Change
	var said []string
	for _, l := range lessons {
		c, what, err := in.lesson(ctx, r.store, l, feeds)
		if err != nil {
			return Done{}, "", err
		}
		changes = append(changes, c)
		said = append(said, what)
	}
	done, err := r.actOnEvidence(ctx, "", changes)
	return done, strings.Join(said, "; "), err
}

// lesson is what a lesson changes, and what it teaches in words.
func (in *interest) lesson(ctx context.Context, s *store.Store, l Lesson, feeds map[FeedID]*Feed) (store.Change, string, error) {
	act, word := ranking.More, "more"
	if l.Less {
		act, word = ranking.Less, "less"
	}
	if l.Item != 0 {
		if err := in.describe(ctx, s, []ItemID{l.Item}); err != nil {
			return store.Change{}, "", fmt.Errorf("describe %s: %w", l.Item, err)
		}
		var parts []string
		why := in.why(l.Item, feeds)
		if it, err := s.Item(ctx, l.Item); err == nil {
			why.inWords(it.Title) // else their stems say it
		}
		for _, t := range why.Terms {
			if t.Kind != ranking.Folder.String() && t.Kind != ranking.Author.String() && len(parts) < 5 {
				parts = append(parts, t.Kind+" "+t.Name)
			}
		}
		return lessonChange(&ranking.Lesson{Act: act}, l.Item), word + " like " + strings.Join(parts, ", "), nil
	}
	of, ok := subjects[l.Subject]
	if !ok {
		return store.Change{}, "", fmt.Errorf("%q is nothing to learn about: feed, category, topic, word or author", l.Subject)
	}
	name, called := strings.ToLower(plain.Line(l.Name, 200)), ""
	switch of {
	case ranking.Feed:
		id, ok := ParseFeedID(l.Name)
		if !ok || feeds[id] == nil {
			return store.Change{}, "", &said{fmt.Sprintf("no feed %q", l.Name), ErrNotFound}
		}
		name = id.String()
	case ranking.Word:
		name, called = stemOf(name), name // counted by its stem, told as it was written
	case ranking.Topic:
		if name = in.topicNamed(l.Name); name == "" {
			return store.Change{}, "", &said{fmt.Sprintf("no learned topic is called %q", l.Name), ErrNotFound}
		}
	}
	if name == "" {
		return store.Change{}, "", fmt.Errorf("%s %q is nothing to learn about", l.Subject, l.Name)
	}
	if called == "" {
		called = in.nameOf(of, name, feeds)
	}
	return lessonChange(&ranking.Lesson{Act: act, Subject: of, Name: name}), word + " like " + l.Subject + " " + called, nil
}

// topicNamed finds a topic by its name or a part of it; "" for none.
func (in *interest) topicNamed(name string) string {
	if in.model == nil || name == "" {
		return ""
	}
	for _, t := range in.model.Topics {
		if containsFold(t.Name, strings.ToLower(name)) {
			return topicKey(t.ID)
		}
	}
	return ""
}

// actOnEvidence does changes of the evidence as one step.
func (r *Reader) actOnEvidence(ctx context.Context, scope string, changes []store.Change) (Done, error) {
	if len(changes) == 0 {
		return Done{}, nil
	}
	d, err := r.store.Act(ctx, r.now(), scope, changes...)
	if err != nil {
		return Done{}, fmt.Errorf("change the evidence: %w", err)
	}
	return Done{Step: d.Step, Changed: d.Changed}, nil
}

func (r *Reader) freeze(ctx context.Context, on bool) (Done, error) {
	in, err := r.loadInterest(ctx, bare)
	if err != nil || in.b.Frozen() == on {
		return Done{}, err
	}
	act := ranking.Thaw
	if on {
		act = ranking.Freeze
	}
	return r.actOnEvidence(ctx, "", []store.Change{lessonChange(&ranking.Lesson{Act: act})})
}

func (r *Reader) resetEvidence(ctx context.Context) (Done, error) {
	return r.actOnEvidence(ctx, "", []store.Change{lessonChange(&ranking.Lesson{Act: ranking.Reset})})
}

// forgetEvidence rewrites the log, and the file, so that no free page keeps what
// was forgotten; the checkpoint that was folded from it goes as well.
func (r *Reader) forgetEvidence(ctx context.Context, since time.Time) (int, error) {
	n, err := r.store.Forget(ctx, since)
	if err != nil {
		return 0, fmt.Errorf("forget: %w", err)
	}
	if err := r.store.Cache().Delete(ctx, interestBucket); err != nil {
		return n, fmt.Errorf("forget what was learned: %w", err)
	}
	if _, _, err := r.store.Compact(ctx); err != nil {
		return n, fmt.Errorf("give free pages back: %w", err)
	}
	return n, nil
}

func (r *Reader) evidence(ctx context.Context) (Evidence, error) {
	in, err := r.loadInterest(ctx, bare)
	if err != nil {
		return Evidence{}, err
	}
	set := in.b.Setting()
	e := Evidence{Opened: in.b.Opens(), Shown: in.b.Shows(), Frozen: in.b.Frozen(), Explore: set.Explore, Keep: set.Keep, Idle: set.Idle,
		Features: strings.Count(in.b.Table(), "\n") - 1}
	_, e.OwnReading = in.b.Reading(1)
	if e.Since, err = r.evidenceSince(ctx); err != nil {
		return e, err
	}
	feeds, err := r.feeds(ctx)
	if err != nil {
		return e, err
	}
	for _, f := range feeds {
		switch f.Attrs[learningField] {
		case pinned:
			e.Pinned = append(e.Pinned, f)
		case leftOut:
			e.LeftOut = append(e.LeftOut, f)
		}
	}
	if in.model != nil {
		for _, t := range in.model.Topics {
			e.Topics = append(e.Topics, t.Name)
		}
	}
	return e, nil
}

// evidenceText is the model's table with names that a person knows: a feed's and
// a topic's key is followed by what it is called.
func (r *Reader) evidenceText(ctx context.Context) ([]byte, error) {
	in, err := r.loadInterest(ctx, bare)
	if err != nil {
		return nil, err
	}
	feeds, err := r.feedsByKey(ctx)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(in.b.Table(), "\n")
	for i, line := range lines {
		kind, rest, _ := strings.Cut(line, "\t")
		quoted, counts, _ := strings.Cut(rest, "\t")
		name, err := strconv.Unquote(quoted)
		if err != nil || kind != "feed" && kind != "topic" {
			continue
		}
		if called := in.nameOf(subjects[kind], name, feeds); called != name {
			lines[i] = kind + "\t" + strconv.Quote(name+" "+plain.Line(called, 0)) + "\t" + counts
		}
	}
	return []byte(strings.Join(lines, "\n")), nil
}

func (r *Reader) applyEvidence(ctx context.Context, text []byte) (Done, error) {
	in, err := r.loadInterest(ctx, bare)
	if err != nil {
		return Done{}, err
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		kind, rest, _ := strings.Cut(line, "\t")
		quoted, counts, _ := strings.Cut(rest, "\t")
		if name, err := strconv.Unquote(quoted); err == nil && (kind == "feed" || kind == "topic") {
			key, _, _ := strings.Cut(name, " ")
			lines[i] = kind + "\t" + strconv.Quote(key) + "\t" + counts
		}
	}
	lessons, err := in.b.EditTable(strings.Join(lines, "\n"))
	if err != nil {
		return Done{}, err
	}
	changes := make([]store.Change, len(lessons))
	for i := range lessons {
		changes[i] = lessonChange(&lessons[i])
	}
	return r.actOnEvidence(ctx, "the evidence table", changes)
}

// saw notes what was shown, in one fact a feed's order of items needs not be kept.
func (r *Reader) saw(ctx context.Context, at time.Time, sights []Sight) error {
	if len(sights) == 0 || !r.store.Exists() {
		return nil
	}
	f := store.Fact{Kind: store.Shown, At: at}
	for _, s := range sights {
		f.Items = append(f.Items, s.ID)
		f.Nums = append(f.Nums, int64(s.Row))
	}
	if err := r.store.Note(ctx, r.now(), f); err != nil {
		return fmt.Errorf("note what was shown: %w", err)
	}
	return nil
}

func (r *Reader) rankedHindsight(ctx context.Context, rows, opens int) (Hindsight, error) {
	defer r.sweepLater()
	if rows <= 0 {
		rows = 20
	}
	h := Hindsight{Rows: rows}
	cached := r.readInterest(ctx, described)
	h.Total = cached.b.Opens()
	in := newInterest(cached.model, cached.head.Fit, cached.head.FitItems)
	if cached.head.Last > 0 {
		in.b, in.vec = cached.b, cached.vec // described already; the evidence is folded anew
	}
	in.keep = true
	in, err := r.foldInterest(ctx, in)
	if err != nil {
		return h, err
	}
	if h.Total = in.b.Opens(); h.Total < OpensNeeded {
		return h, nil
	}
	var from time.Time
	if opens == 0 {
		from, opens = r.now().AddDate(0, 0, -statDays), recentOpens(in.events, r.now().AddDate(0, 0, -statDays).Unix())
	}
	stays, err := r.stays(ctx, in, from)
	if err != nil {
		return h, err
	}
	got := in.b.Replay(in.events, stays, rows, opens)
	h.Opens, h.Ranked, h.Newest = got.Opens, got.Ranked, got.Newest
	return h, nil
}

func recentOpens(events []ranking.Event, from int64) int {
	n := 0
	for i := range events {
		if events[i].Kind == ranking.Opened && events[i].At >= from {
			n++
		}
	}
	return max(n, 1)
}

// stays says of the items that came unread how long they were.
func (r *Reader) stays(ctx context.Context, in *interest, from time.Time) ([]ranking.Stay, error) {
	type stay struct{ at, until int64 }
	all := map[ItemID]stay{}
	_, err := r.store.Facts(ctx, 0, func(f *store.Fact) error {
		switch f.Kind {
		case store.Arrived:
			for i, id := range f.Items {
				if !f.Unread[i] {
					continue
				}
				at := f.At.Unix()
				if f.Nums[i] != store.Dateless {
					at = min(at, at+f.Nums[i])
				}
				all[id] = stay{at: at}
			}
		case store.Opened, store.MarkedRead, store.Forgotten:
			for _, id := range f.Items {
				if s, ok := all[id]; ok && s.until == 0 {
					s.until = f.At.Unix()
					all[id] = s
				}
			}
		case store.MarkedUnread:
			for _, id := range f.Items {
				if s, ok := all[id]; ok {
					s.until = 0
					all[id] = s
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	ids := make([]ItemID, 0, len(all))
	for id, s := range all {
		if s.until == 0 || s.until >= from.Unix() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	if err := in.describe(ctx, r.store, ids); err != nil {
		return nil, err
	}
	out := make([]ranking.Stay, 0, len(ids))
	for _, id := range ids {
		if v := in.vec.get(id); v != nil {
			out = append(out, ranking.Stay{Candidate: ranking.Candidate{ID: uint64(id), At: all[id].at, Item: *v}, Until: all[id].until})
		}
	}
	return out, nil
}
