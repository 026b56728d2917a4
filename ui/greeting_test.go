package ui

import (
	"strings"
	"testing"
	"time"

	"diurna/reader"
	"diurna/ui/greeting"
)

// The line about the fetch before the usual look stands until the first key, and
// gives way to every message, whichever comes first.
func TestOpeningLine(t *testing.T) {
	const line = "fetched 07:36, before your usual look"
	lib := newFake()
	lib.opening = reader.Opening{Fetched: time.Date(2026, time.November, 20, 6, 36, 0, 0, time.UTC), Look: noon}
	open := func(notice string) *desk {
		d := newDesk(t, lib, 80, 24, func(o *Options) { o.Notice = notice })
		d.send(greeting.OpeningMsg{Opening: lib.opening})
		return d
	}
	d := open("")
	d.says(line)
	d.m.Say("Something is asked.")
	if s := d.screen(); strings.Contains(s, line) {
		t.Errorf("it does not give way:\n%s", s)
	}
	d = open("The notice.")
	d.says("The notice.")
	d = open("")
	d.press("j")
	if s := d.screen(); strings.Contains(s, line) {
		t.Errorf("it stands after a key:\n%s", s)
	}
	d.send(greeting.OpeningMsg{Opening: lib.opening}) // the answer came late
	if s := d.screen(); strings.Contains(s, line) {
		t.Errorf("it came after a key:\n%s", s)
	}
	if msg := d.m.greet.Opening()(); msg != (greeting.OpeningMsg{Opening: lib.opening}) {
		t.Errorf("asked the library and got %v", msg)
	}
	lib.opening = reader.Opening{}
	if msg := d.m.greet.Opening()(); msg != nil {
		t.Errorf("reported nothing: %v", msg)
	}
}
