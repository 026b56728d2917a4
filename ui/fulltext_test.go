package ui

import (
	"context"
	"testing"

	"diurna/reader"
)

// fakeTexts is what the pages of items give.
type fakeTexts struct {
	texts   map[reader.ItemID]*reader.FullText
	fetched []reader.ItemID
	newest  []reader.FeedID
}

func (f *fake) FetchText(_ context.Context, id reader.ItemID) (*reader.FullText, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.texts.fetched = append(f.texts.fetched, id)
	if t := f.texts.texts[id]; t != nil {
		return t, nil
	}
	return &reader.FullText{At: noon, Why: "paywall", Sentence: "the page is behind a paywall"}, nil
}

func (f *fake) Newest(_ context.Context, feed reader.FeedID) (texts, items int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.texts.newest = append(f.texts.newest, feed)
	return 4, 5, nil
}

// A feed whose whole texts are wanted gets those of its newest items at once, and only then.
func TestWholeTextsOfTheNewest(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("j", "i", "j", "j", "j", "j", "j", "j", "enter")
	d.says("Whole texts of the newest items of Harbour Gazette: 4 of 5. u undoes.")
	if n := len(d.lib.texts.newest); n != 1 {
		t.Fatalf("fetched %d times", n)
	}
	d.press("enter")
	d.says("whole texts of Harbour Gazette changed. u undoes.")
	if n := len(d.lib.texts.newest); n != 1 {
		t.Errorf("fetched %d times, also when they are no longer wanted", n)
	}
}

// x brings the whole text of an article, and the feed's own again; it is fetched once,
// and why there is none stands in the heading.
func TestWholeText(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	f := d.lib
	f.texts.texts = map[reader.ItemID]*reader.FullText{item(3, 8): {At: noon, HTML: "<p>The crane at quay four broke first.</p>", Base: "https://example.org/", Words: 640}}
	d.press("j", "enter")
	d.shows("Ferry 3 out of service until Monday.", "310 words")
	d.lacks("whole text")
	d.press("x")
	d.shows("The crane at quay four broke first", "640 words", "whole text from the page, today 10:49; x shows the feed's", "The whole text has 640 words, the feed gave 310.")
	d.lacks("until Monday.")
	d.press("x")
	d.shows("Ferry 3 out of service until Monday.", "the feed's text; x shows the whole one", "310 words")
	d.press("x")
	d.shows("The crane at quay four broke first")
	if len(f.texts.fetched) != 1 {
		t.Errorf("fetched %v, want one", f.texts.fetched)
	}
	d.press("J", "x")
	d.shows("No whole text: the page is behind a paywall (today 10:49). o opens", "harbours and one")
}

// What robots.txt keeps from being fetched by the program, a key may fetch; another try is
// offered where it can help.
func TestWholeTextMissing(t *testing.T) {
	for says, text := range map[string]reader.FullText{
		"No whole text: robots.txt forbids it (today 10:49). x fetches it.": {Sentence: "robots.txt forbids it", Unasked: true},
		"No whole text: it took too long (today 10:49). x tries again.":     {Sentence: "it took too long", Passes: true},
		"No whole text: too large (today 10:49). o opens it in the browser": {Sentence: "too large"},
	} {
		f := newFake()
		text.At, text.Why = noon, "a reason"
		f.texts.texts = map[reader.ItemID]*reader.FullText{item(3, 8): &text}
		d := newDesk(t, f, 80, 24)
		d.press("j", "enter", "x")
		d.shows(says)
	}
}

// While the whole text is fetched the article is read on; another x asks nothing more.
func TestWholeTextComesLater(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("enter")
	coming := d.hold("x")
	d.shows("fetching the whole text")
	d.press("x", "j")
	if n := len(d.lib.texts.fetched); n > 1 {
		t.Errorf("%d fetches", n)
	}
	d.run(coming)
	d.shows("No whole text:")
}
