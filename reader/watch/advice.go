package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"diurna/reader/advice"
	"diurna/reader/model"
	"diurna/reader/page"
	"diurna/store"
)

const (
	adviceEvery = 7 * 24 * time.Hour
	adviceKey   = "page advice" // in the store's meta: what was offered when
	maxEvery    = 30 * 24 * time.Hour
)

// offered is advice that stands on the screen until it is answered or a week old.
type offered struct {
	Kind advice.Kind `json:"kind"`
	Rule string      `json:"rule,omitempty"`
	At   time.Time   `json:"at"`
}

// watchLog is what the facts say of one watch.
type watchLog struct {
	reported map[store.ItemID]time.Time
	opened   map[store.ItemID]bool
	adjusted time.Time // when a setting was changed last: what was reported before counts no more
	looked   time.Time // time of the last look; a change reported since then could not be opened
	events   []watchEvent
}

// adjustment is what the user did about a watch in a week.
type adjustment uint8

const (
	leftAlone adjustment = iota
	unasked              // a setting was changed without advice
	declined
	accepted
)

type watchEvent struct {
	at   time.Time
	what adjustment
}

// An adviceAnswer is what the user said to advice; it is kept in the settings of
// the page as "1732200000 accepted interval".
type adviceAnswer struct {
	at   time.Time // zero: none
	what adjustment
	kind advice.Kind
}

func (a adviceAnswer) String() string { return fmt.Sprintf("%d %s %s", a.at.Unix(), a.word(), a.kind) }

func (a adviceAnswer) word() string {
	if a.what == accepted {
		return "accepted"
	}
	return "declined"
}

// parseAnswer reads what String returns.
func parseAnswer(kept string) adviceAnswer {
	when, answer, _ := strings.Cut(kept, " ")
	word, kind, _ := strings.Cut(answer, " ")
	a := adviceAnswer{what: declined, kind: advice.Kind(kind)}
	if at, err := strconv.ParseInt(when, 10, 64); err == nil {
		a.at = time.Unix(at, 0)
	}
	if word == "accepted" {
		a.what = accepted
	}
	return a
}

// Suggestions lists the advice to offer now, at most one for a watch and week.
func (ps *Pages) Suggestions(ctx context.Context) ([]Suggestion, error) {
	pages, err := ps.List(ctx)
	if err != nil || len(pages) == 0 {
		return nil, err
	}
	logs, err := ps.watchLogs(ctx, pages)
	if err != nil {
		return nil, err
	}
	now := ps.now()
	shared := rates(pages, logs, now)
	before := ps.offers(ctx)
	after := map[store.FeedID]offered{}
	var out []Suggestion
	for i := range pages {
		p := &pages[i]
		if p.When != "" {
			continue // it reports by its condition alone, so there is nothing to ignore
		}
		standing, had := before[p.Key]
		fresh := had && now.Sub(standing.At) >= 0 && now.Sub(standing.At) < adviceEvery
		w, err := ps.watchedSoFar(ctx, p, logs[p.Key], shared, now)
		if err != nil {
			return nil, err
		}
		s, ok := advice.Suggest(w)
		if ok && s.Kind == advice.RaiseThreshold && len(p.IgnoreBlocks) == 0 {
			if err := ps.namePlace(ctx, p, logs[p.Key], &s); err != nil {
				return nil, err
			}
		}
		if fresh {
			after[p.Key] = standing
		}
		if !ok || s.Kind == advice.AlwaysChanges && p.Settings.Page.Always || fresh && (s.Kind != standing.Kind || s.Rule != standing.Rule) {
			continue
		}
		a := Suggestion{Page: p.Key, Kind: s.Kind, Rule: s.Rule, Reason: s.Reason, Chance: s.Verdict.Improve}
		if !ps.propose(ctx, &a, p, logs[p.Key]) {
			continue
		}
		if !fresh {
			after[p.Key] = offered{s.Kind, s.Rule, now}
		}
		out = append(out, a)
	}
	ps.keepOffers(ctx, before, after)
	return out, nil
}

// watchLogs reads the facts once for all watches.
func (ps *Pages) watchLogs(ctx context.Context, pages []Page) (map[store.FeedID]*watchLog, error) {
	logs := map[store.FeedID]*watchLog{}
	for i := range pages {
		logs[pages[i].Key] = &watchLog{reported: map[store.ItemID]time.Time{}, opened: map[store.ItemID]bool{}}
	}
	answered := map[uint64]bool{} // steps that answer advice: what else they set was not unasked
	var looked time.Time
	_, err := ps.store.Facts(ctx, 0, func(f *store.Fact) error {
		if f.Kind == store.Looked || f.Kind == store.Opened {
			looked = f.At
		}
		if f.Kind == store.Opened {
			for _, id := range f.Items {
				if l := logs[id.Feed()]; l != nil {
					l.opened[id] = true
				}
			}
			return nil
		}
		l := logs[f.Feed]
		switch {
		case l == nil:
		case f.Kind == store.Arrived:
			for _, id := range f.Items {
				l.reported[id] = f.At
			}
		case f.Kind == store.Adjusted:
			l.adjust(f, answered)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	for _, l := range logs {
		l.looked = looked
	}
	return logs, nil
}

// seen reports whether a change counts for advice: the settings are those it was
// reported under, and the user has looked since.
func (l *watchLog) seen(reported time.Time) bool {
	return reported.After(l.adjusted) && !reported.After(l.looked)
}

func (l *watchLog) adjust(f *store.Fact, answered map[uint64]bool) {
	if f.Field == AdviceAttr {
		answered[f.Step] = true
		l.events = append(l.events, watchEvent{f.At, parseAnswer(f.New).what})
		return
	}
	if f.Field != model.SettingInterval && !model.PageSetting(f.Field) {
		return
	}
	l.adjusted = f.At
	// The settings that a watch begins with are no change of mind, and those of
	// an accepted suggestion follow its answer in the same step.
	if !answered[f.Step] && f.Step == f.No {
		l.events = append(l.events, watchEvent{f.At, unasked})
	}
}

// useless counts the changes reported in a week of which none was looked at.
func (l *watchLog) useless(from, to time.Time) int {
	n := 0
	for id, at := range l.reported {
		if !at.Before(from) && at.Before(to) && !l.opened[id] {
			n++
		}
	}
	return n
}

// rates are the pay-offs p0..p3 and the habit of adjusting, observed over all
// watches: in how many weeks with useless news there was less of it in the next
// one, by what was done in between (Saeyor & Ishizuka, section 4).
func rates(pages []Page, logs map[store.FeedID]*watchLog, now time.Time) advice.Watched {
	var w advice.Watched
	by := [...]*advice.Rate{leftAlone: &w.Alone, unasked: &w.Unasked, declined: &w.Declined, accepted: &w.Accepted}
	for i := range pages {
		l := logs[pages[i].Key]
		for from := pages[i].Subscribed; !from.Add(2 * adviceEvery).After(now); from = from.Add(adviceEvery) {
			to := from.Add(adviceEvery)
			before := l.useless(from, to)
			if before == 0 {
				continue
			}
			did := leftAlone
			for _, e := range l.events {
				if !e.at.Before(from) && e.at.Before(to) && (did == leftAlone || did == unasked) {
					did = e.what
				}
			}
			rate := by[did]
			rate.Of++
			w.Adjusts.Of++
			if l.useless(to, to.Add(adviceEvery)) < before {
				rate.Good++
			}
			if did == unasked || did == accepted {
				w.Adjusts.Good++
			}
		}
	}
	return w
}

// watchedSoFar is what the game needs to know of one watch.
func (ps *Pages) watchedSoFar(ctx context.Context, p *Page, l *watchLog, shared advice.Watched, now time.Time) (advice.Watched, error) {
	w := shared
	f, err := ps.pageFeed(ctx, p.Key)
	if err != nil {
		return w, err
	}
	w.Fetches, w.Changed = f.Poll.Watch.Fetches, f.Poll.Watch.Differed
	for id, at := range l.reported {
		if l.seen(at) {
			w.Reported++
			if l.opened[id] {
				w.Opened++
			}
		}
	}
	w.DaysSince = -1
	if at := parseAnswer(p.Settings.Page.Advice).at; !at.IsZero() {
		w.DaysSince = max(int(now.Sub(at).Hours()/24), 0)
	}
	if len(l.reported) > 0 && len(p.Has) == 0 { // with words to look for, numbers alone are not reported
		w.Restless, err = ps.restless(ctx, f)
	}
	return w, err
}

// restless is the rule of a block of the page whose numbers change nearly every
// time and are in its last report, "" without one.
func (ps *Pages) restless(ctx context.Context, f *store.Feed) (string, error) {
	notes, err := ps.notesOf(ctx, f.ID)
	if err != nil {
		return "", err
	}
	last, err := ps.lastRevision(ctx, f.ID, &watchTarget{})
	if err != nil || last == nil {
		return "", err
	}
	n := notes[0]
	text, _ := page.Decode(last.body, last.ContentType)
	o := pageOptions(f, false)
	rules, err := page.Restless(text, n.remembered(), o)
	if err != nil {
		return "", fmt.Errorf("look at the blocks of %s: %w", f.URL, err)
	}
	rules = slices.DeleteFunc(rules, func(rule string) bool {
		return slices.Contains(o.IgnoreBlocks, rule) || slices.Contains(o.ReportBlocks, rule)
	})
	if len(rules) == 0 {
		return "", nil
	}
	c, err := ps.Change(ctx, f.ID, 0, 0)
	if err != nil {
		return "", nil // what it differed from may not be kept any more
	}
	for _, h := range c.Diff.Hunks {
		for i := range h.Rows {
			if row := &h.Rows[i]; row.Kind != page.Same && row.Class != page.Volatile && slices.Contains(rules, row.Rule) {
				return row.Rule, nil
			}
		}
	}
	return "", nil
}

// propose fills in what is set now and what accepting would set; false if there
// is nothing to set.
func (ps *Pages) propose(ctx context.Context, a *Suggestion, p *Page, l *watchLog) bool {
	switch a.Kind {
	case advice.RaiseInterval:
		now := p.Interval
		if now == 0 {
			now = 24 * time.Hour / time.Duration(ps.rules.PerDay)
		}
		to := min(2*now, maxEvery)
		a.From, a.To = shortTime(now), shortTime(to)
		return to > now
	case advice.RaiseThreshold:
		list, err := ps.store.PageRevisions(ctx, p.Key)
		if err != nil {
			return false
		}
		var scores []float64
		for _, rev := range list {
			id := store.MakeItemID(p.Key, rev.Item)
			if at, ok := l.reported[id]; ok && l.seen(at) && !l.opened[id] {
				scores = append(scores, rev.Score)
			}
		}
		if len(scores) == 0 {
			return false
		}
		slices.Sort(scores)
		to := math.Ceil(scores[len(scores)/2]*10) / 10 // half of what was not looked at
		a.From, a.To = formatScore(p.Threshold), formatScore(to)
		return to > p.Threshold
	case advice.IgnoreBlock:
		a.To = a.Rule
	}
	return true
}

// shortTime writes a duration as Adjust takes it, without empty parts.
func shortTime(d time.Duration) string {
	return strings.TrimSuffix(strings.TrimSuffix(d.Round(time.Minute).String(), "0s"), "0m")
}

func (ps *Pages) offers(ctx context.Context) map[store.FeedID]offered {
	out := map[store.FeedID]offered{}
	b, err := ps.store.Meta(ctx, adviceKey)
	if err != nil || json.Unmarshal(b, &out) != nil {
		return map[store.FeedID]offered{} // then it may be offered a little early
	}
	return out
}

func (ps *Pages) keepOffers(ctx context.Context, before, after map[store.FeedID]offered) {
	a, err := json.Marshal(before)
	b, err2 := json.Marshal(after)
	if errors.Join(err, err2) != nil || string(a) == string(b) {
		return
	}
	if err := ps.store.SetMeta(ctx, adviceKey, b); err != nil {
		slog.Debug("what was offered could not be noted", "error", err)
	}
}

// AnswerSuggestion notes the answer to advice, which teaches when to offer it
// again, and with accept changes the setting, all as one step.
func (ps *Pages) AnswerSuggestion(ctx context.Context, s Suggestion, accept bool) (model.Done, error) {
	f, err := ps.pageFeed(ctx, s.Page)
	if err != nil {
		return model.Done{}, err
	}
	answer := adviceAnswer{ps.now(), declined, s.Kind}
	if accept {
		answer.what = accepted
	}
	changes := []store.Change{{Kind: store.Adjusted, Feed: s.Page, Field: AdviceAttr, Value: answer.String()}}
	if accept {
		field, value := "", s.To
		switch s.Kind {
		case advice.RaiseInterval:
			if d, err := time.ParseDuration(value); err != nil || d < 15*time.Minute {
				return model.Done{}, fmt.Errorf("%q is not an interval of 15 minutes or more", value)
			}
			field = "interval"
		case advice.RaiseThreshold:
			if value, err = pageSetting("threshold", value); err != nil {
				return model.Done{}, err
			}
			field = attrThreshold
		case advice.IgnoreBlock:
			changes = append(changes, ruleChanges(f, s.Rule, attrBlocks)...)
		case advice.AlwaysChanges:
			field, value = attrAlways, "yes"
		default:
			return model.Done{}, fmt.Errorf("advice %q is not known", s.Kind)
		}
		if field != "" {
			changes = append(changes, store.Change{Kind: store.Adjusted, Feed: s.Page, Field: field, Value: value})
		}
	}
	d, err := ps.store.Act(ctx, ps.now(), "advice", changes...)
	if err != nil {
		return model.Done{}, fmt.Errorf("answer the advice: %w", err)
	}
	ps.fetcher.Nudge()
	return model.Done{Step: d.Step, Changed: d.Changed}, nil
}

// DescribeAnswer says an answer to advice, as attrAdvice keeps it, in words.
func DescribeAnswer(kept string) string {
	a := parseAnswer(kept)
	what := map[advice.Kind]string{advice.RaiseInterval: "to fetch it less often", advice.RaiseThreshold: "to report larger changes only",
		advice.IgnoreBlock: "to ignore a block", advice.AlwaysChanges: "that it always changes"}[a.kind]
	return strings.TrimSpace("advice " + what + " " + a.word())
}
