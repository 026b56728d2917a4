package model

import (
	"strings"
	"testing"
)

// TestLeadOf: the first words are one plain line, whatever the text is made of.
func TestLeadOf(t *testing.T) {
	many := strings.Repeat("word ", 40)
	for html, want := range map[string]string{
		"":                               "",
		"<p>One</p>\n<p>two &amp; three": "One two & three",
		"<style>p{}</style><script>alert(1)</script>Text": "Text",
		"<p>" + many:                      strings.TrimSpace(strings.Repeat("word ", leadWords)),
		"a\x1b[2Jb \u202edesrever\n\nc":   "ab desrever c",
		"<img src=a.png alt='two boats'>": "two boats",
	} {
		if got := LeadOf(html); got != want {
			t.Errorf("LeadOf(%q) = %q, want %q", html, got, want)
		}
	}
	if got := LeadOf(strings.Repeat("港", 5000)); len(got) < leadBytes/2 || len(got) > leadBytes || strings.ContainsRune(got, '�') {
		t.Errorf("%d bytes of one long word: %q", len(got), got)
	}
}
