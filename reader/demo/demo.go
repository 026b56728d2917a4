// Package demo is a small publisher and a made-up past, as data.
//
// Start with NewWeb, an http.RoundTripper that serves a dozen feeds on *.example
// hosts, and some pages without one, from inside the process: no socket is opened. Past is what a reader of
// them did in the weeks before; whoever has a library plays it into one.
//
// The same moment always gives the same web and the same past. The texts lie in
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
// through (one is gone since eight days, one moved) is counted back from now.
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

// Deed is what a Moment tells.
type Deed uint8

// The deeds of a past.
const (
	Subscribe Deed = iota + 1 // to Feed
	Fetch                     // everything that may be fetched
	Look                      // the reader comes to the screen
	Open                      // the item Title of the feed called In
	Save                      // the same item
	Tag                       // the same item, with Word
	MarkRead                  // all that fit Word, a query
	Watch                     // the page that Feed names
)

// Moment is one thing that happened.
type Moment struct {
	At    time.Time
	Do    Deed
	Feed  Subscription // Subscribe, Watch
	In    string       // Open, Save, Tag: the feed's title
	Title string       // Open, Save, Tag: the item's title
	Word  string       // Tag, MarkRead
}
