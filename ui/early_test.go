package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"diurna/reader"
)

// TestKeysBeforeTheText: keys about links that come before the text wait for it, in
// their order; the item's own address is not taken for a link's.
func TestKeysBeforeTheText(t *testing.T) {
	const first, second = "https://kernelnotes.example/2026/mq", "https://other.example/week"
	for keys, want := range map[string]string{
		"2 y": second, "1 y": first, "tab tab y": second,
		"y": "https://kernelnotes.example/2026/block-layer", "2 o": "browser " + second, "2 enter": "browser " + second,
	} {
		d := newDesk(t, newFake(), 80, 24)
		text := d.hold("enter")
		d.m.eff.out.Browser = []string{"/nonexistent/browser"}
		d.press(strings.Fields(keys)...)
		d.says("waiting for the text")
		if len(d.sent) > 0 {
			t.Fatalf("%s: %q before the text was there", keys, d.sent)
		}
		d.run(text)
		if addr, browser := strings.CutPrefix(want, "browser "); browser {
			d.shows("The browser did not start")
			if d.lib.revealed != addr {
				t.Errorf("%s: opened %q, want %q", keys, d.lib.revealed, addr)
			}
		} else if fmt.Sprint(d.sent) != fmt.Sprintf("[%s]", want) {
			t.Errorf("%s: copied %q, want %q", keys, d.sent, want)
		}
	}
}

// TestKeysBeforeNoText: where there is no text after all, o and y mean the item; where
// something lies over the article by then they do nothing, and say so.
func TestKeysBeforeNoText(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	lib.unreadable = errors.New("the text cannot be read")
	text := d.hold("enter")
	d.press("y")
	d.run(text)
	lib.unreadable = nil
	d.shows("The text cannot be read.")
	if got := fmt.Sprint(d.sent); got != "[https://kernelnotes.example/2026/block-layer]" {
		t.Errorf("copied %s", got)
	}
	d = newDesk(t, newFake(), 80, 24)
	text = d.hold("enter")
	d.press(append(strings.Fields(strings.Repeat("2 ", 100)), "y", "?")...)
	d.run(text)
	d.says("The text has arrived; keys typed for its links were dropped.")
	if len(d.sent) > 0 {
		t.Errorf("copied %q", d.sent)
	}
}

// TestStaleText: a text that comes after its article was left is shown nowhere, also
// where another article, or the same one again, waits for its own.
func TestStaleText(t *testing.T) {
	lib := newFake()
	lib.bodies[item(3, 8)] = reader.Article{HTML: "<p>About the ferry.</p>"}
	d := newDesk(t, lib, 80, 24)
	stale := d.hold("enter")
	next := d.hold("J")
	d.run(stale)
	d.shows("Ferry 3 out of service")
	if s := d.screen(); strings.Contains(s, "multi-queue") || strings.Contains(s, "About the ferry") {
		t.Fatalf("the text of another article:\n%s", s)
	}
	d.run(next)
	d.shows("About the ferry.")
	d.run(stale)
	d.shows("About the ferry.")
	d.press("q")
	list := d.screen()
	d.run(next)
	d.run(stale)
	if s := d.screen(); s != list {
		t.Errorf("it changed the list:\n%s\nwas\n%s", s, list)
	}
	lib.bodies[item(3, 8)] = reader.Article{HTML: "<p>About the ferry, edited.</p>"}
	again := d.hold("enter")
	d.run(next) // what was asked the first time
	if s := d.screen(); strings.Contains(s, "About the ferry") {
		t.Errorf("an older text was taken:\n%s", s)
	}
	d.run(again)
	d.shows("About the ferry, edited.")
}
