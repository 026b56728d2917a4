package plain

import (
	"strings"
	"testing"

	"golang.org/x/net/html/charset"
)

// TestEncoding: every label there is here is one of the Encoding Standard, or of
// publishers, and means there what it means here, however it is spelled.
func TestEncoding(t *testing.T) {
	ours := map[string]bool{} // what the Standard does not have, or spells in its own way
	for _, label := range strings.Fields("isolatin2 isolatin3 isolatin4 isolatincyrillic isolatinarabic isolatingreek isolatinhebrew isolatin6 isolatin9 latin9 macroman maccyrillic macukrainian win1250 win1251 win1252 win1253 win1254 win1255 win1256 win1257 win1258 cp936 ms936 euccn cp950 eucpkdfmtjapanese cp932 cp949 ms949 uhc usascii mskanji suneugreek unicodefffe") {
		ours[label] = true
	}
	sample := []byte("a\x1b$B$3\x1b(B")
	for i := 0x80; i < 0x100; i++ {
		sample = append(sample, byte(i), 0xA1+byte(i%0x50))
	}
	spelled := func(label string) []string {
		return []string{label, "cs" + label, "x-" + label, strings.ReplaceAll(label, "iso", "iso-"), strings.ReplaceAll(strings.ReplaceAll(label, "iso", "iso_"), "8859", "8859-"),
			strings.ReplaceAll(strings.ReplaceAll(label, "iso", "iso-"), "ir", "ir-"), strings.ReplaceAll(label, "unicode", "unicode-1-1-")}
	}
	for line := range strings.Lines(labels) {
		for i, label := range strings.Fields(line) {
			enc, name := Encoding(strings.ToUpper(label))
			if enc == nil || i == 0 && name != label {
				t.Fatalf("%s is %s, %v", label, name, enc)
			}
			known := i == 0 || ours[label]
			for _, s := range spelled(label) {
				if _, theirs := charset.Lookup(s); theirs != "" {
					known = true
					if theirs != name {
						t.Errorf("%s is %s, not %s", s, theirs, name)
					}
				}
			}
			if theirs, _ := charset.Lookup(name); i == 0 {
				got, _ := enc.NewDecoder().Bytes(sample)
				if want, _ := theirs.NewDecoder().Bytes(sample); string(got) != string(want) && name != "utf-8" {
					t.Errorf("%s has another decoder", name)
				}
			}
			if !known && !strings.ContainsAny(label, "0123456789") {
				t.Errorf("nobody knows %s", label)
			}
		}
	}
	for label, want := range map[string]string{"Latin-1": "windows-1252", " 'ISO-8859-1' ": "windows-1252", "win-1251": "windows-1251", "x-sjis": "shift_jis",
		"iso_8859-2:1987": "iso-8859-2", "csISOLatin5": "windows-1254", "x-x-big5": "big5", "csISO2022JP": "iso-2022-jp", "x-user-defined": "", "hz-gb-2312": "",
		"iso-2022-kr": "", "replacement": "", "": "", "--": "", "cs": "", "utf8": "utf-8", "x-mac-roman": "macintosh", "x-euc-jp": "euc-jp", "csksc56011987": "euc-kr", "ebcdic-cp-us": ""} {
		if _, name := Encoding(label); name != want {
			t.Errorf("%q is %q, not %q", label, name, want)
		}
	}
}

// TestMetaCharset: a page says what it is in, in one of two ways.
func TestMetaCharset(t *testing.T) {
	for page, want := range map[string]string{
		`<html><head><meta charset="koi8-r">`:                                      "koi8-r",
		`<META http-equiv=Content-Type content="text/html; CHARSET=windows-1251">`: "windows-1251",
		`<meta name="x"><meta charset=big5><p>`:                                    "big5",
		`<p>charset=utf-8`:                                                         "",
		strings.Repeat(" ", 5000) + `<meta charset="x">`:                           "",
	} {
		if got := MetaCharset([]byte(page)); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}
