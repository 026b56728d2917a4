package demo

import "time"

// liveMost bounds the items that come while one looks on: more than a day's.
const liveMost = 3000

// lively are the publications that take turns: those that are subscribed to and
// in no trouble.
func lively() []*publication {
	var list []*publication
	for i := range publications() {
		if p := &publications()[i]; !p.unsubscribed && p.goneFor == 0 && p.movedFor == 0 {
			list = append(list, p)
		}
	}
	return list
}

// liveAt is when the item n comes, counted from 0.
func liveAt(home time.Time, n int) time.Time {
	return home.Truncate(time.Second).Add(LiveEvery/2 + time.Duration(n)*LiveEvery)
}

// liveDue is how many items have come since home.
func liveDue(now, home time.Time) int {
	if now.Before(liveAt(home, 0)) {
		return 0
	}
	return min(int(now.Sub(liveAt(home, 0))/LiveEvery)+1, liveMost)
}

func (w *web) next(now time.Time) (time.Time, string) {
	n, turns := liveDue(w.there(now), w.home), lively()
	return w.here(liveAt(w.home, n)), turns[n%len(turns)].url
}

// passOn makes the item n one that points to the latest of another feed, so that two feeds
// have one story.
func (p *publication) passOn(it *post, turns []*publication, home time.Time, n int, now time.Time) {
	if p.passesOn == "" {
		return
	}
	for n--; n >= 0; n-- {
		if from := turns[n%len(turns)]; from.url == p.passesOn {
			at := liveAt(home, n)
			news := from.compose(seedOf(from.url, at, 1000+n), 1000+n, at, now)
			it.title, it.link, it.sound = news.title, news.link+"?utm_source=feed&utm_medium=rss", ""
			it.html = "<p>The " + from.title + " has this, and it can be seen from up here:</p>\n" + news.html
			return
		}
	}
}

// upTo is the document's items: what came since home, then what the calendar
// says.
func (p *publication) upTo(now, home time.Time) []post {
	var list []post
	turns := lively()
	for n := liveDue(now, home) - 1; n >= 0 && len(list) < p.window; n-- {
		if turns[n%len(turns)] == p {
			at := liveAt(home, n)
			it := p.compose(seedOf(p.url, at, 1000+n), 1000+n, at, now)
			p.passOn(&it, turns, home, n, now)
			list = append(list, it)
		}
	}
	// The calendar goes on as well; an item of it may lie between two of these.
	list = append(list, p.posts(now, p.window-len(list))...)
	newestFirst(list)
	return list
}
