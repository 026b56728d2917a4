package reader

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/store"
)

// silentAfter is how long a feed may be quiet before doctor mentions it.
const silentAfter = 60 * 24 * time.Hour

func (r *Reader) doctor(ctx context.Context, progress func(string, int, int)) (Diagnosis, error) {
	var d Diagnosis
	if !r.store.Exists() {
		d.Library = "none yet"
		return d, nil
	}
	start := time.Now() // a duration, not a date
	rep, err := r.store.Check(ctx, true, progress)
	if errors.Is(err, store.ErrDamaged) {
		d.Findings = append(d.Findings, err.Error())
	} else if err != nil {
		return d, fmt.Errorf("check the library: %w", err)
	}
	for _, f := range rep.Findings {
		d.Findings = append(d.Findings, f.Where+": "+f.What)
	}
	if d.Damaged() {
		if d.Left, err = r.store.Remains(ctx, r.store.Path()); err != nil {
			d.Findings = append(d.Findings, err.Error())
		}
	}
	d.Items, d.Took = rep.Items, time.Since(start)
	if st, err := os.Stat(r.store.Path()); err == nil {
		d.Bytes = st.Size()
	}
	d.Free = diskFree(filepath.Dir(r.store.Path()))
	if err := r.hindered(ctx, &d); err != nil {
		return d, err
	}
	feeds, err := r.feeds(ctx)
	if err != nil {
		if d.Damaged() {
			return d, nil // the damage is the message; a list of feeds can wait
		}
		return d, err
	}
	d.Feeds = len(onlyFeeds(feeds))
	d.Pages = len(feeds) - d.Feeds
	if !d.Damaged() {
		if err := r.checkRevisions(ctx, feeds, &d); err != nil {
			return d, err
		}
	}
	now := r.now()
	if !d.Damaged() {
		if err := r.checkClock(ctx, &d, now); err != nil {
			return d, err
		}
	}
	if d.Fetcher == "" && !d.Damaged() {
		h, is, err := r.abandoned(ctx, now)
		if err != nil {
			return d, err
		}
		if is {
			d.Hindered = append(d.Hindered, h)
		}
	}
	lost := map[string]int{} // feeds of one title may say the same
	for i := range feeds {
		f := &feeds[i]
		if f.InTrouble() {
			d.Trouble = append(d.Trouble, Trouble{Feed: *f, What: troubleOf(f, now), Do: adviceFor(f, now)})
		} else if !f.Watched && !f.LastPost.IsZero() && now.Sub(f.LastPost) > silentAfter {
			d.Silent = append(d.Silent, *f)
		}
		if s := f.LossSentence(now); s != "" {
			lost[s]++
			if lost[s] == 1 {
				d.Lost = append(d.Lost, s)
			}
		}
	}
	for i, s := range d.Lost {
		if lost[s] > 1 {
			d.Lost[i] = s + " (" + wording.Plural(lost[s], "feed") + ")"
		}
	}
	return d, nil
}

// checkClock says whether the clock is behind what the library knows, and whether
// one was wrong before.
func (r *Reader) checkClock(ctx context.Context, d *Diagnosis, now time.Time) error {
	c, err := r.store.Clock(ctx, now)
	if err != nil {
		return fmt.Errorf("check the clock: %w", err)
	}
	if c.Behind {
		what := "reads " + now.Format(time.DateOnly)
		if !c.Known.IsZero() {
			what += ", but the library knows of " + c.Known.In(now.Location()).Format(time.DateOnly)
		}
		d.Hindered = append(d.Hindered, Hindrance{"clock", what, "set the clock; what comes until then is sorted by its publisher's date"})
		return nil
	}
	var was []string
	if c.Facts > 0 {
		was = append(was, fmt.Sprintf("ahead (%s, dated up to %s)", wording.Plural(c.Facts, "fact"), c.Latest.In(now.Location()).Format(time.DateOnly)))
	}
	if c.Dead > 0 {
		was = append(was, fmt.Sprintf("behind (%s, dated before 2025)", wording.Plural(c.Dead, "fact")))
	}
	if len(was) == 0 {
		return nil
	}
	d.Clock = "right now, but was " + strings.Join(was, " and ")
	if c.Ahead > 0 {
		d.Clock += "; the next fetch sets " + wording.Plural(c.Ahead, "item") + " from then back in the lists"
	}
	return nil
}

// hindered finds out who fetches, whether anybody could, and whether anything
// could be kept.
func (r *Reader) hindered(ctx context.Context, d *Diagnosis) error {
	hinder := func(place, what string, err error) {
		h := Hindrance{place, fmt.Sprintf("%s: %s", what, strings.TrimPrefix(err.Error(), store.ErrReadOnly.Error()+": ")),
			"see who owns the library's folder, and whether its disk may be written"}
		if path := filepath.Join(filepath.Dir(r.store.Path()), "fetch.lock"); errors.Is(err, store.ErrUnsafe) && place == "fetching" {
			h.Do = Aside(path, "it is made anew")
		}
		d.Hindered = append(d.Hindered, h)
	}
	if err := r.store.Writable(ctx); errors.Is(err, store.ErrBusy) || ctx.Err() != nil {
		return err
	} else if err != nil {
		hinder("library", "cannot be written", err)
	}
	lock, err := r.store.FetchLock(r.opts.Role)
	switch {
	case err == nil:
		return lock.Release() // nobody had it
	case !errors.Is(err, store.ErrBusy):
		hinder("fetching", "nothing can be fetched", err)
		return nil
	}
	if pid, role := lock.Holder(); pid != 0 {
		d.Fetcher = fmt.Sprintf("pid %d (%s)", pid, role) // the screen's or a command's
		if lock.Stopped() == pid {
			d.Hindered = append(d.Hindered, Hindrance{"fetching", d.Fetcher + " fetches and is stopped, so nothing is fetched",
				fmt.Sprintf("kill -CONT %d", pid)})
		}
	}
	return nil
}

// troubleOf says what is wrong with a feed and since when.
func troubleOf(f *Feed, now time.Time) string {
	day := wording.When(f.Since, now)
	switch f.State {
	case FeedMoved:
		return fmt.Sprintf("moved to %s, seen %d times in %s", plain.Redact(f.MovedTo), f.MovedSeen, spoken(now.Sub(f.MovedSince)))
	case FeedGone:
		return fmt.Sprintf("410 gone since %s; not fetched any more, %s items kept", day, wording.Count(f.Items))
	}
	if f.Tries > 1 {
		return fmt.Sprintf("%s since %s, %d tries", f.Error, day, f.Tries)
	}
	return fmt.Sprintf("%s since %s", f.Error, day)
}

// adviceFor names the command that helps.
func adviceFor(f *Feed, now time.Time) string {
	id := f.Key.String()
	switch {
	case f.State == FeedMoved:
		if plain.Redact(f.MovedTo) != f.MovedTo {
			return "diurna mv " + id // the address is not for the screen, and mv knows it
		}
		return fmt.Sprintf("diurna mv %s %s", id, plain.Argument(f.MovedTo))
	case f.State == FeedGone:
		return "diurna rm " + id
	case strings.HasPrefix(f.Error, secretLost):
		return "diurna mv " + id + " ADDRESS    (type it whole, with the password or token)"
	case f.Watched:
		return pageAdvice(f, now)
	case taken(f.URL):
		return fmt.Sprintf("diurna take %s    (once more, with the whole document on stdin)", shellQuote(strings.TrimPrefix(f.URL, takeScheme)))
	case isPrivateTrouble(f) && !strings.HasPrefix(f.Error, hostOnly(f.URL)+" "):
		return fmt.Sprintf("diurna rm %s    (its server sends you into a private network)", id)
	case isPrivateTrouble(f):
		if f.Address() != f.URL {
			return "diurna add --allow-private " + id
		}
		return "diurna add --allow-private " + plain.Argument(f.URL)
	case strings.HasPrefix(f.Error, "404") && f.Site != "":
		return fmt.Sprintf("diurna preview %s    (perhaps its page names a new feed)", plain.Argument(f.Site))
	case strings.Contains(f.Error, "web page"):
		site := f.Site
		if site == "" {
			site = f.URL
		}
		return fmt.Sprintf("diurna preview %s    (perhaps its page names a new feed)", plain.Argument(site))
	case strings.Contains(f.Error, "redirect"), strings.Contains(f.Error, "leads from https to http"):
		return fmt.Sprintf("diurna mv %s ADDRESS    (where the feed lives now), or: diurna rm %s", id, id)
	case strings.HasPrefix(f.Error, "401"), strings.HasPrefix(f.Error, "403"):
		return fmt.Sprintf("look at %s in a browser: it may want a login, or the feed is gone; then diurna rm %s", plain.Redact(f.URL), id)
	case !f.Since.IsZero() && now.Sub(f.Since) > deadAfter:
		return fmt.Sprintf("diurna rm %s    (it has failed for %s; its items are kept by undo)", id, spoken(now.Sub(f.Since)))
	case resting(f, now):
		return patience(f, now)
	case strings.Contains(f.Error, "words instead of"):
		return fmt.Sprintf("diurna fetch %s    (tries again now); if that is the page from now on: diurna rm %s, then diurna watch %s", id, id, plain.Argument(f.URL))
	}
	return fmt.Sprintf("diurna fetch %s    (tries again now), or: diurna rm %s", id, id)
}

// resting reports whether a fetch by hand would be refused.
func resting(f *Feed, now time.Time) bool {
	return f.NotBefore.After(now) && f.NotBefore.Before(now.Add(wishMost))
}

// patience is the advice for a feed that its server wants left alone.
func patience(f *Feed, now time.Time) string {
	at := f.NotBefore
	if f.NextFetch.After(at) {
		at = f.NextFetch
	}
	return fmt.Sprintf("nothing    (it is asked again %s, by itself)", wording.When(at, now))
}

// deadAfter is how long a feed fails before doctor gives it up.
const deadAfter = 30 * 24 * time.Hour

// hostOnly is the host of an address as its errors name it.
func hostOnly(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Hostname()
}

// pageAdvice names the command that helps a watched page.
func pageAdvice(f *Feed, now time.Time) string {
	id := f.Key.String()
	switch {
	case isPrivateTrouble(f):
		return fmt.Sprintf("diurna watch %s --allow-private", id)
	case strings.Contains(f.Error, "selector"):
		return fmt.Sprintf("diurna watch %s --select CSS    (look at %s: it was rebuilt)", id, plain.Redact(f.URL))
	case strings.Contains(f.Error, "test for humans"):
		return fmt.Sprintf("look at %s in a browser; there is no way around the test here; or: diurna rm %s", plain.Redact(f.URL), id)
	case resting(f, now):
		return patience(f, now)
	case strings.Contains(f.Error, "words instead of"):
		return fmt.Sprintf("diurna fetch %s    (tries again now); if that is the page from now on: diurna rm %s, then diurna watch %s", id, id, plain.Argument(f.URL))
	}
	return fmt.Sprintf("diurna fetch %s    (tries again now), or: diurna rm %s", id, id)
}

// checkRevisions unpacks every kept revision: the store proves its records, but
// only who packed them can tell whether they are what was served.
func (r *Reader) checkRevisions(ctx context.Context, feeds []Feed, d *Diagnosis) error {
	for i := range feeds {
		if !feeds[i].Watched {
			continue
		}
		list, err := r.store.PageRevisions(ctx, feeds[i].Key)
		if err != nil {
			return fmt.Errorf("read the revisions: %w", err)
		}
		for _, rev := range list {
			k, err := r.restore1(ctx, feeds[i].Key, rev.No)
			var damaged *DamagedError
			switch {
			case errors.As(err, &damaged):
				d.Findings = append(d.Findings, damaged.Record+": "+damaged.What)
			case err != nil:
				return err
			case len(k.body) != rev.Size:
				d.Findings = append(d.Findings, fmt.Sprintf("revision %d of %s: %d bytes, %d were served", rev.No, feeds[i].Key, len(k.body), rev.Size))
			}
		}
	}
	return nil
}
