package session

import (
	"bytes"
	"strings"
	"testing"

	"diurna/reader"
)

// What an article is made of reaches paper as plain text, title and link included.
func TestArticleIsPlain(t *testing.T) {
	s, text := reporter(0)
	s.PrintArticle(&reader.Article{
		Item: reader.Item{Title: "Ti\x1b]0;tle\atle", Feed: "F\u202eeed", Author: "me\u009b31m", Link: "https://a.example/\x07b", Words: 3, Tags: []string{"a\tb"},
			Enclosures: []reader.Enclosure{{URL: "https://a.example/e\x1b[31m.ogg", Type: "audio/ogg", Length: 5 << 20}}},
		HTML: "<p>one \x1b[31mtwo&#27;[0m</p><script>alert(1)</script><p>three</p>",
	})
	got := text()
	for _, r := range got {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
			t.Errorf("%U in %q", r, got)
		}
	}
	for _, want := range []string{"by me", "enclosure: https://a.example/e", "audio/ogg · 5 MB", "three\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if strings.Contains(got, "alert") {
		t.Errorf("a script became text: %q", got)
	}
}

// Progress is drawn over one line of a terminal, and is silent elsewhere.
func TestProgress(t *testing.T) {
	for _, lively := range []bool{false, true} {
		s, text := reporter(0)
		s.Env.Lively = lively
		p := s.Progress("fetching")
		p.Step(reader.Progress{Done: 1, Total: 41})
		p.Step(reader.Progress{Done: 2, Total: 41}) // too soon to be drawn
		p.Step(reader.Progress{Done: 41, Total: 41})
		p.End()
		got := text()
		if lively != strings.Contains(got, "\rfetching 41/41") || strings.Contains(got, " 2/41") || strings.Contains(got, "\n") {
			t.Errorf("lively %v: %q", lively, got)
		}
	}
}

// reporter is a session that prints into a buffer.
func reporter(width int) (*Session, func() string) {
	var b bytes.Buffer
	s := New(Env{Out: &b, Err: &b, Width: width})
	return s, func() string { s.Out.Flush(); return b.String() }
}
