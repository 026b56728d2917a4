package main

import (
	"encoding/xml"
	"math"
	"os"
	"strings"
	"testing"
)

// TestTheMinute: the script takes a minute, and the picture in docs is of it.
func TestTheMinute(t *testing.T) {
	total := 0.0
	for _, s := range script {
		total += s.seconds
	}
	if math.Abs(total-60) > 0.01 {
		t.Errorf("the script takes %.1f s", total)
	}
	b, err := os.ReadFile("../../docs/pictures/demo.svg")
	if err != nil {
		t.Fatal(err)
	}
	picture := string(b)
	if err := xml.Unmarshal(b, new(struct{})); err != nil || len(b) > 500_000 {
		t.Errorf("the picture has %d bytes: %v", len(b), err)
	}
	if n := strings.Count(picture, "<g transform="); n != len(script) {
		t.Errorf("the picture has %d frames, the script %d steps: go -C tools run ./record", n, len(script))
	}
	for _, s := range script {
		if !strings.Contains(picture, escaped(s.says)) {
			t.Errorf("the picture does not say %q: go -C tools run ./record", s.says)
		}
	}
}

// TestMovie: a frame stands from its time to that of the next, and a row that two
// frames show is drawn once.
func TestMovie(t *testing.T) {
	got := movie("a & b", []frame{{[]string{"<text>one</text>", "<text>two</text>"}, 1, "first"}, {[]string{"<text>one</text>", ""}, 3, "<last>"}})
	for _, want := range []string{"<title>a &amp; b</title>", "0.000%{transform:translateX(0px)}25.000%{transform:translateX(-924px)}", "film 4.0s", "&lt;last&gt;"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "<text>one"); n != 1 {
		t.Errorf("the row is drawn %d times", n)
	}
	if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
		t.Error(err)
	}
}
