package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// payloads are 200 addresses that shells, browsers and templates have tripped
// over: every trick at the beginning, in the path, in the query and alone.
func payloads() []string {
	tricks := []string{"$(touch x)", "`touch x`", ";touch x", "|touch x", "||touch x", "&touch x", "&&touch x", "\ntouch x", "\r\ntouch x", "'; touch x; '", `"; touch x; "`, `\`, "$IFS", "${PATH}",
		">x", "<x", "*", "?x", "[a]", "{a,b}", "~", "!!", "#", "%s", "%u", "%n%n", "%00", "\x00", "\t", " ", "--", "-remote openURL(x)", "--new-window", "-", "@file", "=cmd|' /C calc'!A0",
		"\x1b]0;x\a", "\u202e", "\u009b", "../../etc/passwd", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "exec:touch x", "|cmd", "a b c", "é", "//evil.example", `\\host\share`, "$(id)%u"}
	var list []string
	for _, s := range tricks {
		list = append(list, s, "https://a.example/"+s, "https://a.example/?q="+s, s+"https://a.example/")
	}
	return list
}

// TestAttackC1 hands 200 payloads to the browser, rows C1 and C2: each is refused,
// or is one argument, byte for byte, and nothing but the browser is started.
func TestAttackC1(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	out := filepath.Join(dir, "argv")
	script := filepath.Join(dir, "browser")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf '%s\\0' \"$#\" \"$@\" > '"+out+".tmp' && mv '"+out+".tmp' '"+out+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, newFake(), 80, 24, func(o *Options) { o.Config.Browser = []string{script, "--new", "%u"} })
	list := payloads()
	opened := 0
	for _, addr := range list {
		cmd := d.m.OpenURL(addr)
		if cmd == nil {
			continue
		}
		if !strings.HasPrefix(addr, "https://") {
			t.Errorf("%q would be opened", addr)
			continue
		}
		opened++
		d.run(cmd)
		if strings.ContainsRune(addr, 0) {
			continue // no argument of a program can hold it
		}
		var got []byte
		for range 6000 {
			var err error
			if got, err = os.ReadFile(out); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		escaped := strings.ReplaceAll(addr, "\u009b", "%C2%9B") // a control character
		if want := fmt.Sprintf("2\x00--new\x00%s\x00", escaped); string(got) != want {
			t.Errorf("argv %q, want %q", got, want)
		}
		_ = os.Remove(out) // the next one's must not be taken for it
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("a payload was run")
	}
	if len(list) != 200 || opened < 50 {
		t.Errorf("%d payloads, %d opened", len(list), opened)
	}
}
