package interest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"diurna/ranking"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/store"
)

var subjects = map[string]ranking.Subject{"feed": ranking.Feed, "category": ranking.Category, "topic": ranking.Topic,
	"word": ranking.Word, "author": ranking.Author}

// Train notes feedback as one step. The answer says in words what was trained.
func (r *Ranker) Train(ctx context.Context, now time.Time, feedback ...Feedback) (model.Done, string, error) {
	feeds, err := r.titles(ctx)
	if err != nil {
		return model.Done{}, "", err
	}
	in, err := r.load(ctx, bare)
	if err != nil {
		return model.Done{}, "", err
	}
	var changes []store.Change
	var said []string
	for _, l := range feedback {
		c, what, err := in.feedbackChanges(ctx, r.lib, l, feeds)
		if err != nil {
			return model.Done{}, "", err
		}
		changes = append(changes, c)
		said = append(said, what)
	}
	done, err := r.act(ctx, now, "", changes)
	return done, strings.Join(said, "; "), err
}

// feedbackChanges is what feedback changes in the library, and in words.
func (in *learned) feedbackChanges(ctx context.Context, s Library, l Feedback, feeds Titles) (store.Change, string, error) {
	act, word := ranking.More, "more"
	if l.Less {
		act, word = ranking.Less, "less"
	}
	if l.Item != 0 {
		if err := in.vectorize(ctx, s, []store.ItemID{l.Item}); err != nil {
			return store.Change{}, "", fmt.Errorf("describe %s: %w", l.Item, err)
		}
		var parts []string
		why, title := in.why(l.Item, feeds), ""
		if it, err := s.Item(ctx, l.Item); err == nil {
			why.inWords(it.Title) // else their stems say it
			title = plain.Line(it.Title, 80)
		}
		for _, t := range why.Terms {
			if t.Kind != ranking.Folder.String() && t.Kind != ranking.Author.String() && len(parts) < 5 {
				parts = append(parts, t.Kind+" "+t.Name)
			}
		}
		return feedbackChange(&ranking.Feedback{Act: act, Name: title}, l.Item), word + " like " + strings.Join(parts, ", "), nil
	}
	of, ok := subjects[l.Subject]
	if !ok {
		return store.Change{}, "", fmt.Errorf("%q is not one of feed, category, topic, word or author", l.Subject)
	}
	name, called := strings.ToLower(plain.Line(l.Name, 200)), ""
	switch of {
	case ranking.Feed:
		id, ok := store.ParseFeedID(l.Name)
		if ok {
			_, ok = feeds(id)
		}
		if !ok {
			return store.Change{}, "", model.NoFeed(l.Name)
		}
		name = id.String()
	case ranking.Word:
		name, called = stemOf(name), name // counted by its stem, shown as it was written
	case ranking.Topic:
		if name = in.topicNamed(l.Name); name == "" {
			return store.Change{}, "", &model.UserError{Sentence: fmt.Sprintf("there is no learned topic %q", l.Name), Kind: model.ErrNotFound, Try: "diurna evidence lists what was learned"}
		}
	}
	if name == "" {
		return store.Change{}, "", fmt.Errorf("there is no evidence about %s %q", l.Subject, l.Name)
	}
	if called == "" {
		called = in.nameOf(of, name, feeds)
	}
	return feedbackChange(&ranking.Feedback{Act: act, Subject: of, Name: name}), word + " like " + l.Subject + " " + called, nil
}

// topicNamed finds a topic by its name or a part of it; "" for none.
func (in *learned) topicNamed(name string) string {
	if in.model == nil || name == "" {
		return ""
	}
	for _, t := range in.model.Topics {
		if strings.Contains(strings.ToLower(t.Name), strings.ToLower(name)) {
			return topicKey(t.ID)
		}
	}
	return ""
}

// act does changes of the evidence as one step.
func (r *Ranker) act(ctx context.Context, now time.Time, scope string, changes []store.Change) (model.Done, error) {
	if len(changes) == 0 {
		return model.Done{}, nil
	}
	d, err := r.lib.Act(ctx, now, scope, changes...)
	if err != nil {
		return model.Done{}, fmt.Errorf("change the evidence: %w", err)
	}
	return model.Done{Step: d.Step, Changed: d.Changed}, nil
}

// Freeze switches learning off, or on again, as one step.
func (r *Ranker) Freeze(ctx context.Context, now time.Time, on bool) (model.Done, error) {
	in, err := r.load(ctx, bare)
	if err != nil || in.b.Frozen() == on {
		return model.Done{}, err
	}
	act := ranking.Thaw
	if on {
		act = ranking.Freeze
	}
	return r.act(ctx, now, "", []store.Change{feedbackChange(&ranking.Feedback{Act: act})})
}

// Reset forgets all that was learned, as one step. Pins and what is left out stay.
func (r *Ranker) Reset(ctx context.Context, now time.Time) (model.Done, error) {
	return r.act(ctx, now, "", []store.Change{feedbackChange(&ranking.Feedback{Act: ranking.Reset})})
}

// Forget takes what facts since then tell about interest out of the log, which
// cannot be undone, and returns how many facts that were. It rewrites the log and the file, so that no free page keeps what
// was forgotten; the checkpoint that was folded from it goes as well.
func (r *Ranker) Forget(ctx context.Context, since time.Time) (int, error) {
	n, err := r.lib.Forget(ctx, since)
	if err != nil {
		return 0, fmt.Errorf("forget: %w", err)
	}
	if err := r.lib.Cache().Delete(ctx, interestBucket); err != nil {
		return n, fmt.Errorf("forget what was learned: %w", err)
	}
	if _, _, err := r.lib.Compact(ctx); err != nil {
		return n, fmt.Errorf("give free pages back: %w", err)
	}
	return n, nil
}

// Evidence says what was learned.
func (r *Ranker) Evidence(ctx context.Context) (Evidence, error) {
	in, err := r.load(ctx, bare)
	if err != nil {
		return Evidence{}, err
	}
	set := in.b.Setting()
	e := Evidence{Opened: in.b.Opens(), Shown: in.b.Shows(), Frozen: in.b.Frozen(), Explore: set.Explore, Keep: set.Keep, Idle: set.Idle,
		Features: strings.Count(in.b.Table(), "\n") - 1}
	_, e.OwnReading = in.b.Reading(1)
	if e.Since, err = r.since(ctx); err != nil {
		return e, err
	}
	if in.model != nil {
		for _, t := range in.model.Topics {
			e.Topics = append(e.Topics, t.Name)
		}
	}
	feeds, err := r.feeds.Feeds(ctx)
	for _, f := range feeds {
		switch f.Settings.Learning {
		case model.Pinned:
			e.Pinned = append(e.Pinned, f)
		case model.Excluded:
			e.LeftOut = append(e.LeftOut, f)
		}
	}
	return e, err
}

// EvidenceTable writes the evidence for a text editor: kind, name, opened and not
// opened in decayed counts, with tabs between them. A feed's and a topic's key is
// followed by what it is called.
func (r *Ranker) EvidenceTable(ctx context.Context) ([]byte, error) {
	feeds, err := r.titles(ctx)
	if err != nil {
		return nil, err
	}
	in, err := r.load(ctx, bare)
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

// ApplyEvidence makes the evidence what the edited table says, as one step.
func (r *Ranker) ApplyEvidence(ctx context.Context, now time.Time, text []byte) (model.Done, error) {
	in, err := r.load(ctx, bare)
	if err != nil {
		return model.Done{}, err
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
	feedback, err := in.b.EditTable(strings.Join(lines, "\n"))
	if err != nil {
		return model.Done{}, err
	}
	changes := make([]store.Change, len(feedback))
	for i := range feedback {
		changes[i] = feedbackChange(&feedback[i])
	}
	return r.act(ctx, now, "the evidence table", changes)
}

// Shown notes which items stood on the screen long enough to be read, until at, with
// the best row of each, as one fact.
func (r *Ranker) Shown(ctx context.Context, now, at time.Time, impressions []Impression) error {
	if len(impressions) == 0 || !r.lib.Exists() {
		return nil
	}
	f := store.Fact{Kind: store.Shown, At: at}
	for _, s := range impressions {
		f.Items = append(f.Items, s.ID)
		f.Nums = append(f.Nums, int64(s.Row))
	}
	if err := r.lib.Note(ctx, now, f); err != nil {
		return fmt.Errorf("note what was shown: %w", err)
	}
	return nil
}

// Hindsight replays the log: how many of the newest opens, of the last 28 days where
// opens is 0, would have stood on the first screen of rows rows. Total says how many
// items were opened ever; below OpensNeeded nothing is replayed.
func (r *Ranker) Hindsight(ctx context.Context, now time.Time, rows, opens int) (Hindsight, error) {
	from := now.AddDate(0, 0, -hindsightDays)
	defer r.sweepLater()
	if rows <= 0 {
		rows = 20
	}
	h := Hindsight{Rows: rows}
	cached := r.read(ctx, vectorized)
	h.Total = cached.b.Opens()
	in := newLearned(cached.model, cached.head.Fit, cached.head.FitItems)
	if cached.head.Last > 0 {
		in.b, in.vec = cached.b, cached.vec // described already; the evidence is folded again
	}
	in.keep = true
	in, err := r.fold(ctx, in)
	if err != nil {
		return h, err
	}
	if h.Total = in.b.Opens(); h.Total < OpensNeeded {
		return h, nil
	}
	if opens == 0 {
		opens = recentOpens(in.events, from.Unix())
	} else {
		from = time.Time{}
	}
	stays, err := r.unreadPeriods(ctx, in, from)
	if err != nil {
		return h, err
	}
	got := in.b.Replay(in.events, stays, rows, opens)
	h.Opens, h.Ranked, h.Newest = got.Opens, got.Ranked, got.Newest
	h.Looks, h.NDCG, h.NDCGNewest, h.Gain, h.Low, h.High = got.Looks, got.NDCG, got.NDCGNewest, got.Gain, got.Low, got.High
	h.Judged, h.CalibrationError = got.Rows, got.Error
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

// unreadPeriods says of the items that came unread how long they were.
func (r *Ranker) unreadPeriods(ctx context.Context, in *learned, from time.Time) ([]ranking.Stay, error) {
	type stay struct{ at, until int64 }
	all := map[store.ItemID]stay{}
	_, err := r.lib.Facts(ctx, 0, func(f *store.Fact) error {
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
	ids := make([]store.ItemID, 0, len(all))
	for id, s := range all {
		if s.until == 0 || s.until >= from.Unix() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	if err := in.vectorize(ctx, r.lib, ids); err != nil {
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

// since is when the oldest thing that was learned from happened.
func (r *Ranker) since(ctx context.Context) (time.Time, error) {
	var at time.Time
	found := errors.New("found")
	_, err := r.lib.Facts(ctx, 0, func(f *store.Fact) error {
		if (f.Kind == store.Shown && len(f.Items) > 0 || f.Kind == store.Opened || f.Kind == store.Saved && f.ByRule() == 0) && f.Field != FromSearch {
			at = f.At
			return found
		}
		return nil
	})
	if err != nil && !errors.Is(err, found) && !errors.Is(err, store.ErrNone) {
		return at, fmt.Errorf("read the log: %w", err)
	}
	return at, nil
}
