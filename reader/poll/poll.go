// Package poll says what is remembered of a feed's fetching after an answer, and
// whether a feed may be fetched now: the etiquette. Everything here is a function
// of its arguments. Start with Next and Rules.Early.
package poll

import (
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
	"time"

	"diurna/reader/feed"
	"diurna/reader/fetch"
	"diurna/reader/match"
	"diurna/reader/model"
	"diurna/reader/wording"
	"diurna/store"
)

// The etiquette that no setting lifts.
const (
	waitFirst               = time.Hour        // after a first error
	waitNetwork             = 10 * time.Minute // to twice that, when nobody was reached because there is no network
	WaitMax                 = 24 * time.Hour   // after many, and for what a publisher forbids by 4xx
	waitBusy                = 4 * time.Hour    // 429 and 503 without Retry-After
	notFoundWait            = 3                // 404 that often in a row: once a day from then on
	moveSightings, moveDays = 5, 7             // a permanent redirect is believed after
	keepChecks              = 256              // check times kept until the next fact carries them off
)

// Rules are what the user's settings say of fetching; times below 0 mean none.
type Rules struct {
	MinPoll   time.Duration // between two polls of one URL
	MinManual time.Duration // the same when asked for by hand
	MinRetry  time.Duration // first wait after an error
	PerDay    int           // fetches per feed and day, evenly spaced, until a plan says better
}

// Answer is one answer of the web.
type Answer struct {
	At     time.Time
	Asked  string // the URL that was asked for
	Result *fetch.Result
	Doc    *feed.Document
	Self   string // what the document calls its own address, without secrets
	Err    error  // why there is no document; nil with a 304, too
	Hash   uint64 // of the body
	Same   bool   // 304, or the very body of last time
	Shared bool   // another watch made the request
}

// Next works out what is remembered of a feed's fetching after an answer.
// It is a function of its arguments alone.
func Next(old store.Poll, a *Answer, id store.FeedID, r Rules) store.Poll {
	p := old
	p.LastFetch = a.At
	p.Status = a.Result.Status
	p.NotBefore, p.NotBeforeBy = a.Result.NotBefore, store.ServerWait(a.Result.NotBeforeBy)
	CountDay(&p, a)
	sighting(&p, a)
	if a.Err != nil {
		troubled(&p, &old, a, id, r)
		return p
	}
	p.Err, p.Trouble, p.Tries, p.Since, p.Gone = "", store.TroubleOther, 0, time.Time{}, false
	if !a.Doc.Partial || len(a.Doc.Items) > 0 { // else the first fetch that brings items is yet to come
		p.LastOK = a.At
	}
	p.NoNetwork, p.BusyRun = false, 0
	// Both validators of the answer, as they came; a 304 may bring new ones
	// and may leave out those that still hold.
	if a.Result.ETag != "" || !a.Result.NotModified {
		p.ETag = a.Result.ETag
	}
	if a.Result.LastModified != "" || !a.Result.NotModified {
		p.LastModified = a.Result.LastModified
	}
	p.ValidatorsFor = a.Result.URL
	if a.Same {
		p.Outcome = store.AnswerSame
		p.Checks = appendCheck(p.Checks, a.At.Add(-a.Result.Took)) // when it was asked: what came out later is none of its misses
	} else {
		p.ReadAt, p.TitlesTaken = a.At.Unix(), true
		p.Self = a.Self
		p.SharedIDs = string(match.SharedIDs(p.SharedIDs).With(a.Doc))
		p.LeftOut = a.Doc.LeftOut
		p.Outcome, p.BodyHash, p.Window = store.AnswerRead, a.Hash, len(a.Doc.Items)
		p.TTL, p.SkipHours, p.SkipDays = a.Doc.TTL, a.Doc.SkipHours, weekdays(a.Doc.SkipDays)
		if a.Doc.UpdateEvery > p.TTL {
			p.TTL = a.Doc.UpdateEvery
		}
		if p.Partial = a.Doc.Partial; p.Partial {
			// What validates half a document must not let the other half be
			// answered with "not changed".
			p.ETag, p.LastModified, p.BodyHash = "", "", 0
			p.Err, p.Since = CutShort(len(a.Doc.Items)), sinceOr(old.Since, a.At)
		}
	}
	if ttl := a.At.Add(min(p.TTL, WaitMax)); p.TTL > 0 && ttl.After(p.NotBefore) {
		p.NotBefore, p.NotBeforeBy = ttl, store.ServerWait(fmt.Sprintf("ttl %d", int(p.TTL.Minutes())))
	}
	p.NextFetch, p.NextReason = r.due(&p, a.At, id), store.SlotEvenly
	return p
}

// CutShort says that the end of a document did not arrive.
func CutShort(kept int) string {
	if kept == 1 {
		return "the feed was cut short; 1 complete item was kept"
	}
	return fmt.Sprintf("the feed was cut short; %d complete items were kept", kept)
}

// stuckAfter is how long a feed that is known to post may answer "not changed"
// before it is asked once without validators: a broken cache in between would
// say it for ever.
const stuckAfter = 14 * 24 * time.Hour

// Doubtful reports whether the feed's "not changed" should be doubted.
func Doubtful(f *store.Feed, now time.Time) bool {
	if f.Poll.ReadAt == 0 || f.LastPost.IsZero() || f.Poll.Tries > 0 {
		return false // one that fails does not even say "not changed"
	}
	return now.Sub(time.Unix(f.Poll.ReadAt, 0)) > stuckAfter && now.Sub(f.LastPost) < model.SilentAfter
}

// troubled records a failure: since when, why, and when to try again.
func troubled(p, old *store.Poll, a *Answer, id store.FeedID, r Rules) {
	p.Since, p.Err, p.Outcome = sinceOr(p.Since, a.At), a.Err.Error(), store.AnswerFailed
	if p.Trouble = troubleOf(a); p.Trouble == store.TroublePrivate || p.Trouble == store.TroubleLedPrivate {
		p.Err += ", refused by diurna" // no server did that
	}
	var fe *fetch.Error
	if errors.As(a.Err, &fe) && fe.Kind == fetch.KindUnreachable {
		// Not the publisher's doing: the feed is no worse than it was, and is
		// asked soon after the network is back.
		p.Tries, p.NoNetwork = max(p.Tries, 1), true
		p.NotBefore, p.NotBeforeBy = old.NotBefore, old.NotBeforeBy
		p.NextFetch, p.NextReason = a.At.Add(waitNetwork+jitter(id, waitNetwork)), store.SlotRetry
		if old.Tries > 0 && old.NextFetch.After(p.NextFetch) {
			p.NextFetch = old.NextFetch // what an earlier failure asks for stands
		}
		return
	}
	p.NoNetwork = false
	p.Tries++
	wait := min(r.MinRetry<<min(p.Tries-1, 10), WaitMax)
	var se *StatusError
	if errors.As(a.Err, &se) {
		switch {
		case se.Status == http.StatusGone:
			p.Gone = true // asked again only by hand
		case se.Status == http.StatusNotFound && p.Tries >= notFoundWait,
			se.Status == http.StatusUnauthorized, se.Status == http.StatusForbidden:
			wait = WaitMax
		case se.Status == http.StatusTooManyRequests, se.Status == http.StatusServiceUnavailable:
			run := p.BusyRun
			p.BusyRun++
			if p.NotBefore.IsZero() {
				p.NotBefore, p.NotBeforeBy = a.At.Add(min(waitBusy<<min(run, 10), WaitMax)), store.Wait{Cause: store.WaitStatus, Status: se.Status}
			}
			// The feed itself rests longer each time, also where a healthy one
			// beside it has opened the host again.
			wait = max(p.NotBefore.Sub(a.At), min(r.MinRetry<<min(p.Tries-1, 10), WaitMax))
			if p.NotBeforeBy.Cause == store.WaitStatus {
				wait = max(wait, min(waitBusy<<min(p.Tries-1, 10), WaitMax))
			}
		}
	}
	wait += jitter(id, wait/10)
	p.NextFetch, p.NextReason = a.At.Add(wait), store.SlotRetry
	if p.NotBefore.After(p.NextFetch) {
		p.NextFetch = p.NotBefore
	}
}

// due is when a healthy feed is fetched next: evenly spaced, never before the
// server's wish, and with a shift of its own so that feeds do not march in step.
func (r Rules) due(p *store.Poll, now time.Time, id store.FeedID) time.Time {
	every := max(24*time.Hour/time.Duration(r.PerDay), r.bareFloor(p))
	next := now.Add(every - jitter(id, every/20))
	if next.Before(p.NotBefore) {
		next = p.NotBefore
	}
	return next
}

// jitter is a share of span, fixed for a feed, so that plans can be repeated.
func jitter(id store.FeedID, span time.Duration) time.Duration {
	if span <= 0 {
		return 0
	}
	f := fnv.New64a()
	fmt.Fprintf(f, "%d", id)
	return time.Duration(f.Sum64() % uint64(span))
}

func sinceOr(since, now time.Time) time.Time {
	if since.IsZero() {
		return now
	}
	return since
}

func appendCheck(checks []int64, at time.Time) []int64 {
	if len(checks) >= keepChecks { // thin out: the older half at half the rate
		kept := checks[:0:0]
		for i, c := range checks {
			if i >= keepChecks/2 || i%2 == 0 {
				kept = append(kept, c)
			}
		}
		checks = kept
	}
	return append(slices.Clip(checks), at.Unix())
}

// CountDay adds the request to the day's counters, of which 28 are kept.
func CountDay(p *store.Poll, a *Answer) {
	if a.Shared {
		return // it stands in the counters of the watch that asked
	}
	NoteFetch(p, a.At, 1)
	d := CountMore(p, a.At, 1+len(a.Result.Hops))
	if a.Result.NotModified {
		d.NotChanged = addCapped(d.NotChanged, 1)
	}
	d.KB += uint32((a.Result.WireBytes + 1023) / 1024)
}

// CountMore adds n requests to a day.
func CountMore(p *store.Poll, at time.Time, n int) *store.DayCount {
	day := int32(at.Unix() / 86400)
	d := &p.Days[int(day)%len(p.Days)]
	if d.Day != day {
		*d = store.DayCount{Day: day}
	}
	d.Requests = addCapped(d.Requests, n)
	return d
}

func addCapped(v uint16, n int) uint16 { return uint16(min(int(v)+n, 1<<16-1)) }

// sighting notes where permanent redirects lead. They are believed only after
// five in a row over seven days, because a captive portal answers 301 as well.
func sighting(p *store.Poll, a *Answer) {
	to := a.Result.Permanent
	if a.Err != nil && to == "" {
		return // a failure says nothing about where the feed lives
	}
	if to == "" || to == a.Asked {
		p.MovedTo, p.MovedSince, p.MovedSeen = "", time.Time{}, 0
		return
	}
	if p.MovedTo != to {
		p.MovedTo, p.MovedSince, p.MovedSeen = to, a.At, 0
	}
	p.MovedSeen++
}

// Trusted reports whether the move has been seen often and long enough.
func Trusted(p *store.Poll, now time.Time) bool {
	return p.MovedSeen >= moveSightings && now.Sub(p.MovedSince) >= moveDays*24*time.Hour
}

func weekdays(days []time.Weekday) []int {
	var out []int
	for _, d := range days {
		out = append(out, int(d))
	}
	return out
}

// ServerAsked reports whether a server named the time before which it wants no
// request, and not a rule of ours.
func ServerAsked(by store.Wait) bool {
	return by.Cause == store.WaitServer || by.Cause == store.WaitNone
}

// Early is what forbids a fetch now, and until when. By hand shortens the floor
// between polls, never what the server asked for.
func (r Rules) Early(f *store.Feed, now time.Time, byHand bool) (rule model.Rule, next time.Time) {
	p := &f.Poll
	if p.LastFetch.After(now.Add(time.Hour)) {
		return model.Rule{}, time.Time{} // the clock went back: ask
	}
	if p.NotBefore.After(now) && p.NotBefore.Before(now.Add(model.MaxServerWait)) {
		if p.BusyRun > 0 && p.Status != http.StatusTooManyRequests && p.Status != http.StatusServiceUnavailable {
			return model.Rule{Kind: model.RuleHost, Why: hostBusy(p)}, p.NotBefore
		}
		wait := wording.Spoken(p.NotBefore.Sub(p.LastFetch))
		if !ServerAsked(p.NotBeforeBy) {
			return model.Rule{Kind: model.RuleStatus, Why: "after " + p.NotBeforeBy.String() + " it is left alone for " + wait}, p.NotBefore
		}
		return model.Rule{Kind: model.RuleServer, Why: "the server asks for " + wait}, p.NotBefore
	}
	if p.LastFetch.IsZero() {
		return model.Rule{}, time.Time{} // never fetched: ask
	}
	if at := NextAllowed(p, now); !byHand && at.After(now) {
		return HourRule, at
	}
	if p.NoNetwork || p.Trouble == store.TroublePrivate {
		return model.Rule{}, time.Time{} // the last try reached nobody who could mind another
	}
	floor := r.Floor(f)
	rule = model.Rule{Kind: model.RulePolls, Why: "a feed is fetched once " + often(r.MinPoll) + " at most"}
	every := model.IntervalOf(f)
	switch {
	case every > 0 && !byHand:
		rule = model.Rule{Kind: model.RuleInterval, Why: "its interval is set to " + wording.Spoken(every)}
	case floor == BareWait && every == 0 && (!byHand || r.MinManual > 0 && f.Attrs[model.SettingPage] == ""):
		rule = BareRule
	case byHand:
		floor = r.MinManual
		rule = model.Rule{Kind: model.RuleByHand, Why: "by hand every " + strings.TrimPrefix(strings.TrimPrefix(wording.Spoken(r.MinManual), "an "), "a ") + " at most"}
	}
	if at := p.LastFetch.Add(floor); floor > 0 && at.After(now) {
		return rule, at
	}
	if byHand {
		return model.Rule{}, time.Time{}
	}
	if p.Tries > 0 && p.NextFetch.After(now) && p.NextFetch.Before(now.Add(model.MaxServerWait)) {
		return model.Rule{Kind: model.RuleFailed, Why: "it failed, so it is tried less often"}, p.NextFetch
	}
	return model.Rule{}, time.Time{}
}

// hostBusy says why a feed waits that did not itself answer 429 or 503.
func hostBusy(p *store.Poll) string {
	if ServerAsked(p.NotBeforeBy) {
		return "its host asked to wait, at another of its feeds"
	}
	return "its host is left alone after " + p.NotBeforeBy.String() + " of another of its feeds"
}

// HourRule is what skipHours and skipDays ask for.
var HourRule = model.Rule{Kind: model.RuleHours, Why: "the feed asks not to be fetched at this hour"}

// NextAllowed is the first moment from now on outside the hours and days that a
// feed asks to skip (skipHours and skipDays of RSS 2.0, in UTC). All hours or
// all days are no wish but a mistake.
func NextAllowed(p *store.Poll, now time.Time) time.Time {
	hours, days := Mask(p.SkipHours, 24), Mask(p.SkipDays, 7)
	if hours == 1<<24-1 {
		hours = 0
	}
	if days == 1<<7-1 {
		days = 0
	}
	at := now
	for range 8 * 24 {
		if u := at.UTC(); hours&(1<<u.Hour()) == 0 && days&(1<<u.Weekday()) == 0 {
			break
		}
		at = at.Add(time.Hour).Truncate(time.Hour)
	}
	return at
}

// BareWait is the floor for a feed whose server gives no validators: each fetch
// of it is a whole one.
const BareWait = 24 * time.Hour

// BareRule stands behind BareWait.
var BareRule = model.Rule{Kind: model.RuleValidators, Why: "its server gives no validators, so once a day"}

// Floor is the least time between two polls of a feed that nobody asked for.
func (r Rules) Floor(f *store.Feed) time.Duration {
	p := &f.Poll
	if every := model.IntervalOf(f); every > 0 {
		return every
	}
	return r.bareFloor(p)
}

// bareFloor is the floor of a feed without an interval of its own.
func (r Rules) bareFloor(p *store.Poll) time.Duration {
	if r.MinPoll > 0 && p.ETag == "" && p.LastModified == "" && !p.LastOK.IsZero() && (p.Err == "" || cutAgain(p)) {
		return max(BareWait, r.MinPoll)
	}
	return r.MinPoll
}

// cutAgain reports whether a feed was cut short more than once in a row: the
// first time the rest may follow within the hour, after that each fetch of it is
// a whole one like any without validators.
func cutAgain(p *store.Poll) bool { return p.Partial && p.Tries == 0 && p.LastFetch.After(p.Since) }

// often is how one says how often: "an hour", "in 40 minutes".
func often(d time.Duration) string {
	if s := wording.Spoken(d); strings.HasPrefix(s, "a") {
		return s
	}
	return "in " + wording.Spoken(d)
}

// Mask returns the bits below most as a set.
func Mask(bits []int, most int) uint32 {
	var m uint32
	for _, b := range bits {
		if b >= 0 && b < most {
			m |= 1 << b
		}
	}
	return m
}
