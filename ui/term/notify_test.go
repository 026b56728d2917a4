package term

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"diurna/reader"
)

func TestNoticeArgs(t *testing.T) {
	change := reader.Notification{Page: "Pier; rm -rf $HOME", What: "--help `id` \x1b]0;x\a \"9\" for \"8\"\nnext", Why: "2 words", Link: "https://pier.example/", Score: 6.25}
	for _, c := range []struct{ command, want []string }{
		{[]string{"notify-send"}, []string{"notify-send", "Pier; rm -rf $HOME", "−-help `id` \"9\" for \"8\" next"}},
		{[]string{"say", "{page}", "{what}"}, []string{"say", "Pier; rm -rf $HOME", "−-help `id` \"9\" for \"8\" next"}},
		{[]string{"x", "--title={page}", "{score} {why}", "-n", "{link}"}, []string{"x", "--title=Pier; rm -rf $HOME", "6.2 2 words", "-n", "https://pier.example/"}},
	} {
		got := noticeArgs(c.command, &change)
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], " ]0;x", "")
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q gives %q", c.command, got)
		}
		for _, word := range got {
			if strings.ContainsAny(word, "\x1b\a\n\x00") {
				t.Errorf("%q reaches the command", word)
			}
		}
	}
}

// A notice rings, shows one plain line and runs a command with whole words.
func TestNotice(t *testing.T) {
	dir := t.TempDir()
	script, out := filepath.Join(dir, "notify"), filepath.Join(dir, "out")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nfor a in \"$@\"; do printf '[%s]' \"$a\" >> "+out+"; done\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	n := Notice{Bell: true, Toast: true, Command: []string{script}}
	var term bytes.Buffer
	n.Tell(context.Background(), &term, []reader.Notification{{Page: "Pier", What: "a\x1b]0;b\a $(c)"}})
	if s := term.String(); !strings.HasPrefix(s, "\x1b]9;Pier: a") || !strings.HasSuffix(s, "\x1b\\\a") || strings.Count(s, "\x1b") != 2 || strings.Count(s, "\a") != 1 {
		t.Errorf("the terminal gets %q", s)
	}
	got, err := os.ReadFile(out)
	if err != nil || strings.Count(string(got), "[") != 2 && !strings.Contains(string(got), "]0;b") || !strings.Contains(string(got), "$(c)") {
		t.Errorf("the command gets %q, %v", got, err)
	}
	term.Reset()
	n.Command = []string{filepath.Join(dir, "none")}
	n.Tell(context.Background(), &term, nil)
	n.Tell(context.Background(), &term, make([]reader.Notification, 20)) // a missing command is no trouble
	if strings.Count(term.String(), "\x1b]9;") != noticeMost || strings.Count(term.String(), "\a") != 1 {
		t.Errorf("the terminal gets %q", term.String())
	}
}

// What is gone reads as gone, and is no option either.
func TestNoticeOfWhatIsGone(t *testing.T) {
	change := reader.Notification{Page: "-5 degrees", What: `- "the early boat"`}
	want := []string{"say", "−5 degrees", `gone: "the early boat"`}
	for _, command := range [][]string{{"say"}, {"say", "{page}", "{what}"}} {
		if got := noticeArgs(command, &change); !slices.Equal(got, want) {
			t.Errorf("%q gives %q", command, got)
		}
	}
}
