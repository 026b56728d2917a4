// Package demo is a small publisher and a made-up past, as data.
//
// Start with NewWeb, an http.RoundTripper that serves a dozen feeds on *.example
// hosts, and some pages without one, from inside the process: no socket is opened. Past is what a reader of
// them did in the weeks before; whoever has a library plays it into one.
//
// The same time of day always gives the same web and the same past, on whatever day
// and in whatever zone it is: everything here counts in the publisher's own calendar,
// in which today is always origin, and is moved by whole days at the edge. So a past
// that was played once can be taken along and moved too. The texts lie in
// data/*.txt: a head, then articles whose {slots|of words} are filled by the day.
package demo

import (
	"net/http"
	"time"
)

// Days is how many days the past goes back. The web is older by a month.
const Days = 28

// LiveEvery is how often something new comes while one looks on: more often than
// a dozen feeds would, so that it is seen.
const LiveEvery = 40 * time.Second

// Subscription is one feed of the publisher, as its reader subscribed to it.
type Subscription struct {
	URL    string
	Title  string
	Folder string // "" for none
	Tags   []string
}

// origin is today in the publisher's calendar, a Friday, when most is published.
var origin = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

// Origin is the moment with which the publisher's today begins: a library into which
// what was before it was played is moved by Shift to be one of this day.
func Origin() time.Time { return origin }

// Shift is how much later the midnight is with which now's day begins.
func Shift(now time.Time) time.Duration { return dayStart(now).Sub(origin) }

// Feeds lists the feeds that are subscribed to in the past, in that order.
func Feeds() []Subscription {
	var list []Subscription
	for _, p := range publications() {
		if !p.unsubscribed {
			list = append(list, Subscription{URL: p.url, Title: p.title, Folder: p.folder, Tags: p.tags})
		}
	}
	return list
}

// Web is the publisher. It is safe for use by several goroutines.
type Web struct{ w *web }

// NewWeb returns a publisher that lives in the present. What its feeds went
// through (one is gone since eight days, one moved) is counted back from now's day.
func NewWeb(now time.Time) *Web { return &Web{newServer(now)} }

// SetNow moves the publisher to another moment: it serves what was there then.
// The zero time brings it back to the present.
func (w *Web) SetNow(t time.Time) { w.w.setNow(t) }

// Next is when the next item comes while the publisher lives in the present, and
// the address of its feed: one every LiveEvery, from soon after the start.
func (w *Web) Next(now time.Time) (at time.Time, feed string) { return w.w.next(now) }

// RoundTrip answers a request from inside the process. It never fails; what is
// not there is a 404.
func (w *Web) RoundTrip(r *http.Request) (*http.Response, error) { return w.w.roundTrip(r) }

// Serves reports whether the publisher has anything at a host.
func (w *Web) Serves(host string) bool { return serves(host) }

// Action is what happens at a Moment.
type Action uint8

// The actions of a past.
const (
	Subscribe Action = iota + 1 // to Feed
	Fetch                       // everything that may be fetched
	Look                        // the reader comes to the screen
	Open                        // the item Title of the feed called In
	Save                        // the same item
	Tag                         // the same item, with Word
	MarkRead                    // all that fit Word, a query
	Watch                       // the page that Feed names
)

// Moment is one thing that happened.
type Moment struct {
	At    time.Time
	Do    Action
	Feed  Subscription // Subscribe, Watch
	In    string       // Open, Save, Tag: the feed's title
	Title string       // Open, Save, Tag: the item's title
	Word  string       // Tag, MarkRead
}
